"""Which list, period and edition is meant: named, the newest, the one before."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

from ledger.calendar import Period, period_at
from ledger.errors import InputRefused, NotFound
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.journal.interface import Journal
from ledger.lists.publications import (
    editions_in_order,
    period_of,
    publications,
    require_list,
    untouched,
)
from ledger.lists.rating_list import figures_sha256
from ledger.lists.rating_source import RatingSource, RatingState
from ledger.operations.commands import RatedIn
from ledger.replay.timeline import Timeline, last_period
from ledger.typed_values import edition_of
from ledger.views.view import LedgerView
from ledger.wording import Message


def only_list(facts: Facts) -> str:
    """Returns the name of the only list there is.

    Raises:
        NotFound: there is none, or there are several to choose from.
    """
    lists = sorted(facts.lists)
    if len(lists) == 1:
        return lists[0]
    raise NotFound("list.which" if lists else "list.none", known=", ".join(lists))


def require_period(facts: Facts, name: str, period_name: str, basis: Seq | None = None) -> Period:
    """Returns a period of a list, by the calendar of the basis (default: by now).

    Raises:
        NotFound: no such list or period, or the list cannot be asked at that basis.
    """
    require_list(facts, name)
    seq = facts.seq if basis is None else basis
    _require_known(facts, name, seq)
    period = period_of(facts, name, period_name, seq)
    if period is None:
        raise NotFound(
            "list.period_not_found",
            list=name,
            period=period_name,
            example=last_period(facts, name).name,
            first=Timeline(AsOf(facts, seq), name).first_from(dt.date.min).name,
        )
    return period


def _require_known(facts: Facts, name: str, seq: Seq) -> None:
    first = facts.lists[name].adoptions[0].seq  # right after its definition
    if not first <= seq <= facts.seq:
        raise NotFound("list.not_known_at", list=name, seq=seq, first=first, last=facts.seq)


def require_edition(
    facts: Facts, name: str, period_name: str, edition: int | None
) -> ListPublished:
    """Returns a publication, the last one when no edition is named; raises ``NotFound``."""
    require_period(facts, name, period_name)
    editions = editions_of(facts, name, period_name)
    for publication in reversed(editions):
        if edition in (None, publication.edition):
            return publication
    raise NotFound(
        "list.edition_not_found",
        list=name,
        period=period_name,
        edition=edition or 1,
        published=", ".join(str(p.edition) for p in editions) or Message.of("value.none"),
    )


def published_edition(
    view: LedgerView, name: str, period_name: str, edition: int | None = None
) -> ListPublished:
    """Returns a publication of a list, as ``require_edition``; raises ``NotFound``."""
    return require_edition(view.facts_of(name), name, period_name, edition)


def edition_shown(
    view: LedgerView, name: str, period_name: str, edition: int | None, *, recalculated: bool
) -> int | None:
    """Return the edition that is shown of a period: the one that is asked for, else the newest.

    None stands for the period as known: it has no edition, or its recalculation is asked for.

    Raises:
        InputRefused: both an edition and the recalculation are asked for.
        NotFound: there is no such list.
    """
    if recalculated and edition is not None:
        raise InputRefused("list.edition_or_recalculated", period=period_name, edition=edition)
    if recalculated or edition is not None:
        return edition
    editions = editions_of(view.facts_of(name), name, period_name)
    return editions[-1].edition if editions else None


def source_of(
    view: LedgerView, name: str, period_name: str, edition: int | None = None
) -> RatingSource:
    """Return the source of the ratings of an edition, or (None) of a period as known.

    Raises:
        NotFound: there is no such list, period or edition.
    """
    facts = view.facts_of(name)
    if edition is not None:
        return RatingSource.of_edition(require_edition(facts, name, period_name, edition))
    period, state = (
        require_period(facts, name, period_name),
        state_as_known(view, name, period_name),
    )
    return RatingSource(name, period.name, None, period.in_force_on, state)


def state_as_known(view: LedgerView, name: str, period_name: str) -> RatingState:
    """Return the state of a period's ratings as known: published as its newest edition has them.

    Raises:
        NotFound: there is no such list or period.
    """
    facts = view.facts_of(name)
    period = require_period(facts, name, period_name)
    editions = editions_of(facts, name, period_name)
    if not editions:
        return "preview"
    if untouched(facts, editions[-1], period):
        return "published"
    then = require_period(facts, name, period_name, editions[-1].basis_seq)
    figures = {
        figures_sha256(view.calculated(facts, name, basis, of))
        for basis, of in ((facts.seq, period), (editions[-1].basis_seq, then))
    }
    return "published" if len(figures) == 1 else "recalculated"


def edition_state(view: LedgerView, name: str, period_name: str, edition: int) -> str:
    """Returns what names an edition in this ledger, and in no other.

    That is the digest of its bytes, and the root after the commit by which it went out: nothing
    that is recorded later changes it. Raises ``NotFound``.
    """
    facts = view.facts_of(name)
    wanted = require_edition(facts, name, period_name, edition)
    seq = next(seq for seq, each in facts.lists[name].publications if each is wanted)
    return f"{wanted.output_sha256} {root_with(view.journal, seq)}"


def editions_of(
    facts: Facts, name: str, period_name: str, upto: Seq | None = None
) -> list[ListPublished]:
    """Returns the publications of a period, as known at a seq (default: now)."""
    return [p for p in publications(facts, name, upto) if p.period == period_name]


def newest_period(view: LedgerView, name: str) -> str:
    """Returns the last period that was published, else the last one with games.

    Raises:
        NotFound: there is no such list.
    """
    facts = view.facts_of(name)
    published = [
        period
        for publication in publications(facts, name)
        if (period := period_of(facts, name, publication.period))
    ]
    if published:
        return max(published, key=lambda period: period.index).name
    timeline = Timeline(AsOf(facts, facts.seq), name)
    return timeline.periods(timeline.last_day)[-1].name


def period_before(view: LedgerView, name: str, period_name: str) -> str:
    """Returns the period before one; raises ``NotFound`` for the first."""
    facts = view.facts()
    period = require_period(facts, name, period_name)
    if period.index == 0:
        raise NotFound("list.none_before", list=name, period=period_name)
    return period_at(AsOf(facts, facts.seq).list(name).segments, period.index - 1).name


def lists_compared(
    view: LedgerView, name: str, before: str | None, after: str | None
) -> tuple[str, str]:
    """Returns the two lists between which a rating moved, each ``PERIOD`` or ``PERIOD@EDITION``.

    Where none is said, the later one is the newest, and the earlier one that of the period before;
    in the list's first period the edition before.

    Raises:
        NotFound: there is no such list or period, or none before it.
        InputRefused: the later one is no such word.
    """
    later = after or newest_period(view, name)
    if before:
        return before, later
    period, edition = edition_of(later)
    try:
        return period_before(view, name, period), later
    except NotFound:
        numbers = [edition_.edition for edition_ in editions_of(view.facts(), name, period)]
        earlier = numbers[:-1] if edition is None else [one for one in numbers if one < edition]
        if not earlier:
            raise
        return f"{period}@{earlier[-1]}", later


def lists_in_turn(view: LedgerView, name: str, most: int) -> list[tuple[str, str]]:
    """Returns pairs of published lists, ``PERIOD@EDITION``, that follow each other; newest first.

    An edition follows the one before it, the first one of a period the last one of the period
    before. There are at most so many.
    """
    facts = view.facts_of(name)
    found = editions_in_order(facts, name)[-most - 1 :]
    words = [f"{edition.period}@{edition.edition}" for _, edition in found]
    return [*pairwise(words)][::-1]


def period_names(view: LedgerView, name: str) -> list[str]:
    """Returns the periods of a list up to the last one worth calculating, in their order."""
    facts = view.facts_of(name)
    timeline = Timeline(AsOf(facts, facts.seq), name)
    return [period.name for period in timeline.periods(timeline.last_period.closes_on)]


def lists_to_compare(view: LedgerView, name: str) -> list[str]:
    """Returns what ``lists_compared`` may be asked, the newest first: editions, and open periods.

    An edition is ``PERIOD@EDITION``, a period of which nothing was published ``PERIOD``.
    """
    editions = editions_by_period(view, name)
    return [
        f"{period}@{edition.edition}" if edition else period
        for period in reversed(period_names(view, name))
        for edition in reversed(editions.get(period, [None]))
    ]


def with_edition(view: LedgerView, name: str, which: str) -> str:
    """Returns a list with its edition: ``PERIOD`` is the last one of it, where there is one."""
    period, edition = edition_of(which)
    found = editions_of(view.facts(), name, period) if edition is None else []
    return f"{period}@{found[-1].edition}" if found else which


def rated_in(view: LedgerView, text: str) -> RatedIn:
    """Returns the list and period of ``LIST:PERIOD``; ``PERIOD`` is one of the only list.

    Raises:
        NotFound: there is no such list or period, no list at all, or several to choose from.
    """
    facts = view.facts()
    list_, _, period = text.rpartition(":")
    if not list_:
        list_ = only_list(facts)
    require_period(facts, list_, period)
    return RatedIn(list_, period)


def editions_by_period(view: LedgerView, name: str) -> dict[str, list[ListPublished]]:
    """Returns the editions of a list by period, in their order; raises ``NotFound`` for no list."""
    found: dict[str, list[ListPublished]] = {}
    for edition in publications(view.facts_of(name), name):
        found.setdefault(edition.period, []).append(edition)
    return found


def newest_editions(view: LedgerView) -> dict[str, ListPublished]:
    """Returns the last edition of the last period published, of each list that has one."""
    facts = view.facts()
    return {
        name: editions[-1][1]
        for name in facts.lists
        if (editions := editions_in_order(facts, name))
    }


def edition_before(view: LedgerView, edition: ListPublished) -> ListPublished | None:
    """Returns what was published before an edition: the one before it, or of the period before."""
    editions = [each for _, each in editions_in_order(view.facts_of(edition.list), edition.list)]
    at = editions.index(edition)
    return editions[at - 1] if at else None


def root_with(journal: Journal, seq: Seq) -> str:
    """Returns the root after the commit that an event came by; empty where there is none."""
    before = journal.commit_by(seq - 1)
    commit = next(journal.commits(after=before.commit_id if before else 0), None)
    return commit.root if commit else ""


def edition_a_year_before(view: LedgerView, edition: ListPublished) -> ListPublished:
    """Returns what held a year before an edition did; the first one, if none did yet."""
    last = [editions[-1] for editions in editions_by_period(view, edition.list).values()]
    then = edition.published_on - dt.timedelta(days=365)
    return next((each for each in reversed(last) if each.published_on <= then), last[0])
