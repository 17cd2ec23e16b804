"""Requests that others overtake: decided again only where it concerns them, and never starved."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.events.personal import Identity
from ledger.identifiers import NO_EVENT
from ledger.intake import players_file
from ledger.intake.games_file import GamesFile
from ledger.intake.imports import Document, import_document
from ledger.journal.batch import counts_of
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, Draft, Head
from ledger.journal.verify.check import check
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.decisions import Decided, Decider, Decision, Dependencies
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Rate, System
from tests.intake.test_large_games import a_ledger, files
from tests.journal.drafts import dated, game
from tests.ledgers import GAMES_HEADER, NOW, PLAYERS_HEADER, define, do, empty_ledger, request
from tests.profile import examples

DAY = dt.date(2010, 7, 10)
ABOUT = "Torneo,2010-07-10,2010-07-12,swiss,rapid,"
GAMES = GAMES_HEADER + f"T,{ABOUT},1,,A,B,1-0\n"
WIN, LOSS = Result.parse("1-0"), Result.parse("0-1")


def registration(player: str) -> c.RegisterPlayer:
    return c.RegisterPlayer(
        player=player, identity=Identity(name=player), salt=player.encode().hex().zfill(32),
        federation=None, on=DAY,
    )  # fmt: skip


def opening(tournament: str) -> c.OpenTournament:
    return c.OpenTournament(
        tournament=tournament, name="Torneo", starts_on=DAY, ends_on=dt.date(2010, 7, 12),
        system=System.SWISS, rate_of_play=Rate.RAPID,
    )  # fmt: skip


def entry(player: str, tournament: str = "T") -> c.EnterPlayer:
    return c.EnterPlayer(tournament=tournament, player=player)


def record(result: Result, tournament: str = "T") -> c.RecordGame:
    return c.RecordGame(tournament=tournament, round=1, white="A", black="B", result=result)


def correction(result: Result) -> c.CorrectResult:
    return c.CorrectResult(tournament="T", round=1, white="A", black="B", result=result)


class Overtaken(Ledger):
    """A ledger that others overtake, a number of times; it counts what it does meanwhile."""

    def __init__(self, journal: Journal, others: Callable[[], object], times: int = 1) -> None:
        super().__init__(journal, clock=lambda: NOW)
        self.decided = self.raced = self.turns = 0
        self._others = others
        self._times = times
        self._overtaking = False

    def append_decided(self, decide: Decider, request: Request) -> Receipt:
        append, append_in_turn = self.journal.append, self.journal.append_in_turn

        def counted(head: Head) -> Decided:
            self.decided += 1
            return decide(head)

        def raced(draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
            self._overtake()
            return append(draft, expected_seq=expected_seq, recorded_at=recorded_at)

        def in_turn(
            draft_at: Callable[[Head], Draft], recorded_at: Callable[[], dt.datetime]
        ) -> Commit:
            self.turns += 1
            self._overtake()
            return append_in_turn(draft_at, recorded_at)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.journal, "append", raced)
            patch.setattr(self.journal, "append_in_turn", in_turn)
            return super().append_decided(counted, request)

    def _overtake(self) -> None:
        if not self._overtaking:
            self.raced += 1
            self._overtaking = self.raced <= self._times
            if self._overtaking:
                self._others()
            self._overtaking = False


Overtake: TypeAlias = Callable[..., Overtaken]


@pytest.fixture
def overtaken(journal: Journal) -> Overtake:
    """What makes a ledger of the players A and B that is overtaken, once, by some commands."""
    do(empty_ledger(journal), registration("A"), registration("B"))
    return lambda *commands: Overtaken(journal, lambda: do(empty_ledger(journal), *commands))


def imported(ledger: Ledger, text: str = GAMES, *, as_correction: bool = False) -> Receipt:
    document = Document(name="f.csv", data=text.encode(), as_correction=as_correction)
    return import_document(ledger, document, Request("t", "why", "", ""))


def payloads(journal: Journal, stream: str) -> list[dict[str, Any]]:
    return [json.loads(event.payload) for event in journal.streams([stream])]


def test_dependencies_are_streams_and_all_streams_of_a_kind() -> None:
    concerns = Dependencies.on(["player:a:b", "list:*"])
    assert "player:a:b" in concerns
    assert "list:ENF" in concerns
    assert "player:a" not in concerns
    assert "tournament:a:b" not in concerns


# Not concerned: decided once


def test_games_are_not_decided_again_when_something_else_is_recorded(overtaken: Overtake) -> None:
    ledger = overtaken(registration("X"), opening("Z"))
    receipt = imported(ledger)
    assert (ledger.decided, ledger.raced, ledger.turns) == (1, 2, 0)
    assert (receipt.first_seq, receipt.last_seq, receipt.repeated) == (5, 8, False)
    assert check(ledger.journal).findings == ()


def test_players_are_not_decided_again_when_others_are_recorded(overtaken: Overtake) -> None:
    ledger = overtaken(registration("X"), opening("Z"))
    assert imported(ledger, PLAYERS_HEADER + "Y,Yara,,,,,,\n").first_seq == 5
    assert ledger.decided == 1


def test_commands_are_not_decided_again_when_something_else_is_recorded(
    overtaken: Overtake,
) -> None:
    ledger = overtaken(opening("Z"))
    assert do(ledger, opening("T"), entry("A")).first_seq == 4
    assert ledger.decided == 1


# Concerned: decided again


def test_a_player_merged_in_between_refuses_the_games(overtaken: Overtake) -> None:
    ledger = overtaken(c.MergePlayers(player="A", into="B", on=DAY))
    with pytest.raises(InputRefused) as refusal:
        imported(ledger)
    assert {problem.message.key for problem in refusal.value.details} >= {"pairing.against_himself"}
    assert (ledger.decided, ledger.journal.head().seq) == (2, 3)


def test_a_tournament_opened_in_between_is_continued(overtaken: Overtake) -> None:
    ledger = overtaken(opening("T"), entry("A"), entry("B"))
    receipt = imported(ledger)
    assert (ledger.decided, receipt.counts) == (2, {"result.recorded": 1})


def test_only_the_tournaments_that_are_concerned_are_decided_again(
    overtaken: Overtake, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[str] = []
    decide = GamesFile._decide

    def counted(self: GamesFile, tournament: str, *others: Any) -> None:
        named.append(tournament)
        decide(self, tournament, *others)

    monkeypatch.setattr(GamesFile, "_decide", counted)
    title = c.AwardTitle(player="C", title="IM", on=DAY)
    ledger = overtaken(opening("T2"), title)
    do(empty_ledger(ledger.journal), registration("C"), registration("D"))
    games = {"T1": "A,B", "T2": "A,B", "T3": "C,D", "T4": "B,A"}
    rows = (f"{name},{ABOUT},1,,{players},1-0\n" for name, players in games.items())
    receipt = imported(ledger, GAMES_HEADER + "".join(rows))
    assert named == ["T1", "T2", "T3", "T4", "T2", "T3"]
    streams = [event.stream for event in ledger.journal.events(after=receipt.first_seq - 1)]
    assert list(dict.fromkeys(streams)) == [f"tournament:{name}" for name in games]
    assert receipt.counts["tournament.opened"] == 3


def test_a_result_recorded_in_between_is_a_difference(overtaken: Overtake) -> None:
    ledger = overtaken(opening("T"), entry("A"), entry("B"), record(LOSS))
    with pytest.raises(Conflict) as conflict:
        imported(ledger)
    assert [each.message.key for each in conflict.value.details] == ["import.other_pairing"]
    assert ledger.decided == 2


def test_a_player_registered_in_between_is_held_against_the_file(overtaken: Overtake) -> None:
    ledger = overtaken(registration("X"))
    assert not imported(ledger, PLAYERS_HEADER + "X,X,,,,,,\n").events
    assert (ledger.decided, ledger.journal.head().seq) == (2, 3)


def test_a_list_defined_in_between_concerns_every_players_file(journal: Journal) -> None:
    ledger = Overtaken(journal, lambda: define(empty_ledger(journal)))
    imported(ledger, PLAYERS_HEADER + "X,X,,,,,,\n")
    assert ledger.decided == 2


# Events that name seqs


def test_what_supersedes_an_event_of_the_same_draft_names_its_seq(overtaken: Overtake) -> None:
    ledger = overtaken(registration("X"))
    do(ledger, opening("T"), entry("A"), entry("B"), record(WIN), correction(LOSS))
    *_, game_event, corrected = ledger.journal.streams(["tournament:T"])
    assert json.loads(corrected.payload)["supersedes"] == game_event.seq == 7
    assert ledger.decided == 2


def test_what_supersedes_an_older_event_is_not_decided_again(overtaken: Overtake) -> None:
    ledger = overtaken(registration("X"))
    do(empty_ledger(ledger.journal), opening("T"), entry("A"), entry("B"), record(WIN))
    do(ledger, correction(LOSS))
    assert payloads(ledger.journal, "tournament:T")[-1]["supersedes"] == 6
    assert ledger.decided == 1


# Who is overtaken again and again


def stream_of_writes(journal: Journal, made: Callable[[int], c.Command]) -> Callable[[], Receipt]:
    numbers = count()
    return lambda: do(empty_ledger(journal), made(next(numbers)))


@pytest.mark.parametrize(
    ("made", "decided"),
    [
        (lambda number: registration(f"X{number}"), 1),
        (
            lambda number: c.AwardTitle(player="A", title=("CM", "FM", "IM", "GM")[number], on=DAY),
            4,
        ),
    ],
)
def test_after_three_lost_races_it_has_its_turn(
    journal: Journal, made: Callable[[int], c.Command], decided: int
) -> None:
    do(empty_ledger(journal), registration("A"), registration("B"))
    ledger = Overtaken(journal, stream_of_writes(journal, made), times=99)
    receipt = imported(ledger)
    assert (ledger.raced, ledger.turns, ledger.decided) == (4, 1, decided)
    assert (receipt.first_seq, receipt.last_seq) == (7, 10)
    assert check(journal).findings == ()


def test_a_slow_decision_comes_to_its_end_beside_many_small_writes(journal: Journal) -> None:
    """Three writers in threads, one of whom records what the slow decision depends on."""
    do(empty_ledger(journal), registration("A"))
    ended, lost_race = threading.Event(), threading.Event()
    decided_at: list[int] = []

    def decide(head: Head) -> Decided:
        decided_at.append(head.seq)
        if len(decided_at) == 1:
            assert lost_race.wait(60), "a writer records what the decision depends on"
        events = dated(*(game(number) for number in range(200)))
        return Decided(events, depends_on=Dependencies.on(["player:A", "tournament:club"]))

    def keep_writing(number: int) -> int:
        writes = 0
        while not ended.is_set() or not writes:
            player, in_between = f"N{number}-{writes}", bool(decided_at)
            command: c.Command = registration(player)
            if number == 0:
                command = c.AssignK(player="A", k=writes % 2 + 10, list=None, on=DAY)
            Ledger(journal, clock=lambda: NOW).execute([command], Request("t", "", player, ""))
            writes += 1
            if number == 0 and in_between:
                lost_race.set()
        return writes

    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(keep_writing, number) for number in range(3)]
        try:
            receipt = empty_ledger(journal).append_decided(decide, request())
        finally:
            ended.set()
        writes = [writer.result() for writer in writers]
    assert 2 <= len(decided_at) <= 4
    assert min(writes) > 0
    assert receipt.last_seq - receipt.first_seq == 199
    found = check(journal)
    assert (found.findings, found.events) == ((), 1 + sum(writes) + 200)


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_twin_that_was_faster_answers(journal: Journal, before: int) -> None:
    """At once, after a lost race, and on the way to the turn."""
    do(empty_ledger(journal), registration("A"), registration("B"))
    numbers = count()

    def overtake() -> None:
        number = next(numbers)
        if number < before:
            do(empty_ledger(journal), registration(f"X{number}"))
        else:
            imported(empty_ledger(journal))

    receipt = imported(Overtaken(journal, overtake, times=before + 1))
    assert (receipt.first_seq, receipt.last_seq) == (3 + before, 6 + before)
    assert receipt.commit_id == journal.head().commit_id
    assert journal.head().seq == receipt.last_seq


# Law: what was decided before, and still holds, is what would be decided now

OTHERS: list[c.Command] = [
    registration("X"), registration("Z"), opening("T"), opening("U"), opening("Z"), entry("A", "R"),
    c.MergePlayers(player="A", into="E", on=DAY), c.MergePlayers(player="C", into="D", on=DAY),
    c.AssignK(player="B", k=20, list=None, on=DAY), record(WIN, "R"),
    c.AnnulResult(tournament="R", round=1, white="A", black="B"),
    c.RuleOnTournament(tournament="R", ruling="annul", on=DAY),
    c.CorrectIdentity(player="A", identity=Identity(name="Ana"), salt="1" * 32, federation=None,
                      on=DAY),
]  # fmt: skip


class Asked(Ledger):
    """Says of a request what would be decided now."""

    def append_decided(self, decide: Decider, request: Request) -> Receipt:
        del request
        raise Told(outcome(decide, self.journal.head()))


class Told(Exception):
    """What would be decided; ``args`` holds it."""


class Held(Ledger):
    """Decides a request before others append and after each of them, as if for the first time."""

    def __init__(self, others: Sequence[c.Command], asked: Callable[[Ledger], object]) -> None:
        super().__init__(a_ledger().journal, clock=lambda: NOW)
        self._others = others
        self._asked = asked
        asked(self)

    def append_decided(self, decide: Decider, request: Request) -> Receipt:
        del request
        decision = Decision(self.journal, decide)
        kept = outcome(decision.at, self.journal.head())
        for command in self._others:
            assert kept == self._anew()
            if isinstance(kept[0], type):  # the request ends with a refusal
                break
            with contextlib.suppress(LedgerError):
                do(empty_ledger(self.journal), command)
            kept = outcome(decision.at, self.journal.head())
        assert kept == self._anew()
        return Receipt(NO_EVENT, NO_EVENT, None, ())

    def _anew(self) -> object:
        with pytest.raises(Told) as told:
            self._asked(Asked(self.journal, clock=lambda: NOW))
        return told.value.args[0]


def outcome(decide: Decider, head: Head) -> tuple[object, ...]:
    """Returns what is decided, as values, or why nothing is."""
    try:
        decided = decide(head)
    except LedgerError as error:
        return type(error), error.message, error.details
    return tuple(decided.events), decided.personal, decided.notes, counts_of(decided.events)


other_commands = st.lists(st.sampled_from(OTHERS), max_size=4)


@examples(300)
@given(lines=files, others=other_commands, as_correction=st.booleans())
def test_games_that_still_hold_are_what_would_be_decided(
    lines: list[str], others: list[c.Command], *, as_correction: bool
) -> None:
    text = GAMES_HEADER + "".join(f"{line}\n" for line in lines)
    Held(others, lambda ledger: without_rows(ledger, text, as_correction=as_correction))


def without_rows(ledger: Ledger, text: str, *, as_correction: bool) -> None:
    """Imports a file that may have no rows that can be read."""
    with contextlib.suppress(InputRefused):
        imported(ledger, text, as_correction=as_correction)


@examples(150)
@given(
    players=st.lists(st.sampled_from("ABCEXYZ"), min_size=1, max_size=4, unique=True),
    others=other_commands,
    page=st.sampled_from([1, 2, 99]),
)
def test_players_who_still_hold_are_who_would_be_decided(
    players: list[str], others: list[c.Command], page: int
) -> None:
    text = PLAYERS_HEADER + "".join(f"{player},Otra,,,,,20,\n" for player in players)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda _: "5" * 32)
        patch.setattr(players_file, "_PAGE_ROWS", page)
        Held(others, lambda ledger: imported(ledger, text, as_correction=True))


@examples(300)
@given(
    commands=st.lists(st.sampled_from(OTHERS), min_size=1, max_size=3),
    others=other_commands,
)
def test_commands_that_still_hold_are_what_would_be_decided(
    commands: list[c.Command], others: list[c.Command]
) -> None:
    Held(others, lambda ledger: do(ledger, *commands))
