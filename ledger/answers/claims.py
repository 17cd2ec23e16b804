"""What somebody may say is wrong: a game as it is recorded, and until when they may say it."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass

from ledger.answers.tournaments import (
    listed_tournament,
    lists_of_tournament,
    require_tournament,
)
from ledger.errors import InputRefused, NotFound
from ledger.facts.as_of import AsOf
from ledger.identifiers import PlayerId, Seq, TournamentId
from ledger.json_form import JsonForm
from ledger.reports.cascade import result_said
from ledger.reports.statement import PersonRef
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class QuestionedGame(JsonForm):
    """A game by the event that has the last word on it, White first; ``result`` is in notation."""

    seq: Seq
    tournament: TournamentId
    title: str
    round: int
    players: tuple[PersonRef, PersonRef]
    result: str | None


def questioned_game(view: LedgerView, seq: Seq) -> QuestionedGame:
    """Returns a game of two players.

    Raises:
        NotFound: the event is about no such game.
        VerificationFailed: an event is not what was recorded.
    """
    facts = view.facts()
    event = view.event_check().read(seq)[0] if seq <= facts.seq else None
    payload = json.loads(event.payload) if event else {}
    if event is None or not {"tournament", "round", "white", "black"} <= payload.keys():
        raise NotFound("claim.no_game", seq=seq)
    tournament = payload["tournament"]
    version = AsOf(facts, facts.seq).tournament(facts.tournament_index[tournament])
    players = _person(view, payload["white"]), _person(view, payload["black"])
    title = version.name if version else tournament
    result = result_said(event.type, payload)
    return QuestionedGame(seq, tournament, title, payload["round"], players, result)


def _person(view: LedgerView, player: str) -> PersonRef:
    facts = view.facts()
    name = view.people(facts).name(facts.player_index[player])
    return PersonRef(PlayerId(player), name or None)


@dataclass(frozen=True, slots=True)
class ClaimableTournament:
    """Where a claim about a game of a tournament is made: in a period of a list.

    ``players`` are those of the tournament, in the order of their numbers.
    """

    title: str
    list: str
    period: str
    players: tuple[PersonRef, ...]


def claimable_tournament(view: LedgerView, tournament: str) -> ClaimableTournament:
    """Returns the first list that rates a tournament, and the period in which it falls.

    Raises:
        NotFound: there is no such tournament, or no list in whose periods it falls.
    """
    record = require_tournament(view, tournament, view.facts().seq)
    for name in lists_of_tournament(view, tournament):
        try:
            period = listed_tournament(view, tournament, name).period.name
        except InputRefused:  # it ended before the list began
            continue
        players = tuple(_person(view, player) for player, _ in record.by_number)
        return ClaimableTournament(record.version.name, name, period, players)
    raise NotFound("claim.in_no_list", tournament=record.version.name)


@dataclass(frozen=True, slots=True)
class ClaimDeadline:
    """The last day on which a claim may be made, None: there is none; and whether it is over."""

    on: dt.date | None
    is_over: bool


def claim_deadline(view: LedgerView, name: str, period: str, days: int) -> ClaimDeadline:
    """Returns until when a claim about a period of a list may be made.

    That is so many ``days`` after its first edition; where none went out, or ``days`` is 0, always.
    """
    known = view.facts().lists.get(name)
    for _, edition in known.publications if known and days else ():
        if edition.period == period:
            last = edition.published_on + dt.timedelta(days=days)
            return ClaimDeadline(last, view.today > last)
    return ClaimDeadline(None, is_over=False)
