"""A tournament as its report shows it: each player's rounds, by starting number."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any, TypeAlias

from ledger.errors import InputRefused
from ledger.facts.columns import Facts
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.lists.people import People
from ledger.rating.decimal_text import points
from ledger.results import Bye, Result, Termination
from ledger.terms import System

Rounds: TypeAlias = dict[str, dict[int, PairingRecord]]
_NAMED = 10  # players in a message
_SCORES = {0: "0", 1: "½", 2: "1"}
_SUFFIX = {Termination.SHORT: "s", Termination.ADJUDICATED: "a"}


def crosstable(record: TournamentRecord, facts: Facts, people: People) -> dict[str, Any]:
    """Returns the tournament as JSON data.

    A round is written as the opponent's starting number, the colour and the result: ``12w1``,
    ``3b½``, ``7w+``; a bye by its letter; ``*`` where there is no result yet. ``cancelled`` and
    ``awarded`` (wins without play) say why points and rounds differ: see ``score``.
    """
    about = record.version
    rounds = rounds_of(record)
    cancelled = cancelled_in(record, rounds)
    players = [
        {
            "number": number,
            "id": player,
            "name": people.name(facts.player_index[player]) or "",
            "points": points(score(record, player, rounds)),
            "withdrew_from": record.withdrawn.get(player),
            "cancelled": player in cancelled,
            "awarded": awarded(record, player, rounds),
            "rounds": {
                str(round_): _cell(record, pairing, player)
                for round_, pairing in sorted(rounds[player].items())
            },
        }
        for player, number in sorted(record.entries.items(), key=lambda entry: entry[1])
    ]
    last = max((round_ for round_, _ in record.pairings), default=0)
    return {
        "tournament": {
            "id": about.tournament,
            "name": about.name,
            "start": about.starts_on.isoformat(),
            "end": about.ends_on.isoformat(),
            "system": about.system.value,
            "rate_of_play": about.rate_of_play.value,
            "merit_hundredths": about.merit_hundredths,
            "annulled": record.annulled,
            "rated_in": dict(sorted(record.rated_in.items())),
        },
        "rounds": max(last, about.rounds or 0),
        "players": players,
    }


def require_entered(record: TournamentRecord) -> None:
    """Refuses a tournament that cannot be laid out by starting number: somebody has none.

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    if strangers := record.strangers:
        raise InputRefused(
            "tournament.never_entered",
            tournament=record.version.tournament,
            count=len(strangers),
            players=", ".join(strangers[:_NAMED]) + (", …" if strangers[_NAMED:] else ""),
            first=strangers[0],
        )


def rounds_of(record: TournamentRecord) -> Rounds:
    """Returns the pairings of each player, by round.

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    require_entered(record)
    rounds: Rounds = {player: {} for player in record.entries}
    for (round_, player), pairing in record.pairings.items():
        rounds[player][round_] = pairing
    return rounds


def score(record: TournamentRecord, player: str, rounds: Rounds) -> int:
    """Returns a player's score in half points, as the rule on withdrawals has it.

    In an all-play-all, who withdrew before half of his games is cancelled: his games count for
    nobody. Later, the games he did not play are wins for his opponents: two to whom nothing was
    played in two cycles. (Chavarría 1975; in a Swiss they are lost for him, and nobody is paired
    with him any more.)
    """
    pairings = rounds[player].values()
    if record.version.system is not System.ROUND_ROBIN:
        return sum(halves_of(pairing, player) for pairing in pairings)
    cancelled = cancelled_in(record, rounds)
    if player in cancelled:
        return 0
    counted = (p for p in pairings if _opponent(p, player) not in cancelled)
    return sum(halves_of(p, player) for p in counted) + 2 * awarded(record, player, rounds)


def awarded(record: TournamentRecord, player: str, rounds: Rounds) -> int:
    """Returns how many games that are due with those who withdrew are wins for a player.

    None in a Swiss, none where he withdrew himself (nothing says which of the two would have been
    there), none against who is cancelled.
    """
    if record.version.system is not System.ROUND_ROBIN or player in record.withdrawn:
        return 0
    met = Counter(_opponent(pairing, player) for pairing in rounds[player].values())
    withdrawn = record.withdrawn.keys() - cancelled_in(record, rounds)
    each = cycles(record)
    return sum(max(0, each - met[other]) for other in withdrawn)


def cancelled_in(record: TournamentRecord, rounds: Rounds) -> set[str]:
    """Returns who counts for nobody: in an all-play-all, who withdrew before half of his games.

    Half of all that were scheduled: with n players n - 1 games in each cycle.
    """
    if record.version.system is not System.ROUND_ROBIN:
        return set()
    scheduled = cycles(record) * (len(record.entries) - 1)
    return {p for p in record.withdrawn if _played(rounds[p]) * 2 < scheduled}


def cycles(record: TournamentRecord) -> int:
    """Returns how many times each pair of an all-play-all is to meet: 2 in a double one.

    That is what its number of rounds makes room for, where it is known, and at least as often as
    most pairs of those who stayed were paired: a game to break a tie makes no second cycle.
    """
    players = len(record.entries)
    rounds_each = players - 1 + players % 2
    announced = (record.version.rounds or 0) // max(1, rounds_each)
    return max(1, announced, _usual_meetings(record))


def _usual_meetings(record: TournamentRecord) -> int:
    """Returns how many times more than half of the pairs of those who stayed were paired."""
    stayed = record.entries.keys() - record.withdrawn.keys()
    pairings = {pairing.seq: pairing for pairing in record.pairings.values()}.values()
    met = Counter(frozenset((pairing.white, pairing.black)) for pairing in pairings)
    times = sorted((met[frozenset(pair)] for pair in combinations(stayed, 2)), reverse=True)
    return times[len(times) // 2] if times else 0


def _played(rounds: dict[int, PairingRecord]) -> int:
    return sum(
        isinstance(pairing.result, Result) and pairing.result.termination is not Termination.FORFEIT
        for pairing in rounds.values()
    )


def _opponent(pairing: PairingRecord, player: str) -> str | None:
    return pairing.black if player == pairing.white else pairing.white


def halves_of(pairing: PairingRecord, player: str) -> int:
    """Returns what a pairing gave a player, in half points."""
    match pairing.result:
        case None:
            return 0
        case Bye():
            return pairing.result.halves
        case Result():
            return pairing.result.halves[0 if player == pairing.white else 1]


def _cell(record: TournamentRecord, pairing: PairingRecord, player: str) -> str:
    result = pairing.result
    if isinstance(result, Bye):
        return result.letter
    white = player == pairing.white
    opponent = (pairing.black if white else pairing.white) or ""
    place = f"{record.entries[opponent]}{'w' if white else 'b'}"
    if result is None:
        return f"{place}*"
    halves = result.halves[0 if white else 1]
    if result.termination is Termination.FORFEIT:
        return f"{place}{'+' if halves else '-'}"
    suffix = "t" if pairing.status == "temporary" else _SUFFIX.get(result.termination, "")
    return f"{place}{_SCORES[halves]}{suffix}"
