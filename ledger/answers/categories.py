"""Categories in an event: who of its participants is of one, and which prizes it has for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress

from ledger.errors import InputRefused
from ledger.facts.as_of import AsOf
from ledger.facts.tournament import TournamentRecord
from ledger.lists.people import People
from ledger.reports.categories import Category, of_category
from ledger.reports.standings import OfferedPrizes, reported_ratings
from ledger.views.view import LedgerView


def prizes_of_categories(
    view: LedgerView, record: TournamentRecord, ratings: tuple[str, Mapping[str, int]] | None
) -> Iterator[OfferedPrizes]:
    """Yields the prizes of categories; nobody is of one that the federation does not know.

    ``ratings`` are those of a list, by id (default: the report's).
    """
    of_list = ratings[1] if ratings else reported_ratings(record)
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    for prizes in record.desk.category_prizes:
        try:
            category = Category.parse(prizes.category, view.federation.age_groups)
        except InputRefused:  # its age groups were others, when it was announced
            members = frozenset[str]()
        else:
            members = participants_of_category(known, view.people(facts), record, category, of_list)
        yield OfferedPrizes(prizes.category, members, prizes.amounts)


def participants_of_category(
    known: AsOf,
    people: People,
    record: TournamentRecord,
    category: Category,
    ratings: Mapping[str, int],
) -> frozenset[str]:
    """Returns which participants are of a category on the first day, by id; no team is."""
    index = known.facts.player_index
    ids = [each for each in record.entries if each in index]
    if category.sex is not None:
        people.read(index.of(ids))  # those alone: in a small register they are a good part of all
    fitting = of_category(
        known,
        people,
        category,
        record.version.starts_on,
        index.of(ids),
        map(ratings.get, ids),
    )
    return frozenset(compress(ids, fitting))
