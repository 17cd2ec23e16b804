"""Rating lists in a ledger: defined, shown, regenerated, compared."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ledger.calendar import Calendar
from ledger.errors import InputRefused, VerificationFailed
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts, Snapshots
from ledger.json_form import JsonForm
from ledger.lists.publications import (
    calculated,
    lacks_erased_alone,
    period_of,
    untouched,
)
from ledger.lists.rating_list import Move, RatingList, difference, rating_list
from ledger.regulations.interface import Regulation
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.timeline import Timeline
from ledger.terms import Rate
from ledger.typed_values import edition_of
from ledger.views.list_editions import (
    editions_of,
    newest_period,
    require_edition,
    require_period,
    state_as_known,
)
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class ListDescription(JsonForm):
    """A rating list among others; ``published`` is how many editions went out."""

    list: str
    regulation: str
    calendar: Calendar
    first: dt.date
    policy: Literal["restate", "next-list"]
    rate_of_play: Rate | None
    published: int


@dataclass(frozen=True, slots=True)
class ListDescriptions(JsonForm):
    """The rating lists, by name."""

    lists: Sequence[ListDescription]


def described_lists(view: LedgerView) -> ListDescriptions:
    """Returns the rating lists."""
    facts = view.facts()
    return ListDescriptions([_described(facts, name) for name in sorted(facts.lists)])


def described_list(view: LedgerView, name: str) -> ListDescription:
    """Returns one rating list; raises ``NotFound``."""
    return _described(view.facts_of(name), name)


def _described(facts: Facts, name: str) -> ListDescription:
    of, known = facts.lists[name], AsOf(facts, facts.seq)
    adoptions = [each for each in of.adoptions if known.holds(each.seq)]
    segments = [segment for seq, segment in of.segments if known.holds(seq)]
    return ListDescription(
        list=name,
        regulation=adoptions[-1].event.regulation,
        calendar=segments[-1].calendar,
        first=of.defined.first_on,
        policy=of.defined.policy,
        rate_of_play=of.defined.rate_of_play,
        published=len(of.publications),
    )


def require_same_rate(regulation: Regulation, rate_of_play: Rate | None) -> None:
    """Refuses a regulation of one rate of play for a list of another."""
    if regulation.RATE and rate_of_play and regulation.RATE is not rate_of_play:
        raise InputRefused(
            "list.other_rate",
            regulation=regulation.ID,
            rate=regulation.RATE.value,
            of=rate_of_play.value,
        )


def regenerated(
    view: LedgerView,
    facts: Facts,
    name: str,
    publication: ListPublished,
    *,
    now: PeriodOutcome | None = None,
    verified: bool = True,
) -> RatingList:
    """Returns a published list, replayed to its basis.

    ``now`` is the same period as known at a later basis: it serves, if nothing that became known
    since reaches the period. What claims to be a published list must have its digest, or that of
    its rows without names where somebody was erased: without ``verified`` that is left to the
    caller.

    Raises:
        VerificationFailed: the bytes are not those that were published.
    """
    basis = publication.basis_seq
    period = period_of(facts, name, publication.period, basis)
    assert period is not None, "a published period is in the calendar of its basis"
    if now is None or not untouched(facts, publication, period):
        now = calculated(facts, name, basis, period)
    people = view.people(facts, basis)
    rating_list_ = rating_list(now, people, seq=basis, edition=publication.edition)
    if verified and not is_nameless(rating_list_, publication):
        failure = digest_failure(rating_list_, publication)
        if failure is not None:
            raise failure
    return rating_list_


def is_nameless(rating_list: RatingList, publication: ListPublished) -> bool:
    """Whether a list is what was published, but for the names of persons who were erased."""
    nameless = "" in rating_list.rows.published.name
    return nameless and rating_list.ratings_sha256() == publication.ratings_sha256


def regenerate(
    view: LedgerView, name: str, period_name: str, edition: int | None
) -> tuple[RatingList, VerificationFailed | None]:
    """Returns a published list again, and the failure if its bytes are not the published ones.

    This is proof: every period is replayed from the first, and no snapshot is believed. The bytes
    of a list with people who were erased cannot be the published ones: its rows without names are
    compared.
    """
    facts = replace(view.facts(), snapshots=Snapshots())
    publication = require_edition(facts, name, period_name, edition)
    rating_list_ = regenerated(view, facts, name, publication, verified=False)
    if lacks_erased_alone(facts, rating_list_) and is_nameless(rating_list_, publication):
        return rating_list_, None
    return rating_list_, digest_failure(rating_list_, publication)


def digest_failure(
    rating_list: RatingList, publication: ListPublished
) -> VerificationFailed | None:
    """Returns what is wrong with a regenerated list, or None when its bytes are the published."""
    if rating_list.output_sha256() == publication.output_sha256:
        return None
    return VerificationFailed(
        "verify.list_digest",
        list=rating_list.list,
        period=rating_list.period,
        edition=publication.edition,
        published=publication.output_sha256,
        regenerated=rating_list.output_sha256(),
    )


def show(
    view: LedgerView,
    name: str,
    period_name: str | None,
    *,
    edition: int | None = None,
) -> RatingList:
    """Returns a list: an edition as published, or as it is known.

    Without a period it is the last one that was published, else the last one with games. A
    list as known is the last edition, if that has the same ratings.
    """
    facts = view.facts_of(name)
    if period_name is None:
        period_name = newest_period(view, name)
    if edition is not None:
        publication = require_edition(facts, name, period_name, edition)
        return regenerated(view, facts, name, publication)
    basis = facts.seq
    period = require_period(facts, name, period_name, basis)
    outcome = calculated(facts, name, basis, period)
    state = state_as_known(view, name, period_name)
    if state == "published":
        last = require_edition(facts, name, period_name, None)
        return regenerated(view, facts, name, last, now=outcome)
    known = rating_list(outcome, view.people(facts, basis), seq=basis, edition=None)
    return replace(known, state_as_known=state)


def is_reached(view: LedgerView, name: str, period_name: str) -> bool:
    """Return whether something recorded since can change the newest edition of a period."""
    facts = view.facts_of(name)
    period, editions = period_of(facts, name, period_name), editions_of(facts, name, period_name)
    return period is not None and bool(editions) and not untouched(facts, editions[-1], period)


@dataclass(frozen=True, slots=True)
class ListDifference(JsonForm):
    """Who entered, who left and who moved between two published lists of a name.

    ``before`` and ``after`` are ``PERIOD`` or ``PERIOD@EDITION``, as they were asked for.
    """

    list: str
    before: str
    after: str
    moves: Sequence[Move]


def compare(view: LedgerView, name: str, before: str, after: str) -> ListDifference:
    """Returns what differs between two published lists; each as ``ListDifference`` says it."""
    facts = view.facts()
    lists = [
        regenerated(view, facts, name, require_edition(facts, name, *edition_of(which)))
        for which in (before, after)
    ]
    return ListDifference(name, before, after, difference(*lists))


def rating_on(view: LedgerView, name: str, day: dt.date) -> dict[str, int]:
    """Return the ratings of the list in force on a day, by player id.

    They are those of its newest edition. A player who is not in that edition has the rating as
    known; so has everybody while the list has no edition.
    """
    facts = view.facts_of(name)
    timeline = Timeline(AsOf(facts, facts.seq), name)
    periods = timeline.periods(max(day, timeline.last_day))
    period = next((p for p in periods if p.in_force_on > day), None)
    if period is None or day < period.starts_on:
        return {}
    opening = calculated(facts, name, facts.seq, period).opening.rating
    ratings = _by_id(facts, opening)
    before = timeline.period_at(period.index - 1) if period.index else None
    editions = editions_of(facts, name, before.name) if before else []
    if before is None or not editions or untouched(facts, editions[-1], before):
        return ratings
    published = calculated(facts, name, editions[-1].basis_seq, before).closing.rating
    return ratings | _by_id(facts, published)


def _by_id(facts: Facts, ratings: Column) -> dict[str, int]:
    """Return the ratings that there are by the ids of the players."""
    players = np.flatnonzero(ratings).tolist()
    return {facts.player_ids[player]: int(ratings[player]) for player in players}
