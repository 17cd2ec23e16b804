"""Parts of the register for people who turn its pages, and what else a player's page shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ledger.answers.corrections import correcting_seqs
from ledger.answers.directory import PAGE, directory_of, members_today, player_recorded
from ledger.errors import NotFound
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY, Column
from ledger.facts.game_rows import GameRows
from ledger.identifiers import PlayerId, Seq, TournamentIndex
from ledger.json_form import ISO_DAY, JsonForm
from ledger.reports.categories import EVERYBODY, Category
from ledger.reports.directory import Person
from ledger.views.registers import survivors_at
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class PeopleAsked:
    """Which players are asked for: by name, after a place of that order, so many at a time.

    Places are counted from 1 over everybody; ``search`` is as for ``PlayerDirectory.find``. Of a
    ``category`` they are today; nobody is under a rating here.
    """

    search: str | None = None
    federations: tuple[str, ...] = ()
    category: Category = EVERYBODY
    after: int = 0
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Players; ``after`` is where the next page begins, None after the last."""

    people: tuple[Person, ...]
    after: int | None


def people_page(view: LedgerView, wanted: PeopleAsked) -> PeoplePage:
    """Returns a page of the register.

    Takes time in proportion to the register; what read models of it have to answer.
    """
    directory = directory_of(view)
    category = wanted.category
    fitting = set(
        directory.listed(
            federations=wanted.federations,
            sex=category.sex,
            search=wanted.search,
            among=members_today(view, category) if category.is_of_facts else None,
        )
    )
    found = [
        (number, place)
        for number, place in enumerate(directory.listed(), 1)
        if number > wanted.after and place in fitting
    ][: wanted.limit + 1]
    kept = found[: wanted.limit]
    after = kept[-1][0] if len(found) > len(kept) else None
    return PeoplePage(tuple(directory[place] for _, place in kept), after)


def people_with_ids(view: LedgerView, ids: Sequence[str]) -> list[Person]:
    """Returns players by their ids, each once; an id that nobody has is left out."""
    facts = view.facts()
    known = [each for each in dict.fromkeys(ids) if each in facts.player_index]
    people = view.people(facts)
    players: Column = np.array([facts.player_index[each] for each in known], dtype=np.int32)
    return [
        Person(PlayerId(each), row.name or None, federation, row.sex, row.birth_date)
        for each, row, federation in zip(
            known, people.personal(players), people.federations(players), strict=True
        )
    ]


@dataclass(frozen=True, slots=True)
class PlayedTournament(JsonForm):
    """A tournament in which somebody has games; dates are ISO dates.

    ``corrected_by_seq`` is the last correction of one of these games; None where there is none.
    """

    tournament: str
    name: str
    starts_on: Annotated[str, ISO_DAY]
    ends_on: Annotated[str, ISO_DAY]
    corrected_by_seq: Seq | None = None


@dataclass(frozen=True, slots=True)
class TournamentsPlayed(JsonForm):
    """The tournaments in which a player has games, the last first."""

    player: str
    tournaments: Sequence[PlayedTournament]


def tournaments_played(view: LedgerView, player: str) -> list[PlayedTournament]:
    """Returns the tournaments in which a player has games, the last first; raises ``NotFound``."""
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    index = known.counts_as(view.player_index(facts, player))
    found = []
    for tournament in known.tournaments_of_player(index).tolist():
        tournament_ = numbered_tournament(known, tournament)
        if tournament_ is not None:
            games = known.games_of_tournament(tournament)
            own = games.rows((games.white == index) | (games.black == index))
            seqs = correcting_seqs(view, own.game.tolist())
            found.append(replace(tournament_, corrected_by_seq=max(seqs, default=None)))
    return sorted(found, key=lambda each: (each.ends_on, each.tournament), reverse=True)


