"""The score sheet of an event: what each round was for each participant.

Pairings, tie-breaks, standings and forms are calculated from it alone. Participants are known by
their starting numbers; they are players, or teams with the scores of their matches.

Scores are in half points. Who withdraws is judged as Chavarría 1975 has it (EL ROUND ROBIN,
DESEMPATE): in an all-play-all a player who leaves before half of the games is cancelled and counts
for nobody, later the games that are due are wins for the opponents; in a Swiss they are lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations
from typing import Final

from ledger.events.desk import RulesAnnounced
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import NO_EVENT
from ledger.results import Bye, Result, Termination
from ledger.terms import Colour, PairingMethod, System

WIN: Final = 2  # in half points


class How(StrEnum):
    """How a round went for a participant."""

    PLAYED = "played"
    """With a result over the board, short or adjudicated; ``temporary`` for the pairing only."""
    FORFEIT = "forfeit"
    """Paired, and one or both were absent; the score says whether it was won."""
    OPEN = "open"
    """Paired, without a result yet (adjourned)."""
    ALLOCATED_BYE = "pairing-allocated"
    FULL_BYE = "full"
    HALF_BYE = "half"
    ZERO_BYE = "zero"
    UNPAIRED = "unpaired"
    """Others played; nothing is recorded of this participant."""
    AWARDED = "awarded"
    """A game of an all-play-all that is due with who withdrew: it is of no round, and won for who
    stayed. It stands on both cards; between two who withdrew it is lost for both."""
    CANCELLED = "cancelled"
    """A game with a player who is cancelled: it counts for nobody."""


_BYES: Final = {
    Bye.PAIRING_ALLOCATED: How.ALLOCATED_BYE,
    Bye.FULL: How.FULL_BYE,
    Bye.HALF: How.HALF_BYE,
    Bye.ZERO: How.ZERO_BYE,
}


_ALLOCATED: Final = {2: Bye.PAIRING_ALLOCATED, 1: Bye.HALF, 0: Bye.ZERO}


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of a pairing card: one round of one participant.

    ``round`` is 0 for a game that is awarded. ``opponent`` is a starting number; of a forfeit it is
    who was to be the opponent, and ``colour`` what was given. ``halves`` counts for the score.

    A match of a team has its ``boards`` in order, each against the same opponent; ``board_halves``
    are what they brought together. Of a bye only these are there.
    """

    round: int
    how: How
    halves: int = 0
    opponent: int | None = None
    colour: Colour | None = None
    temporary: bool = False
    board_halves: int = 0
    boards: tuple[CardLine, ...] = ()

    @property
    def played(self) -> bool:
        """Whether a game has a result."""
        return self.how is How.PLAYED

    @property
    def paired(self) -> bool:
        """Whether an opponent was to be met over the board."""
        return self.how in _PAIRED


_PAIRED: Final = frozenset((How.PLAYED, How.FORFEIT, How.OPEN))


@dataclass(frozen=True, slots=True)
class Card:
    """A participant's pairing card: who it is, and a line for each round so far, in order.

    ``rating`` is that of the official list or what the director gave for the pairing; None for
    none. ``from_round`` is the first round of a late entry, ``withdrawn_from`` the first one after
    leaving; who is ``cancelled`` counts for nobody.
    """

    number: int
    player: str
    lines: tuple[CardLine, ...] = ()
    rating: int | None = None
    from_round: int = 1
    withdrawn_from: int | None = None
    expelled: bool = False
    cancelled: bool = False

    @property
    def halves(self) -> int:
        """The score in half points."""
        return sum(line.halves for line in self.lines)

    @property
    def games(self) -> tuple[CardLine, ...]:
        """The rounds that were played."""
        return tuple(line for line in self.lines if line.played)

    @property
    def awarded(self) -> int:
        """How many games were won because the opponent left an all-play-all."""
        return sum(line.how is How.AWARDED and line.halves > 0 for line in self.lines)

    def line(self, round_: int) -> CardLine | None:
        """Returns what a round was."""
        return next((line for line in self.lines if line.round == round_), None)


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """All cards of an event after a round, by starting number, in its order.

    ``rounds`` were announced for the whole event, ``played`` of them (or more) are on the cards.
    ``win`` is what a round brings at most, in half points: more than a point where the scores are
    those of a team's boards.
    """

    system: System
    cards: Mapping[int, Card]
    rounds: int
    played: int
    win: int = WIN
    _cache: dict[str, dict[int, int]] = field(default_factory=dict, repr=False, compare=False)
    _derived: dict[str, ScoreSheet] = field(default_factory=dict, repr=False, compare=False)

    def cached(self, name: str, values: Iterable[tuple[int, int]]) -> dict[int, int]:
        """Returns figures of all cards, which are worked out at the first question.

        >>> sheet = ScoreSheet(System.SWISS, {}, 5, 0)
        >>> sheet.cached("doubled", ((n, 2 * n) for n in (1, 2)))
        {1: 2, 2: 4}
        """
        if name not in self._cache:
            self._cache[name] = dict(values)
        return self._cache[name]

    def derived(self, name: str, make: Callable[[ScoreSheet], ScoreSheet]) -> ScoreSheet:
        """Returns a sheet that is made of this one at the first question."""
        if name not in self._derived:
            self._derived[name] = make(self)
        return self._derived[name]

    @property
    def halves(self) -> dict[int, int]:
        """Everybody's score in half points."""
        return self.cached("score", ((n, card.halves) for n, card in self.cards.items()))


