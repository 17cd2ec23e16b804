"""Players: looked for by name, and what is known of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from http import HTTPStatus
from itertools import pairwise
from typing import Annotated, Final, NamedTuple

from fastapi import Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from ledger.age_groups import age_groups
from ledger.answers.careers import meetings_of
from ledger.answers.directory import (
    ListedRating,
    PlayerSheet,
    clubs_of,
    first_day_in_force,
    main_edition,
    player_known,
)
from ledger.answers.event_desk import GameToPlay, games_to_play
from ledger.answers.front_page import player_marks, tournaments_to_play
from ledger.answers.people_pages import PeopleAsked, PlayedTournament, surviving_id
from ledger.answers.search import FoundBeside, named_beside, near_names
from ledger.answers.titles import player_titles
from ledger.answers.tournaments import all_tournaments, event_places, names_of_tournaments
from ledger.errors import InputRefused, NotFound
from ledger.forms.results import short_days
from ledger.identifiers import PlayerId
from ledger.pictures.card import (
    HEIGHT,
    LEAST,
    WIDTH,
    CardWords,
    official_ratings,
    rating_card,
)
from ledger.pictures.dotted_text import can_be_dotted
from ledger.pictures.history import NamedHistory, history_picture
from ledger.reports.balance import AS_READ
from ledger.reports.careers import CareerGame
from ledger.reports.categories import Category
from ledger.reports.headlines import changes_shown, headline
from ledger.reports.histories import HistoryLine
from ledger.reports.statement import PersonRef
from ledger.views.list_editions import newest_period
from ledger.views.view import LedgerView
from ledger.wording.dates import period_in_words
from web.access import PUBLIC, Routes
from web.asked_view import Asked, CategoryAsked, groups_offered, last_commits, site_of
from web.caching import not_yet_whole
from web.calculations import replayed
from web.fields import After
from web.forms import HANDED_IN
from web.language import language_of
from web.read_models.answers import (
    Careers,
    GroupRank,
    ShownCareer,
    main_rows,
    people_of,
)
from web.read_models.model_store import store_of
from web.rendering import link, render
from web.site import View

routes = Routes()

_SHOWN = 8  # tournaments, and lists
_PAGE: Final = 25  # tournaments, each with the place
_SHOWN_GAMES = 40
_MET = 100  # opponents
_FOUND = 20  # by a name, to compare with
_ELSEWHERE: Final = ("register-player", "confirm-player", "split-player")
_ABOUT_ONE: Final = [
    each
    for each in HANDED_IN.values()
    if each.by.scope == "players" and each.name not in _ELSEWHERE
]


@routes.get("/players", PUBLIC)
def players(
    request: Request,
    view: Asked,
    category: CategoryAsked,
    q: str = "",
    federation: str = "",
    after: After = 0,
) -> Response:
    """Shows the register by name, or those whom a text may mean.

    An id, and a name that only one player has, leads to the page of that player.
    """
    wanted = PeopleAsked(
        search=q if q.strip() else None,
        federations=(federation,) if federation else (),
        category=category,
        after=after,
    )
    page, federations = people_of(store_of(request), view, wanted)
    text, ids = q.strip(), [each.id for each in page.people]
    is_all = not (after or federation) and page.after is None and category == Category()
    found = FoundBeside()
    if text:
        found = named_beside(text, view.recall(clubs_of, None), view.recall(all_tournaments))
    if text and is_all and not ids:
        found = replace(found, near=view.ask(near_names, text))
    only = text if text in ids else ids[0] if len(ids) == 1 and is_all and found.is_empty else None
    if text and only is not None and "hx-request" not in request.headers:
        return RedirectResponse(link(request, ("players", only)), HTTPStatus.SEE_OTHER)
    given_up = view.ask(_given_up_for, text)
    return render(
        request, "players.html", page=page, found=found, main=view.recall(main_edition),
        rows=main_rows(store_of(request), view, ids), marks=view.ask(player_marks, ids),
        asked=wanted, federations=federations, given_up=given_up, groups=groups_offered(request),
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
def one_player(
    request: Request,
    view: Asked,
    player: str,
    was: str = "",
    name: Annotated[str, Query(alias="list")] = "",
    *,
    everything: Annotated[bool, Query(alias="all")] = False,
) -> Response:
    """Shows what is known of a player: in a list (by default the largest), and the career in it."""
    careers = Careers(store_of(request), view)
    if (stays := careers.survivor(player)) != player:
        return RedirectResponse(link(request, ("players", stays), was=player))
    known = careers.known(player)
    ratings = careers.main_first(known.ratings)
    chosen = _chosen(known.id, ratings, name)
    histories = {each.list: careers.history(player, each.list) for each in ratings}
    lines = histories[chosen.list] if chosen else []
    tournaments = careers.tournaments(player)
    newest = careers.newest()
    heads = {
        name: headline(of or [], newest[name].following if name in newest else None)
        for name, of in histories.items()
    }
    figures = heads[chosen.list] if chosen else headline([])
    person = PersonRef(PlayerId(player), known.name)
    shown, ranks = None, list[GroupRank]()
    if chosen and lines:
        official = figures.official.rating if figures.official else None
        shown = careers.career(person, chosen.list, official)
        if official is not None:
            groups = age_groups(site_of(request).settings.federation.age_groups)
            ranks = careers.ranks(known, chosen.list, official, groups)
    former = [each.id for each in known.ids if each.issuer == "ledger"]
    if not (is_made := tournaments is not None and lines is not None):
        not_yet_whole(request)
    bucket = None
    if chosen and chosen.provisional:
        bucket = careers.bucket(player, chosen.list)
    return render(
        request, "player.html", known=known, ratings=ratings, chosen=chosen, lines=lines or [],
        is_made=is_made, figures_of_list=figures, changes=changes_shown(lines or []), ranks=ranks,
        newest=newest.get(chosen.list) if chosen else None,
        next_on=view.recall(first_day_in_force, chosen.list, figures.upcoming.period)
        if chosen and figures.upcoming else None,
        card=(WIDTH, HEIGHT) if len(official_ratings(lines or [])) >= LEAST else None,
        pictures=_pictures(request, known, chosen, histories), moves=_moves(lines or []),
        bucket=bucket, events=view.ask(names_of_tournaments, bucket.tournaments) if bucket else {},
        figures=AS_READ, shown_career=shown, games=_by_tournament(shown),
        most_gained=_most_gained(shown), most=None if everything else _SHOWN,
        results={of.tournament: of for of in shown.career.tournaments} if shown else {},
        line_of={line.period: line for line in lines or []},
        to_play=_to_play(view, player), tournaments=tournaments or [], everything=everything,
        count=len(tournaments or ()),
        ladders=careers.places(player), former=former, operations=_ABOUT_ONE,
        commits=last_commits(request, view, *(f"player:{each}" for each in (player, *former))),
        was=was if was and view.ask(_given_up_for, was) == (was, player) else None,
    )  # fmt: skip


def _to_play(view: View, player: str) -> list[GameToPlay]:
    return view.ask(games_to_play, player, view.recall(tournaments_to_play).get(player, ()))


def _by_tournament(shown: ShownCareer | None) -> list[tuple[CareerGame, list[CareerGame]]]:
    """Returns the games of the page by tournament, each with one of them, the last first."""
    found: dict[str, list[CareerGame]] = {}
    for game in shown.career.current[-_SHOWN_GAMES:] if shown else ():
        found.setdefault(game.tournament, []).append(game)
    return [(games[0], games[::-1]) for games in reversed(found.values())]


def _most_gained(shown: ShownCareer | None) -> Fraction:
    """Returns the greatest gain or loss of the tournaments, as an amount."""
    gains = (abs(each.gain) for each in shown.career.tournaments) if shown else ()
    return max(gains, default=Fraction(0))


class _InList(NamedTuple):
    """Whom a page is about, by the id that stays, and in which list; None: they are in none.

    ``ratings`` are those of all their lists, the main one first.
    """

    careers: Careers
    known: PlayerSheet
    ratings: list[ListedRating]
    chosen: ListedRating | None

    @classmethod
    def of(cls, request: Request, view: View, player: str, name: str) -> _InList:
        """Finds them; raises ``NotFound`` for no such player, or one who is not in the list."""
        careers = Careers(store_of(request), view)
        known = careers.known(careers.survivor(player))
        ratings = careers.main_first(known.ratings)
        return cls(careers, known, ratings, _chosen(known.id, ratings, name))

    @property
    def person(self) -> PersonRef:
        """The player, as careers know people."""
        return PersonRef(PlayerId(self.known.id), self.known.name)


@routes.get("/players/{player}/tournaments", PUBLIC)
def tournaments_of_player(
    request: Request,
    view: Asked,
    player: str,
    name: Annotated[str, Query(alias="list")] = "",
    after: After = 0,
    *,
    few: bool = False,
) -> Response:
    """Shows a player's tournaments with the places, the last first.

    ``few`` are as many as stand on the page of the player, which asks for them.
    """
    subject = _InList.of(request, view, player, name)
    known, chosen = subject.known, subject.chosen
    shown = subject.careers.career(subject.person, chosen.list) if chosen else None
    found = subject.careers.tournaments(known.id)
    if found is None or (chosen and shown is None):
        not_yet_whole(request)
    until = after + (_SHOWN if few else _PAGE)
    page = (found or ())[after:until]
    return render(
        request, "player_tournaments.html", known=known, chosen=chosen, tournaments=page,
        count=len(found or ()), most=_SHOWN if few else None, figures=AS_READ, after=after,
        following=until if len(found or ()) > until and not few else None,
        most_gained=_most_gained(shown), event_places=_places(view, known.id, page),
        results={of.tournament: of for of in shown.career.tournaments} if shown else {},
    )  # fmt: skip


def _places(
    view: View, player: str, tournaments: Sequence[PlayedTournament]
) -> Mapping[str, tuple[int, int]]:
    """Returns a player's place in each tournament that has places, of how many, by tournament."""
    found = {}
    for each in tournaments:
        with suppress(InputRefused):  # players who were never entered
            of = view.recall(event_places, each.tournament)
            if player in of.places:
                found[each.tournament] = of.places[player], of.count
    return found


