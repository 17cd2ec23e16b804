"""Before a list goes out it is compared with the one before; what is out of order is seen."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.publication_checks import check_publication
from ledger.errors import InputRefused
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.service.publications import publish
from ledger.terms import Rate, System
from tests.ledgers import PLAYERS_HEADER, do, games, import_text, ledger_of, publish_period, request

AUGUST = dt.date(2010, 8, 1)


@pytest.fixture
def ledger() -> Ledger:
    """Thirty players whose list of July is published."""
    ledger = ledger_of(*(f"{number:02},{1500 + number},,50" for number in range(30)))
    import_text(ledger, games("July", "1,,00,01,1-0"))
    publish_period(ledger, "2010-07")
    return ledger


def newcomers(ledger: Ledger, count: int) -> None:
    people = "".join(f"N{n:02},N{n:02},ARG,,1990,1400,,50\n" for n in range(count))
    import_text(ledger, PLAYERS_HEADER + people, list_="ENF", on=AUGUST)


def refusal_of(ledger: Ledger, *acknowledged: str) -> InputRefused:
    with pytest.raises(InputRefused) as refusal:
        publish(ledger, "ENF", "2010-08", request(), acknowledged=acknowledged)
    return refusal.value


def test_it_names_what_a_period_brings(ledger: Ledger) -> None:
    newcomers(ledger, 3)
    import_text(
        ledger, games("August", "1,,00,29,1-0", "1,,04,,U", "2,,02,03,1/2-1/2", day="2010-08-14")
    )
    do(ledger, c.CorrectResult(
        tournament="July", round=1, white="00", black="01", result=None, rating_only=True
    ))  # fmt: skip
    do(ledger, c.OpenTournament(
        tournament="open", name="Open", starts_on=AUGUST, ends_on=AUGUST, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    ))  # fmt: skip
    check = check_publication(ledger, "ENF", "2010-08")
    assert (check.players, check.before, check.edition) == (33, 30, 1)
    assert [(each.tournament, each.games, each.late) for each in check.tournaments] == [
        ("August", 2, False)
    ]
    assert [each.id for each in check.new] == ["N00", "N01", "N02"]
    assert check.gone == ()
    assert check.up[0].id == "00"
    assert check.down[0].id == "29"
    assert check.up[0].change == check.up[0].after - check.up[0].before > 0
    assert [(each.federation, each.players) for each in check.federations] == [("ARG", 3)]
    assert check.restated == ("2010-07",)
    assert check.exceeded == ()


def test_many_new_players_are_acknowledged_before_it_goes_out(ledger: Ledger) -> None:
    newcomers(ledger, 11)
    (exceeded,) = check_publication(ledger, "ENF", "2010-08").exceeded
    assert (exceeded.bound, exceeded.count, exceeded.limit) == ("new", 11, 10)
    refusal = refusal_of(ledger, "moves")
    assert refusal.message.key == "list.unacknowledged"
    assert str(refusal.details[0].message).startswith("11 on this list")
    dry = publish(ledger, "ENF", "2010-08", request(dry_run=True))
    assert dry.receipt is not None
    published = publish(ledger, "ENF", "2010-08", request(), acknowledged=["new"])
    assert published.list.edition == 1


def test_a_far_move_is_acknowledged_by_itself(ledger: Ledger) -> None:
    newcomers(ledger, 11)
    do(ledger, c.AdjustRating(player="05", list="ENF", on=AUGUST, points=250))
    assert [str(each.message)[:6] for each in refusal_of(ledger).details] == ["11 on ", "1 with"]
    assert [str(each.message)[:6] for each in refusal_of(ledger, "new").details] == ["1 with"]
    publish(ledger, "ENF", "2010-08", request(), acknowledged=["new", "moves"])
    import_text(ledger, games("Late", "1,,00,29,1-0", day="2010-08-14"))
    assert publish(ledger, "ENF", "2010-08", request()).list.edition == 2  # it was seen before


def test_a_first_list_and_a_small_one_are_out_of_no_order() -> None:
    ledger = ledger_of(*(f"{number:02},{1500 + number},,50" for number in range(30)))
    publish_period(ledger, "2010-07")
    newcomers(ledger, 10)
    publish_period(ledger, "2010-08")


def test_what_is_no_bound_is_refused(ledger: Ledger) -> None:
    refusal = refusal_of(ledger, "everything")
    assert str(refusal.message).endswith("cannot be chosen here; allowed are new, gone, moves")


def test_a_second_edition_is_compared_with_the_first(ledger: Ledger) -> None:
    do(ledger, c.CorrectResult(
        tournament="July", round=1, white="00", black="01", result=Result.parse("0-1")
    ))  # fmt: skip
    check = check_publication(ledger, "ENF", "2010-07")
    assert (check.edition, check.players, check.before) == (2, 30, 30)
    assert (check.new, check.gone) == ((), ())
    assert [(each.id, each.change > 0) for each in (*check.up, *check.down)] == [
        ("01", True), ("00", False),
    ]  # fmt: skip
