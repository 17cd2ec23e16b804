"""First games that became known late, under next-list: they count, and end, as under restate."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest

from ledger.answers.player_questions import explain
from ledger.lists.publications import calculated
from ledger.operations import commands as c
from ledger.rating.postings import StepKind
from ledger.service.ledger import Ledger
from ledger.views.list_editions import require_period
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)

RATED = "ABCDEFGHIJ"
RATINGS = [1800 + 10 * place for place in range(len(RATED))]
RESULTS = ("1-0", "1/2-1/2", "0-1")


def ledger_of(regulation: str, policy: str) -> Ledger:
    ledger = empty_ledger()
    define(ledger, "L", regulation=regulation, first_on=dt.date(2020, 1, 1), policy=policy)  # type: ignore[arg-type]
    people = [f"{p},{p},,,1980-01-01,{r},,500\n" for p, r in zip(RATED, RATINGS, strict=True)]
    import_text(ledger, PLAYERS_HEADER + "".join(people), list_="L")
    import_text(ledger, PLAYERS_HEADER + "N,N,,,1980-01-01,,,\n")
    return ledger


def event(name: str, month: int, count: int, won: Sequence[str] = RESULTS) -> str:
    """N against so many of the rated ones, whose results go round and round."""
    about = f"{name},{name},2020-{month:02}-10,2020-{month:02}-12,swiss,classical,"
    rows = [
        f"{about},{n + 1},,N,{RATED[n % len(RATED)]},{won[n % len(won)]}\n" for n in range(count)
    ]
    return GAMES_HEADER + "".join(rows)


def games(ledger: Ledger, period: str) -> int:
    """All of N's rated games so far."""
    facts = ledger.facts()
    made = calculated(facts, "L", facts.seq, require_period(facts, "L", period))
    return int(made.closing.games[facts.player_index["N"]])


@pytest.mark.parametrize("policy", ["restate", "next-list"])
@pytest.mark.parametrize("regulation", ["fide-standard", "fenamac-1973"])
def test_late_first_games_count(regulation: str, policy: str) -> None:
    ledger = ledger_of(regulation, policy)
    import_text(ledger, event("T", 1, 8))
    publish_period(ledger, "2020-01", "L")
    assert games(ledger, "2020-01") == 8
    import_text(ledger, event("U", 1, 9))
    assert games(ledger, "2020-02") == 17


def test_they_go_when_they_are_annulled() -> None:
    ledger = ledger_of("fide-standard", "next-list")
    import_text(ledger, event("T", 1, 8))
    import_text(ledger, event("U", 1, 9))
    publish_period(ledger, "2020-01", "L")
    do(ledger, c.RuleOnTournament(tournament="U", ruling="annul", on=dt.date(2020, 2, 1)))
    assert games(ledger, "2020-02") == 8
    publish_period(ledger, "2020-02", "L")
    assert games(ledger, "2020-03") == 8


def test_while_they_wait_for_a_first_rating_they_count_once() -> None:
    ledger = ledger_of("fide-standard", "next-list")
    import_text(ledger, event("T", 1, 2))
    publish_period(ledger, "2020-01", "L")
    import_text(ledger, event("U", 1, 2))
    publish_period(ledger, "2020-02", "L")
    import_text(ledger, event("V", 3, 5))
    assert games(ledger, "2020-03") == 9


def test_they_are_none_of_a_rating_that_was_brought_in() -> None:
    ledger = ledger_of("fide-standard", "next-list")
    import_text(ledger, event("T", 1, 2))
    publish_period(ledger, "2020-01", "L")
    seed = c.SeedRating(
        player="N", list="L", rating=1900, games=100, source=None, on=dt.date(2020, 2, 1)
    )
    do(ledger, seed)
    import_text(ledger, event("U", 1, 3))
    assert games(ledger, "2020-02") == 100


@pytest.mark.parametrize("policy", ["restate", "next-list"])
def test_after_the_sixteenth_events_are_rated_by_formula_2(policy: str) -> None:
    ledger = ledger_of("fenamac-1973", policy)
    import_text(ledger, event("T", 1, 8))
    publish_period(ledger, "2020-01", "L")
    import_text(ledger, event("U", 1, 8))
    import_text(ledger, event("V", 2, 4))
    said = explain(ledger, "N", "L", "2020-02")
    assert len(said.postings) == 4
    assert StepKind.FIRST_GAMES not in {step.kind for step in said.steps}
    assert games(ledger, "2020-02") == 20


@pytest.mark.parametrize("policy", ["restate", "next-list"])
def test_before_it_they_are_rated_anew(policy: str) -> None:
    ledger = ledger_of("fenamac-1973", policy)
    import_text(ledger, event("T", 1, 8))
    publish_period(ledger, "2020-01", "L")
    import_text(ledger, event("U", 1, 7))
    import_text(ledger, event("V", 2, 4))
    assert not explain(ledger, "N", "L", "2020-02").postings
    assert games(ledger, "2020-02") == 19


@pytest.mark.parametrize("late", [3, 8])
def test_what_a_closed_period_owes_is_by_the_first_games_it_was_calculated_with(late: int) -> None:
    """A late event of others owes nothing to N, whose late games the closed period had already."""
    ledger = ledger_of("fenamac-1973", "next-list")
    import_text(ledger, event("T", 1, 8))
    publish_period(ledger, "2020-01", "L")
    import_text(ledger, event("U", 1, late))
    import_text(ledger, event("V", 2, 4, ("0-1",)))
    publish_period(ledger, "2020-02", "L")
    others = "W,W,2020-02-10,2020-02-12,swiss,classical,,1,,A,B,1-0\n"
    import_text(ledger, GAMES_HEADER + others)
    said = explain(ledger, "N", "L", "2020-03")
    assert said.opening == said.closing


def test_of_a_closed_period_too_events_after_the_sixteenth_are_rated_by_formula_2() -> None:
    ledger = ledger_of("fenamac-1973", "next-list")
    import_text(ledger, event("T", 1, 8))
    publish_period(ledger, "2020-01", "L")
    import_text(ledger, event("V", 2, 4, ("0-1",)))
    publish_period(ledger, "2020-02", "L")
    entered_with = explain(ledger, "N", "L", "2020-02").opening
    assert entered_with is not None
    import_text(ledger, event("U", 1, 8))
    credits_ = {credit.period: credit for credit in explain(ledger, "N", "L", "2020-03").credits}
    assert credits_["2020-02"].entitled == by_formula_2(entered_with)
    assert games(ledger, "2020-03") == 20


def by_formula_2(rating: int) -> int:
    """What V gives to somebody who entered it with the rating, and not with first games."""
    ledger = ledger_of("fenamac-1973", "restate")
    seed = c.SeedRating(
        player="N", list="L", rating=rating, games=16, source=None, on=dt.date(2020, 2, 1)
    )
    do(ledger, seed)
    import_text(ledger, event("V", 2, 4, ("0-1",)))
    said = explain(ledger, "N", "L", "2020-02")
    assert said.opening == rating
    assert said.closing is not None
    return said.closing - rating
