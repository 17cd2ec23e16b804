"""Claims as they are kept: somebody says that a game, or a statement, is wrong.

Who makes one has a secret link to it, of which the digest is kept. What they wrote and their
e-mail address are thrown away with the decision, and with every erasure of a person, as are the
words of who played the game and says whether it is so. An officer, or
the arbiter of the event, makes a submission of a claim, under the same id: that decides it, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from ledger.errors import Conflict
from web.office.schema import CLAIM_ANSWERS, CLAIMS, SUBMISSIONS

MOST_OPEN_CLAIMS: Final = 500
"""So many claims may be open at the site."""
GAME: Final = "game"
"""How ``about`` of a claim begins that is about a game."""
_FORGOTTEN: Final[Mapping[str, str | None]] = {"words": "", "email": None}


class ClaimState(StrEnum):
    """How far a claim has come."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptClaim:
    """A claim as it stands; instants are seconds since 1970.

    ``about`` names the game or the statement: see ``add_claim``.
    ``content`` is what would be recorded, as JSON of ``OperationContent``; "" where only words say
    it. ``account`` is whose it is, None of who did not sign in. ``reason`` is that of a refusal.
    """

    id: str
    about: str
    title: str
    player: str
    list: str
    period: str
    tournament: str | None
    content: str
    words: str
    email: str | None
    account: str | None
    state: ClaimState
    decided_by: str | None
    reason: str
    commit_id: int | None
    made_at: int
    changed_at: int

    @property
    def players(self) -> frozenset[str]:
        """The ids of the two players of the game that it is about; none of a statement."""
        kind, *parts = self.about.split("\n")
        return frozenset(parts[2:]) if kind == GAME else frozenset()


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """What the account of who played a game says of a claim: it confirms it, or says otherwise."""

    account: str
    confirms: bool
    words: str
    at: int


def keep_answer(connection: Connection, id_: str, answer: ClaimAnswer) -> None:
    """Keeps what an account says of a claim, in the place of what it said before.

    Raises:
        Conflict: somebody took the claim up, or it is decided.
    """
    if not _count(connection, CLAIMS.c.id == id_, _WAITS):
        raise Conflict("claim.looked_at")
    table = CLAIM_ANSWERS.c
    of_account = (table.claim == id_, table.account == answer.account)
    connection.execute(delete(CLAIM_ANSWERS).where(*of_account))
    row = {**asdict(answer), "confirms": int(answer.confirms), "claim": id_}
    connection.execute(insert(CLAIM_ANSWERS).values(row))


def answers_to(connection: Connection, id_: str) -> list[ClaimAnswer]:
    """Returns what accounts said of a claim, the first first."""
    table = CLAIM_ANSWERS.c
    rows = connection.execute(
        select(table.account, table.confirms, table.words, table.at)
        .where(table.claim == id_)
        .order_by(table.at, table.account)
    )
    return [ClaimAnswer(row.account, bool(row.confirms), row.words, row.at) for row in rows]


def add_claim(connection: Connection, claim: KeptClaim, hash_: bytes) -> None:
    """Keep a new claim, with the digest of the secret of its link.

    Of one game or statement an account has one open claim, and all strangers together have one: no
    stranger keeps out a player who signed in, and what is decided keeps out nobody.

    Raises:
        Conflict: such a claim is open, or too many are open at all.
    """
    same_maker = CLAIMS.c.account.is_not_distinct_from(claim.account)
    if _count(connection, CLAIMS.c.about == claim.about, same_maker, _IS_OPEN):
        raise Conflict("claim.open_already")
    if _count(connection, _IS_OPEN) >= MOST_OPEN_CLAIMS:
        raise Conflict("claim.too_many")
    connection.execute(insert(CLAIMS).values(hash=hash_, **asdict(claim)))


def find_claim(connection: Connection, id_: str) -> KeptClaim | None:
    """Returns a claim; None where there is none."""
    return _one(connection, CLAIMS.c.id == id_)


def claim_of_link(connection: Connection, hash_: bytes) -> KeptClaim | None:
    """Returns the claim of a link, by the digest of its secret; None where there is none."""
    return _one(connection, CLAIMS.c.hash == hash_)


def open_claims(connection: Connection, limit: int) -> list[KeptClaim]:
    """Returns claims that are open and nobody took up yet, the oldest first."""
    wanted = select(*_COLUMNS).where(_WAITS).order_by(CLAIMS.c.made_at, CLAIMS.c.id)
    return [_claim(row) for row in connection.execute(wanted.limit(limit)).mappings()]


def waiting_claims(connection: Connection) -> int:
    """Returns how many claims nobody took up yet."""
    return _count(connection, _WAITS)


def end_claim(
    connection: Connection,
    id_: str,
    state: ClaimState,
    *,
    at: int,
    account: str | None = None,
    reason: str = "",
    commit_id: int | None = None,
) -> bool:
    """Ends an open claim, and throws away what was written in it; whether there was one."""
    values = {
        "state": state, "changed_at": at, "decided_by": account, "reason": reason,
        "commit_id": commit_id, **_FORGOTTEN,
    }  # fmt: skip
    statement = update(CLAIMS).where(CLAIMS.c.id == id_, _IS_OPEN)
    is_ended = connection.execute(statement.values(values)).rowcount == 1
    if is_ended:
        connection.execute(delete(CLAIM_ANSWERS).where(CLAIM_ANSWERS.c.claim == id_))
    return is_ended


def forget_claimants(connection: Connection) -> None:
    """Throws away what was written in all claims: which of it names somebody, nobody can tell."""
    written = or_(CLAIMS.c.words != "", CLAIMS.c.email.is_not(None))
    connection.execute(update(CLAIMS).where(written).values(**_FORGOTTEN))
    connection.execute(update(CLAIM_ANSWERS).where(CLAIM_ANSWERS.c.words != "").values(words=""))


_IS_OPEN: Final = CLAIMS.c.state == ClaimState.OPEN
_WAITS: Final = and_(_IS_OPEN, CLAIMS.c.id.not_in(select(SUBMISSIONS.c.id)))
_COLUMNS: Final = [column for column in CLAIMS.c if column.name != "hash"]


def _count(connection: Connection, *such: ColumnElement[bool]) -> int:
    return connection.scalar(select(func.count()).select_from(CLAIMS).where(*such)) or 0


def _one(connection: Connection, such: ColumnElement[bool]) -> KeptClaim | None:
    row = connection.execute(select(*_COLUMNS).where(such)).mappings().one_or_none()
    return None if row is None else _claim(row)


def _claim(row: Mapping[Any, Any]) -> KeptClaim:
    return KeptClaim(**{**row, "state": ClaimState(row["state"])})
