"""Players as people ask for them: by name or id, what is known of one, the part of a list.

Parts of a rating list for people who turn its pages: chosen, in an order, so many at a time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from operator import itemgetter
from typing import Annotated, Any, Final, Protocol

import numpy as np

from ledger.calendar import period_around
from ledger.errors import InputRefused, NotFound, Problem
from ledger.events.lists import ListPublished
from ledger.events.personal import identity_in
from ledger.events.players import PlayerDescribed
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.json_form import BIRTH_DAY, HIDDEN, PARTS, After, JsonForm, Key, derived
from ledger.lists.people import Personal
from ledger.lists.rating_list import ListRows, RatingList, RowOrder
from ledger.lists.rating_source import RatingSource
from ledger.rating.player_state import UNRATED
from ledger.registrar.register import affiliation_on
from ledger.replay.timeline import last_period
from ledger.reports.categories import EVERYBODY, Category, Clubs, clubs_on, members, of_category
from ledger.reports.directory import LikePair, Person, PlayerDirectory
from ledger.reports.held_titles import TitlesHeld
from ledger.reports.histories import listed_rating
from ledger.spelling import folded
from ledger.views.list_editions import newest_editions, require_period, source_of
from ledger.views.view import LedgerView
from ledger.wording import Message

_CANDIDATES = 10  # shown to who must choose


def directory_of(view: LedgerView) -> PlayerDirectory:
    """Returns the directory of the players as known now."""
    facts = view.facts()
    return PlayerDirectory.of(AsOf(facts, facts.seq), view.people(facts))


def registered_twice(view: LedgerView, directory: PlayerDirectory) -> list[LikePair]:
    """Returns the pairs of places that may be one person, ascending.

    Who was born otherwise is in none with whom he came in one commit, as a table makes it, or was
    in one tournament.
    """
    pairs = directory.duplicates()
    places = sorted({at for pair in pairs if pair.is_born_otherwise for at in pair[:2]})
    if not places:
        return pairs
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    players = facts.player_index.of(directory[at].id for at in places)
    ends = np.array([each.last_seq for each in view.journal.commits()])
    commits = np.searchsorted(ends, facts.players.seq[players]).tolist()
    commit_of = dict(zip(places, commits, strict=True))
    events = _tournaments_played(known, players)
    events_of = {at: events.get(player, set()) for at, player in zip(places, players, strict=True)}
    return [
        pair
        for pair in pairs
        if not pair.is_born_otherwise
        or (
            commit_of[pair.one] != commit_of[pair.other]
            and events_of[pair.one].isdisjoint(events_of[pair.other])
        )
    ]


def _tournaments_played(known: AsOf, players: Collection[int]) -> Mapping[int, set[int]]:
    """Returns in which tournaments some players have games, by the index that counts."""
    found: dict[int, set[int]] = {}
    wanted = np.array([*players], dtype=np.int32)
    for games in known.games_by_block():
        for side in (games.white, games.black):
            own = np.isin(side, wanted)
            for player, event in {
                *zip(side[own].tolist(), games.tournament[own].tolist(), strict=True)
            }:
                found.setdefault(player, set()).add(event)
    return found


@dataclass(frozen=True, slots=True)
class ListedRating(JsonForm):
    """A player's rating in a list; 0 while provisional, or where it was ``lost``.

    It is the official one, of the newest edition. Of a player who is not in that edition it is
    the rating after the last period, as known: ``source`` says which of the two.
    """

    source: Annotated[RatingSource, PARTS]
    rating: Annotated[int, After("period")]
    lost: Annotated[bool, HIDDEN] = False

    @property
    def list(self) -> str:
        """The list's name."""
        return self.source.list

    @property
    def period(self) -> str:
        """The period's name."""
        return self.source.period

    @property
    @derived
    def provisional(self) -> Annotated[bool, After("rating")]:
        """Whether there is none."""
        return self.rating == UNRATED


@dataclass(frozen=True, slots=True)
class FoundPlayer(JsonForm):
    """A player of the register, with the official rating in the largest list; None: not in it."""

    person: Annotated[Person, PARTS]
    official: Annotated[ListedRating | None, PARTS]

    @classmethod
    def schema_name(cls) -> str:
        """Return the name that its schema had before there was a rating."""
        return Person.__name__


@dataclass(frozen=True, slots=True)
class Players(JsonForm):
    """Some players, by name."""

    players: Sequence[FoundPlayer]


@dataclass(frozen=True, slots=True)
class AssignedK(JsonForm):
    """A K that was assigned, from a day on; in one list, or (None) in all."""

    list: str | None
    from_on: Annotated[dt.date, Key("from")]
    k: int


