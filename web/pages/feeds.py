"""What readers and search engines ask for: Atom feeds, the map of the site, what they may read.

Each feed is the newest of what a page shows. The map is in pages of players and tournaments, so
that no answer is as large as the register.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Final
from xml.etree import ElementTree as ET

import numpy as np
from fastapi import Path, Request, Response
from starlette.exceptions import HTTPException

from ledger.answers.corrections import corrections
from ledger.answers.feeds import (
    PAGE,
    PublishedNews,
    TournamentNews,
    published_news,
    tournament_news,
)
from ledger.answers.tournaments import require_tournament
from ledger.events.desk import RoundPublished, RoundWithdrawn
from ledger.facts.arrays import Mask
from ledger.facts.as_of import AsOf
from ledger.rating.decimal_text import with_sign
from ledger.reports.cascade import Correction
from ledger.reports.correction_words import title_of
from ledger.reports.histories import HistoryLine
from ledger.results import result_in_words
from ledger.views.view import LedgerView
from ledger.wording import Message
from ledger.wording.dates import day_in_words, edition_in_words, period_in_words
from web.access import PUBLIC, Routes
from web.asked_view import Asked, site_of
from web.atom import MEDIA_TYPE, Feed, FeedEntry
from web.caching import not_yet_whole
from web.language import language_of
from web.paths import path_of
from web.read_models.answers import Careers
from web.read_models.model_store import store_of
from web.rendering import capital, name_of_site
from web.site import View

routes = Routes()
MAPPED: Final = 5_000
"""So many addresses stand on a page of the map."""
_PLACES: Final = ("/", "/lists", "/players", "/tournaments", "/calendar", "/corrections")
_XML: Final = "application/xml; charset=utf-8"
_SITEMAP: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_UNREAD: Final = (
    "/suggestions", "/sign-in", "/office", "/desk", "/submissions", "/jobs", "/*?*as-known",
)  # fmt: skip


@routes.get("/feeds/corrections", PUBLIC)
def corrections_feed(request: Request, view: Asked) -> Response:
    """Answers with the newest corrections."""
    writer = _FeedWriter(request)
    found = view.recall(corrections, limit=PAGE)
    entries = [writer.correction(each) for each in found]
    return writer.feed(view, "corrections", writer("web.corrections"), ("corrections",), entries)


@routes.get("/feeds/lists", PUBLIC)
def lists_feed(request: Request, view: Asked) -> Response:
    """Answers with the editions that went out last."""
    writer = _FeedWriter(request)
    entries = [writer.edition(each) for each in view.recall(published_news)]
    return writer.feed(view, "lists", writer("web.lists"), ("lists",), entries)


@routes.get("/feeds/players/{player}", PUBLIC)
def player_feed(request: Request, view: Asked, player: str) -> Response:
    """Answers with the ratings of a player in the editions that went out last."""
    writer = _FeedWriter(request)
    careers = Careers(store_of(request), view)
    stays = careers.survivor(player)
    known = careers.known(stays)
    entries: list[FeedEntry] = []
    for rating in known.ratings:
        lines, states = careers.history(stays, rating.list), careers.states(rating.list)
        if lines is None or states is None:
            not_yet_whole(request)
        as_published = {each.period.name for each in states or () if each.state == "published"}
        figures = {
            (line.period, edition): (
                figure,
                line if line.period in as_published and edition == len(line.published) else None,
            )
            for line in lines or ()
            for edition, figure in line.published
            if figure is not None
        }
        for each in view.recall(published_news, rating.list):
            found = figures.get((each.edition.period, each.edition.edition))
            if found is not None:
                entries.append(writer.rating(each, stays, *found))
    entries.sort(key=lambda each: each.updated, reverse=True)
    name = known.name or stays
    return writer.feed(view, f"players/{stays}", name, ("players", stays), entries[:PAGE])


@routes.get("/feeds/tournaments/{tournament:path}", PUBLIC)
def tournament_feed(request: Request, view: Asked, tournament: str) -> Response:
    """Answers with what happened last to a tournament."""
    writer = _FeedWriter(request)
    news = view.recall(tournament_news, tournament)
    record = view.ask(require_tournament, tournament, view.seq)
    entries = [writer.event(tournament, each) for each in news]
    title, page = record.version.name, ("tournaments", tournament)
    return writer.feed(view, f"tournaments/{tournament}", title, page, entries)


class _FeedWriter:
    """Says things in the language of a request, with whole addresses."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._language = language_of(request)
        self._origin = site_of(request).settings.origin
        self._face = site_of(request).settings.face

    def __call__(self, key: str, **named: object) -> str:
        return Message.of(key, **named).within(self._language)

    def feed(
        self, view: View, key: str, title: str, page: Sequence[str], entries: Sequence[FeedEntry]
    ) -> Response:
        """Returns the answer."""
        root, since = view.recall(_beginning)
        site = name_of_site(self._request, self._language)
        feed = Feed(
            ledger=root, since=since, key=key, title=f"{title} · {site}", author=site,
            language=self._language, page=self._at(*page), entries=entries,
            own=f"{self._at('feeds', *page)}?lang={self._language}",
        )  # fmt: skip
        return Response(feed.document(), media_type=MEDIA_TYPE)

    def correction(self, each: Correction) -> FeedEntry:
        first = each.items[0]
        title = capital(title_of(each).within(self._language))
        players = " – ".join(player.name or player.id or "" for player in first.players)
        change = f"{result_in_words(first.was)} → {result_in_words(first.now)}"
        is_result = first.was or first.now
        where = (first.title, self("page.round", round=first.round) if first.round else None)
        about = ", ".join(filter(None, (*where, players, change if is_result else None)))
        reason = self("feed.reason", reason=each.reason) if each.reason else ""
        key = f"corrections/{each.seq}"
        summary = ". ".join(filter(None, (about, reason)))
        return FeedEntry(key, title, self._at(*key.split("/")), each.recorded_at, summary)

    def edition(self, each: PublishedNews) -> FeedEntry:
        edition = each.edition
        summary = self(
            "feed.edition_summary", count=edition.row_count,
            on=day_in_words(edition.published_on, self._language),
        )  # fmt: skip
        return self._of_edition(each, self._title(each), summary, f"lists/{each.seq}")

    def rating(
        self, each: PublishedNews, player: str, rating: int, line: HistoryLine | None
    ) -> FeedEntry:
        """Return the entry of a rating; ``line`` is None where its edition is other by now."""
        figure = rating or self("player.provisional")
        title = f"{self._title(each)}: {figure}"
        if line is None:
            summary = ""
        elif line.change is None:
            summary = self("feed.rating_games", count=line.games)
        elif line.change:
            summary = self("feed.rating_summary", change=with_sign(line.change), count=line.games)
        else:
            summary = self("feed.rating_same", count=line.games)
        return self._of_edition(each, title, summary, f"players/{player}/{each.seq}")

    def _of_edition(self, each: PublishedNews, title: str, summary: str, key: str) -> FeedEntry:
        edition = each.edition
        place = self._at("lists", edition.list, f"{edition.period}@{edition.edition}")
        return FeedEntry(key, title, place, each.recorded_at, summary)

    def _title(self, each: PublishedNews) -> str:
        edition = each.edition
        list_ = self._face.list_name(edition.list, self._language)
        named = {"list": list_, "period": period_in_words(edition.period, self._language)}
        if edition.edition == 1:
            return self("feed.edition", **named)
        return self(
            "feed.later_edition", edition=edition_in_words(edition.edition, self._language), **named
        )

    def event(self, tournament: str, each: TournamentNews) -> FeedEntry:
        title, summary = self._happened(each), ""
        if each.taken_back:
            title = self("story.no_longer", title=title)
        if each.result is not None:
            players, result = " – ".join(each.players), result_in_words(each.result)
            summary = self("feed.result_now", players=players, result=result)
        key = f"tournaments/{tournament}/{each.seq}"
        return FeedEntry(key, title, self._at("tournaments", tournament), each.recorded_at, summary)

    def _happened(self, each: TournamentNews) -> str:
        if each.type == RoundPublished.TYPE:
            return self("feed.paired", round=each.round)
        if each.type == RoundWithdrawn.TYPE:
            return self("feed.unpaired", round=each.round)
        title = capital(self(f"event.{each.type.replace('.', '_').replace('-', '_')}"))
        return title if each.round is None else f"{title}, {self('page.round', round=each.round)}"

    def _at(self, *parts: str) -> str:
        return f"{self._origin}{path_of(*parts)}"


