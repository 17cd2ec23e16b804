"""Which player an account belongs to: who speaks, when they speak about their own games.

A tie gives no right. Ids stand here as they were chosen; who counts under one by now, and whether
somebody was erased since, the ledger says whenever a tie is read.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from ledger.errors import Conflict, NotFound
from web.office.accounts import add
from web.office.schema import PLAYER_TIES


@dataclass(frozen=True, slots=True)
class TiedPlayer:
    """The player whose an account is, by the id under which they count now."""

    id: str
    name: str | None


def tied_players(connection: Connection) -> dict[str, str]:
    """Returns the ids of players by the accounts that are theirs, in the order of the accounts."""
    rows = connection.execute(
        select(PLAYER_TIES.c.account, PLAYER_TIES.c.player).order_by(PLAYER_TIES.c.account)
    )
    return {row.account: row.player for row in rows}


def tied_player(connection: Connection, account: str) -> str | None:
    """Returns the id of the player whose account it is; None where it is nobody's."""
    wanted = select(PLAYER_TIES.c.player).where(PLAYER_TIES.c.account == account)
    return connection.execute(wanted).scalar_one_or_none()


def tie_player(
    connection: Connection, account: str, player: str, ids: Collection[str], now: int
) -> None:
    """Says that an account, made where there is none, is a player's; said again it is the same.

    Args:
        connection: of the office's writer.
        account: its name.
        player: the id.
        ids: all ids of the same person, this one too.
        now: the time.

    Raises:
        Conflict: the account is somebody else's, or the player has another one.
    """
    add(connection, account, now)
    known = tied_players(connection)
    if account in known:
        if known[account] in ids:
            return
        raise Conflict("account.tied", account=account, player=known[account])
    other = next((name for name, id_ in known.items() if id_ in ids), None)
    if other is not None:
        raise Conflict("account.player_tied", account=other, player=player)
    connection.execute(insert(PLAYER_TIES).values(account=account, player=player, tied_at=now))


def untie_account(connection: Connection, account: str) -> None:
    """Lets an account be nobody's; raises ``NotFound`` where it is."""
    ended = connection.execute(delete(PLAYER_TIES).where(PLAYER_TIES.c.account == account))
    if not ended.rowcount:
        raise NotFound("account.not_tied", account=account)


def untie_players(connection: Connection, ids: Collection[str]) -> None:
    """Forgets whose the accounts of a person are, who is erased."""
    connection.execute(delete(PLAYER_TIES).where(PLAYER_TIES.c.player.in_(ids)))
