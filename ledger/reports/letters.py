"""Letters after a publication: what a list brought to the players of a club, or to one of them."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ledger.facts.arrays import Column
from ledger.facts.as_of import AsOf
from ledger.facts.tables import NOT_TOLD
from ledger.identifiers import PlayerId
from ledger.json_form import HIDDEN, SENTENCES, JsonForm, derived
from ledger.lists.people import People, sort_key
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.letter_reasons import reasons_of
from ledger.reports.statement import PersonRef
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class LetterLine(JsonForm):
    """A player of the list; ratings are None while there is none.

    ``games`` are those that count. ``before`` includes a rating that was brought in for the period,
    and what was ordered for the player. ``reasons`` say what moved the rating.
    """

    id: PlayerId
    name: str
    before: int | None
    after: int | None
    games: int
    reasons: Annotated[tuple[Message, ...], SENTENCES] = ()

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
class WaitingPlayer(JsonForm):
    """A player who waits for the next list, and with what."""

    id: PlayerId
    name: str
    reasons: Annotated[tuple[Message, ...], SENTENCES]


@dataclass(frozen=True, slots=True)
class Letter(JsonForm):
    """What goes to a club; None: to those of whom nobody said that they are of one.

    ``players`` are all that are on the list, ``lines`` those with news: by what they gained, then
    first ratings, then who has none yet. ``left`` were on the list before and are on this one no
    more; ``waiting`` have games for the next list, or too few for a first rating.
    """

    club: str | None
    players: int
    lines: tuple[LetterLine, ...]
    left: tuple[PersonRef, ...] = ()
    waiting: tuple[WaitingPlayer, ...] = ()
    is_of_club: Annotated[bool, HIDDEN] = True

    @property
    def _named(self) -> Mapping[PlayerId, str]:
        """The names of those of whom something is said, by id."""
        named = {each.id: each.name for each in self.lines}
        named |= {each.id: each.name or "" for each in self.left if each.id is not None}
        return named | {each.id: each.name for each in self.waiting}

    @property
    def only_player(self) -> str | None:
        """The name, else the id, where the letter is about one player."""
        named = self._named
        if self.is_of_club or len(named) != 1:
            return None
        ((id_, name),) = named.items()
        return name or id_

    def by_player(self) -> Iterator[Letter]:
        """Yields a letter for each player who has news, left or waits."""
        for id_ in self._named:
            yield replace(
                self,
                players=int(id_ not in {each.id for each in self.left}),
                lines=tuple(each for each in self.lines if each.id == id_),
                left=tuple(each for each in self.left if each.id == id_),
                waiting=tuple(each for each in self.waiting if each.id == id_),
                is_of_club=False,
            )

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
    """The letters of an edition, by club.

    ``unfinished`` are events of the next list that are not over, as known by now.
    """

    list: str
    period: str
    edition: int
    in_force_on: dt.date
    letters: Sequence[Letter]
    unfinished: tuple[Message, ...] = ()

    def by_player(self) -> Letters:
        """Returns a letter for each player who has news, left or waits, by club."""
        return replace(self, letters=[one for each in self.letters for one in each.by_player()])


@dataclass(frozen=True, slots=True)
class ListNeighbours:
    """What the lists around one say of its players: who left, by index, and who waits with what."""

    left: Column
    waiting: Mapping[int, tuple[Message, ...]]


def letters(
    outcome: PeriodOutcome,
    known: AsOf,
    people: People,
    around: ListNeighbours,
    *,
    clubs: Iterable[str] | None = None,
    players: Iterable[int] | None = None,
) -> list[Letter]:
    """Returns letters of a period, from one calculation of it.

    Args:
        outcome: the period, as calculated for the edition.
        known: tells of which club somebody is on the day on which the list comes into force.
        people: names and ids.
        around: what is said of the lists before and after it.
        clubs: only to these (default: to all).
        players: only of these, by index (default: of all).
    """
    listed = np.flatnonzero(outcome.closing.listed)
    about = np.unique(np.concatenate([listed, around.left, [*around.waiting]]).astype(np.int64))
    of = known.affiliations(outcome.period.in_force_on).club[about].tolist()
    names, wanted = known.facts.body_names, None if clubs is None else set(clubs)
    chosen = None if players is None else set(players)
    by_club = defaultdict[str, list[int]](list)
    for index, club in zip(about.tolist(), of, strict=True):
        name = "" if club == NOT_TOLD else names[club]
        if (wanted is None or name in wanted) and (chosen is None or index in chosen):
            by_club[name].append(index)
    members = np.array([each for of_club in by_club.values() for each in of_club], dtype=np.int64)
    lines = _lines(outcome, people, members)
    on_list = set(listed.tolist())
    return [
        _letter(club, by_club[club], lines, on_list, around)
        for club in sorted(by_club, key=lambda name: (not name, name))
    ]


def _lines(outcome: PeriodOutcome, people: People, players: Column) -> Mapping[int, LetterLine]:
    """Returns what is said of some players, by index."""
    columns = outcome.opening.rating, outcome.closing.rating, outcome.counted_games
    figures = (column[players].tolist() for column in columns)
    rows = zip(players.tolist(), people.ids(players), people.names(players), *figures, strict=True)
    reasons = reasons_of(outcome, players)
    return {
        at: LetterLine(id_, name, _rating(before), _rating(after), games, tuple(reasons[at]))
        for at, id_, name, before, after, games in rows
    }


def _letter(
    club: str,
    members: Sequence[int],
    lines: Mapping[int, LetterLine],
    on_list: AbstractSet[int],
    around: ListNeighbours,
) -> Letter:
    listed = [lines[each] for each in members if each in on_list]
    left, waiting = set(around.left.tolist()), around.waiting
    named = sorted((lines[each] for each in members), key=_by_name)
    places = {lines[each].id: each for each in members}
    return Letter(
        club or None,
        len(listed),
        tuple(sorted(filter(_has_news, listed), key=_order)),
        tuple(PersonRef(each.id, each.name) for each in named if places[each.id] in left),
        tuple(
            WaitingPlayer(each.id, each.name, waiting[places[each.id]])
            for each in named
            if places[each.id] in waiting
        ),
    )


def _by_name(line: LetterLine) -> str:
    return sort_key(line.name, line.id)


def _rating(points: int) -> int | None:
    return None if points == UNRATED else points


def _has_news(line: LetterLine) -> bool:
    return line.has_news


def _order(line: LetterLine) -> tuple[int, int, str, str]:
    kind = 2 if line.after is None else int(line.before is None)
    return kind, -(line.change or line.after or 0), line.name, line.id