def score_sheet(
    record: TournamentRecord,
    ratings: Mapping[str, int] | None = None,
    *,
    after: int | None = None,
) -> ScoreSheet:
    """Returns the score sheet of a tournament.

    Args:
        record: the tournament; everybody of whom something is recorded was entered.
        ratings: by id.
        after: the last round that counts (default: all of which something is recorded). Who
            withdrew from a later round on is there still.
    """
    last = record.known_rounds
    played = last if after is None else min(after, last)
    withdrawals = Withdrawals.of(record, after)
    expelled = expelled_by(record, played)
    cards = {
        number: Card(
            number=number,
            player=player,
            lines=tuple(_lines(record, player, played, withdrawals)),
            rating=(ratings or {}).get(player),
            from_round=_from_round(record, player),
            withdrawn_from=record.withdrawn.get(player),
            expelled=player in expelled,
            cancelled=player in withdrawals.cancelled,
        )
        for player, number in record.by_number
    }
    rounds = max(record.version.rounds or 0, last, rounds_of_table(record))
    return ScoreSheet(record.version.system, cards, rounds, played)


def without_temporary(sheet: ScoreSheet) -> ScoreSheet:
    """Returns a score sheet on which a game that is adjudicated for the pairing only is open.

    Manual, R VII and F 10: temporary points never stand in final standings.
    """
    cards = {
        number: replace(card, lines=tuple(map(_without_temporary, card.lines)))
        for number, card in sheet.cards.items()
    }
    return ScoreSheet(sheet.system, cards, sheet.rounds, sheet.played)


def _without_temporary(line: CardLine) -> CardLine:
    if not line.temporary:
        return line
    boards = tuple(map(_without_temporary, line.boards))
    brought = sum(board.halves for board in boards)
    return replace(line, how=How.OPEN, halves=0, boards=boards, board_halves=brought)


def _lines(
    record: TournamentRecord, player: str, played: int, withdrawals: Withdrawals
) -> Iterable[CardLine]:
    for round_ in range(1, played + 1):
        pairing = record.pairings.get((round_, player)) or _published(record, round_, player)
        yield (
            CardLine(round_, How.UNPAIRED)
            if pairing is None
            else _line(record, pairing, player, withdrawals.cancelled)
        )
    halves = 0 if player in withdrawals.awarding else WIN
    for opponent, games in withdrawals.due(record, player).items():
        yield from [CardLine(0, How.AWARDED, halves, record.entries[opponent])] * games


def _published(record: TournamentRecord, round_: int, player: str) -> PairingRecord | None:
    """Returns the board of a published round at which nothing is recorded yet, or its bye."""
    published = record.desk.rounds.get(round_)
    if record.desk.gave_bye(round_, player):
        return PairingRecord(NO_EVENT, round_, player, None, bye_of(record.desk.rules))
    board = published.board_of(player) if published else None
    return None if board is None else PairingRecord(NO_EVENT, round_, *board, None)


def bye_of(rules: RulesAnnounced | None) -> Bye:
    """Returns how a bye that the pairing gives is recorded, by what it is worth.

    Where the rules do not say it: a win in a Swiss (R IX), nothing in an all-play-all, where the
    table lets everybody rest once. (The manual has a win there, too: announce it.)
    """
    worth = None if rules is None else rules.bye_halves
    if worth is None:
        worth = 0 if rules is not None and rules.pairing is PairingMethod.BERGER else WIN
    return _ALLOCATED[worth]


def _from_round(record: TournamentRecord, player: str) -> int:
    described = record.desk.descriptions.get(player)
    return (described.said.from_round if described else None) or 1


def _line(
    record: TournamentRecord, pairing: PairingRecord, player: str, cancelled: frozenset[str]
) -> CardLine:
    round_, result = pairing.round, pairing.result
    if isinstance(result, Bye):
        halves = 0 if player in cancelled else result.halves
        allocated = record.desk.gave_bye(round_, player)
        return CardLine(round_, How.ALLOCATED_BYE if allocated else _BYES[result], halves)
    assert pairing.black is not None
    white = player == pairing.white
    opponent = pairing.black if white else pairing.white
    halves = pairing.halves(player)
    how = How.OPEN if result is None else _how(result)
    if not cancelled.isdisjoint((player, opponent)):
        how, halves = How.CANCELLED, 0
    return CardLine(
        round=round_,
        how=how,
        halves=halves,
        opponent=record.entries[opponent],
        colour=Colour.WHITE if white else Colour.BLACK,
        temporary=pairing.status == "temporary",
    )


