"""The rules of an event as an arbiter says them, in a command or a form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ledger.desk.lots import drawn
from ledger.desk.tie_breaks.registry import PROPOSED
from ledger.errors import InputRefused
from ledger.terms import PairingMethod
from ledger.typed_values import amounts_of, halves_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSaid:
    """The rules of an event but for its pairing system, as they are typed.

    ``tie_breaks`` are codes with commas between them, ``first_colour`` may be drawn from the seed
    ``lot``, ``bye_points`` are 1, 0.5 or 0, ``forbid`` has pairs of ids, ``prizes`` are whole
    numbers with commas between them.
    """

    tie_breaks: str = ""
    first_colour: Literal["white", "black", "lot"] = "white"
    lot: str | None = None
    bye_by_lot: bool = False
    bye_points: str | None = None
    cycles: int | None = None
    exchange_last_rounds: bool = False
    forbid: tuple[tuple[str, str], ...] = ()
    acceleration: Literal["baku"] | None = None
    prizes: str | None = None
    team_boards: int | None = None
    team_reserves: int | None = None

    def fields(
        self, tournament: str, pairing: PairingMethod, *, are_changed: bool = False
    ) -> dict[str, Any]:
        """Returns what ``AnnounceRules`` says of them.

        Without tie-breaks it says those that are proposed for the system; but not where rules that
        were relied on ``are_changed``: then standings would have others.

        Raises:
            InputRefused: points or prizes are no figures, or a lot has no seed.
        """
        codes = tuple(filter(None, (code.strip() for code in self.tie_breaks.split(","))))
        return {
            "tournament": tournament,
            "pairing": pairing,
            "tie_breaks": codes or (() if are_changed else PROPOSED.get(pairing, ())),
            "first_colour": self._first_colour(),
            "lot_seed": self.lot,
            "bye_by_lot": self.bye_by_lot or None,
            "bye_halves": None if self.bye_points is None else halves_of(self.bye_points),
            "cycles": self.cycles,
            "exchange_last_rounds": self.exchange_last_rounds or None,
            "forbidden": self.forbid or None,
            "acceleration": self.acceleration,
            "prizes": None if self.prizes is None else tuple(amounts_of(self.prizes) or ()),
            "team_boards": self.team_boards,
            "team_reserves": self.team_reserves,
        }

    def _first_colour(self) -> str:
        """Returns the colour that is said, or drawn from the seed of the lots."""
        if self.first_colour != "lot":
            return self.first_colour
        if self.lot is None:
            raise InputRefused("desk.lot_without_seed")
        return drawn(self.lot, ("white", "black"))[0]
