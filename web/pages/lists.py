"""Rating lists: which there are, what was published of each, and their rows.

A period of a list goes out: what it would be, and the button of an officer.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from itertools import islice
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import quote, urlencode

from fastapi import Depends, Form, Query, Request, Response
from markupsafe import Markup
from starlette.responses import RedirectResponse, StreamingResponse

from ledger.answers.directory import RowsAsked, Selection, directory_of, registered_twice
from ledger.answers.front_page import period_before
from ledger.answers.letters import letters_of
from ledger.answers.lists import compare, described_list, described_lists
from ledger.answers.publication_checks import PublicationCheck, check_publication
from ledger.errors import LedgerError
from ledger.events.lists import ListPublished
from ledger.forms.letters import letter_email, letters_page
from ledger.forms.lists import list_table, sheet_columns, write_list_workbook
from ledger.identifiers import Seq
from ledger.lists.rating_list import ListRow, RowOrder, sheet_text
from ledger.pictures.sparkline import sparkline
from ledger.reports.letters import Letters
from ledger.reports.list_marks import RECENT_LISTS, RowMark
from ledger.service.ledger import Request as Asking
from ledger.service.publications import PublishedList, publish
from ledger.terms import Role
from ledger.typed_values import edition_of
from ledger.views.list_editions import (
    edition_a_year_before,
    edition_before,
    edition_state,
    editions_by_period,
    newest_editions,
    newest_period,
    published_edition,
    require_period,
)
from ledger.views.view import LedgerView
from ledger.wording.dates import period_in_words
from web.access import PUBLIC, Routes, only
from web.asked_view import Asked, RatedCategoryAsked, groups_offered, site_of
from web.caching import asks_again, not_yet_whole
from web.calculations import replayed
from web.fields import After, Filled, Reason, Recalculated
from web.forms import NOTHING, TypedForm, digest_shown
from web.language import error_for_site, language_of
from web.paths import path_of
from web.problems import status_of
from web.query_words import known_query, known_words
from web.read_models.answers import Careers, ShownList, digest_headers, recalculation_of, shown_list
from web.read_models.builder import list_key
from web.read_models.list_model import MarkedPage
from web.read_models.model_store import store_of
from web.rendering import link, render
from web.signature_requests import asking_of
from web.site import View

routes = Routes()

_SHOWN_MOVES = 100
_MOST_PRINTED: Final = 5_000  # rows: a hundred sheets of paper
_WORKBOOK: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_ORDERS = {
    RowOrder.RANK: "browse.by_rank",
    RowOrder.NAME: "browse.by_name",
    RowOrder.GAIN: "browse.by_gain",
    RowOrder.LOSS: "browse.by_loss",
    RowOrder.GAMES: "browse.by_games",
}

OneOf: TypeAlias = Literal["", "rated", "provisional"]
MovesFirst: TypeAlias = Literal["", "gain", "loss"]


async def rows_asked(
    category: RatedCategoryAsked,
    q: str = "",
    federation: str = "",
    active: bool = False,  # noqa: FBT001, FBT002 - it stands in the query
    state: OneOf = "",
    sort: RowOrder = RowOrder.RANK,
    after: After = 0,
) -> RowsAsked:
    """Returns which rows a request asks for; what a form leaves empty asks for nothing.

    It only reads the address, so it is no work for a thread of its own.
    """
    selection = Selection(
        federations=(federation,) if federation else (),
        category=category,
        search=q if q.strip() else None,
        active=active,
        provisional={"rated": False, "provisional": True}.get(state),
    )
    return RowsAsked(selection, sort, after)


RowsWanted = Annotated[RowsAsked, Depends(rows_asked)]


@routes.get("/lists", PUBLIC)
def lists(request: Request, view: Asked) -> Response:
    """Shows the lists with their newest editions."""
    has_data = site_of(request).settings.data_folder is not None
    return render(request, "lists.html", has_data=has_data, **lists_and_newest(view))


def lists_and_newest(view: View) -> dict[str, Any]:
    """Returns what the overview of the lists shows."""
    return {"lists": view.recall(described_lists).lists, "newest": view.recall(newest_editions)}


@routes.get("/lists/{name}", PUBLIC)
def one_list(
    request: Request,
    view: Asked,
    name: str,
    out: Annotated[list[str], Query()] = [],  # noqa: B006 - nobody adds to it
) -> Response:
    """Shows the periods of a list, newest first, with their editions.

    ``out`` are periods of which an edition has just been published.
    """
    editions = view.recall(editions_by_period, name)
    about = view.recall(described_list, name)
    states = Careers(store_of(request), view).states(name)
    if states is None:
        not_yet_whole(request)
    restated = [each.period.name for each in states or () if each.state == "restated"]
    newest = view.recall(newest_editions).get(name)
    without = (each.period.name for each in states or () if not each.editions)
    return render(
        request, "one_list.html", about=about, states=states and states[::-1], editions=editions,
        newest=newest, today=view.ask(_today), next_period=next(without, None), restated=restated,
        out=[published[-1] for period, published in editions.items() if period in out],
    )  # fmt: skip


@routes.get("/lists/{name}/diff", PUBLIC)
def differences(
    request: Request, view: Asked, name: str, before: str = "", after: str = "",
    sort: MovesFirst = "", *, everything: bool = False,
) -> Response:  # fmt: skip
    """Shows what differs between two editions: the newest one and that of a year before, or others.

    ``sort`` shows gains or losses alone.
    """
    editions = [each for of in view.recall(editions_by_period, name).values() for each in of]
    second = _edition(view, name, after or view.recall(newest_period, name))
    first = _edition(view, name, before) if before else view.recall(edition_a_year_before, second)
    states = [view.recall(edition_state, name, of.period, of.edition) for of in (first, second)]
    asks_again(request, f"{' '.join(states)} {len(editions)}")
    moves = replayed(
        request, view, name, compare, name, *(f"{of.period}@{of.edition}" for of in (first, second))
    ).moves
    sign = {"gain": 1, "loss": -1}.get(sort, 0)
    moves = [each for each in moves if not sign or (each.points or 0) * sign > 0]
    moves = sorted(moves, key=lambda each: abs(each.points or 0), reverse=True)
    shown = moves if everything else moves[:_SHOWN_MOVES]
    return render(
        request, "list_diff.html", name=name, before=first, after=second, moves=shown,
        count=len(moves), sort=sort, editions=editions[::-1],
    )  # fmt: skip


@routes.get("/lists/{name}/{period}", PUBLIC)
def rows_of_list(
    request: Request, view: Asked, name: str, period: str, which: RowsWanted, seen: After = 0,
    *, recalculated: Recalculated = False, out: bool = False,
) -> Response:  # fmt: skip
    """Shows a page of a list: an edition, by default the newest, or the period as known now.

    ``out`` says that it has just gone out.

    ``seen`` rows stood on the pages before: of a part of the players the places are counted on.
    """
    category = which.selection.category
    shown = shown_list(
        request, view, name, *edition_of(period), category, recalculated=recalculated,
        or_former=True,
    )  # fmt: skip
    edition = _edition_of(view, shown)
    before = view.recall(period_before, edition) if edition else None
    corrected = view.recall(edition_before, edition) if edition and edition.edition > 1 else None
    page = shown.page(which)
    words = {**known_query(request, known_words(request)), "after": 0}
    query = urlencode({word: value for word, value in words.items() if word not in ("seen", "out")})
    first = which.order is RowOrder.RANK and not which.after and page.rows
    best = shown.page(replace(RowsAsked(), order=RowOrder.GAIN, limit=1)).rows if first else ()
    return render(
        request, "list_rows.html", shown=shown, heading=shown.heading, page=page, asked=which,
        fitting=shown.fitting(which, page),
        edition=edition, before=before, corrected=corrected, orders=_ORDERS,
        query=query, asked_for=period, proves=site_of(request).settings.checkpoint is not None,
        groups=groups_offered(request),
        about=view.recall(described_list, name), best=best, narrowed=_is_narrowed(which),
        seen=seen if _has_places(which) else None, ways=_ways(page, language_of(request)),
        went_out=out and edition is not None and not which.after,
        others=[each for each in view.recall(newest_editions).values() if each.list != name],
        recalculated=recalculated,
        recalculation=recalculation_of(request, view, name, shown.heading.period),
    )  # fmt: skip


def _is_narrowed(wanted: RowsAsked) -> bool:
    """Whether more is chosen than a name that is looked for."""
    return (replace(wanted.selection, search=None), wanted.order) != (Selection(), RowOrder.RANK)


def _has_places(wanted: RowsAsked) -> bool:
    """Whether those who are chosen have places of their own: a group in the order of its ranks."""
    return (
        wanted.order is RowOrder.RANK
        and wanted.selection.search is None
        and wanted.selection != Selection()
    )


def _ways(page: MarkedPage, language: str) -> list[Markup]:
    """Returns the picture of each row."""
    # It is made of figures and a sentence alone.
    return [
        Markup(sparkline(mark.recent, RECENT_LISTS, language))  # noqa: S704
        for mark in page.marks
    ]


@routes.get("/lists/{name}/{period}/print", PUBLIC)
def to_print(
    request: Request, view: Asked, name: str, period: str, wanted: RowsWanted,
    *, recalculated: Recalculated = False,
) -> Response:  # fmt: skip
    """Shows the rows that are chosen as pages for paper; the first thousands of a long list."""
    shown = _chosen_list(request, view, name, period, wanted, recalculated=recalculated)
    language = language_of(request)
    period_ = period_in_words(shown.heading.period, language)
    title = f"{site_of(request).settings.face.list_name(name, language)} · {period_}"
    rows = islice(_marked(shown, wanted), _MOST_PRINTED)
    lines = list_table(shown.heading, rows, shown.lost, language)
    body = Markup("\n".join(lines))  # noqa: S704 - the form escapes what it quotes
    back = link(request, ("lists", name, period))
    return render(
        request, "form.html", title=title, body=body, back=back, live=None, printed_at=None
    )


def _marked(shown: ShownList, wanted: RowsAsked) -> Iterator[tuple[ListRow, RowMark]]:
    for page in shown.pages(wanted):
        yield from zip(page.rows, page.marks, strict=True)


@routes.get("/lists/{name}/{period}/xlsx", PUBLIC)
def as_workbook(
    request: Request, view: Asked, name: str, period: str, wanted: RowsWanted,
    *, recalculated: Recalculated = False,
) -> Response:  # fmt: skip
    """Answers with the rows as a workbook, with what the page has beside them."""
    shown = _chosen_list(request, view, name, period, wanted, recalculated=recalculated)
    out = io.BytesIO()
    write_list_workbook(out, shown.heading, _sheets(shown, wanted), language_of(request))
    return _sent(iter([out.getvalue()]), _WORKBOOK, _file_of(shown, period, "xlsx"))


@routes.get("/lists/{name}/{period}/letters", PUBLIC)
def letters(
    request: Request,
    view: Asked,
    name: str,
    period: str,
    club: str | None = None,
    player: str | None = None,
) -> Response:
    """Shows to which clubs letters of a published list go; or one, or a player's, to be printed."""
    found = _letters(request, view, name, period, club, player)
    if club is None and player is None:
        return render(request, "letters.html", letters=found)
    page = letters_page(found, language_of(request), "")
    body = Markup(page.body)  # noqa: S704 - the form escapes what it quotes
    back = link(request, ("lists", name, period, "letters"))
    return render(
        request, "form.html", title=page.title, body=body, back=back, live=None, printed_at=None
    )


