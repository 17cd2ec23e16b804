"""A career in a list: every game, what each tournament and each opponent came to, the records.

``games_rated`` takes the games of a calculated period as columns; ``career`` and ``meetings`` say
what those of one player come to. A game is counted in the list of its period, waits for it, or is
not rated, and then why.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final, Literal, Protocol

import numpy as np

from ledger.facts.columns import NOBODY, Column
from ledger.identifiers import PlayerIndex, TournamentId
from ledger.json_form import HALVES, After, JsonForm, Key, derived
from ledger.lists.rating_source import AsKnown
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import (
    OwnReason,
    PostingColumns,
    Reason,
    Sides,
)
from ledger.replay.opening_ratings import filled
from ledger.replay.period_games import sides_of
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.list_ranks import ListRank
from ledger.reports.performance import worth_of_sum
from ledger.reports.statement import HUNDREDTHS, REASON, UNLESS_BYE, PersonRef

STEP: Final = -1
"""The reason of what is no game: what rules gave or took in a tournament as a whole."""

_NOT_PLAYED: Final = (
    Reason.FORFEIT, Reason.BYE, Reason.ADJOURNED, Reason.TEMPORARY, Reason.ANNULLED,
    Reason.SAME_PERSON, Reason.TOURNAMENT_ANNULLED, STEP,
)  # fmt: skip
_WON: Final = 2  # half points
_OF_EVENT: Final = (Reason.NONE, Reason.LATE_REPORT)  # what a performance is columns of


@dataclass(frozen=True, slots=True)
class CareerGames(PostingColumns):
    """Sides of games, as careers have them.

    ``period`` and ``tournament`` are indexes, ``player`` and ``opponent``, too (``NOBODY``: a bye);
    ``halves`` is the score, ratings are points (0: none), ``expected`` and ``contribution`` are in
    the units of the period's note, where the side ``is_posted``. ``reason`` is why it is not rated.
    """

    period: Column
    tournament: Column
    round: Column
    player: Column
    opponent: Column
    is_white: Column
    halves: Column
    rating: Column
    opponent_rating: Column
    is_posted: Column
    expected: Column
    contribution: Column
    reason: Column

    @classmethod
    def none(cls) -> CareerGames:
        """No games."""
        return cls(*(np.zeros(0, dtype=np.int64) for _ in cls.__slots__))


_OF_SIDES: Final = frozenset({*CareerGames.__slots__} & {*Sides.__slots__})


@dataclass(frozen=True, slots=True)
class ReasonNote:
    """A reason for which games of a period are not rated, and its clause."""

    reason: Reason | OwnReason
    clause: str


@dataclass(frozen=True, slots=True)
class PeriodNote:
    """What must be known of a period to tell of its games.

    ``scale`` is that of expected scores, ``units`` make a point, ``is_out`` says whether its list
    was published.
    """

    name: str
    in_force_on: dt.date
    is_out: bool
    scale: int
    units: int
    reasons: Mapping[int, ReasonNote]


def period_note(outcome: PeriodOutcome, games: CareerGames, *, is_out: bool) -> PeriodNote:
    """Returns the note of a period with such games."""
    apart, regulation = outcome.rated.apart, outcome.regulation
    reasons = {}
    for number in np.unique(games.reason[games.reason > Reason.NONE]).tolist():
        reason = regulation.reason(number)
        reasons[number] = ReasonNote(reason, regulation.clause_of(reason))
    on = outcome.period.in_force_on
    return PeriodNote(outcome.period.name, on, is_out, apart.scale, apart.units, reasons)


def games_rated(outcome: PeriodOutcome, player: PlayerIndex | None = None) -> CareerGames:
    """Returns the sides of a period, and the steps of its tournaments; of one player or of all.

    They are by player, then as they were played.
    """
    rated = outcome.rated

    def own(players: Column) -> Column:
        return np.flatnonzero(np.ones(len(players)) if player is None else players == player)

    sides, is_white = _sides(outcome)
    chosen = own(sides.player)
    sides, is_white = sides.rows(chosen), is_white[chosen]
    posted = (of := rated.postings).rows(own(of.player))
    excluded = (out := rated.apart.exclusions).rows(own(out.player))
    opponents, counts, achieved = (
        rated.newcomers.opponents, rated.newcomers.met_counts, rated.newcomers.achieved,
    )  # fmt: skip
    newcomer, why = np.repeat(achieved.player, counts), np.repeat(achieved.reason, counts)
    mine = own(newcomer)
    place = _SidePlaces(sides, len(rated.opening.rating))
    columns = {name: getattr(sides, name) for name in _OF_SIDES}
    columns |= {name: columns[name].copy() for name in ("rating", "opponent_rating", "reason")}
    for name in ("expected", "contribution", "is_posted"):
        columns[name] = np.zeros(len(sides), dtype=np.int64)
    at = place.of(opponents.game[mine], newcomer[mine])
    columns["reason"][at], columns["opponent_rating"][at] = why[mine], opponents.rating[mine]
    columns["reason"][place.of(excluded.game, excluded.player)] = excluded.reason
    at = place.of(posted.game, posted.player)
    for name in ("expected", "contribution", "rating", "opponent_rating"):
        columns[name][at] = getattr(posted, name)
    columns["reason"][at], columns["is_posted"][at] = Reason.NONE, 1
    period = np.full(len(sides), outcome.period.index)
    games = CareerGames(period=period, is_white=is_white, **columns)
    games = CareerGames.joined([games, _steps(outcome, player)])
    ends_on = rated.inputs.tournaments.ends_on[games.tournament]
    return games.rows(np.lexsort((games.round, games.tournament, ends_on, games.player)))


def _sides(outcome: PeriodOutcome) -> tuple[Sides, Column]:
    """Returns the sides of a period with their ratings, and which of them have White."""
    inputs = outcome.rated.inputs
    sides = sides_of(inputs.tournaments, inputs.games)
    is_white = np.ones(len(sides), dtype=np.int64)
    is_white[1:] = np.diff(sides.game) != 0
    if outcome.regulation.RATINGS_OF == "tournament":
        return inputs.in_force.fill(sides), is_white
    return filled(sides, outcome.rated.opening.rating), is_white


class _SidePlaces:
    """Where the side of a player in a game is among the sides of a period."""

    def __init__(self, sides: Sides, players: int) -> None:
        self._games = np.unique(sides.game)
        self._players = players
        keys = self._keys(sides.game, sides.player)
        self._order = np.argsort(keys, kind="stable")
        self._keys_in_order = keys[self._order]

    def _keys(self, game: Column, player: Column) -> Column:
        return np.searchsorted(self._games, game) * np.int64(self._players) + player

    def of(self, game: Column, player: Column) -> Column:
        """Returns the places of such sides."""
        return self._order[np.searchsorted(self._keys_in_order, self._keys(game, player))]


def _steps(outcome: PeriodOutcome, player: PlayerIndex | None) -> CareerGames:
    """Returns what rules gave or took in tournaments, each as a row."""
    steps = [
        step
        for step in outcome.rated.apart.steps
        if step.tournament != NOBODY and player in (None, step.player)
    ]
    columns = {name: np.zeros(len(steps), dtype=np.int64) for name in CareerGames.__slots__}
    columns["period"][:] = outcome.period.index
    columns["opponent"][:], columns["reason"][:] = NOBODY, STEP
    columns["tournament"][:] = [step.tournament for step in steps]
    columns["player"][:] = [step.player for step in steps]
    columns["contribution"][:] = [step.units for step in steps]
    return CareerGames(**columns)


# In files

_LAYOUT: Final = np.dtype(
    [
        ("tournament", "<i4"), ("round", "<i4"), ("opponent", "<i4"), ("is_white", "<i1"),
        ("halves", "<i1"), ("rating", "<i4"), ("opponent_rating", "<i4"), ("is_posted", "<i1"),
        ("expected", "<i4"), ("contribution", "<i8"), ("reason", "<i1"),
    ]
)  # fmt: skip
"""A game of a player in a period, as a file has it; see ``CareerGames``."""


def packed(games: CareerGames) -> Iterator[tuple[int, bytes]]:
    """Yields the games of each player of a period as bytes; they are by player."""
    rows = np.empty(len(games), _LAYOUT)
    for column in _LAYOUT.names or ():
        rows[column] = getattr(games, column)
    players, starts, counts = np.unique(games.player, return_index=True, return_counts=True)
    for player, start, count in zip(*(e.tolist() for e in (players, starts, counts)), strict=True):
        yield player, rows[start : start + count].tobytes()


def unpacked(parts: Sequence[tuple[int, bytes]]) -> CareerGames:
    """Returns the games of a player that were packed, by period; whose they are is not kept."""
    together = np.frombuffer(b"".join(games for _, games in parts), _LAYOUT)
    columns = {name: together[name].astype(np.int64) for name in _LAYOUT.names or ()}
    counts = [len(games) // _LAYOUT.itemsize for _, games in parts]
    columns["period"] = np.repeat([period for period, _ in parts], counts)
    return CareerGames(player=np.zeros(len(together), dtype=np.int64), **columns)


# What it comes to


class TournamentNamed(Protocol):
    """A tournament as a career names it; the day is an ISO date."""

    @property
    def tournament(self) -> str:
        """Its id."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def ends_on(self) -> str:
        """Its last day."""


