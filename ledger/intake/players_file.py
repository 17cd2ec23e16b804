"""A players document of any size: read once, decided page by page, never whole.

In memory are the ids of the players, one page of them, the identity documents that are to be
stored, and the document's problems. The rest is in spools: what the document says, then the
events it becomes, until these are appended in one commit.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Self

from ledger.errors import DocumentRefused, InputRefused, NotFound, Problem
from ledger.events.personal import Identity, PrintedName, identity_in
from ledger.identifiers import Seq
from ledger.intake.csv_table import DocumentTable
from ledger.intake.document_copy import Copy
from ledger.intake.documents import (
    Document,
    DocumentKind,
    Planned,
    PlayerSaid,
    RatingSaid,
    SourcePlace,
)
from ledger.intake.entered_twice import LinesOfOne
from ledger.intake.headings import PLAYERS
from ledger.intake.import_problems import Formulas, ImportProblems, naming
from ledger.intake.player_reconciliation import PlayersIntake, plan_players
from ledger.intake.players import (
    WantedPlayers,
    is_federation,
    read_fide_list,
    read_players,
    survey_players,
)
from ledger.intake.problems import Problems
from ledger.intake.recognition import Recognition, recorded_players
from ledger.journal.records import Head
from ledger.journal.spool import Row, Spool
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.service.decisions import Decided, DecidedParts, Dependencies, changed
from ledger.service.identities import IssuedIds
from ledger.service.ledger import Request
from ledger.service.people_meant import EnteredTwice, PeopleMeant
from ledger.terms import Rate
from ledger.views.registers import ids_of
from ledger.views.view import LedgerView
from ledger.wording import Message

ALWAYS = dt.date.min
_PAGE_ROWS = 5_000  # streams asked for at once; their records and events are in memory
_SALT_BYTES = 16


class PlayersFile:
    """A players document after it was read.

    ``players`` is read once and has every player once; ``problems`` takes, meanwhile, what cannot
    be read.

    Raises:
        InputRefused: nothing of it can be read, or it says nothing.
    """

    def __init__(
        self,
        view: LedgerView,
        document: Document,
        players: Iterable[PlayerSaid],
        problems: Problems,
        request: Request,
        lines: LinesOfOne | None = None,
    ) -> None:
        self._view = view
        self._document = document
        self._problems = problems
        self._rows = Spool(_PAGE_ROWS)
        self._ids = set[str]()
        self._rated = 0
        self._notes: list[Problem] = []
        self._formulas = Formulas()
        self._are_without_ids = False
        self._erased: dict[str, int] = {}  # players who were erased, and in which line they are
        with naming(document.name):
            for player in players:
                if lines is not None and not lines.admit(player):
                    continue
                self._rows.put(_row(player))
                self._ids.add(player.player)
                self._rated += is_rated(player)
                self._are_without_ids |= player.is_made
                self._formulas.look_at_player(player)
        if not problems.found and not self._ids:
            raise DocumentRefused("csv.no_rows")
        twice = [] if lines is None else self._entered_twice(lines)
        if problems.found:  # everything is told at once
            problems.take_all(Problem(each.message, each.later.line, 1) for each in twice)
        elif twice and not request.dry_run:
            PeopleMeant(twice=twice).require_decided(document.name)
        self._issued = IssuedIds(view)
        self.people = self._recognised(request) if self._ids else None
        if twice:
            self.people = self.people or PeopleMeant()
            self.people.twice = twice
        if self.people is not None:
            self._notes += self.people.notes(document.name)
        self._depends_on = Dependencies({"player": self._ids, "list": {"*"}})
        self._parts = DecidedParts(view.progress)
        self._head: Head | None = None

    def _entered_twice(self, lines: LinesOfOne) -> list[EnteredTwice]:
        """Returns who stands twice and is to be decided."""
        self._notes += lines.notes()
        players = (_said(row) for page in self._rows.pages() for row in page)
        return lines.pairs(players, lambda ids: recorded_players(self._view, ids))

    def _recognised(self, request: Request) -> PeopleMeant | None:
        """Puts the ids of the ledger in the place of the document's; returns whom it means.

        Nobody is looked for, and that is not told, where all are known by their ids, or nobody is
        a member yet.

        Raises:
            Conflict: of some it is to be decided who they are, and this is no preview.
        """
        view, document = self._view, self._document
        everybody = ([_said(row) for row in page] for page in self._rows.pages())
        recognition = Recognition(
            view,
            document,
            request.actor,
            self._issued,
            checks_names=False,
            everybody=everybody,
        )
        only_members = document.only_members
        is_asked = document.ids or document.decisions or request.dry_run or only_members
        is_plain = not (is_asked or self._are_without_ids)
        if is_plain and not recognition.is_needed(self._ids):
            return None
        rows, taken = Spool(_PAGE_ROWS), set[str]()
        for page in self._rows.pages():
            for player in recognition.of([_said(row) for row in page]):
                if not only_members or recognition.is_member(player):
                    rows.put(_row(player))
                    taken.add(player.player)
        recognition.require_used()
        if not (request.dry_run or only_members):
            recognition.people.require_decided(document.name)
        self._rows, self._ids = rows, taken
        return recognition.people

    @classmethod
    def read(
        cls, view: LedgerView, document: Document, kind: DocumentKind, copy: Copy, request: Request
    ) -> Self:
        """Reads a players document, or FIDE's list.

        Raises:
            NotFound: there is no such list.
            InputRefused: nothing of it can be read, or it says nothing.
        """
        problems = Problems()
        if kind is DocumentKind.FIDE_LIST:
            wanted = _wanted(view, document)
            players = read_fide_list(copy.lines(), wanted, problems)
            return cls(view, document, players, problems, request)
        headings = PLAYERS.told(document.columns, document.ignored)
        with naming(document.name):
            table = survey_players(copy.lines(), headings, document.dates)
        lines = LinesOfOne(document)
        players = read_players(copy.lines(), problems, headings, table.forms, lines.repeat)
        players = _of_federation(players, document, table)
        read = cls(view, document, players, problems, request, lines)
        read._notes += table.notes(document.name)
        if read._are_without_ids and read.people is not None:
            beside = headings.beside_id(table.header)
            read._notes += without_ids(document.name, table.header_line, read.people, beside)
        return read

    def decide(self, head: Head) -> Decided:
        """Decides the document at a head: at a later one only the pages that it concerns.

        Raises:
            InputRefused: with every problem of the file, line and column.
            Conflict: with every difference.
            NotFound: there is no such list.
        """
        document, parts = self._document, self._parts
        self._issued.refresh()
        found = ImportProblems(
            document.name, as_correction=document.as_correction, ids=self._issued
        )
        found.add_all(self._problems)
        if self._ids:
            concerned, lists = self._concerned(head), self._view.register(["list:*"], head.seq)
            done = before = 0
            for page, rows in enumerate(self._rows.pages()):
                players = [_said(row) for row in rows]
                if concerned(players):
                    parts.put_taken(page, *self._taken(players, lists, head, before, found))
                before += parts.count(page)
                done += len(players)
                self._view.progress("import", done, len(self._ids))
        found.raise_any()
        self._head = head
        decided = parts.decided(self._depends_on)
        notes = (
            *self._notes,
            *decided.notes,
            *not_used(document.name, document.list, self._rated),
            *self._formulas.notes(document.name),
            *of_erased(document.name, self._erased),
        )
        return replace(decided, notes=notes)

    def _concerned(self, head: Head) -> Callable[[Sequence[PlayerSaid]], bool]:
        """Returns which players are concerned by what came since the last decision; at first all.

        All are by what is recorded of a list.
        """
        if self._head is None:
            return lambda _: True
        streams = changed(self._view.journal, self._depends_on, self._head, head)
        players, lists = ids_of("player", streams), ids_of("list", streams)
        return lambda players_: bool(lists) or any(each.player in players for each in players_)

    def _taken(
        self,
        players: Sequence[PlayerSaid],
        lists: Register,
        head: Head,
        before: int,
        found: ImportProblems,
    ) -> tuple[Registrar, list[Problem]]:
        """Decides one page, which comes after so many events of the document; returns its notes."""
        view, document = self._view, self._document
        how, *others = (
            players_intake(view, lists, document, list_)
            for list_ in (document.list, *document.other_lists)
        )
        register = view.register([f"player:{each.player}" for each in players], head.seq)
        register.lists = lists.lists
        self._erased |= erased_in(players, register)
        registrar = Registrar(register, Seq(head.seq + before), view.today)
        # No player is in the document twice, so that what is taken of one does not matter to what
        # is planned for the next.
        hows = dict(zip(document.other_lists, others, strict=True))
        notes: list[Problem] = []
        for planned in planned_players(view, players, register, how, hows):
            notes += found.take(planned, registrar)
        return registrar, notes


def _of_federation(
    players: Iterator[PlayerSaid], document: Document, table: DocumentTable
) -> Iterator[PlayerSaid]:
    """Returns the players of a table, of the federation that was said of all of them.

    Raises:
        InputRefused: it is none, or the table says itself of which each is.
    """
    if not document.federations:
        return players
    (federation,) = document.federations
    if not is_federation(federation):
        raise InputRefused("csv.no_federation", value=federation)
    if "federation" in table.columns:
        raise InputRefused("import.federation_in_table", value=federation, file=document.name)
    return (replace(each, federation=federation.upper()) for each in players)


def _row(player: PlayerSaid) -> Row:
    place, known = player.place, player.identity
    ids = [(each.issuer, each.id) for each in known.ids or ()]
    printed = [(each.sender, each.name, each.birth_date, each.id) for each in known.printed or ()]
    return (
        place.line, place.column, player.player, known.birth_date, known.name, known.sex,
        player.federation, player.rating, player.k, player.games, player.published_k,
        [(other.list, other.rating, other.published_k) for other in player.others],
        ids, printed, [*player.issued.items()], player.is_recognised,
        player.club, player.region, player.licensed_until and player.licensed_until.isoformat(),
        player.number, player.is_made, known.apart,
        player.erased_on and player.erased_on.isoformat(),
    )  # fmt: skip


def _said(row: Row) -> PlayerSaid:
    line, column, player, birth_date, name, sex, federation, rating, k, games, *more = row
    published_k, others, ids, printed, issued, is_recognised, club, region, licensed, *own = more
    number, is_made, apart, erased_on = own
    identity = Identity(birth_date=birth_date, name=name, sex=sex)
    if ids:
        identity = identity.with_ids(dict(ids))
    for sender, its_name, born, its_id in printed:
        identity = identity.with_printed(
            PrintedName(sender=sender, name=its_name, birth_date=born, id=its_id)
        )
    if apart:
        identity = identity.apart_from(apart)
    return PlayerSaid(
        place=SourcePlace(line=line, column=column),
        player=player,
        identity=identity,
        federation=federation,
        rating=rating,
        k=k,
        games=games,
        published_k=published_k,
        others=tuple(
            RatingSaid(list=list_, rating=points, published_k=its_k)
            for list_, points, its_k in others
        ),
        club=club,
        region=region,
        licensed_until=licensed and dt.date.fromisoformat(licensed),
        erased_on=erased_on and dt.date.fromisoformat(erased_on),
        issued=dict(issued),
        number=number,
        is_made=is_made,
        is_recognised=is_recognised,
    )


def is_rated(player: PlayerSaid) -> bool:
    """Whether a document says something that only a list has a use for."""
    return any(each is not None for each in (player.rating, player.games, player.published_k))


def not_used(file: str, list_: str | None, rated: int) -> Iterator[Problem]:
    """Returns a note where ratings are given, of so many players, and no list is named for them."""
    if list_ is None and rated:
        yield Problem(Message.of("import.ratings_not_used", count=rated), file=file)


def without_ids(
    file: str, line: int, people: PeopleMeant, beside: Sequence[str]
) -> Iterator[Problem]:
    """Returns a note where a table has no ids: which ones who is new gets; ``beside`` may be some.

    ``line`` is that of its header.
    """
    if people.new:
        ids = {"count": len(people.new), "first": people.new[0].id, "last": people.new[-1].id}
        key = "import.ids_beside" if beside else "import.ids_by_rule"
        yield Problem(Message.of(key, headings=", ".join(beside), **ids), line, 0, file)


def erased_in(players: Iterable[PlayerSaid], register: Register) -> dict[str, int]:
    """Returns players of a document who were erased, and in which line each is."""
    records = ((player, register.recorded_player(player.player)) for player in players)
    return {
        player.player: player.place.line
        for player, record in records
        if player.erased_on or (record and record.is_erased)
    }


def of_erased(file: str, erased: Mapping[str, int]) -> Iterator[Problem]:
    """Returns a note where a document speaks of people who were erased: nothing of it is kept."""
    if erased:
        line, first = min((line, player) for player, line in erased.items())
        yield Problem(Message.of("import.erased", count=len(erased), first=first), line, 0, file)


def planned_players(
    view: LedgerView,
    players: Sequence[PlayerSaid],
    register: Register,
    how: PlayersIntake,
    others: Mapping[str, PlayersIntake] = MappingProxyType({}),
) -> Iterator[Planned]:
    """Yields what a document asks for; the register knows all players that it names."""
    records = (register.players.get(player.player) for player in players)
    digests = [record.version.identity for record in records if record]
    documents = view.journal.personal_documents(digests) if digests else {}
    identities = {digest: identity_in(text) for digest, text in documents.items()}
    return plan_players(players, register, identities, how, others)


def players_intake(
    view: LedgerView,
    register: Register,
    document: Document,
    list_: str | None,
    *,
    only_new: bool = False,
) -> PlayersIntake:
    """Returns how players of a document are read into the ledger (see ``PlayersIntake``).

    The register knows all lists. With ``only_new`` nothing is said of players whom it knows.

    Raises:
        NotFound: there is no such list.
    """
    seeds_on = document.on
    if list_ is not None:
        record = register.lists.get(list_)
        if record is None:
            known = ", ".join(sorted(register.lists)) or "-"
            raise NotFound("list.not_found", list=list_, known=known)
        seeds_on = seeds_on or record.defined.first_on
    return PlayersIntake(
        list=list_,
        seeds_on=seeds_on,
        ks_on=seeds_on or _first_open_day(register),
        registered_on=view.today,
        affiliated_on=document.on,
        as_correction=document.as_correction,
        salt=lambda: secrets.token_hex(_SALT_BYTES),
        source=document.name,
        games=document.games,
        only_new=only_new,
    )


def _first_open_day(register: Register) -> dt.date:
    """Returns the day from which a K without a date holds: from always, or since the last list."""
    closed = (list_.last_closed() for list_ in register.lists.values())
    return max((period.in_force_on for period in closed if period), default=ALWAYS)


def _wanted(view: LedgerView, document: Document) -> WantedPlayers:
    """Returns what is wanted of FIDE's list: each list of the ledger takes its own rate of play.

    Raises:
        NotFound: there is no such list.
        InputRefused: several lists are named, and one has no rate of play.
    """
    lists = [name for name in (document.list, *document.other_lists) if name is not None]
    rates = []
    for name in lists:
        rate = view.facts_of(name).lists[name].defined.rate_of_play
        if rate is None and document.other_lists:
            raise InputRefused("import.list_without_rate", list=name)
        rates.append(rate)
    first = document.supplied.rate_of_play or (rates[0] if rates else None) or Rate.CLASSICAL
    others = zip(rates[1:], lists[1:], strict=True)
    return WantedPlayers(
        ratings=((first, document.list), *((rate, name) for rate, name in others if rate)),
        federations=frozenset(federation.upper() for federation in document.federations),
    )
