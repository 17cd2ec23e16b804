"""What was published of each list, as the facts have it: nothing is calculated for it."""

from __future__ import annotations

from ledger.application.ledger import Ledger
from ledger.events.lists import ListPublished
from ledger.facts.columns import Facts
from ledger.lists.publications import period_of, publications


def editions_by_period(ledger: Ledger, name: str) -> dict[str, list[ListPublished]]:
    """Returns the editions of a list by period, in their order; raises ``NotFound`` for no list."""
    found: dict[str, list[ListPublished]] = {}
    for edition in publications(ledger.facts_of(name), name):
        found.setdefault(edition.period, []).append(edition)
    return found


def newest_editions(ledger: Ledger) -> dict[str, ListPublished]:
    """Returns the last edition of the last period published, of each list that has one."""
    facts = ledger.facts()
    found = {name: _newest(facts, name) for name in facts.lists}
    return {name: edition for name, edition in found.items() if edition}


def _newest(facts: Facts, name: str) -> ListPublished | None:
    places = [
        (period.index, edition.edition, edition)
        for edition in publications(facts, name)
        if (period := period_of(facts, name, edition.period, edition.basis_seq))
    ]
    return max(places, key=lambda each: each[:2])[2] if places else None


def edition_before(ledger: Ledger, edition: ListPublished) -> ListPublished | None:
    """Returns what was published before an edition: the one before it, or of the period before."""
    facts = ledger.facts_of(edition.list)
    places = [
        (period.index, each.edition, each)
        for each in publications(facts, edition.list)
        if (period := period_of(facts, edition.list, each.period, each.basis_seq))
    ]
    places.sort(key=lambda each: each[:2])
    at = [each for *_, each in places].index(edition)
    return places[at - 1][2] if at else None
