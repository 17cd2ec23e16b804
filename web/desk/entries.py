"""Who takes part: players and teams are entered, are absent, excused, leave."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from secrets import token_hex
from typing import Annotated, Any, Final

from fastapi import Query, Response

from ledger.answers.event_desk import event_desk, open_board_of
from ledger.answers.people_pages import PeopleAsked, PeoplePage, people_page, people_with_ids
from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.intake.desk_csv import typed_entries
from ledger.lists.people import sort_key
from ledger.operations.commands import (
    OPERATIONS,
    AnnounceAbsence,
    Command,
    EnterTeam,
    HandInLineup,
    WithdrawPlayer,
)
from ledger.operations.operation import Operation
from ledger.reports.event_desk import DeskEntry, EventDesk
from ledger.results import Bye
from ledger.service.entries import (
    EntryRow,
    entries_meant,
    entry_commands,
    entry_seqs,
    take_entry_back,
)
from ledger.service.ledger import Receipt
from ledger.service.operations import carry_out
from ledger.views.view import LedgerView
from ledger.wording import Message
from web.access import Routes
from web.desk.arbiter import ARBITERS, ArbitersDesk, DeskAt, address
from web.fields import MOST_FIELDS, Filled
from web.forms import FormOutcome, OperationForm, TypedForm
from web.read_models.answers import BeingMade, people_of
from web.read_models.model_store import store_of

routes = Routes("/desk/{tournament:path}")
_FOUND: Final = 20
_NOBODY: Final = "."
_OPERATIONS: Final[Mapping[str, Operation]] = {
    "excuse": OPERATIONS["excuse-absence"],
    "withdraw": OPERATIONS["withdraw-player"],
    "expel": OPERATIONS["expel-player"],
    "return": OPERATIONS["return-player"],
    "describe": OPERATIONS["describe-entry"],
}
"""What can be recorded of a participant by a form of its declaration, by the form's word."""
_LABELS: Final = {
    "excuse": Message.of("arbiter.excuse"),
    "withdraw": Message.of("arbiter.withdraw"),
    "expel": Message.of("arbiter.expel"),
    "return": Message.of("arbiter.return"),
    "describe": Message.of("arbiter.describe"),
}
_NEWCOMER: Final = OPERATIONS["register-newcomer"]
_GIVEN: Final = frozenset({"tournament", "player"})
Ticked = Annotated[list[str], Query(default_factory=list, max_length=MOST_FIELDS)]
"""The players whose boxes are ticked."""


@routes.get("/entries", ARBITERS)
def entries_page(
    desk: DeskAt, tournament: str, search: str = Query("", max_length=200)
) -> Response:
    """Shows who is in, and players of the register whose name is looked for."""
    return _entries_page(desk, tournament, search, desk.unsent)


def _entries_page(
    desk: ArbitersDesk, tournament: str, search: str, outcome: FormOutcome
) -> Response:
    chosen = desk.ask(people_with_ids, outcome.typed.all("player"))
    found = _people(desk, search) or _meant(desk, outcome.problem)
    newcomer = OperationForm(
        _NEWCOMER, outcome.words("newcomer"), outcome.problem, frozenset({"tournament", "ids"})
    )
    return desk.event_page(
        "desk_entries.html", tournament, outcome, rated=True, search=search, found=found,
        chosen=chosen, newcomer=newcomer,
    )  # fmt: skip


def _meant(desk: ArbitersDesk, problem: LedgerError | None) -> PeoplePage | None:
    """Returns the members one of whom a newcomer may be: that one is ticked instead."""
    if problem is None or problem.message.key != "player.newcomer_known":
        return None
    ids = [str(dict(each.message.values)["id"]) for each in problem.details]
    return PeoplePage(tuple(desk.ask(people_with_ids, ids)), None)


@routes.get("/found", ARBITERS)
def matching_players(
    desk: DeskAt, tournament: str, player: Ticked, search: str = Query("", max_length=200)
) -> Response:
    """Answers with players as a part of the page of entries: who is ticked, who is looked for."""
    chosen = desk.ask(people_with_ids, player)
    found = _people(desk, search)
    return desk.event_page("desk_found.html", tournament, search=search, found=found, chosen=chosen)


def _people(desk: ArbitersDesk, search: str) -> PeoplePage | None:
    """Returns the players whom a text may mean, by name; None where nothing is looked for.

    Who was registered a moment ago is wanted at once: no read model is waited for.
    """
    if not search.strip():
        return None
    wanted = PeopleAsked(search, limit=_FOUND)
    try:
        page, _ = people_of(store_of(desk.request), desk.site.newest(), wanted)
    except BeingMade:
        page = desk.ask(people_page, wanted)
    return page