@routes.get("/players/{player}/card.png", PUBLIC)
def card(
    request: Request,
    view: Asked,
    player: str,
    name: Annotated[str, Query(alias="list")] = "",
) -> Response:
    """Answers with the line of a player's official ratings, for who shows a link with a picture."""
    subject = _InList.of(request, view, player, name)
    known, chosen, language = subject.known, subject.chosen, language_of(request)
    lines = subject.careers.history(known.id, chosen.list) if chosen else None
    rated = [line for line in lines or () if official_ratings([line])]
    picture = None
    if chosen and rated:
        called = " ".join([*known.titles, known.name or known.id])
        first, last = (period_in_words(rated[at].period, language) for at in (0, -1))
        where = f"{site_of(request).settings.face.list_name(chosen.list, language)}, {last}"
        named = called if can_be_dotted(called) else known.id
        picture = rating_card(rated, CardWords(named, where, first, last))
    if picture is None:
        raise HTTPException(404)
    return Response(picture, media_type="image/png")


@routes.get("/players/{player}/against", PUBLIC)
def opponents(
    request: Request,
    view: Asked,
    player: str,
    name: Annotated[str, Query(alias="list")] = "",
    q: str = "",
) -> Response:
    """Shows whom a player met in a list, and finds others to compare with.

    Raises:
        NotFound: there is no such player, or none in such a list.
    """
    subject = _InList.of(request, view, player, name)
    known, chosen = subject.known, subject.chosen
    if chosen is None:
        raise NotFound("player.not_in_list", player=player, list=name or "–")
    shown = subject.careers.career(subject.person, chosen.list, most=_MET)
    if shown is None:
        not_yet_whole(request)
    wanted = PeopleAsked(search=q.strip(), limit=_FOUND)
    found = people_of(store_of(request), view, wanted)[0].people if q.strip() else ()
    return render(
        request, "opponents.html", known=known, ratings=subject.ratings, chosen=chosen, q=q.strip(),
        people=[each for each in found if each.id != known.id], shown_career=shown,
        career=shown.career if shown else None,
    )  # fmt: skip