@dataclass(frozen=True, slots=True)
class OtherId(JsonForm):
    """An id by which a player is known, too; ``issuer`` is as ``events.personal`` has it.

    ``ledger`` are other ids of this ledger, which are one person with this one.
    """

    issuer: str
    id: str

    @property
    def label(self) -> Message:
        """What a face calls it."""
        key = _ISSUED.get(self.issuer)
        return Message.of(key) if key else Message.of("player.issued_by", issuer=self.issuer)


_ISSUED: Final = {
    "fide": "player.issued_fide",
    "national": "player.issued_national",
    "club": "player.issued_club",
    "ledger": "player.issued_ledger",
}


@dataclass(frozen=True, slots=True)
class PlayerDescription(JsonForm):
    """What is recorded for good of a player."""

    born_on: Annotated[dt.date | None, BIRTH_DAY]
    joined_on: dt.date | None
    sex: str | None


@dataclass(frozen=True, slots=True)
class Affiliation(JsonForm):
    """What was said of a player's club, region and licence, from a day on.

    None stands for what was not said then, and goes on as it was; an empty club or region is none.
    """

    from_on: Annotated[dt.date, Key("from")]
    club: str | None
    region: str | None
    licensed_until: dt.date | None


@dataclass(frozen=True, slots=True)
class PlayerSheet(JsonForm):
    """What is known of a player; ``ratings`` are those in every list.

    ``club``, ``region`` and ``licensed_until`` are those of today, ``affiliations`` all that was
    said of them, in the order of its days; of an erased person none is shown.

    ``birth_date`` is an ISO date or a year. An erased person has neither name, sex nor birth date.
    """

    id: str
    name: str | None
    federation: str | None
    sex: str | None
    birth_date: str | None
    titles: Sequence[str]
    described: PlayerDescription | None
    erased_on: dt.date | None
    merged_into: str | None
    ids: Sequence[OtherId]
    club: str | None
    region: str | None
    licensed_until: dt.date | None
    affiliations: Sequence[Affiliation]
    k: Sequence[AssignedK]
    ratings: Sequence[ListedRating] = ()


def player_known(view: LedgerView, player: str) -> PlayerSheet:
    """Returns what is known now of a player, by id; raises ``NotFound``."""
    view.facts()  # they know who has several ids, and what the register must not lack
    return replace(player_recorded(view, player), ratings=listed_ratings(view, player))


def player_recorded(view: LedgerView, player: str) -> PlayerSheet:
    """Returns the same without the ratings; for it nothing is calculated, nor are facts read.

    The player has no other id than this one, unless the facts were read before.
    """
    register = view.register([f"player:{player}"], view.journal.head().seq)
    record = register.players.get(player)
    if record is None:
        raise NotFound("player.not_found", player=player)
    same = [id_ for id_ in register.survivors.same_person(player) if id_ in register.players]
    people = dict.fromkeys([player, *sorted(same)])
    digests = {id_: register.players[id_].version.identity for id_ in people}
    documents = view.journal.personal_documents([*digests.values()])
    identities = {
        id_: identity_in(documents[digest])
        for id_, digest in digests.items()
        if digest in documents
    }
    identity, about = identities.get(player), record.description
    recorded = [
        each
        for id_ in (() if record.is_erased else people)
        for each in register.players[id_].affiliations
    ]
    affiliations = [
        Affiliation(on, each.club, each.region, each.licensed_until)
        for on, _, each in sorted(recorded, key=itemgetter(0, 1))
    ]
    today: dict[str, Any] = {
        name: value or None for name, value in affiliation_on(recorded, view.today).items()
    }
    return PlayerSheet(
        id=player,
        name=identity.name if identity else None,
        federation=record.version.federation,
        sex=identity.sex if identity else None,
        birth_date=identity.birth_date if identity else None,
        titles=sorted(record.titles),
        described=None if about is None else _described(about),
        erased_on=record.erased_on,
        merged_into=register.survivors(player) if record.merged_into else None,
        ids=[
            *(OtherId("ledger", id_) for id_ in people if id_ != player),
            *dict.fromkeys(
                OtherId(each.issuer, each.id)
                for each_ in identities.values()
                for each in each_.ids or ()
            ),
        ],
        **today,
        affiliations=affiliations,
        k=[AssignedK(k.list, on, k.k) for on, k in sorted(record.ks, key=lambda each: each[0])],
    )


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """How a player is called: None for an erased person; ``title`` is the highest that is held."""

    name: str | None
    title: str | None


def titles_awarded(view: LedgerView) -> TitlesHeld:
    """Returns the titles that everybody was ever awarded."""
    facts = view.facts()
    return TitlesHeld(AsOf(facts, facts.seq), dt.date.max)


