"""Data for the forms of today as pages to print: a certificate, and an event's own form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.forms.page import PageCell, PrintedPage, Say, row, saying, table
from ledger.rating.decimal_text import exact
from ledger.reports.title_forms import (
    Certificate,
    CertificateGame,
    EventForm,
    EventOfForm,
    PlayersCounted,
)
from ledger.wording.dates import day_in_words

GAME_COLUMNS: Final = ("round", "name", "id", "federation", "title", "rating", "score")
_NONE: Final = "–"


def certificate_page(found: Certificate, language: str) -> PrintedPage:
    """Returns the data of a certificate as a page to print."""
    say = saying(language)
    games = [row(map(_cell, game_cells(game), GAME_COLUMNS)) for game in found.games]
    headings = [_cell(say(f"column.{key}"), key) for key in GAME_COLUMNS]
    facts = [*event_facts(found.event, language), *certificate_facts(found, say)]
    by_hand = PageCell(say("certificate.by_hand")).html("p")
    parts = [*_facts(facts, say), *table(headings, games), by_hand]
    return PrintedPage(certificate_title(found, say), parts, language)


def report_form_page(found: EventForm, language: str) -> PrintedPage:
    """Returns the data of an event's form as a page to print."""
    say = saying(language)
    facts = [*event_facts(found.event, language), *form_facts(found, say)]
    parts = [*_facts(facts, say), PageCell(say("certificate.report_by_hand")).html("p")]
    return PrintedPage(say("certificate.report", name=found.event.name), parts, language)


def certificate_title(found: Certificate, say: Say) -> str:
    """Returns the heading of a certificate."""
    return say("certificate.title", name=found.name or found.player)


def game_cells(game: CertificateGame) -> list[object]:
    """Returns a row: ``GAME_COLUMNS``; what nobody said is empty."""
    return [
        game.round, game.name, game.opponent, game.federation, game.title, game.rating,
        exact(game.score),
    ]  # fmt: skip


def event_facts(event: EventOfForm, language: str) -> Iterator[tuple[str, object]]:
    """Yields what is said of an event, each with its name; None: nobody said it."""
    say = saying(language)
    days = (day_in_words(day, language) for day in (event.starts_on, event.ends_on))
    yield say("column.tournament"), event.name
    yield say("column.place"), event.place
    yield say("column.federation"), event.federation
    yield say("certificate.days"), " – ".join(days)
    yield say("column.rounds"), event.rounds
    yield say("column.system"), say(f"system.{event.system.value.replace('-', '_')}")
    yield say("column.rate_of_play"), say(f"rate.{event.rate_of_play.value}")
    yield say("certificate.time_control"), event.time_control
    yield say("column.chief_arbiter"), event.chief_arbiter


def certificate_facts(found: Certificate, say: Say) -> Iterator[tuple[str, object]]:
    """Yields what a certificate says of its player, each with its name."""
    yield say("column.name"), found.name
    yield say("column.id"), found.player
    yield say("certificate.own_federation"), found.federation
    yield say("column.title"), found.title or _NONE
    yield say("column.list"), found.list
    yield say("certificate.counted"), found.counted
    yield say("column.points"), exact(found.score)
    yield say("column.opponents_mean"), found.opponents_mean or _NONE
    yield say("column.performance"), found.performance or _NONE
    yield say("certificate.unrated"), found.unrated
    yield say("certificate.foreign"), _NONE if found.foreign is None else found.foreign
    yield say("certificate.federations"), _counted(found.federations)
    yield say("certificate.titles"), _counted(found.titles)


def form_facts(found: EventForm, say: Say) -> Iterator[tuple[str, object]]:
    """Yields what an event's form says of its players, each with its name."""
    yield say("column.players"), found.players
    yield say("certificate.rated", list=found.list), found.rated
    yield say("certificate.federations"), _counted(found.federations)
    yield say("certificate.titles"), _counted(found.titles)


def _cell(word: object, key: str) -> PageCell:
    return PageCell(word, kind=key)


def _counted(counts: Sequence[PlayersCounted]) -> str:
    return ", ".join(f"{each.of or _NONE} {each.players}" for each in counts)


def _facts(facts: Sequence[tuple[str, object]], say: Say) -> list[str]:
    """Returns a table of facts; of what nobody said it is told that it is missing."""
    shown = ((name, say("certificate.unsaid") if value is None else value) for name, value in facts)
    rows = (
        row([PageCell(name, kind="name"), PageCell(value, kind="said")]) for name, value in shown
    )
    return ["<table>", *rows, "</table>"]
