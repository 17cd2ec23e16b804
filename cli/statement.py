"""A player's statement as people read it: the columns of the federation's own report."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cli.output import say, signed, table
from ledger.rating.exact import decimal, exact
from ledger.rating.rounding import half_away_from_zero, half_up
from ledger.rating.sheet import Reason
from ledger.reports.statement import ExcludedLine, PostingLine, Statement

if TYPE_CHECKING:
    from rich.console import Console


def render_statement(made: Statement, out: Console) -> None:
    """Writes what was rated, what waits, what was excluded and why, and the balance."""
    title = say(
        "cli.statement_title",
        name=made.player.name,
        id=made.player.id,
        list=made.list,
        period=made.period,
        seq=made.basis.seq,
    )
    out.print(title, style="bold", markup=False)
    if made.postings:
        _games(made, out)
    if made.steps:
        _steps(made, out)
    if made.bucket is not None:
        _bucket(made, out)
    if made.excluded:
        _excluded(made, out)
    _balance(made, out)


def _games(made: Statement, out: Console) -> None:
    """Every game in the columns of the federation's report: ``n`` says whether it counts."""
    figures = ("rating", "score", "expected", "difference_of_score", "k", "merit", "contribution")
    # From event to event, or from an earlier list, his own rating is not that of the opening.
    own = any(line.rating != made.opening for line in made.postings)
    mine = ("own",) if own else ()
    columns = (
        "tournament",
        "round",
        *mine,
        "id",
        "name",
        "rating",
        "score",
        "counts",
        *figures[2:],
    )
    rows = table(*columns, right=("round", *mine, *figures))
    lines: list[PostingLine | ExcludedLine] = [*made.postings, *made.excluded]
    lines.sort(key=lambda line: (line.tournament, line.round))
    for line in lines:
        place = (line.tournament, str(line.round), line.opponent.id or "", line.opponent.name or "")
        if isinstance(line, ExcludedLine):
            before = (*place[:2], *("" for _ in mine), *place[2:])
            rows.add_row(*before, "", exact(line.score), say("cli.counts_not"), style="dim")
            continue
        rows.add_row(
            *place[:2],
            *(str(line.rating) for _ in mine),
            *place[2:],
            str(line.opponent_rating),
            exact(line.score),
            say("cli.counts"),
            _two(line.expected),
            _two(line.score - line.expected),
            str(line.k),
            _two(line.merit),
            exact(line.contribution),
        )
    score = sum((line.score for line in made.postings), Fraction(0))
    expected = sum((line.expected for line in made.postings), Fraction(0))
    mean = Fraction(sum(line.opponent_rating for line in made.postings), made.games)
    rows.add_section()
    blank = ("", "", *("" for _ in mine))
    rows.add_row(*blank, "", say("column.opponents_mean"), str(half_up(mean)))
    rows.add_row(
        *blank, made.player.id, made.player.name, str(made.opening or ""), exact(score),
        str(made.games), _two(expected), _two(score - expected), str(made.k), "",
        exact(made.change_exact), style="bold",
    )  # fmt: skip
    out.print(rows)


def _excluded(made: Statement, out: Console) -> None:
    rows = table(
        "tournament", "round", "id", "name", "score", "excluded_because", "clause",
        right=("round", "score"),
    )  # fmt: skip
    for line in made.excluded:
        rows.add_row(
            line.tournament,
            str(line.round),
            line.opponent.id or "",
            line.opponent.name or "",
            exact(line.score),
            say(f"reason.{line.reason.code}"),
            line.clause,
        )
    out.print(rows)


def _steps(made: Statement, out: Console) -> None:
    rows = table("tournament", "step", "clause", "contribution", right=("contribution",))
    for line in made.steps:
        name = say(f"step.{line.kind.code}")
        rows.add_row(line.tournament or "", name, line.clause, exact(line.points))
    out.print(rows)


def _bucket(made: Statement, out: Console) -> None:
    if not made.needed:
        out.print(say("cli.no_first_rating"), markup=False)
        return
    figures = ("games", "points", "opponents_mean", "performance")
    rows = table("period", "tournament", *figures, right=figures, title=say("cli.bucket"))
    for line in (*(made.bucket or ()), *made.not_computable):
        # A result may count towards a first rating and have no performance by itself.
        reason = Reason.NO_DIFFERENCE if line.reason is Reason.NONE else line.reason
        shown = (
            say(f"reason.{reason.code}") if line.performance is None else _whole(line.performance)
        )
        rows.add_row(
            line.period,
            line.tournament,
            str(line.games),
            decimal(line.halves * 5, 1),
            _whole(line.opponents_mean),
            shown,
        )
    out.print(rows)
    games = sum(line.games for line in made.bucket or ())
    if made.first_games and made.closing is not None:
        text = say("cli.first_games", games=games, first_games=made.first_games)
    else:
        text = say("cli.bucket_games", games=games, needed=made.needed)
    out.print(text, markup=False)


def _balance(made: Statement, out: Console) -> None:
    if made.opening is None:
        key = "cli.still_provisional" if made.closing is None else "cli.first_rating"
        rating = made.first_rating or made.closing or 0
        out.print(say(key, rating=rating), style="bold", markup=False)
        if not made.postings and not made.steps:
            return
    parts = [
        (say("cli.opening"), str(made.opening or made.first_rating)),
        (say("cli.contributions"), signed(exact(made.change_exact))),
        (say("cli.rounding"), signed(exact(made.rounding))),
    ]
    if made.given_back:
        parts[0] = (say("cli.opening_given_back"), parts[0][1])
    if made.ordered:
        parts[0] = (say("cli.opening_ordered", points=signed(made.ordered)), parts[0][1])
    parts += [
        (
            say(
                "cli.credit",
                period=line.period or say("cli.first_rating_word"),
                entitled=signed(line.entitled),
                credited=signed(line.credited),
            ),
            signed(line.entitled - line.credited),
        )
        for line in made.credits
    ]
    if made.adjustment:
        parts.append((say("cli.adjustment"), signed(made.adjustment)))
    if made.lifted:
        parts.append((say("cause.kept-at-one"), signed(made.lifted)))
    if made.removed:
        parts.append((say("cli.removed"), signed(made.removed)))
    parts.append((say("cli.closing"), str(made.closing or 0)))
    out.print("  ".join(f"{name} {value}" for name, value in parts), style="bold", markup=False)


def _whole(value: Fraction) -> str:
    """Writes a rating rounded, and exactly where that differs: ``1546 (1545.6)``."""
    rounded = half_up(value)
    return str(rounded) if rounded == value else f"{rounded} ({exact(value)})"


def _two(value: Fraction | int) -> str:
    """Writes hundredths with both decimals; what has more, to the fourth."""
    scaled = value * 100
    if scaled.denominator == 1:
        return decimal(int(scaled), 2)
    return decimal(half_away_from_zero(Fraction(value) * 10_000), 4)
