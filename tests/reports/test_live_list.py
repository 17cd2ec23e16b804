"""Live ratings beside the published ones."""

from __future__ import annotations

import datetime as dt

from ledger.answers.list_figures import live
from ledger.operations import commands as c
from tests.ledgers import do, games, import_text, ledger_of, publish_period


def test_live_beside_published() -> None:
    ledger = ledger_of("A,1800,30,", "B,1800,30,", "C,1700,30,", "N,,,")
    import_text(ledger, games("T", "1,,A,B,1-0"))
    before = live(ledger, "ENF")
    assert before.published == (None, None)
    assert [(row.id, row.published, row.live) for row in before.rows] == [
        ("A", None, 1815), ("B", None, 1785), ("C", None, 1700),
    ]  # fmt: skip
    publish_period(ledger, "2010-07")
    import_text(ledger, games("U", "1,,C,B,1/2-1/2", "2,,C,N,1-0", day="2010-08-10"))
    import_text(ledger, games("V", "1,,C,A,1-0", day="2010-09-10"))
    made = live(ledger, "ENF")
    assert (made.period, made.published) == ("2010-09", ("2010-07", 1))
    # August: B 1785 - C 1700, P 0.62, 3.6 each way. September: C 1704 - A 1815, P 0.35, 19.5.
    assert [(r.rank, r.id, r.published, r.live, r.points, r.games) for r in made.rows] == [
        (1, "A", 1815, 1795, -20, 1),
        (2, "B", 1785, 1781, -4, 1),
        (3, "C", 1700, 1724, 24, 2),
        (4, "N", None, 0, None, 0),
    ]


def test_a_player_published_under_an_id_that_was_given_up() -> None:
    ledger = ledger_of("A,,30,", "B,1800,30,", "M,1700,30,")
    import_text(ledger, games("T", "1,,M,B,1/2-1/2"))
    publish_period(ledger, "2010-07")
    do(ledger, c.MergePlayers(player="M", into="A", on=dt.date(2010, 8, 1)))
    # P(100) is 0.64: 4.2 each way.
    assert [(row.id, row.published, row.live) for row in live(ledger, "ENF").rows] == [
        ("B", 1796, 1796), ("A", 1704, 1704),
    ]  # fmt: skip
