"""Why a rating differs, where the game is told of in more than one way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction

from ledger.answers.player_questions import why_between, why_of
from ledger.errors import Problem
from ledger.events.model import Dated
from ledger.events.tournaments import ResultRecorded
from ledger.operations import commands as c
from ledger.registrar.registrar import Registrar
from ledger.reports.why import Cause
from ledger.service.ledger import Ledger
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    publish_period,
    request,
)

DAY = dt.date(2010, 7, 12)
ABOUT = "T,T,2010-07-10,2010-07-12,swiss,classical,"
FIRST, SECOND = ("2010-07", 1), ("2010-07", 2)


def published(*games: str) -> Ledger:
    """Returns a ledger of A and B, rated, and N, who is not; July 2010 is out."""
    ledger = empty_ledger()
    define(ledger)
    people = "A,A,,,,1800,20,100\nB,B,,,,1800,20,100\nN,B again,,,,,,\n"
    import_text(ledger, PLAYERS_HEADER + people, list_="ENF")
    import_text(ledger, GAMES_HEADER + "".join(f"{ABOUT},{game}\n" for game in games))
    publish_period(ledger, "2010-07")
    return ledger


def test_two_results_of_one_pairing_that_another_program_recorded() -> None:
    ledger = published("1,,A,B,1-0")
    again = ResultRecorded(black="B", result="0-1", round=1, tournament="T", white="A")

    def plan(registrar: Registrar) -> Sequence[Problem]:
        registrar.events.append(Dated(DAY, again))
        return ()

    ledger.append(["tournament:T"], plan, request())
    publish_period(ledger, "2010-07")
    assert why_of(ledger, "A", "ENF", FIRST, SECOND).totals() == {Cause.NEW_GAMES: Fraction(-10)}


def test_a_game_against_an_id_that_was_merged_since_is_no_new_game() -> None:
    ledger = published("1,,A,N,1-0")
    do(ledger, c.MergePlayers(player="N", into="B", on=DAY))
    publish_period(ledger, "2010-07")
    told = why_of(ledger, "A", "ENF", FIRST, SECOND)
    assert told.totals() == {Cause.CORRECTIONS: Fraction(10)}
    assert (told.before, told.after) == (1800, 1810)


def test_the_causes_in_a_sentence() -> None:
    ledger = published("1,,A,B,1-0")
    import_text(ledger, games("V", "1,,B,A,1-0", day="2010-08-12"))
    publish_period(ledger, "2010-08")
    causes = why_between(ledger, "A", "ENF", "2010-07", "2010-08")
    assert causes.data("en")["summary"] == "1810 → 1799: new games −10.60, rounding −0.40."
    assert causes.data("es")["summary"] == "1810 → 1799: partidas nuevas −10.60, redondeo −0.40."
    same = why_between(ledger, "A", "ENF", "2010-07", "2010-07")
    assert same.data("en")["summary"] == "1810 → 1810: nothing moved the rating."
    unrated = why_between(ledger, "N", "ENF", "2010-07", "2010-08")
    assert unrated.data("en")["summary"] == "– → –: nothing moved the rating."
