"""Laws of standings and of the manual's tie-breaks, on small events by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.score_sheet import Card, ScoreSheet, score_sheet
from ledger.desk.standings import POINTS, StandingsRow, standings
from ledger.desk.tie_breaks.manual_1975 import adjusted_scores
from ledger.desk.tie_breaks.registry import announced
from ledger.results import Result, Termination
from ledger.terms import System
from tests.desk.events import event, rated
from tests.profile import CHANCES, examples

CODES = (
    "median", "solkoff", "sonneborn-berger", "direct", "blacks", "kashdan", "opponents-ratings",
    "rating-percentage", "lots:7",
)  # fmt: skip
LISTS = st.lists(st.sampled_from(CODES), unique=True, max_size=len(CODES)).map(",".join)
RESULTS = ("1-0", "½", "0-1", "1-0", "0-1", "+/-", "-/+", "-/-", "0-0a", "1-0s", "*")


@dataclass(frozen=True)
class Played:
    """An event: its rounds as the arbiter wrote them, and ratings by number."""

    rounds: tuple[str, ...]
    ratings: tuple[int | None, ...]
    system: System
    withdrawn: dict[int, int]

    @property
    def sheet(self) -> ScoreSheet:
        return rated(
            event(
                *self.rounds,
                system=self.system,
                players=len(self.ratings),
                withdrawn=self.withdrawn,
            ),
            *self.ratings,
        )


@st.composite
def events(draw: st.DrawFn) -> Played:
    """Events in which two may meet again, with everything that keeps a round from being played."""
    players, last, chance = draw(st.integers(2, 9)), draw(st.integers(1, 5)), draw(CHANCES)
    numbers = range(1, players + 1)
    withdrawn = draw(st.dictionaries(st.sampled_from(numbers), st.integers(2, 5), max_size=1))
    rounds = []
    for number in range(1, last + 1):
        order = chance.sample(numbers, players)
        left = [one for one in order if number < withdrawn.get(one, 99)]
        boards = [
            f"{a}-{b} {chance.choice(RESULTS)}" for a, b in zip(left[::2], left[1::2], strict=False)
        ]
        if len(left) % 2:
            boards.append(f"{left[-1]} {chance.choice('UFHZ')}")
        rounds.append(", ".join(boards))
    everybody = draw(st.booleans())
    ratings = [
        chance.choice(
            (chance.randint(1795, 1815), chance.randint(1200, 2400), *([None] * (not everybody)))
        )
        for _ in numbers
    ]
    system = draw(st.sampled_from((System.SWISS, System.ROUND_ROBIN)))
    return Played(tuple(filter(None, rounds)) or ("1-2 ½",), tuple(ratings), system, withdrawn)


@given(played=events(), codes=LISTS)
@examples(150)
def test_the_order_of_the_entries_is_nothing(played: Played, codes: str) -> None:
    sheet = played.sheet
    turned = replace(sheet, cards=dict(reversed(list(sheet.cards.items()))), _cache={})
    assert standings(turned, announced(codes)) == standings(sheet, announced(codes))


@given(played=events(), codes=LISTS)
@examples(150)
def test_places_are_counted_and_shared(played: Played, codes: str) -> None:
    """Who is above is counted; the places of who shares one add up to those they take."""
    places = standings(played.sheet, announced(codes))
    assert {place.card.number for place in places} == set(played.sheet.cards)
    sharing = Counter(place.rank for place in places)
    taken = sum(place.rank + Fraction(sharing[place.rank] - 1, 2) for place in places)
    assert taken == Fraction(len(places) * (len(places) + 1), 2)
    for above, below in pairwise(places):
        if above.card.cancelled == below.card.cancelled:
            assert above.card.halves >= below.card.halves
        shares = above.rank == below.rank
        assert shares == (below.decided_by is None)
        assert (below.decided_by == POINTS) == (
            (above.card.halves, above.card.cancelled) != (below.card.halves, below.card.cancelled)
        )
    if "lots:7" in codes:
        assert max(sharing.values()) == 1


@given(played=events(), codes=LISTS)
@examples(150)
def test_what_decided_is_greater_above_and_all_before_it_decided_nothing(
    played: Played, codes: str
) -> None:
    places = standings(played.sheet, announced(codes))
    order = [tie_break.code for tie_break in announced(codes)]
    for above, below in pairwise(places):
        if below.decided_by in (None, POINTS):
            continue
        code = below.decided_by
        higher, lower = above.values[code], below.values[code]
        while higher.amount == lower.amount and higher.again and lower.again:
            higher, lower = higher.again, lower.again
        assert higher.amount is not None
        assert lower.amount is not None
        assert higher.amount > lower.amount
        for earlier in order[: order.index(code)]:
            one, other = above.values.get(earlier), below.values.get(earlier)
            undecided = one is None or other is None or not (one.decides and other.decides)
            equal = one is not None and other is not None and one.amount == other.amount
            assert undecided or equal or _somebody_has_none(places, above.card, earlier)


def _somebody_has_none(places: list[StandingsRow], card: Card, code: str) -> bool:
    """Whether one of those with equal points has no value that decides."""
    equal = [place for place in places if place.card.halves == card.halves]
    return any(code not in p.values or not p.values[code].decides for p in equal)


@given(played=events())
@examples(150)
def test_values_are_the_sum_of_what_is_explained(played: Played) -> None:
    for place in standings(played.sheet, announced(",".join(CODES))):
        for value in place.values.values():
            if value.amount is not None and value.how is None:
                parts = (part.amount for part in value.parts if part.counted)
                assert value.amount == sum(parts, Fraction(0))


# Calculated another way: game by game from the results as they were written.


def _games(played: Played) -> Iterator[tuple[int, int, Fraction, Fraction, bool]]:
    """Yields White, Black, what each made and whether it was played."""
    for boards in played.rounds:
        for board in boards.split(", "):
            who, result = board.split()
            if "-" in who and result != "*":
                white, black = map(int, who.split("-"))
                said = Result.parse(result)
                of_white, of_black = (Fraction(halves, 2) for halves in said.halves)
                played_out = said.termination is not Termination.FORFEIT
                yield white, black, of_white, of_black, played_out


@given(played=events())
@examples(150)
def test_a_swiss_calculated_game_by_game(played: Played) -> None:
    swiss = replace(played, system=System.SWISS)
    numbers, half = range(1, len(swiss.ratings) + 1), Fraction(1, 2)
    adjusted = dict.fromkeys(numbers, len(swiss.rounds) * half)
    games = [game for game in _games(swiss) if game[-1]]
    for white, black, of_white, of_black, _ in games:
        adjusted[white] += of_white - half
        adjusted[black] += of_black - half
    solkoff, berger = dict.fromkeys(numbers, Fraction(0)), dict.fromkeys(numbers, Fraction(0))
    kashdan, blacks = Counter[int](), Counter[int]()
    for white, black, of_white, of_black, _ in games:
        for own, other, made in ((white, black, of_white), (black, white, of_black)):
            solkoff[own] += adjusted[other]
            berger[own] += made * adjusted[other]
            kashdan[own] += {0: 1, half: 2, 1: 4}[made]
        blacks[black] += 1
    sheet = swiss.sheet
    assert adjusted_scores(sheet) == {n: 2 * score for n, score in adjusted.items()}
    for place in standings(sheet, announced("solkoff,sonneborn-berger,kashdan,blacks,median")):
        n, values = place.card.number, {c: v.amount for c, v in place.values.items()}
        assert values["solkoff"] == solkoff[n]
        assert values["sonneborn-berger"] == berger[n]
        assert values["kashdan"] == kashdan[n]
        assert values["blacks"] == blacks[n]
        row = sorted(adjusted[b if n == a else a] for a, b, *_ in games if n in (a, b))
        row = [Fraction(0)] * (len(swiss.rounds) - len(row)) + row
        assert values["median"] == sum(row[1:-1], Fraction(0))


@given(played=events(), after=st.integers(0, 6))
@examples(60)
def test_after_a_round_later_ones_are_nothing(played: Played, after: int) -> None:
    swiss = replace(played, system=System.SWISS, withdrawn={})
    numbers = len(swiss.ratings)
    whole = score_sheet(event(*swiss.rounds, players=numbers), after=after)
    cut = score_sheet(event(*swiss.rounds[:after], players=numbers, announced=whole.rounds))
    order = announced(",".join(CODES))
    assert standings(whole, order) == standings(cut, order)
