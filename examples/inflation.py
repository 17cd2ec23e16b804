"""Draws the mean rating of a list through its periods, with how many have one.

    python examples/inflation.py [LEDGER LIST]

Without arguments it takes the shipped example, July and August 2010. It prints a line for each
period and writes ``inflation.svg``.
"""

from __future__ import annotations

import datetime as dt
import sys
from fractions import Fraction
from importlib import resources
from pathlib import Path

import pyarrow as pa

from ledger.calendar import Calendar
from ledger.exports.columns import batch
from ledger.intake.imports import Document, import_document
from ledger.intake.tables import Export, table_of
from ledger.journal.stores.memory import MemoryJournal
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import define_list

WIDTH, HEIGHT, MARGIN = 640, 320, 48


def main(arguments: list[str]) -> None:
    """Prints and draws the mean of a ledger's list."""
    ledger, name = opened(*arguments) if arguments else (shipped(), "ENF")
    means = mean_by_period(ledger, name)
    print("period   players     mean")
    for period, players, mean in means:
        print(f"{period:<8} {players:>7} {round(mean):>8}")
    Path("inflation.svg").write_text(picture(name, means), encoding="utf-8")


def mean_by_period(ledger: Ledger, name: str) -> list[tuple[str, int, Fraction]]:
    """Returns for each period how many players have a rating, and their mean."""
    table = table_of(ledger, Export.RATINGS, name)
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


def opened(url: str, name: str) -> tuple[Ledger, str]:
    """Opens a ledger to be read."""
    return Ledger(open_ledger(url), clock=lambda: dt.datetime.now(dt.UTC)), name


def shipped() -> Ledger:
    """Returns the shipped example, in memory."""
    ledger = Ledger(MemoryJournal(), clock=lambda: dt.datetime.now(dt.UTC))
    define_list(
        ledger,
        "ENF",
        regulation="enf-2010",
        parameters={},
        calendar=Calendar.MONTHLY,
        first_on=dt.date(2010, 7, 1),
        policy="restate",
        rate_of_play=None,
        closes_days_before=0,
        request=Request("example", "", "define", ""),
    )
    files = resources.files("ledger.examples").joinpath("enf_2010")
    for name, list_ in (("players.csv", "ENF"), ("ymca.csv", None), ("agosto.csv", None)):
        document = Document(name=name, data=files.joinpath(name).read_bytes(), list=list_)
        import_document(ledger, document, Request("example", "", "", ""))
    return ledger


if __name__ == "__main__":
    main(sys.argv[1:])
