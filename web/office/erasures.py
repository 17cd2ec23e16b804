"""What may name a person who was erased is thrown away here, too.

Which of it does, nobody can tell: the name is gone. So all goes that can be made again or is only
kept to be looked at: previews, what jobs came to, the files of what is decided. A file that still
awaits its decision stays, for whoever decides on it, and goes with the decision; previews of
erasures stay, which say no name.

What was begun before and is not ended yet does not bring the name back: jobs in hand are begun
anew, and who keeps something holds ``sweep_of`` against what it was before.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, update

from ledger.wording.masking import masked_file
from web.office.ceremonies import FORMS
from web.office.claims import forget_claimants
from web.office.jobs import JobState
from web.office.schema import (
    CEREMONIES,
    CLAIM_ANSWERS,
    CLAIMS,
    ERASURES,
    JOBS,
    SUBMISSION_FILES,
    SUBMISSION_PREVIEWS,
    SUBMISSION_SIGNATURES,
    SUBMISSION_STEPS,
    SUBMISSIONS,
)
from web.office.store import Office
from web.office.submissions import OPEN, Submission, data_of, find, rename

_NAMELESS: Final = "verification"  # says what is stored otherwise than hashed, of nobody
_ERASURE: Final = "erasure"  # a kind of submission
_DOCUMENT: Final = "document"  # another one, of a file
_EMPTIED: Final = (
    CEREMONIES, CLAIM_ANSWERS, CLAIMS, JOBS, SUBMISSION_FILES, SUBMISSION_PREVIEWS,
    SUBMISSION_STEPS, SUBMISSIONS,
)  # fmt: skip


def forget_names(office: Office, gone: int) -> None:
    """Throws away what may name somebody, unless that was done since the last one was erased.

    ``gone`` is how many documents of persons are gone (``ledger.views.past``).

    Raises:
        DatabaseError: it cannot be done now.
    """
    with office.reading() as connection:
        if sweep_of(connection) == gone:
            return
    with office.writing() as connection:
        _note(connection, -1 - gone)  # begun
        may_name = JOBS.c.kind != _NAMELESS
        connection.execute(delete(JOBS).where(JOBS.c.ended_at.is_not(None), may_name))
        in_hand = update(JOBS).where(JOBS.c.state == JobState.RUNNING, may_name)
        again = {"state": JobState.WAITING, "runner": None, "claims": JOBS.c.claims - 1}
        connection.execute(in_hand.values(again))
        connection.execute(delete(CEREMONIES).where(CEREMONIES.c.kind.in_(FORMS)))
        forget_claimants(connection)
        table = SUBMISSIONS.c
        nameless = select(table.id).where(table.kind == _ERASURE)
        connection.execute(
            delete(SUBMISSION_PREVIEWS).where(SUBMISSION_PREVIEWS.c.submission.not_in(nameless))
        )
        undecided = table.state.in_(sorted(OPEN)) & table.sha256.is_not(None)
        in_use = select(table.sha256).where(undecided)
        connection.execute(delete(SUBMISSION_FILES).where(SUBMISSION_FILES.c.sha256.not_in(in_use)))
    office.compact([table.name for table in _EMPTIED])
    with office.writing() as connection:  # last: what was interrupted is done again
        _note(connection, gone)


def mask_files(office: Office, are_in: Callable[[str], bool]) -> None:
    """Masks, in titles and contents, files that seem to be named after who is erased.

    What is open and was signed stays as it was signed, for whoever decides on it. ``are_in`` says
    whether a name seems to stand in a text.

    Raises:
        DatabaseError: the office cannot be written.
    """
    with office.reading() as connection:
        if not _named(connection, are_in):
            return
    with office.writing() as connection:
        for id_, content in _named(connection, are_in):
            file = masked_file(content["file"])
            text = json.dumps({**content, "file": file}, separators=(",", ":"), ensure_ascii=False)
            rename(connection, id_, title=file, content=text)


def _named(
    connection: Connection, are_in: Callable[[str], bool]
) -> list[tuple[str, dict[str, Any]]]:
    """Returns the submissions whose file is named after somebody: their ids and contents."""
    table, signed = SUBMISSIONS.c, SUBMISSION_SIGNATURES.c
    is_signed = table.state.in_(sorted(OPEN)) & table.id.in_(select(signed.submission))
    wanted = select(table.id, table.content).where(table.kind == _DOCUMENT, ~is_signed)
    contents = ((id_, json.loads(content)) for id_, content in connection.execute(wanted))
    return [(id_, content) for id_, content in contents if are_in(content["file"])]


def begin_sweep(connection: Connection) -> None:
    """Has names thrown away once more, by ``end_sweep``: what was spared is done with."""
    sweep = sweep_of(connection)
    if sweep >= 0:
        _note(connection, -1 - sweep)


def end_sweep(office: Office) -> None:
    """Throws names away where that was begun, by ``begin_sweep`` or by whoever was interrupted.

    Raises:
        DatabaseError: it cannot be done now; whoever opens the site next does it.
    """
    with office.reading() as connection:
        sweep = sweep_of(connection)
    if sweep < 0:
        forget_names(office, -1 - sweep)


def undecided(connection: Connection) -> Iterator[tuple[Submission, bytes]]:
    """Yields what is not decided yet, each with its file; nothing where it has none."""
    table = SUBMISSIONS.c
    wanted = select(table.id).where(table.state.in_(sorted(OPEN)))
    for id_ in connection.scalars(wanted.order_by(table.made_at, table.id)).all():
        found = find(connection, id_)
        if found is not None:
            yield found, data_of(connection, found)


def words(connection: Connection) -> Iterator[tuple[str, str, str]]:
    """Yields what people wrote of each submission: its id, its account, the words.

    It stays until an officer takes it away (``web.office.submissions.blank``).
    """
    table, step = SUBMISSIONS.c, SUBMISSION_STEPS.c
    by_tournament: defaultdict[str, list[str]] = defaultdict(list)
    for id_, comment in connection.execute(
        select(step.submission, step.comment).where(step.comment != "").order_by(step.number)
    ):
        by_tournament[id_].append(comment)
    wanted = select(table.id, table.account, table.title, table.content)
    for id_, account, *texts in connection.execute(wanted.order_by(table.made_at, table.id)):
        yield id_, account, "\n".join([*texts, *by_tournament[id_]])


def sweep_of(connection: Connection) -> int:
    """Returns a number that is another one as soon as names are thrown away.

    It is how many documents were gone when that was done last; below zero, while it is being done.
    """
    found = connection.execute(select(ERASURES.c.gone)).scalar_one_or_none()
    return 0 if found is None else int(found)


def _note(connection: Connection, sweep: int) -> None:
    connection.execute(delete(ERASURES))
    connection.execute(insert(ERASURES).values(gone=sweep))
