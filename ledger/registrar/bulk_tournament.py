"""A tournament that nobody has recorded yet, decided row by row without a record of every pairing.

Most of a large file is new and in order. Of such a tournament two things matter to the next row:
who has a starting number, and who is paired in the round already; a bit says it. Whatever is not
plain (an unknown player, a player paired twice, a day outside the dates) is ``NotPlain``: then the
tournament is decided by the registrar, command by command, and says what is wrong. So this module
may refuse too much and must never accept more; a test holds the two against each other.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

from ledger.errors import InputRefused
from ledger.events.fast import Outcome, entry, quoted
from ledger.events.tournaments import PlayerEntered
from ledger.identifiers import NO_EVENT
from ledger.journal.batch import EventRow, row_of
from ledger.journal.records import StoredEvent
from ledger.operations import commands as c
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.registrar.swiss import A_POINT, Broken, SwissRounds

_MOST_PLAYERS = 9999


class NotPlain(Exception):
    """The registrar has to look at the tournament itself."""


def players_to_be_entered(events: Iterable[StoredEvent]) -> set[str]:
    """Returns the players, of those whose events these are, who can be entered."""
    players: set[str] = set()
    unsure: set[str] = set()
    for event in events:
        player = event.stream.partition(":")[2]
        if event.type == "player.fact-undone":
            unsure.add(player)
        if event.type == "player.registered":
            players.add(player)
        elif event.type == "players.merged":
            players.discard(player)
    return players - unsure


class BulkTournament:
    """One tournament while its rows come in; ``players`` can be entered."""

    __slots__ = (
        "_byes", "_days", "_met", "_met_again", "_paired", "_players", "_quoted", "_seats",
        "tournament",
    )  # fmt: skip

    def __init__(self, tournament: str, players: Container[str]) -> None:
        self.tournament = tournament
        self._players = players
        self._quoted = quoted(tournament)
        self._seats: dict[str, tuple[int, str]] = {}
        self._paired: defaultdict[int, int] = defaultdict(int)
        self._days: set[str] = set()
        # For the rules of a Swiss, the rounds in which two met first, and again; in which a player
        # had a bye of a point. What absences come to is a rule of announced systems only.
        self._met: dict[int, int] = {}
        self._met_again: defaultdict[int, list[int]] = defaultdict(list)
        self._byes: defaultdict[str, list[int]] = defaultdict(list)

    def game(self, outcome: Outcome, round_: int, white: str, black: str, day: str) -> str:
        """Takes a game and returns its payload; ``day`` in ISO form, "" where none is given."""
        seats, paired = self._seats, self._paired
        one, first = seats.get(white) or self._enter(white)
        other, second = seats.get(black) or self._enter(black)
        both, before = one | other, paired[round_]
        if one == other or before & both:
            raise NotPlain
        paired[round_] = before | both
        self._days.add(day)
        if not outcome.is_forfeit and self._met.setdefault(both, round_) != round_:
            self._met_again[both].append(round_)
        return outcome.game(round_, self._quoted, first, second)

    def bye(self, outcome: Outcome, round_: int, player: str) -> str:
        """Takes a bye and returns its payload."""
        seat, name = self._seats.get(player) or self._enter(player)
        if self._paired[round_] & seat:
            raise NotPlain
        self._paired[round_] |= seat
        if sum(outcome.halves) == A_POINT:
            self._byes[player].append(round_)
        return outcome.bye(round_, self._quoted, name)

    def opening(self, command: c.OpenTournament, today: dt.date) -> Iterator[EventRow]:
        """Yields, after the last row, what comes before the rounds: the opening, the entries."""
        registrar = Registrar(Register(), NO_EVENT, today)
        try:
            registrar.take(command)
        except InputRefused as error:
            raise NotPlain from error
        assert command.starts_on is not None
        assert command.ends_on is not None
        starts_on, ends_on = command.starts_on.isoformat(), command.ends_on.isoformat()
        days = self._days - {""}
        latest = max(days, default=starts_on)
        if days and not starts_on <= min(days) <= latest <= ends_on:
            raise NotPlain
        if max(latest, starts_on if "" in self._days else "") > today.isoformat():
            raise NotPlain
        yield from map(row_of, registrar.events)
        stream = f"tournament:{self.tournament}"
        for number, (_, name) in enumerate(self._seats.values(), start=1):
            row = PlayerEntered.TYPE, PlayerEntered.VERSION, starts_on, stream
            yield *row, entry(name, number, self._quoted)

    def irregularities(self) -> Iterator[Broken]:
        """Yields, after the last row, what the rounds break of the rules of a Swiss."""
        names = list(self._seats) if self._met_again else []
        meetings = {}
        for both, again in self._met_again.items():
            one, other = sorted(name for n, name in enumerate(names) if both >> n & 1)
            meetings[one, other] = [self._met[both], *again]
        return SwissRounds(meetings, self._byes, {}, lambda _player: ()).broken(self._byes)

    def _enter(self, player: str) -> tuple[int, str]:
        if player not in self._players or len(self._seats) >= _MOST_PLAYERS:
            raise NotPlain
        seat = self._seats[player] = (1 << len(self._seats), quoted(player))
        return seat