@routes.get("/lists/{name}/{period}/email", PUBLIC)
def letter_as_email(
    request: Request, view: Asked, name: str, period: str, club: str = ""
) -> Response:
    """Answers with the letter to a club as an e-mail, which opens as a draft."""
    found = _letters(request, view, name, period, club)
    email = letter_email(
        found, found.letters[0], language_of(request), site_of(request).settings.origin
    )
    return _sent(iter([email.as_string()]), "message/rfc822", f"{name}-{period}-{club or '-'}.eml")


def _letters(
    request: Request,
    view: View,
    name: str,
    period: str,
    club: str | None,
    player: str | None = None,
) -> Letters:
    return replayed(request, view, name, letters_of, name, period, club=club, player=player)


@routes.get("/lists/{name}/{period}/csv", PUBLIC)
def as_csv(
    request: Request, view: Asked, name: str, period: str, wanted: RowsWanted,
    *, recalculated: Recalculated = False,
) -> Response:  # fmt: skip
    """Answers with the rows as CSV, in the columns of the workbook."""
    shown = _chosen_list(request, view, name, period, wanted, recalculated=recalculated)
    return _sent(_csv(shown, wanted), "text/csv; charset=utf-8", _file_of(shown, period, "csv"))


@routes.get("/lists/{name}/{period}/json", PUBLIC)
def as_json(
    request: Request, view: Asked, name: str, period: str, wanted: RowsWanted,
    *, recalculated: Recalculated = False,
) -> Response:  # fmt: skip
    """Answers with the list as JSON, as ``list show --format json`` writes it."""
    shown = _chosen_list(request, view, name, period, wanted, recalculated=recalculated)
    return _sent(_json(shown, wanted), "application/json", _file_of(shown, period, "json"))


