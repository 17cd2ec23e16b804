"""A player's statement as people read it: the columns of the federation's own report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cli.output import named, print_notes, say, table, told
from cli.tables import Column, Kind, Table
from ledger.forms.page import corrected_note, joined, result_words
from ledger.identifiers import Seq
from ledger.rating.decimal_text import decimal, exact
from ledger.rating.rounding import half_up
from ledger.reports.balance import Figures, balance, beginning, told_order, why_no_performance
from ledger.reports.statement import (
    BucketLine,
    CreditLine,
    ExcludedLine,
    PostingLine,
    Statement,
    StepLine,
)
from ledger.reports.summaries import summary

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.lists.rating_source import RatingSource


def render_statement(
    statement: Statement,
    out: Console,
    *,
    corrected: Collection[Seq] = (),
    exactly: bool = False,
    source: RatingSource | None = None,
) -> None:
    """Writes what was rated, what waits, what was excluded and why, and the balance.

    ``corrected`` are the seqs of its games that were corrected. ``exactly`` writes every quantity
    as it is, as a fraction where it has no end, instead of rounding it to what people read.
    ``source`` is written above it: the edition, and the state of its ratings.
    """
    if source is not None:
        edition = [say("cli.edition", edition=source.edition)] if source.edition else []
        out.print(", ".join([*edition, told(source.label)]))
    _Page(statement, out, corrected, Figures(exactly=exactly)).write()


class _Page:
    """One statement on its way to the console."""

    def __init__(
        self, statement: Statement, out: Console, corrected: Collection[Seq], figures: Figures
    ) -> None:
        self._made = statement
        self._out = out
        self._corrected = corrected
        self._figures = figures
        self._merit = ("merit",) if statement.shows_merit else ()
        self._gain = "contribution" if statement.shows_merit else "contribution_unweighed"

    def write(self) -> None:
        pieces, out = self._made, self._out
        title = say(
            "cli.statement_title",
            name=named(pieces.player.name),
            id=pieces.player.id,
            list=pieces.list,
            period=pieces.period,
            seq=pieces.basis.seq,
        )
        out.print(title, style="bold")
        out.print(" ".join(told(each) for each in summary(pieces)))
        out.print()
        if pieces.postings:
            self._games()
        if pieces.steps:
            self._steps(pieces.steps)
        for credit in pieces.credits:
            self._credit(credit)
        if pieces.bucket is not None:
            self._bucket(pieces.bucket)
        if pieces.excluded:
            self._excluded()
        print_notes(out, corrected_note(self._corrected, say))
        self._balance()
        for order in pieces.orders:
            out.print(told(told_order(order)))

    # Games

    def _games(self) -> None:
        """Every game in the columns of the federation's report: ``n`` says whether it counts."""
        pieces, figures = self._made, self._figures
        # From event to event, or from an earlier list, his own rating is not that of the opening.
        own = any(line.rating != pieces.opening for line in pieces.postings)
        blank, merit = ("",) * own, ("",) * len(self._merit)
        rows = table(*self._game_columns(own=own))
        for line in pieces.lines:
            if isinstance(line, ExcludedLine):
                place = (line.tournament, line.round, *_person(line))
                before = (*place, *blank, "", "", self._score(line))
                rows.add(*before, say("cli.counts_not"), "", "", "", *merit, "", style="dim")
            else:
                rows.add(*self._game(line, own=own), figures(line.contribution))
        score = sum((line.score for line in pieces.postings), Fraction(0))
        expected = sum((line.expected for line in pieces.postings), Fraction(0))
        contributions = sum((line.contribution for line in pieces.postings), Fraction(0))
        mean = Fraction(sum(line.opponent_rating for line in pieces.postings), pieces.games)
        rows.section()
        rows.add(
            "", "", "", say("column.opponents_mean"), *blank, half_up(mean),
            "", "", "", "", "", "", *merit, "",
        )  # fmt: skip
        rows.add(
            "", "", pieces.player.id, pieces.player.name, *blank, pieces.opening,
            "", exact(score), pieces.games, figures(expected), figures(score - expected),
            pieces.k if {line.k for line in pieces.postings} == {pieces.k} else "", *merit,
            figures(contributions), style="bold",
        )  # fmt: skip
        self._out.print(rows)
        if any(line.capped for line in pieces.postings):
            self._tell_caps(pieces.postings)

    def _game_columns(self, *, own: bool) -> tuple[str, ...]:
        return (
            "tournament", "round", "id", "name", *(("own",) if own else ()), "rating",
            "counted_difference", "score", "counts", "expected", "difference_of_score", "k",
            *self._merit, self._gain,
        )  # fmt: skip

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
            self._score(line),
            say("cli.counts"),
            figures(line.expected),
            figures(line.score - line.expected),
            line.k,
            *(figures(line.merit) for _ in self._merit),
        )

    def _score(self, line: PostingLine | ExcludedLine) -> str:
        seq = line.seq if line.seq in self._corrected else None
        return joined(result_words(exact(line.score), seq, say), str)

    def _tell_caps(self, lines: Sequence[PostingLine]) -> None:
        caps = sorted({abs(line.difference) for line in lines if line.capped})
        self._out.print(say("statement.capped", cap=", ".join(map(str, caps))))
        self._out.print()

    def _steps(self, steps: Sequence[StepLine]) -> None:
        rows = table("tournament", "step", "clause", self._gain)
        for line in steps:
            name = told(line.kind.message)
            rows.add(line.tournament, name, line.clause, self._figures(line.points))
        self._out.print(rows)

    def _credit(self, credit: CreditLine) -> None:
        """What an earlier list owed, game by game: with the ratings and the K of that list."""
        figures = self._figures
        if credit.games:
            title = say("statement.credit_of", period=credit.period)
            revised = any(game.before is not None for game in credit.games)
            columns = ("credited",) if revised else ()
            rows = table(*self._game_columns(own=True), *columns, title=title)
            for game in credit.games:
                cells = (*self._game(game.line, own=True), figures(game.entitled))
                rows.add(*cells, *((figures(game.credited),) if revised else ()))
            self._out.print(rows)
            if any(game.line.capped for game in credit.games):
                self._tell_caps([game.line for game in credit.games])
        if credit.steps:
            self._steps(credit.steps)
        for key, points in (
            ("statement.credit_kept", credit.lifted),
            ("statement.credit_rounded", credit.rounding),
        ):
            if points:
                self._out.print(say(key, points=figures.change(points)))
                self._out.print()

    def _excluded(self) -> None:
        rows = table("tournament", "round", "id", "name", "score", "excluded_because", "clause")
        for line in self._made.excluded:
            why = told(line.reason.message)
            place = (line.tournament, line.round, *_person(line), self._score(line))
            rows.add(*place, why, line.clause)
        self._out.print(rows)

    # A newcomer

    def _bucket(self, bucket: Sequence[BucketLine]) -> None:
        pieces, out = self._made, self._out
        if not pieces.needed:
            out.print(say("statement.no_first_rating"))
            out.print()
            return
        lines = (*bucket, *pieces.not_computable)
        if lines:
            self._results(lines)
            self._opponents(lines)
        games = sum(line.games for line in bucket)
        if pieces.first_games and pieces.closing is not None:
            out.print(say("statement.first_games", games=games, first_games=pieces.first_games))
        else:
            out.print(say("statement.bucket_games", games=games, needed=pieces.needed))

    def _results(self, lines: Sequence[BucketLine]) -> None:
        columns = ("period", "tournament", "games", "points", "opponents_mean", "ru")
        is_told = any(line.performance is None for line in lines)
        told_ = ("excluded_because",) if is_told else ()
        rows = table(*columns, *told_, title=say("statement.bucket"))
        for line in lines:
            rows.add(
                line.period,
                line.tournament,
                line.games,
                decimal(line.halves * 5, 1),
                self._figures.mean(line.opponents_mean),
                "" if line.performance is None else self._figures.mean(line.performance),
                *((_why_not(line),) if is_told else ()),
            )
        self._out.print(rows)

    def _opponents(self, lines: Sequence[BucketLine]) -> None:
        """Whom he met, one by one, with the rating that entered the mean."""
        rows = table("tournament", "id", "name", "rating", "score", title=say("statement.met"))
        for line in lines:
            for person, rating, halves in line.opponents:
                score = exact(Fraction(halves, 2))
                rows.add(line.tournament, person.id, person.name, rating, score)
        self._out.print(rows)

    # The balance

    def _balance(self) -> None:
        pieces, out = self._made, self._out
        if pieces.opening is None:
            out.print(told(beginning(pieces)), style="bold")
            if not pieces.postings and not pieces.steps:
                return
        rows = Table(Column(""), Column("", Kind.DECIMAL), heading=False)
        for line in balance(pieces, self._figures):
            figure = line.figure if isinstance(line.figure, str) else told(line.figure)
            rows.add(told(line.said), figure, style="bold")
        out.print(rows)


def _person(line: PostingLine | ExcludedLine) -> tuple[str | None, str | None]:
    return line.opponent.id, line.opponent.name


def _why_not(line: BucketLine) -> str:
    return told(why_no_performance(line)) if line.performance is None else ""
