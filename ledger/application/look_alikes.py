"""Ids of tournaments that people take for each other: ``club-2026`` and ``Club 2026``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.journal.interface import Journal
from ledger.operations.commands import Command, OpenTournament
from ledger.spelling import folded
from ledger.wording import Message

_STREAM: Final = "tournament:"


def look_alikes(journal: Journal, commands: Iterable[Command]) -> Iterator[Message]:
    """Yields a warning for each tournament to be opened with an id that looks like another one's.

    They differ in capitals, accents, width or punctuation only.
    """
    opened = [command.tournament for command in commands if isinstance(command, OpenTournament)]
    known = journal.stream_names(_STREAM) if opened else []
    for tournament in opened:
        for other in (name.removeprefix(_STREAM) for name in known):
            if other != tournament and folded(other) == folded(tournament):
                yield Message.of("tournament.alike", tournament=tournament, other=other)
