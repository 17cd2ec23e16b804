"""Titles: what each participant of an event needed and made, and a player's results together.

Fields, games and scores are those of ``title_event``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from ledger.facts.as_of import AsOf
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import PlayerIndex, TournamentId
from ledger.json_form import HALVES, HIDDEN, PARTS, SENTENCES, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.lists.rating_source import AsKnown
from ledger.rating.rounding import half_up
from ledger.reports.title_event import TitleEvent
from ledger.titles.fide_1972 import (
    Field,
    Made,
    Performance,
    Title,
    TitleResult,
    accumulation,
)
from ledger.titles.fide_1972_stages import Stage, StageResult
from ledger.wording import Message


class HeldResult(JsonForm):
    """What a participant did, held against what a title asks for."""

    __slots__ = ()

    done: Performance
    result: TitleResult | StageResult

    @property
    @derived
    def games(self) -> int:
        """Those that count."""
        return self.done.games

    @property
    @derived
    def needed(self) -> Annotated[int | None, HALVES]:
        """The score that is needed, in half points."""
        return self.result.needed

    @property
    @derived
    def halves(self) -> Annotated[int, Key("points"), HALVES]:
        """The score."""
        return self.done.halves

    @property
    @derived
    def is_made(self) -> Annotated[bool, Key("made")]:
        """Whether it is what the title asks for."""
        return self.result.made

    @property
    @derived
    def failed(self) -> Annotated[Sequence[str], Key("fails")]:
        """The conditions that fail."""
        return [fail.condition for fail in self.result.fails]

    @property
    @derived
    def why(self) -> Annotated[Sequence[Message], SENTENCES]:
        """The same as sentences."""
        return [fail.message for fail in self.result.fails]


@dataclass(frozen=True, slots=True)
class TitleRow(HeldResult):
    """One participant of one event, held against one title."""

    event: Annotated[TournamentRecord, HIDDEN]
    player: Annotated[int, HIDDEN]
    number: int
    id: str
    name: str
    rating: int | None
    field: Annotated[Field, HIDDEN]
    done: Annotated[Performance, HIDDEN]
    result: Annotated[TitleResult, HIDDEN]

    @property
    @derived
    def titles(self) -> Annotated[Sequence[str], After("name")]:
        """The titles held."""
        return sorted(self.done.titles)

    @property
    @derived
    def participants(self) -> Annotated[int, After("rating")]:
        """How many there are."""
        return self.field.size

    @property
    @derived
    def mean(self) -> Annotated[Fraction, After("participants")]:
        """That of their ratings."""
        return self.field.mean

    @property
    @derived
    def mean_counted(self) -> Annotated[int, After("mean")]:
        """The same as it counts."""
        return half_up(self.field.mean)

    @property
    @derived
    def category(self) -> Annotated[int | None, After("mean_counted")]:
        """The event's."""
        return self.field.category

    @property
    @derived
    def title(self) -> Annotated[Title, Key("for"), After("category")]:
        """What it is held against."""
        return self.result.title

    @property
    @derived
    def percent(self) -> Annotated[int | None, After("for")]:
        """The score that is needed."""
        return self.result.percent

    @property
    def made(self) -> Made:
        """The result, as it counts together with others."""
        about = self.event.version
        return Made(
            event=about.tournament,
            starts_on=about.starts_on,
            ends_on=about.ends_on,
            games=self.done.played,
            with_place=self.result.made,
        )

    def told(self, language: str) -> str:
        """Returns the conditions that fail, in words for people."""
        return "; ".join(fail.told.within(language) for fail in self.result.fails)


@dataclass(frozen=True, slots=True)
class PlayerTitleRow(JsonForm):
    """A player's result for a title, with the event."""

    tournament: TournamentId
    tournament_name: str
    start: dt.date
    end: dt.date
    played: int
    row: Annotated[TitleRow, PARTS]

    @classmethod
    def of(cls, row: TitleRow) -> PlayerTitleRow:
        """Returns a result with its event."""
        about = row.event.version
        days = about.starts_on, about.ends_on
        return cls(about.tournament, about.name, *days, row.done.played, row)


@dataclass(frozen=True, slots=True)
class StageRow(HeldResult):
    """One participant of a stage of a world championship, held against one article."""

    event: Annotated[TournamentRecord, HIDDEN]
    number: int
    id: str
    name: str
    done: Annotated[Performance, HIDDEN]
    result: Annotated[StageResult, HIDDEN]

    @property
    @derived
    def tournament(self) -> Annotated[TournamentId, After("")]:
        """The stage's id."""
        return self.event.version.tournament

    @property
    @derived
    def end(self) -> Annotated[dt.date, After("tournament")]:
        """Its last day."""
        return self.event.version.ends_on

    @property
    @derived
    def title(self) -> Annotated[Title, Key("for"), After("name")]:
        """What it is held against."""
        return self.result.rule.title

    @property
    @derived
    def article(self) -> Annotated[str, After("for")]:
        """Where that is ruled."""
        return self.result.rule.article

    @property
    @derived
    def stage(self) -> Annotated[Stage, After("article")]:
        """Which one it is."""
        return self.result.rule.stage

    @property
    @derived
    def percent(self) -> Annotated[Fraction | None, After("stage")]:
        """The score that is needed."""
        return self.result.rule.percent


