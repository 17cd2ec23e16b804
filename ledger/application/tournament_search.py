"""Tournaments as people look for them: by words of the name, how they stand, and when they were."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.application.ledger import Ledger
from ledger.reports.tournaments import State, TournamentLine, tournament_lines
from ledger.spelling import folded

PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class TournamentsWanted:
    """Which tournaments are asked for; None asks for none in particular.

    ``search`` are words, each of which begins a word of the name or the id. ``since`` and ``until``
    are days: of those that went on in between. ``after`` is the id of the last one that is known.
    """

    search: str | None = None
    state: State | None = None
    since: dt.date | None = None
    until: dt.date | None = None
    after: str | None = None
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class TournamentsPage:
    """Tournaments, the last one that began first; ``count`` is of all that are asked for.

    ``after`` is the id after which the next page begins, None after the last.
    """

    lines: Sequence[TournamentLine]
    count: int
    after: str | None


def all_tournaments(ledger: Ledger) -> list[TournamentLine]:
    """Returns all tournaments, the last one that began first, by id where they began together."""
    lines = tournament_lines(ledger.facts())  # by id
    return sorted(lines, key=lambda line: line.starts_on, reverse=True)


def matching(lines: Sequence[TournamentLine], wanted: TournamentsWanted) -> list[TournamentLine]:
    """Returns all tournaments that are asked for, in the order of the lines."""
    words = folded(wanted.search or "").split()
    return [line for line in lines if _fits(line, wanted, words)]


def chosen(lines: Sequence[TournamentLine], wanted: TournamentsWanted) -> TournamentsPage:
    """Returns a page of tournaments in their order; an unknown ``after`` is the first page's."""
    fitting = matching(lines, wanted)
    ids = [line.tournament for line in fitting]
    begin = ids.index(wanted.after) + 1 if wanted.after in ids else 0
    page = fitting[begin : begin + wanted.limit]
    is_last = begin + wanted.limit >= len(fitting)
    return TournamentsPage(page, len(fitting), None if is_last else page[-1].tournament)


def _fits(line: TournamentLine, wanted: TournamentsWanted, words: Sequence[str]) -> bool:
    if wanted.state not in (None, line.state):
        return False
    if wanted.since is not None and line.ends_on < wanted.since:
        return False
    if wanted.until is not None and line.starts_on > wanted.until:
        return False
    if not wanted.search or wanted.search == line.tournament:
        return True
    there = folded(f"{line.name} {line.tournament}").split()
    return bool(words) and all(any(t.startswith(word) for t in there) for word in words)