def _how(result: Result) -> How:
    return How.FORFEIT if result.termination is Termination.FORFEIT else How.PLAYED


# Who left an all-play-all


@dataclass(frozen=True, slots=True)
class Withdrawals:
    """Who left an all-play-all: those who are cancelled, and those whose games are won.

    ``cycles`` says how many times each pair is to meet: 2 in a double one.
    """

    cancelled: frozenset[str] = frozenset()
    awarding: frozenset[str] = frozenset()
    cycles: int = 1

    @classmethod
    def of(cls, record: TournamentRecord, after: int | None = None) -> Withdrawals:
        """Judges who withdrew or was expelled; a Swiss has nothing to judge.

        Half is half of all that were scheduled: with n players n - 1 games in each cycle. With
        ``after`` only those from this round or an earlier one on.
        """
        if record.version.system is not System.ROUND_ROBIN:
            return cls()
        left = {p for p, from_ in _left(record).items() if after is None or from_ <= after}
        played, scheduled = games_played(record), scheduled_games(record)
        cancelled = frozenset(player for player in left if played[player] * 2 < scheduled)
        return cls(cancelled, frozenset(left - cancelled), cycles(record))

    def due(self, record: TournamentRecord, player: str) -> dict[str, int]:
        """Returns how many games that will not be played any more are due with each opponent.

        Those of who withdrew with everybody, and of who stayed with those; a player who is
        cancelled has none.
        """
        if not self.awarding or player in self.cancelled:
            return {}
        everybody = record.entries.keys() - self.cancelled - {player}
        opponents = everybody if player in self.awarding else self.awarding
        met = Counter(pairing.opponent(player) for pairing in record.rounds_of(player))
        due = {other: self.cycles - met[other] for other in sorted(opponents)}
        return {other: games for other, games in due.items() if games > 0}


def _left(record: TournamentRecord) -> dict[str, int]:
    """Returns from which round on who withdrew or was expelled is not there."""
    return record.desk.expelled | record.withdrawn


def coming_withdrawals(record: TournamentRecord, after: int) -> dict[str, int]:
    """Returns who leaves an all-play-all after a round, with the first round without them."""
    if record.version.system is not System.ROUND_ROBIN:
        return {}
    return {player: from_ for player, from_ in sorted(_left(record).items()) if from_ > after}


def games_played(record: TournamentRecord) -> Counter[str]:
    """Returns how many games with a result each player has."""
    return Counter(
        player for (_, player), pairing in record.pairings.items() if pairing.has_game_result
    )


def scheduled_games(record: TournamentRecord) -> int:
    """Returns how many games each player of an all-play-all is to play."""
    return cycles(record) * (len(record.entries) - 1)


def expelled_by(record: TournamentRecord, played: int) -> set[str]:
    """Returns who was expelled by a round: by the arbiter, or by the rules when one was paired."""
    by_arbiter = {one for one, from_round in record.desk.expelled.items() if from_round <= played}
    published = record.desk.rounds.get(played)
    not_paired = published.event.not_paired if published else None
    return by_arbiter | {record.stays(one) for one, why in not_paired or () if why == "expelled"}


def rounds_of_table(record: TournamentRecord) -> int:
    """Returns how many rounds the tables have by which an event is paired; 0 without tables."""
    rules, players = record.desk.rules, len(record.entries)
    if rules is None or rules.pairing is not PairingMethod.BERGER or not players:
        return 0
    return cycles(record) * _rounds_each(players)


def _rounds_each(players: int) -> int:
    """Returns how many rounds a cycle of an all-play-all has."""
    return players - 1 + players % 2


def cycles(record: TournamentRecord) -> int:
    """Returns how many times each pair of an all-play-all is to meet: 2 in a double one.

    That is what was announced. Else it is what its number of rounds makes room for, where it is
    known, and at least as often as most pairs of those who stayed were paired: a game to break a
    tie makes no second cycle.
    """
    if (rules := record.desk.rules) is not None and rules.cycles is not None:
        return rules.cycles
    players = len(record.entries)
    announced = (record.version.rounds or 0) // max(1, _rounds_each(players))
    return max(1, announced, _usual_meetings(record))


def _usual_meetings(record: TournamentRecord) -> int:
    """Returns how many times more than half of the pairs of those who stayed were paired."""
    stayed = record.entries.keys() - _left(record).keys()
    met = Counter(frozenset((each.white, each.black)) for each in record.each_pairing)
    times = sorted((met[frozenset(pair)] for pair in combinations(stayed, 2)), reverse=True)
    return times[len(times) // 2] if times else 0
