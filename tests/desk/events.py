"""Events for tests of the desk, written as an arbiter does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import count

from ledger.desk.score_sheet import ScoreSheet, score_sheet
from ledger.events.tournaments import TournamentOpened
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.results import BYE_OF_LETTER, Result
from ledger.terms import Rate, System

FIRST_DAY = dt.date(2010, 7, 1)


def event(
    *rounds: str,
    system: System = System.SWISS,
    players: int = 0,
    announced: int | None = None,
    withdrawn: Mapping[int, int] | None = None,
    temporary: Sequence[tuple[int, int]] = (),
) -> TournamentRecord:
    """Returns a tournament whose players have their starting numbers for ids.

    Args:
        rounds: its rounds, ``"1-5 1-0, 8-4 ½, 6-2 +/-, 3-7 *, 9 U"``; byes by letter.
        system: how it is paired.
        players: how many there are (default: the highest number).
        announced: number of rounds.
        withdrawn: first rounds missed, by number.
        temporary: rounds and White's numbers of results for the pairing only.
    """
    opened = TournamentOpened(
        tournament="t", name="T", starts_on=FIRST_DAY, ends_on=FIRST_DAY, system=system,
        rate_of_play=Rate.CLASSICAL, rounds=announced,
    )  # fmt: skip
    record = TournamentRecord(opened)
    seqs, highest = count(1), players
    for round_, boards in enumerate(rounds, start=1):
        for board in boards.split(","):
            pairing = _pairing(next(seqs), round_, board, temporary)
            for player in pairing.players:
                record.pairings[round_, player] = pairing
                highest = max(highest, int(player))
    record.entries.update({str(number): number for number in range(1, highest + 1)})
    record.withdrawn.update({str(number): r for number, r in (withdrawn or {}).items()})
    return record


def _pairing(
    seq: int, round_: int, board: str, temporary: Sequence[tuple[int, int]]
) -> PairingRecord:
    who, result = board.split()
    white, _, black = who.partition("-")
    if not black:
        return PairingRecord(Seq(seq), round_, white, None, BYE_OF_LETTER[result])
    if result == "*":
        return PairingRecord(Seq(seq), round_, white, black, None, "adjourned")
    status = "temporary" if (round_, int(white)) in temporary else "recorded"
    return PairingRecord(seq, round_, white, black, Result.parse(result), status)  # type: ignore[arg-type]


def rated(record: TournamentRecord, *ratings: int | None) -> ScoreSheet:
    """Returns the score sheet of an event with ratings by number, from 1."""
    by_id = {str(n): rating for n, rating in enumerate(ratings, start=1) if rating is not None}
    return score_sheet(record, by_id)


def sheet_of(*rounds: str, after: int | None = None, **about: object) -> ScoreSheet:
    """Returns the score sheet of ``event`` of the same arguments."""
    return score_sheet(event(*rounds, **about), after=after)  # type: ignore[arg-type]


NINE = (
    "1-5 1-0, 6-2 1-0, 3-7 1-0, 8-4 ½, 9 U",
    "9-1 1-0, 6-3 1-0, 4-2 ½, 5-8 0-1, 7 U",
    "9-6 ½, 1-8 1-0, 2-3 0-1, 7-4 0-1, 5 U",
    "6-1 ½, 3-9 1-0, 4-5 ½, 8-7 ½, 2 U",
)
"""A Swiss of nine players in four rounds, with a bye in each."""
