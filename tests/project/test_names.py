"""Variables, parameters and fields are nouns: how many are none yet, by room, may only fall.

A name that is no noun tells nothing: what was read is a document, a row or a reply, and what
belongs to a player is ``player.games``.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePath

from tests.project.test_code import modules

NO_NOUNS = frozenset({"asked", "his", "its", "made", "met", "said", "there", "told"})
LEFT = {
    "ledger/archive": 25,
    "ledger/cluster": 10,
    "ledger/desk": 45,
    "ledger/errors": 1,
    "ledger/exports": 3,
    "ledger/facts": 44,
    "ledger/forms": 17,
    "ledger/intake": 55,
    "ledger/journal": 72,
    "ledger/lists": 17,
    "ledger/pictures": 21,
    "ledger/proofs": 3,
    "ledger/rating": 16,
    "ledger/registrar": 19,
    "ledger/regulations": 12,
    "ledger/replay": 37,
    "ledger/reports": 41,
    "ledger/titles": 7,
    "ledger/wording": 2,
}
"""How many there are in each room that has some; when they were first counted, 1,174 in all."""


def no_nouns(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Yields the names that are bound in a module and are none, with their lines.

    >>> [*no_nouns(ast.parse("def f(said: str) -> None:\\n    its = made = said"))]
    [('said', 1), ('its', 2), ('made', 2)]
    """
    for node in ast.walk(module):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) if name in NO_NOUNS:
                yield name, node.lineno
            case _:
                pass


def room_of(path: str) -> str:
    """Returns the room of a module: ``cli``, ``web``, or the package or module of the ledger."""
    parts = PurePath(path).with_suffix("").parts
    return parts[0] if parts[0] != "ledger" else "/".join(parts[:2])


def test_no_name_is_new_that_is_no_noun() -> None:
    found = defaultdict[str, list[str]](list)
    for path, module in modules().items():
        found[room_of(path)] += [f"{path}:{line} {name}" for name, line in no_nouns(module)]
    counts = {room: len(names) for room, names in found.items() if names}
    more = {room: found[room] for room, count in counts.items() if count > LEFT.get(room, 0)}
    assert more == {}, "call it what it is"
    assert counts == LEFT, "fewer are left: say so"
