"""A player's statement as people read it: the columns of the federation's own report."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cli.output import say, table, told
from cli.tables import Column, Kind, Table
from ledger.rating.decimal_text import decimal, exact, signed
from ledger.rating.postings import Reason
from ledger.rating.rounding import half_away_from_zero, half_up
from ledger.reports.statement import (
    BucketLine,
    CreditLine,
    ExcludedLine,
    Instruction,
    Ordered,
    PostingLine,
    Statement,
    StepLine,
)

if TYPE_CHECKING:
    from rich.console import Console

_LEAST_DECIMALS, _MOST_DECIMALS = 2, 4


def render_statement(made: Statement, out: Console, *, exactly: bool = False) -> None:
    """Writes what was rated, what waits, what was excluded and why, and the balance.

    ``exactly`` writes every quantity as it is, as a fraction where it has no end, instead of
    rounding it to what people read.
    """
    _Page(made, out, Figures(exactly=exactly)).write()


class Figures:
    """Writes quantities: exactly, or as people read them."""

    def __init__(self, *, exactly: bool) -> None:
        self._exactly = exactly

    def __call__(self, value: Fraction | int) -> str:
        """Writes a quantity with two decimals, or as many as it has; at most four, rounded."""
        if self._exactly:
            return exact(value)
        scaled = half_away_from_zero(Fraction(value) * 10**_MOST_DECIMALS)
        whole, _, behind = decimal(scaled, _MOST_DECIMALS).partition(".")
        return f"{whole}.{behind[:_LEAST_DECIMALS]}{behind[_LEAST_DECIMALS:].rstrip('0')}"

    def mean(self, value: Fraction) -> str:
        """Writes a mean or a performance: with two decimals at most."""
        if self._exactly:
            return exact(value)
        return exact(Fraction(half_away_from_zero(value * 100), 100))

    def change(self, value: Fraction | int) -> str:
        """Writes a change of a rating, with its sign."""
        text = self(value)
        return text if value < 0 else f"+{text}" if value else "0"


class _Page:
    """One statement on its way to the console."""

    def __init__(self, made: Statement, out: Console, figures: Figures) -> None:
        self._made = made
        self._out = out
        self._figures = figures

    def write(self) -> None:
        made, out = self._made, self._out
        title = say(
            "cli.statement_title",
            name=made.player.name,
            id=made.player.id,
            list=made.list,
            period=made.period,
            seq=made.basis.seq,
        )
        out.print(title, style="bold")
        out.print()
        if made.postings:
            self._games()
        if made.steps:
            self._steps(made.steps)
        for credit in made.credits:
            self._credit(credit)
        if made.bucket is not None:
            self._bucket(made.bucket)
        if made.excluded:
            self._excluded()
        self._balance()
        for order in made.orders:
            out.print(_told(order))

    # Games

    def _games(self) -> None:
        """Every game in the columns of the federation's report: ``n`` says whether it counts."""
        made, figures = self._made, self._figures
        # From event to event, or from an earlier list, his own rating is not that of the opening.
        own = any(line.rating != made.opening for line in made.postings)
        rows = table(*_game_columns(own=own), "contribution")
        lines: list[PostingLine | ExcludedLine] = [*made.postings, *made.excluded]
        lines.sort(key=lambda line: (line.tournament, line.round))
        for line in lines:
            if isinstance(line, ExcludedLine):
                place = (line.tournament, line.round, *_person(line))
                before = (*place, *("" for _ in range(own)), "", "", exact(line.score))
                rows.add(*before, say("cli.counts_not"), "", "", "", "", "", style="dim")
            else:
                rows.add(*self._game(line, own=own), figures(line.contribution))
        score = sum((line.score for line in made.postings), Fraction(0))
        expected = sum((line.expected for line in made.postings), Fraction(0))
        contributions = sum((line.contribution for line in made.postings), Fraction(0))
        mean = Fraction(sum(line.opponent_rating for line in made.postings), made.games)
        blank = ("",) * own
        rows.section()
        rows.add(
            "", "", "", say("column.opponents_mean"), *blank, half_up(mean),
            "", "", "", "", "", "", "", "",
        )  # fmt: skip
        rows.add(
            "", "", made.player.id, made.player.name, *blank, made.opening,
            "", exact(score), made.games, figures(expected), figures(score - expected),
            made.k, "", figures(contributions), style="bold",
        )  # fmt: skip
        self._out.print(rows)
        if any(line.capped for line in made.postings):
            self._tell_caps(made.postings)

    def _game(self, line: PostingLine, *, own: bool) -> tuple[object, ...]:
        """The cells of a game, but for what it comes to."""
        figures = self._figures
        return (
            line.tournament,
            line.round,
            *_person(line),
            *((line.rating,) if own else ()),
            line.opponent_rating,
            f"{line.difference}{'±' if line.capped else ' '}",
            exact(line.score),
            say("cli.counts"),
            figures(line.expected),
            figures(line.score - line.expected),
            line.k,
            figures(line.merit),
        )

    def _tell_caps(self, lines: Sequence[PostingLine]) -> None:
        caps = sorted({abs(line.difference) for line in lines if line.capped})
        self._out.print(say("cli.capped", cap=", ".join(map(str, caps))))
        self._out.print()

    def _steps(self, steps: Sequence[StepLine]) -> None:
        rows = table("tournament", "step", "clause", "contribution")
        for line in steps:
            name = told(line.kind.message)
            rows.add(line.tournament, name, line.clause, self._figures(line.points))
        self._out.print(rows)

    def _credit(self, credit: CreditLine) -> None:
        """What an earlier list owed, game by game: with the ratings and the K of that list."""
        figures = self._figures
        if credit.games:
            title = say("cli.credit_of", period=credit.period)
            revised = any(game.before is not None for game in credit.games)
            columns = ("contribution", "credited") if revised else ("contribution",)
            rows = table(*_game_columns(own=True), *columns, title=title)
            for game in credit.games:
                cells = (*self._game(game.line, own=True), figures(game.entitled))
                rows.add(*cells, *((figures(game.credited),) if revised else ()))
            self._out.print(rows)
            if any(game.line.capped for game in credit.games):
                self._tell_caps([game.line for game in credit.games])
        if credit.steps:
            self._steps(credit.steps)
        for key, points in (
            ("cli.credit_kept", credit.lifted),
            ("cli.credit_rounded", credit.rounding),
        ):
            if points:
                self._out.print(say(key, points=figures.change(points)))
                self._out.print()

    def _excluded(self) -> None:
        rows = table("tournament", "round", "id", "name", "score", "excluded_because", "clause")
        for line in self._made.excluded:
            why = told(line.reason.message)
            place = (line.tournament, line.round, *_person(line), exact(line.score))
            rows.add(*place, why, line.clause)
        self._out.print(rows)

    # A newcomer

    def _bucket(self, bucket: Sequence[BucketLine]) -> None:
        made, out = self._made, self._out
        if not made.needed:
            out.print(say("cli.no_first_rating"))
            out.print()
            return
        lines = (*bucket, *made.not_computable)
        if lines:
            self._results(lines)
            self._opponents(lines)
        games = sum(line.games for line in bucket)
        if made.first_games and made.closing is not None:
            out.print(say("cli.first_games", games=games, first_games=made.first_games))
        else:
            out.print(say("cli.bucket_games", games=games, needed=made.needed))

    def _results(self, lines: Sequence[BucketLine]) -> None:
        columns = ("period", "tournament", "games", "points", "opponents_mean", "performance")
        told = ("excluded_because",) if any(line.performance is None for line in lines) else ()
        rows = table(*columns, *told, title=say("cli.bucket"))
        for line in lines:
            rows.add(
                line.period,
                line.tournament,
                line.games,
                decimal(line.halves * 5, 1),
                self._figures.mean(line.opponents_mean),
                "" if line.performance is None else self._figures.mean(line.performance),
                *((_why_not(line),) if told else ()),
            )
        self._out.print(rows)

    def _opponents(self, lines: Sequence[BucketLine]) -> None:
        """Whom he met, one by one, with the rating that entered the mean."""
        rows = table("tournament", "id", "name", "rating", "score", title=say("cli.met"))
        for line in lines:
            for person, rating, halves in line.opponents:
                score = exact(Fraction(halves, 2))
                rows.add(line.tournament, person.id, person.name, rating, score)
        self._out.print(rows)

    # The balance

    def _balance(self) -> None:
        made, out = self._made, self._out
        if made.opening is None:
            key = "cli.still_provisional" if made.closing is None else "cli.first_rating"
            rating = made.first_rating or made.closing or 0
            out.print(say(key, rating=rating), style="bold")
            if not made.postings and not made.steps:
                return
        rows = Table(Column(""), Column("", Kind.DECIMAL), heading=False)
        for name, value in self._lines():
            rows.add(name, value, style="bold")
        out.print(rows)

    def _lines(self) -> list[tuple[str, str]]:
        """What leads from the opening to the closing, line by line."""
        made, change = self._made, self._figures.change
        opening = say("cli.opening")
        if made.given_back:
            opening = say("cli.opening_given_back")
        if made.ordered:
            opening = say("cli.opening_ordered", points=signed(made.ordered))
        lines = [
            (opening, str(made.opening or made.first_rating)),
            (say("cli.contributions"), change(made.change_exact)),
        ]
        lines += [(self._owed(credit), change(credit.credit)) for credit in made.credits]
        lines.append((say("cli.rounding"), change(made.rounding)))
        if made.adjustment:
            lines.append((say("cli.adjustment"), signed(made.adjustment)))
        if made.lifted:
            lines.append((say("cause.kept-at-one"), signed(made.lifted)))
        if made.removed:
            key = "cli.starts_anew" if made.starts_anew else "cli.removed"
            lines.append((say(key), signed(made.removed)))
        return [*lines, (say("cli.closing"), str(made.closing or 0))]

    def _owed(self, credit: CreditLine) -> str:
        return say(
            "cli.credit",
            period=credit.period or say("cli.first_rating_word"),
            entitled=self._figures.change(credit.entitled),
            credited=self._figures.change(credit.credited),
        )


def _game_columns(*, own: bool) -> tuple[str, ...]:
    return (
        "tournament", "round", "id", "name", *(("own",) if own else ()), "rating",
        "counted_difference", "score", "counts", "expected", "difference_of_score", "k", "merit",
    )  # fmt: skip


def _person(line: PostingLine | ExcludedLine) -> tuple[str | None, str | None]:
    return line.opponent.id, line.opponent.name


def _why_not(line: BucketLine) -> str:
    """Says why a result has no performance; it may count towards a first rating all the same."""
    if line.performance is not None:
        return ""
    reason = Reason.NO_DIFFERENCE if line.reason is Reason.NONE else line.reason
    return told(reason.message)


def _told(order: Instruction) -> str:
    """Says who gave an order, and why."""
    value = (
        signed(order.value) if order.kind in (Ordered.POINTS, Ordered.LIST_STEP) else order.value
    )
    said = say(f"order.{order.kind.value}", value=value, tournament=order.tournament)
    key = "cli.ordered_because" if order.reason else "cli.ordered_by"
    return say(key, order=said, actor=order.actor, reason=order.reason, seq=order.seq)