@routes.get("/lists/{name}/{period}/bytes", PUBLIC)
def as_published(request: Request, view: Asked, name: str, period: str) -> Response:
    """Answers with the bytes that were published, as ``list regenerate`` writes them.

    Where people were erased since these are other bytes, without their names: the headers say so
    (``digest_headers``), the page of the list, and how the file is called.
    """
    edition = _edition(view, name, period)
    shown = shown_list(request, view, name, edition.period, edition.edition)
    digests = digest_headers(shown, edition.output_sha256)
    is_same = shown.heading.digest == edition.output_sha256
    what = "" if is_same else "-without-names"
    file = f"{name}-{edition.period}-{edition.edition}{what}.txt"
    answer = _sent(shown.document(), "text/plain; charset=utf-8", file)
    answer.headers.update(digests)
    return answer


def _chosen_list(
    request: Request, view: View, name: str, period: str, wanted: RowsAsked, *, recalculated: bool
) -> ShownList:
    category = wanted.selection.category
    which = edition_of(period)
    return shown_list(request, view, name, *which, category, recalculated=recalculated)


def _edition(view: View, name: str, text: str) -> ListPublished:
    period, number = edition_of(text)
    return view.recall(published_edition, name, period, number)


def _alike(view: LedgerView) -> int:
    """Returns how many pairs of ids may be one person."""
    return len(registered_twice(view, directory_of(view)))


