"""The commands that programs may give: who may, with which scope, and what they are made of."""

from __future__ import annotations

import datetime as dt
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, TypeAlias, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    WithJsonSchema,
    create_model,
)
from pydantic_core import PydanticCustomError

from ledger.application.desk import RoundAsked, board_results, publish_round
from ledger.application.erasures import erase_player
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.lists import adjust_rating
from ledger.application.publications import publish
from ledger.application.seeds import seed_rating
from ledger.application.starting_numbers import NumbersAsked, give_numbers
from ledger.application.tournaments import StandingsAsked, publish_standings
from ledger.operations import commands as c
from ledger.results import Result
from ledger.terms import Role
from ledger.typed_values import board_of
from web.reasons import MOST_REASON

_ARBITERS: Final = frozenset({Role.ARBITER, Role.OFFICER})
_OFFICERS: Final = frozenset({Role.OFFICER})
_MOST_SIGNS: Final = 300
_MOST_ENTRIES: Final = 1_000
_LARGEST: Final = 10**9
_FROM_TODAY: Final = frozenset(
    {
        c.AwardTitle, c.CorrectIdentity, c.ErasePlayer, c.LeaveLadder, c.MergePlayers,
        c.RegisterPlayer, c.RuleOnTournament, c.SettleChallenge, c.WithdrawChallenge,
    }
)  # fmt: skip
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
Execute: TypeAlias = Callable[[Ledger, Any, Request], Receipt]


def _result(text: object) -> Result:
    if not isinstance(text, str):
        raise PydanticCustomError("value.no_text", "no text")
    try:
        return Result.parse(text)
    except ValueError as error:
        raise PydanticCustomError("value.no_result", "no result") from error


def _day(text: object) -> dt.date:
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        raise PydanticCustomError("value.no_day", "no day")
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise PydanticCustomError("value.no_day", "no day") from error


_WORDS: Final = {
    dt.date: Annotated[dt.date, BeforeValidator(_day)],
    str: Annotated[str, Field(max_length=_MOST_SIGNS, strict=True)],
    int: Annotated[int, Field(ge=-_LARGEST, le=_LARGEST, strict=True)],
    bool: StrictBool,
    Result: Annotated[
        Result,
        BeforeValidator(_result),
        WithJsonSchema({"type": "string", "examples": ["1-0"], "maxLength": 20}),
    ],
}
"""How what commands are made of is read from JSON: nothing is taken for something else."""


@dataclass(frozen=True)
class PeriodSaid:
    """A period that is to be published; ``anyway``, also with events that are not over."""

    list: str
    period: str
    anyway: bool = False


@dataclass(frozen=True)
class BoardResults:
    """Results of a published round by board, of teams by match and board: ``{"3.2": "1-0"}``."""

    tournament: str
    round: int
    results: dict[str, Result]


@dataclass(frozen=True)
class StandingsSaid:
    """Standings that are to be published; see ``tournament_standings``."""

    tournament: str
    after: int | None = None
    tie_breaks: str | None = None
    list: str | None = None


def _erase(ledger: Ledger, command: c.ErasePlayer, request: Request) -> Receipt:
    made = erase_player(ledger, command, request)
    trouble = (made.trouble,) if made.trouble else ()
    return made.receipt.noted([*trouble, *made.beyond_reach()])


def _execute(ledger: Ledger, command: c.Command, request: Request) -> Receipt:
    return ledger.execute([command], request)


def _publish(ledger: Ledger, said: PeriodSaid, request: Request) -> Receipt:
    made = publish(ledger, said.list, said.period, request, anyway=said.anyway)
    return made.receipt or Receipt(0, 0, None, (), dry_run=request.dry_run)


def _round(ledger: Ledger, asked: RoundAsked, request: Request) -> Receipt:
    return publish_round(ledger, asked, request)[0]


def _numbers(ledger: Ledger, asked: NumbersAsked, request: Request) -> Receipt:
    return give_numbers(ledger, asked, request)[0]


def _boards(ledger: Ledger, said: BoardResults, request: Request) -> Receipt:
    results = [(board_of(board), result) for board, result in said.results.items()]
    return ledger.execute(board_results(ledger, said.tournament, said.round, results), request)


