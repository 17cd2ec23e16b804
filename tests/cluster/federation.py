"""A small federation in which everything happens that is not plain, and three lists over it.

Newcomers, all-play-alls with and without them, byes, forfeits, players of several events, a merged
id, results corrected after their list went out, under both policies, events of two months, players
who fall below FIDE's floor, and an event of another rate of play.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from random import Random

from ledger.journal.interface import Journal
from ledger.operations.commands import CorrectResult, MergePlayers
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)

LISTS = ("ENF", "FIDE", "LATE")
_PLAYERS = 40
_UNRATED = 12
_MONTHS = 8
_RESULTS = ("1-0", "0-1", "1/2-1/2", "1-0", "0-1", "1/2-1/2", "+/-", "1-0s")


def filled(journal: Journal | None = None) -> Ledger:
    """Returns the ledger on a journal, by default one in memory; all is sealed that can be."""
    ledger, random = empty_ledger(journal), Random(7)  # noqa: S311 - the same every time
    define(ledger, first_on=dt.date(2024, 1, 1))
    define(ledger, "LATE", first_on=dt.date(2024, 1, 1), policy="next-list")
    define(ledger, "FIDE", first_on=dt.date(2024, 1, 1), regulation="fide-standard")
    rated = "".join(
        f"p{number},P{number},,,{1950 + number},{random.randint(1300, 2300)},,50\n"
        for number in range(_PLAYERS - _UNRATED)
    )
    new = "".join(f"p{n},P{n},,,{1970 + n},,,\n" for n in range(_PLAYERS - _UNRATED, _PLAYERS))
    new += "extra,Extra,,,,,,\n"
    for name in LISTS:
        import_text(ledger, PLAYERS_HEADER + rated, list_=name)
    import_text(ledger, PLAYERS_HEADER + new)
    for month in range(1, _MONTHS + 1):
        for number in range(3):
            import_text(ledger, event(f"t{month}-{number}", month, number))
        if month == 3:
            only = "t3-9,t3-9,2024-03-02,2024-03-02,match,classical,"
            import_text(ledger, f"{GAMES_HEADER}{only},1,,extra,p5,1-0\n")
        if month <= _MONTHS - 2:
            for name in "ENF", "LATE":
                publish_period(ledger, f"2024-{month:02}", name)
        if month == 4:
            _, white, black = first_pairing("t2-0")
            corrected = CorrectResult(
                tournament="t2-0", round=1, white=white, black=black, result=Result.parse("-/+")
            )
            do(ledger, corrected)
        if month == 6:
            do(ledger, MergePlayers(player="extra", into="p3", on=dt.date(2024, 6, 1)))
    ledger.facts()
    return ledger


def event(name: str, month: int, number: int) -> str:
    """Returns an event as a games file: a Swiss, an all-play-all, or one of two months."""
    start = dt.date(2024, month, 12)
    end = start + dt.timedelta(days=(4, 4, 25)[number])
    system = ("swiss", "round-robin", "swiss")[number]
    rate = "blitz" if name == "t5-0" else "classical"
    about = f"{name},{name},{start},{end},{system},{rate},"
    lines = [f"{about},{game}\n" for game in games(name, system)]
    return GAMES_HEADER + "".join(lines)


def games(name: str, system: str) -> Iterator[str]:
    """Yields ``round,date,white,black,result``."""
    random = Random(name)  # noqa: S311 - the same every time
    if system == "round-robin":
        # Every second one among rated players only.
        last = _PLAYERS - _UNRATED if int(name[1]) % 2 else _PLAYERS
        field = random.sample(range(last), 6)
        for round_, pairs in enumerate(_rounds(len(field)), start=1):
            for a, b in pairs:
                yield f"{round_},,p{field[a]},p{field[b]},{random.choice(_RESULTS[:6])}"
        return
    field = random.sample(range(_PLAYERS), 21)
    for round_ in range(1, 6):
        random.shuffle(field)
        yield f"{round_},,p{field[20]},,U"
        for board in range(10):
            white, black = field[2 * board], field[2 * board + 1]
            result = random.choice(_RESULTS)
            yield f"{round_},,p{white},p{black},{result}"


def first_pairing(name: str) -> tuple[str, str, str]:
    """Returns the first board of a Swiss: round, white and black."""
    _, pairing, *_ = games(name, "swiss")
    round_, _, white, black, _ = pairing.split(",")
    return round_, white, black


def _rounds(count: int) -> Iterator[list[tuple[int, int]]]:
    """Yields the pairings of an all-play-all of an even number of players, round by round."""
    circle = list(range(count))
    for _ in range(count - 1):
        yield [(circle[n], circle[-1 - n]) for n in range(count // 2)]
        circle[1:] = [circle[-1], *circle[1:-1]]
