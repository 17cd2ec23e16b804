"""The journal for everybody: its head, its commits, its events, and the proof of each.

What was corrected, why and by whom; and of each correction whom it moved.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

from fastapi import Query, Request, Response
from fastapi.responses import PlainTextResponse

from ledger.answers.commits import (
    PAGE,
    audited_event,
    commits_back,
    events_of,
    signed_by,
    summaries,
)
from ledger.answers.corrections import PAGE as CORRECTIONS
from ledger.answers.corrections import corrections
from ledger.answers.directory import names_recorded
from ledger.answers.player_questions import EventReport, log_of
from ledger.answers.recorded_fields import recorded_fields, recorded_names
from ledger.errors import NotFound
from ledger.facts.accounts import AccountFacts
from ledger.journal.checkpoint import Checkpoint, make_checkpoint
from ledger.pictures.ripple import ripple_picture
from ledger.privacy import mask_data, may_see_whole
from ledger.questions.corrections import correction_moved
from ledger.reports.correction_words import deeds_of, entry_of, lead_of, title_of
from ledger.service.commit_outlooks import outlook_of
from ledger.views.view import LedgerView
from web.access import PUBLIC, Routes
from web.asked_view import Asked, site_of
from web.fields import After, Before, EventSeq, Number
from web.language import language_of
from web.office.jobs import last_done
from web.office.store import office_if_any
from web.read_models.answers import people_meant
from web.read_models.model_store import store_of
from web.rendering import render
from web.site import View

routes = Routes("/audit")
_FOUND = 20  # players whom a name fits
_Filter = Annotated[str, Query(max_length=200)]


@routes.get("", PUBLIC)
def audit(request: Request, view: Asked, before: Before = None) -> Response:
    """Shows the head of the journal and its newest commits."""
    commits = view.ask(commits_back, before=before)
    oldest = commits[-1].commit_id if commits and commits[-1].commit_id > 1 else None
    office = office_if_any(request)
    found = last_done(office, "verification") if office and view.asked_for is None else None
    answer = render(
        request, "audit.html", head=view.ask(lambda ledger: ledger.journal.head()),
        note=_checkpoint(view).note(), next=oldest,
        commits=list(zip(commits, view.ask(summaries, commits), strict=True)),
        is_newest=before is None, verified=found and found.result,
    )  # fmt: skip
    if office and view.asked_for is None:
        request.state.view = None  # a verification changes it, and no seq tells: nobody keeps it
    return answer


@routes.get("/checkpoint", PUBLIC)
def checkpoint(view: Asked) -> Response:
    """Answers with the checkpoint as a page to be kept elsewhere; it is not signed."""
    return PlainTextResponse(_checkpoint(view).note())


@routes.get("/log", PUBLIC)
def log(
    request: Request, view: Asked, player: _Filter = "", tournament: _Filter = "",
    before: Before = None,
) -> Response:  # fmt: skip
    """Shows the events about a player or of a tournament, the newest first.

    Where a name fits several players, it asks who is meant.
    """
    meant = _meant(request, view, player.strip())
    rows = []
    if len(meant) <= 1:
        rows = _rows(view, next(iter(meant), None), tournament.strip() or None, before)
    shown = rows[:PAGE]
    oldest = shown[-1].seq if len(rows) > PAGE else None
    fields = [recorded_fields(row.payload) for row in shown]
    return render(
        request, "audit_log.html", rows=list(zip(shown, fields, strict=True)),
        names=view.ask(recorded_names, fields), next=oldest, player=player, tournament=tournament,
        meant=list(meant.items()) if len(meant) > 1 else [], most=_FOUND,
    )  # fmt: skip


@routes.get("/commits/{number}", PUBLIC)
def commit(request: Request, view: Asked, number: Number, after: After = 0) -> Response:
    """Shows a commit with its events."""
    outlook = view.recall(outlook_of, number)
    found = outlook.commit
    events = view.ask(events_of, found, after=after)
    last = events[-1].seq if events and events[-1].seq < found.last_seq else None
    fields = [recorded_fields(each.payload) for each in events]
    return render(
        request, "audit_commit.html", commit_=found, signed=view.ask(signed_by, number),
        events=list(zip(events, fields, strict=True)), names=view.ask(recorded_names, fields),
        next=last, outlook=outlook,
    )  # fmt: skip


@routes.get("/events/{seq}", PUBLIC)
def event(request: Request, view: Asked, seq: EventSeq) -> Response:
    """Shows an event as it was hashed, and how its leaf leads to the root."""
    proves = site_of(request).settings.checkpoint is not None
    proof = view.ask(audited_event, seq)
    fields, is_whole = recorded_fields(proof.content), may_see_whole(proof.content)
    payload = proof.event.payload if is_whole else json.dumps(mask_data(proof.content))
    return render(
        request, "audit_event.html", made=proof, proves=proves, fields=fields, payload=payload,
        is_whole=is_whole,
        names=view.ask(recorded_names, [fields]),
    )  # fmt: skip


def _checkpoint(view: View) -> Checkpoint:
    return view.ask(lambda ledger: make_checkpoint(ledger.journal, "rating-ledger"))


def _meant(request: Request, view: View, text: str) -> Mapping[str, str | None]:
    """Returns the names of the players whom an id or a name may mean, by id; none of no text.

    Raises:
        NotFound: nobody is called so.
    """
    if not text:
        return {}
    if known := view.ask(names_recorded, [text]):
        return {text: known[text].name}
    people = people_meant(store_of(request), view, text, _FOUND + 1)
    if not people:
        raise NotFound("player.not_found", player=text)
    return {each.id: each.name for each in people}


def _rows(
    view: View, player: str | None, tournament: str | None, before: int | None
) -> list[EventReport]:
    """Returns the newest rows of the log before a seq: a page, and one more where there is more.

    The log of everything is turned page by page as commits are; here it has its newest rows only.
    """
    if player is None and tournament is None:
        return view.ask(log_of, player=None, tournament=None, since=1, last=PAGE)[::-1]
    found = view.ask(log_of, player=player, tournament=tournament, since=1)
    return [row for row in found if before is None or row.seq < before][-PAGE - 1 :][::-1]


correction_routes = Routes()
_IN_TABLE = 100  # players of a list: the picture has fewer


@correction_routes.get("/corrections", PUBLIC)
def all_corrections(request: Request, view: Asked, before: Before = None) -> Response:
    """Lists the corrections, the newest first."""
    found = view.ask(corrections, before=before, limit=CORRECTIONS)
    oldest = found[-1].seq if len(found) == CORRECTIONS else None
    accounts = view.ask(_accounts)
    titled = [(each, title_of(each), deeds_of(each, accounts)) for each in found]
    return render(request, "corrections.html", found=titled, next=oldest)


@correction_routes.get("/corrections/{seq}", PUBLIC)
def one_correction(request: Request, view: Asked, seq: EventSeq) -> Response:
    """Shows a correction: what was wrong, who decided it, and whom it moved, drawn and in a table.

    The picture is drawn twice: the narrow one is for a phone.
    """
    report = view.ask(correction_moved, seq, _IN_TABLE)
    language = language_of(request)
    pictures = [ripple_picture(report, language, is_narrow=narrow) for narrow in (False, True)]
    accounts, first = view.ask(_accounts), report.correction.items[0]
    return render(
        request, "one_correction.html", made=report, pictures=pictures,
        title=title_of(report.correction), lead=lead_of(report),
        deeds=deeds_of(report.correction, accounts),
        entered=entry_of(first, accounts) if first.entered_by else None,
        parties={each.id for item in report.correction.items for each in item.players},
    )  # fmt: skip


def _accounts(view: LedgerView) -> Mapping[str, AccountFacts]:
    return view.facts().accounts
