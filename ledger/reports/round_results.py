"""A round that no desk published: its pairings in the order in which they were recorded."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from ledger.facts.columns import Facts
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.reports.statement import PersonRef
from ledger.reports.tournaments import require_entered
from ledger.results import Bye, Result


@dataclass(frozen=True, slots=True)
class PairedPlayer(JsonForm):
    """A player of a pairing, with the starting number."""

    number: int
    player: PersonRef


@dataclass(frozen=True, slots=True)
class PairingRow(JsonForm):
    """A pairing; without ``black`` it is a bye, whose ``result`` is its letter.

    ``result`` is in notation, None while there is none; ``temporary`` says that it is for the
    pairing only. ``for_rating`` is what counts for rating where that is another result: empty where
    none does, None where it is the same.
    """

    white: PairedPlayer
    black: PairedPlayer | None
    result: str | None
    temporary: bool
    for_rating: str | None


@dataclass(frozen=True, slots=True)
class RoundResults(JsonForm):
    """A round; ``on`` is the day of its first result, None where it has none."""

    JSON = "tournament name=title round on pairings"

    tournament: str
    title: str
    round: int
    on: dt.date | None
    pairings: tuple[PairingRow, ...]


def round_results(
    record: TournamentRecord, round_: int, facts: Facts, people: People
) -> RoundResults:
    """Returns a round as it is recorded, byes last; without pairings where none is.

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    require_entered(record)

    def paired(player: str) -> PairedPlayer:
        name = people.name(facts.player_index[player])
        return PairedPlayer(record.entries[player], PersonRef(player, name or None))

    its = [pairing for pairing in record.each_pairing if pairing.round == round_]
    rows = (
        PairingRow(
            white=paired(pairing.white),
            black=None if pairing.black is None else paired(pairing.black),
            result=_written(pairing.result),
            temporary=pairing.status == "temporary",
            for_rating=_for_rating(pairing),
        )
        for pairing in sorted(its, key=lambda each: (each.black is None, each.seq))
    )
    return RoundResults(
        tournament=record.version.tournament,
        title=record.version.name,
        round=round_,
        on=record.days.get(round_),
        pairings=tuple(rows),
    )


def _written(result: Result | Bye | None) -> str | None:
    if result is None:
        return None
    return result.letter if isinstance(result, Bye) else str(result)


def _for_rating(pairing: PairingRecord) -> str | None:
    return None if pairing.rating_result is None else str(pairing.rating_result or "")
