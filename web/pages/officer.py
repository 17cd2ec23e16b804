"""The officer's page: what waits, and what can be recorded; newcomers; ids of one person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Final

from fastapi import Form, Query, Request, Response

from ledger.answers.agenda import agenda_of, coming_lists, first_steps
from ledger.answers.directory import PlayerSheet, directory_of, player_known, registered_twice
from ledger.answers.list_figures import effort_of
from ledger.answers.lists import described_lists
from ledger.answers.publication_checks import check_publication
from ledger.errors import LedgerError, NotFound
from ledger.operations.commands import ConfirmPlayer
from ledger.operations.operation import Operation
from ledger.reports.directory import PlayerDirectory
from ledger.service.newcomers import unconfirmed_players
from ledger.service.operations import carry_out
from ledger.terms import Role
from ledger.views.view import LedgerView
from ledger.wording import Message
from web.access import Routes, only
from web.asked_view import site_of
from web.calculations import MOST_AT_ONCE
from web.destinations import to_page
from web.forms import HANDED_IN
from web.office.claims import waiting_claims
from web.office.jobs import failed
from web.office.store import office_of
from web.office.submissions import SubmissionState
from web.office.webhooks import JOB
from web.problems import failure_data, status_of
from web.read_models.answers import Careers
from web.read_models.model_store import store_of
from web.rendering import render
from web.signature_requests import asking_of
from web.site import View
from web.submissions.contents import read_content
from web.submissions.forms import new_id
from web.submissions.names import names_in
from web.submissions.permissions import party_of
from web.waiting_work import waiting_count

routes = Routes()
_OFFICERS: Final = only(Role.OFFICER)
_SHOWN_PAIRS: Final = 20
_AWAITING: Final = frozenset({SubmissionState.HANDED_IN})
_DAY_SECONDS: Final = 24 * 3600


@routes.get("/office", _OFFICERS)
def officers_page(request: Request) -> Response:
    """Shows what waits for an officer, then what can be recorded."""
    newest = site_of(request).newest()
    coming = newest.ask(lambda view: coming_lists(view, view.today))
    waiting = party_of(request).listed(_AWAITING, None)
    oldest = min((each.changed_at for each in waiting.found), default=None)
    days = None if oldest is None else (office_of(request).now() - oldest) // _DAY_SECONDS
    newest_one = [read_content(each.content) for each in waiting.found[:1]]
    names = newest.ask(names_in, newest_one)
    with office_of(request).reading() as connection:
        claims = waiting_claims(connection)
    return render(
        request, "officer.html", waiting=waiting, claims=claims, oldest_days=days,
        newest_title=next((each.in_words(names) for each in newest_one), None),
        newcomers=newest.recall(unconfirmed_players).players,
        agenda=newest.ask(lambda view: agenda_of(view, view.today)),
        lists=newest.recall(described_lists).lists, operations=_by_subject(),
        alike=newest.recall(_pairs)[1], restated=_restated(request, newest), coming=coming,
        stopped=failed(office_of(request), JOB),
        count=waiting_count(request, anew=True), steps=newest.ask(first_steps),
    )  # fmt: skip


@routes.get("/office/next", _OFFICERS)
def if_published_now(
    request: Request, name: Annotated[str, Query(alias="list", max_length=100)] = ""
) -> Response:
    """Shows to what the list that is published next comes so far; nothing is recorded.

    Below it stands what is to be looked at and done before the list goes out.
    """
    newest = site_of(request).newest()
    coming = {each.list: each for each in newest.ask(lambda v: coming_lists(v, v.today))}
    if not coming and not name:
        raise NotFound("officer.no_next")
    if not coming or (name and name not in coming):
        raise NotFound("officer.no_next_list", list=name)
    found = coming[name or next(iter(coming))]
    is_long = newest.recall(effort_of, found.list) > MOST_AT_ONCE
    check = None
    if not is_long:
        check = newest.recall(check_publication, found.list, found.period, with_earlier=False)
    states = Careers(store_of(request), newest).states(found.list) or ()
    games = next((each.games for each in states if each.period.name == found.period), None)
    with office_of(request).reading() as connection:
        claims = waiting_claims(connection)
    return render(
        request, "next_list.html", coming=[*coming.values()], found=found, check=check, games=games,
        unfinished=_named(check.unfinished) if check else {}, claims=claims,
        newcomers=len(newest.recall(unconfirmed_players).players),
        alike=newest.recall(_pairs)[1], restated=_restated(request, newest).get(found.list, ()),
    )  # fmt: skip


def _named(notes: Iterable[Message]) -> Mapping[str, str]:
    """Returns the tournaments that notes are about, each once: their names by id."""
    values = [dict(each.values) for each in notes]
    return {str(each["tournament"]): str(each["name"]) for each in values}


def _restated(request: Request, view: View) -> Mapping[str, Sequence[str]]:
    """Returns, by list, the periods whose last edition is another one than what is known now.

    A list of which that is not calculated yet is left out.
    """
    careers = Careers(store_of(request), view)
    found = {
        each.list: [
            state.period.name
            for state in careers.states(each.list) or ()
            if state.state == "restated"
        ]
        for each in view.recall(described_lists).lists
    }
    return {name: periods for name, periods in found.items() if periods}


def _by_subject() -> Mapping[str, Sequence[Operation]]:
    """Returns what can be handed in, by what it is about."""
    ordered = sorted(HANDED_IN.values(), key=lambda each: each.by.scope)
    return {scope: [*found] for scope, found in groupby(ordered, key=lambda each: each.by.scope)}


@routes.get("/office/duplicates", _OFFICERS)
def duplicates(request: Request) -> Response:
    """Shows ids that may be one person, side by side."""
    newest = site_of(request).newest()
    pairs, count = newest.recall(_pairs)
    return render(request, "duplicates.html", pairs=pairs, count=count)


def _pairs(view: LedgerView) -> tuple[Sequence[tuple[PlayerSheet, PlayerSheet, str]], int]:
    """Returns the first ids that may be one person, each with why, and how many there are."""
    directory: PlayerDirectory = directory_of(view)
    found = registered_twice(view, directory)
    shown = [
        (
            player_known(view, directory[pair.one].id),
            player_known(view, directory[pair.other].id),
            pair.reason_key,
        )
        for pair in found[:_SHOWN_PAIRS]
    ]
    return shown, len(found)


# Newcomers whom arbiters registered: an officer says of each that he is who he is said to be


@routes.get("/newcomers", _OFFICERS)
def newcomers(request: Request) -> Response:
    """Lists the newcomers who wait for an officer."""
    return _page(request)


@routes.post("/newcomers/{player:path}", _OFFICERS)
def confirm(
    request: Request,
    player: str,
    key: Annotated[str, Form(min_length=1, max_length=100)],
) -> Response:
    """Says that a newcomer is who he is said to be."""
    asking = asking_of(request, "newcomer", f"confirm {player}", "", key)
    command = ConfirmPlayer(player=player)
    try:
        site_of(request).record(lambda ledger: carry_out(ledger, command, asking))
    except LedgerError as error:
        return _page(request, error)
    return to_page("newcomers")


def _page(request: Request, refusal: LedgerError | None = None) -> Response:
    waiting = site_of(request).newest().recall(unconfirmed_players)
    return render(
        request, "newcomers.html", status_of(refusal), waiting=waiting.players, key=new_id(),
        error=failure_data(request, refusal),
    )  # fmt: skip