@routes.get("/players/{player}/against/{opponent}", PUBLIC)
def against(
    request: Request,
    view: Asked,
    player: str,
    opponent: str,
    name: Annotated[str, Query(alias="list")] = "",
) -> Response:
    """Shows what two players have played against each other in a list of the first."""
    subject = _InList.of(request, view, player, name)
    careers, known, chosen = subject.careers, subject.known, subject.chosen
    other = careers.known(careers.survivor(opponent))
    duel = None
    if chosen:
        duel = careers.meetings(subject.person, other.id, chosen.list)
        if duel is None:
            duel = replayed(
                request, view, chosen.list, meetings_of, known.id, other.id, chosen.list
            )
    return render(
        request, "against.html", known=known, other=other, ratings=subject.ratings, chosen=chosen,
        made=duel, figures=AS_READ,
        officials=[_official(each, chosen.list) for each in (known, other)] if chosen else (),
    )  # fmt: skip


def _official(known: PlayerSheet, name: str) -> int | None:
    """Return a player's official rating in a list; None without one."""
    ratings = (of for of in known.ratings if of.list == name and of.source.edition is not None)
    return next((of.rating or None for of in ratings), None)


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


def _chosen(player: str, ratings: list[ListedRating], name: str) -> ListedRating | None:
    """Returns the list of the page: the one that is asked for, else the first with a rating.

    Raises:
        NotFound: the player is in no list of the name.
    """
    found = {each.list: each for each in ratings}
    if name and name not in found:
        raise NotFound("player.not_in_list", player=player, list=name)
    rated = next((each for each in ratings if not each.provisional), None)
    return found[name] if name else rated or next(iter(ratings), None)


