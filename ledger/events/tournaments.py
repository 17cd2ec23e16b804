"""Tournaments: from opening to acceptance, and every way in which a round can end for a player.

An event that changes what was recorded of a pairing names the ``seq`` it supersedes, so the last
word on a pairing is found without a search, at any point of the ledger's history.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from ledger.events.lists import PeriodName
from ledger.events.model import (
    CANONICAL,
    PRINTABLE,
    AdjudicatedResult,
    AnyResult,
    BoardResult,
    EventType,
    Federation,
    ForfeitResult,
    Line,
    ListName,
    PlayerId,
    Round,
    Seq,
    TournamentEvent,
    TournamentId,
)
from ledger.results import Bye, Termination
from ledger.terms import Rate, System

Breach: TypeAlias = Literal["second-meeting", "second-bye", "second-absence", "expelled"]
"""A rule for Swisses that a pairing breaks (see ``registrar.swiss``)."""

Despite = Annotated[tuple[Breach, ...] | None, Field(min_length=1)]
"""The rules despite which the arbiter had a pairing recorded; None where it breaks none."""

Flag = Annotated[str, StringConstraints(max_length=40, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
MeritHundredths = Annotated[int, Field(ge=0, le=1000)]
ReportRecord = Annotated[str, StringConstraints(max_length=20_000, pattern=PRINTABLE)]
InReport = Annotated[int, Field(ge=0, le=9999)]
DayInReport = Annotated[str, StringConstraints(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
TitleInReport: TypeAlias = Literal["", "GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"]


class ReportDetails(BaseModel):
    """What a report says of a tournament and no rating depends on: kept, and written again.

    ``ranks``, ``ratings`` and ``titles`` are those of the players by starting number, from 1 (0 or
    "": none). ``idle_days`` are the days of rounds in which nobody played, by round from 1 ("": not
    said, or the games say it).
    ``records`` are lines of the report (TRF) as they stand, for which there is no other word here:
    teams, tie-breaks, scoring, accelerations, points out of order. What is unset is absent.
    """

    model_config = CANONICAL | ConfigDict(revalidate_instances="always")

    chief_arbiter: Line | None = None
    deputies: tuple[Line, ...] | None = None
    idle_days: tuple[DayInReport, ...] | None = None
    ranks: tuple[InReport, ...] | None = None
    ratings: tuple[InReport, ...] | None = None
    records: tuple[ReportRecord, ...] | None = None
    time_control: Line | None = None
    titles: tuple[TitleInReport, ...] | None = None


class TournamentVersion(TournamentEvent):
    """All that is said of a tournament itself."""

    ends_on: dt.date
    federation: Federation | None = None
    merit_hundredths: MeritHundredths | None = None
    name: Line
    place: Line | None = None
    rate_of_play: Rate
    report: ReportDetails | None = None
    rounds: Round | None = None
    starts_on: dt.date
    system: System
    tournament: TournamentId


class AnnouncementEvent(TournamentEvent):
    """Concerns what is announced of a tournament before it is opened: no rating depends on it."""


class TournamentAnnounced(AnnouncementEvent):
    """A tournament is to be played; replaces what was announced of it before.

    Once it is opened, what was said then holds. ``announced_by`` is the club or federation.
    """

    TYPE = "tournament.announced"

    announced_by: Line | None = None
    chief_arbiter: Line | None = None
    ends_on: dt.date
    federation: Federation | None = None
    name: Line
    place: Line | None = None
    rate_of_play: Rate
    region: Line | None = None
    rounds: Round | None = None
    starts_on: dt.date
    system: System
    time_control: Line | None = None
    tournament: TournamentId


class TournamentCancelled(AnnouncementEvent):
    """A tournament that was announced is not played; ``announcement`` is the seq of that.

    To announce it anew is to say that it is played after all.
    """

    TYPE = "tournament.cancelled"

    announcement: Seq
    tournament: TournamentId


class TournamentOpened(TournamentVersion):
    """A tournament exists. ``merit_hundredths`` overrides the regulation's merit coefficient."""

    TYPE = "tournament.opened"


class TournamentCorrected(TournamentVersion):
    """What was said of the tournament itself was wrong; replaces all of it."""

    TYPE = "tournament.corrected"


class PlayerEntered(TournamentEvent):
    """A player takes part, with a place in the report's order."""

    TYPE = "player.entered"

    player: PlayerId
    starting_number: Annotated[int, Field(ge=1, le=9999)]
    tournament: TournamentId


class StandingsEvent(TournamentEvent):
    """Concerns the tournament's own rounds and standings only: no rating depends on it."""


class PairingEvent(TournamentEvent):
    """Changes what is recorded of a pairing of two players in a round, or of a bye."""


class _GameEnded(PairingEvent):
    black: PlayerId
    despite: Despite = None
    result: BoardResult | ForfeitResult
    round: Round
    supersedes: Seq | None = None
    tournament: TournamentId
    white: PlayerId


class ResultRecorded(_GameEnded):
    """A game was played, over the board or decided before both had moved (suffix ``s``)."""

    TYPE = "result.recorded"

    result: BoardResult


class ForfeitRecorded(_GameEnded):
    """A game was not played because one side, or both, were absent."""

    TYPE = "forfeit.recorded"

    result: ForfeitResult


class ByeGiven(PairingEvent):
    """A player had no opponent in a round."""

    TYPE = "bye.given"

    despite: Despite = None
    kind: Bye
    player: PlayerId
    round: Round
    tournament: TournamentId


