"""Calculates a list again from the open data of a site: the standard library is enough.

    python examples/recompute.py FOLDER Standard 2026-10 classical

FOLDER has the files of /data. The list goes by FIDE's rules since March 2024 (B.02 8.3), all its
tournaments are of the rate of play, and a period ends on the day before its list is in force.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

STEPS = (
    4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163,
    171, 180, 189, 198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375,
    392, 412, 433, 457, 485, 518, 560, 620, 736,
)  # fmt: skip
"""8.1.2: from these differences on the higher rated is expected to score 51 %, 52 % …"""
POINTS = {"1-0": 100, "1/2-1/2": 50, "0-1": 0}
"""White's points, in hundredths; what else stands as a result is not rated (5.1)."""
UNCAPPED = 2650
UNCAPPED_FROM = "2025-10-01"
"""8.3.1: from this rating on, in tournaments from this day on, every difference counts as it is."""
Row = dict[str, str]


def read(folder: Path, table: str) -> list[Row]:
    """Return the rows of a table, from the file that ``datapackage.json`` names."""
    package = json.loads((folder / "datapackage.json").read_text("utf-8"))
    (path,) = (each["path"] for each in package["resources"] if each["name"] == f"{table}-csv")
    with (folder / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def expected(own: int, other: int, day: str) -> int:
    """Return the expected score in hundredths; 400 is the most that a difference counts."""
    is_capped = own < UNCAPPED or day < UNCAPPED_FROM
    difference = min(abs(own - other), 400) if is_capped else abs(own - other)
    share = sum(step <= difference for step in STEPS)
    return 50 + share if own >= other else 50 - share


def recompute(
    folder: Path, name: str, period: str, rate: str, *, corrected: bool = True
) -> dict[str, tuple[int, int | None]]:
    """Return each player's published change and the one that the games come to, by id.

    Of a first rating there is neither: what it is made of stands in no file. The second is None for
    a player without a rating in the list before. Without ``corrected`` the games are as they stood
    before what was corrected since the list is in force.
    """
    lists: dict[str, dict[str, Row]] = {}  # the newest edition, by the day from which it holds
    for row in sorted(read(folder, "lists"), key=lambda row: int(row["edition"])):
        if row["list"] == name:
            rows = lists.get(row["in_force_on"], {})
            is_same = rows and next(iter(rows.values()))["edition"] == row["edition"]
            lists[row["in_force_on"]] = (rows if is_same else {}) | {row["id"]: row}
    days = sorted(lists)
    place = [next(iter(lists[day].values()))["period"] for day in days].index(period)
    if place == 0:
        sys.exit(f"{period} is the first list of {name}: what was before it stands in no file")
    since, until = days[place - 1], days[place]  # the list before, and this one

    def rating(player: str, day: str) -> int:
        """Return the rating in the list that is in force on a day; 0: none."""
        row = lists[max(each for each in days if each <= day)].get(player)
        return int(row["rating"]) if row else 0

    results = {}
    for row in [] if corrected else reversed(read(folder, "corrections")):
        if row["round"] and row["recorded_on"] >= until:
            results[row["tournament"], row["round"], row["white"], row["black"]] = row["was"]
    events = {row["tournament"]: row for row in read(folder, "tournaments")}
    gains: dict[str, list[int]] = defaultdict(list)
    for game in read(folder, "games"):
        event = events[game["tournament"]]
        key = game["tournament"], game["round"], game["white"], game["black"]
        white = POINTS.get(results.get(key, game["result"]))
        is_rated = event["accepted"] == "yes" and event["rate_of_play"] == rate
        if not is_rated or white is None or not since <= event["end"] < until:
            continue
        for player, opponent, points in (
            (game["white"], game["black"], white), (game["black"], game["white"], 100 - white),
        ):  # fmt: skip
            own = rating(player, event["start"]) or rating(player, since)  # 8.2.4
            if other := rating(opponent, event["start"]):
                gains[player].append(points - expected(own, other, event["start"]))
    changes: dict[str, tuple[int, int | None]] = {}
    for player, row in lists[until].items():
        if row["change"]:
            sums, before = gains[player], lists[since].get(player)
            k = min(int(before["k"]) if before else 0, 700 // max(len(sums), 1))  # 8.3.3
            change = (Decimal(k * sum(sums)) / 100).quantize(Decimal(1), ROUND_HALF_UP)  # 8.3.4
            is_known = before is not None and before["provisional"] == "no"
            changes[player] = int(row["change"]), int(change) if is_known else None
    return changes


def main(folder: str, name: str, period: str, rate: str) -> None:
    """Print how many changes come out as published, and every row that does not."""
    now = recompute(Path(folder), name, period, rate)
    then = recompute(Path(folder), name, period, rate, corrected=False)
    same = [player for player, (out, change) in now.items() if out == change]
    earlier = [player for player in now.keys() - same if then[player][0] == then[player][1]]
    print(f"{len(same)} of {len(now)} changes come out as published,")
    print(f"{len(earlier)} more with the results before a later correction.")
    for player in sorted(now.keys() - same - set(earlier)):
        print(f"{player}: published {now[player][0]:+}, from these files {now[player][1]}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder, name, period, rate]:
            main(folder, name, period, rate)
        case _:
            sys.exit("usage: python examples/recompute.py FOLDER LIST PERIOD RATE_OF_PLAY")
