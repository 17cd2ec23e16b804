"""The first page: search, the top ten, what changed, the lists; for who signed in, what waits.

What it shows is read from what is kept of lists, and from a few tournaments and players.

The demonstration in the browser: a page that shows what each of its steps shows.
"""

from __future__ import annotations

import datetime as dt
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from markupsafe import Markup, escape
from starlette.exceptions import HTTPException

from ledger.age_groups import OLDEST, age_groups
from ledger.answers.corrections import corrections
from ledger.answers.directory import RowsAsked, main_edition
from ledger.answers.front_page import (
    EndedTournament,
    PlayerMark,
    ended_tournaments,
    next_list,
    period_before,
    player_marks,
    running_tournaments,
)
from ledger.answers.lists import described_lists
from ledger.answers.people_pages import PeopleAsked
from ledger.events.lists import ListPublished
from ledger.examples.steps import NEWCOMER, RUIZ, STEPS
from ledger.lists.rating_list import ListRow
from ledger.reports.cascade import Correction
from ledger.reports.correction_words import title_of
from ledger.spelling import folded
from ledger.views.list_editions import newest_editions
from ledger.wording import revealed
from web.access import PUBLIC, Routes
from web.accounts.own_player import own_player
from web.asked_view import Asked, site_of
from web.assets import asset_path
from web.caching import asks_again, not_yet_whole
from web.pages.own_agenda import own_agenda
from web.read_models.answers import BeingMade, ShownList, main_rows, people_of
from web.read_models.model_store import store_of
from web.rendering import render
from web.site import View

routes = Routes()
_TOP: Final = 10
_BEFORE: Final = 40  # places of the list before, in which those of the top ten are looked for
_NEWS: Final = 6
_CORRECTIONS: Final = 2
_SUGGESTED: Final = 8
_NAME_WORD: Final = re.compile(r"([\s,.-]+)")


@dataclass(frozen=True, slots=True)
class NewsItem:
    """Something that happened on a day: a tournament that ended, a correction, lists."""

    on: dt.date
    kind: Literal["tournament", "correction", "lists"]
    about: EndedTournament | Correction | Sequence[ListPublished]


@dataclass(frozen=True, slots=True)
class TopRow:
    """A row of the top ten; ``places`` is how many it went up since the list before, if known."""

    row: ListRow
    mark: PlayerMark
    places: int | None


@routes.get("/", PUBLIC)
def home(request: Request, view: Asked) -> Response:
    """Shows the first page."""
    newest = view.recall(newest_editions)
    main = view.recall(main_edition)
    lists = sorted(
        view.recall(described_lists).lists,
        key=lambda each: newest[each.list].row_count if each.list in newest else 0,
        reverse=True,
    )
    running = view.recall(running_tournaments)
    return render(
        request, "home.html", lists=lists, newest=newest, main=main,
        top=_top(request, view, main) if main else (),
        leaders={name: _rows(request, view, each, 1) for name, each in newest.items()},
        next_lists={
            name: view.recall(next_list, name) for name in newest if view.asked_for is None
        },
        running=running, news=_news(view, newest)[: _NEWS - len(running)],
        waiting=own_agenda(request, view), player=own_player(request),
        title_of=title_of, groups=_groups(request),
    )  # fmt: skip


def _rows(request: Request, view: View, edition: ListPublished, count: int) -> Sequence[ListRow]:
    """Returns the first rows of an edition; none while it is being made ready."""
    try:
        shown = ShownList(store_of(request), view, edition.list, edition.period, edition.edition)
        return list(shown.page(RowsAsked(limit=count)).rows)
    except BeingMade:
        not_yet_whole(request)
        return ()


def _top(request: Request, view: View, edition: ListPublished) -> Sequence[TopRow]:
    rows = _rows(request, view, edition, _TOP)
    before = view.recall(period_before, edition)
    earlier = _rows(request, view, before, _BEFORE) if before else ()
    ranks = {row.id: row.rank for row in earlier}
    marks = view.recall(player_marks, tuple(row.id for row in rows))
    return [
        TopRow(row, marks[row.id], ranks[row.id] - row.rank if row.id in ranks else None)
        for row in rows
    ]


def _news(view: View, newest: Mapping[str, ListPublished]) -> list[NewsItem]:
    """Returns what happened last, the newest first."""
    found = [NewsItem(each.ended_on, "tournament", each) for each in view.recall(ended_tournaments)]
    for correction in view.recall(corrections, limit=_CORRECTIONS):
        on = dt.datetime.fromisoformat(correction.recorded_at).date()
        found.append(NewsItem(on, "correction", correction))
    for on in {each.published_on for each in newest.values()}:
        same_day = [each for each in newest.values() if each.published_on == on]
        found.append(NewsItem(on, "lists", same_day))
    return sorted(found, key=lambda each: each.on, reverse=True)