def _pictures(
    request: Request,
    known: PlayerSheet,
    chosen: ListedRating | None,
    histories: Mapping[str, list[HistoryLine] | None],
) -> list[str]:
    """Returns the charts of a history, for a page and for a phone; none without a rating."""
    lines = histories[chosen.list] if chosen else None
    if not lines or chosen is None:
        return []
    language = language_of(request)
    named = partial(site_of(request).settings.face.list_name, language=language)
    others = [
        NamedHistory(named(name), of)
        for name, of in histories.items()
        if of and name != chosen.list
    ]
    draw = partial(
        history_picture, lines, player=known.name or known.id, name=named(chosen.list),
        language=language, others=others, is_past=request.state.view.asked_for is not None,
    )  # fmt: skip
    return [each for each in (draw(), draw(is_narrow=True)) if each]


@routes.get("/players/{player}/titles", PUBLIC)
def titles(
    request: Request, view: Asked, player: str, of: Annotated[str, Query(alias="list")]
) -> Response:
    """Shows a player's results for titles, by the ratings of a list."""
    known = view.ask(player_known, player)
    found = replayed(request, view, of, player_titles, player, of)
    language = language_of(request)
    rows = [
        each.data(language)
        | {
            "told": each.row.told(language),
            "days": short_days(each.start, each.end, language),
        }
        for each in found.results
    ]
    return render(
        request, "player_titles.html", known=known, name=of,
        progress=[each.data() for each in found.progress], rows=rows,
    )  # fmt: skip


@routes.get("/players/{player}/{name}", PUBLIC)
def newest_statement(request: Request, view: Asked, player: str, name: str) -> Response:
    """Leads to the statement of the newest period of a list."""
    period = view.recall(newest_period, name)
    return RedirectResponse(link(request, ("players", player, name, period)))