class GameAdjourned(PairingEvent):
    """A game was interrupted; it counts for nothing until it is resumed or adjudicated."""

    TYPE = "game.adjourned"

    black: PlayerId
    despite: Despite = None
    round: Round
    tournament: TournamentId
    white: PlayerId


class GameAdjudicated(PairingEvent):
    """A game was decided off the board: for the pairing only (temporary), or for good."""

    TYPE = "game.adjudicated"

    black: PlayerId
    despite: Despite = None
    result: AdjudicatedResult
    round: Round
    ruling: Literal["temporary", "definitive"]
    supersedes: Seq | None = None
    tournament: TournamentId
    white: PlayerId


class PlayerWithdrew(StandingsEvent):
    """A player left the event: from that round on nobody plays against him."""

    TYPE = "player.withdrew"

    from_round: Round
    player: PlayerId
    tournament: TournamentId


class PlayerReturned(StandingsEvent):
    """A player who had withdrawn, or was expelled, plays again from this round on.

    From the round on from which he was away: that is taken back, he never left.
    """

    TYPE = "player.returned"

    from_round: Round
    player: PlayerId
    tournament: TournamentId


class _ResultReplaced(PairingEvent):
    black: PlayerId
    result: AnyResult | None
    round: Round
    supersedes: Seq
    tournament: TournamentId
    white: PlayerId


class ResultCorrected(_ResultReplaced):
    """What was recorded of a pairing was wrong; this holds instead, everywhere."""

    TYPE = "result.corrected"

    result: AnyResult


class ResultRetyped(_ResultReplaced):
    """A result was mistyped, and is typed anew before anybody relied on it: no correction."""

    TYPE = "result.retyped"

    result: AnyResult


class RatingResultCorrected(_ResultReplaced):
    """A pairing counts with this result for the rating only; the standings keep the old one.

    Without a result it counts for no rating at all.
    """

    TYPE = "result.corrected-for-rating"

    result: AnyResult | None = None


class ResultAnnulled(PairingEvent):
    """A pairing (or a bye, then without ``black``) never counted: it was not to be recorded."""

    TYPE = "result.annulled"

    black: PlayerId | None = None
    round: Round
    supersedes: Seq
    tournament: TournamentId
    white: PlayerId


class TournamentClosed(TournamentEvent):
    """The report is complete; later results are corrections."""

    TYPE = "tournament.closed"

    tournament: TournamentId


class TournamentReopened(TournamentEvent):
    """The report was said to be complete too early: its rounds go on."""

    TYPE = "tournament.reopened"

    tournament: TournamentId


class TournamentAccepted(TournamentEvent):
    """The federation rates the tournament (again, when it had rejected it).

    With a list and a period, it is rated there in that period instead of the one in which it ended.
    """

    TYPE = "tournament.accepted"

    list: ListName | None = None
    period: PeriodName | None = None
    tournament: TournamentId

    @model_validator(mode="after")
    def _both(self) -> Self:
        if (self.list is None) != (self.period is None):
            raise ValueError("a period is one of a list")
        return self


class TournamentRejected(TournamentEvent):
    """The federation does not rate the tournament; its results stand."""

    TYPE = "tournament.rejected"

    tournament: TournamentId


class TournamentFlagged(TournamentEvent):
    """What rules may ask of a tournament, as words of the federation's own; replaces all of them.

    They stand in alphabetical order, each once; none takes away those that were there.
    """

    TYPE = "tournament.flagged"

    flags: Annotated[tuple[Flag, ...], Field(max_length=20)]
    tournament: TournamentId

    @field_validator("flags")
    @classmethod
    def _in_order(cls, flags: tuple[str, ...]) -> tuple[str, ...]:
        if list(flags) != sorted(set(flags)):
            raise ValueError("flags stand in alphabetical order, each once")
        return flags


class TournamentAnnulled(TournamentEvent):
    """The tournament is void, results and all, for good."""

    TYPE = "tournament.annulled"

    tournament: TournamentId


class TournamentFactUndone(TournamentEvent):
    """An earlier event of the tournament is taken back: what it said never held.

    ``undoes`` is its seq, ``what`` its type. Where that is such an event itself, what was taken
    back by it holds again; where it is the opening, the tournament never was.
    """

    TYPE = "tournament.fact-undone"

    tournament: TournamentId
    undoes: Seq
    what: EventType


GAME_MODELS: Mapping[Termination, type[ResultRecorded | ForfeitRecorded | GameAdjudicated]] = {
    Termination.PLAYED: ResultRecorded,
    Termination.SHORT: ResultRecorded,
    Termination.FORFEIT: ForfeitRecorded,
    Termination.ADJUDICATED: GameAdjudicated,
}
"""As which event a game's result is recorded."""

Recorded: TypeAlias = ResultRecorded | ForfeitRecorded | ByeGiven | GameAdjourned | GameAdjudicated
"""What is said first of a pairing, and may be said despite a rule."""

AnyTournamentEvent: TypeAlias = (
    TournamentAnnounced
    | TournamentCancelled
    | TournamentOpened
    | TournamentCorrected
    | PlayerEntered
    | ResultRecorded
    | ForfeitRecorded
    | ByeGiven
    | GameAdjourned
    | GameAdjudicated
    | PlayerWithdrew
    | PlayerReturned
    | ResultCorrected
    | ResultRetyped
    | RatingResultCorrected
    | ResultAnnulled
    | TournamentClosed
    | TournamentReopened
    | TournamentAccepted
    | TournamentRejected
    | TournamentAnnulled
    | TournamentFlagged
    | TournamentFactUndone
)
