"""Players by name: the directory of a ledger, and whom a text names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ledger.application.ledger import Ledger
from ledger.errors import InputRefused, NotFound, Problem
from ledger.facts.as_of import AsOf
from ledger.reports.directory import Person, PlayerDirectory
from ledger.wording import Message

_CANDIDATES = 10  # shown to who must choose


def directory_of(ledger: Ledger) -> PlayerDirectory:
    """Returns the directory of the players as known now."""
    facts = ledger.facts()
    return PlayerDirectory.of(AsOf(facts, facts.seq), ledger.people(facts))


def person_named(ledger: Ledger, text: str, among: Collection[str] | None = None) -> Person | None:
    """Returns the one player whom a text names; None where it is the id of somebody.

    Args:
        ledger: where to look.
        text: an id, or words of a name as for ``PlayerDirectory.named``.
        among: ids of those who are meant, if any of those who fit is one of them.

    Raises:
        InputRefused: several fit; the details are the candidates.
        NotFound: nobody does; the details are those who come near.
    """
    if ledger.journal.recorded([f"player:{text}"]):
        return None
    if not any(sign.isalpha() for sign in text):
        raise NotFound("player.not_found", player=text)
    directory = directory_of(ledger)
    fitting = directory.named(text)
    meant = [place for place in fitting if directory[place].id in (among or ())] or fitting
    if len(meant) == 1:
        return directory[meant[0]]
    if meant:
        candidates = _candidates(directory[place] for place in meant[:_CANDIDATES])
        raise InputRefused("player.several_fit", *candidates, text=text, count=len(meant))
    near = directory.find(text)[:_CANDIDATES]
    key = "player.only_near" if near else "player.not_found"
    raise NotFound(key, *_candidates(directory[place] for place in near), player=text)


def _candidates(people: Iterable[Person]) -> Sequence[Problem]:
    return [
        Problem(
            Message.of(
                "player.candidate",
                id=person.id,
                name=person.name or "-",
                federation=person.federation or "-",
                year=(person.birth_date or "-")[:4],
            )
        )
        for person in people
    ]
