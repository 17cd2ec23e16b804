"""Draws the mean rating of a list through its periods, with how many have one.

    python examples/inflation.py [LEDGER LIST]

Without arguments it takes the shipped example, July and August 2010. It prints a line for each
period and writes ``inflation.svg``.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from ledger.application import Export, OpenLedger, open_ledger
from ledger.exports.columns import batch

WIDTH, HEIGHT, MARGIN = 640, 320, 48


def main(arguments: list[str]) -> None:
    """Prints and draws the mean of a ledger's list."""
    url, name = arguments or ("", "ENF")
    with TemporaryDirectory() as folder, open_ledger(url or example_in(folder)) as ledger:
        means = mean_by_period(ledger, name)
    print("period   players     mean")
    for period, players, mean in means:
        print(f"{period:<8} {players:>7} {round(mean):>8}")
    Path("inflation.svg").write_text(picture(name, means), encoding="utf-8")


def mean_by_period(ledger: OpenLedger, name: str) -> list[tuple[str, int, Fraction]]:
    """Returns for each period how many players have a rating, and their mean."""
    table = ledger.table_of(Export.RATINGS, name)
    rows = pa.Table.from_batches([batch(table.columns, page) for page in table.pages])
    grouped = (
        rows.unify_dictionaries()
        .group_by("period", use_threads=False)
        .aggregate([("rating", "count"), ("rating", "sum")])
    )
    return [
        (row["period"], row["rating_count"], Fraction(row["rating_sum"], row["rating_count"]))
        for row in grouped.to_pylist()
        if row["rating_count"]
    ]


def picture(name: str, means: list[tuple[str, int, Fraction]]) -> str:
    """Returns the means as an SVG: a point for each period, from the first to the last."""
    values = [float(mean) for _, _, mean in means]
    low, high = min(values) - 1, max(values) + 1
    step = (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    places = [
        (
            MARGIN + step * number,
            HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (mean - low) / (high - low),
        )
        for number, mean in enumerate(values)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    points = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4">'
        f"<title>{period}: {round(mean)} ({players})</title></circle>"
        for (x, y), (period, players, mean) in zip(places, means, strict=True)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
            f'<text x="{MARGIN}" y="24">{name}: {means[0][0]} – {means[-1][0]}</text>',
            f'<polyline points="{path}" fill="none" stroke="#1b6ca8"/>',
            *points,
            "</svg>",
            "",
        ]
    )


def example_in(folder: str) -> Path:
    """Makes a ledger of the shipped example in a folder; returns its file."""
    file = Path(folder, "example.db")
    with open_ledger(file, create=True) as ledger:
        ledger.record(
            "define-list", actor="example", list="ENF", regulation="enf-2010", calendar="monthly",
            first_on="2010-07-01",
        )  # fmt: skip
        example = resources.files("ledger.examples") / "enf_2010"
        for name, list_ in (("players.csv", "ENF"), ("ymca.csv", None), ("agosto.csv", None)):
            ledger.import_file(Path(str(example / name)), actor="example", list=list_)
    return file


if __name__ == "__main__":
    main(sys.argv[1:])