@dataclass(frozen=True, slots=True)
class CareerSource:
    """All that a career is columns of: a player's games in a list, in order, and what they name.

    ``notes`` are by the index of the period, ``tournaments`` by index; ``people`` names players by
    index.
    """

    player: PersonRef
    list: str
    games: CareerGames
    notes: Mapping[int, PeriodNote]
    tournaments: Mapping[int, TournamentNamed]
    people: Callable[[Sequence[int]], Mapping[int, PersonRef]]


@dataclass(frozen=True, slots=True)
class ResultCount(JsonForm):
    """How many games were won, drawn and lost at the board."""

    won: int
    drawn: int
    lost: int

    @property
    @derived
    def games(self) -> Annotated[int, After("")]:
        """All of them."""
        return self.won + self.drawn + self.lost


State = Literal["counted", "waits", "not-rated"]


@dataclass(frozen=True, slots=True)
class CareerGame(JsonForm):
    """One game, forfeit or bye; ``period`` is that of the list in which it counts or would.

    ``state``: counted in the list, waits for it, or not rated, with the reason and its clause.
    ``expected`` and ``gain`` are exact, None where nothing was rated with ratings of both.
    """

    period: str
    tournament: TournamentId
    name: str
    ended_on: str
    round: int
    colour: Literal["white", "black"] | None
    opponent: Annotated[PersonRef, UNLESS_BYE]
    opponent_rating: int | None
    halves: Annotated[int, Key("score"), HALVES]
    expected: Annotated[Fraction, HUNDREDTHS] | None
    gain: Fraction | None
    state: State
    reason: Annotated[Reason | OwnReason, REASON]
    clause: str


