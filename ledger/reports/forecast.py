"""What games to come would do to a rating: their period, calculated once for each score.

There is no rule in here: the games stand among those of the period as if they had been played, and
the regulation calculates that. So K, caps, roundings, first ratings and what rates a tournament as
a whole are those of the list. Of a score that several results bring, two are calculated: the points
are won against the strongest, or against the weakest. Where both come to the same there is one
figure. Between them lies everything else where games are rated one by one; where a game also moves
what the opponent counts for (a newcomer, or somebody met again in a later event), not surely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Final

import numpy as np

from ledger.facts.arrays import is_among
from ledger.facts.columns import Column, Facts
from ledger.facts.tables import ALL_PLAY_ALL
from ledger.identifiers import PlayerIndex, Seq, TournamentId
from ledger.json_form import HALVES, HIDDEN, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.lists.rating_source import RatingState
from ledger.rating.decimal_text import points
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Games, OwnReason, Postings, Reason
from ledger.replay.openings import PeriodOpening
from ledger.replay.period_outcome import PeriodOutcome, period_outcome
from ledger.reports.statement import HUNDREDTHS, REASON, PersonRef, hundredths
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class ForecastGame(JsonForm):
    """A game to come; None for what the regulation does not calculate of it.

    ``opponent`` is nobody of the register where only a rating was told, ``tournament`` None where
    none was named. ``reason`` says why the game counts for nothing, if so.
    """

    tournament: TournamentId | None
    opponent: PersonRef
    opponent_rating: int | None
    difference: int | None
    capped: Annotated[bool, HIDDEN]
    expected: Annotated[Fraction | None, HUNDREDTHS]
    reason: Annotated[Reason | OwnReason, REASON]


@dataclass(frozen=True, slots=True)
class ForecastScore(JsonForm):
    """What a score in the games that count comes to: the less and the more of two ways to make it.

    ``change`` is that of these games alone, exactly, ``rating`` that of the list with all games of
    its period (None: there is none). ``performance`` is what a newcomer's result is worth.
    """

    halves: Annotated[int, Key("score"), HALVES]
    change: Fraction | None
    rating: int | None
    most_change: Fraction | None
    most_rating: int | None
    performance: Fraction | None

    @property
    def depends(self) -> bool:
        """Whether it is not the score alone that decides."""
        return (self.change, self.rating) != (self.most_change, self.most_rating)


@dataclass(frozen=True, slots=True)
class RatingForecast(JsonForm):
    """What games to come would do to a player's rating in the next list.

    ``rating`` is the one at the start of the period, ``without`` what the list comes to without
    these games. ``waiting`` are other games of the player in it, ``expected`` is the sum of the
    expected scores. ``needed`` is the least score that brings what is wanted either way; None where
    no score does, or nothing is.
    """

    player: PersonRef
    list: str
    period: str
    regulation: str
    rating: int | None
    without: int | None
    waiting: int
    k: int
    games: tuple[ForecastGame, ...]
    expected: Annotated[Fraction | None, HUNDREDTHS]
    scores: tuple[ForecastScore, ...]
    wanted_rating: int | None
    wanted_change: int | None
    needed: Annotated[int | None, HALVES]
    notes: tuple[Message, ...]

    @property
    @derived
    def state(self) -> Annotated[RatingState, After("regulation")]:
        """The state of its ratings: of a list that is not out."""
        return "preview"

    @property
    def verdict(self) -> Message:
        """What must be scored for what is wanted; what is expected, where nothing is."""
        count = len(self.scores) // 2
        if not count:
            return Message.of("forecast.nothing_counts")
        if self.wanted_rating is None and self.wanted_change is None:
            if self.expected is None:
                return Message.of("forecast.any_score", count=count)
            return Message.of("forecast.expected", expected=hundredths(self.expected), count=count)
        key, wanted = ("forecast.to_reach", self.wanted_rating)
        if wanted is None:
            key, wanted = ("forecast.to_gain", self.wanted_change)
        if self.needed is None:
            never = "forecast.never_reached" if key.endswith("reach") else "forecast.never_gained"
            return Message.of(never, wanted=wanted)
        return Message.of(key, wanted=wanted, needed=points(self.needed), count=count)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A rating in the next list, or a change by the games to come; None for what is not wanted."""

    rating: int | None = None
    change: int | None = None

    def is_met(self, score: ForecastScore) -> bool:
        """Whether a score brings it, against the strongest or against the weakest."""
        if self.rating is not None:
            return score.rating is not None and score.rating >= self.rating
        return self.change is not None and score.change is not None and score.change >= self.change


NOTHING_WANTED: Final = Wanted()


