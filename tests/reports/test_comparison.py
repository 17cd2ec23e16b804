"""The same events under another regulation, by hand and by law."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.list_figures import compare_regulations
from ledger.answers.lists import show
from ledger.errors import InputRefused, NotFound
from ledger.pictures.comparison import comparison_picture
from ledger.rating.models import logistic
from ledger.regulations.registry import OWN
from ledger.reports.comparison import Comparison
from ledger.service.ledger import Ledger
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST
from tests.laws.support import PERIODS, filled, law
from tests.ledgers import games, import_text, ledger_of


def compared(
    ledger: Ledger,
    regulation: str = "enf-2010",
    control: tuple[str, ...] = (),
    **parameters: object,
) -> Comparison:
    return compare_regulations(
        ledger, "ENF", regulation=regulation, parameters=parameters,  # type: ignore[arg-type]
        since="2010-07", until="2010-08", control=control,
    )  # fmt: skip


def two() -> Ledger:
    """A wins against B in July and draws in August, both 1800 before."""
    ledger = ledger_of("A,1800,,50", "B,1800,,50", "N,,,")
    import_text(ledger, games("T", "1,,A,B,1-0", "2,,A,N,0-1"))
    import_text(ledger, games("U", "1,,A,B,1/2-1/2", day="2010-08-10"))
    return ledger


def test_twice_the_k_by_hand() -> None:
    ledger = two()
    head = ledger.journal.head()
    made = compared(ledger, k_others=30)
    assert ledger.journal.head() == head
    # K 15: 1808 and 1792 (7.5 away from zero), 16 points apart: P 0.52, -0.3 each way.
    # K 30: 1815 and 1785, 30 points apart: P 0.54, -1.2 each way.
    assert [(p.id, p.own, p.other, p.points) for p in made.players.all()] == [
        ("A", 1808, 1814, 6),
        ("B", 1792, 1786, -6),
    ]
    assert made.games == 2
    assert made.control == ("A", "B")
    by = {(j.by, j.side): j.quality for j in made.judgements}
    for side, apart in (("own", 16), ("other", 30)):
        expected = Fraction(logistic().one(apart), logistic().scale)
        error = (Fraction(1, 2) ** 2 + (expected - Fraction(1, 2)) ** 2) / 2
        assert by["yardstick", side].brier == error
        assert by["yardstick", side].sides == 4
    posted = (Fraction(1, 4) + Fraction(2, 100) ** 2) / 2
    assert by["posted", "own"].brier == posted
    assert by["posted", "other"].brier == (Fraction(1, 4) + Fraction(4, 100) ** 2) / 2
    costs = {quality.draws_cost for quality in by.values()}
    assert len(costs) == 1
    changes = {(c.group, c.side): c for c in made.changes}
    assert changes["all", "own"].start.mean == changes["control", "other"].end.mean == 1800
    assert changes["all", "other"].end.variance == 14**2


def test_a_control_group_by_name() -> None:
    made = compared(two(), control=("B",), k_others=30)
    assert [change.end.mean for change in made.changes if change.group == "control"] == [1792, 1786]
    with pytest.raises(InputRefused):
        compared(two(), control=("N",))


def test_a_model_with_draws_says_so() -> None:
    made = compared(two(), "fide-1972", expectation="normal-draw", draw_margin=50)
    by = {(j.by, j.side): j.quality for j in made.judgements}
    assert by["posted", "other"].draws_by_model
    assert not by["posted", "own"].draws_by_model


def test_what_is_refused() -> None:
    with pytest.raises(NotFound):
        compared(two(), "no-such")
    with pytest.raises(InputRefused) as refused:
        compared(two(), k_others=-1)
    assert "I, K" in str(refused.value.message)


@law(12)
@given(federations(most_players=9, most_events=3))
def test_a_list_beside_its_own_regulation_is_the_same(federation: Federation) -> None:
    ledger = filled(federation)
    rules = federation.rules
    made = compare_regulations(
        ledger, LIST, regulation="enf-2010",
        parameters={"method": rules.method, "difference_rule": rules.difference_rule},
        since=PERIODS[0], until=PERIODS[-1],
    )  # fmt: skip
    assert not made.players.differences.any()
    assert all(player.own == player.other for player in made.players.all())
    for own, other in zip(made.judgements[::2], made.judgements[1::2], strict=True):
        assert own.quality == other.quality
    for own_, other_ in zip(made.changes[::2], made.changes[1::2], strict=True):
        assert (own_.start, own_.end) == (other_.start, other_.end)


@law(12)
@given(federations(most_players=9, most_events=3), st.sampled_from(sorted(OWN)))
def test_any_regulation_serves_and_is_drawn(federation: Federation, regulation: str) -> None:
    ledger = filled(federation)
    made = compare_regulations(
        ledger, LIST, regulation=regulation, parameters={}, since=PERIODS[1], until=PERIODS[-1]
    )
    shown = {row.id: row.rating for row in show(ledger, LIST, PERIODS[-1]).rows if row.rating}
    assert {p.id: p.own for p in made.players.all() if p.own} == shown
    yardstick = [j.quality for j in made.judgements if j.by == "yardstick"]
    assert {quality.sides for quality in yardstick} == {2 * made.games}
    svg = comparison_picture(made, "en")
    drawn = ET.fromstring(svg)  # noqa: S314 - our own
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert "nan" not in svg