def names_recorded(
    view: LedgerView, ids: Collection[str], titles: TitlesHeld | None = None
) -> dict[str, NamedPerson]:
    """Returns how some players are called, by id, whom there are; ``titles`` are all awarded."""
    facts = view.facts()
    found = [each for each in ids if each in facts.player_index]
    players = facts.player_index.of(found)
    names = view.people(facts).names(np.array(players, dtype=np.int64))
    held = titles or titles_awarded(view)
    return {
        id_: NamedPerson(name or None, held.of(player))
        for id_, player, name in zip(found, players, names, strict=True)
    }


def _described(about: PlayerDescribed) -> PlayerDescription:
    return PlayerDescription(about.born_on, about.joined_on, about.sex)


def listed_ratings(view: LedgerView, player: str) -> list[ListedRating]:
    """Return a player's rating in every list, as ``ListedRating`` says."""
    facts, newest = view.facts(), newest_editions(view)
    index = AsOf(facts, facts.seq).counts_as(view.player_index(facts, player))
    ratings = []
    for name in sorted(facts.lists):
        last = last_period(facts, name)
        lists = [(facts.seq, last, source_of(view, name, last.name))]
        if edition := newest.get(name):
            period = require_period(facts, name, edition.period, edition.basis_seq)
            lists.insert(0, (edition.basis_seq, period, RatingSource.of_edition(edition)))
        for basis, period, source in lists:
            outcome = view.calculated(facts, name, basis, period)
            if (rating := listed_rating(outcome, index)) is not None:
                lost = outcome.lost[outcome.timeline.known.counts_as(index)]
                ratings.append(ListedRating(source, rating, rating == UNRATED and bool(lost)))
                break
    return ratings


def main_edition(view: LedgerView) -> ListPublished | None:
    """Return the newest edition of the largest list; None where nothing was published."""
    return max(newest_editions(view).values(), key=lambda each: each.row_count, default=None)


def found_players(view: LedgerView, people: Sequence[Person]) -> Players:
    """Return people with their official ratings in the largest list."""
    facts, edition = view.facts(), main_edition(view)
    if edition is None:
        return Players([FoundPlayer(person, None) for person in people])
    period = require_period(facts, edition.list, edition.period, edition.basis_seq)
    outcome = view.calculated(facts, edition.list, edition.basis_seq, period)
    source = RatingSource.of_edition(edition)
    players = facts.player_index.of(person.id for person in people)
    ratings = (listed_rating(outcome, player) for player in players)
    return Players(
        [
            FoundPlayer(person, None if rating is None else ListedRating(source, rating))
            for person, rating in zip(people, ratings, strict=True)
        ]
    )


def person_named(
    view: LedgerView, text: str, among: Collection[str] | None = None
) -> Person | None:
    """Returns the one player whom a text names; None where it is the id of somebody.

    A name fits in any order of its words. ``among`` are ids: where some of those who fit are among
    them, these are meant; and of several those whose name has the words in the same order.

    Raises:
        InputRefused: several fit; the details are the candidates.
        NotFound: nobody does; the details are those who come near.
    """
    if view.journal.recorded([f"player:{text}"]):
        return None
    directory = directory_of(view)
    meant = places_named(directory, text, among)
    if not meant and not any(sign.isalpha() for sign in text):
        raise NotFound("player.not_found", player=text)
    if len(meant) == 1:
        return directory[meant[0]]
    if meant:
        fitting_ = candidates(directory[place] for place in meant[:_CANDIDATES])
        raise InputRefused("player.several_fit", *fitting_, text=text, count=len(meant))
    near = directory.find(text)[:_CANDIDATES]
    key = "player.only_near" if near else "player.not_found"
    raise NotFound(key, *candidates(directory[place] for place in near), player=text)


def places_named(
    directory: PlayerDirectory, text: str, among: Collection[str] | None = None
) -> list[int]:
    """Returns the places of all whom a text may name, as ``person_named`` says."""
    fitting = [*dict.fromkeys(place for _, place in directory.issued.get(text, ()))]
    if not fitting and any(sign.isalpha() for sign in text):
        fitting = directory.named(text)
    meant = [place for place in fitting if directory[place].id in (among or ())] or fitting
    return [at for at in meant if folded(directory[at].name or "") == folded(text)] or meant


class Numbered(Protocol):
    """A participant of a tournament: its id, and its starting number if it has one."""

    @property
    def id(self) -> str:
        """The participant's id."""

    @property
    def number(self) -> int | None:
        """The starting number."""


def participant_named(rows: Collection[Numbered], text: str) -> str | None:
    """Returns the id of the participant whom an id or a starting number means; None if nobody.

    Ids may look like numbers. An id that fits is meant, as everywhere else.
    """
    numbers = {row.id: str(row.number) for row in rows if row.number is not None}
    if any(row.id == text for row in rows):
        return text
    return next((id_ for id_, number in numbers.items() if number == text), None)


