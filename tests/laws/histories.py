"""Long histories by chance: tournaments of up to a hundred days, and what becomes known later."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass, field, replace
from typing import Literal

from ledger.calendar import Calendar
from ledger.errors import LedgerError
from ledger.journal.interface import Journal
from ledger.operations.commands import (
    AdjustList,
    AdjustRating,
    AssignK,
    Command,
    CorrectResult,
    CorrectTournament,
    RuleOnTournament,
    SeedRating,
)
from ledger.results import Result
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import define_list
from ledger.terms import Rate, System
from tests.differential.support import GAMES_HEADER, LIST, PLAYERS_HEADER, do, take
from tests.ledgers import NOW

REGULATIONS = ("enf-2010", "fide-standard", "fide-rapid")
_RATES = {"fide-rapid": Rate.RAPID, "fide-blitz": Rate.BLITZ}
# FIDE's rules are others from date to date: a history begins near one of their changes.
_FIDE_BEGINS = (
    dt.date(2009, 1, 1), dt.date(2012, 7, 1), dt.date(2014, 7, 1), dt.date(2017, 1, 1),
    dt.date(2017, 7, 1), dt.date(2021, 9, 1), dt.date(2022, 1, 1), dt.date(2023, 5, 1),
    dt.date(2024, 3, 1),
)  # fmt: skip
_BEGINS = dict.fromkeys(("fide-standard", "fide-rapid", "fide-blitz"), _FIDE_BEGINS)
DAYS = 300
PLAYERS = "ABCDEFGHIJKL"
RESULTS = ("1-0", "0-1", "1/2-1/2")


@dataclass(frozen=True)
class Event:
    """A tournament; a game is round, white, black, result."""

    starts_on: dt.date
    ends_on: dt.date
    system: System
    rate: Rate
    games: tuple[tuple[int, str, str, str], ...]


@dataclass
class History:
    """A ledger, and the chance that goes on with it.

    Its list begins on ``first``; ``rate`` is the rate of play of most tournaments.
    """

    ledger: Ledger
    chance: random.Random
    first: dt.date
    rate: Rate
    events: dict[str, Event] = field(default_factory=dict)

    @classmethod
    def begun(
        cls,
        journal: Journal,
        regulation: str,
        seed: int,
        policy: Literal["restate", "next-list"] = "restate",
    ) -> History:
        """Eight tournaments within ten months, some players unrated, and up to three orders."""
        chance = random.Random(seed)  # noqa: S311 - a test by chance, not a secret
        first = chance.choice(_BEGINS.get(regulation, (dt.date(2010, 7, 1),)))
        ledger = Ledger(journal, clock=lambda: NOW)
        define_list(
            ledger,
            LIST,
            regulation=regulation,
            parameters={},
            calendar=Calendar.MONTHLY,
            first_on=first,
            policy=policy,
            rate_of_play=None,
            closes_days_before=chance.choice((0, 2)),
            request=Request("tester", "test", "", ""),
        )
        rows = [
            f"{player},{player},CHI,,{chance.choice(('', '1995-01-01'))},"
            f"{chance.choice(('', 1420, 1800, 2100, 2390))},,{chance.choice((0, 40))}"
            for player in PLAYERS
        ]
        take(ledger, PLAYERS_HEADER + "\n".join(rows) + "\n", seeds=True)
        made = cls(ledger, chance, first, _RATES.get(regulation, Rate.CLASSICAL))
        for _ in range(8):
            made.play()
        for _ in range(chance.randint(0, 3)):
            made.order()
        return made

    def play(self) -> None:
        """Records a tournament."""
        event = self._event()
        name = f"T{len(self.events)}"
        self.events[name] = event
        about = f"{name},{name},{event.starts_on},{event.ends_on},{event.system},{event.rate},"
        lines = [f"{about},{r},,{w},{b},{result}" for r, w, b, result in event.games]
        take(self.ledger, GAMES_HEADER + "\n".join(lines) + "\n")

    def _day(self) -> dt.date:
        return self.first + dt.timedelta(days=self.chance.randint(0, DAYS))

    def _event(self) -> Event:
        chance = self.chance
        ends_on = self._day()
        long = dt.timedelta(days=chance.choice((0, 3, 40, 100)))
        system = chance.choice((System.SWISS, System.ROUND_ROBIN))
        rate = chance.choice((*[self.rate] * 7, *Rate))
        players = chance.sample(PLAYERS, chance.choice((3, 4, 5, 6)))
        if system is System.ROUND_ROBIN:
            pairs = [(a, b) for place, a in enumerate(players) for b in players[:place]]
        else:
            fields = [chance.sample(players, len(players)) for _ in range(4)]
            pairs = [pair for f in fields for pair in zip(f[::2], f[1::2], strict=False)]
        games = tuple((r, *pair, chance.choice(RESULTS)) for r, pair in enumerate(pairs, start=1))
        return Event(max(self.first, ends_on - long), ends_on, system, rate, games)

    def learn(self) -> str:
        """Records something that changes the past, or not; returns what it was."""
        what = self.chance.choice(("played", "moved", "corrected", "ruled", "seeded", "ordered"))
        name = self.chance.choice(list(self.events))
        try:
            match what:
                case "played":
                    self.play()
                case "seeded":
                    newcomer = f"N{self.ledger.facts().seq}"
                    row = f"{newcomer},{newcomer},CHI,,,1700,,0\n"
                    take(self.ledger, PLAYERS_HEADER + row, seeds=True)
                case "ordered":
                    return self.order()
                case _:
                    do(self.ledger, self.command(what, name))
        except LedgerError:
            return f"{what}, refused"  # as a result of an annulled tournament is
        return what

    def order(self) -> str:
        """Records a seed, K or step of a player, or a step of the list; returns what it was."""
        chance, player, on = self.chance, self.chance.choice(PLAYERS), self._day()
        rating, k, points = (
            chance.choice(c) for c in ((1300, 1700, 2400), (10, 40), (-600, -100, 37))
        )
        command = chance.choice((
            SeedRating(
                player=player, list=LIST, rating=rating, games=chance.choice((None, 0, 30)),
                k=chance.choice((None, 10, 15, 30)), source="another list", on=on,
            ),
            AssignK(player=player, k=k, list=LIST, on=on),
            AdjustRating(player=player, list=LIST, points=points, on=on),
            AdjustList(
                list=LIST, period=f"{on.year}-{on.month:02}", below=2000, pivot=2000,
                numerator=4, denominator=10,
            ),
        ))  # fmt: skip
        try:
            do(self.ledger, command)
        except LedgerError:
            return f"{type(command).__name__}, refused"
        return type(command).__name__

    def command(self, what: str, name: str) -> Command:
        """Returns a command that moves, corrects or rules on a tournament."""
        event = self.events[name]
        match what:
            case "moved":
                other = self._event()
                system = self.chance.choice((event.system, other.system))
                moved = replace(other, system=system, games=event.games)
                self.events[name] = moved
                return CorrectTournament(
                    tournament=name, name=name, starts_on=moved.starts_on, ends_on=moved.ends_on,
                    system=moved.system, rate_of_play=moved.rate,
                )  # fmt: skip
            case "corrected":
                round_, white, black, _ = self.chance.choice(event.games)
                result = Result.parse(self.chance.choice(RESULTS))
                return CorrectResult(
                    tournament=name, round=round_, white=white, black=black, result=result
                )
            case _:
                ruling = self.chance.choice(("annul", "accept"))
                return RuleOnTournament(tournament=name, ruling=ruling, on=NOW.date())  # type: ignore[arg-type]