@routes.post("/entries", ARBITERS)
def enter_players(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Enters the players that are ticked, and those of a list, all or none.

    The button beside the search looks for more players instead, and keeps who is ticked.
    """
    if _looks(typed):
        return _entries_page(desk, tournament, typed.value("search"), FormOutcome(typed))

    def record() -> Receipt:
        rows = [EntryRow(player, None, typed.number("from_round", least=1))
                for player in typed.all("player")]  # fmt: skip
        text = typed.value("list")
        if text.strip():
            rows += desk.ask(entries_meant, typed_entries(text), "").rows
        if not rows:
            raise InputRefused("arbiter.nobody_to_enter")
        return desk.execute(typed, *entry_commands(tournament, rows))

    show = partial(_entries_page, desk, tournament, typed.value("search"))
    return desk.carried_out(typed, record, show, address(tournament, "entries"))


def _looks(typed: TypedForm) -> bool:
    """Whether more players are looked for, by the button beside the search or by Enter in it.

    In which field Enter was pressed no form says. Where the search says something that was not
    looked for yet it was there, or nobody has seen yet who is meant.
    """
    is_new = typed.value("search").strip() != typed.value("searched").strip()
    return typed.flag("look") or (typed.flag("pressed") and is_new)


@routes.post("/newcomers", ARBITERS)
def register_newcomer(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Registers somebody who is no player yet, and enters him."""

    def record() -> Receipt:
        words = typed.texts | {"tournament": tournament}
        newcomer = _NEWCOMER.read(words, today=desk.site.newest().ask(_today), salt=token_hex(16))
        asking = desk.asking(typed, f"newcomer {tournament}")
        return desk.record(asking, lambda ledger: carry_out(ledger, newcomer, asking))

    show = partial(_entries_page, desk, tournament, "")
    return desk.carried_out(typed, record, show, address(tournament, "entries"))


def _today(view: LedgerView) -> dt.date:
    return view.today


# Who is here


@routes.get("/check-in", ARBITERS)
def check_in_page(
    desk: DeskAt,
    tournament: str,
    none: bool = False,  # noqa: FBT001, FBT002 - it stands in the query
) -> Response:
    """Shows everybody who may play the next round, ticked but for who is known to miss it."""
    return _check_in_page(desk, tournament, desk.unsent, none=none)


def _check_in_page(
    desk: ArbitersDesk,
    tournament: str,
    outcome: FormOutcome,
    *,
    none: bool = False,
    unchanged: bool = False,
) -> Response:
    event = desk.ask(event_desk, tournament)
    entries = _expected(event)
    is_sent = outcome.typed.is_sent
    here = outcome.typed.all("here") if is_sent else [
        each.id for each in entries if not none and event.next_round not in each.absences
    ]  # fmt: skip
    missing = sum(event.next_round in each.absences for each in entries)
    return desk.event_page(
        "desk_check_in.html", tournament, outcome, entries=entries, here=frozenset(here),
        present=len(entries) - missing, unchanged=unchanged,
        out=[each for each in event.entries if each not in entries],
    )  # fmt: skip


def _expected(event: EventDesk) -> Sequence[DeskEntry]:
    """Returns who plays the next round or only misses it, by name: a tick decides between them."""
    playing = (each for each in event.entries if each.away in (None, "announced"))
    return sorted(playing, key=lambda each: sort_key(each.name, each.id))


@routes.post("/check-in", ARBITERS)
def check_in(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Records that who is not ticked misses the next round, or leaves; who is ticked plays.

    Where everybody is here who was expected, nothing is recorded, and all is well.
    """
    event = desk.ask(event_desk, tournament)
    commands = [*_checked_in(event, frozenset(typed.all("here")), typed.value("missing"))]
    if not commands:
        return _check_in_page(desk, tournament, FormOutcome(), unchanged=True)
    show = partial(_check_in_page, desk, tournament)
    record = partial(desk.execute, typed, *commands)
    return desk.carried_out(typed, record, show, address(tournament, "check-in"))


def _checked_in(event: EventDesk, here: Collection[str], missing: str) -> Iterator[Command]:
    """Yields what is new of who is here and who is not."""
    round_ = event.next_round
    for each in _expected(event):
        about = {"tournament": event.tournament, "player": each.id}
        is_absent = round_ in each.absences
        if each.id in here and is_absent:
            yield AnnounceAbsence(**about, round=round_, kind=None)
        elif each.id not in here and missing == "leave":
            yield WithdrawPlayer(**about, from_round=round_)
        elif each.id not in here and not is_absent:
            yield AnnounceAbsence(**about, round=round_, kind=Bye.ZERO)


# One participant


@routes.get("/entries/{player:path}", ARBITERS)
def entry_page(desk: DeskAt, tournament: str, player: str) -> Response:
    """Shows a participant, and what can be recorded of him."""
    return _entry_page(desk, tournament, player, desk.unsent)


def _entry_page(desk: ArbitersDesk, tournament: str, player: str, outcome: FormOutcome) -> Response:
    entries = {entry.id: entry for entry in desk.ask(event_desk, tournament, rated=True).entries}
    if player not in entries:
        raise NotFound("tournament.not_entered", player=player, tournament=tournament)
    entry = entries[player]
    is_gone = entry.withdrawn_from is not None or entry.expelled_from is not None
    unfit = {"withdraw", "expel"} if is_gone else {"return"}
    forms = {
        act: OperationForm(operation, outcome.words(act), outcome.problem, _GIVEN)
        for act, operation in _OPERATIONS.items()
        if act not in unfit
    }
    return desk.event_page(
        "desk_entry.html", tournament, outcome, entry=entry, forms=forms, labels=_LABELS,
        seat=desk.ask(open_board_of, tournament, player),
        is_new=bool(desk.ask(entry_seqs, tournament, player)),
    )  # fmt: skip


@routes.post("/entries/{player:path}", ARBITERS)
def record_of_entry(desk: DeskAt, tournament: str, player: str, typed: Filled) -> Response:
    """Records an absence, an excuse, that one leaves or returns, or what the pairing needs."""
    show = partial(_entry_page, desk, tournament, player)
    if typed.value("act") == "undo":
        asking = desk.asking(typed, f"undo entry {tournament} {player}")
        undo = partial(take_entry_back, tournament=tournament, player=player, request=asking)
        to = address(tournament, "entries")
        return desk.carried_out(typed, lambda: desk.record(asking, undo), show, to)

    def record() -> Receipt:
        command = _said_of(typed, tournament, player)
        return desk.execute(typed, command, reason=typed.text("reason") or "")

    return desk.carried_out(typed, record, show, address(tournament, "entries", player))


def _said_of(typed: TypedForm, tournament: str, player: str) -> Any:
    """Returns the command of a form about a participant."""
    about = {"tournament": tournament, "player": player}
    match typed.value("act"):
        case "absent":
            kind = Bye.HALF if typed.flag("half") else Bye.ZERO
            return AnnounceAbsence(**about, round=typed.round("round"), kind=kind)
        case "plays":
            return AnnounceAbsence(**about, round=typed.round("round"), kind=None)
        case act if act in _OPERATIONS:
            return _OPERATIONS[act].read(typed.texts | about)
        case other:
            raise InputRefused("arbiter.no_word", value=other)


# Teams


@routes.get("/teams", ARBITERS)
def teams_page(desk: DeskAt, tournament: str) -> Response:
    """Shows the teams, with the forms by which one is entered and a line-up handed in."""
    return _teams_page(desk, tournament, desk.unsent)


def _teams_page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    return desk.event_page("desk_teams.html", tournament, outcome)


@routes.post("/teams", ARBITERS)
def enter_team(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Enters a team with its players in the order of the boards."""

    def record() -> Receipt:
        team = typed.required("team")
        command = EnterTeam(
            tournament=tournament,
            team=team,
            name=typed.text("name") or team,
            participants=tuple(_ids(desk, typed.lines("players"))),
            pairing_rating=typed.number("pairing_rating"),
        )
        return desk.execute(typed, command)

    show = partial(_teams_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament, "teams"))


@routes.post("/teams/{team:path}/lineup", ARBITERS)
def hand_in_lineup(desk: DeskAt, tournament: str, team: str, typed: Filled) -> Response:
    """Records who plays for a team in a round; a dot where nobody does."""

    def record() -> Receipt:
        lines = typed.lines("players")
        ids = iter(_ids(desk, [line for line in lines if line != _NOBODY]))
        seats = tuple(None if line == _NOBODY else next(ids) for line in lines)
        command = HandInLineup(
            tournament=tournament, team=team, round=typed.round("round"), participants=seats
        )
        return desk.execute(typed, command)

    show = partial(_teams_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament, "teams"))


def _ids(desk: ArbitersDesk, lines: list[str]) -> list[str]:
    """Returns the ids of players who are named by id or name; raises ``InputRefused``."""
    rows = [EntryRow(text, None, None, line) for line, text in enumerate(lines, start=1)]
    return [row.player for row in desk.ask(entries_meant, rows, "").rows]
