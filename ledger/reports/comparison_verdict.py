"""A comparison of two regulations in sentences: what it comes to."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rating.decimal_text import signed
from ledger.reports.comparison import SIDES, YARDSTICK, Comparison
from ledger.reports.measures import fixed
from ledger.reports.prediction import PLACES
from ledger.wording import Message


def verdict_of(made: Comparison) -> Iterator[Message]:
    """Yields who predicts better, by how much and how sure; the inflation; the differences."""
    yield _predictions(made)
    rises = made.inflation()
    if rises is not None:
        own_rise, other_rise = (signed(fixed(rise)) for rise in rises)
        yield Message.of(
            "study.inflates", players=len(made.control), own=made.own, own_rise=own_rise,
            other=made.other, other_rise=other_rise,
        )  # fmt: skip
    summary = made.differences
    if summary.count:
        data = summary.data()
        yield Message.of(
            "study.differ", players=summary.count, mean=signed(data["mean"]),
            spread=data["spread"], least=signed(data["least"]), most=signed(data["most"]),
        )  # fmt: skip


def _predictions(made: Comparison) -> Message:
    advantage, (own, other) = made.advantage, made.judged(YARDSTICK)
    if not advantage.games:
        return Message.of("study.predicts_nothing")
    figures = advantage.data()
    better = SIDES[1 if advantage.better is None else advantage.better]
    worse = SIDES[1 - SIDES.index(better)]
    brier = {"own": fixed(own.brier, PLACES), "other": fixed(other.brier, PLACES)}
    sides = {"own": made.own, "other": made.other}
    return Message.of(
        "study.predicts_alike" if advantage.better is None else "study.predicts_better",
        better=sides[better], worse=sides[worse], games=made.games,
        brier=brier[better], against=brier[worse],
        by=(figures["brier"] or "").lstrip("-"), margin=figures["margin"] or "?",
    )  # fmt: skip