@dataclass(frozen=True, slots=True)
class CareerTournament(JsonForm):
    """What a tournament came to: points of so many rounds, the games rated, their exact gain.

    ``performance`` is by the opponents' ratings with which the games count, None without one.
    """

    tournament: TournamentId
    name: str
    ended_on: str
    period: str
    halves: Annotated[int, Key("points"), HALVES]
    rounds: int
    rated_games: int
    performance: int | None
    gain: Fraction
    state: State


@dataclass(frozen=True, slots=True)
class CareerOpponent(JsonForm):
    """Games against one opponent."""

    opponent: PersonRef
    games: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class UnbeatenRun(JsonForm):
    """The longest run of games without loss, between two tournaments, by their last days."""

    games: int
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class _Counted(AsKnown):
    """How games of a player in a list ended: all, and those with each colour."""

    player: PersonRef
    list: str
    total: ResultCount
    white: ResultCount
    black: ResultCount


@dataclass(frozen=True, slots=True)
class PlayerCareer(_Counted):
    """A player's career in a list.

    ``current`` are the games since the newest list, or else those that it counts; ``tournaments``
    come the last first, ``opponents`` with most games first (``opponent_count`` are there).
    """

    rank: ListRank | None
    current: Sequence[CareerGame]
    tournaments: Sequence[CareerTournament]
    opponent_count: int
    opponents: Sequence[CareerOpponent]
    best_win: CareerGame | None
    best_performance: CareerTournament | None
    unbeaten: UnbeatenRun | None


