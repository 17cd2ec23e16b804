"""A tournament as a report file (TRF): taken in, where it is known whole, and written."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from ledger.answers.lists import rating_on
from ledger.answers.tournaments import (
    first_day_ratings,
    pairing_ratings,
    require_tournament,
    tournament_standings,
)
from ledger.desk.event_records import unwritten_tie_breaks
from ledger.desk.rounds import announced
from ledger.desk.starting_order import BASES_BY_RATING, NUMBERS_UNTIL, numbered_apart
from ledger.errors import InputRefused, Problem
from ledger.events.personal import identity_in
from ledger.events.tournaments import ReportDetails
from ledger.facts.desk import DeskRecord
from ledger.facts.tournament import TournamentRecord
from ledger.intake.document_copy import Copy
from ledger.intake.documents import Document, Planned, TournamentSaid
from ledger.intake.import_problems import (
    Formulas,
    ImportProblems,
    naming,
    restored,
    same_games,
)
from ledger.intake.player_reconciliation import PlayersIntake
from ledger.intake.players_file import (
    erased_in,
    is_rated,
    not_used,
    of_erased,
    planned_players,
    players_intake,
)
from ledger.intake.recognition import Recognition
from ledger.intake.tournament_reconciliation import plan_tournament
from ledger.intake.trf.desk_comments import BY_RATING, DeskComments
from ledger.intake.trf.document import read_trf
from ledger.intake.trf.fide_rules import MONTHLY_FROM
from ledger.intake.trf.layout import TEXTS
from ledger.intake.trf.writer import DeskNotes, write_report
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.reports.tournaments import require_entered
from ledger.service.identities import IssuedIds
from ledger.service.ledger import Ledger, Request
from ledger.terms import TrfVersion
from ledger.views.view import LedgerView
from ledger.wording import Message

_STEP = 1000
_NATIONAL_WORDS = 3  # of a record with nothing but a national number
_ROUNDS = re.compile(r"([0-9]{1,3})(?:\s*-\s*([0-9]{1,3}))?", re.ASCII)
_FEDERATION = re.compile(r"[A-Z]{3}")


class ReportFile:
    """A tournament report after reading; ``people`` are those whom it means.

    Raises:
        InputRefused: it cannot be read; with all problems.
        Conflict: of some of its people it is to be decided who they are, and this is no preview.
    """

    def __init__(self, ledger: Ledger, document: Document, copy: Copy, request: Request) -> None:
        self._ledger = ledger
        self._document = document
        supplied, name = document.supplied, document.name
        with naming(name):
            decided = [who for who, _ in document.decisions]
            report, players, notes = read_trf(copy.text(), supplied, name, document.ids, decided)
        self._issued = IssuedIds(ledger)
        recognition = Recognition(
            ledger,
            document,
            request.actor,
            self._issued,
            checks_names=True,
            entered=_entered(ledger, report.tournament),
        )
        self._players = recognition.of_report(players)
        self.people = recognition.people
        if not request.dry_run:
            self.people.require_decided(name)
        report = report.with_ids(lambda id_: recognition.ids.get(id_, id_))
        report = replace(report, report=_without_known_ids(report, recognition))
        self._tournament = replace(supplied.completed(report), whole=not document.partial)
        formulas = Formulas()
        formulas.look_at_tournament(self._tournament)
        for player in self._players:
            formulas.look_at_player(player)
        notes = (
            *notes,
            *self.people.notes(name),
            *not_used(name, document.list, sum(map(is_rated, self._players))),
            *(Problem(each, report.place.line) for each in supplied.overridden(report)),
            *formulas.notes(name),
        )
        self._notes = [replace(note, file=name) for note in notes]

    @property
    def streams(self) -> list[str]:
        """The streams that must be known to take it in."""
        players = {player.player for player in self._players}
        players.update(player for _, player, _ in self._tournament.entries)
        name = f"tournament:{self._tournament.tournament}"
        return [name, *(f"player:{player}" for player in sorted(players)), "list:*"]

    def plan(self, registrar: Registrar) -> Sequence[Problem]:
        """Lets a registrar take what the report asks for; returns what is noted.

        Raises:
            InputRefused: with every problem of the file, line and column.
            Conflict: with every difference.
        """
        plan_, register = self._tournament, registrar.register
        known = {*register.tournaments, *register.voided_tournaments}
        self._issued.refresh()
        found = ImportProblems(
            self._document.name,
            as_correction=self._document.as_correction,
            ids=self._issued,
        )
        # What was taken back never was: the file says what it is now.
        was_undone = plan_.tournament in register.voided_tournaments
        correct = self._document.as_correction or was_undone

        def take(planned: Sequence[Planned]) -> Iterator[Problem]:
            for done, command in enumerate(planned, start=1):
                if done % _STEP == 0 or done == len(planned):
                    self._ledger.progress("import", done, len(planned))
                yield from found.take(command, registrar, as_correction=correct)

        # A tournament comes again once its players do.
        notes_ = [*take([*self._planned_players(register)])]
        if was_undone:
            found.raise_any()
        back = restored(registrar, plan_, self._document.name)
        if not found.unready(plan_, register):
            today = self._ledger.today
            notes_ += take([*plan_tournament(plan_, register, today, as_correction=correct)])
        found.raise_any()
        erased = of_erased(self._document.name, erased_in(self._players, register))
        is_new = plan_.tournament not in known
        same = [*same_games(self._ledger, plan_, self._document.name)] if is_new else []
        more = (*found.notes(plan_, registrar), *self._rated_later(register), *same, *erased)
        return [*self._notes, *back, *notes_, *more]

    def _planned_players(self, register: Register) -> Iterator[Planned]:
        """Yields what the report asks for of players.

        It only introduces players; the register is not corrected by it.
        """
        if self._players:
            ledger, document = self._ledger, self._document
            how = players_intake(ledger, register, document, document.list, only_new=True)
            how = self._with_ratings(register, how)
            yield from planned_players(ledger, self._players, register, how)

    def _with_ratings(self, register: Register, how: PlayersIntake) -> PlayersIntake:
        """Returns how the ratings are taken in: in force when the tournament begins.

        Ratings in force earlier would be moved, or removed by a floor, before a game was played.
        """
        name, day = self._document.list, self._seeds_on(register)
        if name is None or day is None:
            return how
        ratings = cache(lambda: rating_on(self._ledger, name, day))
        return replace(how, seeds_on=day, ks_on=day, has_rating=lambda player: player in ratings())

    def _seeds_on(self, register: Register) -> dt.date | None:
        """Returns from which day the ratings are in force; None, where no list takes them."""
        document, document_ = self._document, self._tournament
        if document.list is None:
            return None
        list_ = register.lists[document.list]
        records = {**register.voided_tournaments, **register.tournaments}
        record = records.get(document_.tournament)
        announced = register.announced(document_.tournament)
        version = record.version if record else announced.event if announced else None
        starts_on = document_.starts_on or (version.starts_on if version else None)
        day = document.on
        if day is None and starts_on is not None:
            day = list_.in_force_since(starts_on)
        return day or list_.defined.first_on

    def _rated_later(self, register: Register) -> list[Problem]:
        """Returns a note of who has a rating in the report, and in the list only from a later day.

        A later report, imported before, brought it; what it says is not moved to an earlier day.
        """
        name, day = self._document.list, self._seeds_on(register)
        if name is None or day is None:
            return []

        def is_later(player: str) -> bool:
            record = register.players.get(player)
            days = [on for on, seed in (record.seeds if record else ()) if seed.list == name]
            return bool(days) and min(days) > day

        players = [register.survivors(player.player) for player in self._players if player.rating]
        later = [player for player in players if is_later(player)]
        rated = rating_on(self._ledger, name, day) if later else {}
        later = [player for player in later if player not in rated]
        if not later:
            return []
        first, *_ = later
        message = Message.of(
            "import.rated_later", count=len(later), list=name, first=first, on=day.isoformat()
        )
        return [Problem(message, self._tournament.place.line, 0, self._document.name)]


def _without_known_ids(report: TournamentSaid, recognition: Recognition) -> ReportDetails | None:
    """Returns the details without national numbers that are known: they are written of these."""
    numbers = {str(number): player for _, player, number in report.entries}
    details = report.report

    def is_known(record: str) -> bool:
        words = record.split()
        if len(words) != _NATIONAL_WORDS or not _FEDERATION.fullmatch(words[0]):
            return False
        player = numbers.get(words[1])
        return player is not None and recognition.has_id(player, words[2])

    if details is None or not details.records:
        return details
    kept = tuple(record for record in details.records if not is_known(record))
    about = details.model_dump(exclude_none=True) | {"records": kept or None}
    return ReportDetails.model_validate(about) if any(about.values()) else None


def _entered(view: LedgerView, tournament: str) -> Mapping[int, str]:
    """Returns who is entered in a tournament, by starting number."""
    if not view.journal.recorded([f"tournament:{tournament}"]):
        return {}
    record = view.tournament(tournament, view.journal.head().seq)
    return {number: player for player, number in record.entries.items()} if record else {}


def tournament_report(
    view: LedgerView,
    tournament: str,
    list_: str | None,
    version: TrfVersion | None = None,
    rounds: str | None = None,
) -> bytes:
    """Returns the tournament as a report, UTF-8, LF (see ``intake.trf.writer``).

    The ratings are those of the list in force on the tournament's first day. Without a list they
    are those of the report that it was recorded from; of an event of the desk, and of a part, those
    of the list that rates it, where one does. The edition, where none is said, is TRF26 where there
    are records that TRF16 does not know, otherwise TRF16.

    With ``rounds``, as ``1-4``, it is the report of a part of a long event, as FIDE wants one of
    each month: it begins and ends with the days of these rounds, the ratings are those in force on
    the first of them, and points and ranks are of these rounds alone; see ``report_parts``.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: something is recorded of players who were never entered, or there are no such
            rounds.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    require_entered(record)
    if rounds is not None:
        record = part_of_event(replace(record, days=_days_played(view, record)), rounds)
    players = view.register((f"player:{player}" for player in record.entries), facts.seq).players
    documents = view.journal.personal_documents(
        player.version.identity for player in players.values()
    )
    identities = {
        player: identity_in(text)
        for player, known in players.items()
        if (text := documents.get(known.version.identity))
    }
    is_rated_here = list_ is not None or rounds is not None or record.desk.rules is not None
    listed = first_day_ratings(view, facts, record, list_) if is_rated_here else None
    ratings = None if listed is None else listed[1]
    desk = _desk_notes(view, tournament, record, list_) if record.desk.rules else None
    if rounds is not None:
        sentence = Message.of("trf.part", rounds=rounds, tournament=tournament).within("en")
        desk = DeskNotes(sentences=[sentence])
    return write_report(record, players, identities, ratings, version, desk)


