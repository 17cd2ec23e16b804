"""Titles: what each participant of an event needed and made, and a player's results together.

Fields, games and scores are those of ``title_event``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ledger.facts.as_of import AsOf
from ledger.facts.tournament import TournamentRecord
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.rating.decimal_text import exact, points
from ledger.rating.rounding import half_up
from ledger.reports.title_event import TitleEvent
from ledger.titles.fide_1972 import (
    Accumulation,
    Field,
    Made,
    Performance,
    Title,
    TitleResult,
    accumulation,
)
from ledger.titles.fide_1972_stages import StageResult


@dataclass(frozen=True, slots=True)
class TitleRow:
    """One participant of one event, held against one title."""

    event: TournamentRecord
    player: int
    number: int
    name: str
    id: str
    rating: int | None
    field: Field
    done: Performance
    result: TitleResult

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

    def why(self, language: str) -> str:
        """Returns the conditions that fail, as the JSON data say them."""
        return "; ".join(fail.message.within(language) for fail in self.result.fails)

    def told(self, language: str) -> str:
        """Returns the conditions that fail, in words for people."""
        return "; ".join(fail.told.within(language) for fail in self.result.fails)

    def event_data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data, with the event."""
        about = self.event.version
        return {
            "tournament": about.tournament,
            "tournament_name": about.name,
            "start": about.starts_on.isoformat(),
            "end": about.ends_on.isoformat(),
            "played": self.done.played,
            **self.data(language),
        }

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data."""
        result, needed = self.result, self.result.needed
        return {
            "number": self.number,
            "id": self.id,
            "name": self.name,
            "titles": sorted(self.done.titles),
            "rating": self.rating,
            "participants": self.field.size,
            "mean": exact(self.field.mean),
            "mean_counted": half_up(self.field.mean),
            "category": self.field.category,
            "for": result.title.value,
            "percent": result.percent,
            "games": self.done.games,
            "needed": None if needed is None else points(needed),
            "points": points(self.done.halves),
            "made": result.made,
            "fails": [fail.condition for fail in result.fails],
            "why": self.why(language),
        }


@dataclass(frozen=True, slots=True)
class StageRow:
    """One participant of a stage of a world championship, held against one article."""

    event: TournamentRecord
    number: int
    name: str
    id: str
    done: Performance
    result: StageResult

    def why(self, language: str) -> str:
        """Returns the conditions that fail, in words."""
        return "; ".join(fail.message.within(language) for fail in self.result.fails)

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data."""
        rule, needed = self.result.rule, self.result.needed
        return {
            "tournament": self.event.version.tournament,
            "end": self.event.version.ends_on.isoformat(),
            "number": self.number,
            "id": self.id,
            "name": self.name,
            "for": rule.title.value,
            "article": rule.article,
            "stage": rule.stage.value,
            "percent": None if rule.percent is None else exact(rule.percent),
            "games": self.done.games,
            "needed": None if needed is None else points(needed),
            "points": points(self.done.halves),
            "made": self.result.made,
            "fails": [fail.condition for fail in self.result.fails],
            "why": self.why(language),
        }


@dataclass(frozen=True, slots=True)
class TitleReport:
    """An event held against titles: by chapter III, and by the stage that it was (chapter II)."""

    rows: list[TitleRow]
    stages: list[StageRow]

    @property
    def near(self) -> list[TitleRow]:
        """The rows of results that were made, or fail by one condition only."""
        return [row for row in self.rows if len(row.result.fails) <= 1]

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data, with its sentences in a language."""
        return {
            "results": [row.data(language) for row in self.rows],
            "stages": [row.data(language) for row in self.stages],
        }


def title_report(event: TitleEvent, people: People, player: int | None = None) -> TitleReport:
    """Returns a row for each participant and title, by starting number.

    ``player`` is the index (the one that counts) whose rows alone are wanted.
    """
    report = TitleReport([], [])
    wanted = [
        (entered, number)
        for entered, number in event.record.by_number
        if player in (None, event.index(entered))
    ]
    people.read(event.index(entered) for entered, _ in wanted)
    for entered, number in wanted:
        report.rows.extend(_title_rows(event, entered, number, people))
        report.stages.extend(_stage_rows(event, entered, number, people))
    return report


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


def title_from(known: AsOf, player: int, title: Title) -> dt.date | None:
    """Returns since when a player holds a title, or None."""
    days = (
        award.from_on
        for award in known.titles
        if award.event.title == title and known.merged_into[award.index] == player
    )
    return min(days, default=None)


@dataclass(frozen=True, slots=True)
class TitleProgress(JsonForm):
    """A player's results for one title together; since when it is held, if so.

    ``stage`` is the first of a stage of a world championship that gave it, if one did.
    """

    held_from: dt.date | None
    together: Accumulation
    stage: StageRow | None = None

    def json_fields(self) -> dict[str, object]:
        """Returns what its JSON form says."""
        together, results = self.together, self.together.results
        return {
            "for": together.title,
            "held_from": self.held_from,
            "fulfilled": together.fulfilled,
            "fulfilled_on": results[-1].ends_on if together.fulfilled else None,
            "results": len(results),
            "games": together.games,
            "tournaments": [made.event for made in results],
            "stage": self._stage(),
        }

    def _stage(self) -> dict[str, object] | None:
        if self.stage is None:
            return None
        about, rule = self.stage.event.version, self.stage.result.rule
        said = {"tournament": about.tournament, "on": about.ends_on, "stage": rule.stage}
        return said | {"article": rule.article}


def progress_of(known: AsOf, player: int, title: Title, found: TitleReport) -> TitleProgress:
    """Returns how near a player's results come to a title, and the stage that gave it."""
    made = [r.made for r in found.rows if r.result.title is title and r.result.made_by_a_master]
    stages = [row for row in found.stages if row.result.made and row.result.rule.title is title]
    stage = min(stages, key=lambda row: row.event.version.ends_on, default=None)
    master_from = title_from(known, player, Title.INTERNATIONAL_MASTER)
    held_from = title_from(known, player, title)
    return TitleProgress(held_from, accumulation(title, made, master_from), stage)