def rating_forecast(
    outcome: PeriodOutcome, player: PlayerIndex, recorded: Facts, people: People, wanted: Wanted
) -> RatingForecast:
    """Makes the forecast.

    Args:
        outcome: the period, with the games to come in it as draws.
        player: who plays them, as one that counts as itself.
        recorded: the facts without these games. Of those who are not among them only a rating was
            told.
        people: those of the recorded facts.
        wanted: what is to be reached.
    """
    trial = _Trial(outcome, player, recorded.seq)
    games = tuple(_games(trial, recorded, people))
    scores = tuple(trial.scores())
    expected = [game.expected for game in games if game.expected is not None]
    without = trial.without
    people.read([player])
    return RatingForecast(
        player=PersonRef.of(people, player),
        list=outcome.timeline.name,
        period=outcome.period.name,
        regulation=outcome.regulation.ID,
        rating=int(outcome.opening.rating[player]) or None,
        without=int(without.closing.rating[player]) or None,
        waiting=trial.waiting,
        k=trial.k,
        games=games,
        expected=sum(expected, Fraction(0)) if expected else None,
        scores=scores,
        wanted_rating=wanted.rating,
        wanted_change=wanted.change,
        needed=next((score.halves for score in scores if wanted.is_met(score)), None),
        notes=tuple(_notes(trial, games, scores)),
    )