@dataclass(frozen=True, slots=True)
class ReportPart:
    """Rounds of a long event that are reported together: from ``first`` to ``last``, of one month.

    ``starts_on`` is the day of the first of them, on which the ratings are in force.
    """

    first: int
    last: int
    starts_on: dt.date


def report_parts(view: LedgerView, tournament: str) -> list[ReportPart]:
    """Returns the parts in which an event over 30 days is reported, month by month; else none.

    Raises:
        NotFound: no such tournament.
    """
    record = require_tournament(view, tournament, view.facts().seq)
    about = record.version
    if (about.ends_on - about.starts_on).days < MONTHLY_FROM:
        return []
    days = sorted(_days_played(view, record).items())
    months = groupby(days, key=lambda played: (played[1].year, played[1].month))
    parts = [[*played] for _, played in months]
    return [ReportPart(part[0][0], part[-1][0], min(day for _, day in part)) for part in parts]


def _days_played(view: LedgerView, record: TournamentRecord) -> dict[int, dt.date]:
    """Returns the day of each round, that of its first result.

    A result of which nobody said when it was played has the event's last day: then it is the day on
    which it was recorded, where that is an earlier one.
    """
    about, zone = record.version, view.clock().tzinfo
    days = dict(record.days)
    for round_ in (round_ for round_, day in record.days.items() if day == about.ends_on):
        first = min(pairing.seq for pairing in record.each_pairing if pairing.round == round_)
        _, commit = view.event_check().read(first)
        recorded_on = dt.datetime.fromisoformat(commit.recorded_at).astimezone(zone).date()
        days[round_] = max(about.starts_on, min(recorded_on, about.ends_on))
    return days