@dataclass(frozen=True, slots=True)
class Meetings(_Counted):
    """What two players have played against each other in a list, from the side of the first."""

    opponent: PersonRef
    gain: Fraction
    games: Sequence[CareerGame]


def career(source: CareerSource, rank: ListRank | None, *, most: int | None = None) -> PlayerCareer:
    """Makes a career; ``most`` is of how many opponents it tells (None: of all)."""
    games = source.games
    played = games.rows(~np.isin(games.reason, _NOT_PLAYED))
    tournaments = _tournaments(source)
    with_rating = [each for each in tournaments if each.performance is not None]
    opponents, results = _by_opponent(played)
    frequent = opponents[:most]
    best = _best_win(played)
    current = _current(source)
    people = source.people([*frequent, *current.opponent.tolist(), *best.opponent.tolist()])
    return PlayerCareer(
        source.player, source.list, *_counts(played), rank, _lines(source, current, people),
        tournaments, len(opponents),
        [CareerOpponent(people[each], lost + drawn + won, won, drawn, lost)
         for each, (lost, drawn, won) in zip(frequent, results[:most].tolist(), strict=True)],
        next(iter(_lines(source, best, people)), None),
        max(with_rating, key=lambda each: each.performance or 0, default=None),
        _unbeaten(source, played),
    )  # fmt: skip


def meetings(source: CareerSource, opponent: PlayerIndex) -> Meetings:
    """Makes the head to head of a player with an opponent; the last game first."""
    games = source.games.rows(source.games.opponent == opponent)
    played = games.rows(~np.isin(games.reason, _NOT_PLAYED))
    people = source.people([opponent])
    lines = _lines(source, games, people)
    gain = sum((line.gain for line in lines if line.gain is not None), Fraction(0))
    counts = _counts(played)
    return Meetings(source.player, source.list, *counts, people[opponent], gain, lines[::-1])


def _counts(played: CareerGames) -> tuple[ResultCount, ResultCount, ResultCount]:
    halves, is_white = played.halves, played.is_white == 1
    chosen = halves, halves[is_white], halves[~is_white]
    counts = (np.bincount(each, minlength=3).tolist() for each in chosen)
    total, white, black = (ResultCount(won, drawn, lost) for lost, drawn, won in counts)
    return total, white, black


def _by_opponent(played: CareerGames) -> tuple[list[int], Column]:
    """Returns opponents, with most games first, and how many were lost, drawn and won with each."""
    opponents, places = np.unique(played.opponent, return_inverse=True)
    results = np.zeros((len(opponents), 3), dtype=np.int64)
    np.add.at(results, (places, played.halves), 1)
    order = np.argsort(-results.sum(axis=1), kind="stable")
    return opponents[order].tolist(), results[order]


def _current(source: CareerSource) -> CareerGames:
    """Returns the games behind the newest list that is out; else those of the last list."""
    games = source.games.rows(source.games.reason != STEP)
    waiting = [index for index, note in source.notes.items() if not note.is_out]
    last_out = max((index for index, note in source.notes.items() if note.is_out), default=-1)
    ahead = games.rows(np.isin(games.period, [each for each in waiting if each > last_out]))
    return ahead if len(ahead) else games.rows(games.period == last_out)


