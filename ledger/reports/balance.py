"""A statement's figures and its balance as people read them, the same on every face."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ledger.rating.decimal_text import decimal, exact, signed, with_sign
from ledger.rating.postings import Reason
from ledger.rating.rounding import half_away_from_zero
from ledger.reports.statement import BucketLine, CreditLine, Instruction, Ordered, Statement
from ledger.wording import Message, Wording

_LEAST_DECIMALS, _MOST_DECIMALS = 2, 4


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

    def gain(self, value: Fraction) -> str:
        """Writes what a rating gains or loses with one decimal, signed as pages do.

        >>> Figures(exactly=False).gain(Fraction(-77, 20)), Figures(exactly=True).gain(Fraction(0))
        ('−3.9', '0.0')
        """
        tenths = half_away_from_zero(value * 10)
        sign = "+" if tenths > 0 else "−" if tenths < 0 else ""
        return sign + decimal(abs(tenths), 1)

    def change(self, value: Fraction | int) -> str:
        """Writes a change of a rating, with its sign."""
        text = self(value)
        return text if value < 0 else f"+{text}" if value else "0"


AS_READ: Final = Figures(exactly=False)
"""Writes quantities as people read them."""


@dataclass(frozen=True, slots=True)
class BalanceLine:
    """A line that leads from the opening to the closing: what it is, and its figure as written."""

    said: Message
    figure: str | Message


def balance(made: Statement, figures: Figures) -> list[BalanceLine]:
    """Returns what leads from the opening to the closing; the figures sum.

    Who is unrated at the end has no figure there, and none by which all was lost.
    """
    return [BalanceLine(said, figure) for said, figure in _lines(made, figures)]


def _lines(made: Statement, figures: Figures) -> Iterator[tuple[Message, str | Message]]:
    yield _opening(made), str(made.opening or made.first_rating)
    yield Message.of("balance.contributions"), figures.change(made.change_exact)
    for credit in made.credits:
        yield _owed(credit, figures), figures.change(credit.credit)
    yield Message.of("balance.rounding"), figures.change(made.rounding)
    if made.adjustment:
        yield Message.of("balance.adjustment"), signed(made.adjustment)
    if made.lifted:
        yield Message.of("cause.kept-at-one"), signed(made.lifted)
    if made.removed:
        key = "balance.starts_anew" if made.starts_anew else "balance.removed"
        yield Message.of(key, **({} if made.starts_anew else {"points": -made.removed})), ""
    unrated = Message.of("player.unrated")
    yield Message.of("balance.closing"), unrated if made.closing is None else str(made.closing)


def beginning(made: Statement) -> Message:
    """Returns what is said of a player without an opening rating."""
    if made.closing is None:
        return Message.of("statement.unrated" if made.was_rated else "statement.still_provisional")
    return Message.of("statement.first_rating", rating=made.first_rating or made.closing)


def _opening(made: Statement) -> Message:
    if made.ordered:
        return Message.of("balance.opening_ordered", points=with_sign(made.ordered))
    return Message.of("balance.opening_given_back" if made.given_back else "balance.opening")


def _owed(credit: CreditLine, figures: Figures) -> Message:
    return Message.of(
        "balance.credit",
        period=credit.period or Message.of("balance.first_rating"),
        entitled=figures.change(credit.entitled),
        credited=figures.change(credit.credited),
    )


def told_order(order: Instruction) -> Message:
    """Says who gave an order, and why."""
    is_step = order.kind in (Ordered.POINTS, Ordered.LIST_STEP)
    value = with_sign(order.value) if is_step else order.value
    named = {"period" if order.kind is Ordered.RATED_IN else "value": value}
    said = Message.of(f"order.{order.kind.value}", tournament=order.tournament, **named)
    key = "balance.ordered_because" if order.reason else "balance.ordered_by"
    return Message.of(key, order=said, actor=order.actor, reason=order.reason, seq=order.seq)


def why_no_performance(line: BucketLine) -> Message | Wording:
    """Says why a result has no performance; it may count towards a first rating all the same."""
    reason = Reason.NO_DIFFERENCE if line.reason is Reason.NONE else line.reason
    return reason.message
