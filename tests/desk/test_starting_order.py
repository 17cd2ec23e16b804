from __future__ import annotations

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.starting_order import Entrant, after_the_first_round, starting_order
from ledger.terms import Colour, System


def test_the_highest_rating_has_number_one_and_who_has_none_comes_last_by_surname() -> None:
    entrants = [
        Entrant("a", "Zúñiga, Ana"),
        Entrant("b", "Benítez, Leo", 1700),
        Entrant("c", "Ávila, Eva"),
        Entrant("d", "Treviño, Pedro", 2000),
        Entrant("e", "Aguirre, Luis", 1700),
    ]
    assert starting_order(entrants) == ["d", "b", "e", "c", "a"]


def first_round(opponent: int, halves: int, how: How = How.PLAYED) -> tuple[CardLine, ...]:
    return (CardLine(1, how, halves, opponent, Colour.WHITE),)


def test_provisional_ratings_after_the_first_round() -> None:
    # The text: who beat a player of 1700 is given 50 more, who drew the same, who lost 1650.
    cards = {
        1: Card(1, "listed", first_round(4, 0), 1700),
        2: Card(2, "listed too", first_round(5, 1), 1700),
        3: Card(3, "listed as well", first_round(6, 2), 1700),
        4: Card(4, "won", first_round(1, 2), 1500),
        5: Card(5, "drew", first_round(2, 1)),
        6: Card(6, "lost", first_round(3, 0), 1900),
        7: Card(7, "met one without a rating", first_round(8, 2)),
        8: Card(8, "lost to 7", first_round(7, 0)),
        9: Card(9, "by forfeit", first_round(1, 2, How.FORFEIT)),
        10: Card(10, "rested", (CardLine(1, How.ALLOCATED_BYE, 2),), 1400),
    }
    sheet = ScoreSheet(System.SWISS, cards, 5, 1)
    assert after_the_first_round(sheet, set(range(4, 11))) == {4: 1750, 5: 1700, 6: 1650}
    assert after_the_first_round(sheet, {5}) == {5: 1700}
