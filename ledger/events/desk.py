"""The tournament desk: what an arbiter decides between the entry list and the report.

What follows from these facts (a pairing proposed, standings, tie-breaks, cards) is calculated and
not recorded. No rating depends on them: who played whom, and how it ended, is said by the events of
``tournaments``. Participants are players, or teams in an event of teams: an id of either is a
``PlayerId``.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field, StringConstraints

from ledger.events.model import CANONICAL, Digest, Line, PlayerId, Round, Seq, TournamentId
from ledger.events.tournaments import StandingsEvent
from ledger.results import Bye
from ledger.terms import PairingMethod

TieBreakCode = Annotated[
    str, StringConstraints(max_length=40, pattern=r"^[A-Za-z][A-Za-z0-9/:+-]*$")
]
Boards = Annotated[tuple[tuple[PlayerId, PlayerId], ...], Field(max_length=5_000)]
"""White and Black of each board, in order."""

Participants = Annotated[tuple[PlayerId, ...], Field(min_length=1, max_length=9_999)]
Halves = Annotated[int, Field(ge=0, le=2)]
Amount = Annotated[int, Field(ge=0, le=10**12)]
HIGHEST_PAIRING_RATING = 4_000
PairingRating = Annotated[int, Field(ge=0, le=HIGHEST_PAIRING_RATING)]
WhyNotPaired: TypeAlias = Literal[
    "announced", "withdrawn", "expelled", "absent-before", "not-entered-yet"
]


class RulesAnnounced(StandingsEvent):
    """The rules of an event, as announced before round 1; replaces all that were announced.

    ``acceleration`` adds points for the pairing. ``bye_by_lot``: the manual's bye is drawn from
    ``lot_seed`` among the lowest score, after round 1. ``bye_halves`` is what a pairing-allocated
    bye is worth (default: a win). ``cycles`` and ``exchange_last_rounds`` are of all-play-alls.
    ``forbidden`` are pairs that must not meet. ``prizes`` are in the smallest unit of the currency,
    from the first place. ``team_boards`` and ``team_reserves`` are of events of teams.
    """

    TYPE = "rules.announced"

    acceleration: Literal["baku"] | None = None
    bye_by_lot: bool | None = None
    bye_halves: Halves | None = None
    cycles: Annotated[int, Field(ge=1, le=8)] | None = None
    exchange_last_rounds: bool | None = None
    first_colour: Literal["white", "black"]
    forbidden: Annotated[tuple[tuple[PlayerId, PlayerId], ...], Field(max_length=999)] | None = None
    lot_seed: Line | None = None
    pairing: PairingMethod
    prizes: Annotated[tuple[Amount, ...], Field(max_length=999)] | None = None
    team_boards: Annotated[int, Field(ge=1, le=99)] | None = None
    team_reserves: Annotated[int, Field(ge=0, le=99)] | None = None
    tie_breaks: Annotated[tuple[TieBreakCode, ...], Field(max_length=20)]
    tournament: TournamentId


class CategoryPrizes(BaseModel):
    """The prizes of a part of the participants, from the first place in it.

    ``category`` are its conditions, as they were announced.
    """

    model_config = CANONICAL

    amounts: Annotated[tuple[Amount, ...], Field(min_length=1, max_length=999)]
    category: Line


class PrizesAnnounced(StandingsEvent):
    """The prizes of categories, beside those by place; replaces all that were announced.

    ``amounts`` are in the smallest unit of the currency.
    """

    TYPE = "prizes.announced"

    prizes: Annotated[tuple[CategoryPrizes, ...], Field(max_length=99)]
    tournament: TournamentId


class EntryDescribed(StandingsEvent):
    """What the pairing needs of a participant; replaces what was said before.

    ``pairing_rating`` is given by the arbiter and reaches no list. A late entry plays from
    ``from_round`` on.
    """

    TYPE = "entry.described"

    from_round: Round | None = None
    pairing_rating: PairingRating | None = None
    player: PlayerId
    tournament: TournamentId


class NumbersAssigned(StandingsEvent):
    """The participants have these starting numbers from now on: 1, 2, … in this order.

    ``varma``: drawn from the seed by the Varma tables. ``first-round``: by ratings that were set
    anew after round 1.
    """

    TYPE = "numbers.assigned"

    basis: Literal["rating", "lot", "hand", "varma", "first-round"]
    participants: Participants
    seed: Line | None = None
    tournament: TournamentId


class AbsenceAnnounced(StandingsEvent):
    """A participant said in time that a round will be missed; it is worth this bye.

    Without a kind the announcement is taken back.
    """

    TYPE = "absence.announced"

    kind: Literal[Bye.HALF, Bye.ZERO] | None = None
    player: PlayerId
    round: Round
    tournament: TournamentId


class AbsenceExcused(StandingsEvent):
    """A participant who missed a round goes on, from this round on, and the arbiter accepts it."""

    TYPE = "absence.excused"

    from_round: Round
    player: PlayerId
    tournament: TournamentId


class PlayerExpelled(StandingsEvent):
    """A participant was expelled: from that round on nobody plays against him."""

    TYPE = "player.expelled"

    from_round: Round
    player: PlayerId
    tournament: TournamentId


class RoundPublished(StandingsEvent):
    """Who plays whom in a round. It is never edited, only withdrawn and published anew.

    ``input_sha256`` is the digest of what the pairing was calculated from, by ``engine`` (its name
    and version). ``by_hand``: the arbiter paired it. ``deviations`` are codes of the rules that it
    breaks. ``not_paired`` says why each of the others does not play.
    """

    TYPE = "round.published"

    boards: Boards
    by_hand: bool | None = None
    bye: PlayerId | None = None
    deviations: Annotated[tuple[Line, ...], Field(max_length=99)] | None = None
    engine: Line
    input_sha256: Digest
    not_paired: (
        Annotated[tuple[tuple[PlayerId, WhyNotPaired], ...], Field(max_length=9_999)] | None
    ) = None
    pairing: PairingMethod
    round: Round
    tournament: TournamentId


class RoundWithdrawn(StandingsEvent):
    """A published round is void, before anything of it was recorded: ``supersedes`` is its seq."""

    TYPE = "round.withdrawn"

    round: Round
    supersedes: Seq
    tournament: TournamentId


class StandingsPublished(StandingsEvent):
    """Standings went out: after which round, by which tie-breaks, and the digest of their rows."""

    TYPE = "standings.published"

    after: Annotated[int, Field(ge=0, le=999)]
    rows_sha256: Digest
    tie_breaks: Annotated[tuple[TieBreakCode, ...], Field(max_length=20)]
    tournament: TournamentId


class TeamEntered(StandingsEvent):
    """A team takes part, with its regular players and reserves in the order of the boards."""

    TYPE = "team.entered"

    name: Line
    pairing_rating: PairingRating | None = None
    participants: Participants
    starting_number: Annotated[int, Field(ge=1, le=9_999)]
    team: PlayerId
    tournament: TournamentId


class LineupHandedIn(StandingsEvent):
    """Who plays for a team in a round, from board 1; None where nobody does.

    It replaces an earlier one for the round.
    """

    TYPE = "lineup.handed-in"

    participants: Annotated[tuple[PlayerId | None, ...], Field(min_length=1, max_length=99)]
    round: Round
    team: PlayerId
    tournament: TournamentId


AnyDeskEvent: TypeAlias = (
    RulesAnnounced
    | PrizesAnnounced
    | EntryDescribed
    | NumbersAssigned
    | AbsenceAnnounced
    | AbsenceExcused
    | PlayerExpelled
    | RoundPublished
    | RoundWithdrawn
    | StandingsPublished
    | TeamEntered
    | LineupHandedIn
)
