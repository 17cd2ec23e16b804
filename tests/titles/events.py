"""Events of eleven players for the tests of titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.ledgers import GAMES_HEADER

NAMES = "ABCDEFGHIJK"
_OF = ("CHI", "CHI", "ARG", "ARG", "BRA", "BRA", "CUB", "CUB", "MEX", "MEX", "PER")
FEDERATIONS = dict(zip(NAMES, _OF, strict=True))
WINS = ("AJ", "AK")  # all else is drawn: A has 6 of 10, everybody else 5 or 4.5


def schedule(players: str) -> Iterator[tuple[int, str, str]]:
    """Yields round, white and black of an all-play-all."""
    circle = [*players] if len(players) % 2 == 0 else [*players, ""]
    for round_ in range(1, len(circle)):
        for n in range(len(circle) // 2):
            white, black = sorted((circle[n], circle[-1 - n]))
            if white:
                yield round_, white, black
        circle.insert(1, circle.pop())


def event(
    name: str = "t",
    start: str = "2010-08-02",
    *,
    players: str = NAMES,
    wins: Iterable[str] = WINS,
    system: str = "round-robin",
    leave_out: Iterable[str] = (),
) -> str:
    rows = [GAMES_HEADER]
    won = set(wins)
    for round_, white, black in schedule(players):
        result = {white + black: "1-0", black + white: "0-1"}
        said = next((result[w] for w in won & result.keys()), "1/2-1/2")
        if white + black not in leave_out:
            rows.append(
                f"{name},{name},{start},{start},{system},classical,,{round_},,"
                f"{white},{black},{said}\n"
            )
    return "".join(rows)
