"""Ratings brought in from outside, with notes on floors and on unknown games before them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ledger.calendar import first_from
from ledger.events.players import RatingSeeded
from ledger.journal.batch import of_type
from ledger.operations.commands import SeedRating
from ledger.regulations.registry import adopted
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.views.view import LedgerView
from ledger.wording import Message


def seed_rating(ledger: Ledger, command: SeedRating, request: Request) -> Receipt:
    """Brings in a rating from outside."""
    request = replace(request, body=body_of([command]))
    return with_notes(ledger, ledger.execute([command], request))


def with_notes(view: LedgerView, receipt: Receipt) -> Receipt:
    """Returns the receipt with notes of what may surprise about the ratings brought in.

    They tell how many lie below the floor of the next list, which leaves them out; and of how many
    players nobody told what is behind the rating, who are taken as established (see
    ``replay.openings``).
    """
    ratings: Counter[tuple[str, dt.date, int]] = Counter()
    untold: Counter[str] = Counter()
    for on, event in of_type(receipt.events, RatingSeeded):
        ratings[event.list, on, event.rating] += 1
        untold[event.list] += event.games is None and event.k is None
    if not ratings:
        return receipt
    return receipt.noted([*_below_floors(view, ratings), *_established(untold)])


def _established(untold: Counter[str]) -> Iterator[Message]:
    for list_, count in sorted(untold.items()):
        if count:
            yield Message.of("list.games_untold", count=count, list=list_)


def _below_floors(
    view: LedgerView, ratings: Counter[tuple[str, dt.date, int]]
) -> Iterator[Message]:
    streams = {f"list:{list_}" for list_, _, _ in ratings}
    lists = view.register(streams, view.journal.head().seq).lists
    below: Counter[tuple[str, str, int]] = Counter()
    for (list_, day, rating), count in ratings.items():
        of = lists[list_]
        period = first_from(of.calendar, day)
        event = of.adoption_on(period.starts_on) or of.adoptions[0].event
        regulation = adopted(event.regulation, event.parameters)
        floor = regulation.floor(period.in_force_on)
        if rating < floor:
            below[list_, period.in_force_on.isoformat(), floor] += count
    for (list_, on, floor), count in sorted(below.items()):
        yield Message.of("list.below_floor", count=count, floor=floor, list=list_, on=on)