def part_of_event(record: TournamentRecord, rounds: str) -> TournamentRecord:
    """Returns what is recorded of some rounds, as ``1-4``, with the days on which they were.

    Raises:
        InputRefused: these are no rounds, or nothing is recorded of one of them.
    """
    found = _ROUNDS.fullmatch(rounds.strip())
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    recorded = {round_ for round_, _ in record.pairings}
    if not 1 <= first <= last or not recorded.issuperset(range(first, last + 1)):
        known = ", ".join(map(str, sorted(recorded))) or "-"
        raise InputRefused("trf.no_such_rounds", value=rounds, known=known)
    days = {round_: day for round_, day in record.days.items() if first <= round_ <= last}
    about = record.version
    report = about.report or ReportDetails()
    idle = [
        day if first <= round_ <= last else ""
        for round_, day in enumerate(report.idle_days or (), start=1)
    ]
    details = report.model_copy(
        update={
            "idle_days": tuple(idle) if any(idle) else None,
            "ranks": None,
            "records": tuple(filter(_is_of_whole, report.records or ())) or None,
        }
    )
    version = about.model_copy(
        update={
            "starts_on": min(days.values(), default=about.starts_on),
            "ends_on": max(days.values(), default=about.ends_on),
            "report": details,
            "rounds": None,
        }
    )
    pairings = {key: each for key, each in record.pairings.items() if first <= key[0] <= last}
    return replace(record, version=version, pairings=pairings, days=days, desk=DeskRecord())


