"""The journal: its head, commits and events, to follow and to check.

What was corrected, by whom and why, and whom it moved.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Request, Response

from ledger.answers.commits import (
    CommitReport,
    Commits,
    HeadReport,
    Inclusion,
    audited_event,
    commits_after,
    head_of,
    reported_commit,
)
from ledger.answers.corrections import corrections
from ledger.answers.player_questions import EventReport, EventReports, log_of
from ledger.errors import NotFound
from ledger.identifiers import Seq
from ledger.journal.checkpoint import make_checkpoint
from ledger.questions.corrections import correction_moved
from ledger.reports.cascade import Corrections
from ledger.views.view import LedgerView
from web.access import PUBLIC
from web.api.questions import add_question
from web.api.routing import USUAL, ApiRoutes, Limit, name_next
from web.asked_view import Asked
from web.fields import LARGEST

routes = ApiRoutes("journal")
AfterSeq = Annotated[int, Query(ge=0, le=LARGEST - 1, description="The last one that is known.")]


@routes.reads("/head", PUBLIC)
def head(view: Asked) -> HeadReport:
    """The last seq, how many commits there are, and the root of the tree over all events."""
    return view.ask(head_of)


@routes.reads("/checkpoint", PUBLIC, media_type="text/plain")
def checkpoint(
    view: Asked,
    origin: Annotated[
        str, Query(min_length=1, max_length=100, pattern=r"^[!-~]+$", description="Its first line.")
    ] = "rating-ledger",
) -> Response:
    """A checkpoint, unsigned: kept elsewhere, it can tell a journal that was cut or rewritten."""
    page = view.ask(lambda ledger: make_checkpoint(ledger.journal, origin))
    return Response(page.note(), media_type="text/plain; charset=utf-8")


@routes.reads("/commits", PUBLIC)
def commits(request: Request, view: Asked, after: AfterSeq = 0, limit: Limit = USUAL) -> Commits:
    """Commits in their order, after a number. Who asks again from the last one misses none."""
    rows = view.ask(commits_after, after, limit + 1)
    if len(rows) > limit:
        name_next(request, rows[limit - 1].commit)
    return Commits(rows[:limit])


@routes.reads("/commits/{commit}", PUBLIC)
def commit_described(
    view: Asked,
    number: Annotated[int, Path(alias="commit", ge=1, le=LARGEST, description="Its number.")],
) -> CommitReport:
    """One commit: who, when, why, from which document, and the root after it."""
    return view.ask(reported_commit, number)


@routes.reads("/events", PUBLIC)
def events(
    request: Request,
    view: Asked,
    player: Annotated[str | None, Query(description="Only events about this player.")] = None,
    tournament: Annotated[str | None, Query(description="Only of this tournament.")] = None,
    after: AfterSeq = 0,
    limit: Limit = USUAL,
) -> EventReports:
    """Events in their order, after a seq. Who asks again from the last one misses none."""
    rows = view.ask(log_of, player=player, tournament=tournament, since=after + 1, first=limit + 1)
    if len(rows) > limit:
        name_next(request, rows[limit - 1].seq)
    return EventReports(rows[:limit])


@routes.reads("/events/{seq}", PUBLIC)
def event_described(
    view: Asked, seq: Annotated[Seq, Path(ge=1, le=LARGEST, description="Its seq.")]
) -> EventReport:
    """One event with its commit, its canonical payload and its leaf in the tree."""
    return view.ask(_event, seq)


@routes.reads("/events/{seq}/proof", PUBLIC)
def event_proved(
    view: Asked, seq: Annotated[Seq, Path(ge=1, le=LARGEST, description="Its seq.")]
) -> Inclusion:
    """That an event is in the tree after its commit (RFC 9162): the hashes beside its way up."""
    return view.ask(audited_event, seq).inclusion


def _event(view: LedgerView, seq: Seq) -> EventReport:
    last = view.journal.head().seq
    if seq > last:
        raise NotFound("database.no_such_seq", seq=seq, last=last)
    (row,) = log_of(view, player=None, tournament=None, since=seq, first=1)
    return row


correction_routes = ApiRoutes("corrections")


@correction_routes.reads("/corrections", PUBLIC)
def all_corrections(
    request: Request,
    view: Asked,
    before: Annotated[
        Seq | None, Query(ge=1, le=LARGEST, description="The seq of the last one that is known.")
    ] = None,
    limit: Limit = USUAL,
) -> Corrections:
    """The corrections, the newest first: a commit is one, however much it corrects."""
    rows = view.ask(corrections, before=before, limit=limit + 1)
    if len(rows) > limit:
        name_next(request, rows[limit - 1].seq, word="before")
    return Corrections(rows[:limit])


add_question(correction_routes, correction_moved)
