"""A player's career, and two players head to head, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.output import named, say, table, told
from cli.questions import Look
from cli.tables import Kind
from ledger.rating.decimal_text import points
from ledger.reports.balance import AS_READ

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.careers import (
        CareerGame,
        CareerTournament,
        Meetings,
        PlayerCareer,
        ResultCount,
    )
    from ledger.reports.statement import PersonRef


def render_career(career: PlayerCareer, out: Console) -> None:
    """Writes the tournaments of a career, then what all games came to, and the records."""
    title = f"{_person(career.player)}, {career.list}"
    rows = table(
        "ended_on", "name", "points", "performance", "gain", "state", title=title, points=Kind.TEXT
    )
    for each in career.tournaments:
        score = f"{points(each.halves)} / {each.rounds}"
        gain = AS_READ.change(each.gain) if each.rated_games else ""
        rows.add(each.ended_on, each.name, score, each.performance, gain, _state(each))
    out.print(rows)
    if (rank := career.rank) is not None:
        out.print(told(rank.words))
    _counts(career, out)
    for rival in career.opponents[:1]:
        out.print(f"{say('career.met')}: {_person(rival.opponent)} ({rival.games})")
    if (won := career.best_win) is not None:
        out.print(f"{say('career.best_win')}: {_person(won.opponent)} ({won.opponent_rating})")
    if (best := career.best_performance) is not None:
        out.print(f"{say('career.best_performance')}: {best.performance} ({best.name})")
    if (run := career.unbeaten) is not None:
        until = say("career.until", since=run.since, until=run.until)
        out.print(f"{say('career.unbeaten')}: {run.games} ({until})")


def render_meetings(meetings: Meetings, out: Console) -> None:
    """Writes the games of two players, the last first, and what they came to."""
    title = say(
        "career.against", player=_person(meetings.player), opponent=_person(meetings.opponent)
    )
    rows = table("ended_on", "name", "round", "rating", "score", "gain", "state", title=title)
    for game in meetings.games:
        gain = "" if game.gain is None else AS_READ.change(game.gain)
        score = points(game.halves)
        rows.add(
            game.ended_on, game.name, game.round, game.opponent_rating, score, gain, _state(game)
        )
    out.print(rows)
    _counts(meetings, out)


def _counts(counted: PlayerCareer | Meetings, out: Console) -> None:
    for key, count in (
        ("career.whole_record", counted.total),
        ("career.as_white", counted.white),
        ("career.as_black", counted.black),
    ):
        out.print(f"{say(key)}: {_results(count)}")


def _results(count: ResultCount) -> str:
    return f"{count.won}–{count.drawn}–{count.lost} ({say('career.results')})"


def _person(person: PersonRef) -> str:
    return f"{named(person.name or '')} ({person.id})"


def _state(each: CareerGame | CareerTournament) -> str:
    if each.state == "not-rated":
        return say("career.none_rated")
    period = {"period": each.period}
    return (
        say("career.counted", **period)
        if each.state == "counted"
        else say("career.waits", **period)
    )


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "player career": Look(render_career),
    "player against": Look(render_meetings),
}
"""How answers look, by the words of their questions."""
