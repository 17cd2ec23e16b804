"""What a player must score: figures worked by hand, and what is refused."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.answers.forecasts import MOST_GAMES, forecast_of
from ledger.errors import InputRefused, NotFound
from ledger.rating.postings import Reason
from ledger.reports.forecast import RatingForecast, Wanted
from ledger.service.ledger import Ledger
from ledger.terms import Rate
from ledger.views.past import PastLedger, newest_of
from tests.ledgers import (
    GAMES_HEADER,
    define,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    publish_period,
)


def federation() -> Ledger:
    """A plays in July, which is published, and has a game in August that waits."""
    ledger = ledger_of("A,1800,15,50", "B,1700,15,50", "C,1800,15,50", "N,,,")
    import_text(ledger, games("T", "1,,C,B,1/2-1/2"))
    publish_period(ledger, "2010-07")
    import_text(ledger, games("U", "1,,A,C,1-0", day="2010-08-10"))
    return ledger


def told(forecast: RatingForecast) -> list[str]:
    return [note.within("en") for note in forecast.notes]


def test_each_score_is_rated_with_the_games_that_wait() -> None:
    forecast = forecast_of(federation(), "A", "ENF", ["B"], [1800], wanted=Wanted(rating=1815))
    assert (forecast.period, forecast.rating, forecast.k) == ("2010-08", 1800, 15)
    # Table 2: C 1798 and D 2, 0.50: 15 x 0.50 = 7.5, half up. B is 1702 by now: D 98, 0.63.
    assert (forecast.without, forecast.waiting) == (1808, 1)
    assert [(g.opponent.id, g.opponent_rating, g.expected) for g in forecast.games] == [
        ("B", 1702, Fraction(63, 100)), (None, 1800, Fraction(1, 2)),
    ]  # fmt: skip
    assert forecast.expected == Fraction(113, 100)
    # 15 (W - 1.13) beside the 7.5: rounded together, once.
    assert [(s.halves, s.change, s.rating) for s in forecast.scores] == [
        (0, Fraction("-16.95"), 1791), (1, Fraction("-9.45"), 1798), (2, Fraction("-1.95"), 1806),
        (3, Fraction("5.55"), 1813), (4, Fraction("13.05"), 1821),
    ]  # fmt: skip
    assert not any(score.depends for score in forecast.scores)
    assert forecast.needed == 4
    assert forecast.verdict.within("en") == "To reach 1815, score 2 of 2 points."
    assert told(forecast) == [
        "K is 15 in 2010-08: it was assigned to this player.",
        "Counted as well: 1 other game of this period.",
    ]


def test_a_gain_is_that_of_these_games_alone() -> None:
    ledger = federation()
    gained = forecast_of(ledger, "A", "ENF", ["B"], [1800], wanted=Wanted(change=5))
    assert gained.needed == 3
    never = forecast_of(ledger, "A", "ENF", ["B"], wanted=Wanted(change=100))
    assert never.needed is None
    assert never.verdict.within("en") == "No score in these games gains 100 points."


def test_nothing_is_recorded() -> None:
    ledger = federation()
    facts = ledger.facts()
    forecast_of(ledger, "A", "ENF", ["B"], [1800])
    assert ledger.facts() is facts
    assert ledger.journal.head().seq == facts.seq


def test_as_it_was_known() -> None:
    ledger = federation()
    now = forecast_of(ledger, "A", "ENF", ["B"])
    assert forecast_of(newest_of(ledger), "A", "ENF", ["B"]) == now
    seq = ledger.facts().seq
    import_text(ledger, games("V", "1,,A,B,0-1", day="2010-08-12"))
    assert forecast_of(PastLedger(ledger, seq), "A", "ENF", ["B"]) == now
    assert forecast_of(ledger, "A", "ENF", ["B"]).waiting == 2


def test_opponents_by_id_and_by_rating_are_the_same() -> None:
    ledger = federation()
    by_id, by_rating = (forecast_of(ledger, "A", "ENF", *said) for said in ([["B"]], [[], [1702]]))
    assert by_id.scores == by_rating.scores


def test_an_unrated_opponent_counts_for_nothing() -> None:
    forecast = forecast_of(federation(), "A", "ENF", ["N", "B"])
    assert [game.reason for game in forecast.games] == [Reason.OPPONENT_UNRATED, Reason.NONE]
    assert [score.halves for score in forecast.scores] == [0, 1, 2]
    nothing = forecast_of(federation(), "A", "ENF", ["N"])
    assert nothing.scores == ()
    assert nothing.verdict.within("en") == "None of these games counts for the rating."


def test_a_newcomer_gets_a_first_rating_or_none_yet() -> None:
    ledger = federation()
    few = forecast_of(ledger, "N", "ENF", [], [1500] * 3)
    assert [(score.rating, score.change) for score in few.scores] == [(None, None)] * 7
    # III: 50 % are the mean, each half point above 12.5 more.
    assert [score.performance for score in few.scores[3:5]] == [1500, Fraction("1512.5")]
    assert told(few)[0].endswith("A first rating needs 9 games.")
    enough = forecast_of(ledger, "N", "ENF", [], [1500] * 9, wanted=Wanted(rating=1530))
    assert enough.scores[9].rating == 1500
    assert (enough.scores[11].rating, enough.needed) == (1525, 12)


def test_a_k_that_is_reduced_says_so() -> None:
    ledger = empty_ledger()
    define(ledger, "F", regulation="fide-standard", first_on=dt.date(2024, 3, 1))
    import_text(
        ledger, "id,name,federation,sex,birth_date,rating,k,games\nA,A,,,1980,1800,,50\n", list_="F"
    )
    forecast = forecast_of(ledger, "A", "F", [], [1800] * 40)
    # 8.3.3: K n may not exceed 700.
    assert forecast.k == 17
    assert told(forecast)[0] == (
        "K is 17 in 2024-03 instead of 20: it is reduced for 40 games in one period."
    )
    assert forecast.scores[-1].change == 340


def test_whom_an_all_play_all_has_left() -> None:
    ledger = federation()
    rows = "".join(
        f"R,R,2010-08-01,2010-08-20,round-robin,classical,,{line}\n"
        for line in ("1,,A,B,1-0", "1,,C,N,1-0")
    )
    import_text(ledger, GAMES_HEADER + rows)
    forecast = forecast_of(ledger, "A", "ENF", tournament="R")
    assert [(game.tournament, game.opponent.id) for game in forecast.games] == [
        ("R", "C"), ("R", "N"),
    ]  # fmt: skip
    assert any("all-play-all" in note for note in told(forecast))


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "nobody is known who is yet to be met"),
        ({"opponents": ["A"]}, "cannot be an opponent of the same player"),
        ({"opponents": ["Z9"]}, "there is no player 'Z9'"),
        ({"ratings": [1800] * (MOST_GAMES + 1)}, "41 games are too many"),
        ({"ratings": [1800], "wanted": Wanted(1900, 5)}, "cannot both be wanted"),
        ({"tournament": "X"}, "X"),
        ({"tournament": "T"}, "A is not entered in T"),
    ],
)
def test_what_is_refused(asked: dict[str, object], says: str) -> None:
    with pytest.raises((InputRefused, NotFound), match=says):
        forecast_of(federation(), "A", "ENF", **asked)  # type: ignore[arg-type]


def test_a_list_that_does_not_rate_the_tournament() -> None:
    ledger = federation()
    define(ledger, "RAPID", regulation="fide-rapid", rate_of_play=Rate.RAPID)
    with pytest.raises(InputRefused, match="which rates rapid play alone"):
        forecast_of(ledger, "A", "RAPID", tournament="U")
