"""What is known at one seq of every player's career, as a file; and how the periods stand.

A history is kept as the periods in which something happens: in all others the rating is the one of
the period before, and nothing was played. Editions are kept where they differ from what is known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from ledger.answers.directory import ListedRating
from ledger.answers.people_pages import PlayedTournament
from ledger.answers.period_states import PeriodState
from ledger.errors import NotFound
from ledger.events.lists import ListPublished
from ledger.identifiers import PlayerId, PlayerIndex, Seq
from ledger.reports.careers import CareerSource, PeriodNote, unpacked
from ledger.reports.histories import NOT_LISTED, EditionRating, HistoryLine, PeriodFigures
from ledger.reports.list_ranks import ListRank, RankKind
from ledger.reports.statement import PersonRef, Statement
from ledger.views.list_editions import newest_editions, require_period, source_of
from ledger.views.view import LedgerView
from web.read_models.connections import ReadConnections
from web.read_models.statement_model import known_at, statement_in

_REACHED = (
    "coalesce((SELECT reached FROM ranks WHERE list = :list AND kind = :kind AND of = value"
    " AND rating > {} ORDER BY rating LIMIT 1), 0)"
)
_RANK = (
    f"SELECT sum({_REACHED.format(':rating')}), sum({_REACHED.format('0')}),"  # noqa: S608 - names
    " max(EXISTS (SELECT 1 FROM ranks WHERE list = :list AND kind = :kind AND of = value"
    " AND rating = :rating))"
    " FROM json_each(:of)"
)

_ANY_PERIOD: Final = 2**62  # no list has so many

NamesOfIds: TypeAlias = Callable[[Sequence[str]], Mapping[str, str]]
"""Names players by their ids; an erased person has an empty name."""

_NOTES: Final = msgspec.json.Decoder(PeriodNote)


@dataclass(frozen=True, slots=True)
class NewestEdition:
    """What a player's page says of the newest edition of a list.

    ``published_on`` is an ISO date, ``year`` the last in which it holds, ``following`` the period
    after it, where that was calculated.
    """

    rows: int
    published_on: str
    year: int
    following: str | None


class CareerModel(ReadConnections):
    """Careers that were written into a file; raises ``sqlite3.Error`` where it is damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self.one() as connection:
            self._last_periods: list[tuple[str, str]] = connection.execute(
                "SELECT list, name FROM periods AS its WHERE period ="
                " (SELECT max(period) FROM periods WHERE list = its.list) ORDER BY list"
            ).fetchall()

    @cached_property
    def _periods(self) -> Mapping[str, Sequence[tuple[int, str, Sequence[int]]]]:
        """The periods of each list: index, name, and the numbers of their editions."""
        with self.one() as connection:
            periods = connection.execute("SELECT list, period, name FROM periods").fetchall()
            rows = connection.execute("SELECT list, period, edition FROM editions").fetchall()
        editions: dict[tuple[str, int], list[int]] = {}
        for name, period, edition in rows:
            editions.setdefault((name, period), []).append(edition)
        found: dict[str, list[tuple[int, str, Sequence[int]]]] = {}
        for name, period, called in periods:
            numbers = editions.get((name, period), ())
            found.setdefault(name, []).append((period, called, numbers))
        return found

    def history(self, player: str, name: str) -> list[HistoryLine]:
        """Returns what ``history_of`` does, of a player who was not merged into another."""
        of = (name, player)
        with self.one() as connection:
            ask = connection.execute
            wanted = "SELECT period, rating, change, games, lost FROM happened"
            happened = {
                period: PeriodFigures(rating, change, games, bool(lost))
                for period, rating, change, games, lost in ask(
                    f"{wanted} WHERE list = ? AND player = ?", of
                )
            }
            wanted = "SELECT period, edition, rating FROM differs WHERE list = ? AND player = ?"
            differs = {(period, edition): rating for period, edition, rating in ask(wanted, of)}
        lines = []
        now, quiet = NOT_LISTED, NOT_LISTED
        for period, called, numbers in self._periods.get(name, ()):
            now = happened.get(period, quiet)
            if now is not quiet:
                quiet = now.quiet()
            shown = tuple(
                EditionRating(edition, differs.get((period, edition), now.rating))
                for edition in numbers
            )
            lines.append(HistoryLine(called, shown, *now))
        return [line for line in lines if line.has_a_place]

    def tournaments(self, player: str) -> list[PlayedTournament]:
        """Returns what ``tournaments_played`` does, of a player who was not merged into another."""
        return [*self._numbered(player).values()]

    def _numbered(self, player: str) -> dict[int, PlayedTournament]:
        """Returns the same by index."""
        with self.one() as connection:
            found = connection.execute(
                "SELECT number, id, name, starts_on, ends_on, seq FROM played"
                " JOIN tournaments ON number = tournament"
                " LEFT JOIN corrected USING (player, tournament) WHERE player = ?"
                " ORDER BY ends_on DESC, id DESC",
                (player,),
            )
            return {number: PlayedTournament(*row) for number, *row in found}

    def source(self, player: PersonRef, name: str, people: NamesOfIds) -> CareerSource:
        """Returns what ``career_source`` does, of a player who was not merged into another.

        ``people`` names players by id.
        """
        with self.one() as connection:
            wanted = "SELECT period, games FROM rated WHERE list = ? AND player = ?"
            parts = connection.execute(wanted, (name, player.id)).fetchall()
        games = unpacked(parts)

        def named(players: Sequence[int]) -> dict[int, PersonRef]:
            ids = self._ids({each for each in players if each >= 0})
            found = people([*ids.values()])
            return {number: PersonRef(PlayerId(id_), found[id_]) for number, id_ in ids.items()}

        tournaments = self._numbered(player.id or "")
        return CareerSource(player, name, games, self._notes[name], tournaments, named)

    @cached_property
    def _notes(self) -> Mapping[str, Mapping[int, PeriodNote]]:
        """What must be known of the periods of each list, by their index."""
        found: dict[str, dict[int, PeriodNote]] = {}
        with self.one() as connection:
            for name, period, note in connection.execute("SELECT * FROM notes"):
                found.setdefault(name, {})[period] = _NOTES.decode(note)
        return found

    def _ids(self, numbers: AbstractSet[int]) -> dict[int, str]:
        marks = ", ".join("?" * len(numbers))
        with self.one() as connection:
            wanted = f"SELECT number, id FROM people WHERE number IN ({marks})"  # noqa: S608 - marks
            return dict(connection.execute(wanted, [*numbers]).fetchall())

    def number(self, player: str) -> PlayerIndex:
        """Returns the index of a player; raises ``NotFound``."""
        with self.one() as connection:
            wanted = "SELECT number FROM people WHERE id = ?"
            found = connection.execute(wanted, (player,)).fetchone()
        if found is None:
            raise NotFound("player.not_found", player=player)
        return PlayerIndex(found[0])

    def rank(
        self, name: str, rating: int, kind: RankKind = "all", of: Sequence[str] = ("",)
    ) -> ListRank | None:
        """Returns the rank of who has a rating in the newest edition of a list, in some groups.

        None where nobody of the groups, taken together, has the rating.
        """
        with self.one() as connection:
            higher, players, is_held = connection.execute(
                _RANK, {"list": name, "kind": kind, "rating": rating, "of": json.dumps(of)}
            ).fetchone()
        return ListRank(higher + 1, players) if is_held else None

    @cached_property
    def newest(self) -> Mapping[str, NewestEdition]:
        """The newest edition of each list that has one."""
        with self.one() as connection:
            rows = connection.execute("SELECT * FROM newest").fetchall()
        return {name: NewestEdition(*about) for name, *about in rows}

    def ratings(self, view: LedgerView, player: str) -> list[ListedRating]:
        """Return what ``listed_ratings`` does, of a player who was not merged into another.

        ``view`` is the ledger that it was made from.
        """
        newest = newest_editions(view)
        ratings = []
        for name, period in self._last_periods:
            edition = newest.get(name)
            rating = None if edition is None else self._rating(player, edition)
            if edition is not None and rating is not None:
                source = source_of(view, name, edition.period, edition.edition)
            else:
                rating, source = self._rating_now(player, name), source_of(view, name, period)
            if rating is not None:
                ratings.append(ListedRating(source, rating))
        return ratings

    def _rating(self, player: str, edition: ListPublished) -> int | None:
        """Return a player's rating in an edition; None where the edition has not the player."""
        name = edition.list
        of = next(of for of, called, _ in self._periods[name] if called == edition.period)
        with self.one() as connection:
            differs = connection.execute(
                "SELECT rating FROM differs WHERE list = ? AND player = ?"
                " AND period = ? AND edition = ?",
                (name, player, of, edition.edition),
            ).fetchone()
        return self._rating_now(player, name, of) if differs is None else differs[0]

    def _rating_now(self, player: str, name: str, upto: int = _ANY_PERIOD) -> int | None:
        """Return a player's rating after a period (by default the last one), as known now."""
        with self.one() as connection:
            row = connection.execute(
                "SELECT rating FROM happened WHERE list = ? AND player = ? AND period <= ?"
                " ORDER BY period DESC LIMIT 1",
                (name, player, upto),
            ).fetchone()
        return None if row is None else row[0]

    def bucket(self, player: str, name: str, seq: Seq) -> Statement | None:
        """Returns the statement of the last period of a list; None, where the player is rated.

        ``seq`` is as known at which it is asked: nothing was recorded since that changes it.
        """
        with self.one() as connection:
            wanted = "SELECT statement FROM buckets WHERE list = ? AND player = ?"
            found = connection.execute(wanted, (name, player)).fetchone()
        return None if found is None else known_at(statement_in(found[0]), seq)

    def merged(self, player: str) -> tuple[str, bool]:
        """Returns the id under which a player counts, and whether there is another one beside it.

        An id that nobody has counts as itself.
        """
        with self.one() as connection:
            wanted = "SELECT into_player FROM merged WHERE player = ? OR into_player = ?"
            found = connection.execute(wanted, (player, player)).fetchone()
        return (player, False) if found is None else (found[0], True)

    def places(self, player: str) -> list[tuple[str, int]]:
        """Returns what ``places_on_ladders`` does, of a player who was not merged into another."""
        with self.one() as connection:
            wanted = "SELECT ladder, place FROM places WHERE player = ? ORDER BY ladder"
            return connection.execute(wanted, (player,)).fetchall()

    def states(self, view: LedgerView, name: str) -> list[PeriodState]:
        """Returns what ``period_states`` does; the ledger is the one that it was made from."""
        facts = view.facts_of(name)
        wanted = "SELECT name, state, editions, games FROM periods WHERE list = ?"
        with self.one() as connection:
            rows = connection.execute(wanted, (name,)).fetchall()
        return [
            PeriodState.of(require_period(facts, name, period), state, editions, games)
            for period, state, editions, games in rows
        ]