def numbered_tournaments(
    view: LedgerView, wanted: Sequence[int] | None = None
) -> Iterator[tuple[int, PlayedTournament]]:
    """Yields some tournaments, or (None) all, by index."""
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    for index in range(len(facts.tournament_ids)) if wanted is None else wanted:
        tournament = numbered_tournament(known, index)
        if tournament is not None:
            yield index, tournament


def everybody_played(
    view: LedgerView, wanted: Sequence[int] | None = None
) -> Iterator[tuple[str, int]]:
    """Yields who has games in which tournament, by id and index; perhaps more than once.

    In some tournaments, by index, or (None) in all of them.
    """
    ids = view.facts().player_ids
    for games in _games(view, wanted):
        sides = [np.stack([side, games.tournament]) for side in (games.white, games.black)]
        pairs = np.unique(np.concatenate(sides, axis=1), axis=1)
        pairs = pairs[:, pairs[0] != NOBODY]
        for player, tournament in zip(*pairs.tolist(), strict=True):
            yield ids[player], tournament


def everybody_corrected(
    view: LedgerView, wanted: Sequence[int] | None = None
) -> Iterator[tuple[str, int, int]]:
    """Yields whose game in which tournament was corrected, by id and index, and by which seq.

    In some tournaments, by index, or (None) in all of them.
    """
    facts = view.facts()
    ids = facts.player_ids
    for games in _games(view, wanted):
        seqs = correcting_seqs(view, games.game[np.isin(games.game, facts.supersession.seq)])
        corrected = games.rows(np.isin(games.game, [*seqs]))
        columns = (corrected.white, corrected.black, corrected.tournament, corrected.game)
        for *players, tournament, seq in zip(*(each.tolist() for each in columns), strict=True):
            yield from ((ids[one], tournament, seq) for one in players if one != NOBODY)


def _games(view: LedgerView, wanted: Sequence[int] | None) -> Iterator[GameRows]:
    """Yields the last row of every pairing of some tournaments, or (None) of all, in parts."""
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    if wanted is None:
        return known.games_by_block()
    return (known.games_of_tournament(TournamentIndex(each)) for each in wanted)


def numbered_tournament(known: AsOf, index: int) -> PlayedTournament | None:
    """Returns a tournament by index; None before it was opened."""
    version = known.tournament(index)
    if version is None:
        return None
    dates = version.starts_on.isoformat(), version.ends_on.isoformat()
    return PlayedTournament(version.tournament, version.name, *dates)


def places_on_ladders(view: LedgerView, player: str) -> list[tuple[str, int]]:
    """Returns the ladders on which a player stands, each with the place."""
    facts = view.facts()
    ids = survivors_at(facts, facts.seq).same_person(player)
    return [(name, place) for name, place, id_ in everybody_on_ladders(view) if id_ in ids]


def everybody_on_ladders(view: LedgerView) -> Iterator[tuple[str, int, str]]:
    """Yields the ladders by name, each with its places from 1 and who stands there, by id."""
    for name, of in sorted(view.facts().ladders.items()):
        for place, id_ in enumerate(of.known().places, 1):
            yield name, place, id_


def surviving_id(view: LedgerView, player: str) -> str:
    """Returns the id under which a player counts now; raises ``NotFound``."""
    facts = view.facts()
    view.player_index(facts, player)
    return survivors_at(facts, facts.seq)(player)


def ids_of_person(view: LedgerView, player: str) -> set[str]:
    """Returns every id of the person with this one; raises ``NotFound``."""
    view.player_index(view.facts(), player)
    return ids_recorded_for(view, player)


def ids_recorded_for(view: LedgerView, player: str) -> set[str]:
    """Return every id of the person with this one, whose registration may be taken back."""
    facts = view.facts()
    return survivors_at(facts, facts.seq).same_person(player)


def living_ids(view: LedgerView, player: str) -> set[str]:
    """Returns the same of a person who was not erased; raises ``NotFound``, also where one was."""
    if player_recorded(view, surviving_id(view, player)).erased_on:
        raise NotFound("account.player_erased", player=player)
    return ids_of_person(view, player)
