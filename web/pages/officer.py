"""The officer's page: what waits, and everything an officer can do; ids that may be one person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from fastapi import Request, Response

from ledger.answers.agenda import agenda_of
from ledger.answers.directory import PlayerSheet, directory_of, player_known
from ledger.answers.lists import described_lists
from ledger.operations.operation import Operation
from ledger.reports.directory import PlayerDirectory
from ledger.service.newcomers import unconfirmed_players
from ledger.terms import Role
from ledger.views.view import LedgerView
from web.access import Routes, only
from web.asked_view import site_of
from web.forms import HANDED_IN
from web.office.store import office_of
from web.office.submissions import SubmissionState
from web.rendering import render
from web.submissions.permissions import party_of

routes = Routes("/office")
_OFFICERS: Final = only(Role.OFFICER)
_SHOWN_PAIRS: Final = 20
_AWAITING: Final = frozenset({SubmissionState.HANDED_IN})
_DAY_SECONDS: Final = 24 * 3600


@routes.get("", _OFFICERS)
def officers_page(request: Request) -> Response:
    """Shows what waits for an officer, then what can be recorded."""
    newest = site_of(request).newest()
    waiting = party_of(request).listed(_AWAITING, None)
    oldest = min((each.changed_at for each in waiting.found), default=None)
    days = None if oldest is None else (office_of(request).now() - oldest) // _DAY_SECONDS
    return render(
        request, "officer.html", waiting=waiting, oldest_days=days,
        newcomers=newest.recall(unconfirmed_players).players,
        agenda=newest.ask(lambda view: agenda_of(view, view.today)),
        lists=newest.recall(described_lists).lists, operations=_by_subject(),
    )  # fmt: skip


def _by_subject() -> Mapping[str, Sequence[Operation]]:
    """Returns what can be handed in, by what it is about."""
    ordered = sorted(HANDED_IN.values(), key=lambda each: each.by.scope)
    return {scope: [*found] for scope, found in groupby(ordered, key=lambda each: each.by.scope)}


@routes.get("/duplicates", _OFFICERS)
def duplicates(request: Request) -> Response:
    """Shows ids that may be one person, side by side."""
    newest = site_of(request).newest()
    pairs, count = newest.recall(_pairs)
    return render(request, "duplicates.html", pairs=pairs, count=count)


def _pairs(view: LedgerView) -> tuple[Sequence[tuple[PlayerSheet, PlayerSheet]], int]:
    """Returns the first ids that may be one person, and how many there are."""
    directory: PlayerDirectory = directory_of(view)
    found = directory.duplicates()
    shown = [
        (player_known(view, directory[one].id), player_known(view, directory[other].id))
        for one, other in found[:_SHOWN_PAIRS]
    ]
    return shown, len(found)
