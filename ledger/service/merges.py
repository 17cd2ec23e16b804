"""Merges of two ids, of which somebody has to say so twice where they look like two people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ledger.answers.directory import PlayerSheet, player_known, player_recorded
from ledger.errors import Conflict, NotFound, Problem
from ledger.operations.operation import Command
from ledger.operations.players import MergePlayers
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.views.view import LedgerView
from ledger.wording import Message

_FAR: Final = 1  # years between two births that may be one, of a slip
_YEAR: Final = len("2010")


@dataclass(frozen=True, slots=True)
class PeopleCompared:
    """Two people side by side, and what they have that one would not."""

    people: tuple[PlayerSheet, PlayerSheet]
    differences: Sequence[Message]


def people_compared(view: LedgerView, one: str, other: str) -> PeopleCompared:
    """Returns two people side by side; raises ``NotFound`` where nobody has an id."""
    people = player_known(view, one), player_known(view, other)
    return PeopleCompared(people, [*differences(view, one, other)])


def merge_players(ledger: Ledger, merge: MergePlayers, request: Request) -> Receipt:
    """Records that two ids are one person; see ``merge_all``."""
    return merge_all(ledger, [merge], request)


def merge_all(
    ledger: Ledger,
    merges: Sequence[MergePlayers],
    request: Request,
    *,
    besides: Sequence[Command] = (),
) -> Receipt:
    """Records which ids are one person, and before that what else was decided ``besides``.

    Raises:
        Conflict: some look like two people, and nobody said that they are one all the same.
    """
    for merge in merges:
        reasons = () if merge.anyway else [*differences(ledger, merge.player, merge.into)]
        if reasons:
            details = (Problem(each) for each in reasons)
            both = {"player": merge.player, "into": merge.into}
            raise Conflict("player.merge_unlike", *details, **both)
    body = request.body or body_of([*besides, *(replace(each, anyway=False) for each in merges)])
    return ledger.execute([*besides, *merges], replace(request, body=body))


def differences(view: LedgerView, player: str, into: str) -> Iterator[Message]:
    """Yields what two people have that one would not; nothing of an id that nobody has."""
    from ledger.reports.candidates import share_a_word  # noqa: PLC0415 - it takes time to load

    try:
        one, other = player_recorded(view, player), player_recorded(view, into)
    except NotFound:
        return  # it is refused for that
    if one.name and other.name and not share_a_word(one.name, other.name):
        yield _both("player.other_name", one, other)
    if one.sex and other.sex and one.sex != other.sex:
        yield _both("player.other_sex", one, other, one_is=one.sex, other_is=other.sex)
    born = [int(each.birth_date[:_YEAR]) for each in (one, other) if each.birth_date]
    if len(born) > 1 and abs(born[0] - born[1]) > _FAR:
        yield _both("player.other_birth", one, other, one_is=born[0], other_is=born[1])


def _both(key: str, one: PlayerSheet, other: PlayerSheet, **values: object) -> Message:
    names = {"one": one.name or one.id, "other": other.name or other.id}
    return Message.of(key, **names, **{name: str(value) for name, value in values.items()})