def _standings(ledger: Ledger, said: StandingsSaid, request: Request) -> Receipt:
    asked: StandingsAsked = {
        "after": said.after, "tie_breaks": said.tie_breaks, "list_": said.list
    }  # fmt: skip
    return publish_standings(ledger, said.tournament, request, **asked)[0]


@dataclass(frozen=True)
class ApiCommand:
    """A command as programs give it.

    ``roles`` are who may; an arbiter at the tournaments that are his, and ``everywhere`` only one
    who is limited to none. ``fixed`` are values that
    nobody is asked for. What has a place in
    ``_FROM_TODAY`` holds from today where nobody says from which day on.
    """

    name: str
    scope: str
    roles: frozenset[Role]
    command: type[Any]
    says: str
    execute: Execute = _execute
    fixed: tuple[tuple[str, Any], ...] = ()
    everywhere: bool = False

    @property
    def body(self) -> type[BaseModel]:
        """What a request says: the fields of the command, and why."""
        hints = get_type_hints(self.command)
        unsaid = {"salt", *dict(self.fixed)}
        said: dict[str, Any] = {
            each.name: (_typed(hints[each.name]), _default(each))
            for each in fields(self.command)
            if each.name not in unsaid
        }
        if self.command in _FROM_TODAY:
            said["on"] = (_typed(dt.date) | None, None)
        said["reason"] = (Annotated[str, Field(max_length=MOST_REASON, strict=True)], "")
        return create_model(
            "".join(word.capitalize() for word in self.name.split("-")),
            __config__=ConfigDict(extra="forbid"),
            **said,
        )

    def made(self, said: BaseModel, today: dt.date) -> Any:
        """Returns the command; what holds from a day that nobody says holds from today."""
        values = {name: getattr(said, name) for name in type(said).model_fields}
        del values["reason"]
        if self.command in _FROM_TODAY:
            values["on"] = values["on"] or today
        if any(each.name == "salt" for each in fields(self.command)):
            values["salt"] = secrets.token_hex(16)
        return self.command(**values, **dict(self.fixed))


def _default(field: Any) -> Any:
    return ... if field.default is MISSING else field.default


def _typed(said: Any) -> Any:
    """Returns a type with the limits of ``_WORDS`` in it."""
    if said in _WORDS:
        return _WORDS[said]
    origin, given = get_origin(said), get_args(said)
    if origin is tuple:
        inside = tuple(each if each is Ellipsis else _typed(each) for each in given)
        made: Any = tuple[inside]  # type: ignore[valid-type]
        return Annotated[made, Field(max_length=_MOST_ENTRIES)] if Ellipsis in given else made
    if origin is Sequence:
        return Annotated[tuple[_typed(given[0]), ...], Field(max_length=_MOST_ENTRIES)]  # type: ignore[misc]
    if origin is dict:
        return Annotated[dict[_typed(given[0]), _typed(given[1])], Field(max_length=100)]  # type: ignore[misc]
    if type(None) in given:
        return reduce(or_, map(_typed, given))
    return said


def _of_arbiters(name: str, command: type[Any], says: str, **more: Any) -> ApiCommand:
    return ApiCommand(name, "tournaments", _ARBITERS, command, says, **more)


def _of_officers(name: str, scope: str, command: type[Any], says: str, **more: Any) -> ApiCommand:
    return ApiCommand(name, scope, _OFFICERS, command, says, **more)