def _today(view: LedgerView) -> dt.date:
    return view.today


def _open_until(view: LedgerView, name: str, period_name: str) -> dt.date | None:
    """Returns the last day of a period that is not over, None where it is; raises ``NotFound``."""
    period = require_period(view.facts(), name, period_name)
    return None if period.is_over(view.today) else period.closes_on


def _edition_of(view: View, shown: ShownList) -> ListPublished | None:
    """Returns the edition that a list is, if it is one."""
    heading = shown.heading
    if heading.edition is None:
        return None
    which = heading.list, heading.period, heading.edition
    return view.recall(published_edition, *which)


def _sent(parts: Iterator[str] | Iterator[bytes], type_: str, file: str) -> Response:
    """Returns an answer that is made while it is sent."""
    return StreamingResponse(
        parts,
        media_type=type_,
        headers={"Content-Disposition": f"inline; filename*=UTF-8''{quote(file, safe='')}"},
    )


def _file_of(shown: ShownList, period: str, ends: str) -> str:
    """Returns the name of a file of a list; that of one that was not published says so."""
    heading = shown.heading
    state = "" if heading.edition else f"-{heading.state}-not-official"
    return f"{heading.list}-{period}{state}.{ends}"


def _sheets(shown: ShownList, wanted: RowsAsked) -> Iterator[dict[str, Sequence[object]]]:
    return (sheet_columns(page.rows, page.marks) for page in shown.pages(wanted))


