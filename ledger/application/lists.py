"""Rating lists in a ledger: defined, shown, regenerated, compared; publications are beside."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np

from ledger.application.ledger import Ledger, Receipt, Request
from ledger.calendar import Calendar, CalendarSegment, Period, fide_calendar, period_at
from ledger.errors import InputRefused, NotFound, VerificationFailed
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf, known_seq
from ledger.facts.columns import Facts, Snapshots
from ledger.intake.values import edition_of
from ledger.lists.publications import (
    calculated,
    editions_in_order,
    lacks_erased_alone,
    period_of,
    publications,
    require_list,
    untouched,
)
from ledger.lists.rating_list import Move, RatingList, difference, rating_list
from ledger.registrar.commands import (
    AdjustRating,
    AdoptRegulation,
    DefineList,
    RatedIn,
    SetCalendar,
)
from ledger.regulations.interface import Regulation
from ledger.regulations.registry import adopted
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.timeline import Timeline, last_period
from ledger.terms import Rate
from ledger.wording import Message


def described_lists(ledger: Ledger) -> list[dict[str, object]]:
    """Returns the rating lists as JSON data, by name."""
    return [
        {
            "list": name,
            "regulation": of.adoptions[-1].event.regulation,
            "calendar": of.segments[-1][1].calendar.value,
            "first": of.defined.first_on.isoformat(),
            "policy": of.defined.policy,
            "rate_of_play": of.defined.rate_of_play.value if of.defined.rate_of_play else None,
            "published": len(of.publications),
        }
        for name, of in sorted(ledger.facts().lists.items())
    ]


def define_list(
    ledger: Ledger,
    name: str,
    *,
    regulation: str,
    parameters: Mapping[str, int | str],
    calendar: Calendar | Literal["fide"],
    first_on: dt.date,
    policy: Literal["restate", "next-list"],
    rate_of_play: Rate | None,
    closes_days_before: int,
    request: Request,
) -> Receipt:
    """Defines a list under a regulation, with one calendar or with FIDE's through the years.

    Raises:
        NotFound: there is no such regulation, or no list from which it takes ratings.
        InputRefused: parameters that do not fit.
    """
    if calendar == "fide":
        if closes_days_before:
            raise InputRefused("list.fide_closes_itself", days=closes_days_before)
        segments = fide_calendar(first_on)
    else:
        segments = [CalendarSegment(first_on, calendar, closes_days_before)]
    made = _adoptable(ledger, name, regulation, parameters)
    require_same_rate(made, rate_of_play)
    command = DefineList(
        list=name,
        regulation=regulation,
        parameters=dict(parameters),
        regulation_digest=made.digest(),
        calendar=segments[0].calendar,
        first_on=first_on,
        policy=policy,
        rate_of_play=rate_of_play or made.RATE,
        closes_days_before=segments[0].closes_days_before,
    )
    later = [
        SetCalendar(
            list=name,
            calendar=segment.calendar,
            closes_days_before=segment.closes_days_before,
            on=segment.from_on,
        )
        for segment in segments[1:]
    ]
    return ledger.execute([command, *later], request).noted(_earlier_text(made, first_on))


def adopt_regulation(
    ledger: Ledger,
    name: str,
    *,
    regulation: str,
    parameters: Mapping[str, int | str],
    on: dt.date,
    as_correction: bool,
    request: Request,
) -> Receipt:
    """Lets a list follow a regulation from a day on; raises as ``define_list``."""
    made = _adoptable(ledger, name, regulation, parameters)
    facts = ledger.facts()
    if name in facts.lists:
        require_same_rate(made, facts.lists[name].defined.rate_of_play)
    command = AdoptRegulation(
        list=name,
        regulation=regulation,
        parameters=dict(parameters),
        regulation_digest=made.digest(),
        on=on,
        as_correction=as_correction,
    )
    receipt = ledger.execute([command], request).noted(_earlier_text(made, on))
    if not receipt.events:
        return receipt
    facts = ledger.facts()
    period = Timeline(AsOf(facts, facts.seq), name).first_from(on)
    said = Message.of("list.adopted_from", list=name, regulation=regulation, period=period.name)
    return receipt.noted([said])


def _earlier_text(regulation: Regulation, on: dt.date) -> Iterator[Message]:
    """Says that another regulation was in force on the day, where one was."""
    if regulation.BEFORE is not None and on < regulation.BEFORE[0]:
        until, earlier = regulation.BEFORE
        said = {"regulation": regulation.ID, "earlier": earlier, "until": until}
        yield Message.of("regulation.earlier_text", **said)


def _adoptable(
    ledger: Ledger, name: str, regulation: str, parameters: Mapping[str, int | str]
) -> Regulation:
    """Returns a regulation that the list may adopt: whose ratings it takes is another list."""
    made = adopted(regulation, parameters)
    other = made.enters_from
    if other is not None:
        if other == name:
            raise InputRefused("list.enters_from_itself", list=name)
        ledger.facts_of(other)
    return made


def require_same_rate(regulation: Regulation, rate_of_play: Rate | None) -> None:
    """Refuses a regulation of one rate of play for a list of another."""
    if regulation.RATE and rate_of_play and regulation.RATE is not rate_of_play:
        raise InputRefused(
            "list.other_rate",
            regulation=regulation.ID,
            rate=regulation.RATE.value,
            of=rate_of_play.value,
        )


def adjust_rating(ledger: Ledger, command: AdjustRating, request: Request) -> Receipt:
    """Orders a step for one player, who has a rating to be moved; raises ``InputRefused``."""
    facts = ledger.facts()
    both_known = command.list in facts.lists and command.player in facts.player_index
    if both_known and command.player not in rating_on(ledger, command.list, command.on):
        raise InputRefused(
            "player.not_rated_in", player=command.player, list=command.list, on=command.on
        )
    return ledger.execute([command], request)


def regenerated(
    ledger: Ledger,
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
    people = ledger.people(facts, basis)
    made = rating_list(now, people, seq=basis, edition=publication.edition)
    if verified and not is_nameless(made, publication):
        failure = digest_failure(made, publication)
        if failure is not None:
            raise failure
    return made


def is_nameless(made: RatingList, publication: ListPublished) -> bool:
    """Whether a list is what was published, but for the names of persons who were erased."""
    nameless = "" in made.rows.column("name")
    return nameless and made.ratings_sha256() == publication.ratings_sha256


def regenerate(
    ledger: Ledger, name: str, period_name: str, edition: int | None
) -> tuple[RatingList, VerificationFailed | None]:
    """Returns a published list again, and the failure if its bytes are not the published ones.

    This is proof: every period is replayed from the first, and no snapshot is believed. The bytes
    of a list with people who were erased cannot be the published ones: its rows without names are
    compared.
    """
    facts = replace(ledger.facts(), snapshots=Snapshots())
    publication = require_edition(facts, name, period_name, edition)
    made = regenerated(ledger, facts, name, publication, verified=False)
    if lacks_erased_alone(facts, made) and is_nameless(made, publication):
        return made, None
    return made, digest_failure(made, publication)


def digest_failure(made: RatingList, publication: ListPublished) -> VerificationFailed | None:
    """Returns what is wrong with a regenerated list, or None when its bytes are the published."""
    if made.output_sha256() == publication.output_sha256:
        return None
    return VerificationFailed(
        "verify.list_digest",
        list=made.list,
        period=made.period,
        edition=publication.edition,
        published=publication.output_sha256,
        regenerated=made.output_sha256(),
    )


def show(
    ledger: Ledger,
    name: str,
    period_name: str | None,
    *,
    edition: int | None = None,
    as_known_at: int | None = None,
) -> RatingList:
    """Returns a list: an edition as published, or as known at a seq (default: now).

    Without a period it is the last one that was published, else the last one with games. The
    ``edition`` of a list as known is the one with the same rows, if the last edition has them.
    """
    facts = ledger.facts_of(name)
    if period_name is None:
        period_name = newest_period(ledger, name, as_known_at)
    if edition is not None:
        publication = require_edition(facts, name, period_name, edition)
        return regenerated(ledger, facts, name, publication)
    basis = known_seq(facts, as_known_at)
    period = require_period(facts, name, period_name, basis)
    outcome = calculated(facts, name, basis, period)
    made = rating_list(outcome, ledger.people(facts, basis), seq=basis, edition=None)
    for publication in reversed(editions_of(facts, name, period_name, basis)):
        last = regenerated(ledger, facts, name, publication, now=outcome)
        return last if last.rows == made.rows else made
    return made


def compare(
    ledger: Ledger, name: str, before: tuple[str, int | None], after: tuple[str, int | None]
) -> list[Move]:
    """Returns what differs between two published lists, each a period and an edition."""
    facts = ledger.facts()
    lists = [
        regenerated(ledger, facts, name, require_edition(facts, name, period, edition))
        for period, edition in (before, after)
    ]
    return difference(*lists)


def rating_on(ledger: Ledger, name: str, day: dt.date, basis: int | None = None) -> dict[str, int]:
    """Returns the ratings of the list in force on a day, by player id, as known now or at a seq."""
    facts = ledger.facts_of(name)
    seq = facts.seq if basis is None else basis
    timeline = Timeline(AsOf(facts, seq), name)
    period = next(
        (p for p in timeline.periods(max(day, timeline.last_day)) if p.in_force_on > day), None
    )
    if period is None or day < period.starts_on:
        return {}
    opening = calculated(facts, name, seq, period).opening.rating
    return {
        facts.player_ids[player]: int(opening[player])
        for player in np.flatnonzero(opening).tolist()
    }


def only_list(facts: Facts) -> str:
    """Returns the name of the only list there is.

    Raises:
        NotFound: there is none, or there are several to choose from.
    """
    lists = sorted(facts.lists)
    if len(lists) == 1:
        return lists[0]
    raise NotFound("list.which" if lists else "list.none", known=", ".join(lists))


def require_period(facts: Facts, name: str, period_name: str, basis: int | None = None) -> Period:
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


def _require_known(facts: Facts, name: str, seq: int) -> None:
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
        published=", ".join(str(p.edition) for p in editions) or "-",
    )


def published_edition(
    ledger: Ledger, name: str, period_name: str, edition: int | None = None
) -> ListPublished:
    """Returns a publication of a list, as ``require_edition``; raises ``NotFound``."""
    return require_edition(ledger.facts_of(name), name, period_name, edition)


def editions_of(
    facts: Facts, name: str, period_name: str, upto: int | None = None
) -> list[ListPublished]:
    """Returns the publications of a period, as known at a seq (default: now)."""
    return [p for p in publications(facts, name, upto) if p.period == period_name]


def newest_period(ledger: Ledger, name: str, as_known_at: int | None = None) -> str:
    """Returns the last period that was published, else the last one with games; as known at a seq.

    Raises:
        NotFound: there is no such list, or was none at the seq.
    """
    facts = ledger.facts_of(name)
    seq = known_seq(facts, as_known_at)
    _require_known(facts, name, seq)
    published = [
        period
        for publication in publications(facts, name, seq)
        if (period := period_of(facts, name, publication.period, seq))
    ]
    if published:
        return max(published, key=lambda period: period.index).name
    timeline = Timeline(AsOf(facts, seq), name)
    return timeline.periods(timeline.last_day)[-1].name


def period_before(ledger: Ledger, name: str, period_name: str) -> str:
    """Returns the period before one; raises ``NotFound`` for the first."""
    facts = ledger.facts()
    period = require_period(facts, name, period_name)
    if period.index == 0:
        raise NotFound("list.none_before", list=name, period=period_name)
    return period_at(AsOf(facts, facts.seq).list(name).segments, period.index - 1).name


def lists_compared(
    ledger: Ledger, name: str, before: str | None, after: str | None
) -> tuple[str, str]:
    """Returns the two lists between which a rating moved, each ``PERIOD`` or ``PERIOD@EDITION``.

    Where none is said, the later one is the newest, and the earlier one that of the period before;
    in the list's first period the edition before.

    Raises:
        NotFound: there is no such list or period, or none before it.
        InputRefused: the later one is no such word.
    """
    later = after or newest_period(ledger, name)
    if before:
        return before, later
    period, edition = edition_of(later)
    try:
        return period_before(ledger, name, period), later
    except NotFound:
        numbers = [made.edition for made in editions_of(ledger.facts(), name, period)]
        earlier = numbers[:-1] if edition is None else [one for one in numbers if one < edition]
        if not earlier:
            raise
        return f"{period}@{earlier[-1]}", later


def lists_in_turn(ledger: Ledger, name: str, most: int) -> list[tuple[str, str]]:
    """Returns pairs of published lists, ``PERIOD@EDITION``, that follow each other; newest first.

    An edition follows the one before it, the first one of a period the last one of the period
    before. There are at most so many.
    """
    facts = ledger.facts_of(name)
    found = editions_in_order(facts, name)[-most - 1 :]
    words = [f"{made.period}@{made.edition}" for _, made in found]
    return [*pairwise(words)][::-1]


def rated_in(ledger: Ledger, text: str) -> RatedIn:
    """Returns the list and period of ``LIST:PERIOD``; ``PERIOD`` is one of the only list.

    Raises:
        NotFound: there is no such list or period, no list at all, or several to choose from.
    """
    facts = ledger.facts()
    list_, _, period = text.rpartition(":")
    if not list_:
        list_ = only_list(facts)
    require_period(facts, list_, period)
    return RatedIn(list_, period)
