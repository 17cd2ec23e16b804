"""A full or broken disk under the site: it says so, loses nothing, and goes on when there is room.

Besides a full disk in each of its folders, faults by chance are tried while submissions are handed
in and accepted: ``RATING_LEDGER_SITE_FAULTS`` says how many, ``RATING_LEDGER_SEED`` which.
"""

from __future__ import annotations

import errno
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests import profile
from tests.faults.fallible_site import ROOMS, FallibleSite, TurnedAway, fallible_site
from tests.faults.shim import Manner

FAULTS = int(os.environ.get("RATING_LEDGER_SITE_FAULTS", profile.count(60, 8)))
MANNERS = (Manner.ONCE, Manner.FROM_THEN_ON, Manner.SHORT)
PAGES = (
    "/", "/lists/ENF/2010-07@1", "/players?q=a", "/players/3404510",
    "/players/3404510/ENF/2010-07", "/tournaments/ymca-2010", "/audit", "/tournaments",
)  # fmt: skip
READ_WITHOUT = ("office", "tmp", "state")
"""Folders that nobody needs who only reads."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FallibleSite]:
    with fallible_site(tmp_path_factory.mktemp("site")) as made:
        yield made


@pytest.mark.parametrize("room", ROOMS)
def test_a_full_disk_is_said_and_over_when_there_is_room(site: FallibleSite, room: str) -> None:
    form, visitor = site.form(), site.visitor()
    site.control.fail(site.folder / room, errno.ENOSPC)
    for page in PAGES:
        try:
            assert visitor.get(page).status_code == 200, page
        except TurnedAway:
            assert room not in READ_WITHOUT, page
    recorded = None
    with suppress(TurnedAway):
        recorded = site.submit(form, f"full-{room}")
    assert (recorded is None) == (room in ("ledger", "office")), room
    failed = site.control.mend()
    assert failed or room not in ("ledger", "office"), "nothing failed: the shim does not reach"
    assert site.submit(form, f"full-{room}") == recorded or recorded is None
    for page in PAGES:
        assert visitor.get(page).status_code == 200, page
    site.check()


def test_whatever_operation_fails_what_the_site_says_is_recorded(site: FallibleSite) -> None:
    tally: Counter[str] = Counter()
    operations = {}
    for room in ROOMS:
        site.control.fail(site.folder / room, 0, at=1 << 40)
        site.submit(site.form(), f"counted-{room}")
        operations[room] = site.control.mend()
    with profile.seeded(0) as chance:
        for number in range(FAULTS):
            room = chance.choice([room for room in ROOMS if operations[room]])
            error, manner = chance.choice((errno.ENOSPC, errno.EIO)), chance.choice(MANNERS)
            form, at = site.form(), chance.randint(1, operations[room])
            site.control.fail(site.folder / room, error, manner, at)
            done = None
            with suppress(TurnedAway):
                done = site.submit(form, f"chance-{number}")
            site.control.mend()
            site.check()
            again = site.submit(form, f"chance-{number}")
            assert done in (None, again), "recorded twice"
            tally[f"{room}: {'done' if done else 'turned away'}"] += 1
    site.check()
    sys.stdout.write(f"{dict(tally)}\n")
    assert any("turned away" in name for name in tally), "nothing failed"
