"""What was published, calculated again: one replay serves every list that nothing late has touched.

A period published at a basis need not be replayed to that basis when no later event reaches back
to it: the replay at any later basis gives the same then. Only the others cost one of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.calendar import Period, period_named
from ledger.events.administration import ListPublished
from ledger.facts.columns import Facts
from ledger.facts.known import Known
from ledger.replay.replay import PeriodOutcome, replay


def publications(facts: Facts, name: str, upto: int | None = None) -> list[ListPublished]:
    """Returns the publications of a list, in the order in which they went out."""
    return [e for seq, e in facts.lists[name].publications if upto is None or seq <= upto]


def period_of(facts: Facts, name: str, period: str, seq: int | None = None) -> Period | None:
    """Returns the list's period of that name, by the calendar known at the seq."""
    known = Known(facts, facts.seq if seq is None else seq).list(name)
    return period_named(known.segments, period)


def calculated(facts: Facts, name: str, basis: int, period: Period) -> PeriodOutcome:
    """Returns one period of a list, as known at the basis."""
    outcome = None
    for each in replay(facts, name, basis, period, since=period):
        outcome = each
    assert outcome is not None, "a list has at least its first period"
    assert outcome.period.name == period.name, "a period is asked for by the basis' own calendar"
    return outcome


def recalculated(
    facts: Facts, name: str, wanted: Iterable[ListPublished]
) -> Iterator[tuple[ListPublished, PeriodOutcome]]:
    """Yields each publication with its period calculated again at the publication's basis.

    First those that the replay at the facts' own seq serves, then the others.
    """
    places = [
        (p, period) for p in wanted if (period := period_of(facts, name, p.period, p.basis_seq))
    ]
    if not places:
        return
    shared = {
        period.index: publication
        for publication, period in places
        if untouched(facts, publication, period)
    }
    if shared:
        last = max((period for _, period in places), key=lambda period: period.index)
        for outcome in replay(facts, name, facts.seq, last):
            publication = shared.get(outcome.period.index)
            if publication is not None:
                yield publication, outcome
    for publication, period in places:
        if shared.get(period.index) is not publication:
            yield publication, calculated(facts, name, publication.basis_seq, period)


def untouched(facts: Facts, publication: ListPublished, period: Period) -> bool:
    """Whether nothing recorded after the publication's basis can reach its period."""
    # The list's K is the one in force on its first day.
    return facts.first_effect_after(publication.basis_seq) > period.in_force_on.toordinal()
