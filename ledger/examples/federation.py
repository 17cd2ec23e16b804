"""A made-up federation, as in life: 2,000 people, three years, 60 tournaments, lists, corrections.

``record_federation`` records it as people do it: players by commands, reports by imports, some
events round by round at the desk, lists by publishing them. All of it comes from one seed, and its
clock is that of the story: the same bytes each time.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from ledger.answers.publication_bounds import BOUNDS
from ledger.answers.rounds import BoardNumber
from ledger.calendar import Calendar, period_around
from ledger.events.personal import Identity, IssuedId
from ledger.examples.population import MadeUpPerson, Population, drawn_population
from ledger.examples.swiss import RESULTS, Real, Whole, results, swiss
from ledger.facts.as_of import AsOf
from ledger.intake.imports import Document, import_document
from ledger.journal.checkpoint import Signer, make_checkpoint
from ledger.journal.interface import Journal
from ledger.journal.stores.permissions import PRIVATE, open_new
from ledger.operations import commands as c
from ledger.reports.round_sheet import RoundSheet
from ledger.results import Result
from ledger.service.accounts import grant_role
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.service.lists import define_list
from ledger.service.publications import publish_with_earlier
from ledger.service.retractions import undo_commit
from ledger.terms import Colour, PairingMethod, Rate, Role, System

SEED: Final = 20231001
FEDERATION: Final = "PCL"
FIRST_ON: Final = dt.date(2023, 10, 1)
LAST_ON: Final = dt.date(2026, 11, 24)
"""The day on which the story ends: what is open then stays open."""
STANDARD, RAPID, BLITZ = "Standard", "Rapid", "Blitz"
LISTS: Final = {
    STANDARD: ("fide-standard", Rate.CLASSICAL, Calendar.MONTHLY),
    RAPID: ("fide-rapid", Rate.RAPID, Calendar.QUARTERLY),
    BLITZ: ("fide-blitz", Rate.BLITZ, Calendar.QUARTERLY),
}
OFFICERS: Final = ("ines", "oliver")
ARBITERS: Final = ("marta", "hugo", "grace")
ADMINISTRATOR: Final = "sistema"
ACCOUNTS: Final = {
    ADMINISTRATOR: Role.ADMINISTRATOR,
    **dict.fromkeys(OFFICERS, Role.OFFICER),
    **dict.fromkeys(ARBITERS, Role.ARBITER),
    "auditoria": Role.AUDITOR,
}
GAMES_HEADER: Final = (
    "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"
)
_PLACES: Final = ("Puerto Claro", "La Costa", "Valle Norte", "New Bristol")


@dataclass(frozen=True, slots=True)
class YearlyEvent:
    """A tournament that is played every year, in a month and on a day.

    ``who`` says who may enter: ``all``, ``women``, ``juniors``, ``seniors``, ``best`` (the
    strongest), ``strong`` (of 1900 and more).
    """

    id: str
    name: str
    month: int
    day: int
    rounds: int
    entrants: int
    who: str = "all"
    rate: Rate = Rate.CLASSICAL
    system: System = System.SWISS
    at_desk: bool = False

    @property
    def days(self) -> int:
        """How many days it takes."""
        return self.rounds if self.rate is Rate.CLASSICAL else 1


_R, _B = Rate.RAPID, Rate.BLITZ
_RR = System.ROUND_ROBIN
YEARLY: Final = (
    YearlyEvent("final", "Final del Campeonato Nacional", 12, 4, 9, 10, "best", system=_RR),
    YearlyEvent("navidad", "Blitz de Navidad", 12, 20, 11, 120, rate=_B),
    YearlyEvent("verano", "Rápido de Verano", 1, 13, 9, 150, rate=_R),
    YearlyEvent("memorial", "Memorial Arancibia", 1, 18, 9, 110),
    YearlyEvent("costa", "Abierto de la Costa", 2, 8, 7, 120),
    YearlyEvent("otono", "Copa Otoño", 3, 11, 6, 90),
    YearlyEvent("senior", "Nacional Senior", 4, 5, 7, 60, "seniors"),
    YearlyEvent("liceo", "Torneo Liceo 7", 4, 20, 5, 50, "juniors"),
    YearlyEvent("femenino", "Nacional Femenino", 5, 4, 7, 60, "women"),
    YearlyEvent("nocturno", "Harbour Blitz Night", 5, 25, 9, 80, rate=_B),
    YearlyEvent("maestros", "Torneo de Maestros", 6, 3, 9, 10, "strong", system=_RR),
    YearlyEvent("universitario", "Rápido Universitario", 6, 22, 8, 110, rate=_R),
    YearlyEvent("juvenil", "Nacional Juvenil", 7, 10, 7, 140, "juniors"),
    YearlyEvent("liga", "Liga de Clubes", 8, 2, 5, 8, system=System.TEAM_SWISS, at_desk=True),
    YearlyEvent("magistral", "Magistral Femenino", 8, 16, 7, 8, "women", system=_RR),
    YearlyEvent("fiestas", "Torneo de Fiestas", 9, 6, 6, 40, at_desk=True),
    YearlyEvent("patria", "Blitz de la Independencia", 9, 19, 9, 140, rate=_B),
    YearlyEvent("primavera", "Copa Primavera", 10, 5, 6, 100),
    YearlyEvent("rapido", "Grand Prix Rápido", 10, 18, 9, 130, rate=_R),
    YearlyEvent("bristol", "New Bristol Congress", 10, 24, 5, 70),
    YearlyEvent("puerto", "Abierto de Puerto Claro", 11, 9, 7, 120),
)


@dataclass(frozen=True, slots=True)
class _Occasion:
    """Something that is recorded on a day."""

    on: dt.date
    record: Callable[[], object]


def record_federation(journal: Journal) -> Ledger:
    """Records it in an empty journal, in seconds; returns its ledger, as of the last day."""
    return _Story(journal).told()


def sign_federation(journal: Journal, page: Path, key: Path) -> None:
    """Writes a checkpoint signed by a new key, and the public key to check it with.

    The secret one is beside it, to sign later ones.
    """
    signer = Signer.generate("chess.example/federation")
    secret = key.with_name("secret.key")
    with os.fdopen(open_new(secret, PRIVATE), "w", encoding="utf-8") as out:
        out.write(f"{signer.secret()}\n")
    key.write_text(f"{signer.verifier}\n", encoding="utf-8")
    note = make_checkpoint(journal, signer.name, signer).note()
    page.write_text(note, encoding="utf-8")


class _Story:
    """What is recorded, day by day; ``games`` are the boards of the reports that were imported."""

    def __init__(self, journal: Journal) -> None:
        self.random = np.random.default_rng(SEED)
        self.now = _noon(FIRST_ON - dt.timedelta(days=20))
        self.ledger = Ledger(journal, clock=lambda: self.now)
        self.population: Population = drawn_population(self.random, FIRST_ON, _month(LAST_ON))
        self.boards: dict[str, list[tuple[int, str, str, str]]] = {}
        self.requests = 0

    def told(self) -> Ledger:
        self._begin()
        occasions = sorted(self._occasions(), key=lambda each: each.on)
        for each in occasions:
            self.now = max(self.now + dt.timedelta(minutes=1), _noon(each.on))
            each.record()
        return self.ledger

    def _occasions(self) -> Iterator[_Occasion]:
        for year in range(FIRST_ON.year, LAST_ON.year + 1):
            for event in YEARLY:
                starts_on = dt.date(year, event.month, event.day)
                ends_on = starts_on + dt.timedelta(days=event.days - 1)
                if starts_on >= FIRST_ON and ends_on < LAST_ON:
                    yield self._played(event, starts_on, ends_on)
        day = FIRST_ON
        while (day := (day.replace(day=1) + dt.timedelta(days=32)).replace(day=1)) <= LAST_ON:
            yield _Occasion(day, partial(self._register, _month(day)))
            yield _Occasion(day, self._publish)
        yield from self._incidents()
        yield from self._open()

    def _played(self, event: YearlyEvent, starts_on: dt.date, ends_on: dt.date) -> _Occasion:
        record = self._reported
        if event.at_desk:
            record = self._team_event if event.system is System.TEAM_SWISS else self._desk_event
        return _Occasion(ends_on, partial(record, event, starts_on, ends_on))

    # The beginning

    def _begin(self) -> None:
        for account, role in ACCOUNTS.items():
            if account not in OFFICERS[1:]:
                self._grant(account, role)
        for name, (regulation, rate, calendar) in LISTS.items():
            define_list(
                self.ledger, name, regulation=regulation, parameters={}, calendar=calendar,
                first_on=FIRST_ON, policy="restate", rate_of_play=rate, closes_days_before=0,
                request=self._request(OFFICERS[0], "the lists of the federation"),
            )  # fmt: skip
        self._register(0)

    def _grant(self, account: str, role: Role) -> None:
        grant_role(
            self.ledger, account, role,
            request=self._request(ADMINISTRATOR, "elected by the assembly"),
        )  # fmt: skip

    def _register(self, month: int) -> None:
        """Registers who comes in a month, with clubs, titles and the ratings that they bring."""
        new = np.flatnonzero(self.population.month == month).tolist()
        people = [self.population.people[index] for index in new]
        on = max(FIRST_ON, self.now.date())
        commands = [command for person in people for command in _about(person, on)]
        self._do(OFFICERS[0], "members of the federation", *commands)

    # Events

    def _field(self, event: YearlyEvent, on: dt.date) -> Whole:
        """Draws who enters."""
        month = _month(on)
        strength = self.population.strength_in(month)
        may = (self.population.month <= month) & self._fits(event, on, strength)
        candidates = np.flatnonzero(may)
        if event.who == "best":
            field = candidates[np.argsort(-strength[candidates], kind="stable")][: event.entrants]
        else:
            weight = self.population.activity[candidates]
            drawn = self.random.choice(
                len(candidates), min(event.entrants, len(candidates)), replace=False,
                p=weight / weight.sum(),
            )  # fmt: skip
            field = candidates[drawn]
        return field.astype(np.int64)

    def _fits(self, event: YearlyEvent, on: dt.date, strength: Real) -> np.ndarray:
        people = self.population.people
        years = np.array([on.year - person.born_on.year for person in people])
        match event.who:
            case "women":
                return np.array([person.sex == "w" for person in people])
            case "juniors":
                return years < 20
            case "seniors":
                return years >= 65
            case "strong":
                return strength >= 1950
            case _:
                return np.ones(len(people), dtype=np.bool_)

    def _strength(self, field: Whole, on: dt.date) -> Real:
        return self.population.strength_in(_month(on))[field]

    def _reported(self, event: YearlyEvent, starts_on: dt.date, ends_on: dt.date) -> None:
        """Imports the report of a Swiss or of an all-play-all."""
        field = self._field(event, starts_on)
        strength = self._strength(field, starts_on)
        ids = [self.population.people[index].id for index in field.tolist()]
        if event.system is System.SWISS:
            played = swiss(strength, event.rounds, self.random)
            columns, byes = played.games, played.byes
        else:
            columns, byes = _all_play_all(strength, self.random), ()
        boards = [
            (round_, ids[white], ids[black], RESULTS[code])
            for round_, white, black, code in zip(
                *(column.tolist() for column in columns), strict=True
            )
        ]
        tournament = f"{event.id}-{starts_on.year}"
        self.boards[tournament] = boards
        about = (
            f"{tournament},{_with_year(event, starts_on)},{starts_on},{ends_on},{event.system},"
            f"{event.rate},"
        )
        lines = [GAMES_HEADER]
        lines += (f"{about},{board[0]},,{board[1]},{board[2]},{board[3]}\n" for board in boards)
        lines += (f"{about},{round_},,{ids[place]},,U\n" for round_, place in byes)
        self._import(f"{tournament}.csv", "".join(lines))

    def _import(self, name: str, text: str) -> Receipt:
        document = Document(name=name, data=text.encode())
        request = Request(self._arbiter(), "report of the arbiter", "", "")
        return import_document(self.ledger, document, request)

    def _desk_event(
        self, event: YearlyEvent, starts_on: dt.date, ends_on: dt.date, until: int | None = None
    ) -> None:
        """Runs an event at the desk: entries, rounds, absences, somebody who leaves, forfeits.

        ``until`` is the last round that is paired, of which only some boards have a result.
        """
        field = self._field(event, starts_on)
        tournament = f"{event.id}-{starts_on.year}"
        ids = [self.population.people[index].id for index in field.tolist()]
        is_berger = event.system is _RR
        rules = c.AnnounceRules(
            tournament=tournament,
            pairing=PairingMethod.BERGER if is_berger else PairingMethod.FENAMAC_1975,
            tie_breaks=("sonneborn-berger",) if is_berger else ("median", "solkoff"),
        )
        entries = [c.EnterPlayer(tournament=tournament, player=id_) for id_ in ids]
        opened = _opened(event, starts_on, ends_on)
        self._do(ARBITERS[0], "", opened, rules, *entries)
        strength = dict(zip(ids, self._strength(field, starts_on).tolist(), strict=True))
        for round_ in range(1, (until or event.rounds) + 1):
            if round_ == 3 and not is_berger:
                absence = c.AnnounceAbsence(tournament=tournament, player=ids[5], round=3)
                self._do(ARBITERS[0], "", absence)
            if round_ == 4 and not is_berger:
                left = c.WithdrawPlayer(tournament=tournament, player=ids[9], from_round=4)
                self._do(ARBITERS[0], "called home", left)
            sheet = self._pair(tournament)
            boards = self._board_results(sheet, strength)
            if until == round_:
                boards = boards[::3]
            self._results(tournament, round_, boards)
        if until is None:
            self._close(tournament, ends_on)

    def _team_event(self, event: YearlyEvent, starts_on: dt.date, ends_on: dt.date) -> None:
        """Runs the league at the desk: a team a club, of four players and a reserve."""
        tournament = f"{event.id}-{starts_on.year}"
        month = _month(starts_on)
        strength = self.population.strength_in(month)
        rules = c.AnnounceRules(
            tournament=tournament, pairing=PairingMethod.TEAM_1975, team_boards=4, team_reserves=1
        )
        members: dict[str, list[int]] = {}
        for index in np.argsort(-strength, kind="stable").tolist():
            club = self.population.people[index].club
            if club is not None and self.population.month[index] <= month:
                members.setdefault(club, []).append(index)
        clubs = sorted(members, key=lambda club: -sum(strength[members[club][:4]]))
        teams = [
            c.EnterTeam(
                tournament=tournament, team=club, name=club,
                participants=tuple(self.population.people[i].id for i in members[club][:5]),
            )
            for club in clubs[: event.entrants]
        ]  # fmt: skip
        self._do(ARBITERS[1], "", _opened(event, starts_on, ends_on), rules, *teams)
        worth = {
            person.id: float(strength[index]) for index, person in enumerate(self.population.people)
        }
        for round_ in range(1, event.rounds + 1):
            sheet = self._pair(tournament)
            self._results(tournament, round_, self._board_results(sheet, worth))
        self._close(tournament, ends_on)

    def _pair(self, tournament: str) -> RoundSheet:
        pairing = c.PairRound(tournament=tournament)
        request = self._request(ARBITERS[0], "", f"{tournament} {self.requests}")
        return publish_round(self.ledger, pairing, request)[1]

    def _board_results(
        self, sheet: RoundSheet, strength: dict[str, float]
    ) -> list[tuple[BoardNumber, Result]]:
        """Draws how the boards of a round end; those of a team one by one."""
        seats: list[tuple[BoardNumber, str, str]] = []
        for board in sheet.boards:
            if board.games:
                for game in board.games:
                    first, other = game.white_team, game.black_team
                    if first is not None and other is not None:
                        is_white = game.colour is Colour.WHITE
                        white, black = (first, other) if is_white else (other, first)
                        seats.append(((board.board, game.board), white, black))
            else:
                seats.append((board.board, board.white.id, board.black.id))
        difference = np.array([strength[white] - strength[black] for _, white, black in seats])
        codes = results(difference, self.random).tolist()
        return [
            (board, Result.parse(RESULTS[code]))
            for (board, _, _), code in zip(seats, codes, strict=True)
        ]

    def _results(
        self, tournament: str, round_: int, boards: Sequence[tuple[BoardNumber, Result]]
    ) -> None:
        self._do(ARBITERS[0], "", *board_results(self.ledger, tournament, round_, boards))

    def _close(self, tournament: str, on: dt.date) -> None:
        self._do(ARBITERS[0], "", c.CloseTournament(tournament=tournament, on=on))

    # Lists, corrections, what is open

    def _publish(self) -> None:
        """Publishes the periods that ended the day before."""
        for name in LISTS:
            facts = self.ledger.facts()
            segments = AsOf(facts, facts.seq).list(name).segments
            period = period_around(segments, self.now.date() - dt.timedelta(days=1))
            if period.is_over(self.now.date()):
                self._publish_period(name, period.name)

    def _publish_period(self, name: str, period: str, second: str | None = None) -> None:
        request = Request(OFFICERS[0], "", "", "", second=second)
        for _ in publish_with_earlier(self.ledger, name, period, request, acknowledged=BOUNDS):
            pass

    def _incidents(self) -> Iterator[_Occasion]:
        """What goes wrong, and is put right: each later than the list that it reaches."""
        yield _Occasion(dt.date(2024, 4, 2), lambda: self._correct("memorial-2024", 3))
        yield _Occasion(
            dt.date(2024, 4, 3), lambda: self._editions(STANDARD, ("2024-01", "2024-02", "2024-03"))
        )
        yield _Occasion(dt.date(2024, 6, 26), self._import_twice)
        yield _Occasion(dt.date(2025, 2, 20), self._merge)
        yield _Occasion(dt.date(2025, 12, 1), lambda: self._grant(OFFICERS[1], Role.OFFICER))
        yield _Occasion(
            dt.date(2026, 3, 9), lambda: self._correct("costa-2026", 2, second=OFFICERS[1])
        )
        yield _Occasion(
            dt.date(2026, 3, 10), lambda: self._editions(STANDARD, ("2026-02",), OFFICERS[1])
        )
        yield _Occasion(
            dt.date(2026, 11, 5), lambda: self._correct("primavera-2026", 4, second=OFFICERS[1])
        )

    def _correct(self, tournament: str, nth: int, second: str | None = None) -> None:
        """Corrects a game that was reported as a draw: White had won it."""
        drawn = [board for board in self.boards[tournament] if board[3] == "1/2-1/2"]
        round_, white, black, _ = drawn[nth]
        correction = c.CorrectResult(
            tournament=tournament, round=round_, white=white, black=black,
            result=Result.parse("1-0"),
        )  # fmt: skip
        self._do(OFFICERS[0], "the score sheets say that White won", correction, second=second)

    def _editions(self, name: str, periods: Sequence[str], second: str | None = None) -> None:
        for period in periods:
            self._publish_period(name, period, second)

    def _import_twice(self) -> None:
        """Imports a report a second time under another name, and takes that back."""
        boards = self.boards["universitario-2024"]
        about = "universitario-final,Rápido Universitario 2024,2024-06-22,2024-06-22,swiss,rapid,"
        lines = (f"{about},{r},,{white},{black},{result}\n" for r, white, black, result in boards)
        receipt = self._import("universitario-final.csv", GAMES_HEADER + "".join(lines))
        assert receipt.commit_id is not None
        self.now += dt.timedelta(hours=5)
        request = self._request(OFFICERS[0], "the same tournament was imported twice", "undo")
        undo_commit(self.ledger, c.UndoCommit(commit=receipt.commit_id), request)

    def _merge(self) -> None:
        """Registers somebody a second time, plays under the new id, and finds out."""
        person = self.population.people[int(np.flatnonzero(self.population.month == 0)[40])]
        twin = c.RegisterPlayer(
            player="19999",
            identity=Identity(name=person.name, birth_date=str(person.born_on.year)),
            salt="0" * 32, federation=FEDERATION, on=self.now.date(),
        )  # fmt: skip
        self._do(OFFICERS[0], "", twin)
        same = c.MergePlayers(player="19999", into=person.id, on=self.now.date())
        self._do(OFFICERS[0], "the same person: born on the same day", same)

    def _open(self) -> Iterator[_Occasion]:
        """What is not over on the last day: events at the desk, others in the calendar."""
        running = YearlyEvent("clausura", "Torneo de Clausura", 11, 19, 7, 38, at_desk=True)
        masters = YearlyEvent(
            "copa", "Copa de Campeones", 11, 16, 9, 10, "strong", system=_RR, at_desk=True
        )
        for event, until in ((masters, 4), (running, 3)):
            starts_on = dt.date(LAST_ON.year, event.month, event.day)
            ends_on = starts_on + dt.timedelta(days=event.days + 3)
            yield _Occasion(
                LAST_ON, partial(self._desk_event, event, starts_on, ends_on, until=until)
            )
        yield _Occasion(LAST_ON - dt.timedelta(days=1), self._announce)

    def _announce(self) -> None:
        """Announces what is played next, and cancels one of it."""
        announced = [
            c.AnnounceTournament(
                tournament=f"{event.id}-{year}", name=f"{event.name} {year}",
                starts_on=dt.date(year, event.month, event.day),
                ends_on=dt.date(year, event.month, event.day) + dt.timedelta(days=event.days - 1),
                rate_of_play=event.rate, system=event.system, rounds=event.rounds,
                place=_PLACES[index % len(_PLACES)],
            )
            for index, event in enumerate(YEARLY[:7])
            for year in [LAST_ON.year + (event.month < LAST_ON.month)]
        ]  # fmt: skip
        self._do(ARBITERS[1], "", *announced)
        cancelled = c.CancelTournament(tournament=announced[-1].tournament)
        self._do(ARBITERS[1], "the hall is being rebuilt", cancelled)

    # How it is recorded

    def _arbiter(self) -> str:
        return ARBITERS[len(self.boards) % len(ARBITERS)]

    def _do(self, actor: str, reason: str, *commands: c.Command, second: str | None = None) -> None:
        request = self._request(actor, reason, body_of(commands), second)
        self.ledger.execute(commands, request)

    def _request(
        self, actor: str, reason: str, body: str = "", second: str | None = None
    ) -> Request:
        self.requests += 1
        return Request(actor, reason, f"federation:{self.requests}", body, second=second)


def _about(person: MadeUpPerson, on: dt.date) -> Iterator[c.Command]:
    """Yields what is recorded of a member."""
    issued = (IssuedId(id=person.fide_id, issuer="fide"),) if person.fide_id else None
    yield c.RegisterPlayer(
        player=person.id,
        identity=Identity.model_validate(
            {
                "name": person.name,
                "birth_date": str(person.born_on),
                "sex": person.sex,
                "ids": issued,
            }
        ),
        salt=person.salt, federation=FEDERATION, on=on,
    )  # fmt: skip
    yield c.AffiliatePlayer(
        player=person.id, club=person.club, region=person.region, licensed_until=None, on=on
    )
    if person.title is not None:
        yield c.AwardTitle(player=person.id, title=person.title, on=on)
    for name, (_, rate, _) in LISTS.items():
        if rate.value in person.ratings:
            yield c.SeedRating(
                player=person.id, list=name, rating=person.ratings[rate.value], on=FIRST_ON,
                games=person.games, source="the list before",
            )  # fmt: skip


def _opened(event: YearlyEvent, starts_on: dt.date, ends_on: dt.date) -> c.OpenTournament:
    return c.OpenTournament(
        tournament=f"{event.id}-{starts_on.year}", name=_with_year(event, starts_on),
        starts_on=starts_on, ends_on=ends_on, system=event.system, rate_of_play=event.rate,
        rounds=event.rounds, place=_PLACES[event.day % len(_PLACES)],
    )  # fmt: skip


def _with_year(event: YearlyEvent, on: dt.date) -> str:
    return f"{event.name} {on.year}"


def _all_play_all(strength: Real, random: np.random.Generator) -> tuple[Whole, Whole, Whole, Whole]:
    """Plays everybody against everybody, by turning all but the last around (an even number)."""
    count = len(strength)
    turning = list(range(count - 1))
    pairs: list[tuple[int, int, int]] = []
    for round_ in range(1, count):
        seats = [*turning, count - 1]
        for board in range(count // 2):
            white, black = seats[board], seats[-1 - board]
            pairs.append((round_, black, white) if (board + round_) % 2 else (round_, white, black))
        turning = [turning[-1], *turning[:-1]]
    round_column, white_column, black_column = (
        np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True)
    )
    codes = results(strength[white_column] - strength[black_column], random)
    return round_column, white_column, black_column, codes


def _month(day: dt.date) -> int:
    """Returns the number of a month, 0 for the first."""
    return (day.year - FIRST_ON.year) * 12 + day.month - FIRST_ON.month


def _noon(day: dt.date) -> dt.datetime:
    return dt.datetime(day.year, day.month, day.day, 12, tzinfo=dt.UTC)