def _beginning(view: LedgerView) -> tuple[str, str]:
    """Returns the root and the instant of the first commit; of an empty ledger those of no time."""
    first = next(iter(view.journal.commits(after=0)), None)
    return (first.root, first.recorded_at) if first else ("", "1970-01-01T00:00:00Z")


# The map of the site


@routes.get("/robots.txt", PUBLIC)
def robots(request: Request) -> Response:
    """Says what search engines may read, and where the map is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _UNREAD)]
    lines.append(f"Sitemap: {site_of(request).settings.origin}/sitemap.xml")
    return Response("\n".join(lines) + "\n", media_type="text/plain; charset=utf-8")


@routes.get("/sitemap.xml", PUBLIC)
def sitemap(request: Request, view: Asked) -> Response:
    """Answers with the pages of the map."""
    places = ["/sitemaps/lists/1"]
    for what, count in view.recall(_counts).items():
        places += (f"/sitemaps/{what}/{page + 1}" for page in range(-(-count // MAPPED)))
    return _mapped(request, "sitemapindex", "sitemap", places)


@routes.get("/sitemaps/{what}/{page}", PUBLIC)
def sitemap_page(
    request: Request, view: Asked, what: str, page: int = Path(ge=1, le=1_000_000)
) -> Response:
    """Answers with a page of the map: lists, tournaments or players."""
    found = _addresses(view, what, page - 1)
    if not found:
        raise HTTPException(404)
    return _mapped(request, "urlset", "url", found)


def _counts(view: LedgerView) -> dict[str, int]:
    facts = view.facts()
    return {"tournaments": len(facts.tournament_ids), "players": len(facts.player_ids)}


def _shown(view: LedgerView) -> dict[str, Mask]:
    """Returns which tournaments and players have pages: not those taken back or given up."""
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    own = known.merged_into == np.arange(len(facts.player_ids))
    return {"tournaments": known.is_open, "players": known.is_registered & own}


def _addresses(view: View, what: str, page: int) -> list[str]:
    """Returns the addresses of a page; nothing where there is no such page."""
    facts = view.ask(LedgerView.facts)
    ids: dict[str, Sequence[str]] = {
        "tournaments": facts.tournament_ids,
        "players": facts.player_ids,
    }
    if what in ids:
        part = slice(page * MAPPED, (page + 1) * MAPPED)
        shown = compress(ids[what][part], view.recall(_shown)[what][part].tolist())
        return [path_of(what, id_) for id_ in shown]
    if what != "lists" or page:
        return []
    return [*_PLACES, *(path_of("lists", name) for name in facts.lists)]


def _mapped(request: Request, root: str, each: str, places: Iterable[str]) -> Response:
    """Returns addresses as a document of the map."""
    origin = site_of(request).settings.origin
    document = ET.Element(root, {"xmlns": _SITEMAP})
    for place in places:
        entry = ET.SubElement(document, each)
        ET.SubElement(entry, "loc").text = f"{origin}{place}"
    text = ET.tostring(document, encoding="utf-8", xml_declaration=True)
    return Response(text, media_type=_XML)
