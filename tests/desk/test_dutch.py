"""The Dutch system: the engine is asked for what the score sheet says, and its answer is used."""

from __future__ import annotations

import subprocess
from importlib import metadata
from pathlib import Path

import pytest

from ledger.desk.pairing import dutch, gacrux
from ledger.desk.pairing.proposal import Board, NoPairing, PairingRules, Proposal, RoundToPair
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.trf_text import FileNotes, trf_text
from ledger.terms import Colour, System, TrfVersion

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def sheet(*cards: Card, rounds: int = 5, played: int = 0) -> ScoreSheet:
    return ScoreSheet(System.SWISS, {card.number: card for card in cards}, rounds, played)


def newcomers(*numbers: int) -> ScoreSheet:
    return sheet(*(Card(number, f"p{number}", rating=2400 - number) for number in numbers))


def boards(proposal: Proposal) -> set[tuple[int, int]]:
    return {(board.white, board.black) for board in proposal.boards}


def game(round_: int, opponent: int, colour: Colour, halves: int) -> CardLine:
    return CardLine(round_, How.PLAYED, halves, opponent, colour)


def test_round_one_is_upper_half_against_lower_with_colours_in_turn() -> None:
    proposal = dutch.pair(RoundToPair(1, newcomers(*range(1, 10))))
    assert proposal.boards == (Board(1, 5), Board(6, 2), Board(3, 7), Board(8, 4))
    assert proposal.bye == 9
    said = [str(step) for step in proposal.steps]
    assert "9 has the bye" in said
    assert "1 has White against 5 (C.04.3 5.2.5)" in said


def test_first_colour_forbidden_pairs_and_absent_players_reach_the_engine() -> None:
    rules = PairingRules(first_colour=BLACK, forbidden=frozenset((frozenset((1, 6)),)))
    proposal = dutch.pair(RoundToPair(1, newcomers(*range(1, 10)), frozenset((3,)), rules))
    assert proposal.boards == (Board(7, 1), Board(2, 6), Board(8, 4), Board(5, 9))
    assert proposal.bye is None


def test_numbers_may_have_gaps() -> None:
    proposal = dutch.pair(RoundToPair(1, newcomers(2, 5, 7, 11)))
    assert boards(proposal) == {(2, 7), (11, 5)}


def after_one_round() -> ScoreSheet:
    """Five players: 1-3 1-0, 4-2 drawn, 5 had the bye."""
    return sheet(
        Card(1, "a", (game(1, 3, WHITE, 2),)),
        Card(2, "b", (game(1, 4, BLACK, 1),)),
        Card(3, "c", (game(1, 1, BLACK, 0),)),
        Card(4, "d", (game(1, 2, WHITE, 1),)),
        Card(5, "e", (CardLine(1, How.ALLOCATED_BYE, 2),)),
        played=1,
    )


def test_the_second_round_keeps_the_absolute_criteria() -> None:
    # 2 and 4 have met: so 1 and 5, the leaders, do not meet, and 3 has the bye.
    proposal = dutch.pair(RoundToPair(2, after_one_round()))
    assert (boards(proposal), proposal.bye) == ({(2, 1), (5, 4)}, 3)


def test_acceleration_moves_a_player_among_the_leaders() -> None:
    plain = dutch.pair(RoundToPair(1, newcomers(1, 2, 3, 4, 5, 6, 7, 8)))
    added = {1: dict.fromkeys((1, 2, 3, 4), 2)}
    faster = dutch.pair(
        RoundToPair(1, newcomers(1, 2, 3, 4, 5, 6, 7, 8), rules=PairingRules(acceleration=added))
    )
    assert boards(plain) == {(1, 5), (6, 2), (3, 7), (8, 4)}
    assert boards(faster) == {(1, 3), (4, 2), (5, 7), (8, 6)}


def test_two_who_have_met_cannot_be_paired() -> None:
    met = sheet(
        Card(1, "a", (game(1, 2, WHITE, 2),)), Card(2, "b", (game(1, 1, BLACK, 0),)), played=1
    )
    with pytest.raises(NoPairing, match=r"round 2 cannot be paired.*by hand"):
        dutch.pair(RoundToPair(2, met))


def test_nobody_is_left_for_the_bye() -> None:
    had = [CardLine(1, How.ALLOCATED_BYE, 2)]
    with pytest.raises(NoPairing):
        dutch.pair(RoundToPair(2, sheet(Card(1, "a", tuple(had)), played=1)))


def test_nobody_is_there() -> None:
    with pytest.raises(NoPairing, match="nobody is there"):
        dutch.pair(RoundToPair(1, newcomers(1), frozenset((1,))))


def test_rounds_are_paired_by_one_start_each_as_alone() -> None:
    met = sheet(
        Card(1, "a", (game(1, 2, WHITE, 2),)), Card(2, "b", (game(1, 1, BLACK, 0),)), played=1
    )
    rounds = [
        RoundToPair(1, newcomers(1, 2), frozenset((1, 2))),
        RoundToPair(2, met),
        RoundToPair(2, after_one_round()),
    ]
    nobody, none, proposal = dutch.pair_rounds(rounds)
    assert isinstance(nobody, NoPairing)
    assert isinstance(none, NoPairing)
    assert proposal == dutch.pair(rounds[2])


# What goes wrong with the engine


