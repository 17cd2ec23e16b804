"""What feeds tell, the newest first: which lists went out, what happened to a tournament."""

from __future__ import annotations

import json
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from ledger.answers.commits import commit_of
from ledger.answers.tournaments import require_tournament
from ledger.events.desk import RoundPublished, RoundWithdrawn, StandingsPublished
from ledger.events.lists import ListPublished
from ledger.events.tournaments import TournamentClosed, TournamentOpened
from ledger.reports.cascade import CORRECTING, result_said
from ledger.views.view import LedgerView

PAGE: Final = 25
_SEATS: Final = ("white", "black")
_TOLD: Final = frozenset(
    {
        RoundPublished.TYPE, RoundWithdrawn.TYPE, StandingsPublished.TYPE, TournamentClosed.TYPE,
        TournamentOpened.TYPE, *CORRECTING,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PublishedNews:
    """An edition that went out, by its event and the instant of its commit."""

    seq: int
    recorded_at: str
    edition: ListPublished


@dataclass(frozen=True, slots=True)
class TournamentNews:
    """Something that happened to a tournament; ``round`` is None where it is about no round.

    ``players`` are the names of those whom it is about, ``result`` is what it says of their game.
    One that is ``taken_back`` holds no more.
    """

    seq: int
    recorded_at: str
    type: str
    round: int | None
    players: tuple[str, ...]
    result: str | None
    taken_back: bool


def published_news(view: LedgerView, name: str | None = None) -> list[PublishedNews]:
    """Returns the editions that went out last, of one list or (None) of all, the newest first."""
    facts = view.facts()
    names = facts.lists if name is None else [name]
    found = [each for listed in names for each in facts.lists[listed].publications]
    newest = sorted(found, key=itemgetter(0), reverse=True)[:PAGE]
    return [
        PublishedNews(seq, commit_of(view, seq).recorded_at, edition) for seq, edition in newest
    ]


def tournament_news(view: LedgerView, tournament: str) -> list[TournamentNews]:
    """Returns what happened last to a tournament, the newest first; raises ``NotFound``."""
    seq = view.facts().seq
    require_tournament(view, tournament, seq)
    events = view.journal.streams([f"tournament:{tournament}"], upto=seq)
    checked = view.event_check().checked(events)
    newest = [event for event in checked if event.type in _TOLD][-PAGE:]
    payloads = [json.loads(event.payload) for event in newest]
    facts = view.facts()
    people, undone = view.people(facts), facts.undone_at(facts.seq)
    ids = [[payload[seat] for seat in _SEATS if payload.get(seat)] for payload in payloads]
    people.read(facts.player_index[player] for pair in ids for player in pair)
    found = [
        TournamentNews(
            event.seq, commit_of(view, event.seq).recorded_at, event.type, payload.get("round"),
            tuple(people.name(facts.player_index[player]) or player for player in pair),
            result_said(event.type, payload), event.seq in undone,
        )
        for event, payload, pair in zip(newest, payloads, ids, strict=True)
    ]  # fmt: skip
    return found[::-1]