def _groups(request: Request) -> list[str]:
    """Returns the names of some age groups: two of the young, one of the old."""
    groups = age_groups(site_of(request).settings.federation.age_groups)
    young = [group.name for group in groups if not group.least]
    old = [group.name for group in groups if group.most == OLDEST]
    return [*dict.fromkeys([*young[len(young) // 2 :][:1], *young[-1:], *old[-1:]])]


@routes.get("/suggestions", PUBLIC)
def suggestions(request: Request, view: Asked, q: str = "") -> Response:
    """Answers with the players whom a text may mean, as a part of a page: with their ratings."""
    asks_again(request, f"{view.state} {q}")
    text = q.strip()
    wanted = PeopleAsked(search=text, limit=_SUGGESTED)
    try:
        people = people_of(store_of(request), view, wanted)[0].people if text else ()
    except BeingMade:
        not_yet_whole(request)
        return Response(status_code=204)  # the button leads to a page that says so
    ids = [each.id for each in people]
    ratings, marks = main_rows(store_of(request), view, ids), view.ask(player_marks, ids)
    return render(
        request, "part_suggestions.html", people=people, ratings=ratings, marks=marks, q=text,
        matched=partial(matched, words=folded(text).split()),
    )  # fmt: skip


def matched(name: str, words: Iterable[str]) -> Markup:
    """Returns a name as markup in which the beginnings that words (folded) find are marked.

    >>> str(matched("Núñez Soto, Ana", ["nun", "a"]))
    '<mark>Núñ</mark>ez Soto, <mark>A</mark>na'
    """
    found = _NAME_WORD.split(revealed(name))  # at odd places what stands between words
    return Markup("").join(
        escape(each) if at % 2 else _marked(each, words) for at, each in enumerate(found)
    )


def _marked(name: str, words: Iterable[str]) -> Markup:
    whole = folded(name)
    fitting = max((word for word in words if whole.startswith(word)), key=len, default="")
    end = next((at for at in range(len(name) + 1) if folded(name[:at]) == fitting), 0)
    return Markup("<mark>{}</mark>{}").format(name[:end], name[end:]) if end else escape(name)


@routes.get("/logo", PUBLIC)
def logo(request: Request) -> Response:
    """Answers with the federation's logo."""
    picture = site_of(request).settings.face.logo
    if picture is None:
        raise HTTPException(404)
    request.state.account = None  # the same for everybody
    asks_again(request, picture.sha256)
    return Response(picture.data, media_type=picture.media_type)


@routes.get("/favicon.ico", PUBLIC)
def favicon(request: Request) -> Response:
    """Answers with the same, or the program's icon, to whoever asks without having read a page."""
    if site_of(request).settings.face.logo is not None:
        return logo(request)
    request.state.account = None
    return RedirectResponse(asset_path("icon.svg"))


@routes.get("/offline", PUBLIC)
def offline(request: Request) -> Response:
    """Shows what the browser of an arbiter keeps, to be shown while there is no network."""
    request.state.account = None  # the same for everybody
    return render(request, "offline.html")


demonstration_routes = Routes()

PAGES: Final = {
    "demo.init": "/audit/commits/1",
    "demo.define": "/lists/ENF?as-known-at=2",
    "demo.players": "/players?as-known-at=41",
    "demo.import": "/tournaments/ymca-2010?as-known-at=100",
    "demo.publish": "/audit/commits/4",
    "demo.show": "/lists/ENF/2010-07@1",
    "demo.explain": f"/players/{RUIZ}/ENF/2010-07?as-known-at=101",
    "demo.newcomer": f"/players/{NEWCOMER}/ENF/2010-07?as-known-at=101",
    "demo.second": "/tournaments/agosto-2010?as-known-at=120",
    "demo.second_list": "/lists/ENF/2010-08@1",
    "demo.first_rating": f"/players/{NEWCOMER}/ENF/2010-08?as-known-at=121",
    "demo.preview": "/corrections/122",
    "demo.correct": "/audit/commits/7",
    "demo.restated": "/lists/ENF?as-known-at=122",
    "demo.edition": "/lists/ENF/2010-07@2",
    "demo.cascade": "/lists/ENF/2010-08@2",
    "demo.diff": "/lists/ENF/diff?before=2010-07@1&after=2010-07@2",
    "demo.why": f"/players/{RUIZ}/ENF/why?from=2010-07@1&to=2010-08@2",
    "demo.history": f"/players/{RUIZ}/ENF",
    "demo.regenerate": "/lists/ENF/2010-07@1/bytes",
    "demo.regenerate_second": "/lists/ENF/2010-07@2/bytes",
    "demo.verify": "/audit",
}
"""By the heading of the step; seqs are those of the demonstration, the same each time."""


@demonstration_routes.get("/demo", PUBLIC)
def demonstration(request: Request, _view: Asked) -> Response:
    """Shows the steps, where the ledger of the demonstration is served.

    Each leads to a page at the seq of the step, whatever seq is asked for.
    """
    if not site_of(request).settings.demo:
        raise HTTPException(404)
    steps = [(each.heading, shlex.join(each.words), PAGES[each.heading]) for each in STEPS]
    return render(request, "demonstration.html", steps=steps)
