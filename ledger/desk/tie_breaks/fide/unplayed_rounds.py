"""Rounds that were not played: C.07, articles 15 and 16, in which its editions differ.

In a Swiss an opponent has an adjusted score (16.3), and who did not play a round met a *dummy*
there (16.4). In a round robin games lost and won by default are regular games (15.2).

What the text leaves open:

* *16.4.2, the rounds of the tournament*: those that were played so far, so that standings between
  the rounds are those of an event that ended there.
* *A game without a result yet* (adjourned) is a game with its opponent that brought nothing so far.
* *A round of which nothing is recorded* is a zero-point bye: before a late entry, after a
  withdrawal (16.1.1).
* *Both absent*: a game lost by default for each.

The edition of 1 March 2026 (approved on 2 February 2026) follows that of 1 August 2024; between
them 15.2 and 16.4 changed figures, 8 forbade the Buchholz family in round robins, and STD, TPN and
RTNG were added. An event may announce tie-breaks of its own (4.1), so these three are calculated
for earlier events as well. A tournament that began before August 2024 is read by the edition of
2024: before it the handbook had other wordings of the same rules, and before September 2023 other
rules.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet
from ledger.desk.tie_breaks.tie_break import Adjustment
from ledger.terms import System


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakEdition:
    """An edition of C.07 and what is different in it.

    ``capped``: 16.4, who stands in for an opponent is not stronger than the scheduled opponent, or
    than a draw in every round. ``defaults_unplayed``: 15.2, in a round robin games lost by default
    are unplayed rounds for a player's own record; before they were regular games.
    """

    in_force: dt.date
    capped: bool
    defaults_unplayed: bool

    def article(self, number: str) -> str:
        """Returns where a rule stands, as it is cited."""
        return f"FIDE C.07 ({self.in_force:%Y-%m}) {number}"


OF_2024: Final = TieBreakEdition(
    in_force=dt.date(2024, 8, 1), capped=False, defaults_unplayed=False
)
OF_2026: Final = TieBreakEdition(in_force=dt.date(2026, 3, 1), capped=True, defaults_unplayed=True)


def edition_of(first_day: dt.date) -> TieBreakEdition:
    """Returns the edition of a tournament's first day.

    >>> edition_of(dt.date(2026, 2, 28)) is OF_2024
    True
    """
    return OF_2026 if first_day >= OF_2026.in_force else OF_2024


DRAW: Final = WIN // 2

_SWISS: Final = frozenset((System.SWISS, System.TEAM_SWISS))
_REQUESTED: Final = frozenset((How.HALF_BYE, How.ZERO_BYE, How.UNPAIRED))
_BY_DEFAULT: Final = frozenset((How.FORFEIT, How.AWARDED))
_OVER_THE_BOARD: Final = frozenset((How.PLAYED, How.OPEN))


@dataclass(frozen=True, slots=True)
class RoundReading:
    """How rounds are read.

    ``forfeits``: games by default are games with the scheduled opponent (modifier /P). ``fore``:
    all games of the last round are drawn (8.3).
    """

    edition: TieBreakEdition
    forfeits: bool = False
    fore: bool = False


class Encounter(NamedTuple):
    """A round of a participant: whom it brought, and with which score in half points.

    ``note`` says who stood in, or that the opponent's score was ``adjusted``. ``voluntary`` is a
    round that was not played by choice (16.1.2).
    """

    line: CardLine
    score: int
    note: str
    voluntary: bool
    adjusted: Adjustment | None = None


def draw(sheet: ScoreSheet) -> int:
    """Returns what a draw is worth, in half points; of boards it is half of them."""
    return sheet.win // 2


def is_swiss(sheet: ScoreSheet) -> bool:
    """Whether article 16 rules; else pairings were fixed beforehand, and 15.2 does."""
    return sheet.system in _SWISS


def rows(sheet: ScoreSheet, card: Card) -> Iterator[CardLine]:
    """Yields the rounds of a card of which tie-breaks know.

    Games with who is cancelled count for nobody; to rest is no round of a round robin.
    """
    swiss = is_swiss(sheet)
    for line in card.lines:
        if line.how is not How.CANCELLED and (swiss or line.opponent is not None):
            yield line


def is_requested(line: CardLine) -> bool:
    """16.1.1: whether a round is a requested bye; each round after a withdrawal is one."""
    return line.how in _REQUESTED


def is_lost_by_default(line: CardLine) -> bool:
    """Whether a game was lost because the participant was absent."""
    return line.how in _BY_DEFAULT and line.halves < DRAW


def is_voluntary(line: CardLine) -> bool:
    """16.1.2: whether a round was not played by choice: requested byes, losses by default."""
    return is_requested(line) or is_lost_by_default(line)


def is_drawn_in_advance(sheet: ScoreSheet, line: CardLine) -> bool:
    """8.3: whether a round is a game of the last round, which Fore Buchholz takes as drawn."""
    return line.round == sheet.rounds and line.paired


def adjusted_scores(sheet: ScoreSheet, *, fore: bool = False) -> Mapping[int, int]:
    """16.3: returns everybody's score as the opponents' tie-breaks see it, in half points.

    Requested byes after which every round was given up (16.2.5) count as draws, all other rounds
    as they are. In a round robin it is the score.
    """
    if not is_swiss(sheet):
        return sheet.halves
    return sheet.cached(
        f"fide adjusted {fore}",
        ((number, _adjusted(sheet, card, fore=fore)) for number, card in sheet.cards.items()),
    )


def _adjusted(sheet: ScoreSheet, card: Card, *, fore: bool) -> int:
    halves, left = 0, True
    for line in reversed(card.lines):
        if fore and is_drawn_in_advance(sheet, line):
            halves, left = halves + draw(sheet), False
        elif left and is_requested(line):
            halves += draw(sheet)
        else:
            halves += line.halves
            left = left and is_voluntary(line)
    return halves


def own_score(sheet: ScoreSheet, card: Card, *, fore: bool = False) -> int:
    """Returns a participant's own score in half points, with the last round drawn for ``fore``."""
    if not fore:
        return sheet.halves[card.number]
    last = (line for line in card.lines if is_drawn_in_advance(sheet, line))
    return sheet.halves[card.number] + sum(draw(sheet) - line.halves for line in last)


