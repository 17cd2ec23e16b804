"""Tournaments as reports show them: a line for each; one round by round; its participants."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Annotated, Literal, TypeAlias

import numpy as np

from ledger.desk.rounds import has_last_round, is_finished
from ledger.desk.score_sheet import score_sheet
from ledger.errors import InputRefused
from ledger.facts.arrays import Mask
from ledger.facts.as_of import AsOf
from ledger.facts.blocks import ending_of
from ledger.facts.columns import Acceptance, Column, Ending, Facts
from ledger.facts.tables import RATES, SYSTEMS
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq, TournamentId
from ledger.json_form import JsonForm, Key
from ledger.lists.people import People
from ledger.rating.decimal_text import halves_text
from ledger.reports.desk_changes import DeskChange
from ledger.results import Bye, Termination
from ledger.terms import Rate, System

Rounds: TypeAlias = dict[str, dict[int, PairingRecord]]
_NAMED = 10  # players in a message
_SUFFIX = {Termination.SHORT: "s", Termination.ADJUDICATED: "a"}
State: TypeAlias = Literal["open", "closed", "rejected", "annulled"]
Stage: TypeAlias = Literal["not-begun", "running", "finished", "closed", "rejected", "annulled"]


@dataclass(frozen=True, slots=True)
class TournamentLine(JsonForm):
    """A tournament as last corrected.

    ``players`` were entered, ``pairings`` are the games and byes that were not annulled; a report
    that is complete is ``closed``.
    """

    tournament: TournamentId
    name: str
    starts_on: Annotated[dt.date, Key("start")]
    ends_on: Annotated[dt.date, Key("end")]
    system: System
    rate_of_play: Rate
    players: int
    pairings: int
    state: State


@dataclass(frozen=True, slots=True)
class TournamentLines(JsonForm):
    """Some tournaments, by id."""

    tournaments: Sequence[TournamentLine]


def tournament_lines(facts: Facts) -> list[TournamentLine]:
    """Returns all tournaments, by id."""
    known = AsOf(facts, facts.seq)
    about = known.tournaments
    columns = zip(
        facts.tournament_ids,
        known.tournament_names,
        _days(about.starts_on, known.is_open),
        _days(about.ends_on, known.is_open),
        [SYSTEMS[place] for place in about.system.tolist()],
        [RATES[place] for place in about.rate.tolist()],
        facts.entry_counts.tolist(),
        _pairings(known).tolist(),
        _states(facts, about.acceptance),
        strict=True,
    )
    lines = (TournamentLine(*line) for line in compress(columns, known.is_open.tolist()))
    return sorted(lines, key=lambda line: line.tournament)


def _days(ordinals: Column, is_open: Mask) -> list[dt.date]:
    """Returns days; one whose opening was taken back has none, and is not shown."""
    return list(map(dt.date.fromordinal, np.where(is_open, ordinals, 1).tolist()))


def _pairings(known: AsOf) -> Column:
    """Returns how many pairings of each tournament hold."""
    everywhere = len(known.facts.tournaments)
    counts = np.zeros(everywhere, dtype=np.int64)
    for games in known.games_by_block():
        holding = games.tournament[ending_of(games.code) != Ending.ANNULLED]
        counts += np.bincount(holding, minlength=everywhere)
    return counts


def _states(facts: Facts, acceptance: Column) -> list[State]:
    """Returns how each tournament stands; what does not count is not said to be closed."""
    said: dict[int, State] = {Acceptance.REJECTED: "rejected", Acceptance.ANNULLED: "annulled"}
    return [
        said.get(ruling, "closed" if complete else "open")
        for ruling, complete in zip(acceptance.tolist(), facts.is_closed.tolist(), strict=True)
    ]


def state_of(record: TournamentRecord) -> State:
    """Returns how one tournament stands, as its line says it."""
    if record.annulled or record.rejected:
        return "annulled" if record.annulled else "rejected"
    return "closed" if record.closed else "open"


def tournament_stage(record: TournamentRecord) -> Stage:
    """Return how far a tournament has come, by what is recorded of it and no calendar."""
    state = state_of(record)
    if state != "open":
        return state
    if not record.known_rounds:
        return "not-begun"
    return "finished" if is_finished(record) else "running"


def is_final(record: TournamentRecord, after: int) -> bool:
    """Return whether standings after a round are the last: no round that counts is later."""
    return after >= record.last_round and has_last_round(record)


def names_winners(record: TournamentRecord, after: int) -> bool:
    """Return whether the first place after a round is a win: it is final, and the event counts."""
    counts = tournament_stage(record) in {"finished", "closed"}
    return counts and is_final(record, after)


# One, round by round


@dataclass(frozen=True, slots=True)
class TournamentHeading(JsonForm):
    """What is said of a tournament above its players; ``rated_in`` names periods by list."""

    id: str
    name: str
    starts_on: Annotated[dt.date, Key("start")]
    ends_on: Annotated[dt.date, Key("end")]
    system: System
    rate_of_play: Rate
    merit_hundredths: int | None
    annulled: bool
    rated_in: Mapping[str, str]
    flags: tuple[str, ...]
    changes: tuple[DeskChange, ...]


@dataclass(frozen=True, slots=True)
class TournamentPlayer(JsonForm):
    """A player's results by round, and the seqs by which some of them were corrected.

    A round is written as the opponent's starting number, the colour and the result: ``12w1``,
    ``3b½``, ``7w+``; a bye by its letter; ``*`` where there is no result yet. ``cancelled`` and
    ``awarded`` (wins without play) say why points and rounds differ: see ``desk.score_sheet``.
    """

    number: int
    id: str
    name: str
    points: Fraction
    withdrew_from: int | None
    cancelled: bool
    awarded: int
    rounds: Mapping[str, str]
    corrected: Mapping[str, Seq]


@dataclass(frozen=True, slots=True)
class TournamentSheet(JsonForm):
    """A tournament, round by round; its players by starting number."""

    tournament: TournamentHeading
    rounds: int
    players: tuple[TournamentPlayer, ...]


def tournament_sheet(
    record: TournamentRecord, facts: Facts, people: People, changes: tuple[DeskChange, ...] = ()
) -> TournamentSheet:
    """Lays a tournament out, with what was changed at the desk.

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    about = record.version
    return TournamentSheet(
        TournamentHeading(
            id=about.tournament,
            name=about.name,
            starts_on=about.starts_on,
            ends_on=about.ends_on,
            system=about.system,
            rate_of_play=about.rate_of_play,
            merit_hundredths=about.merit_hundredths,
            annulled=record.annulled,
            rated_in=dict(sorted(record.rated_in.items())),
            flags=tuple(record.flags),
            changes=changes,
        ),
        max(record.last_round, about.rounds or 0),
        tuple(_players(record, facts, people)),
    )


