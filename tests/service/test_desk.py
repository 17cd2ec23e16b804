"""An event from the entry list to the last round: numbered, paired, published, shown."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.rounds import round_sheet
from ledger.answers.tournaments import (
    require_tournament,
    tournament_crosstable,
    tournament_score_form,
    tournament_standings,
)
from ledger.desk.pairing.varma import Drawer, varma_numbers
from ledger.desk.rounds import input_sha256, round_to_pair
from ledger.errors import InputRefused, NotFound
from ledger.events.personal import Identity
from ledger.forms.grid import crosstable_grid, score_form_grid
from ledger.forms.page import saying
from ledger.forms.standings import standings_notes
from ledger.identifiers import Seq
from ledger.intake.event_check import check_tournament
from ledger.operations.commands import (
    AnnounceRules,
    DescribeEntry,
    EnterPlayer,
    NumberParticipants,
    OpenTournament,
    PairRound,
    RecordGame,
    RegisterPlayer,
    WithdrawPlayer,
    WithdrawRound,
)
from ledger.reports.round_sheet import RoundSheet
from ledger.results import Result
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger, Receipt
from ledger.service.starting_numbers import give_numbers
from ledger.terms import PairingMethod, Rate, System
from tests.ledgers import do, empty_ledger, request

DAY = dt.date(2025, 6, 1)
# Derived step by step from the manual's rules: boards White-Black with results, and the bye.
ROUNDS = [
    ("1-5 1-0, 6-2 1-0, 3-7 1-0, 8-4 1/2-1/2", 9),
    ("9-1 1-0, 6-3 1-0, 4-2 1/2-1/2, 5-8 0-1", 7),
    ("9-6 1/2-1/2, 1-8 1-0, 2-3 0-1, 7-4 0-1", 5),
    ("6-1 1/2-1/2, 3-9 1-0, 4-5 1/2-1/2, 8-7 1/2-1/2", 2),
]


def event(
    pairing: PairingMethod = PairingMethod.FENAMAC_1975,
    system: System = System.SWISS,
    players: int = 9,
    **rules: object,
) -> Ledger:
    """An event of P1, the highest rated for the pairing, to P9; entered from the lowest up."""
    ledger = empty_ledger()
    ids = [f"P{number}" for number in range(players, 0, -1)]
    for player in ids:
        do(
            ledger,
            RegisterPlayer(
                player=player,
                identity=Identity(name=f"Player, {player}"),
                salt="0" * 32,
                federation="MEX",
                on=DAY,
            ),
        )
    opening = OpenTournament(
        tournament="T",
        name="Torneo",
        starts_on=DAY,
        ends_on=DAY,
        system=system,
        rate_of_play=Rate.CLASSICAL,
        rounds=4 if system is System.SWISS else None,
    )
    entered = [EnterPlayer(tournament="T", player=player) for player in ids]
    rated = [
        DescribeEntry(tournament="T", player=player, pairing_rating=2000 - 10 * int(player[1:]))
        for player in ids
    ]
    announced = AnnounceRules(tournament="T", pairing=pairing, **rules)  # type: ignore[arg-type]
    do(ledger, opening, *entered, *rated, announced)
    return ledger


def boards_of(sheet: RoundSheet) -> list[tuple[int, int]]:
    return [(board.white.number, board.black.number) for board in sheet.boards]


def play(ledger: Ledger, round_: int, said: str) -> None:
    games = enumerate(said.split(", "), start=1)
    results = [(board, Result.parse(game.split()[1])) for board, game in games]
    do(ledger, *board_results(ledger, "T", round_, results))


def test_the_example_of_the_manuals_swiss_is_paired_board_by_board() -> None:
    ledger = event()
    for round_, (said, bye) in enumerate(ROUNDS, start=1):
        _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
        expected = [tuple(map(int, game.split()[0].split("-"))) for game in said.split(", ")]
        assert boards_of(sheet) == expected, round_
        assert sheet.bye is not None
        assert sheet.bye.number == bye
        play(ledger, round_, said)
    with pytest.raises(InputRefused):
        publish_round(ledger, PairRound(tournament="T"), request())
    last = round_sheet(ledger, "T")
    assert last.round == len(ROUNDS)
    assert [board.result for board in last.boards] == ["1/2-1/2", "1-0", "1/2-1/2", "1/2-1/2"]


def test_a_dry_run_shows_a_round_and_records_nothing() -> None:
    ledger = event()
    seq = ledger.journal.head().seq
    receipt, sheet = publish_round(ledger, PairRound(tournament="T"), request(dry_run=True))
    assert receipt.dry_run
    assert boards_of(sheet) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert ledger.journal.head().seq == seq
    with pytest.raises(NotFound):
        round_sheet(ledger, "T")


def test_a_round_taken_back_is_paired_again_as_it_was() -> None:
    ledger = event()
    _, first = publish_round(ledger, PairRound(tournament="T"), request())
    do(ledger, WithdrawRound(tournament="T", round=1))
    _, second = publish_round(ledger, PairRound(tournament="T"), request())
    assert first == second


def test_boards_by_hand_need_a_reason_and_say_what_they_break() -> None:
    ledger = event()
    said, bye = ROUNDS[0]
    publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, 1, said)
    boards = [("P5", "P1"), ("P2", "P6"), ("P7", "P3"), ("P4", "P8")]
    asked = PairRound(tournament="T", boards=boards, bye=f"P{bye}")
    with pytest.raises(InputRefused) as refusal:
        publish_round(ledger, asked, request(reason=" "))
    assert refusal.value.message.key == "desk.by_hand_needs_reason"
    _, sheet = publish_round(ledger, asked, request(reason="the captains agreed"))
    assert sheet.by_hand
    assert sheet.deviations == ("second-meeting", "second-bye")


def test_an_all_play_all_is_numbered_by_the_lot_that_was_announced() -> None:
    ledger = event(PairingMethod.BERGER, System.ROUND_ROBIN, players=4, lot_seed="Monterrey")
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert boards_of(sheet) == [(1, 4), (2, 3)]
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    assert record.desk.numbers is not None
    assert record.desk.numbers.basis == "lot"


def test_the_tables_say_how_many_rounds_there_are() -> None:
    ledger = event(PairingMethod.BERGER, System.ROUND_ROBIN, players=5, cycles=2)
    publish_round(ledger, PairRound(tournament="T"), request())
    assert tournament_standings(ledger, "T").rounds == 10


def test_a_board_that_does_not_exist_has_no_result() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    with pytest.raises(NotFound) as refusal:
        board_results(ledger, "T", 1, [(5, Result.parse("1-0"))])
    assert refusal.value.message.key == "desk.no_board"


def test_who_was_forgotten_is_numbered_by_rating_with_the_others() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    do(ledger, WithdrawRound(tournament="T", round=1))
    forgotten = Identity(name="Player, Q")
    do(
        ledger,
        RegisterPlayer(player="Q", identity=forgotten, salt="0" * 32, federation="MEX", on=DAY),
        EnterPlayer(tournament="T", player="Q"),
        DescribeEntry(tournament="T", player="Q", pairing_rating=2500),
    )
    publish_round(ledger, PairRound(tournament="T"), request())
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    assert record.entries["Q"] == 1


def late(ledger: Ledger, player: str, rating: int) -> Receipt:
    """Registers somebody, who enters the event after it has begun."""
    identity = Identity(name=f"Player, {player}")
    return do(
        ledger,
        RegisterPlayer(player=player, identity=identity, salt="0" * 32, federation="MEX", on=DAY),
        EnterPlayer(tournament="T", player=player),
        DescribeEntry(tournament="T", player=player, pairing_rating=rating),
    )


def test_a_late_entrant_is_numbered_by_rating_while_numbers_may_change() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, 1, ", ".join("x 1-0" for _ in range(4)))
    entered = late(ledger, "Q", 1945)
    assert "desk.numbers_due" in [note.message.key for note in entered.notes]
    receipt, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert "desk.numbered_anew" in [note.message.key for note in receipt.notes]
    numbers = require_tournament(ledger, "T", ledger.journal.head().seq).entries
    assert [one for one, _ in sorted(numbers.items(), key=lambda each: each[1])] == [
        "P1", "P2", "P3", "P4", "P5", "Q", "P6", "P7", "P8", "P9",
    ]  # fmt: skip
    assert check_tournament(ledger, "T").differences == ()
    # From round 2 on the manual's numbers stay: who comes now is the last one.
    play(ledger, 2, ", ".join("x 1-0" for _ in sheet.boards))
    assert late(ledger, "R", 2500).notes == ()
    receipt, _ = publish_round(ledger, PairRound(tournament="T"), request())
    assert receipt.notes == ()
    assert require_tournament(ledger, "T", ledger.journal.head().seq).entries["R"] == 11


def test_numbers_by_hand_stay_for_a_late_entrant() -> None:
    ledger = event()
    order = [f"P{number}" for number in (9, 8, 7, 6, 5, 4, 3, 2, 1)]
    give_numbers(ledger, NumberParticipants(tournament="T", order=order), request())
    publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, 1, ", ".join("x 1-0" for _ in range(4)))
    assert late(ledger, "Q", 2500).notes == ()
    publish_round(ledger, PairRound(tournament="T"), request())
    assert require_tournament(ledger, "T", ledger.journal.head().seq).entries["Q"] == 10


def test_who_has_played_is_no_late_entrant() -> None:
    ledger = event()
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert sheet.bye is not None
    for player in ("P1", sheet.bye.id):
        with pytest.raises(InputRefused) as refusal:
            do(ledger, DescribeEntry(tournament="T", player=player, from_round=3))
        assert refusal.value.message.key == "desk.played_before", player
        assert "round 1 was paired" in refusal.value.within("en")
        do(ledger, DescribeEntry(tournament="T", player=player, pairing_rating=1234))
    play(ledger, 1, ", ".join("x 1-0" for _ in range(4)))
    late(ledger, "Q", 1000)
    do(ledger, DescribeEntry(tournament="T", player="Q", from_round=3))


def test_a_sheet_shows_a_board_as_it_was_sat() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    white, black = record.desk.rounds[1].boards[0]
    said = {"tournament": "T", "round": 1, "result": Result.parse("1-0")}
    do(ledger, RecordGame(white=black, black=white, anyway=True, **said))  # type: ignore[arg-type]
    sheet = round_sheet(ledger, "T")
    board = sheet.boards[0]
    assert (board.white.id, board.black.id, board.result) == (black, white, "1-0")
    assert sheet.reversed_boards == ("1",)


def test_a_sheet_shows_no_result_where_others_met() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    (white, _), (other, _), *_ = record.desk.rounds[1].boards
    said = {"tournament": "T", "round": 1, "result": Result.parse("1-0")}
    do(ledger, RecordGame(white=white, black=other, anyway=True, **said))  # type: ignore[arg-type]
    sheet = round_sheet(ledger, "T")
    assert [board.result for board in sheet.boards] == [None] * 4
    assert sheet.reversed_boards == ()


def test_an_odd_all_play_all_goes_on_after_a_withdrawal() -> None:
    ledger = event(PairingMethod.BERGER, System.ROUND_ROBIN, players=5)
    for round_ in range(1, 6):
        _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
        assert len(sheet.boards) <= 2
        play(ledger, round_, ", ".join("x 1-0" for _ in sheet.boards))
        if round_ == 1:
            do(ledger, WithdrawPlayer(tournament="T", player="P2", from_round=2))


@pytest.mark.parametrize(
    ("rounds", "key", "en", "es"),
    [
        (2, "to_be_cancelled", "2 of 5 games played: fewer", "2 de 5 partidas jugadas: menos"),
        (3, "to_be_awarded", "3 of 5 games played: half", "3 de 5 partidas jugadas: la mitad"),
    ],
)
def test_tables_say_what_a_withdrawal_will_come_to(rounds: int, key: str, en: str, es: str) -> None:
    ledger = event(PairingMethod.BERGER, System.ROUND_ROBIN, players=6)
    for _ in range(rounds):
        _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
        play(ledger, sheet.round, ", ".join("x 1-0" for _ in sheet.boards))
    assert tournament_standings(ledger, "T").coming == ()
    do(ledger, WithdrawPlayer(tournament="T", player="P2", from_round=rounds + 1))
    made = tournament_standings(ledger, "T")
    assert [coming.key for coming in made.coming] == [f"standings.{key}"]
    crosstable, sheet_ = tournament_crosstable(ledger, "T"), tournament_score_form(ledger, "T")
    for lang, said in (("en", en), ("es", es)):
        say = saying(lang)
        for notes in (
            [note.text for note in standings_notes(made, lang)],
            crosstable_grid(crosstable, say).notes,
            score_form_grid(sheet_, say).notes,
        ):
            (note,) = (line for line in notes if "Player, P2" in line)
            assert said in note
    # With the next round complete it has come to pass, and the tables have it.
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, sheet.round, ", ".join("x 1-0" for _ in sheet.boards))
    made = tournament_standings(ledger, "T")
    assert made.coming == ()
    assert made.row("P2").cancelled == (key == "to_be_cancelled")


def test_the_input_of_a_pairing_is_known_again_from_what_was_recorded() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    before = require_tournament(ledger, "T", Seq(record.desk.rounds[1].seq - 1))
    assert input_sha256(round_to_pair(before, 1)) == record.desk.rounds[1].event.input_sha256


def test_nobody_and_one_round_too_many_are_refused_before_pairing() -> None:
    with pytest.raises(InputRefused) as refusal:
        publish_round(event(players=0), PairRound(tournament="T"), request())
    assert refusal.value.message.key == "desk.nobody_is_here"
    with pytest.raises(InputRefused) as refusal:
        publish_round(event(), PairRound(tournament="T", round=5), request())
    assert refusal.value.message.key == "pairing.no_such_round"


def test_provisional_ratings_are_set_anew_once_after_the_first_round() -> None:
    ledger = event()
    asked = NumberParticipants(tournament="T", after_first_round=True)
    assert refusal_of(ledger, asked) == "desk.before_first_round"
    publish_round(ledger, PairRound(tournament="T"), request())
    assert refusal_of(ledger, asked) == "desk.round_incomplete"
    play(ledger, 1, ROUNDS[0][0])
    seq = ledger.journal.head().seq
    shown, would = give_numbers(ledger, asked, request(dry_run=True))
    assert shown.dry_run
    assert ledger.journal.head().seq == seq
    receipt, given = give_numbers(ledger, asked, request())
    assert given == would
    # P1 (1990) beat P5 (1950), P6 beat P2 (1980), P3 beat P7, P8 drew with P4; P9 had the bye.
    expected = {
        "P1": 2000, "P2": 1890, "P3": 1980, "P4": 1920, "P5": 1940, "P6": 2030, "P7": 1920,
        "P8": 1960, "P9": 1910,
    }  # fmt: skip
    assert {each.id: each.rating for each in given} == expected
    assert [each.id for each in given] == ["P6", "P1", "P3", "P8", "P5", "P4", "P7", "P9", "P2"]
    assert receipt.counts == {"numbers.assigned": 1, "entry.described": 8}
    assert refusal_of(ledger, asked) == "desk.rated_anew"
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    assert [player for player, _ in record.by_number] == [each.id for each in given]
    publish_round(ledger, PairRound(tournament="T"), request())
    assert refusal_of(ledger, asked) == "desk.numbers_fixed"


def refusal_of(ledger: Ledger, asked: NumberParticipants) -> str:
    with pytest.raises(InputRefused) as refusal:
        give_numbers(ledger, asked, request())
    return refusal.value.message.key


def test_varma_numbers_are_drawn_by_federation_and_meetings_are_told() -> None:
    ledger = event(PairingMethod.BERGER, System.ROUND_ROBIN, players=10)
    asked = NumberParticipants(tournament="T", varma="Monterrey")
    receipt, given = give_numbers(ledger, asked, request())
    drawers = [Drawer(f"P{n}", f"Player, P{n}", "MEX") for n in range(1, 11)]
    numbers, meetings = varma_numbers(drawers, "Monterrey")
    assert {each.id: each.number for each in given} == numbers
    assert [note.message for note in receipt.notes] == list(meetings)
    assert meetings  # all are of one federation
    numbered = require_tournament(ledger, "T", ledger.journal.head().seq).desk.numbers
    assert numbered is not None
    assert (numbered.basis, numbered.seed) == ("varma", "Monterrey")
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert [board.white.id for board in sheet.boards] == [given[n].id for n in range(5)]


def test_numbers_are_asked_for_in_one_way_that_fits_the_event() -> None:
    both = NumberParticipants(tournament="T", varma="x", lot="x")
    assert refusal_of(event(), both) == "desk.one_numbering"
    assert (
        refusal_of(event(), NumberParticipants(tournament="T", varma="x")) == "desk.varma_of_tables"
    )
    table = event(PairingMethod.BERGER, System.ROUND_ROBIN, players=4)
    assert refusal_of(table, NumberParticipants(tournament="T", varma="x")) == "desk.no_varma_table"
    anew = NumberParticipants(tournament="T", after_first_round=True)
    assert refusal_of(table, anew) == "desk.not_rated_anew"


def test_the_bye_is_drawn_where_lots_were_announced_for_it() -> None:
    byes = set()
    for seed in ("a", "b", "c", "d", "e", "f"):
        ledger = event(lot_seed=seed, bye_by_lot=True)
        publish_round(ledger, PairRound(tournament="T"), request())
        play(ledger, 1, ROUNDS[0][0])
        _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
        assert sheet.bye is not None
        assert "desk.bye_by_lot" in {step.key for step in sheet.steps}
        byes.add(sheet.bye.number)
    assert byes <= {2, 5, 7}  # the lowest score
    assert len(byes) > 1


def test_a_bye_by_lot_needs_a_seed_and_a_system_that_draws_it() -> None:
    for pairing, rules, key in (
        (PairingMethod.FENAMAC_1975, {"bye_by_lot": True}, "desk.bye_lot_without_seed"),
        (PairingMethod.DUTCH, {"bye_by_lot": True, "lot_seed": "x"}, "desk.no_bye_by_lot"),
    ):
        with pytest.raises(InputRefused) as refusal:
            event(pairing, **rules)
        assert refusal.value.message.key == key


def test_a_table_by_hand_leaves_out_nobody() -> None:
    ledger = event(PairingMethod.BERGER, System.ROUND_ROBIN, players=5)
    boards = [("P1", "P2"), ("P3", "P4")]
    with pytest.raises(InputRefused) as refusal:
        publish_round(ledger, PairRound(tournament="T", boards=boards), request(reason="agreed"))
    assert refusal.value.message.key == "desk.left_out"
    asked = PairRound(tournament="T", boards=boards, bye="P5")
    _, sheet = publish_round(ledger, asked, request(reason="agreed"))
    assert sheet.bye is not None
