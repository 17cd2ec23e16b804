"""How the federation numbers its players: who is new gets the next id by its rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ledger.errors import InputRefused
from ledger.views.view import LedgerView

USUAL_RULE: Final = "N#####"
"""Where nobody said one."""
_RULE: Final = re.compile(r"([^#%]*)(#+)(%?)([^#%]*)")


@dataclass(frozen=True, slots=True)
class IdRule:
    """How the federation numbers its players: ``before``, a counter of ``width``, ``behind``.

    A check digit behind the counter is Luhn's (ISO/IEC 7812-1).
    """

    before: str
    width: int
    has_check_digit: bool
    behind: str

    @classmethod
    def parse(cls, text: str) -> IdRule:
        """Reads a rule: ``CHI#####`` counts in five digits, ``#####%`` has a check digit behind.

        Raises:
            InputRefused: it is none.
        """
        found = _RULE.fullmatch(text)
        if found is None or not text.isprintable():
            raise InputRefused("player.bad_id_rule", value=text)
        return cls(found[1], len(found[2]), bool(found[3]), found[4])

    def id_of(self, number: int) -> str:
        """Returns the id with a number.

        >>> IdRule.parse("CHI####").id_of(7), IdRule.parse("#####%").id_of(7992739)
        ('CHI0007', '79927398')
        """
        counter = f"{number:0{self.width}}"
        check = _luhn(counter) if self.has_check_digit else ""
        return f"{self.before}{counter}{check}{self.behind}"

    def unused(self, ids: Iterable[str]) -> Iterator[str]:
        """Yields ids beyond all that were given by the rule, in order."""
        digits = rf"([0-9]{{{self.width},18}}){'[0-9]' if self.has_check_digit else ''}"
        given = re.compile(re.escape(self.before) + digits + re.escape(self.behind))
        last = max((int(found[1]) for id_ in ids if (found := given.fullmatch(id_))), default=0)
        while True:
            last += 1
            yield self.id_of(last)


def _luhn(digits: str) -> str:
    """Returns the check digit of digits.

    >>> _luhn("7992739871")
    '3'
    """
    doubled = (int(digit) * (2 - place % 2) for place, digit in enumerate(reversed(digits)))
    return str(-sum(each - 9 * (each > 9) for each in doubled) % 10)  # noqa: PLR2004


def unused_ids(view: LedgerView) -> Iterator[str]:
    """Yields ids by the federation's rule that nobody has, or ever had."""
    ids = view.facts().player_ids
    return (
        id_
        for id_ in IdRule.parse(view.federation.new_ids or USUAL_RULE).unused(ids)
        if id_ not in ids
    )
