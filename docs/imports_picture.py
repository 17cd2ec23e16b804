"""Draws what imports what: the packages in layers, an arrow for each import between them.

A package stands one row above the highest that it imports. An arrow that follows from others (A
imports B, B imports C, A imports C) is left out. So are the modules directly in ``ledger``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path

import grimp

_FACES = ("cli", "web")
LEDGER = Path(__file__).parent.parent / "ledger"
ROW, COLUMN, BOX_HEIGHT, MARGIN = 64, 150, 32, 12
_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
    ' aria-label="The packages of the rating ledger; arrows are imports, and go down"'
    ' font-family="sans-serif" font-size="14">\n'
    "<style>rect{{fill:#eef3f8;stroke:#4a6785}}text{{fill:#1b2a38;text-anchor:middle}}"
    "path{{fill:none;stroke:#7b92a8}}marker path{{fill:#7b92a8;stroke:none}}"
    "@media (prefers-color-scheme:dark){{rect{{fill:#22303d;stroke:#8fa9c4}}"
    "text{{fill:#e6edf3}}}}</style>\n"
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
    ' orient="auto"><path d="M0,0 L8,4 L0,8 z"/></marker></defs>\n'
)
Node = tuple[str, int]
"""A package in its row, or an arrow that passes a row; rows count from 0 at the bottom."""


def imports() -> dict[str, set[str]]:
    """Returns which packages each package imports, as the code has it."""
    graph = grimp.build_graph("ledger", "cli", "web")
    made: dict[str, set[str]] = {}
    for importer in graph.modules:
        upper = _package(importer)
        for imported in graph.find_modules_directly_imported_by(importer):
            lower = _package(imported)
            if upper and lower and upper != lower:
                made.setdefault(upper, set()).add(lower)
    return made


def _package(module: str) -> str:
    """Returns the package a module is drawn as (``ledger.facts.as_of``: facts); "": none."""
    first, second, *_ = *module.split("."), ""
    return first if first in _FACES else second if (LEDGER / second).is_dir() else ""


def reduced(below: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Returns the imports that do not follow from others, sorted.

    Raises:
        RecursionError: imports go round in a circle.
    """

    @cache
    def reach(package: str) -> frozenset[str]:
        its = below.get(package, set())
        return frozenset(its).union(*map(reach, its))

    return sorted(
        (upper, lower)
        for upper, its in below.items()
        for lower in its
        if not any(lower in reach(other) for other in its - {lower})
    )


def picture() -> str:
    """Returns the picture as SVG."""
    below = imports()
    edges = reduced(below)

    @cache
    def row(package: str) -> int:
        return 1 + max((row(each) for each in below.get(package, ())), default=-1)

    paths = [_path(upper, lower, row(upper), row(lower)) for upper, lower in edges]
    places = _places(paths)
    width = MARGIN * 2 + COLUMN * (1 + max(places.values()))
    top = max(at for _, at in places)
    height = MARGIN * 2 + ROW * top + BOX_HEIGHT

    def spot(node: Node) -> tuple[float, int]:
        return MARGIN + COLUMN * (places[node] + 0.5), MARGIN + ROW * (top - node[1])

    boxes = sorted({end for path in paths for end in (path[0], path[-1])})
    lines = [_HEAD.format(width=round(width), height=height)]
    lines += (_arrow([spot(node) for node in path]) for path in paths)
    lines += (_box(name, *spot((name, at))) for name, at in boxes)
    return "".join([*lines, "</svg>\n"])


def _path(upper: str, lower: str, top: int, bottom: int) -> list[Node]:
    """Returns what an arrow passes, row by row."""
    between = [(f"{upper}>{lower}", at) for at in range(top - 1, bottom, -1)]
    return [(upper, top), *between, (lower, bottom)]


def _places(paths: list[list[Node]]) -> dict[Node, float]:
    """Returns the column of every node: near those it is joined with, apart from its neighbours."""
    joined: dict[Node, list[Node]] = {}
    for path in paths:
        for one, other in pairwise(path):
            joined.setdefault(one, []).append(other)
            joined.setdefault(other, []).append(one)
    rows: dict[int, list[Node]] = {}
    for node in sorted(joined):
        rows.setdefault(node[1], []).append(node)
    places = {node: float(i) for row in rows.values() for i, node in enumerate(row)}
    for _ in range(24):
        for at in sorted(rows, reverse=True):
            wanted = {n: sum(places[o] for o in joined[n]) / len(joined[n]) for n in rows[at]}
            nodes = sorted(rows[at], key=lambda node: (wanted[node], node))
            shift = sum(wanted.values()) / len(nodes) - (len(nodes) - 1) / 2
            places |= {node: shift + i for i, node in enumerate(nodes)}
    leftmost = min(places.values())
    return {node: place - leftmost for node, place in places.items()}


def _box(name: str, x: float, y: int) -> str:
    width = 9 * len(name) + 26
    return (
        f'<rect x="{x - width / 2:.0f}" y="{y}" width="{width}" height="{BOX_HEIGHT}" rx="6"/>'
        f'<text x="{x:.0f}" y="{y + 21}">{escape(name)}</text>\n'
    )


def _arrow(spots: list[tuple[float, int]]) -> str:
    (x, y), *others = spots
    y += BOX_HEIGHT
    drawn = [f"M{x:.0f},{y}"]
    for i, (to_x, to_y) in enumerate(others, 1):
        bend = (to_y - y) // 2
        end = to_y - 2 if i == len(others) else to_y + BOX_HEIGHT
        drawn.append(f"C{x:.0f},{y + bend} {to_x:.0f},{to_y - bend} {to_x:.0f},{to_y}")
        if end > to_y:
            drawn.append(f"L{to_x:.0f},{end}")
        x, y = to_x, end
    return f'<path marker-end="url(#tip)" d="{" ".join(drawn)}"/>\n'
