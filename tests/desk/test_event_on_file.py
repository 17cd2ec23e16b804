"""A report read as an event to check: its rounds, and the rules that it declares."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.desk.checker import DeviationKind as Kind
from ledger.desk.pairing import berger, dutch, fenamac_1975
from ledger.desk.pairing.proposal import PairingRules
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.simulator import Plan, simulate
from ledger.desk.trf_text import FileNotes, trf_text
from ledger.errors import InputRefused
from ledger.intake.event_check import check_file
from ledger.intake.trf.event import EventOnFile, event_on_file
from ledger.intake.trf.parse import parse
from ledger.terms import Colour, PairingMethod, System, TrfVersion

HEADING = (("012", "Open"), ("042", "2026/03/01"), ("052", "2026/03/02"))
RULES = PairingRules(
    first_colour=Colour.BLACK,
    forbidden=frozenset((frozenset((1, 2)), frozenset((3, 5)))),
    acceleration={1: {1: 2, 2: 2, 3: 1}, 2: {1: 1, 2: 1}},
)
PLAN = Plan(players=11, rounds=5, seed="file", forfeits=150, byes=150, unusual=150, rules=RULES)
EVENT = simulate(PLAN, fenamac_1975.pair).sheet


def read(*lines: str, pairing: PairingMethod | None = None) -> EventOnFile:
    heading = HEADING + tuple((line[:3], line[4:]) for line in lines)
    text = trf_text(EVENT, PairingRules(), FileNotes(heading=heading))
    return event_on_file(parse(text), pairing)


@pytest.mark.parametrize("version", list(TrfVersion))
def test_what_is_written_is_read_again(version: TrfVersion) -> None:
    text = trf_text(EVENT, RULES, FileNotes(heading=HEADING, ranks={1: 1}), version)
    event = event_on_file(parse(text))
    assert event.declared.rules == RULES
    cards = {n: replace(card, player=f"Player{n:04}") for n, card in EVENT.cards.items()}
    # A bye of no points and an absence are one in a report.
    assert _without_absences(event.declared.sheet.cards) == _without_absences(cards)
    assert event.declared.sheet.rounds == 5
    assert event.declared.points == EVENT.halves
    assert event.declared.ranks == {1: 1}


def _without_absences(cards: object) -> list[Card]:
    assert isinstance(cards, dict)
    return [
        replace(
            card,
            lines=tuple(
                replace(line, how=How.ZERO_BYE) if line.how is How.UNPAIRED else line
                for line in card.lines
            ),
        )
        for card in cards.values()
    ]


@pytest.mark.parametrize(
    ("code", "method"),
    [
        ("FIDE_DUTCH_2026", dutch.pair),
        ("FIDE_DUTCH_2025", dutch.pair),
        ("FIDE_DUTCH_2025_BAKU", dutch.pair),
        ("FIDE_DUTCH_BAKU", dutch.pair),
        ("FIDE_DOUBLEROUNDROBIN", berger.pair),
        ("FIDE_DUBOV", None),
        ("FIDE_DUTCH_2017", None),
    ],
)
def test_the_system_is_that_of_192(code: str, method: object) -> None:
    assert read(f"192 {code}").declared.pair is method


def test_another_system_may_be_named() -> None:
    event = read("192 FIDE_DUTCH", pairing=PairingMethod.FENAMAC_1975)
    assert event.declared.pair is fenamac_1975.pair


def test_the_first_colour_is_that_of_round_one_where_nothing_says_it() -> None:
    lines = (
        CardLine(1, How.PLAYED, 2, 2, Colour.BLACK),
        CardLine(1, How.PLAYED, 0, 1, Colour.WHITE),
    )
    cards = {n: Card(n, "", (line,)) for n, line in enumerate(lines, start=1)}
    text = trf_text(ScoreSheet(System.SWISS, cards, 3, 1), PairingRules(), FileNotes())
    plain = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("152"))
    assert event_on_file(parse(plain)).declared.rules.first_colour is Colour.BLACK


def test_tie_breaks_are_announced_by_202_or_212() -> None:
    declared = read("212 PTS,BH/C1,SB").declared
    assert [each.code for each in declared.tie_breaks or ()] == ["BH/C1", "SB"]
    unknown = read("202 BH:XX")
    assert unknown.declared.tie_breaks is None
    [remark] = unknown.remarks
    assert str(remark.message) == (
        "tie-breaks of the record 202 are unknown, or not for such an event: BH:XX; "
        "the record is not considered"
    )


@pytest.mark.parametrize("record", ["202 PTS,FOO,SB,BAR", "212 PTS,FOO,SB,BAR"])
def test_unknown_tie_breaks_are_named(record: str) -> None:
    event = read(record)
    assert event.lists_tie_breaks
    [remark] = event.remarks
    assert remark.message.key == "check.unknown_tie_breaks"
    assert dict(remark.message.values) == {"code": record[:3], "codes": "FOO, BAR"}
    assert "desempates desconocidos" in remark.message.within("es")
    [twice] = read("202 SB,SB").remarks
    assert twice.message.key == "check.not_considered"


def test_a_declared_system_is_kept_where_there_is_none_such() -> None:
    event = read("192 FIDE_BURSTEIN")
    assert (event.pairing, event.system) == (None, "FIDE_BURSTEIN")


def commented(*comments: str) -> EventOnFile:
    said = [f"rating-ledger {comment}" for comment in comments]
    text = trf_text(EVENT, PairingRules(), FileNotes(heading=HEADING, comments=said))
    return event_on_file(parse(text))


def test_own_comments_say_what_no_record_does() -> None:
    event = commented(
        "pairing: practical-1975", "tie-breaks: median,lots:a seed", "bye lots: b seed",
        "cycles: 2", "last rounds exchanged: yes", "pairing ratings: 2=2400 11=1200",
        "numbers apart from the ratings: 11", "round 1 paired by numbers: 2 1 3",
    )  # fmt: skip
    declared = event.declared
    assert event.pairing is PairingMethod.PRACTICAL_1975
    assert [each.code for each in declared.tie_breaks or ()] == ["median", "lots"]
    assert (declared.rules.bye_lots, declared.rules.cycles) == ("b seed", 2)
    assert declared.rules.exchange_last_rounds
    assert [declared.sheet.cards[number].rating for number in (2, 11)] == [2400, 1200]
    assert (declared.apart, declared.orders) == ({11}, {1: (2, 1, 3)})
    assert [remark.message.key for remark in event.remarks] == [
        "check.pairing_ratings",
        "check.numbers_apart",
        "check.numbered_otherwise",
    ]


@pytest.mark.parametrize("basis", ["entry", "hand", "lot", "varma"])
def test_numbers_that_were_not_given_by_rating_are_no_difference(basis: str) -> None:
    event = commented(f"numbers by: {basis}")
    assert not event.declared.by_rating
    assert [remark.message.key for remark in event.remarks] == [f"check.numbers_by_{basis}"]


@pytest.mark.parametrize(
    "comment",
    [
        "pairing: chess960", "tie-breaks: foo", "cycles: 0", "cycles: ٣", "numbers by: rating",
        "numbers by: magic", "pairing ratings: 99=1200 x=y =", "numbers apart from the ratings: 99",
        "numbers apart from the ratings: 1 1", "round 1 paired by numbers: 1 1 2",
        "round 1 paired by numbers: 0", "round 99999 paired by numbers: 1", "anything: else",
    ],
)  # fmt: skip
def test_own_comments_that_cannot_be_are_passed_over(comment: str) -> None:
    event, plain = commented(comment), commented()
    assert (event.declared.rules, event.declared.by_rating) == (plain.declared.rules, True)
    assert (event.declared.apart, event.declared.orders) == (frozenset(), {})
    assert (event.pairing, event.remarks, event.declared.tie_breaks) == (None, (), None)
    assert event.declared.sheet == plain.declared.sheet


def test_what_is_not_considered_is_told() -> None:
    event = read("260   2   3    1    2", "299 W   2.0   2.5    2   11")
    assert event.declared.rules.forbidden == frozenset()
    assert event.declared.points == {}
    assert len(event.remarks) == 2


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("162  W 3.0    D 1.0    L 0.0", "only events with 1 point for a win"),
        ("310   1 Team", "event of teams"),
    ],
)
def test_what_cannot_be_checked_is_refused(record: str, said: str) -> None:
    text = "\n".join((record, *trf_text(EVENT, PairingRules()).splitlines(), ""))
    with pytest.raises(InputRefused, match=said):
        check_file(text.encode(), "F.trf")


def test_a_report_with_problems_is_refused_with_all_of_them() -> None:
    text = trf_text(EVENT, PairingRules()).replace(" w 1", " b 1", 1)
    with pytest.raises(InputRefused, match=r"F\.trf: 1 problem; it cannot be checked") as refused:
        check_file(text.encode(), "F.trf")
    assert len(refused.value.details) == 1


def test_a_file_is_checked_from_its_bytes() -> None:
    text = trf_text(EVENT, RULES, FileNotes(heading=HEADING))
    found = check_file(text.encode(), "F.trf", PairingMethod.FENAMAC_1975)
    assert (found.event, found.rounds) == ("Open", 5)
    assert found.failure() is None
    broken = text.replace("001    3      Player0003", "001    3      Player0003".ljust(24), 1)
    points = next(line for line in broken.splitlines() if line.startswith("001    3"))
    other = points[:80] + " 9.5" + points[84:]
    found = check_file(broken.replace(points, other).encode(), "F.trf", PairingMethod.FENAMAC_1975)
    assert [each.kind for each in found.differences] == [Kind.POINTS]
    assert "1 difference" in str(found.failure())
    assert found.data("es")["differences"][0]["kind"] == "points"
