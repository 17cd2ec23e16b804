"""What the desk knows of an event and no record of a report says, in comments of this program.

A check of the file needs it to pair the rounds again; other programs pass over it (TRF26, remark
1)::

    ### rating-ledger pairing: fenamac-1975
    ### rating-ledger tie-breaks: median,solkoff
    ### rating-ledger bye lots: a seed
    ### rating-ledger cycles: 2
    ### rating-ledger last rounds exchanged: yes
    ### rating-ledger pairing ratings: 3=1850 5=1700
    ### rating-ledger numbers by: lot
    ### rating-ledger numbers apart from the ratings: 10 11
    ### rating-ledger round 1 paired by numbers: 2 1 3
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger.intake.trf.cells import control_in
from ledger.intake.trf.report import TrfReport
from ledger.terms import PairingMethod

BY_RATING: Final = "rating"
_BASES: Final = frozenset((BY_RATING, "entry", "hand", "lot", "varma"))
_COMMENT: Final = re.compile(r"### rating-ledger ([a-z][a-z -]*[a-z]): (.+)")
_ROUND: Final = re.compile(r"### rating-ledger round ([0-9]{1,3}) paired by numbers: (.+)")
_MOST_CYCLES: Final = 9
_MOST_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskComments:
    """What the comments say.

    ``numbers_by`` is how the starting numbers were given. Those in ``apart`` do not stand by their
    rating: who has them was entered, or rated, when numbers had been given. ``ratings`` are those
    for the pairing, by number, where they are other ones than the file's. ``orders`` are by round
    the numbers of the file in the order of the numbers by which that round was paired.
    """

    pairing: PairingMethod | None = None
    tie_breaks: tuple[str, ...] = ()
    bye_lots: str | None = None
    cycles: int | None = None
    exchange_last_rounds: bool = False
    numbers_by: str = BY_RATING
    apart: tuple[int, ...] = ()
    ratings: Mapping[int, int] = field(default_factory=dict)
    orders: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """Yields the comments, without line ends."""
        ratings = (f"{number}={rating}" for number, rating in sorted(self.ratings.items()))
        values = {
            "pairing": self.pairing.value if self.pairing else "",
            "tie-breaks": ",".join(self.tie_breaks),
            "bye lots": self.bye_lots or "",
            "cycles": str(self.cycles or ""),
            "last rounds exchanged": "yes" if self.exchange_last_rounds else "",
            "pairing ratings": " ".join(ratings),
            "numbers by": "" if self.numbers_by == BY_RATING else self.numbers_by,
            "numbers apart from the ratings": " ".join(map(str, self.apart)),
        }
        for round_, order in sorted(self.orders.items()):
            values[f"round {round_} paired by numbers"] = " ".join(map(str, order))
        yield from (f"### rating-ledger {key}: {value}" for key, value in values.items() if value)


def desk_comments(report: TrfReport) -> DeskComments:
    """Returns what the comments of a report say; what cannot be is passed over."""
    values: dict[str, str] = {}
    orders: dict[int, tuple[int, ...]] = {}
    for record in report.records:
        if record.code or control_in(record.text) is not None:
            continue
        if found := _COMMENT.fullmatch(record.text):
            values[found[1]] = found[2]
        elif found := _ROUND.fullmatch(record.text):
            orders[int(found[1])] = _numbers(report, found[2])
    ratings = dict(_ratings(report, values.get("pairing ratings", "")))
    by, pairing, cycles = (values.get(key, "") for key in ("numbers by", "pairing", "cycles"))
    return DeskComments(
        pairing=PairingMethod(pairing) if pairing in tuple(PairingMethod) else None,
        tie_breaks=tuple(filter(None, values.get("tie-breaks", "").split(","))),
        bye_lots=values.get("bye lots"),
        cycles=_number(cycles) if 0 < _number(cycles) <= _MOST_CYCLES else None,
        exchange_last_rounds="last rounds exchanged" in values,
        numbers_by=by if by in _BASES else BY_RATING,
        apart=_numbers(report, values.get("numbers apart from the ratings", "")),
        ratings=ratings,
        orders={round_: order for round_, order in orders.items() if order},
    )


def _numbers(report: TrfReport, text: str) -> tuple[int, ...]:
    """Returns starting numbers; none where one is no player's, or stands twice."""
    found = tuple(map(_number, text.split()))
    return found if len({*found} & report.by_number.keys()) == len(found) else ()


def _ratings(report: TrfReport, text: str) -> Iterator[tuple[int, int]]:
    for word in text.split():
        number, _, rating = word.partition("=")
        if _number(number) in report.by_number:
            yield _number(number), _number(rating)


def _number(text: str) -> int:
    """Returns a number of few digits; 0 for anything else."""
    fits = len(text) <= _MOST_DIGITS and text.isascii() and text.isdigit()
    return int(text) if fits else 0