def _csv(shown: ShownList, wanted: RowsAsked) -> Iterator[str]:
    for number, columns in enumerate(_sheets(shown, wanted)):
        sheet = sheet_text(columns)
        yield sheet if number == 0 else sheet.partition("\n")[2]


def _json(shown: ShownList, wanted: RowsAsked) -> Iterator[str]:
    heading = json.dumps(shown.heading.data(), ensure_ascii=False)
    yield f'{heading[:-1]}, "rows": ['
    between = ""
    for rows in shown.chunks(wanted):
        if len(rows):
            yield between + ", ".join(json.dumps(row, ensure_ascii=False) for row in rows.data())
            between = ", "
    yield "]}\n"


publication_routes = Routes()
_OFFICERS: Final = only(Role.OFFICER)


@publication_routes.get("/lists/{name}/{period}/publish", _OFFICERS)
def to_be_published(request: Request, name: str, period: str) -> Response:
    """Shows what would go out, with the form that publishes it; nothing is recorded."""
    return _page(request, name, period, None)


@publication_routes.post("/lists/{name}/{period}/publish", _OFFICERS)
def publish_period(
    request: Request,
    typed: Filled,
    name: str,
    period: str,
    key: Annotated[str, Form(min_length=1, max_length=100)],
    seq: Annotated[Seq, Form(ge=0)],
    reason: Reason = "",
    anyway: Annotated[str, Form(max_length=1)] = "",
    acknowledged: Annotated[list[str], Form()] = [],  # noqa: B006 - nobody adds to it
) -> Response:
    """Publishes a period as it was seen: nothing, where something was recorded since."""
    asking = _asking(request, name, period, reason=reason, key=key, seq=seq)
    try:
        publishing = partial(publish, anyway=bool(anyway), acknowledged=acknowledged)
        published_ = site_of(request).record(publishing, name, period, asking)
    except LedgerError as error:
        return _page(request, name, period, error, typed)
    newest = site_of(request).newest()
    edition = published_.list.edition
    store_of(request).make_ready(newest, newest.recall(list_key, name, period, edition))
    where = path_of("lists", name, f"{period}@{edition}")
    return RedirectResponse(f"{where}?out=true", HTTPStatus.SEE_OTHER)


def _page(
    request: Request,
    name: str,
    period: str,
    error: LedgerError | None,
    typed: TypedForm = NOTHING,
) -> Response:
    previewed: PublishedList | None = None
    check: PublicationCheck | None = None
    open_until: dt.date | None = None
    alike = 0
    asking = _asking(request, name, period)
    newest = site_of(request).newest()
    try:
        open_until = newest.ask(_open_until, name, period)
        if open_until is None:
            previewed = site_of(request).preview(publish, name, period, asking)
        check = newest.recall(check_publication, name, period)
        alike = newest.recall(_alike)
    except LedgerError as refused:
        error = error or refused
    error = None if error is None else error_for_site(error)
    unfinished = [] if previewed is None else [each.message for each in previewed.unfinished]
    exceeded = [] if check is None else [each.message for each in check.exceeded]
    return render(
        request, "publish.html", status_of(error), typed, name=name,
        period=period, made=previewed, error=error, key=secrets.token_urlsafe(12),
        shown=digest_shown(*unfinished, *exceeded), check=check, alike=alike,
        out_from=open_until and open_until + dt.timedelta(days=1),
    )  # fmt: skip


def _asking(
    request: Request,
    name: str,
    period: str,
    *,
    reason: str = "",
    key: str = "",
    seq: Seq | None = None,
) -> Asking:
    """Returns what accompanies the publication; without a key nothing is recorded."""
    asking = asking_of(request, "publish", f"publish {name} {period}", reason, key)
    return replace(asking, at_seq=seq, dry_run=not key, with_impact=False)