class _Trial:
    """A period in which games of a player are tried, with one score after the other."""

    def __init__(self, outcome: PeriodOutcome, player: PlayerIndex, after: Seq) -> None:
        self.drawn = outcome
        self.player = player
        games = outcome.games
        if outcome.rated.inputs.plain_games is not None:  # nothing reaches over tournaments
            own = games.tournament[(games.white == player) | (games.black == player)]
            games = games.rows(is_among(games.tournament, np.unique(own)))
        self.games = games.rows(np.argsort(games.game, kind="stable")).cut()
        self.rows = np.flatnonzero(self.games.game > after)
        white, black = self.games.white[self.rows], self.games.black[self.rows]
        self.opponents = np.where(white == player, black, white)
        self.is_rated = bool(outcome.opening.rating[player] != UNRATED)

    def with_games(self, games: Games) -> PeriodOutcome:
        """Calculates the period with these games instead of its own."""
        drawn = self.drawn
        opening = PeriodOpening(drawn.opening, drawn.ordered, drawn.steps_ordered)
        inputs = replace(drawn.rated.inputs, games=games)
        return period_outcome(drawn.timeline, inputs, opening, drawn.credits)

    @cached_property
    def without(self) -> PeriodOutcome:
        """The period without the games that are tried."""
        kept = np.ones(len(self.games), dtype=np.bool_)
        kept[self.rows] = False
        return self.with_games(self.games.rows(kept))

    @property
    def waiting(self) -> int:
        """How many other games the player has in the period that could count."""
        games = self.without.games
        own = (games.white == self.player) | (games.black == self.player)
        return int((own & (games.reason == Reason.NONE)).sum())

    @cached_property
    def postings(self) -> Postings:
        """What was posted for the player of the games that are tried."""
        postings = self.drawn.rated.calculation_of(self.player).postings
        return postings.rows(
            (postings.player == self.player) & np.isin(postings.game, self.games.game[self.rows])
        )

    @cached_property
    def reasons(self) -> dict[int, int]:
        """Why games that are tried count for nothing, by their seqs."""
        excluded = self.drawn.rated.calculation_of(self.player).exclusions
        own = excluded.rows(excluded.player == self.player)
        return dict(zip(own.game.tolist(), own.reason.tolist(), strict=True))

    @property
    def k(self) -> int:
        """The K of the games; where none is posted, that of the start of the period."""
        ks = np.unique(self.postings.k).tolist()
        return int(ks[0]) if len(ks) == 1 else self.drawn.k_of(self.player)

    @cached_property
    def _counting(self) -> Column:
        """The places in ``rows`` of the games that can count, the strongest opponent first."""
        seqs = self.games.game[self.rows]
        barred = (Reason.OPPONENT_UNRATED, Reason.NO_MERIT, Reason.OTHER_RATE_OF_PLAY)
        out = [self.reasons.get(seq) in barred for seq in seqs.tolist()]
        out |= self.games.reason[self.rows] != Reason.NONE
        strength = self.drawn.opening.rating[self.opponents]
        order = np.argsort(-strength, kind="stable")
        return order[~np.asarray(out, dtype=np.bool_)[order]]

    def scores(self) -> Iterator[ForecastScore]:
        """Yields every score that is possible in the games that count."""
        order = self._counting
        adds_up = self._adds_up()
        for halves in range(2 * len(order) + 1 if len(order) else 0):
            first = self._came_to(order, halves)
            other = first if adds_up else self._came_to(order[::-1], halves)
            least, most = sorted((first, other), key=lambda each: (each[1] or 0, each[0] or 0))
            yield ForecastScore(halves, *least[:2], *most[:2], least[2])

    def _adds_up(self) -> bool:
        """Whether all games are rated one by one, with one K: then the score alone decides."""
        inputs = self.drawn.rated.inputs
        if inputs.plain_games is None or not self.is_rated or inputs.regulation.EVENT_BY_EVENT:
            return False
        plain, tournaments = inputs.plain_games, self.games.tournament[self.rows]
        beyond = np.abs(self.postings.rating - self.postings.opponent_rating)
        apart = beyond > plain.apart_beyond[self.postings.tournament]
        return not (plain.together[tournaments].any() or apart.any())

    def _came_to(
        self, order: Column, halves: int
    ) -> tuple[Fraction | None, int | None, Fraction | None]:
        """Returns change, rating and performance with a score made in the first games of some."""
        own = np.zeros(len(order), dtype=np.int64)
        own[: halves // 2] = 2
        own[halves // 2 : halves // 2 + halves % 2] = 1
        white_halves, black_halves = self.games.white_halves.copy(), self.games.black_halves.copy()
        rows = self.rows[order]
        is_white = self.games.white[rows] == self.player
        white_halves[rows] = np.where(is_white, own, 2 - own)
        black_halves[rows] = np.where(is_white, 2 - own, own)
        outcome = self.with_games(
            self.games.with_(white_halves=white_halves, black_halves=black_halves)
        )
        units = int(outcome.units[self.player]) - int(self.without.units[self.player])
        change = Fraction(units, outcome.rated.scale) if self.is_rated else None
        return change, int(outcome.closing.rating[self.player]) or None, self._performance(outcome)

    def _performance(self, outcome: PeriodOutcome) -> Fraction | None:
        """Returns what the tournament of the games is worth to a newcomer."""
        (tournament, *_) = self.games.tournament[self.rows].tolist()
        own = outcome.newcomers.rows(outcome.newcomers.player == self.player)
        return next((each.performance for each in own if each.tournament == tournament), None)


def _games(trial: _Trial, recorded: Facts, people: People) -> Iterator[ForecastGame]:
    """Yields the games that are tried, in the order in which they were told."""
    outcome, posted = trial.drawn, trial.postings
    regulation = outcome.regulation
    places = {seq: place for place, seq in enumerate(posted.game.tolist())}
    people.read(each for each in trial.opponents.tolist() if each < len(recorded.players))
    for row, opponent in zip(trial.rows.tolist(), trial.opponents.tolist(), strict=True):
        seq, tournament = int(trial.games.game[row]), int(trial.games.tournament[row])
        is_known = opponent < len(recorded.players)
        game = ForecastGame(
            tournament=recorded.tournament_ids[tournament]
            if tournament < len(recorded.tournaments) else None,
            opponent=PersonRef.of(people, opponent) if is_known else PersonRef(None, None),
            opponent_rating=int(outcome.opening.rating[opponent]) or None,
            difference=None,
            capped=False,
            expected=None,
            reason=regulation.reason(trial.reasons.get(seq, Reason.NONE)),
        )  # fmt: skip
        if (place := places.get(seq)) is not None:
            rating, difference = int(posted.opponent_rating[place]), int(posted.difference[place])
            real = int(posted.rating[place]) - rating
            game = replace(
                game,
                opponent_rating=rating,
                difference=difference,
                capped=regulation.plain and abs(real) > abs(difference),
                expected=Fraction(int(posted.expected[place]), regulation.expectation.scale),
            )
        yield game


def _notes(
    trial: _Trial, games: Sequence[ForecastGame], scores: Sequence[ForecastScore]
) -> Iterator[Message]:
    """Yields what is to be known of the figures: K, caps, and why there are none for a game."""
    outcome, regulation = trial.drawn, trial.drawn.regulation
    if trial.is_rated:
        yield _of_k(trial)
    else:
        needed = regulation.games_for_first_rating(outcome.period.in_force_on)
        key = "forecast.newcomer" if needed else "forecast.no_first_rating"
        yield Message.of(key, **({"needed": needed} if needed else {}))
    if caps := sorted({abs(game.difference or 0) for game in games if game.capped}):
        yield Message.of("forecast.capped", cap=", ".join(map(str, caps)))
    if trial.waiting:
        yield Message.of("forecast.waiting", count=trial.waiting)
    if regulation.EVENT_BY_EVENT:
        yield Message.of("forecast.event_by_event", regulation=regulation.ID)
    calculation = outcome.rated.calculation_of(trial.player)
    tried = set(trial.games.tournament[trial.rows].tolist())
    if any(each.player == trial.player and each.tournament in tried for each in calculation.steps):
        yield Message.of("forecast.steps", regulation=regulation.ID)
    systems = outcome.timeline.known.tournaments.system[[*tried]]
    if (systems == ALL_PLAY_ALL).any():
        yield Message.of("forecast.all_play_all")
    if any(score.depends for score in scores):
        yield Message.of("forecast.depends")


def _of_k(trial: _Trial) -> Message:
    """Returns which K counts, and why."""
    outcome, k = trial.drawn, trial.k
    full = outcome.k_of(trial.player)
    values = {"k": k, "period": outcome.period.name}
    if k != full:
        count = int(outcome.rated_games[trial.player])
        return Message.of("forecast.k_limited", full=full, count=count, **values)
    if outcome.timeline.k_assigned(trial.player, outcome.period.starts_on) is not None:
        return Message.of("forecast.k_assigned", **values)
    return Message.of("forecast.k", regulation=outcome.regulation.ID, **values)