def _is_of_whole(line: str) -> bool:
    """Whether a record of a report is about the event, whatever was played in a round."""
    return line[:3] in TEXTS and line[2] == "2"


def _desk_notes(
    view: LedgerView, tournament: str, record: TournamentRecord, list_: str | None
) -> DeskNotes:
    """Returns the places of an event by its tie-breaks, and what an arbiter changed, in English."""
    standings = tournament_standings(view, tournament, list_=list_)
    sentences = [sentence for change in standings.changes for sentence in change.sentences("en")]
    if codes := unwritten_tie_breaks(record):
        sentences.insert(0, Message.of("trf.tie_breaks", codes=", ".join(codes)).within("en"))
    places = {row.id: row.rank for row in standings.rows}
    if record.desk.teams:
        return DeskNotes(places=places, sentences=sentences)
    ratings = pairing_ratings(view, view.facts(), record, list_)
    comments = _desk_comments(view, record, ratings)
    return DeskNotes(places=places, ratings=ratings, sentences=sentences, comments=comments)


def _desk_comments(
    view: LedgerView, record: TournamentRecord, ratings: Mapping[str, int]
) -> DeskComments:
    """Returns what a check of the report is to know, but for the ratings for the pairing."""
    rules, numbers = announced(record), record.desk.numbers
    basis = "entry" if numbers is None else numbers.basis
    by_rating = basis in BASES_BY_RATING
    return DeskComments(
        pairing=rules.pairing,
        tie_breaks=rules.tie_breaks,
        bye_lots=rules.lot_seed if rules.bye_by_lot else None,
        cycles=rules.cycles,
        exchange_last_rounds=bool(rules.exchange_last_rounds),
        numbers_by=BY_RATING if by_rating else basis,
        apart=numbered_apart(record, ratings) if by_rating else (),
        orders=_orders(view, record, NUMBERS_UNTIL[rules.pairing]),
    )


def _orders(view: LedgerView, record: TournamentRecord, until: int) -> dict[int, tuple[int, ...]]:
    """Returns the rounds that were paired by another order than the present numbers give.

    ``until`` is the last round after which numbers may change.
    """
    orders = {}
    for round_, published in record.desk.rounds.items():
        if round_ <= until:
            then = require_tournament(view, record.version.tournament, published.seq).by_number
            players = dict.fromkeys(record.survivors(player) for player, _ in then)
            order = tuple(record.entries[one] for one in players if one in record.entries)
            if list(order) != sorted(order):
                orders[round_] = order
    return orders
