"""Starting numbers of a Swiss: Chavarría 1975, FORMA DE PAREAR, F 2, F 3, notes on the cards.

Number 1 is for the highest pairing rating: that of the official list, or else a provisional one
that the director gives, for the pairing only. The order is proposed; the numbers are recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from ledger.desk.rounds import last_with_game
from ledger.desk.score_sheet import WIN, Card, ScoreSheet
from ledger.desk.teams import participants_of
from ledger.facts.tournament import TournamentRecord
from ledger.spelling import folded
from ledger.terms import PairingMethod

TITLES: Final = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
"""Titles in their order (FIDE C.04.2); who has none comes behind."""

_WON_OR_LOST: Final = 50  # points above or below the opponent's rating


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who enters an event: id, name with the surname first, rating for the pairing.

    ``titles`` may be any; those of FIDE put equal ratings in order under its rules. The rating of a
    team is the mean of its players.
    """

    player: str
    name: str
    rating: int | Fraction | None = None
    titles: tuple[str, ...] = ()

    @property
    def title(self) -> int:
        """The place of the highest title in ``TITLES``."""
        places = [TITLES.index(title) for title in self.titles if title in TITLES]
        return min(places, default=len(TITLES))


def starting_order(entrants: Sequence[Entrant]) -> list[str]:
    """Returns the ids in the order of their starting numbers; of entrants as they were entered.

    The highest pairing rating comes first (F 3), of equal ones who was entered first. Who has none
    comes last, by surname.
    """
    rated = (entrant for entrant in entrants if entrant.rating is not None)
    unrated = (entrant for entrant in entrants if entrant.rating is None)
    by_rating = sorted(rated, key=lambda entrant: -(entrant.rating or 0))
    by_surname = sorted(unrated, key=lambda each: (folded(each.name), each.name, each.player))
    return [entrant.player for entrant in (*by_rating, *by_surname)]


def fide_order(entrants: Sequence[Entrant]) -> list[str]:
    """Returns the ids in the order of FIDE: rating, title, name (C.04.2); unrated ones last.

    >>> fide_order([Entrant("a", "Zamora", 2000), Entrant("b", "Yáñez", 2000),
    ...             Entrant("c", "Xirau", 2000, ("FM",)), Entrant("d", "Abad")])
    ['c', 'b', 'a', 'd']
    """

    def key(entrant: Entrant) -> tuple[int | Fraction, int, str, str]:
        rating = -1 if entrant.rating is None else entrant.rating
        return -rating, entrant.title, folded(entrant.name), entrant.player

    return [entrant.player for entrant in sorted(entrants, key=key)]


def after_the_first_round(sheet: ScoreSheet, provisional: AbstractSet[int]) -> dict[int, int]:
    """Returns new provisional ratings after round 1, for the pairing only (notes on the cards).

    Who beat an opponent of rating x is set to x + 50, who drew to x, who lost to x - 50. The
    director orders it once, before round 2 is paired; then all are numbered anew.

    Args:
        sheet: with round 1; its ratings are those of the pairing.
        provisional: the numbers of those who are in no official list.

    Returns:
        Ratings by number, of those who played somebody with a rating.
    """
    return dict(_estimates(sheet, provisional))


def _estimates(sheet: ScoreSheet, provisional: AbstractSet[int]) -> Iterator[tuple[int, int]]:
    for number in sorted(provisional):
        game = _first_game(sheet.cards[number])
        opponent = None if game is None else sheet.cards[game[0]].rating
        if game is not None and opponent is not None:
            yield number, opponent + _WON_OR_LOST * (game[1] - WIN // 2)


def _first_game(card: Card) -> tuple[int, int] | None:
    """Returns the opponent and the half points of round 1, where it was played."""
    line = card.line(1)
    if line is None or not line.played or line.opponent is None:
        return None
    return line.opponent, line.halves


# When numbers may change


NUMBERS_UNTIL: Final = {
    PairingMethod.FENAMAC_1975: 1,
    PairingMethod.PRACTICAL_1975: 1,
    PairingMethod.TEAM_1975: 1,
    PairingMethod.BERGER: 0,
    PairingMethod.DUTCH: 3,
}
"""After how many published rounds numbers may still change: before round 2 (manual, cards), before
the first of a table, before the fourth (FIDE C.04.2)."""

BASES_BY_RATING: Final = ("rating", "first-round")
"""How numbers were given that follow the ratings."""


def rounds_begun(record: TournamentRecord) -> int:
    """Returns how many rounds are published or played."""
    return max(record.desk.last_round, last_with_game(record))


def numbered_by_report(record: TournamentRecord) -> bool:
    """Whether a report says something of the players by their numbers: these stay."""
    report = record.version.report
    return report is not None and bool(report.ranks or report.ratings or report.titles)


def numbered_apart(record: TournamentRecord, ratings: Mapping[str, int]) -> tuple[int, ...]:
    """Returns the numbers that do not stand by rating, for they were given before it was known.

    ``ratings`` are those for the pairing, by id. Who was entered, or rated, when numbers had been
    given is held against the others.
    """
    desk = record.desk
    if desk.numbers is None:
        return ()
    numbered = frozenset(map(record.survivors, desk.numbers.participants))
    described = desk.descriptions.items()
    rated_later = {player for player, entry in described if entry.seq > desk.numbered_at}
    later = {one for one in record.entries if one not in numbered or one in rated_later}
    standing = {n: ratings.get(one, 0) for one, n in record.entries.items() if one not in later}
    apart = []
    for one, number in record.by_number:
        with_it = standing | {number: ratings.get(one, 0)}
        if one in later and any(lower > upper for upper, lower in pairwise(_by_number(with_it))):
            apart.append(number)
        else:
            standing = with_it
    return tuple(apart)


def _by_number(ratings: Mapping[int, int]) -> Iterator[int]:
    return (rating for _, rating in sorted(ratings.items()))


def renumbering_due(record: TournamentRecord) -> bool:
    """Whether somebody was entered after numbers were given by rating, and they may change yet."""
    numbers, rules = record.desk.numbers, record.desk.rules
    if numbers is None or rules is None or numbers.basis not in BASES_BY_RATING:
        return False
    everybody = len(numbers.participants) == len(participants_of(record).entries)
    may_change = rounds_begun(record) <= NUMBERS_UNTIL[rules.pairing]
    return not everybody and may_change and not numbered_by_report(record)
