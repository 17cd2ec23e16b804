"""Whom a table of games means by names: members, new people, and those somebody has to decide.

A name that one member has means that member. One that several have, or nobody, is *doubtful*, until
a person decides (ADR 26); who is decided to be new is registered with the games.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from ledger.answers.directory import directory_of, places_named
from ledger.dummies import is_dummy
from ledger.errors import InputRefused, NotFound
from ledger.events.personal import Identity, PrintedName
from ledger.intake.documents import Document, Planned, SourcePlace
from ledger.intake.recognition import EVERYBODY, THE_ONE
from ledger.operations.players import RegisterPlayer
from ledger.reports.directory import PlayerDirectory
from ledger.service.people_meant import Candidate, Doubtful, Newcomer, PeopleMeant
from ledger.spelling import folded
from ledger.views.id_rule import unused_ids
from ledger.views.view import LedgerView

_MOST_CANDIDATES: Final = 10  # of one name
_SALT_BYTES: Final = 16


class PeopleByName:
    """Finds out whom the names in a table of games mean, in a ledger as it is now.

    Args:
        view: where the members are.
        document: what was decided about names in it.
        sender: who brings it: whom he decided to be new is known by the same name again.

    ``newcomers`` are the names of those who are new, by the ids that they get.
    """

    def __init__(self, view: LedgerView, document: Document, sender: str) -> None:
        self._view = view
        self._document = document
        self._sender = sender
        self._decisions = {folded(who): id_ for who, id_ in document.decisions}
        self._used = {EVERYBODY}
        self._new: dict[str, str] = {}  # ids by the words of names
        self.newcomers: dict[str, str] = {}

    def id_of(self, text: str) -> str | None:
        """Returns the id of whom a field names; the text itself, where it is no name.

        None: several people are called so, or nobody, and it is not decided who it is.

        Raises:
            NotFound: whoever was decided on is no member.
        """
        if " " not in text:  # as in ids; a name has at least two words
            return text
        decided = self._decisions.get(folded(text))
        if decided is not None:
            self._used.add(folded(text))
        if decided:
            if not self._is_recorded(decided):
                raise NotFound("import.no_member", who=text, id=decided)
            return decided
        if decided is None and self._is_recorded(text):
            return text
        if not any(map(str.isalpha, text)):
            return text
        return self._found(text, is_new=decided is not None)

    def is_dummy(self, text: str) -> bool:
        """Returns whether a field names no opponent; an id of the register is a person's.

        A single letter is an id, perhaps a mistyped one.
        """
        if len(text.strip()) == 1 or not is_dummy(text) or self._is_recorded(text.strip()):
            return False
        self._used.add(folded(text))
        return folded(text) not in self._decisions

    def _found(self, name: str, *, is_new: bool) -> str | None:
        """Returns the id of whom a name means; ``is_new``: it was decided to be a new person."""
        words = _words(name)
        known = self._new.get(words) or self._registered.get(words)
        if known is not None:
            return known
        places = places_named(self._directory, name)
        if len(places) == 1 and not is_new:
            return self._directory[places[0]].id
        if not (is_new or EVERYBODY in self._decisions):
            return None
        id_ = self._new[words] = next(self._unused)
        self.newcomers[id_] = name
        return id_

    def _is_recorded(self, id_: str) -> bool:
        return bool(self._view.journal.recorded([f"player:{id_}"]))

    @cached_property
    def _directory(self) -> PlayerDirectory:
        return directory_of(self._view)

    @cached_property
    def _unused(self) -> Iterator[str]:
        return unused_ids(self._view)

    @cached_property
    def _registered(self) -> Mapping[str, str]:
        """The ids of those who were registered from a table of the sender, by their words."""
        return {
            _words(printed.name): self._directory[place].id
            for printed, place in self._directory.printed
            if printed.sender == self._sender and printed.id is None and printed.birth_date is None
        }

    def meant(self, lines: Mapping[str, Sequence[int]]) -> PeopleMeant:
        """Returns who is new and who is doubtful, of the names for which nobody was found.

        ``lines`` are those on which each stands.

        Raises:
            InputRefused: a decision is about nobody in the document.
        """
        names = sorted(lines.items(), key=lambda each: (each[1], each[0]))
        doubtful = [self._asked(*each) for each in names if _words(each[0]) not in self._new]
        for who, _ in self._document.decisions:
            if who == THE_ONE:
                called = ", ".join(each.who for each in doubtful) or "-"
                raise InputRefused("import.decision_of_whom", doubtful=called)
            if folded(who) not in self._used:
                raise InputRefused("import.decision_of_nobody", who=who, file=self._document.name)
        new = [Newcomer(name, lines[name][0], name, id_) for id_, name in self.newcomers.items()]
        return PeopleMeant(new=new, doubtful=doubtful)

    def _asked(self, name: str, lines: Sequence[int]) -> Doubtful:
        """Returns the question whom a name on some lines means."""
        places = places_named(self._directory, name)
        fitting = (places or self._directory.find(name))[:_MOST_CANDIDATES]
        people = [self._directory[at] for at in fitting]
        return Doubtful(
            who=name,
            line=lines[0],
            name=name,
            id=None,
            birth_date=None,
            federation=None,
            sex=None,
            rating=None,
            why="several" if places else "near" if people else "nobody",
            candidates=[
                Candidate(each.id, each.name, each.federation, each.birth_date, each.sex, 0)
                for each in people
            ],
            lines=lines,
        )

    def registrations(self, people: PeopleMeant) -> list[Planned]:
        """Returns what registers those who are new, each at the first line with the name."""
        return [
            Planned(
                RegisterPlayer(
                    player=each.id,
                    identity=Identity(name=each.name).with_printed(
                        PrintedName(sender=self._sender, name=each.name)
                    ),
                    federation=None,
                    salt=secrets.token_hex(_SALT_BYTES),
                    on=self._view.today,
                ),
                SourcePlace(line=each.line),
            )
            for each in people.new
        ]


def _words(name: str) -> str:
    """Returns the words of a name in one order, by which it is compared."""
    return " ".join(sorted(folded(name).split()))
