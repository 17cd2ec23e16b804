"""Copies of an office: into another one, or into a file that a backup keeps.

What ends by itself is not copied: sessions, codes, links, counters, jobs, what webhooks answered.
Whoever was signed in signs in again, and nothing that was ended comes to life.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Table, delete, func, insert, select

from ledger.errors import Conflict
from ledger.journal.spool import scratch, scratch_folder
from ledger.json_form import JsonForm
from web.office.schema import (
    ACCOUNTS,
    CLAIM_ANSWERS,
    CLAIMS,
    ERASURES,
    IDENTITIES,
    METADATA,
    PASSKEYS,
    PASSWORDS,
    PLAYER_TIES,
    RECOVERY_CODES,
    SUBMISSION_FILES,
    SUBMISSION_PREVIEWS,
    SUBMISSION_SIGNATURES,
    SUBMISSION_STEPS,
    SUBMISSIONS,
    TOKENS,
    UNFINISHED_COPIES,
    WEBHOOKS,
)
from web.office.store import Office, has_office, open_office

_ROWS: Final = 100
_PEOPLE: Final = (ACCOUNTS, PLAYER_TIES, PASSWORDS, RECOVERY_CODES, PASSKEYS, IDENTITIES)
# They name seqs and commits of the ledger, and fit no earlier one. Of what was written since
# somebody was erased nothing is thrown away again.
_WORK: Final = (
    TOKENS, SUBMISSIONS, SUBMISSION_STEPS, SUBMISSION_FILES, SUBMISSION_PREVIEWS,
    SUBMISSION_SIGNATURES, CLAIMS, CLAIM_ANSWERS, WEBHOOKS, ERASURES,
)  # fmt: skip
COPIED: Final = frozenset({*_PEOPLE, *_WORK})


@dataclass(frozen=True, slots=True)
class OfficeCopy(JsonForm):
    """How much was copied."""

    accounts: int
    submissions: int


def copy_office(source: Office, target: Office, *, is_whole: bool = True) -> OfficeCopy:
    """Copies what is kept in an office into an empty one, all of it or nothing; that ends the copy.

    ``source`` is as it is when this begins. ``is_whole`` says whether it goes beside the whole
    ledger; beside an earlier state of it only the accounts are copied, with what lets people in,
    but no tokens, submissions and claims.

    Raises:
        Conflict: the target is not empty.
        DatabaseError: one cannot be read, or the other not written.
    """
    wanted = COPIED if is_whole else {*_PEOPLE}
    with source.snapshot() as read, target.writing() as write:
        if not _is_empty(write):
            raise Conflict("keeping.office_not_empty")
        write.execute(delete(ERASURES))  # one row at most, which an empty office may have
        counts = {
            table: _copy(table, read, write) for table in METADATA.sorted_tables if table in wanted
        }
        write.execute(delete(UNFINISHED_COPIES))
    return OfficeCopy(counts[ACCOUNTS], counts.get(SUBMISSIONS, 0))


def begin_copy(office: Office, source: str) -> None:
    """Notes that an empty office is to be filled from somewhere: until then nobody works there.

    Whoever is killed between the ledger and its office leaves one that says so.
    """
    with office.writing() as connection:
        connection.execute(delete(UNFINISHED_COPIES))
        connection.execute(insert(UNFINISHED_COPIES).values(source=source))


def give_up_copy(office: Office) -> None:
    """Forgets that an office was to be filled: it is used as it is."""
    with office.writing() as connection:
        connection.execute(delete(UNFINISHED_COPIES))


def is_empty(office: Office) -> bool:
    """Whether nobody has an account there, and nothing was handed in."""
    with office.reading() as connection:
        return _is_empty(connection)


def _is_empty(connection: Connection) -> bool:
    counts = (select(func.count()).select_from(table) for table in (ACCOUNTS, SUBMISSIONS))
    return not any(connection.scalar(count) for count in counts)


def _copy(table: Table, read: Connection, write: Connection) -> int:
    """Copies the rows of a table, some at a time; returns how many."""
    copied = 0
    for rows in read.execute(select(table)).yield_per(_ROWS).mappings().partitions():
        write.execute(insert(table), [dict(row) for row in rows])
        copied += len(rows)
    return copied


def copy_to_file(url: str, file: Path) -> OfficeCopy | None:
    """Copies an office into a new file; None where there is no office.

    Raises:
        DatabaseError: it cannot be read, or the file not written.
    """
    if not has_office(url):
        return None
    with closing(open_office(url)) as source, closing(open_office(f"sqlite:///{file}")) as target:
        return copy_office(source, target)


def copy_from_file(file: Path, target: Office, *, is_whole: bool) -> OfficeCopy:
    """Copies an office out of a file, which is not touched, into an empty one.

    Raises:
        Conflict: the target is not empty.
        DatabaseError: the file is none, or was made by newer software.
    """
    with scratch_folder() as place:
        with scratch():
            copy = shutil.copy(file, place / "office.db")
        # Opening brings it up to date.
        with closing(open_office(f"sqlite:///{copy}")) as source:
            return copy_office(source, target, is_whole=is_whole)