def encounters(sheet: ScoreSheet, card: Card, reading: RoundReading) -> list[Encounter]:
    """Returns whom each round of a participant brought, in order (4.4: each game by itself)."""
    adjusted = adjusted_scores(sheet, fore=reading.fore)
    rule = "drawn_in_advance" if reading.fore else "given_up_draws"
    met: list[Encounter] = []
    for line in rows(sheet, card):
        if line.opponent is not None and _is_game(sheet, line, reading):
            score = adjusted[line.opponent]
            change = Adjustment.between(sheet.halves[line.opponent], score, rule)
            note = "adjusted" if change else ""
            met.append(Encounter(line, score, note, voluntary=False, adjusted=change))
        else:
            met.append(_dummy(sheet, card, line, reading))
    return met


def _is_game(sheet: ScoreSheet, line: CardLine, reading: RoundReading) -> bool:
    """Whether a round is a game with the scheduled opponent."""
    return (
        line.how in _OVER_THE_BOARD
        or reading.forfeits
        or not is_swiss(sheet)
        or (reading.fore and is_drawn_in_advance(sheet, line))
    )


def _dummy(sheet: ScoreSheet, card: Card, line: CardLine, reading: RoundReading) -> Encounter:
    """16.4: who stands in for the opponent of a round that was not played.

    It ended with the participant's own score; since 2026 with no more than the scheduled
    opponent's adjusted score after a game by default (16.4.1), and else than a draw in every round
    (16.4.2).
    """
    score, note = own_score(sheet, card, fore=reading.fore), "virtual"
    if reading.edition.capped and line.opponent is not None:
        most = adjusted_scores(sheet, fore=reading.fore)[line.opponent]
        capped = "virtual-scheduled"
    else:
        most = draw(sheet) * sheet.played
        capped = "virtual-draws"
    if reading.edition.capped and most < score:
        score, note = most, capped
    return Encounter(line, score, note, is_voluntary(line))


def counts_as_game(sheet: ScoreSheet, line: CardLine, edition: TieBreakEdition) -> bool:
    """15.2: whether a round is a game in a participant's own record (article 7).

    Over the board; in a round robin by default as well, but since 2026 not where it was lost.
    """
    if line.how is How.PLAYED:
        return True
    if is_swiss(sheet) or line.how not in _BY_DEFAULT:
        return False
    return not (edition.defaults_unplayed and is_lost_by_default(line))
