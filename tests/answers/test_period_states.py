"""How periods stand, held against the digests that were published."""

from __future__ import annotations

import pytest

from ledger.answers.lists import show
from ledger.answers.period_states import period_states
from ledger.lists.publications import publications
from ledger.service.ledger import Ledger
from tests.ledgers import games, import_text, ledger_of, publish_period

PLAYERS = ("a,1500,,50", "b,1600,,50", "d,1700,,50", "new,,,")


def published(*later: tuple[str, str, str]) -> Ledger:
    """Returns a ledger of two published periods, and tournaments that became known later."""
    ledger = ledger_of(*PLAYERS)
    import_text(ledger, games("t", "1,,a,b,1-0", "1,,new,d,1-0"))
    publish_period(ledger, "2010-07")
    import_text(ledger, games("u", "1,,b,d,1-0", day="2010-08-10"))
    publish_period(ledger, "2010-08")
    for name, game, day in later:
        import_text(ledger, games(name, game, day=day))
    return ledger


@pytest.mark.parametrize(
    ("later", "states"),
    [
        ((), ["published", "published"]),
        ((("late", "1,,a,d,0-1", "2010-07-20"),), ["restated", "restated"]),
        ((("late", "1,,a,d,0-1", "2010-08-20"),), ["published", "restated"]),
        ((("late", "1,,a,d,+/-", "2010-07-20"),), ["published", "published"]),
        ((("later", "1,,a,d,0-1", "2010-09-20"),), ["published", "published"]),
    ],
)
def test_a_period_is_restated_where_its_list_has_other_rows_than_its_edition(
    later: tuple[tuple[str, str, str], ...], states: list[str]
) -> None:
    ledger = published(*later)
    found = {each.period.name: each.state for each in period_states(ledger, "ENF")}
    assert [found["2010-07"], found["2010-08"]] == states
    for edition in publications(ledger.facts(), "ENF"):
        now = show(ledger, "ENF", edition.period)
        same = now.ratings_sha256() == edition.ratings_sha256
        assert found[edition.period] == ("published" if same else "restated")


def test_a_new_edition_is_what_a_period_is_held_against() -> None:
    ledger = published(("late", "1,,a,d,0-1", "2010-07-20"))
    publish_period(ledger, "2010-07")
    found = {each.period.name: (each.state, each.editions) for each in period_states(ledger, "ENF")}
    assert found["2010-07"] == ("published", 2)
    assert found["2010-08"] == ("restated", 1)
