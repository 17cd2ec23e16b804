"""A whole tournament as FIDE rated it: the 2025 US Championship, imported, calculated, compared.

Two of the twelve players have another event in the period; of theirs only the change of this event
is calculated here.
"""

from __future__ import annotations

import datetime as dt
import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ledger.answers.player_questions import explain
from ledger.rating.rounding import half_away_from_zero
from ledger.reports.statement import Statement
from ledger.reports.tournaments import tournament_sheet
from ledger.service.ledger import Ledger
from ledger.service.lists import define_list
from ledger.terms import Rate
from tests.ledgers import empty_ledger, import_text, request

DATA = Path(__file__).parent / "data"
PUBLISHED = json.loads((DATA / "us_championship_2025.json").read_text("utf-8"))
TOURNAMENT, PERIOD = "432532", "2025-10"


class Player(NamedTuple):
    """What FIDE published of a player."""

    id: int
    new_rating: int
    k: int
    opponents_mean: int
    points: str
    change: str
    change_of_period: str


PLAYERS = [Player(*row) for row in PUBLISHED["players"]]
OTHER_CHANGES = {int(player): change for player, change in PUBLISHED["other_changes"].items()}


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    made = empty_ledger()
    define_list(
        made, "FIDE", regulation="fide-standard", parameters={}, calendar="fide",
        first_on=dt.date(2025, 10, 1), policy="restate", rate_of_play=Rate.CLASSICAL,
        closes_days_before=0, request=request(),
    )  # fmt: skip
    import_text(made, text("us_championship_2025_players.csv"), list_="FIDE")
    import_text(made, text("us_championship_2025.csv"))
    return made


def text(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def statement(ledger: Ledger, player: int) -> Statement:
    return explain(ledger, str(player), "FIDE", PERIOD)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: str(player.id))
class TestEveryPlayer:
    def test_change_and_k(self, ledger: Ledger, player: Player) -> None:
        made = statement(ledger, player.id)
        assert made.change_exact == Fraction(player.change)
        assert {posting.k for posting in made.postings} == {player.k}
        assert made.games == len(made.postings) == 11
        assert made.excluded == ()

    def test_the_mean_of_the_opponents(self, ledger: Ledger, player: Player) -> None:
        ratings = [posting.opponent_rating for posting in statement(ledger, player.id).postings]
        assert half_away_from_zero(Fraction(sum(ratings), len(ratings))) == player.opponents_mean

    def test_the_new_rating(self, ledger: Ledger, player: Player) -> None:
        made = statement(ledger, player.id)
        other = Fraction(OTHER_CHANGES.get(player.id, 0))
        assert made.change_exact + other == Fraction(player.change_of_period)
        assert made.opening is not None
        both = half_away_from_zero(made.change_exact + other)
        assert made.opening + both == player.new_rating
        if not other:
            assert made.closing == player.new_rating


def test_every_game_of_both_players(ledger: Ledger) -> None:
    compared = 0
    made: dict[tuple[int, int], Any] = {
        (player.id, posting.round): posting
        for player in PLAYERS
        for posting in statement(ledger, player.id).postings
    }
    for round_, white, black, of_white, of_black in PUBLISHED["games"]:
        for player, opponent, shown in ((white, black, of_white), (black, white, of_black)):
            posting = made.pop((player, round_))
            assert posting.opponent.id == str(opponent)
            assert (posting.score - posting.expected) * 100 == shown
            assert posting.contribution == Fraction(posting.k * shown, 100)
            compared += 1
    assert compared == 132
    assert not made


def test_the_crosstable(ledger: Ledger) -> None:
    facts = ledger.facts()
    record = ledger.register([f"tournament:{TOURNAMENT}"], facts.seq).tournaments[TOURNAMENT]
    table = tournament_sheet(record, facts, ledger.people(facts)).data()
    assert table["rounds"] == 11
    points = {int(row["id"]): row["points"] for row in table["players"]}
    assert points == {player.id: player.points for player in PLAYERS}
    assert sum(Fraction(value) for value in points.values()) == 66


def test_what_one_wins_the_others_lose(ledger: Ledger) -> None:
    """K is the same for all, nobody's difference is capped: the changes add up to nothing."""
    assert sum(statement(ledger, player.id).change_exact for player in PLAYERS) == 0
