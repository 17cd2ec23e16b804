"""Age groups go by the calendar year, and by the federation's own table where it has one."""

from __future__ import annotations

import pytest

from ledger.age_groups import OLDEST, USUAL, AgeGroup, age_groups, group_named
from ledger.errors import InputRefused


def test_the_usual_groups_are_those_of_fide() -> None:
    names = [group.name for group in age_groups("")]
    assert names == ["U8", "U10", "U12", "U14", "U16", "U18", "U20", "S50", "S65"]
    assert age_groups(USUAL) == age_groups("  ")
    assert group_named("u14", "") == AgeGroup("U14", 0, 14)
    assert group_named("S50", "") == AgeGroup("S50", 50, OLDEST)


def test_a_federation_has_a_table_of_its_own() -> None:
    table = "Sub 12=-12, Juvenil = 13 - 18, Veteranos=60-, u9"
    assert [*age_groups(table)] == [
        AgeGroup("Sub 12", 0, 12),
        AgeGroup("Juvenil", 13, 18),
        AgeGroup("Veteranos", 60, OLDEST),
        AgeGroup("U9", 0, 9),
    ]
    assert group_named("  sub   12 ", table).most == 12
    with pytest.raises(InputRefused) as refusal:
        group_named("U14", table)
    assert str(refusal.value.message).endswith("Sub 12, Juvenil, Veteranos, U9")


@pytest.mark.parametrize("table", ["U", "Sub 12", "Sub 12=", "Sub 12=-", "x=18-13", "=3-4", "U8,,"])
def test_what_is_no_group_is_quoted(table: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        age_groups(table)
    assert refusal.value.message.key == "category.bad_group"


def test_two_groups_have_two_names() -> None:
    with pytest.raises(InputRefused) as refusal:
        age_groups("U8, u8")
    assert refusal.value.message.key == "category.group_twice"