def _players(record: TournamentRecord, facts: Facts, people: People) -> Iterator[TournamentPlayer]:
    rounds = rounds_by_player(record)
    people.read(facts.player_index.of(record.entries))
    for card in score_sheet(record).cards.values():
        played = sorted(rounds[card.player].items())
        yield TournamentPlayer(
            number=card.number,
            id=card.player,
            name=people.name(facts.player_index[card.player]) or "",
            points=Fraction(card.halves, 2),
            withdrew_from=card.withdrawn_from,
            cancelled=card.cancelled,
            awarded=card.awarded,
            rounds={str(number): _cell(record, each, card.player) for number, each in played},
            corrected={str(n): seq for n, each in played if (seq := record.correction_of(each))},
        )


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


def rounds_by_player(record: TournamentRecord) -> Rounds:
    """Returns the pairings of each player, by round.

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    require_entered(record)
    rounds: Rounds = {player: {} for player in record.entries}
    for (round_, player), pairing in record.pairings.items():
        rounds[player][round_] = pairing
    return rounds


def _cell(record: TournamentRecord, pairing: PairingRecord, player: str) -> str:
    result = pairing.result
    if isinstance(result, Bye):
        return result.letter
    opponent, colour = pairing.opponent(player), "w" if player == pairing.white else "b"
    place = f"{record.entries[opponent or '']}{colour}"
    if result is None:
        return f"{place}*"
    halves = pairing.halves(player)
    if result.termination is Termination.FORFEIT:
        return f"{place}{'+' if halves else '-'}"
    suffix = "t" if pairing.status == "temporary" else _SUFFIX.get(result.termination, "")
    return f"{place}{halves_text(halves)}{suffix}"


@dataclass(frozen=True, slots=True)
class Participants:
    """The participants of a tournament, and the players of its teams."""

    record: TournamentRecord
    facts: Facts
    people: People

    def __post_init__(self) -> None:
        """Reads their names at once."""
        self.people.read(self.facts.player_index.of(self.record.entries))

    def name(self, id_: str) -> str:
        """Returns the name of a team or a player; that of an erased player is empty."""
        team = self.record.desk.teams.get(id_)
        return team.name if team else self.people.name(self.facts.player_index[id_]) or ""

    def federation(self, id_: str) -> str | None:
        """Returns the federation of a player, where it is known; teams have none."""
        if id_ in self.record.desk.teams:
            return None
        return self.people.federation(self.facts.player_index[id_])