@dataclass(frozen=True, slots=True)
class TitleReport(AsKnown):
    """An event held against titles: by chapter III, and by the stage that it was (chapter II)."""

    tournament: TournamentId
    list: str
    rows: Annotated[Sequence[TitleRow], Key("results")]
    stages: Sequence[StageRow]

    @property
    def near(self) -> Sequence[TitleRow]:
        """The rows of results that were made, or fail by one condition only."""
        return [row for row in self.rows if len(row.result.fails) <= 1]


def title_report(
    event: TitleEvent, people: People, player: PlayerIndex | None = None, *, list_: str
) -> TitleReport:
    """Returns a row for each participant and title, by starting number.

    ``player`` is the index (the one that counts) whose rows alone are wanted.
    """
    rows: list[TitleRow] = []
    stages: list[StageRow] = []
    wanted = [
        (entered, number)
        for entered, number in event.record.by_number
        if player in (None, event.index(entered))
    ]
    people.read(event.index(entered) for entered, _ in wanted)
    for entered, number in wanted:
        rows.extend(_title_rows(event, entered, number, people))
        stages.extend(_stage_rows(event, entered, number, people))
    return TitleReport(event.record.version.tournament, list_, rows, stages)


def _title_rows(event: TitleEvent, entered: str, number: int, people: People) -> Iterator[TitleRow]:
    index = event.index(entered)
    for title in Title:
        field, done, result = event.held(entered, title)
        yield TitleRow(
            event=event.record,
            player=index,
            number=number,
            name=people.name(index) or "",
            id=people.id(index) or "",
            rating=event.participant(entered).rating,
            field=field,
            done=done,
            result=result,
        )


def _stage_rows(event: TitleEvent, entered: str, number: int, people: People) -> Iterator[StageRow]:
    index = event.index(entered)
    for result in event.results_of_stage(entered):
        yield StageRow(
            event=event.record,
            number=number,
            name=people.name(index) or "",
            id=people.id(index) or "",
            done=event.in_stage(entered),
            result=result,
        )


def title_from(known: AsOf, player: PlayerIndex, title: Title) -> dt.date | None:
    """Returns since when a player holds a title, or None."""
    days = (
        award.from_on
        for award in known.titles
        if award.event.title == title and known.merged_into[award.index] == player
    )
    return min(days, default=None)


@dataclass(frozen=True, slots=True)
class StageHeld(JsonForm):
    """A stage of a world championship that gave a title, and by which article."""

    tournament: TournamentId
    on: dt.date
    stage: Stage
    article: str

    @classmethod
    def of(cls, row: StageRow) -> StageHeld:
        """Returns what a row says of its stage."""
        return cls(row.tournament, row.end, row.stage, row.article)


@dataclass(frozen=True, slots=True)
class TitleProgress(JsonForm):
    """A player's results for one title together; since when it is held, if so.

    ``stage`` is the first of a stage of a world championship that gave it, if one did.
    """

    title: Annotated[Title, Key("for")]
    held_from: dt.date | None
    fulfilled: bool
    fulfilled_on: dt.date | None
    results: int
    games: int
    tournaments: Sequence[str]
    stage: StageHeld | None = None


def progress_of(
    known: AsOf,
    player: PlayerIndex,
    title: Title,
    rows: Iterable[TitleRow],
    stages: Iterable[StageRow],
) -> TitleProgress:
    """Returns how near a player's results come to a title, and the stage that gave it."""
    made = [r.made for r in rows if r.result.title is title and r.result.made_by_a_master]
    giving = [row for row in stages if row.result.made and row.result.rule.title is title]
    stage = min(giving, key=lambda row: row.event.version.ends_on, default=None)
    master_from = title_from(known, player, Title.INTERNATIONAL_MASTER)
    held_from = title_from(known, player, title)
    together = accumulation(title, made, master_from)
    return TitleProgress(
        title=title,
        held_from=held_from,
        fulfilled=together.fulfilled,
        fulfilled_on=together.results[-1].ends_on if together.fulfilled else None,
        results=len(together.results),
        games=together.games,
        tournaments=[each.event for each in together.results],
        stage=None if stage is None else StageHeld.of(stage),
    )
