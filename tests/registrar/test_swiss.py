"""What an arbiter is stopped at in a Swiss, and what is recorded all the same."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from ledger.errors import InputRefused
from ledger.operations import commands as c
from ledger.results import Bye, Result
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, do, empty_ledger, import_text

DAY = dt.date(2010, 7, 10)
# As in the manual: a bye at most once a player, expelled after two absences.
FENAMAC = PairingMethod.FENAMAC_1975
BYES_AT_MOST = 1
ABSENCES_UNTIL_EXPELLED = 2


def game(round_: int, pair: str, result: str, *, anyway: bool | None = None) -> c.RecordGame:
    return c.RecordGame(
        tournament="T", round=round_, white=pair[0], black=pair[1], result=Result.parse(result),
        anyway=anyway,
    )  # fmt: skip


def bye(round_: int, player: str, kind: Bye, *, anyway: bool | None = None) -> c.GiveBye:
    return c.GiveBye(tournament="T", round=round_, player=player, kind=kind, anyway=anyway)


def opened(system: System = System.SWISS, pairing: PairingMethod | None = FENAMAC) -> Ledger:
    """A tournament of five; rules are announced in a Swiss only."""
    ledger = empty_ledger()
    import_text(ledger, PLAYERS_HEADER + "".join(f"{p},{p},,,,,,\n" for p in "ABCDE"))
    do(
        ledger,
        c.OpenTournament(
            tournament="T", name="T", starts_on=DAY, ends_on=DAY, system=system,
            rate_of_play=Rate.CLASSICAL,
        ),
        *(c.EnterPlayer(tournament="T", player=player) for player in "ABCDE"),
    )  # fmt: skip
    if system is System.SWISS and pairing is not None:
        do(ledger, c.AnnounceRules(tournament="T", pairing=pairing, rounds=9))
    return ledger


CASES: dict[str, tuple[list[c.Command], c.RecordGame | c.GiveBye, list[str]]] = {
    "a second meeting, colours reversed": (
        [game(1, "AB", "1-0")], game(3, "BA", "0-1", anyway=False), ["second-meeting"],
    ),
    "a second meeting after an adjourned game": (
        [c.AdjournGame(tournament="T", round=1, white="A", black="B")],
        game(3, "AB", "0-1", anyway=False), ["second-meeting"],
    ),
    "a second bye": (
        [bye(n, "A", Bye.PAIRING_ALLOCATED) for n in range(1, 1 + BYES_AT_MOST)],
        bye(4, "A", Bye.FULL, anyway=False), ["second-bye"],
    ),
    "a second absence": (
        [game(1, "AB", "-/+")], game(2, "CA", "+/-", anyway=False), ["second-absence"],
    ),
    "both absent for the second time": (
        [game(1, "AB", "-/-")], game(2, "BA", "-/-", anyway=False),
        ["second-absence", "second-absence"],
    ),
    "a game of somebody who is out": (
        [game(n, pair, "-/+") for n, pair in zip(range(1, 1 + ABSENCES_UNTIL_EXPELLED),
         ("AB", "AC"), strict=True)],
        game(3, "AD", "1-0", anyway=False), ["expelled"],
    ),
    "a bye of somebody who is out": (
        [game(1, "AB", "-/+"), game(2, "AC", "-/+")],
        bye(3, "A", Bye.HALF, anyway=False), ["expelled"],
    ),
    "a second meeting with somebody who is out": (
        [game(1, "AD", "1-0"), game(2, "AB", "-/+"), game(3, "AC", "-/+")],
        game(4, "AD", "1-0", anyway=False), ["second-meeting", "expelled"],
    ),
}  # fmt: skip


def recorded_anyway(command: c.RecordGame | c.GiveBye) -> c.Command:
    match command:
        case c.GiveBye():
            return bye(command.round, command.player, command.kind, anyway=True)
        case c.RecordGame():
            pair = command.white + command.black
            return game(command.round, pair, str(command.result), anyway=True)


@pytest.mark.parametrize("case", CASES)
def test_refused_by_hand_and_recorded_when_it_was_so(case: str) -> None:
    before, command, breaches = CASES[case]
    ledger = opened()
    do(ledger, *before)
    with pytest.raises(InputRefused) as refusal:
        do(ledger, command)
    error = refusal.value
    assert error.message.key == "pairing.against_rules"
    told = [dict(error.message.values)["why"], *(detail.message for detail in error.details)]
    assert [message.key for message in told] == [  # type: ignore[attr-defined]
        f"breach.{breach.replace('-', '_')}" for breach in breaches
    ]
    receipt = do(ledger, recorded_anyway(command))
    (stored,) = ledger.journal.events(after=receipt.first_seq - 1)
    assert json.loads(stored.payload)["despite"] == list(dict.fromkeys(breaches))
    assert [note.message.key for note in receipt.notes] == ["pairing.despite"] * len(breaches)


ABSENCES = [case for case, (_, _, breaches) in CASES.items() if "second-meeting" not in breaches]
ABSENCES.remove("a second bye")


@pytest.mark.parametrize("case", ABSENCES)
@pytest.mark.parametrize("pairing", PairingMethod)
def test_two_absences_end_it_where_the_systems_of_1975_are_announced(
    case: str, pairing: PairingMethod
) -> None:
    before, command, breaches = CASES[case]
    if pairing in (PairingMethod.FENAMAC_1975, PairingMethod.PRACTICAL_1975):
        ledger = opened(pairing=pairing)
        receipt = do(ledger, *before, recorded_anyway(command))
        assert len(receipt.notes) == len(breaches)
        return
    # No other method pairs a Swiss but the Dutch system; of the others nothing is announced.
    ledger = opened(pairing=pairing if pairing is PairingMethod.DUTCH else None)
    receipt = do(ledger, *before, command)
    assert '"despite"' not in receipt.events[-1].event.canonical()
    assert receipt.notes == ()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("system", [System.ROUND_ROBIN, System.MATCH, System.TEAM_SWISS])
def test_no_other_system_has_these_rules(case: str, system: System) -> None:
    before, command, _ = CASES[case]
    ledger = opened(system)
    receipt = do(ledger, *before, command)
    assert '"despite"' not in receipt.events[-1].event.canonical()


FINE: dict[str, tuple[list[c.Command], c.RecordGame | c.GiveBye]] = {
    "two who were paired, and one did not come": (
        [game(1, "AB", "+/-")], game(3, "BA", "1-0", anyway=False),
    ),
    "leave that was asked for, twice": (
        [bye(1, "A", Bye.HALF)], bye(2, "A", Bye.HALF, anyway=False),
    ),
    "a bye after leave": ([bye(1, "A", Bye.ZERO)], bye(2, "A", Bye.FULL, anyway=False)),
    "a bye after a win by forfeit": ([game(1, "AB", "+/-")], bye(2, "A", Bye.FULL, anyway=False)),
    "the first absence": ([], game(1, "AB", "+/-", anyway=False)),
    "a late result of a round before he was out": (
        [game(2, "AB", "-/+"), game(4, "AC", "-/+")], game(3, "AD", "1-0", anyway=False),
    ),
    "the rounds of somebody who is out": (
        [game(1, "AB", "-/+"), game(2, "AC", "-/+")], bye(3, "A", Bye.ZERO, anyway=False),
    ),
    "the result of a game that was adjudicated for the pairing": (
        [
            c.AdjudicateGame(
                tournament="T", round=1, white="A", black="B", result=Result.parse("1-1a"),
                ruling="temporary",
            )
        ],
        game(1, "AB", "1-0", anyway=False),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("anyway", [False, True])
def test_what_breaks_no_rule_bears_no_mark(case: str, *, anyway: bool) -> None:
    before, command = FINE[case]
    ledger = opened()
    do(ledger, *before)
    receipt = do(ledger, recorded_anyway(command) if anyway else command)
    assert '"despite"' not in receipt.events[0].event.canonical()
    assert receipt.notes == ()


ABOUT = "S,Copa,2010-07-10,2010-07-12,swiss,rapid,"
IRREGULAR = (
    "1,,A,B,1-0", "2,,B,A,1-0", "3,,A,B,1-0", "1,,C,D,-/+", "2,,C,E,-/+", "3,,C,D,1-0",
    "4,,C,,U", "1,,E,,U", "3,,E,,F",
)  # fmt: skip
NOTES = {
    "round 3: C was absent for the second time in round 2 and is out of the tournament": 2,
    "round 2: C was absent in round 1 already; who is absent twice is out of the tournament "
    "('record withdrawal')": 1,
    "round 3: E had a bye in round 1 already, and nobody is given two": 1,
    "round 2: A and B met in round 1 already, and in a Swiss nobody meets twice": 2,
}
NOTES_WITHOUT_RULES = {why: count for why, count in NOTES.items() if "absent" not in why}


@pytest.mark.parametrize("rows", [IRREGULAR, IRREGULAR[::-1]], ids=["in order", "backwards"])
@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize("closely", [False, True])
def test_a_file_is_recorded_with_a_note_of_each_kind(
    rows: tuple[str, ...], *, closely: bool, announced: bool
) -> None:
    ledger = opened()
    if closely:  # a tournament that is there already is held against what is recorded
        import_text(ledger, GAMES_HEADER + f"{ABOUT},9,,D,E,1-0\n")
        if announced:
            do(ledger, c.AnnounceRules(tournament="S", pairing=FENAMAC))
    receipt = import_text(ledger, GAMES_HEADER + "".join(f"{ABOUT},{row}\n" for row in rows))
    told = [dict(n.message.values) for n in receipt.notes if n.message.key == "import.irregular"]
    expected = NOTES if closely and announced else NOTES_WITHOUT_RULES
    assert {str(note["why"]): note["count"] for note in told} == expected
    assert all('"despite"' not in dated.event.canonical() for dated in receipt.events)
    again = import_text(ledger, GAMES_HEADER + "".join(f"{ABOUT},{row}\n" for row in rows) + "\n")
    assert not again.events
    assert not [note for note in again.notes if note.message.key == "import.irregular"]


def test_an_all_play_all_in_two_cycles_is_no_irregularity() -> None:
    text = GAMES_HEADER + "".join(f"{ABOUT},{row}\n" for row in IRREGULAR)
    assert import_text(opened(), text.replace("swiss", "round-robin")).notes == ()
