"""What pages ask of the read models; where one is not there yet, they are calculated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NoReturn, TypeAlias, TypeVar

from fastapi import Request

from ledger.age_groups import AgeGroup, narrowest_group
from ledger.answers.corrections import Recalculation, recalculation
from ledger.answers.directory import (
    ListedRating,
    PlayerSheet,
    RowsAsked,
    Selection,
    main_edition,
    members_listed,
    members_today,
    names_recorded,
    player_known,
    player_recorded,
    titles_awarded,
)
from ledger.answers.lists import is_reached
from ledger.answers.people_pages import (
    PeopleAsked,
    PeoplePage,
    PlayedTournament,
    people_page,
    places_on_ladders,
    surviving_id,
)
from ledger.answers.period_states import PeriodState
from ledger.answers.player_questions import explain
from ledger.derived.store import EntryKey
from ledger.events.lists import ListPublished
from ledger.identifiers import Seq
from ledger.lists.committed_rows import CommittedRow
from ledger.lists.rating_list import ListHeading, ListRow, ListRows, RowOrder
from ledger.lists.rating_source import RatingSource
from ledger.replay.timeline import last_period
from ledger.reports.careers import Meetings, PlayerCareer, career, meetings
from ledger.reports.categories import EVERYBODY, Category
from ledger.reports.directory import Person
from ledger.reports.histories import HistoryLine
from ledger.reports.list_ranks import ListRank
from ledger.reports.statement import PersonRef, Statement
from ledger.spelling import folded
from ledger.trust.proofs import rows_of
from ledger.views.list_editions import (
    edition_shown,
    edition_state,
    newest_period,
)
from ledger.views.view import LedgerView
from web.caching import not_yet_whole, settled_by
from web.read_models.builder import (
    careers_key,
    has_many_players,
    list_key,
    people_key,
    rows_key,
    statements_key,
)
from web.read_models.career_model import CareerModel, NewestEdition
from web.read_models.list_model import ListModel, MarkedPage
from web.read_models.model_store import ModelStore, store_of
from web.read_models.people_model import PeopleModel
from web.read_models.rows_model import RowsModel
from web.read_models.statement_model import StatementModel, known_at
from web.site import View

Answer = TypeVar("Answer")
_PEOPLE = ("people",)  # how the store calls the register
_OPPONENTS = 6  # whom a player's page names
_CHUNK = 2_000  # rows of a list that is sent as a whole


class BeingMade(Exception):
    """A list, of ratings or of players, is being made ready, and is there in a moment.

    ``seq`` is as known at which it will be there; None: at any, it is an edition. ``former`` is the
    last seq at which the same was asked and there; None, where it was not, or a seq is asked for.
    """

    def __init__(self, seq: Seq | None, former: Seq | None = None) -> None:
        super().__init__(seq)
        self.seq = seq
        self.former = former


class ShownList:
    """A list that somebody looks at: an edition, by default the newest, or as known now.

    Where the page says as known when it is, it may be that of a former state (``or_former``).

    Raises:
        BeingMade: it has so many players that nobody waits for it; or the disk is full, so that
            nothing can be kept of it.
        NotFound: there is no such list, period or edition.
    """

    def __init__(
        self,
        store: ModelStore,
        view: View,
        name: str,
        period: str | None = None,
        edition: int | None = None,
        *,
        recalculated: bool = False,
        or_former: bool = False,
    ) -> None:
        self._store = store
        self._view = view
        self._or_former = or_former
        self._wanted = (name, period, edition, recalculated)
        period = view.recall(newest_period, name) if period is None else period
        edition = edition_asked(view, name, period, edition, recalculated=recalculated)
        self._key: EntryKey = view.recall(list_key, name, period, edition)
        self._model = store.model(view, self._key, ListModel) or self._not_there()
        store.served(view, self._wanted)

    @property
    def heading(self) -> ListHeading:
        """What is said of it above its rows."""
        return self._model.heading

    @property
    def count(self) -> int:
        """How many players it has."""
        return self._model.count

    @property
    def rated(self) -> int:
        """How many of them have a rating."""
        return self._model.rated

    @property
    def federations(self) -> Sequence[str]:
        """The federations of its players."""
        return self._model.federations

    @property
    def lost(self) -> AbstractSet[str]:
        """The ids of its players who have no rating any more."""
        return self._model.lost

    @property
    def moves(self) -> tuple[int | None, int | None, int | None]:
        """How many entered, left and moved since the period before; None in the first."""
        return self._model.moves

    def page(self, wanted: RowsAsked) -> MarkedPage:
        """Returns a page of it; it may be a short one (see ``PageQuery``)."""
        members = self._members(wanted.selection.category)
        return self._asked(lambda of: of.page(wanted, members))

    def fitting(self, wanted: RowsAsked, page: MarkedPage) -> int | None:
        """Returns how many of its players fit what is asked for with a page.

        None where nobody is left out, and where a name is looked for on more than one page.
        """
        selection = wanted.selection
        if selection == Selection():
            return None
        if selection.search is not None:
            return None if wanted.after or page.after is not None else len(page.rows)
        members = self._members(selection.category)
        return self._asked(lambda of: of.fitting(selection, members))

    def _members(self, category: Category) -> Sequence[str] | None:
        """Returns the ids of who is of a category in what the facts tell; None: everybody."""
        if not category.is_of_facts:
            return None
        return self._view.ask(members_listed, self.heading.list, self.heading.period, category)

    def rows_of(self, ids: Sequence[str]) -> ListRows:
        """Returns the rows of some players, by their ids: as many as are in the list."""
        return self._asked(lambda of: of.rows_of(ids))

    def chunks(self, wanted: RowsAsked) -> Iterator[ListRows]:
        """Yields all rows of a selection, some at a time, in the order of their ranks."""
        return (page.rows for page in self.pages(wanted))

    def pages(self, wanted: RowsAsked) -> Iterator[MarkedPage]:
        """Yields the same with the marks of the rows."""
        wanted = replace(wanted, order=RowOrder.RANK, after=0, limit=_CHUNK)
        while True:
            page = self.page(wanted)
            yield page
            if page.after is None:
                return
            wanted = replace(wanted, after=page.after)

    def document(self) -> Iterator[str]:
        """Yields the bytes that went out, as text."""
        yield self._model.document_heading
        for number, rows in enumerate(self.chunks(RowsAsked())):
            table = rows.published.table()
            yield table if number == 0 else table.partition("\n")[2]

    def _asked(self, question: Callable[[ListModel], Answer]) -> Answer:
        found = self._store.asked(self._view, self._key, ListModel, question)
        return self._not_there() if found is None else found

    def _not_there(self) -> NoReturn:
        seq = None if self._key.is_settled else self._view.seq
        former = self._store.former(self._view, self._wanted) if self._or_former else None
        raise BeingMade(seq, former)


def shown_list(
    request: Request,
    view: View,
    name: str,
    period: str,
    edition: int | None,
    category: Category = EVERYBODY,
    *,
    recalculated: bool = False,
    or_former: bool = False,
) -> ShownList:
    """Returns the list that a request asks for; the answer about a named edition is settled by it.

    But for who is of a club or an age group, which may be said later, and for a page
    (``or_former``), which also shows what was recorded later.
    """
    if edition is not None and not or_former and not category.is_of_facts:
        settled_by(request, view.recall(edition_state, name, period, edition))
    how = {"recalculated": recalculated, "or_former": or_former}
    return ShownList(store_of(request), view, name, period, edition, **how)


def edition_asked(
    view: View, name: str, period: str, edition: int | None, *, recalculated: bool
) -> int | None:
    """Return what ``edition_shown`` does; by default as known then, where a seq is asked for."""
    as_known = recalculated or (edition is None and view.asked_for is not None)
    return view.recall(edition_shown, name, period, edition, recalculated=as_known)


def recalculation_of(request: Request, view: View, name: str, period: str) -> Recalculation | None:
    """Return what made a published period another one since; None where nothing did."""
    if not view.recall(is_reached, name, period):
        return None
    states = Careers(store_of(request), view).states(name)
    if states is None:
        not_yet_whole(request)
    state = next((each.state for each in states or () if each.period.name == period), None)
    return view.recall(recalculation, name, period) if state == "restated" else None


def digest_headers(shown: ShownList, published: str) -> dict[str, str]:
    """Returns headers that tell whether the bytes of an edition are those that were published.

    Both are SHA-256, in hexadecimal: of the bytes as they are given, and of those that were
    published. They differ where names are missing, of people who were erased since.
    """
    return {"Ledger-Sha256": shown.heading.digest or "", "Ledger-Published-Sha256": published}


def main_rows(store: ModelStore, view: View, ids: Sequence[str]) -> Mapping[str, ListRow]:
    """Returns the rows of some players in that edition by id; none while it is made ready."""
    try:
        return {row.id: row for row in _rows_of_main(store, view, ids)}
    except BeingMade:
        return {}


def main_ratings(store: ModelStore, view: View, ids: Sequence[str]) -> Mapping[str, ListedRating]:
    """Return the official ratings of some players in that edition, by id.

    Raises:
        BeingMade: it has so many players that nobody waits for it.
    """
    main = view.recall(main_edition)
    source = main and RatingSource.of_edition(main)
    rows = _rows_of_main(store, view, ids)
    return {row.id: ListedRating(source, row.rating) for row in rows} if source else {}


def _rows_of_main(store: ModelStore, view: View, ids: Sequence[str]) -> Sequence[ListRow]:
    main = view.recall(main_edition)
    if main is None or not ids:
        return ()
    return ShownList(store, view, main.list, main.period, main.edition).rows_of(ids)


def people_of(
    store: ModelStore, view: View, wanted: PeopleAsked
) -> tuple[PeoplePage, Sequence[str]]:
    """Returns a page of the register, and the federations that there are.

    Raises:
        BeingMade: it has so many players that nobody waits for it.
    """
    key, category = view.recall(people_key), wanted.category
    members = view.ask(members_today, category) if category.is_of_facts else None
    found = store.asked(
        view, key, PeopleModel, lambda of: (of.page(wanted, members), of.federations)
    )
    if found is not None:
        store.served(view, _PEOPLE)
    elif view.recall(has_many_players):
        raise BeingMade(view.seq, store.former(view, _PEOPLE))
    return found or (view.ask(people_page, wanted), [])


def people_meant(store: ModelStore, view: View, name: str, most: int) -> Sequence[Person]:
    """Returns whom a name may mean: those who are called so, else the first whom it fits.

    Raises:
        BeingMade: as ``people_of``.
    """
    people = people_of(store, view, PeopleAsked(search=name, limit=most))[0].people
    return [each for each in people if folded(each.name or "") == folded(name)] or people


def statement_of(
    store: ModelStore, view: View, player: str, name: str, period: str, edition: int | None
) -> Statement:
    """Returns what ``explain`` does, as known or to an edition; raises as that does.

    Where there are many players, it is read from the statements of the list. Those of one that is
    no edition are made of the newest state alone: nobody asks twice about most states of the past.
    """
    key = view.recall(statements_key, name, period, edition)
    is_kept = key.is_settled or view.asked_for is None
    if is_kept and view.recall(has_many_players):
        found = store.asked(view, key, StatementModel, lambda of: of.statement(player))
        if found is not None:  # as known now: nothing was recorded since that changes it
            return found if edition else known_at(found, view.seq)
    return view.ask(explain, player, name, period, edition=edition)


def _last_statement(view: LedgerView, player: str, name: str) -> Statement:
    return explain(view, player, name, last_period(view.facts(), name).name)


def committed_row(
    store: ModelStore, view: View, player: str, edition: ListPublished
) -> CommittedRow:
    """Returns a player's row of an edition, ready to be proved.

    Raises:
        BeingMade: the edition has so many players that nobody waits for its tree.
        InputRefused: it was published without a root over its rows.
        NotFound: the player is not in it.
    """
    found = store.asked(view, rows_key(edition), RowsModel, lambda of: of.row(player))
    if found is None and view.recall(has_many_players):
        raise BeingMade(None)
    return found or view.ask(rows_of, edition).row(player)


@dataclass(frozen=True, slots=True)
class ShownCareer:
    """A career as a page shows it; ``titles`` are those of who is named in it, by id."""

    career: PlayerCareer
    titles: Mapping[str, str]


GroupKind: TypeAlias = Literal["group", "federation", "club"]
"""The word by which a list's page shows a group alone."""


