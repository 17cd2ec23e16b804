"""The worksheet of a tournament whose period stands as it was published."""

from __future__ import annotations

import datetime as dt

from ledger.answers.tournaments import tournament_worksheet
from ledger.operations import commands as c
from tests.ledgers import do, games, import_text, ledger_of, publish_period


def test_a_player_rated_under_an_id_that_was_given_up_keeps_his_rating() -> None:
    ledger = ledger_of("A,,,", "B,1800,30,", "C,1750,30,", "M,1700,30,", policy="next-list")
    pairings = ("1,,M,B,1/2-1/2", "2,,B,C,1/2-1/2", "3,,C,M,1/2-1/2")
    import_text(ledger, games("T", *pairings, system="round-robin"))
    publish_period(ledger, "2010-07")
    before = tournament_worksheet(ledger, "T", "ENF", 10)
    do(ledger, c.MergePlayers(player="M", into="A", on=dt.date(2010, 8, 1)))
    after = tournament_worksheet(ledger, "T", "ENF", 10)
    assert {row.id: row.rating for row in before.rows} == {"B": 1800, "C": 1750, "M": 1700}
    assert {row.id: row.rating for row in after.rows} == {"B": 1800, "C": 1750, "A": 1700}
    assert after.group_mean == before.group_mean == 1750
