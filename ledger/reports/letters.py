"""Letters after a publication: what a list brought to the players of a club, or to one of them."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ledger.facts.as_of import AsOf
from ledger.facts.tables import NOT_TOLD
from ledger.json_form import JsonForm, derived
from ledger.lists.people import People
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class LetterLine(JsonForm):
    """A player of the list; ratings are None while there is none.

    ``games`` are those that count. ``before`` includes a rating that was brought in for the period,
    and what was ordered for the player.
    """

    id: str
    name: str
    before: int | None
    after: int | None
    games: int

    @property
    @derived
    def change(self) -> int | None:
        """After minus before, where both are ratings."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def has_news(self) -> bool:
        """Whether the player played, or has another rating than before."""
        return self.games > 0 or self.before != self.after


@dataclass(frozen=True, slots=True)
class Letter(JsonForm):
    """What goes to a club; None: to those of whom nobody said that they are of one.

    ``players`` are all that are on the list, ``lines`` those with news: by what they gained, then
    first ratings, then who has none yet.
    """

    club: str | None
    players: int
    lines: tuple[LetterLine, ...]

    @property
    @derived
    def sentence(self) -> Message:
        """The letter in a sentence."""
        changes = [line.change or 0 for line in self.lines]
        first = sum(line.before is None and line.after is not None for line in self.lines)
        return Message.of(
            "letter.sentence",
            players=self.players,
            played=sum(line.games > 0 for line in self.lines),
            gained=sum(change > 0 for change in changes),
            lost=sum(change < 0 for change in changes),
            first=first,
        )


@dataclass(frozen=True, slots=True)
class Letters(JsonForm):
    """The letters of an edition, by club."""

    list: str
    period: str
    edition: int
    in_force_on: dt.date
    letters: Sequence[Letter]


def letters(
    outcome: PeriodOutcome,
    known: AsOf,
    people: People,
    *,
    clubs: Iterable[str] | None = None,
    players: Iterable[int] | None = None,
) -> list[Letter]:
    """Returns letters of a period, from one calculation of it.

    Args:
        outcome: the period, as calculated for the edition.
        known: tells of which club somebody is on the day on which the list comes into force.
        people: names and ids.
        clubs: only to these (default: to all).
        players: only of these, by index (default: of all).
    """
    closing, opening = outcome.closing, outcome.opening
    on_list = np.flatnonzero(closing.listed)
    of = known.affiliations(outcome.period.in_force_on).club[on_list].tolist()
    names, wanted = known.facts.body_names, None if clubs is None else set(clubs)
    chosen = None if players is None else set(players)
    by_club = defaultdict[str, list[int]](list)
    for index, club in zip(on_list.tolist(), of, strict=True):
        name = "" if club == NOT_TOLD else names[club]
        if (wanted is None or name in wanted) and (chosen is None or index in chosen):
            by_club[name].append(index)
    games = outcome.counted_games
    found = []
    for club, members in sorted(by_club.items(), key=lambda each: (not each[0], each[0])):
        of_club = np.array(members)
        columns = (opening.rating[of_club], closing.rating[of_club], games[of_club])
        ids, written = people.ids(of_club), people.names(of_club)
        rows = zip(ids, written, *(column.tolist() for column in columns), strict=True)
        lines = [
            LetterLine(id_, name, _rating(before), _rating(after), count)
            for id_, name, before, after, count in rows
        ]
        news = tuple(sorted(filter(_has_news, lines), key=_order))
        found.append(Letter(club or None, len(lines), news))
    return found


def _rating(points: int) -> int | None:
    return None if points == UNRATED else points


def _has_news(line: LetterLine) -> bool:
    return line.has_news


def _order(line: LetterLine) -> tuple[int, int, str, str]:
    kind = 2 if line.after is None else int(line.before is None)
    return kind, -(line.change or line.after or 0), line.name, line.id
