"""Rating lists that are defined, the regulations they adopt, and ratings that are adjusted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Literal

from ledger.answers.lists import rating_on, require_same_rate
from ledger.calendar import Calendar, CalendarSegment, fide_calendar
from ledger.errors import InputRefused
from ledger.facts.as_of import AsOf
from ledger.operations.commands import AdjustRating, AdoptRegulation, DefineList, SetCalendar
from ledger.regulations.interface import Regulation
from ledger.regulations.registry import adopted
from ledger.replay.timeline import Timeline
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Rate
from ledger.views.view import LedgerView
from ledger.wording import Message


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
    regulation_ = _adoptable(ledger, name, regulation, parameters)
    require_same_rate(regulation_, rate_of_play)
    command = DefineList(
        list=name,
        regulation=regulation,
        parameters=dict(parameters),
        regulation_digest=regulation_.digest(),
        calendar=segments[0].calendar,
        first_on=first_on,
        policy=policy,
        rate_of_play=rate_of_play or regulation_.RATE,
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
    return ledger.execute([command, *later], request).noted(_earlier_text(regulation_, first_on))


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
    regulation_ = _adoptable(ledger, name, regulation, parameters)
    facts = ledger.facts()
    if name in facts.lists:
        require_same_rate(regulation_, facts.lists[name].defined.rate_of_play)
    command = AdoptRegulation(
        list=name,
        regulation=regulation,
        parameters=dict(parameters),
        regulation_digest=regulation_.digest(),
        on=on,
        as_correction=as_correction,
    )
    receipt = ledger.execute([command], request).noted(_earlier_text(regulation_, on))
    if not receipt.events:
        return receipt
    facts = ledger.facts()
    period = Timeline(AsOf(facts, facts.seq), name).first_from(on)
    note = Message.of("list.adopted_from", list=name, regulation=regulation, period=period.name)
    return receipt.noted([note])


def _earlier_text(regulation: Regulation, on: dt.date) -> Iterator[Message]:
    """Says that another regulation was in force on the day, where one was."""
    if regulation.BEFORE is not None and on < regulation.BEFORE[0]:
        until, earlier = regulation.BEFORE
        values = {"regulation": regulation.ID, "earlier": earlier, "until": until}
        yield Message.of("regulation.earlier_text", **values)


def _adoptable(
    view: LedgerView, name: str, regulation: str, parameters: Mapping[str, int | str]
) -> Regulation:
    """Returns a regulation that the list may adopt: whose ratings it takes is another list."""
    regulation_ = adopted(regulation, parameters)
    other = regulation_.enters_from
    if other is not None:
        if other == name:
            raise InputRefused("list.enters_from_itself", list=name)
        view.facts_of(other)
    return regulation_


def adjust_rating(ledger: Ledger, command: AdjustRating, request: Request) -> Receipt:
    """Orders a step for one player, who has a rating to be moved; raises ``InputRefused``."""
    facts = ledger.facts()
    both_known = command.list in facts.lists and command.player in facts.player_index
    if both_known and command.player not in rating_on(ledger, command.list, command.on):
        raise InputRefused(
            "player.not_rated_in", player=command.player, list=command.list, on=command.on
        )
    return ledger.execute([command], request)
