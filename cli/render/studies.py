"""How comparisons, monitors, performances and live lists look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.output import named, print_rows, say, table, told
from cli.questions import Look
from ledger.forms.page import change_text, rating_text
from ledger.rating.decimal_text import exact, points, signed
from ledger.rating.postings import Reason
from ledger.rating.rounding import half_up
from ledger.reports.comparison import LARGEST, verdict_of
from ledger.reports.measures import fixed
from ledger.reports.statement import hundredths

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.comparison import Comparison, PlayerDifference
    from ledger.reports.forecast import ForecastScore, RatingForecast
    from ledger.reports.live_list import LiveList, LiveRow
    from ledger.reports.monitor import Monitor
    from ledger.reports.performance import PerformanceReport


def render_comparison(comparison: Comparison, out: Console, *, full: bool = False) -> None:
    """Writes a comparison: the verdict; ``full``: all it is made of as well, with notes."""
    sides = {"own": comparison.own, "other": comparison.other}
    title = say("study.title", list=comparison.list, own=comparison.own, other=comparison.other)
    out.print(title, style="bold")
    out.print(say("study.window", since=comparison.since, until=comparison.until))
    for sentence in verdict_of(comparison):
        out.print(told(sentence))
    if full:
        _players(comparison.players.all(), "study.everybody", out)
    elif largest := comparison.players.largest(LARGEST):
        _players(largest, "study.largest", out)
    if not full:
        out.print(say("study.more"), style="dim")
        return
    _distribution(comparison, out)
    _inflation(comparison, sides, out)
    _quality(comparison, sides, out)
    for note in ("study.note_margin", "study.note_games", "study.note_draws", "study.note_bounds"):
        out.print(say(note), style="dim")


def _players(players: Sequence[PlayerDifference], title: str, out: Console) -> None:
    rows = table("id", "name", "own", "other", "difference", title=say(title))
    for player in players:
        rows.add(player.id, player.name, player.own, player.other, signed(player.points))
    out.print(rows)


def _distribution(comparison: Comparison, out: Console) -> None:
    summary = comparison.differences.data()
    rows = table(
        "count", "mean", "median", "spread", "least", "most", title=say("study.differences")
    )
    rows.add(*summary.values())
    out.print(rows)
    bands = table("band", "players")
    for band in comparison.distribution:
        bands.add(band.name, band.players)
    out.print(bands)


def _inflation(comparison: Comparison, sides: dict[str, str], out: Console) -> None:
    figures = ("count", "mean", "median", "spread")
    rows = table("group", "regulation", "when", *figures, title=say("study.levels"))
    for change in comparison.changes:
        group = say("study.control" if change.group == "control" else "study.all")
        for when, summary in (("start", change.start), ("end", change.end)):
            data = summary.data()
            first = (group, sides[change.side]) if when == "start" else ("", "")
            rows.add(*first, say(f"column.{when}"), *(data[name] for name in figures))
    out.print(rows)


def _quality(comparison: Comparison, sides: dict[str, str], out: Console) -> None:
    figures = ("sides", "brier", "log_loss", "draws_cost", "log_loss_three_way")
    title = say("study.quality", games=comparison.games)
    rows = table("by", "regulation", *figures, title=title)
    calibration = ("by", "regulation", "expected_band", "sides", "expected_mean", "score_mean")
    bands = table(*calibration, title=say("study.calibration"))
    for judgement in comparison.judgements:
        by = say("study.yardstick" if judgement.by == "yardstick" else "study.posted")
        data = judgement.data()
        rows.add(by, sides[judgement.side], *(data[name] for name in figures))
        for band in judgement.quality.bands:
            share = f"{band.at_least}-{band.below} %"
            shown = band.data()
            figures_of = (shown["sides"], shown["expected"], shown["score"])
            bands.add(by, sides[judgement.side], share, *figures_of)
        bands.section()
    out.print(rows)
    out.print(bands)


def render_monitor(monitor: Monitor, out: Console, *, full: bool = False) -> None:
    """Writes a monitor: the ledger of points, which sums to the change, and the periods.

    ``full``: each period's Ks, who left and came, and its own ledger of points as well.
    """
    out.print(say("study.monitor", list=monitor.list), style="bold")
    trend = say(
        "study.trend", count=len(monitor.control), trend=signed(fixed(monitor.trend)) or "-"
    )
    out.print(trend)
    _totals(monitor, out)
    figures = ("rated", "mean", "control_mean", "active", "newcomers", "brought_in")
    _periods(monitor, figures, "study.periods", out)
    if full:
        _periods(monitor, ("went_inactive", "came_back", "removed", "k"), "study.activity", out)
        _sources(monitor, out)
    else:
        out.print(say("study.more"), style="dim")
    out.print(
        say("study.note_pool_active" if monitor.active_only else "study.note_pool"), style="dim"
    )


def _periods(monitor: Monitor, figures: Sequence[str], title: str, out: Console) -> None:
    rows = table("period", *figures, title=say(title))
    for line in monitor.lines:
        data = line.data()
        data |= {
            "went_inactive": f"{line.went_inactive.players} ({line.went_inactive.points})",
            "came_back": f"{line.came_back.players} ({line.came_back.points})",
            "k": "  ".join(f"{k}: {players}" for k, players in line.k.items()),
        }
        rows.add(line.period, *(data[name] for name in figures))
    out.print(rows)


def _totals(monitor: Monitor, out: Console) -> None:
    rows = table("cause", "points", title=say("study.sources"))
    rows.add(say("study.before"), monitor.lines[0].before)
    for source, points_ in monitor.sources.items():
        rows.add(say(f"pool.{source.value}"), signed(exact(points_)))
    rows.add(say("study.after"), monitor.lines[-1].after, style="bold")
    out.print(rows)


def _sources(monitor: Monitor, out: Console) -> None:
    rows = table("period", "cause", "points", title=say("study.sources_by_period"))
    for line in monitor.lines:
        rows.add(line.period, say("study.before"), line.before)
        for source, points_ in line.sources.items():
            rows.add("", say(f"pool.{source.value}"), signed(exact(points_)))
        rows.add("", say("study.created"), signed(exact(line.created)), style="dim")
        rows.add("", say("study.destroyed"), signed(exact(line.destroyed)), style="dim")
        rows.add("", say("study.after"), line.after, style="bold")
        rows.section()
    out.print(rows)


def render_performance(performance: PerformanceReport, out: Console) -> None:
    """Writes a performance with its steps."""
    who = {"name": named(performance.player.name or ""), "id": performance.player.id}
    title = say("study.performance", **who, tournament=performance.tournament)
    rows = table("round", "id", "name", "rating", "score", "excluded_because", title=title)
    for game in performance.games:
        why = "" if game.reason is Reason.NONE else say(f"reason.{game.reason.code}")
        rows.add(
            game.round, game.opponent.id, game.opponent.name, game.rating, points(game.halves), why
        )
    out.print(rows)
    if performance.worth is None:
        out.print(say("study.no_games"))
        return
    for key, value in _steps(performance):
        out.print(f"{say(key)}: {value}")


def _steps(performance: PerformanceReport) -> list[tuple[str, object]]:
    assert performance.worth is not None
    worth = performance.worth
    undefined = say("study.undefined")
    return [
        (
            "study.ratings_of",
            say("study.list_period", list=performance.list, period=performance.period),
        ),
        ("study.opponents_mean", f"{exact(worth.opponents_mean)} = {worth.rc}"),
        ("study.points", f"{points(worth.halves)} / {worth.games} = {worth.percent} %"),
        ("study.d_of_p", undefined if worth.difference is None else signed(worth.difference)),
        ("study.rp", undefined if worth.rp is None else worth.rp),
    ]


def render_forecast(forecast: RatingForecast, out: Console) -> None:
    """Writes a forecast: the games to come, then what each score comes to, and why."""
    who = {"name": named(forecast.player.name or ""), "id": forecast.player.id}
    about = {"list": forecast.list, "period": forecast.period}
    title = say("forecast.title", **who, **about)
    games = table("id", "name", "rating", "difference", "expected", "excluded_because", title=title)
    for game in forecast.games:
        why = "" if game.reason is Reason.NONE else told(game.reason.message)
        expected = "" if game.expected is None else hundredths(game.expected)
        games.add(
            game.opponent.id, game.opponent.name, game.opponent_rating, game.difference, expected,
            why,
        )  # fmt: skip
    out.print(games)
    has_performances = any(score.performance is not None for score in forecast.scores)
    columns = ["score", "change", "rating", *(["ru"] if has_performances else [])]
    rows = table(*columns)
    for score in forecast.scores:
        cells: list[object] = [points(score.halves), *_least_and_most(score)]
        if has_performances:
            cells.append("" if score.performance is None else half_up(score.performance))
        rows.add(*cells, style="bold" if score.halves == forecast.needed else "")
    out.print(rows)
    out.print(told(forecast.verdict))
    for note in forecast.notes:
        out.print(told(note), style="dim")


def _least_and_most(score: ForecastScore) -> tuple[str, str]:
    """Returns change and rating; both of two where the score alone does not decide."""
    least, most = (
        ("" if change is None else signed(exact(change)), str(rating or "–"))
        for change, rating in (
            (score.change, score.rating), (score.most_change, score.most_rating),
        )
    )  # fmt: skip
    both = zip(least, most, strict=True) if score.depends else ((one, one) for one in least)
    change, rating = (one if one == other else f"{one} … {other}" for one, other in both)
    return change, rating


def render_live(live: LiveList, out: Console, *, everything: bool) -> None:
    """Writes a live list: all of its rows, or the first."""
    about = {"list": live.list, "period": live.period, "seq": live.seq}
    period, edition = live.published
    if period is None:
        title = say("study.live_unpublished", **about)
    else:
        title = say("study.live", **about, published=period, edition=edition)
    columns = ("rank", "id", "name", "published", "live", "difference", "games")
    print_rows(out, table(*columns, title=title), live.rows, _live_cells, everything=everything)


def _live_cells(row: LiveRow) -> Iterator[object]:
    lost = -(row.published or 0) if row.live == 0 else None
    yield from (row.rank, row.id, row.name)
    yield rating_text(row.published, say, lost=row.published_lost)
    yield rating_text(row.live, say, lost=row.live_lost or bool(lost))
    yield from (change_text(row.live, lost, say) if lost else signed(row.points), row.games)


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "forecast": Look(render_forecast),
    "live": Look(render_live),
    "performance": Look(render_performance),
}
"""How answers look, by the words of their questions."""
