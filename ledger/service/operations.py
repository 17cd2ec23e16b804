"""Operations carried out: what their words mean in a ledger, and what records them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar, cast

from ledger.answers.tournaments import StandingsAsked
from ledger.calendar import Calendar, ListCalendar
from ledger.identifiers import NO_EVENT
from ledger.operations.games import CorrectResult
from ledger.operations.kinds import FieldKind
from ledger.operations.lists import NewList, NewRegulation, PublishPeriod
from ledger.operations.operation import Command, Input, kinds_of
from ledger.operations.participants import RegisterNewcomer
from ledger.operations.players import (
    AdjustRating,
    ConfirmPlayer,
    CorrectIdentity,
    ErasePlayer,
    LinkPlayer,
    MergePlayers,
    RegisterPlayer,
    SeedRating,
    TellApart,
)
from ledger.operations.retractions import SplitPlayer, UndoCommit
from ledger.operations.tournaments import (
    AnnouncePrizes,
    NumberParticipants,
    PairRound,
    RecordBoards,
    StandingsToPublish,
)
from ledger.service.boards import retyped
from ledger.service.desk import board_results, publish_round
from ledger.service.erasures import erase_player
from ledger.service.identities import (
    correct_player,
    link_player,
    register_player,
    tell_apart,
)
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.service.lists import adjust_rating, adopt_regulation, define_list
from ledger.service.merges import merge_players
from ledger.service.newcomers import confirm_player, register_newcomer
from ledger.service.publications import publish
from ledger.service.retractions import split_player, undo_commit
from ledger.service.seeds import seed_rating
from ledger.service.starting_numbers import give_numbers
from ledger.service.tournaments import announce_prizes, publish_standings
from ledger.typed_values import board_of, parameters_of
from ledger.views.list_editions import only_list, rated_in
from ledger.views.view import LedgerView

C = TypeVar("C", bound=Input)
Recorder: TypeAlias = Callable[[Ledger, Any, Request], Receipt]


def meant(view: LedgerView, command: C) -> C:
    """Returns a command with what is in the ledger in place of the words that name it.

    A period is named by itself where there is one list; the list is that one, where none is named.

    Raises:
        NotFound: nothing is called so, or several things are.
    """
    found: dict[str, Any] = {}
    for name, kind in kinds_of(type(command)).items():
        value = getattr(command, name)
        match kind:
            case FieldKind(names="period") if isinstance(value, str):
                found[name] = rated_in(view, value)
            case FieldKind(names="list") if value is None:
                found[name] = only_list(view.facts())
            case _:
                pass
    return replace(cast(Any, command), **found) if found else command


def carry_out(ledger: Ledger, command: Input, request: Request) -> Receipt:
    """Records what a command asks for, or says what it would come to; raises as that does.

    What the command calls by another word is looked up first (see ``meant``).
    """
    command = meant(ledger, command)
    record = _RECORDERS.get(type(command))
    if record is not None:
        return record(ledger, command, request)
    assert isinstance(command, Command), "what is no command is recorded by a function of its own"
    return ledger.execute([command], replace(request, body=request.body or body_of([command])))


def _erase(ledger: Ledger, command: ErasePlayer, request: Request) -> Receipt:
    erasure = erase_player(ledger, command, request)
    trouble = (erasure.trouble,) if erasure.trouble else ()
    return erasure.receipt.noted([*trouble, *erasure.beyond_reach()])


def _publish(ledger: Ledger, period: PublishPeriod, request: Request) -> Receipt:
    published = publish(
        ledger,
        period.list,
        period.period,
        request,
        anyway=period.anyway,
        acknowledged=period.acknowledged,
    )
    return published.receipt or Receipt(NO_EVENT, NO_EVENT, None, (), dry_run=request.dry_run)


def _boards(ledger: Ledger, boards: RecordBoards, request: Request) -> Receipt:
    results = [(board_of(board), result) for board, result in boards.results.items()]
    games = board_results(ledger, boards.tournament, boards.round, results)
    return ledger.execute(games, request)


def _correct(ledger: Ledger, correction: CorrectResult, request: Request) -> Receipt:
    slip = None if request.reason.strip() else retyped(ledger, correction, request.actor)
    request = replace(request, body=request.body or body_of([correction]))
    return ledger.execute([slip or correction], request)


def _standings(ledger: Ledger, standings: StandingsToPublish, request: Request) -> Receipt:
    wanted: StandingsAsked = {
        "after": standings.after, "tie_breaks": standings.tie_breaks, "list_": standings.list
    }  # fmt: skip
    return publish_standings(ledger, standings.tournament, request, **wanted)[0]


def _define(ledger: Ledger, new: NewList, request: Request) -> Receipt:
    is_fides = new.calendar is ListCalendar.FIDE
    return define_list(
        ledger,
        new.list,
        regulation=new.regulation,
        parameters=parameters_of(new.parameters),
        calendar="fide" if is_fides else Calendar(new.calendar.value),
        first_on=new.first_on,
        policy=new.policy,
        rate_of_play=new.rate_of_play,
        closes_days_before=new.closes_days_before,
        request=request,
    )


def _adopt(ledger: Ledger, new: NewRegulation, request: Request) -> Receipt:
    assert new.list is not None, "the only one is meant where none is named"
    return adopt_regulation(
        ledger,
        new.list,
        regulation=new.regulation,
        parameters=parameters_of(new.parameters),
        on=new.on,
        as_correction=new.as_correction,
        request=request,
    )


_RECORDERS: Final[Mapping[type[Input], Recorder]] = {
    AdjustRating: adjust_rating,
    AnnouncePrizes: announce_prizes,
    ConfirmPlayer: confirm_player,
    CorrectIdentity: correct_player,
    CorrectResult: _correct,
    ErasePlayer: _erase,
    LinkPlayer: link_player,
    MergePlayers: merge_players,
    NewList: _define,
    NewRegulation: _adopt,
    NumberParticipants: lambda ledger, numbers, request: give_numbers(ledger, numbers, request)[0],
    PairRound: lambda ledger, round_, request: publish_round(ledger, round_, request)[0],
    PublishPeriod: _publish,
    RecordBoards: _boards,
    RegisterNewcomer: register_newcomer,
    RegisterPlayer: register_player,
    SeedRating: seed_rating,
    SplitPlayer: split_player,
    StandingsToPublish: _standings,
    TellApart: tell_apart,
    UndoCommit: undo_commit,
}
"""What calculates before it records, or has more to say than the registrar."""
