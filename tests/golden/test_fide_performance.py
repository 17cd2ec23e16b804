"""A performance as worked in an encyclopedic article on the Elo rating."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

from ledger.reports.performance import worth

EXAMPLE = json.loads((Path(__file__).parent / "data" / "fide_performance.json").read_text())


def test_the_worked_example() -> None:
    opponents = [rating for rating, _ in EXAMPLE["opponents"]]
    score = sum(Fraction(points) for _, points in EXAMPLE["opponents"])
    assert score == Fraction(EXAMPLE["points"])
    made = worth(opponents, int(2 * score))
    assert made.rc == EXAMPLE["opponents_mean"]
    assert made.games == EXAMPLE["games"]
    assert made.percent == EXAMPLE["percent"]
    assert made.difference == EXAMPLE["d_of_p"]
    assert made.rp == EXAMPLE["performance"]
