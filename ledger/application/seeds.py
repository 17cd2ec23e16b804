"""Ratings brought in that a list does not show, because they are below its floor."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ledger.application.ledger import Ledger, Receipt, Request, body_of
from ledger.calendar import first_from
from ledger.errors import Problem
from ledger.events.players import RatingSeeded
from ledger.journal.batch import of_type
from ledger.registrar.commands import SeedRating
from ledger.regulations.registry import adopted
from ledger.wording import Message


def seed_rating(ledger: Ledger, command: SeedRating, request: Request) -> Receipt:
    """Brings in a rating from outside."""
    request = replace(request, body=body_of([command]))
    return with_floors(ledger, ledger.execute([command], request))


def with_floors(ledger: Ledger, receipt: Receipt) -> Receipt:
    """Returns the receipt with a note of the ratings brought in that the next list leaves out."""
    seeds = Counter(
        (event.list, on, event.rating) for on, event in of_type(receipt.events, RatingSeeded)
    )
    if not seeds:
        return receipt
    streams = {f"list:{list_}" for list_, _, _ in seeds}
    lists = ledger.register(streams, ledger.journal.head().seq).lists
    below: Counter[tuple[str, str, int]] = Counter()
    for (list_, day, rating), count in seeds.items():
        of = lists[list_]
        period = first_from(sorted(of.segments, key=lambda segment: segment.from_on), day)
        adoptions = sorted(of.adoptions, key=lambda adoption: adoption[0])
        in_force = [event for on, event in adoptions if on <= period.starts_on]
        event = in_force[-1] if in_force else adoptions[0][1]
        regulation = adopted(event.regulation, event.parameters)
        floor = regulation.floor(period.in_force_on)
        if rating < floor:
            below[list_, period.in_force_on.isoformat(), floor] += count
    notes = (
        Message.of("list.below_floor", count=count, floor=floor, list=list_, on=on)
        for (list_, on, floor), count in sorted(below.items())
    )
    return replace(receipt, notes=(*receipt.notes, *map(Problem, notes)))