COMMANDS: Final[Sequence[ApiCommand]] = (
    _of_arbiters("open-tournament", c.OpenTournament, "Opens a tournament.", everywhere=True),
    _of_arbiters("correct-tournament", c.CorrectTournament, "Says anew what a tournament is."),
    _of_arbiters(
        "close-tournament",
        c.RuleOnTournament,
        "Says that the report is complete.",
        fixed=(("ruling", "close"), ("rated_in", None), ("as_correction", False)),
    ),
    _of_arbiters("enter-player", c.EnterPlayer, "Enters a player."),
    _of_arbiters("describe-entry", c.DescribeEntry, "Says more of an entry, for the pairing."),
    _of_arbiters("withdraw-player", c.WithdrawPlayer, "Records that a player left."),
    _of_arbiters("expel-player", c.ExpelPlayer, "Expels a player."),
    _of_arbiters("announce-absence", c.AnnounceAbsence, "Announces an absence in a round."),
    _of_arbiters("excuse-absence", c.ExcuseAbsence, "Lets somebody go on who missed rounds."),
    _of_arbiters("announce-rules", c.AnnounceRules, "Announces the rules of the pairing."),
    _of_arbiters("change-rules", c.ChangeRules, "Changes announced rules."),
    _of_arbiters("announce-rounds", c.AnnounceRounds, "Says how many rounds there are."),
    _of_arbiters("change-rounds", c.ChangeRounds, "Shortens or extends a tournament."),
    _of_arbiters("withdraw-round", c.WithdrawRound, "Takes back a published round."),
    _of_arbiters("enter-team", c.EnterTeam, "Enters a team."),
    _of_arbiters("hand-in-lineup", c.HandInLineup, "Says who plays for a team in a round."),
    _of_arbiters("record-result", c.RecordGame, "Records how a game ended, forfeits too."),
    _of_arbiters("adjourn-game", c.AdjournGame, "Records that a game was adjourned."),
    _of_arbiters("adjudicate-game", c.AdjudicateGame, "Records a decision off the board."),
    _of_arbiters("give-bye", c.GiveBye, "Records a round without opponent."),
    _of_arbiters("correct-result", c.CorrectResult, "Says how a game ended really."),
    _of_arbiters("correct-colours", c.CorrectColours, "Says that two sat with reversed colours."),
    _of_arbiters("annul-result", c.AnnulResult, "Says that a game never was."),
    _of_arbiters("record-boards", BoardResults, "Records results by board.", execute=_boards),
    _of_arbiters("number-participants", NumbersAsked, "Gives starting numbers.", execute=_numbers),
    _of_arbiters("pair-round", RoundAsked, "Pairs a round and publishes it.", execute=_round),
    _of_arbiters(
        "publish-standings", StandingsSaid, "Records that standings went out.", execute=_standings
    ),
    _of_officers(
        "rule-on-tournament",
        "tournaments",
        c.RuleOnTournament,
        "Accepts a tournament for rating, or rejects or annuls it.",
    ),
    _of_officers(
        "flag-tournament",
        "tournaments",
        c.FlagTournament,
        "Says by what words rules know a tournament.",
    ),
    _of_officers("register-player", "players", c.RegisterPlayer, "Registers a player."),
    _of_officers("correct-player", "players", c.CorrectIdentity, "Says anew who a player is."),
    _of_officers(
        "erase-player",
        "players",
        c.ErasePlayer,
        "Destroys a person's name, sex and birth date for good; notes say what is beyond reach.",
        execute=_erase,
    ),
    _of_officers("merge-players", "players", c.MergePlayers, "Says that two ids are one person."),
    _of_officers("award-title", "players", c.AwardTitle, "Records a title."),
    _of_officers("assign-k", "players", c.AssignK, "Gives a player a K."),
    _of_officers(
        "seed-rating",
        "players",
        c.SeedRating,
        "Brings in a rating from outside.",
        execute=seed_rating,
    ),
    _of_officers(
        "adjust-rating",
        "players",
        c.AdjustRating,
        "Moves a rating by order.",
        execute=adjust_rating,
    ),
    _of_officers("publish", "lists", PeriodSaid, "Publishes a period.", execute=_publish),
    _of_officers("set-calendar", "lists", c.SetCalendar, "Changes a list's calendar."),
    _of_officers("adjust-list", "lists", c.AdjustList, "Orders a list-wide step."),
    _of_officers(
        "record-challenge-game", "ladders", c.RecordChallengeGame, "Records a game of a challenge."
    ),
    _of_officers("settle-challenge", "ladders", c.SettleChallenge, "Says who won a challenge."),
    _of_officers("withdraw-challenge", "ladders", c.WithdrawChallenge, "Takes a challenge back."),
    _of_officers("leave-ladder", "ladders", c.LeaveLadder, "Takes a player off a ladder."),
)