@dataclass(frozen=True, slots=True)
class GroupRank:
    """A rank among some of a list."""

    kind: GroupKind
    name: str
    rank: ListRank


class Careers:
    """What is known of the careers of players; None stands for what is not calculated yet."""

    def __init__(self, store: ModelStore, view: View) -> None:
        self._store = store
        self._view = view
        self._key = view.recall(careers_key)

    def survivor(self, player: str) -> str:
        """Returns the id under which a player counts; of nobody's it may be the id itself.

        Raises:
            NotFound: nobody has the id.
        """
        found = self._asked(lambda of: of.merged(player))
        return self._view.ask(surviving_id, player) if found is None else found[0]

    def known(self, player: str) -> PlayerSheet:
        """Returns what ``player_known`` does; raises as that does."""

        def ratings_of(model: CareerModel) -> list[ListedRating] | None:
            _, has_others = model.merged(player)
            return None if has_others else self._view.ask(model.ratings, player)

        ratings = self._asked(ratings_of)
        if ratings is None:
            return self._view.ask(player_known, player)
        return replace(self._view.ask(player_recorded, player), ratings=ratings)

    def places(self, player: str) -> list[tuple[str, int]]:
        """Returns what ``places_on_ladders`` does."""
        found = self._asked(lambda of: of.places(player))
        return self._view.ask(places_on_ladders, player) if found is None else found

    def bucket(self, player: str, name: str) -> Statement:
        """Returns the statement of a player without a rating, of the last period of a list."""
        found = self._asked(lambda of: of.bucket(player, name, self._view.seq))
        return found or self._view.ask(_last_statement, player, name)

    def history(self, player: str, name: str) -> list[HistoryLine] | None:
        """Returns a player's history in a list; the id is one that was not given up."""
        return self._asked(lambda of: of.history(player, name))

    def tournaments(self, player: str) -> list[PlayedTournament] | None:
        """Returns the tournaments that a player played, the last first."""
        return self._asked(lambda of: of.tournaments(player))

    def career(
        self,
        player: PersonRef,
        name: str,
        official: int | None = None,
        most: int | None = _OPPONENTS,
    ) -> ShownCareer | None:
        """Returns a player's career in a list, with the titles of those whom it names.

        ``official`` is the rating in the newest edition; so many opponents are told of (None: all).
        """
        titles: dict[str, str] = {}

        def asked(model: CareerModel) -> ShownCareer:
            source = model.source(player, name, partial(self._names, titles))
            rank = None if official is None else model.rank(name, official)
            return ShownCareer(career(source, rank, most=most), titles)

        return self._asked(asked)

    def meetings(self, player: PersonRef, opponent: str, name: str) -> Meetings | None:
        """Returns the head to head of two players in a list."""

        def asked(model: CareerModel) -> Meetings:
            return meetings(model.source(player, name, self._names_of), model.number(opponent))

        return self._asked(asked)

    def _names(self, titles: dict[str, str], ids: Sequence[str]) -> Mapping[str, str]:
        """Returns names by id, and notes the titles."""
        found = self._view.ask(names_recorded, ids, self._view.recall(titles_awarded))
        titles |= {id_: each.title for id_, each in found.items() if each.title}
        return {id_: each.name or "" for id_, each in found.items()}

    def _names_of(self, ids: Sequence[str]) -> Mapping[str, str]:
        return self._names({}, ids)

    def newest(self) -> Mapping[str, NewestEdition]:
        """Returns what is said of the newest edition of each list, as far as it is known."""
        return self._asked(lambda of: of.newest) or {}

    def main_first(self, ratings: Sequence[ListedRating]) -> list[ListedRating]:
        """Returns ratings by list: of the one with most players first, as far as it is known."""
        newest = self.newest()
        return sorted(ratings, key=lambda of: -newest[of.list].rows if of.list in newest else 0)

    def ranks(
        self, player: PlayerSheet, name: str, official: int, groups: Sequence[AgeGroup]
    ) -> list[GroupRank]:
        """Returns a player's ranks in the newest edition, in the groups that the list tells apart.

        They are the narrowest age group, the federation where there are several, and the club;
        ``official`` is the rating there.
        """

        def asked(model: CareerModel) -> list[GroupRank]:
            year, rank = model.newest[name].year, partial(model.rank, name, official)
            found = list[tuple[GroupKind, str, ListRank | None]]()
            if player.birth_date:
                group = narrowest_group(groups, year - int(player.birth_date[:4]))
                if group is not None:
                    years = [str(each) for each in group.birth_years(year)]
                    found.append(("group", group.name, rank("born", years)))
            if player.federation:
                of = rank("federation", [player.federation])
                if of != rank():
                    found.append(("federation", player.federation, of))
            if player.club:
                found.append(("club", player.club, rank("club", [folded(player.club)])))
            return [GroupRank(kind, name, of) for kind, name, of in found if of and of.players > 1]

        return self._asked(asked) or []

    def states(self, name: str) -> list[PeriodState] | None:
        """Returns how the periods of a list stand."""
        return self._asked(lambda of: self._view.ask(of.states, name))

    def _asked(self, question: Callable[[CareerModel], Answer]) -> Answer | None:
        return self._store.asked(self._view, self._key, CareerModel, question)