def test_an_engine_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(gacrux.EngineMissing, match=r"pip install 'rating-ledger\[desk\]'"):
        dutch.pair(RoundToPair(1, newcomers(1, 2)))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "the pairing engine failed: Traceback: no"),
        ("[", "the pairing engine failed: Traceback: no"),
        ('{"status": {"code": 401, "error": ["what a file"]}}', r"refused .*\(401\): what a file"),
    ],
)
def test_an_answer_that_is_none_is_quoted(
    monkeypatch: pytest.MonkeyPatch, answer: str | None, said: str
) -> None:
    def run(*_: object, cwd: Path, **__: object) -> subprocess.CompletedProcess[bytes]:
        if answer is not None:
            (cwd / "0.json").write_text(answer, encoding="utf-8")
        return subprocess.CompletedProcess("", 1, b"", b"Traceback: no")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(gacrux.EngineFailed, match=said):
        dutch.pair(RoundToPair(1, newcomers(1, 2)))


def test_an_engine_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("engine", 600)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(gacrux.EngineFailed, match="no answer within 600 seconds"):
        dutch.pair(RoundToPair(1, newcomers(1, 2)))


# The file


def every_round() -> ScoreSheet:
    lines = (
        game(1, 2, WHITE, 1),
        CardLine(2, How.FORFEIT, 2, 2, BLACK),
        CardLine(3, How.HALF_BYE, 1),
        CardLine(4, How.OPEN, 0, 2, BLACK),
        CardLine(5, How.ALLOCATED_BYE, 1),
    )
    other = (
        game(1, 1, BLACK, 0),
        CardLine(2, How.FORFEIT, 0, 1, WHITE),
        CardLine(3, How.ZERO_BYE),
        CardLine(4, How.OPEN, 0, 1, WHITE),
        CardLine(5, How.UNPAIRED),
    )
    return sheet(Card(1, "a", lines, 1800), Card(2, "b", other), rounds=7, played=5)


RULES = PairingRules(
    first_colour=BLACK,
    forbidden=frozenset((frozenset((1, 2)),)),
    acceleration={1: {1: 2, 2: 2}, 2: {1: 1, 2: 2}},
)
PLAYERS = """\
001    1      Player0001                        1800                             3.0    1     2 w =     2 b +  0000 - H     2 b =  0000 - U
001    2      Anna Bol                                                           0.5          1 b 0     1 w -  0000 - Z     1 w =  0000 - Z
""".splitlines()  # noqa: E501 - lines of a file


def test_the_file_of_the_new_edition() -> None:
    notes = FileNotes(
        heading=[("012", "Open")],
        comments=["by hand"],
        names={2: "Anna Bol"},
        ranks={1: 1},
        absent=[2],
        code=dutch.CODE,
    )
    assert trf_text(every_round(), RULES, notes).splitlines() == [
        "012 Open",
        "142 7",
        "152 B",
        "162  P 0.5",
        "192 FIDE_DUTCH_2026",
        "250  1.0  1.0   1   1    1    2",
        "250  0.5  0.5   2   2    1    1",
        "250  1.0  1.0   2   2    2    2",
        "260   1 999    1    2",
        "XXZ 2",
        "### by hand",
        *PLAYERS,
    ]


def test_the_file_of_the_old_edition() -> None:
    notes = FileNotes(names={2: "Anna Bol"}, ranks={1: 1})
    assert trf_text(every_round(), RULES, notes, TrfVersion.TRF16).splitlines() == [
        "XXR 7",
        "XXC black1",
        "XXS PAB=0.5",
        "XXA    1  1.0  0.5",
        "XXA    2  1.0  1.0",
        "XXP 1 2",
        *PLAYERS,
    ]


# What the handbook defines


@pytest.mark.parametrize(
    ("played", "wanted"),
    [
        ("", None), ("w", None), ("ww", BLACK), ("bb", WHITE), ("wb", None), ("wwbwb", None),
        ("wwwb", BLACK), ("wwwbb", WHITE), ("wwwwbb", BLACK),
    ],
)  # fmt: skip
def test_absolute_preference(played: str, wanted: Colour | None) -> None:
    lines = [game(r, 9, WHITE if c == "w" else BLACK, 1) for r, c in enumerate(played, start=1)]
    # A colour of a game that was not played is none.
    lines.append(CardLine(len(lines) + 1, How.FORFEIT, 2, 9, WHITE))
    assert dutch.absolute_preference(Card(1, "a", tuple(lines))) is wanted


@pytest.mark.parametrize(
    ("line", "barred"),
    [
        (CardLine(1, How.ALLOCATED_BYE, 1), True),
        (CardLine(1, How.FULL_BYE, 2), True),
        (CardLine(1, How.FORFEIT, 2, 4, WHITE), True),
        (CardLine(1, How.FORFEIT, 0, 4, WHITE), False),
        (CardLine(1, How.HALF_BYE, 1), False),
        (game(1, 4, WHITE, 2), False),
    ],
)
def test_to_whom_the_bye_is_barred(line: CardLine, barred: bool) -> None:  # noqa: FBT001
    assert dutch.bars_from_bye(line) is barred


def test_topscorers_have_more_than_half_in_the_last_round_only() -> None:
    cards = [Card(n, "", tuple(game(r, 9, WHITE, n) for r in (1, 2))) for n in (1, 2)]
    last = sheet(*cards, rounds=3, played=2)
    assert [dutch.is_topscorer(RoundToPair(3, last), n) for n in (1, 2)] == [False, True]
    assert not dutch.is_topscorer(RoundToPair(3, sheet(*cards, rounds=4, played=2)), 2)