def _best_win(played: CareerGames) -> CareerGames:
    """Returns the game won against the highest rating, the first of several; or none."""
    won = played.rows((played.halves == _WON) & (played.opponent_rating > UNRATED))
    won = won.rows(won.reason == Reason.NONE)
    return won.rows(np.array([int(np.argmax(won.opponent_rating))])) if len(won) else won


def _unbeaten(source: CareerSource, played: CareerGames) -> UnbeatenRun | None:
    lost = np.flatnonzero(played.halves == 0)
    bounds = np.concatenate([[-1], lost, [len(played)]])
    lengths = np.diff(bounds) - 1
    if not lengths.size or not lengths.max():
        return None
    longest = int(np.argmax(lengths))
    first, last = int(bounds[longest]) + 1, int(bounds[longest + 1]) - 1
    days = [source.tournaments[int(played.tournament[at])].ends_on for at in (first, last)]
    return UnbeatenRun(int(lengths[longest]), *days)


def _tournaments(source: CareerSource) -> list[CareerTournament]:
    """Returns what every tournament came to, the last one first."""
    games = source.games.rows(np.argsort(source.games.tournament, kind="stable"))
    numbers, starts = np.unique(games.tournament, return_index=True)
    reason, halves = games.reason, games.halves
    is_board = (reason != STEP) & (reason != Reason.ANNULLED)
    is_faced = np.isin(reason, _OF_EVENT) & (games.opponent_rating > UNRATED)
    columns = (
        is_board, is_board * halves, games.is_posted, games.contribution, reason == Reason.NONE,
        is_faced, is_faced * games.opponent_rating, is_faced * halves,
    )  # fmt: skip
    rows = np.add.reduceat(np.array(columns, dtype=np.int64), starts, axis=1).T.tolist()
    found = []
    for number, period, row in zip(
        numbers.tolist(), games.period[starts].tolist(), rows, strict=True
    ):
        rounds, points, rated, units, counted, opponents, ratings, scores = row
        note, named = source.notes[period], source.tournaments[number]
        found.append(
            CareerTournament(
                TournamentId(named.tournament), named.name, named.ends_on, note.name, points,
                rounds, rated, worth_of_sum(ratings, opponents, scores).rp if opponents else None,
                Fraction(units, note.units), _state(note) if counted else "not-rated",
            )
        )  # fmt: skip
    return sorted(found, key=lambda each: (each.ended_on, each.tournament), reverse=True)


def _state(note: PeriodNote) -> State:
    return "counted" if note.is_out else "waits"


_COUNTS: Final = ReasonNote(Reason.NONE, "")
_NOBODY: Final = PersonRef(None, None)


def _lines(
    source: CareerSource, games: CareerGames, people: Mapping[int, PersonRef]
) -> list[CareerGame]:
    """Returns games one by one."""
    columns = {name: getattr(games, name).tolist() for name in CareerGames.__slots__}
    found = []
    for row in zip(*columns.values(), strict=True):
        game = dict(zip(columns, row, strict=True))
        note, named = source.notes[game["period"]], source.tournaments[game["tournament"]]
        why = note.reasons.get(game["reason"], _COUNTS)
        is_bye, is_posted = game["opponent"] == NOBODY, game["is_posted"]
        found.append(
            CareerGame(
                period=note.name,
                tournament=TournamentId(named.tournament),
                name=named.name,
                ended_on=named.ends_on,
                round=game["round"],
                colour=None if is_bye else "white" if game["is_white"] else "black",
                opponent=_NOBODY if is_bye else people[game["opponent"]],
                opponent_rating=game["opponent_rating"] or None,
                halves=game["halves"],
                expected=Fraction(game["expected"], note.scale) if is_posted else None,
                gain=Fraction(game["contribution"], note.units) if is_posted else None,
                state="not-rated" if game["reason"] else _state(note),
                reason=why.reason,
                clause=why.clause,
            )
        )
    return found
