"""What was published, calculated again: one replay serves every list that nothing late has touched.

A period published at a basis need not be replayed to that basis when no later event reaches back
to it: the replay at any later basis gives the same then. Only the others cost one of their own.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence

from ledger.calendar import Period, period_named
from ledger.errors import NotFound
from ledger.events.lists import ListPublished
from ledger.events.players import PlayerErased, PlayerIdentityCorrected
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.lists.rating_list import RatingList
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import by_itself, replay, replayed_from
from ledger.replay.timeline import Timeline


def require_list(facts: Facts, name: str) -> None:
    """Raises ``NotFound`` when no list has the name."""
    if name not in facts.lists:
        known = ", ".join(sorted(facts.lists)) or "-"
        raise NotFound("list.not_found", list=name, known=known)


def publications(facts: Facts, name: str, upto: Seq | None = None) -> list[ListPublished]:
    """Returns the publications of a list, in the order in which they went out."""
    return [e for seq, e in facts.lists[name].publications if upto is None or seq <= upto]


def lacks_erased_alone(facts: Facts, made: RatingList) -> bool:
    """Whether names are missing in a list, and all of them are of people who were erased by now."""
    rows = zip(made.rows.published.id, made.rows.published.name, strict=True)
    nameless = {id_ for id_, name in rows if not name}
    erased = {facts.player_ids[said.index] for said in facts.recorded(PlayerErased)}
    return bool(nameless) and nameless <= erased


def period_of(facts: Facts, name: str, period: str, seq: Seq | None = None) -> Period | None:
    """Returns the list's period of that name, by the calendar known at the seq."""
    known = AsOf(facts, facts.seq if seq is None else seq).list(name)
    return period_named(known.segments, period)


def editions_in_order(facts: Facts, name: str) -> list[tuple[Period, ListPublished]]:
    """Returns the publications of a list by period and edition, each with its period."""
    found = [
        (period, each)
        for each in publications(facts, name)
        if (period := period_of(facts, name, each.period, each.basis_seq))
    ]
    return sorted(found, key=lambda made: (made[0].index, made[1].edition))


def calculated(facts: Facts, name: str, basis: Seq, period: Period) -> PeriodOutcome:
    """Returns one period of a list, as known at the basis."""
    outcome = _last(replay(Timeline(AsOf(facts, basis), name), period, since=period))
    assert outcome.period.name == period.name, "a period is asked for by the basis' own calendar"
    return outcome


def recalculated(
    facts: Facts, name: str, wanted: Iterable[ListPublished]
) -> Iterator[tuple[ListPublished, PeriodOutcome]]:
    """Yields each publication with its period calculated again at the publication's basis."""
    for _, published in beside_published(facts, name, wanted):
        yield from published


def beside_published(
    facts: Facts,
    name: str,
    wanted: Iterable[ListPublished],
    until: Period | None = None,
    since: Period | None = None,
) -> Iterator[tuple[PeriodOutcome, Iterator[tuple[ListPublished, PeriodOutcome]]]]:
    """Yields the periods of a list as known now, each with publications as they were calculated.

    One replay serves all that nothing late has touched; any other is replayed from the last period
    that the two have in common, and comes with that. Those that have none come with the first.

    ``until`` is the last period wanted, by default that of the last publication. ``since`` is the
    first one, by default that of the list: then no publication of a period before it comes.
    """
    first = 0 if since is None else since.index
    places = [
        (p, period)
        for p in wanted
        if (period := period_of(facts, name, p.period, p.basis_seq))
        and _last_index(facts, name, p, period) >= first
    ]
    if until is None:
        if not places:
            return
        until = max((period for _, period in places), key=lambda period: period.index)
    shared: dict[int, list[ListPublished]] = defaultdict(list)
    branches: dict[int, list[tuple[ListPublished, Period]]] = defaultdict(list)
    apart: list[tuple[ListPublished, Period]] = []
    for publication, period in places:
        last = last_shared(facts, name, (publication.basis_seq, facts.seq), period)
        if untouched(facts, publication, period):
            shared[period.index].append(publication)
        elif last is not None and last.index >= first:
            branches[last.index].append((publication, period))
        else:
            apart.append((publication, period))

    def published(
        outcome: PeriodOutcome, others: Sequence[tuple[ListPublished, Period]]
    ) -> Iterator[tuple[ListPublished, PeriodOutcome]]:
        for publication, period in others:
            yield publication, calculated(facts, name, publication.basis_seq, period)
        for publication in shared[outcome.period.index]:
            yield publication, outcome
        for publication, period in branches[outcome.period.index]:
            there = Timeline(AsOf(facts, publication.basis_seq), name)
            yield publication, _last(replay(there, period, after=outcome.state))

    timeline = Timeline.at_head(facts, name)
    walk = replayed_from(timeline, first, until) if first else replay(timeline, until)
    for outcome in walk:
        yield outcome, published(outcome, apart)
        apart = []


def _last_index(facts: Facts, name: str, publication: ListPublished, then: Period) -> int:
    """Returns the index of a published period, by the calendar known then or now: the later one."""
    now = period_of(facts, name, publication.period)
    return max(then.index, -1 if now is None else now.index)


def last_shared(facts: Facts, name: str, bases: tuple[Seq, Seq], upto: Period) -> Period | None:
    """Returns the last period up to one that is the same as known at two bases; None: none is.

    Where closed periods stand, or ratings come from another list, none is known to be.
    """
    first, last = sorted(bases)
    timeline = Timeline(AsOf(facts, last), name)
    if not by_itself(timeline):
        return None
    reached = facts.first_effect_between(first, last)
    found = [
        period
        for period in timeline.periods(upto.closes_on)
        if period.index <= upto.index and period.in_force_on.toordinal() < reached
    ]
    return found[-1] if found else None


def _last(outcomes: Iterable[PeriodOutcome]) -> PeriodOutcome:
    (last,) = deque(outcomes, maxlen=1)
    return last


def said_of_people(facts: Facts) -> list[Seq]:
    """Returns at which seqs ids were merged, identities corrected, facts undone, in no order."""
    few = [each.seq for each in facts.merges] + [each.seq for each in facts.undone]
    return few + [event.seq for event in facts.recorded(PlayerIdentityCorrected)]


def has_its_names(facts: Facts, publication: ListPublished) -> bool:
    """Whether everybody has the id and the name that a publication shows, but who was erased."""
    return all(seq <= publication.basis_seq for seq in said_of_people(facts))


def untouched(facts: Facts, publication: ListPublished, period: Period) -> bool:
    """Whether nothing recorded after the publication's basis can reach its period."""
    return last_reaching(facts, period) <= publication.basis_seq


def last_reaching(facts: Facts, period: Period) -> Seq:
    """Returns the seq of the last event that can reach a period; 0 where none can.

    As known at any later seq its figures are the same.
    """
    # The list's K is the one in force on its first day.
    return facts.last_effect_upto(period.in_force_on.toordinal())


def last_deciding(facts: Facts, name: str, period: Period) -> Seq:
    """Returns the seq of the last event that decides on a period as known; 0 where none does.

    Where published lists stand, the publication of one does: from then on, what became known of it
    goes into the lists after it.
    """
    stands = facts.lists[name].defined.policy == "next-list"
    published = [seq for seq, _ in facts.lists[name].publications] if stands else []
    return max([last_reaching(facts, period), *published])
