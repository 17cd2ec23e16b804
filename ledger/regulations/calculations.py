"""In which versions of this program the calculation of a regulation changed.

The digest of a regulation's sources changes with every renaming. Whether it calculates otherwise,
its pinned lists tell (``tests/laws/pinned_lists.json``): here stands the digest of these lists for
each version that changed them. A test fails where they change without a new version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.regulations.code import DISTRIBUTION, CodeOrigin

VERSIONS: Final = ("0.1.0", "0.2.0.dev0")
"""The versions of this program in their order; the last is that of ``pyproject.toml``."""
CALCULATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "elo-linear": {"0.1.0": "3dc806cb740ea29f"},
    "enf-2010": {"0.1.0": "84fed775343a9dda"},
    "fenamac-1973": {"0.1.0": "b7206ae77caa90f1"},
    "fide-1972": {"0.1.0": "4863dd3bdea41b80"},
    "fide-blitz": {"0.1.0": "041f94ade88263f0"},
    "fide-rapid": {"0.1.0": "4181d84ceb3efb3c"},
    "fide-standard": {"0.1.0": "e886d18c19385c95"},
    "harkness-games": {"0.1.0": "072043a470c200aa"},
    "harkness-percentage": {"0.1.0": "63a9e8c225d75388"},
    "uanl-1975": {"0.1.0": "42bfbef1184cea9b"},
}
"""For each regulation the versions that changed its calculation, with the digest of its lists."""


def calculates_alike(regulation: str, then: CodeOrigin, now: CodeOrigin) -> bool:
    """Whether this program calculates a regulation as the code of an adoption did.

    Code of an unknown version, or of another package, is alike only if its sources are the same.
    """
    if then.sha256 == now.sha256:
        return True
    changes = CALCULATIONS.get(regulation)
    if changes is None or then.distribution != DISTRIBUTION or then.version not in VERSIONS:
        return False
    *_, newest = changes
    return VERSIONS.index(then.version) >= VERSIONS.index(newest)
