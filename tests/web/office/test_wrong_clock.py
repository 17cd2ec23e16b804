"""What a clock wrote down that was years ahead does not last for years once it is right again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from limits.strategies import FixedWindowRateLimiter
from sqlalchemy import select

from ledger.identifiers import Seq
from tests.ledgers import NOW
from web.office import accounts, ceremonies, sessions, tokens
from web.office.attempts import OF_ACCOUNT, AttemptCounts
from web.office.jobs import LEASE, STUCK, claim, is_stuck, start
from web.office.schema import CEREMONIES
from web.office.store import Office, open_office

MINUTE = dt.timedelta(minutes=1)
AHEAD = dt.timedelta(days=3_000)


class SetClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> dt.datetime:
        return self.now


@pytest.fixture
def clock() -> SetClock:
    """The office's clock."""
    return SetClock()


@pytest.fixture
def office(tmp_path: Path, clock: SetClock) -> Iterator[Office]:
    """An office with an account."""
    with closing(open_office(f"sqlite:///{tmp_path / 'office.db'}", clock)) as made:
        with made.writing() as connection:
            accounts.add(connection, "ana", made.now())
        yield made


@pytest.mark.parametrize(("wrong_by", "lasts"), [(MINUTE, True), (AHEAD, False)])
def test_what_lets_somebody_in(
    office: Office, clock: SetClock, wrong_by: dt.timedelta, *, lasts: bool
) -> None:
    clock.now = NOW + wrong_by
    then = office.now()
    with office.writing() as connection:
        session = sessions.begin(connection, "ana", seq=Seq(1), agent="", now=then)
        ceremony = ceremonies.begin(connection, "passkey", {}, then)
        link = accounts.enrol(connection, "ana", then)
        ends = then + 90 * 86_400
        token = tokens.add(
            connection, "ana", "t", frozenset(), seq=Seq(1), now=then, expires_at=ends
        )
    clock.now = NOW
    now = office.now()
    with office.reading() as connection:
        assert (sessions.session(connection, session, now) is not None) == lasts
        assert bool(sessions.sessions_of(connection, "ana", now)) == lasts
        assert (ceremonies.look(connection, "passkey", ceremony, now) is not None) == lasts
        assert (accounts.enrolled_by(connection, link, now) is not None) == lasts
        assert (tokens.token(connection, token, now) is not None) == lasts
    ceremonies.forget_old(office)
    with office.reading() as connection:
        assert bool(connection.scalars(select(CEREMONIES.c.hash)).all()) == lasts


@pytest.mark.parametrize(("wrong_by", "counts"), [(MINUTE, True), (AHEAD, False)])
def test_who_tried_too_often_is_not_kept_out_for_years(
    office: Office, clock: SetClock, wrong_by: dt.timedelta, *, counts: bool
) -> None:
    limiter = FixedWindowRateLimiter(AttemptCounts(office))
    clock.now = NOW + wrong_by
    while limiter.hit(OF_ACCOUNT, "account", "ana"):
        pass
    clock.now = NOW
    assert limiter.test(OF_ACCOUNT, "account", "ana") != counts
    assert limiter.hit(OF_ACCOUNT, "account", "ana") != counts


def test_a_job_whose_runner_was_in_the_future_is_taken_by_another(
    office: Office, clock: SetClock
) -> None:
    job = start(office, "verification", {})
    clock.now = NOW + AHEAD
    taken = claim(office, "dead")
    assert taken is not None
    clock.now = NOW + dt.timedelta(seconds=STUCK + LEASE)
    start(office, "verification", {"another": 1})
    clock.now += dt.timedelta(seconds=2 * STUCK)
    assert is_stuck(office), "nobody is heard of"
    again = claim(office, "alive")
    assert again is not None
    assert again.id == job
