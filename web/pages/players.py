"""Players: looked for by name, and what is known of one."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from fastapi import Query, Request, Response
from fastapi.responses import RedirectResponse

from ledger.answers.directory import PlayerSheet, clubs_of, player_known
from ledger.answers.people_pages import PeopleAsked, surviving_id
from ledger.answers.titles import player_titles
from ledger.errors import NotFound
from ledger.pictures.history import history_picture
from ledger.reports.balance import Figures
from ledger.reports.histories import HistoryLine
from ledger.reports.statement import Statement
from ledger.views.list_editions import newest_period
from ledger.views.view import LedgerView
from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.caching import not_yet_whole
from web.calculations import replayed
from web.categories import CategoryAsked, groups_offered
from web.fields import After
from web.language import language_of
from web.read_models.answers import Careers, people_of
from web.read_models.model_store import store_of
from web.rendering import link, render

routes = Routes()

_SHOWN_TOURNAMENTS = 50


@routes.get("/players", PUBLIC)
def players(
    request: Request,
    view: Asked,
    category: CategoryAsked,
    q: str = "",
    federation: str = "",
    after: After = 0,
) -> Response:
    """Shows the register by name, or those whom a text may mean."""
    wanted = PeopleAsked(
        search=q if q.strip() else None,
        federations=(federation,) if federation else (),
        category=category,
        after=after,
    )
    page, federations = people_of(store_of(request), view, wanted)
    given_up = view.ask(_given_up_for, q.strip())
    return render(
        request, "players.html", page=page, asked=wanted, federations=federations,
        given_up=given_up, groups=groups_offered(request),
    )  # fmt: skip


@routes.get("/clubs", PUBLIC)
def clubs(request: Request, view: Asked) -> Response:
    """Shows the clubs and regions with their players, as they are today."""
    return render(request, "clubs.html", made=view.recall(clubs_of, None))


def _given_up_for(view: LedgerView, text: str) -> tuple[str, str] | None:
    """Returns an id that was given up, and the one that stays; None where the text is none."""
    try:
        stays = surviving_id(view, text)
    except NotFound:
        return None
    return (text, stays) if stays != text else None


@routes.get("/players/{player}", PUBLIC)
def one_player(request: Request, view: Asked, player: str, was: str = "") -> Response:
    """Shows what is known of a player: in every list, in tournaments, on ladders."""
    careers = Careers(store_of(request), view)
    stays = careers.survivor(player)
    if stays != player:
        return RedirectResponse(link(request, ("players", stays), was=player))
    known = careers.known(player)
    histories = {each.list: careers.history(player, each.list) for each in known.ratings}
    tournaments, buckets = careers.tournaments(player), _buckets(careers, known)
    is_made = tournaments is not None and None not in histories.values()
    if not is_made:
        not_yet_whole(request)
    return render(
        request, "player.html", known=known, histories=histories,
        is_made=is_made,
        pictures={name: _picture(request, known, name, of) for name, of in histories.items()},
        moves={name: _moves(of or []) for name, of in histories.items()},
        buckets=buckets, unrated={bucket.list for bucket in buckets if bucket.was_rated},
        figures=Figures(exactly=False),
        tournaments=(tournaments or [])[:_SHOWN_TOURNAMENTS], count=len(tournaments or ()),
        ladders=careers.places(player),
        was=was if was and view.ask(_given_up_for, was) == (was, player) else None,
    )  # fmt: skip


def _moves(lines: list[HistoryLine]) -> dict[str, list[tuple[str, str]]]:
    """Returns by period which two lists a player's rating differs between, earlier ones first.

    They are the last lists of a period and of the one before it, then the editions of the period,
    each as its address says it. A first rating is none: its statement explains it.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    before: tuple[str, int | None] | None = None
    for line in lines:
        last = (line.period, line.published[-1].rating if line.published else line.restated)
        editions = [(f"{line.period}@{edition}", rating) for edition, rating in line.published]
        steps = [*([(before, last)] if before else []), *pairwise(editions)]
        found[line.period] = [
            (earlier, later) for (earlier, was), (later, now) in steps if was and now and was != now
        ]
        before = last
    return found


def _picture(
    request: Request, known: PlayerSheet, name: str, lines: list[HistoryLine] | None
) -> str | None:
    """Returns the chart of a history; None where there is nothing to draw."""
    if not lines:
        return None
    name_ = known.name or known.id
    language, known_at = language_of(request), request.state.view.asked_for
    return history_picture(lines, player=name_, name=name, language=language, known_at=known_at)


def _buckets(careers: Careers, known: PlayerSheet) -> list[Statement]:
    """Returns the newest statement of each list that the player has no rating in yet."""
    return [
        careers.bucket(known.id, rating.list, rating.period)
        for rating in known.ratings
        if rating.provisional
    ]


@routes.get("/players/{player}/titles", PUBLIC)
def titles(
    request: Request, view: Asked, player: str, of: Annotated[str, Query(alias="list")]
) -> Response:
    """Shows a player's results for titles, by the ratings of a list."""
    known = view.ask(player_known, player)
    found = replayed(request, view, of, player_titles, player, of)
    language = language_of(request)
    rows = [each.data(language) | {"told": each.row.told(language)} for each in found.results]
    return render(
        request, "player_titles.html", known=known, name=of,
        progress=[each.data() for each in found.progress], rows=rows,
    )  # fmt: skip


@routes.get("/players/{player}/{name}", PUBLIC)
def newest_statement(request: Request, view: Asked, player: str, name: str) -> Response:
    """Leads to the statement of the newest period of a list."""
    period = view.recall(newest_period, name)
    return RedirectResponse(link(request, ("players", player, name, period)))