def shortest(rows: Collection[Numbered]) -> dict[str, str]:
    """Returns how participants are written so that ``participant_named`` finds them, by id.

    That is the number, or the id where the number is somebody's id.
    """
    numbers = {row.id: str(row.number) for row in rows if row.number is not None}
    ids = {row.id for row in rows}
    return {id_: id_ if (n := numbers.get(id_, id_)) in ids else n for id_ in ids}


def candidates(people: Iterable[Person]) -> Sequence[Problem]:
    """Returns people among whom somebody is to choose, as details of a refusal."""
    return [
        Problem(
            Message.of(
                "player.candidate",
                id=person.id,
                name=person.name or "-",
                federation=person.federation or "-",
                year=(person.birth_date or "-")[:4],
            )
        )
        for person in people
    ]


@dataclass(frozen=True, slots=True)
class Selection:
    """Who is asked for; what is empty or None asks for nobody in particular.

    ``federations`` are codes, ``category`` is as on the last day on which the list is in force,
    ``search`` as for ``PlayerDirectory.find``; ``provisional`` asks for those without a rating, or
    (False) with one; ``top`` is how many of those who fit, from the highest rating down.
    """

    federations: tuple[str, ...] = ()
    category: Category = EVERYBODY
    search: str | None = None
    active: bool = False
    top: int | None = None
    provisional: bool | None = None


def selected(view: LedgerView, rating_list: RatingList, wanted: Selection) -> ListRows:
    """Returns the rows of a list that are asked for, in their order and with their ranks."""
    rows = rating_list.rows
    if wanted == Selection(top=wanted.top):
        return rows[: wanted.top]
    federations, active = rows.published.federation, rows.published.active
    provisional = rows.published.provisional
    is_in_category = _in_category(view, rating_list, wanted.category)
    places: Iterable[int] = range(len(rows))
    if wanted.search is not None:
        people = [Personal(name) for name in rows.published.name]
        places = sorted(PlayerDirectory(rows.published.id, federations, people).find(wanted.search))
    fitting = [
        place
        for place in places
        if (not wanted.federations or federations[place] in wanted.federations)
        and (not wanted.active or active[place])
        and wanted.provisional in (None, provisional[place])
        and (is_in_category is None or is_in_category[place])
    ]
    return rows.at(fitting[: wanted.top])


def _in_category(
    view: LedgerView, rating_list: RatingList, category: Category
) -> list[bool] | None:
    """Returns who on a list is of a category; None: everybody."""
    if category == EVERYBODY:
        return None
    facts, rows = view.facts(), rating_list.rows.published
    people = view.people(facts, rating_list.basis.seq)
    day = last_day_in_force(facts, rating_list.list, rating_list.period)
    known, players = AsOf(facts, facts.seq), facts.player_index.of(rows.id)
    return of_category(known, people, category, day, players, rows.rating)


def first_day_in_force(view: LedgerView, name: str, period: str) -> dt.date:
    """Returns the day from which the list of a period is in force; raises ``NotFound``."""
    return require_period(view.facts(), name, period).in_force_on


def last_day_in_force(facts: Facts, name: str, period: str) -> dt.date:
    """Returns the last day on which the list of a period is in force.

    Raises:
        NotFound: there is no such list or period.
    """
    in_force = require_period(facts, name, period).in_force_on
    segments = AsOf(facts, facts.seq).list(name).segments
    return period_around(segments, in_force).ends_on


def members_listed(view: LedgerView, name: str, period: str, category: Category) -> list[str]:
    """Returns the ids of those who are of a category in what the facts tell, while a list holds."""
    facts = view.facts()
    day = last_day_in_force(facts, name, period)
    return _members(facts, category, day)


def members_today(view: LedgerView, category: Category) -> list[str]:
    """Returns the ids of those who are of a category today, in what the facts tell."""
    facts = view.facts()
    return _members(facts, category, view.today)


def clubs_of(view: LedgerView, on: dt.date | None) -> Clubs:
    """Returns the clubs and regions of a day (default: today)."""
    facts = view.facts()
    return clubs_on(AsOf(facts, facts.seq), on or view.today)


def _members(facts: Facts, category: Category, day: dt.date) -> list[str]:
    everybody = np.arange(len(facts.players), dtype=np.int32)
    fitting = members(AsOf(facts, facts.seq), category, day, everybody)
    return list(compress(facts.player_ids, fitting.tolist()))


# A part of a list, page by page

PAGE = 50
"""Rows of a page, where nobody says how many."""


@dataclass(frozen=True, slots=True)
class RowsAsked:
    """Which rows are asked for: those of a selection, in an order, after a place of that order.

    Places are counted from 1 over the whole list, as ranks are: whoever is left out keeps the own.
    """

    selection: Selection = field(default_factory=Selection)
    order: RowOrder = RowOrder.RANK
    after: int = 0
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class RowsPage:
    """Rows of a list; ``after`` is where the next page begins, None after the last."""

    rows: ListRows
    after: int | None
