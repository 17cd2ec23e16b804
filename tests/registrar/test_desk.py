"""What an arbiter decides at the desk: in its order, once, and never over what was relied on."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from ledger.answers.tournaments import require_tournament
from ledger.desk.rounds import (
    input_sha256,
    next_round,
    not_paired,
    open_boards,
    round_to_pair,
)
from ledger.desk.score_sheet import How, cycles, score_sheet
from ledger.errors import Conflict, InputRefused
from ledger.events.desk import RoundPublished
from ledger.events.personal import Identity
from ledger.events.tournaments import ReportDetails
from ledger.facts.tournament import TournamentRecord
from ledger.intake.event_check import check_tournament
from ledger.operations.commands import (
    AdjournGame,
    AdjudicateGame,
    AnnounceAbsence,
    AnnouncePrizes,
    AnnounceRules,
    AnnulResult,
    AssignNumbers,
    ChangeRounds,
    ChangeRules,
    CloseTournament,
    Command,
    CorrectTournament,
    DescribeEntry,
    EnterPlayer,
    ExcuseAbsence,
    ExpelPlayer,
    GiveBye,
    HandInLineup,
    MergePlayers,
    OpenTournament,
    PublishRound,
    PublishStandings,
    RecordGame,
    RegisterPlayer,
    ReturnPlayer,
    RuleOnTournament,
    WithdrawPlayer,
    WithdrawRound,
)
from ledger.results import Bye, Result
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from tests.ledgers import do, empty_ledger, request

DAY = dt.date(2025, 6, 1)


@pytest.fixture
def ledger() -> Ledger:
    """Five players, P1 to P5, in a Swiss of four rounds with announced rules."""
    made = empty_ledger()
    players = [f"P{number}" for number in range(1, 6)]
    do(made, *(registered(player) for player in players))
    do(
        made,
        OpenTournament(
            tournament="T",
            name="Open",
            starts_on=DAY,
            ends_on=DAY,
            system=System.SWISS,
            rate_of_play=Rate.CLASSICAL,
            rounds=4,
        ),
        *(EnterPlayer(tournament="T", player=player) for player in players),
        AnnounceRules(tournament="T", pairing=PairingMethod.FENAMAC_1975, tie_breaks=("median",)),
    )
    return made


def registered(player: str) -> RegisterPlayer:
    identity = Identity(name=f"Name {player}")
    return RegisterPlayer(player=player, identity=identity, salt="0" * 32, federation="CHI", on=DAY)


def record_of(ledger: Ledger) -> TournamentRecord:
    return require_tournament(ledger, "T", ledger.journal.head().seq)


def round_of(ledger: Ledger, round_: int, boards: str, bye: str | None) -> PublishRound:
    to_pair = round_to_pair(record_of(ledger), round_)
    pairs = [board.split("-") for board in boards.split()]
    return PublishRound(
        tournament="T",
        round=round_,
        boards=tuple((f"P{white}", f"P{black}") for white, black in pairs),
        bye=bye,
        engine="fenamac-1975 0",
        input_sha256=input_sha256(to_pair),
    )


def by_hand(said: PublishRound) -> PublishRound:
    return replace(said, by_hand=True)


def game(round_: int, white: int, black: int, result: str) -> RecordGame:
    return RecordGame(
        tournament="T",
        round=round_,
        white=f"P{white}",
        black=f"P{black}",
        result=Result.parse(result),
        anyway=False,
    )


def refused(ledger: Ledger, command: Command) -> str:
    with pytest.raises(InputRefused) as refusal:
        do(ledger, command)
    return refusal.value.message.key


def test_a_round_is_published_with_its_bye_and_who_is_away(ledger: Ledger) -> None:
    do(ledger, AnnounceAbsence(tournament="T", player="P5", round=1, kind=Bye.HALF))
    do(ledger, round_of(ledger, 1, "1-3 4-2", None))
    record = record_of(ledger)
    published = record.desk.rounds[1]
    assert published.boards == (("P1", "P3"), ("P4", "P2"))
    assert published.event.not_paired == (("P5", "announced"),)
    assert record.pairings[1, "P5"].result is Bye.HALF
    sheet = score_sheet(record)
    assert [card.lines[0].how for card in sheet.cards.values()] == [*[How.OPEN] * 4, How.HALF_BYE]
    assert sheet.halves == {1: 0, 2: 0, 3: 0, 4: 0, 5: 1}


def test_the_next_round_waits_for_every_result(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"))
    do(ledger, AdjournGame(tournament="T", round=1, white="P4", black="P2"))
    with pytest.raises(InputRefused) as refusal:
        round_to_pair(record_of(ledger), 2)
    assert refusal.value.message.key == "desk.round_incomplete"
    assert "P4 - P2" in str(refusal.value)
    ruling = AdjudicateGame(
        tournament="T",
        round=1,
        white="P4",
        black="P2",
        result=Result.parse("1-1a"),
        ruling="temporary",
    )
    do(ledger, ruling)
    to_pair = round_to_pair(record_of(ledger), 2)
    assert to_pair.sheet.cards[4].lines[0].temporary
    assert to_pair.sheet.halves == {1: 2, 2: 2, 3: 0, 4: 2, 5: 2}


def test_rounds_come_in_order_and_once(ledger: Ledger) -> None:
    first = round_of(ledger, 1, "1-3 4-2", "P5")
    assert refused(ledger, WithdrawRound(tournament="T", round=1)) == "desk.not_published"
    do(ledger, first)
    assert refused(ledger, first) == "desk.published_already"
    assert refused(ledger, replace(first, round=3)) == "desk.not_next"
    assert refused(ledger, replace(first, round=5)) == "pairing.no_such_round"


def test_a_round_of_other_facts_is_paired_again(ledger: Ledger) -> None:
    said = round_of(ledger, 1, "1-3 4-2", "P5")
    do(ledger, WithdrawPlayer(tournament="T", player="P5", from_round=1))
    with pytest.raises(Conflict) as conflict:
        do(ledger, said)
    assert conflict.value.message.key == "desk.paired_from_other"


@pytest.mark.parametrize(
    ("boards", "bye", "why"),
    [
        ("1-3 4-2", None, "desk.left_out"),
        ("1-3 3-2", "P5", "desk.seated_twice"),
        ("1-3 4-2", "P4", "desk.seated_twice"),
        ("1-3 4-9", "P5", "tournament.not_entered"),
    ],
)
def test_everybody_present_sits_at_one_board(
    ledger: Ledger, boards: str, bye: str, why: str
) -> None:
    assert refused(ledger, round_of(ledger, 1, boards, bye)) == why
    assert refused(ledger, by_hand(round_of(ledger, 1, boards, bye))) == why


def test_rules_are_broken_by_hand_only_and_the_round_says_which(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "0-1"))
    again = round_of(ledger, 2, "3-1 2-4", "P5")
    assert refused(ledger, again) == "desk.against_rules"
    do(ledger, by_hand(again))
    event = record_of(ledger).desk.rounds[2].event
    assert event.by_hand
    assert event.deviations == ("second-meeting", "second-bye")


def test_a_result_has_a_board_of_the_published_round(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    assert refused(ledger, game(1, 1, 2, "1-0")) == "desk.no_such_board"
    assert refused(ledger, game(1, 3, 1, "1-0")) == "desk.no_such_board"
    do(ledger, game(1, 1, 3, "1-0"))


def test_a_round_is_withdrawn_until_somebody_relies_on_it(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, WithdrawRound(tournament="T", round=1))
    record = record_of(ledger)
    assert not record.desk.rounds
    assert not record.pairings
    assert len(record.desk.undone) == 1
    do(ledger, round_of(ledger, 1, "1-4 3-2", "P5"))
    do(ledger, game(1, 1, 4, "1-0"))
    assert refused(ledger, WithdrawRound(tournament="T", round=1)) == "desk.results_there"


def test_who_missed_a_round_unannounced_goes_on_with_leave_only(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "+/-"), game(1, 4, 2, "0-1"))
    assert 3 in round_to_pair(record_of(ledger), 2).absent
    do(ledger, ExcuseAbsence(tournament="T", player="P3", from_round=2))
    assert not round_to_pair(record_of(ledger), 2).absent
    again = ExcuseAbsence(tournament="T", player="P3", from_round=2)
    assert refused(ledger, again) == "desk.nothing_to_excuse"


def test_two_missed_rounds_end_it_under_the_manual(ledger: Ledger) -> None:
    do(ledger, AnnounceAbsence(tournament="T", player="P5", round=1))
    do(ledger, AnnounceAbsence(tournament="T", player="P5", round=2))
    do(ledger, round_of(ledger, 1, "1-3 4-2", None))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
    do(ledger, round_of(ledger, 2, "1-4 2-3", None))
    do(ledger, game(2, 1, 4, "1-0"), game(2, 2, 3, "1-0"))
    assert round_to_pair(record_of(ledger), 3).absent == {5}
    do(ledger, round_of(ledger, 3, "2-1 3-4", None))
    assert [card.expelled for card in score_sheet(record_of(ledger)).cards.values()][-1]
    do(ledger, WithdrawRound(tournament="T", round=3))
    do(ledger, ExpelPlayer(tournament="T", player="P2", from_round=3))
    assert round_to_pair(record_of(ledger), 3).absent == {2, 5}
    late = AnnounceAbsence(tournament="T", player="P1", round=2)
    assert refused(ledger, late) == "desk.absence_too_late"


def test_an_announced_absence_is_taken_back(ledger: Ledger) -> None:
    undone = AnnounceAbsence(tournament="T", player="P5", round=1, kind=None)
    assert refused(ledger, undone) == "desk.absence_unknown"
    do(ledger, AnnounceAbsence(tournament="T", player="P5", round=1))
    assert round_to_pair(record_of(ledger), 1).absent == {5}
    do(ledger, undone)
    assert not round_to_pair(record_of(ledger), 1).absent


def test_a_second_absence_is_told_and_can_be_excused(ledger: Ledger) -> None:
    first = do(ledger, AnnounceAbsence(tournament="T", player="P5", round=1))
    assert not first.notes
    second = do(ledger, AnnounceAbsence(tournament="T", player="P5", round=2, kind=Bye.HALF))
    assert [note.message.key for note in second.notes] == ["desk.second_absence"]
    do(ledger, round_of(ledger, 1, "1-3 4-2", None))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
    do(ledger, round_of(ledger, 2, "1-4 2-3", None))
    do(ledger, game(2, 1, 4, "1-0"), game(2, 2, 3, "1-0"))
    assert round_to_pair(record_of(ledger), 3).absent == {5}
    do(ledger, ExcuseAbsence(tournament="T", player="P5", from_round=3))
    assert not round_to_pair(record_of(ledger), 3).absent


def test_what_is_open_when_a_tournament_is_closed_is_told(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    temporary = AdjudicateGame(
        tournament="T", round=1, white="P4", black="P2",
        result=Result.parse("1-1a"), ruling="temporary",
    )  # fmt: skip
    do(ledger, temporary)
    notes = do(ledger, CloseTournament(tournament="T", on=DAY, anyway=True)).notes
    assert [str(note.message) for note in notes] == [
        (
            "T is closed with 1 game without a result, among them P1 - P3 of round 1; "
            "a later result is a correction (--as-correction --reason …)"
        ),
        (
            "T is closed with 1 game adjudicated for the pairing only, among them P4 - P2 of "
            "round 1: such points are not rated and not in final standings; adjudicated for "
            "good later, it is a correction (--as-correction --reason …)"
        ),
    ]
    assert "se cierra con 1 partida sin resultado" in notes[0].message.within("es")
    assert "1 partida adjudicada solo para el pareo" in notes[1].message.within("es")


def test_an_adjourned_game_is_told_at_the_close_and_a_finished_event_says_nothing(
    ledger: Ledger,
) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"), game(1, 1, 3, "1-0"))
    do(ledger, AdjournGame(tournament="T", round=1, white="P4", black="P2"))
    close = CloseTournament(tournament="T", on=DAY, anyway=True)
    [note] = ledger.execute([close], request(dry_run=True)).notes
    assert note.message.key == "tournament.closed_open"
    do(ledger, game(1, 4, 2, "1-0"))
    assert not do(ledger, close).notes


def test_numbers_change_before_the_second_round_only(ledger: Ledger) -> None:
    order = ("P5", "P4", "P3", "P2", "P1")
    do(ledger, AssignNumbers(tournament="T", participants=order, basis="hand"))
    assert record_of(ledger).entries == {player: n for n, player in enumerate(order, start=1)}
    some = AssignNumbers(tournament="T", participants=order[1:], basis="hand")
    assert refused(ledger, some) == "desk.not_all_numbered"
    do(ledger, round_of(ledger, 1, "5-3 2-4", "P1"))
    do(ledger, game(1, 5, 3, "1-0"), game(1, 2, 4, "1-0"))
    do(ledger, AssignNumbers(tournament="T", participants=order[::-1], basis="hand"))
    do(ledger, round_of(ledger, 2, "1-2 5-4", "P3"))
    late = AssignNumbers(tournament="T", participants=order, basis="hand")
    assert refused(ledger, late) == "desk.numbers_fixed"


def test_rules_that_are_relied_on_change_for_a_reason_only(ledger: Ledger) -> None:
    other = AnnounceRules(
        tournament="T", pairing=PairingMethod.FENAMAC_1975, tie_breaks=("solkoff",)
    )
    table = AnnounceRules(tournament="T", pairing=PairingMethod.BERGER)
    assert refused(ledger, table) == "desk.other_system"
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    assert refused(ledger, other) == "desk.rules_in_use"
    changed = ChangeRules(
        tournament="T", pairing=PairingMethod.FENAMAC_1975, tie_breaks=("solkoff",)
    )
    assert changed.needs_reason
    do(ledger, changed)
    assert refused(ledger, changed) == "desk.rules_unchanged"
    dutch = ChangeRules(tournament="T", pairing=PairingMethod.DUTCH)
    assert refused(ledger, dutch) == "desk.pairing_in_use"
    assert [said.rules.tie_breaks for said in record_of(ledger).desk.announcements] == [
        ("median",),
        ("solkoff",),
    ]


def test_a_late_entry_is_paired_from_its_round_on(ledger: Ledger) -> None:
    do(ledger, DescribeEntry(tournament="T", player="P4", from_round=2, pairing_rating=1700))
    do(ledger, round_of(ledger, 1, "1-3 5-2", None))
    event: RoundPublished = record_of(ledger).desk.rounds[1].event
    assert event.not_paired == (("P4", "not-entered-yet"),)
    do(ledger, game(1, 1, 3, "1-0"), game(1, 5, 2, "1-0"))
    to_pair = round_to_pair(record_of(ledger), 2)
    assert not to_pair.absent
    assert to_pair.sheet.cards[4].lines[0].how is How.UNPAIRED
    late = DescribeEntry(tournament="T", player="P3", from_round=1)
    assert refused(ledger, late) == "desk.round_is_out"


def test_standings_go_out_once(ledger: Ledger) -> None:
    said = PublishStandings(tournament="T", after=0, tie_breaks=("median",), rows_sha256="0" * 64)
    do(ledger, said)
    assert refused(ledger, said) == "desk.standings_out"


def test_a_merged_player_keeps_the_board(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, registered("P9"))
    do(ledger, MergePlayers(player="P3", into="P9", on=DAY))
    record = record_of(ledger)
    assert record.desk.rounds[1].boards == (("P1", "P9"), ("P4", "P2"))
    assert score_sheet(record).cards[1].lines[0].opponent == record.entries["P9"]


def test_a_bye_of_a_later_round_moves_no_round(ledger: Ledger) -> None:
    do(ledger, GiveBye(tournament="T", player="P5", round=3, kind=Bye.HALF, anyway=False))
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
    late = GiveBye(tournament="T", player="P1", round=4, kind=Bye.HALF, anyway=False)
    assert refused(ledger, late) == "desk.bye_too_early"
    assert refused(ledger, game(3, 1, 2, "1-0")) == "desk.result_too_early"
    imported = replace(late, anyway=None)
    do(ledger, imported)
    assert next_round(record_of(ledger)) == 2
    assert not_paired(record_of(ledger), 3) == {"P5": "announced"}


def test_every_earlier_round_must_be_complete(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
    do(ledger, round_of(ledger, 2, "1-4 5-3", "P2"))
    do(ledger, game(2, 1, 4, "1-0"), game(2, 5, 3, "1-0"))
    do(ledger, AnnulResult(tournament="T", round=1, white="P1", black="P3"))
    with pytest.raises(InputRefused) as refusal:
        round_to_pair(record_of(ledger), 3)
    assert refusal.value.message.key == "desk.round_incomplete"
    assert "P1 - P3" in str(refusal.value)


def test_the_bye_of_a_published_round_stays(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    annulled = AnnulResult(tournament="T", round=1, white="P5", black=None)
    assert refused(ledger, annulled) == "desk.bye_published"


@pytest.mark.parametrize("worth", [0, 1])
def test_a_bye_of_the_pairing_is_no_absence(ledger: Ledger, worth: int) -> None:
    changed = AnnounceRules(tournament="T", pairing=PairingMethod.FENAMAC_1975, bye_halves=worth)
    do(ledger, changed)
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
    do(ledger, by_hand(round_of(ledger, 2, "1-4 2-3", "P5")))
    do(ledger, game(2, 1, 4, "1-0"), game(2, 2, 3, "1-0"))
    assert not not_paired(record_of(ledger), 3)
    lines = score_sheet(record_of(ledger)).cards[5].lines
    assert [(line.how, line.halves) for line in lines] == [(How.ALLOCATED_BYE, worth)] * 2


def test_a_round_by_hand_needs_a_reason_and_takes_its_results(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "0-1"))
    again = by_hand(round_of(ledger, 2, "3-1 2-4", "P5"))
    with pytest.raises(InputRefused) as refusal:
        ledger.execute([again], request(reason=""))
    assert refusal.value.message.key == "registrar.needs_reason"
    do(ledger, again)
    do(ledger, game(2, 3, 1, "1-0"), game(2, 2, 4, "1-0"))
    assert record_of(ledger).pairings[2, "P3"].result == Result.parse("1-0")


def test_fide_knows_no_second_absence(ledger: Ledger) -> None:
    dutch = AnnounceRules(tournament="T", pairing=PairingMethod.DUTCH)
    two = (game(1, 1, 3, "+/-"), game(2, 2, 3, "+/-"))
    do(ledger, two[0])
    assert refused(ledger, two[1]) == "pairing.against_rules"
    do(ledger, dutch, two[1])


def test_numbers_stay_after_recorded_rounds_and_those_of_a_report(ledger: Ledger) -> None:
    numbers = AssignNumbers(
        tournament="T", participants=("P5", "P4", "P3", "P2", "P1"), basis="hand"
    )
    opened = record_of(ledger).version
    with_report = CorrectTournament(
        **{**opened.model_dump(), "report": ReportDetails(ratings=(2400, 1900, 0, 0, 0))}
    )
    do(ledger, with_report)
    assert refused(ledger, numbers) == "desk.numbers_of_report"
    do(ledger, CorrectTournament(**opened.model_dump()))
    do(ledger, game(1, 1, 3, "1-0"), game(2, 1, 4, "1-0"))
    assert refused(ledger, numbers) == "desk.numbers_fixed"


def test_a_closed_event_is_frozen(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, registered("P6"), CloseTournament(tournament="T", on=DAY, anyway=True))
    order = ("P5", "P4", "P3", "P2", "P1")
    for command in (
        AssignNumbers(tournament="T", participants=order, basis="hand"),
        ChangeRules(tournament="T", pairing=PairingMethod.FENAMAC_1975),
        EnterPlayer(tournament="T", player="P6"),
        HandInLineup(tournament="T", team="A", round=1, participants=("P1",)),
    ):
        assert refused(ledger, command) == "desk.closed"


def test_rules_after_the_last_game_need_a_reason(ledger: Ledger) -> None:
    do(ledger, *(game(round_, 1, round_ + 1, "1-0") for round_ in range(1, 5)))
    rules = AnnounceRules(
        tournament="T", pairing=PairingMethod.FENAMAC_1975, tie_breaks=("solkoff",)
    )
    assert refused(ledger, rules) == "desk.rules_too_late"


def test_prizes_do_not_rise_whoever_announces_them(ledger: Ledger) -> None:
    rising = (50, 100)
    rules = AnnounceRules(tournament="T", pairing=PairingMethod.FENAMAC_1975, prizes=rising)
    assert refused(ledger, rules) == "standings.amounts_rise"
    of_category = AnnouncePrizes(tournament="T", prizes=(("women", (80,)), ("U14", rising)))
    assert refused(ledger, of_category) == "standings.amounts_rise"


def test_published_rounds_keep_the_system_and_their_number(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
    do(ledger, round_of(ledger, 2, "1-4 5-3", "P2"))
    version = record_of(ledger).version.model_dump()
    system = CorrectTournament(**version | {"system": System.ROUND_ROBIN})
    assert refused(ledger, system) == "desk.system_in_use"
    assert refused(ledger, CorrectTournament(**version | {"rounds": 1})) == "desk.rounds_in_use"
    do(ledger, CorrectTournament(**version | {"rounds": 2}))


def test_a_round_taken_back_leaves_byes_that_came_otherwise(ledger: Ledger) -> None:
    do(ledger, AnnounceAbsence(tournament="T", player="P5", round=1, kind=Bye.HALF))
    do(ledger, round_of(ledger, 1, "1-3 4-2", None), registered("P6"))
    do(ledger, EnterPlayer(tournament="T", player="P6"))
    do(ledger, GiveBye(tournament="T", player="P6", round=1, kind=Bye.HALF, anyway=False))
    do(ledger, WithdrawRound(tournament="T", round=1))
    assert list(record_of(ledger).pairings) == [(1, "P6")]


def test_an_absence_is_of_somebody_who_is_there_and_of_a_round_to_come(ledger: Ledger) -> None:
    do(ledger, WithdrawPlayer(tournament="T", player="P3", from_round=2))
    do(ledger, ExpelPlayer(tournament="T", player="P4", from_round=3))
    do(ledger, AnnounceAbsence(tournament="T", player="P3", round=1))
    for player, round_, why in (
        ("P3", 2, "pairing.withdrawn"),
        ("P4", 3, "desk.expelled"),
        ("P1", 77, "pairing.no_such_round"),
    ):
        absence = AnnounceAbsence(tournament="T", player=player, round=round_)
        assert refused(ledger, absence) == why
    far = ExpelPlayer(tournament="T", player="P1", from_round=88)
    assert refused(ledger, far) == "pairing.no_such_round"


def test_who_enters_after_a_round_plays_from_the_next(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"), registered("P6"))
    do(ledger, EnterPlayer(tournament="T", player="P6"))
    assert score_sheet(record_of(ledger)).cards[6].from_round == 2


def test_a_document_may_not_contradict_a_published_board(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    for white, black in ((3, 1), (1, 4)):
        said = replace(game(1, white, black, "1-0"), anyway=None)
        assert refused(ledger, said) == "desk.no_such_board"


def test_a_round_is_open_until_everybody_on_its_boards_has_a_result(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, replace(game(1, 1, 4, "1-0"), anyway=True))
    assert list(open_boards(record_of(ledger), 1)) == [("P1", "P3"), ("P4", "P2")]
    do(ledger, replace(game(1, 2, 3, "1-0"), anyway=True))
    assert not list(open_boards(record_of(ledger), 1))


def test_a_round_published_against_the_rules_takes_its_results(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
    do(ledger, by_hand(round_of(ledger, 2, "3-1 2-4", "P5")))
    do(ledger, game(2, 3, 1, "1-0"), game(2, 2, 4, "0-1"))
    assert record_of(ledger).pairings[2, "P3"].halves("P3") == 2


@pytest.mark.parametrize("pairing", [PairingMethod.DUTCH, PairingMethod.FENAMAC_1975])
def test_two_absences_end_an_event_of_the_manual_only(
    ledger: Ledger, pairing: PairingMethod
) -> None:
    do(ledger, AnnounceRules(tournament="T", pairing=pairing))
    do(ledger, game(1, 1, 3, "-/+"))
    again = game(2, 1, 4, "-/+")
    if pairing is PairingMethod.DUTCH:
        do(ledger, again)
    else:
        assert refused(ledger, again) == "pairing.against_rules"


def test_a_forbidden_pair_stays_forbidden_after_a_merge(ledger: Ledger) -> None:
    pairs = (("P1", "P3"),)
    rules = AnnounceRules(tournament="T", pairing=PairingMethod.FENAMAC_1975, forbidden=pairs)
    do(ledger, rules, registered("P9"))
    do(ledger, MergePlayers(player="P1", into="P9", on=DAY))
    number = record_of(ledger).entries["P9"]
    assert round_to_pair(record_of(ledger), 1).rules.forbidden == {frozenset((number, 3))}


def test_an_event_is_checked_after_a_merge(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"), registered("P9"))
    before = check_tournament(ledger, "T").differences
    do(ledger, MergePlayers(player="P3", into="P9", on=DAY))
    assert check_tournament(ledger, "T").differences == before


@pytest.fixture
def all_play_all() -> Ledger:
    """Four players in a double all-play-all, with its first round published."""
    made = empty_ledger()
    players = [f"P{number}" for number in range(1, 5)]
    opening = OpenTournament(
        tournament="T",
        name="Round robin",
        starts_on=DAY,
        ends_on=DAY,
        system=System.ROUND_ROBIN,
        rate_of_play=Rate.CLASSICAL,
    )
    do(
        made,
        *map(registered, [*players, "P9"]),
        opening,
        *(EnterPlayer(tournament="T", player=player) for player in players),
        AnnounceRules(tournament="T", pairing=PairingMethod.BERGER, cycles=2),
    )
    do(made, round_of(made, 1, "1-4 2-3", None))
    return made


def test_the_games_of_who_is_expelled_are_cancelled(all_play_all: Ledger) -> None:
    do(all_play_all, game(1, 1, 4, "0-1"), game(1, 2, 3, "1-0"))
    do(all_play_all, ExpelPlayer(tournament="T", player="P4", from_round=2))
    sheet = score_sheet(record_of(all_play_all))
    assert sheet.cards[4].cancelled
    assert sheet.cards[1].lines[0].how is How.CANCELLED


# Who comes back


def test_a_withdrawal_of_the_wrong_player_is_taken_back_as_if_it_had_not_been(
    ledger: Ledger,
) -> None:
    before = score_sheet(record_of(ledger))
    do(ledger, WithdrawPlayer(tournament="T", player="P5", from_round=2))
    do(ledger, ReturnPlayer(tournament="T", player="P5"))
    record = record_of(ledger)
    assert not record.withdrawn
    assert not record.away
    assert score_sheet(record) == before
    assert not not_paired(record, 2)


def test_who_comes_back_missed_the_rounds_that_were_paired_without_him(ledger: Ledger) -> None:
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "0-1"))
    do(ledger, WithdrawPlayer(tournament="T", player="P5", from_round=2))
    do(ledger, round_of(ledger, 2, "2-1 3-4", None))
    do(ledger, game(2, 2, 1, "1-0"), game(2, 3, 4, "1-0"))
    too_late = ReturnPlayer(tournament="T", player="P5", from_round=2)
    assert refused(ledger, too_late) == "desk.round_is_out"
    do(ledger, ReturnPlayer(tournament="T", player="P5"))
    record = record_of(ledger)
    assert not_paired(record, 2) == {"P5": "withdrawn"}
    assert not not_paired(record, 3)
    line = score_sheet(record).cards[5].line(2)
    assert line is not None
    assert line.how is How.UNPAIRED
    assert not check_tournament(ledger, "T").differences
    assert refused(ledger, ReturnPlayer(tournament="T", player="P5")) == "desk.has_not_left"
    do(ledger, WithdrawPlayer(tournament="T", player="P5", from_round=4))
    assert not_paired(record_of(ledger), 4) == {"P5": "withdrawn"}


@pytest.mark.parametrize("merged_first", [True, False])
def test_rounds_away_are_those_of_the_id_that_stays(ledger: Ledger, *, merged_first: bool) -> None:
    merge = MergePlayers(player="P5", into="P9", on=DAY)
    do(ledger, registered("P9"), round_of(ledger, 1, "1-3 4-2", "P5"))
    do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "0-1"))
    do(ledger, WithdrawPlayer(tournament="T", player="P5", from_round=2))
    do(ledger, round_of(ledger, 2, "2-1 3-4", None))
    come_back = ReturnPlayer(tournament="T", player="P5")
    do(ledger, *((merge, come_back) if merged_first else (come_back, merge)))
    assert not_paired(record_of(ledger), 2) == {"P9": "withdrawn"}
    assert not not_paired(record_of(ledger), 3)


def test_an_expulsion_of_the_wrong_id_is_taken_back_and_the_games_count_again(
    all_play_all: Ledger,
) -> None:
    do(all_play_all, game(1, 1, 4, "0-1"), game(1, 2, 3, "1-0"))
    before = score_sheet(record_of(all_play_all))
    do(all_play_all, ExpelPlayer(tournament="T", player="P4", from_round=2))
    do(all_play_all, ReturnPlayer(tournament="T", player="P4", from_round=2))
    assert score_sheet(record_of(all_play_all)) == before


def test_a_report_that_was_handed_in_too_early_is_reopened(ledger: Ledger) -> None:
    close = CloseTournament(tournament="T", on=DAY, anyway=True)
    reopen = RuleOnTournament(tournament="T", ruling="reopen", on=DAY)
    assert refused(ledger, reopen) == "tournament.not_closed"
    do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"), game(1, 1, 3, "1-0"))
    do(ledger, close)
    assert ledger.facts().is_closed.tolist() == [True]
    assert refused(ledger, game(1, 4, 2, "1-0")) == "tournament.closed"
    do(ledger, reopen)
    assert ledger.facts().is_closed.tolist() == [False]
    do(ledger, game(1, 4, 2, "1-0"))
    assert record_of(ledger).pairings[1, "P4"].corrected_by_seq is None
    do(ledger, close)
    assert ledger.facts().is_closed.tolist() == [True]


def test_announced_cycles_say_what_is_half_of_the_games(all_play_all: Ledger) -> None:
    record = record_of(all_play_all)
    assert cycles(record) == 2
    do(all_play_all, game(1, 1, 4, "0-1"), game(1, 2, 3, "1-0"))
    for round_, boards in ((2, ((4, 3), (1, 2))), (3, ((2, 4), (3, 1)))):
        said = " ".join(f"{white}-{black}" for white, black in boards)
        do(all_play_all, round_of(all_play_all, round_, said, None))
        do(all_play_all, *(game(round_, white, black, "1-0") for white, black in boards))
    do(all_play_all, WithdrawPlayer(tournament="T", player="P4", from_round=4))
    # Three games of six are half: they stand, and the others are won.
    sheet = score_sheet(record_of(all_play_all))
    assert [line.how for line in sheet.cards[1].lines][-1] is How.AWARDED


def test_a_table_that_is_in_use_has_no_late_entry_and_no_leave(all_play_all: Ledger) -> None:
    late = EnterPlayer(tournament="T", player="P9")
    assert refused(all_play_all, late) == "desk.table_in_use"
    absent = AnnounceAbsence(tournament="T", player="P4", round=2)
    assert refused(all_play_all, absent) == "desk.absence_of_table"


@pytest.mark.parametrize(
    "said", [{"cycles": 1}, {"cycles": 2, "exchange_last_rounds": True}, {"bye_halves": 2}]
)
def test_what_published_rounds_were_worth_stays(all_play_all: Ledger, said: dict[str, int]) -> None:
    values = {"cycles": 2, **said}
    changed = ChangeRules(tournament="T", pairing=PairingMethod.BERGER, **values)  # type: ignore[arg-type]
    assert refused(all_play_all, changed) == "desk.scoring_in_use"
    same = {"cycles": 2, "bye_halves": 0, "exchange_last_rounds": False}
    do(all_play_all, ChangeRules(tournament="T", pairing=PairingMethod.BERGER, **same))  # type: ignore[arg-type]


def test_what_is_not_described_anew_stays(ledger: Ledger) -> None:
    do(ledger, DescribeEntry(tournament="T", player="P4", from_round=3))
    do(ledger, DescribeEntry(tournament="T", player="P4", pairing_rating=1700))
    said = record_of(ledger).desk.descriptions["P4"].said
    assert (said.from_round, said.pairing_rating) == (3, 1700)
    do(ledger, DescribeEntry(tournament="T", player="P4", from_round=2))
    said = record_of(ledger).desk.descriptions["P4"].said
    assert (said.from_round, said.pairing_rating) == (2, 1700)


class TestHandingIn:
    """A report is handed in whole, or for a reason."""

    CLOSE = CloseTournament(tournament="T", on=DAY)

    def problems(self, ledger: Ledger) -> list[str]:
        """Returns what is missing, by the keys of its sentences."""
        with pytest.raises(InputRefused) as error:
            do(ledger, self.CLOSE)
        assert error.value.message.key == "tournament.unfinished"
        return [problem.message.key for problem in error.value.details]

    def test_all_that_is_missing_is_named(self, ledger: Ledger) -> None:
        do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"), game(1, 1, 3, "1-0"))
        assert self.problems(ledger) == [
            "tournament.unfinished_round", "tournament.unfinished_rounds"
        ]  # fmt: skip
        do(ledger, game(1, 4, 2, "1-0"))
        assert self.problems(ledger) == ["tournament.unfinished_rounds"]

    def test_a_ruling_that_it_is_closed_asks_the_same(self, ledger: Ledger) -> None:
        do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
        close = RuleOnTournament(tournament="T", ruling="close", on=DAY)
        assert refused(ledger, close) == "tournament.unfinished"
        do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
        do(ledger, ChangeRounds(tournament="T", rounds=1), close)
        assert record_of(ledger).closed

    def test_for_a_reason_it_is_handed_in_all_the_same(self, ledger: Ledger) -> None:
        anyway = replace(self.CLOSE, anyway=True)
        with pytest.raises(InputRefused, match="say why"):
            ledger.execute([anyway], request(" "))
        do(ledger, anyway)
        assert record_of(ledger).closed
        assert refused(ledger, anyway) == "tournament.closed_already"

    def test_what_is_over_is_asked_nothing(self, ledger: Ledger) -> None:
        do(ledger, ChangeRounds(tournament="T", rounds=1))
        do(ledger, round_of(ledger, 1, "1-3 4-2", "P5"))
        do(ledger, game(1, 1, 3, "1-0"), game(1, 4, 2, "1-0"))
        do(ledger, self.CLOSE)
        assert record_of(ledger).closed
