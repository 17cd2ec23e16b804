"""A score sheet as the text of a tournament report file, for pairing engines and random events.

FIDE Handbook C.04, annex 2 (TRF16) and TRF26. The editions differ in how they say what no column
holds: TRF26 has 142 (rounds), 152 (first colour), 162 (points), 192 (system), 250 (acceleration)
and 260 (forbidden pairs); with TRF16 the engines read XXR, XXC, XXS, XXA and XXP. XXZ (who is not
to be paired next) is the same in both.

Points are written as the results in the file add up to. A game without a result counts as drawn
(C.04.2: adjourned games, for the pairing).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from ledger.desk.pairing.proposal import PairingRules
from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet
from ledger.terms import TrfVersion

_DRAW: Final = 1  # in half points
_PLAYED: Final = "0=1"
_WITHOUT_OPPONENT: Final = {
    How.ALLOCATED_BYE: "U",
    How.FULL_BYE: "F",
    How.HALF_BYE: "H",
}
_ALL: Final = 999  # the last round that the columns hold


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNotes:
    """What a file says beside the rounds and the rules of the pairing.

    ``heading`` are records of the tournament (012, 042 …), ``comments`` stand behind them with
    ``###``. ``names`` and ``ranks`` are by number (default: a made-up name, no rank). ``absent``
    are not to be paired in the next round. ``code`` is that of the system (192).
    """

    heading: Sequence[tuple[str, str]] = ()
    comments: Sequence[str] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    ranks: Mapping[int, int] = field(default_factory=dict)
    absent: Iterable[int] = ()
    code: str | None = None


def trf_text(
    sheet: ScoreSheet,
    rules: PairingRules,
    notes: FileNotes | None = None,
    version: TrfVersion = TrfVersion.TRF26,
) -> str:
    """Returns a file with the rounds of a score sheet and the rules of its pairing.

    Engines want the numbers 1 to n without a gap: what numbers the sheet has is the caller's care.
    """
    notes = notes or FileNotes()
    lines = [f"{code} {text}" for code, text in notes.heading]
    lines += rule_lines(sheet, rules, notes, version)
    if absent := sorted(notes.absent):
        lines.append("XXZ " + " ".join(map(str, absent)))
    lines += (f"### {comment}" for comment in notes.comments)
    lines += (_player(card, notes) for card in sheet.cards.values())
    return "".join(f"{line}\n" for line in lines)


def rule_lines(
    sheet: ScoreSheet, rules: PairingRules, notes: FileNotes, version: TrfVersion
) -> Iterator[str]:
    """Returns the records of the rules of the pairing."""
    return _rules26(sheet, rules, notes) if version is TrfVersion.TRF26 else _rules16(sheet, rules)


def _rules26(sheet: ScoreSheet, rules: PairingRules, notes: FileNotes) -> Iterator[str]:
    yield f"142 {sheet.rounds}"
    yield f"152 {rules.first_colour.value.upper()}"
    bye = bye_worth(sheet)
    if bye != WIN:  # 162 is mandatory only where points are not the usual ones; some refuse its X
        yield f"162  P{points_text(bye):>4}"
    if notes.code:
        yield f"192 {notes.code}"
    for round_, first, last, halves in _accelerated(rules):
        added = f"{points_text(halves):>4}"
        yield f"250 {added} {added} {round_:>3} {round_:>3} {first:>4} {last:>4}"
    for pair in _forbidden(rules):
        yield f"260   1 {_ALL}" + "".join(f" {number:>4}" for number in pair)


def _rules16(sheet: ScoreSheet, rules: PairingRules) -> Iterator[str]:
    yield f"XXR {sheet.rounds}"
    yield f"XXC {rules.first_colour.name.lower()}1"
    if bye_worth(sheet) != WIN:
        yield f"XXS PAB={points_text(bye_worth(sheet))}"
    last = max(rules.acceleration, default=0)
    for number in sheet.cards:
        added = [rules.acceleration.get(round_, {}).get(number, 0) for round_ in range(1, last + 1)]
        if any(added):
            yield f"XXA {number:>4}" + "".join(f" {points_text(halves):>4}" for halves in added)
    for pair in _forbidden(rules):
        yield "XXP " + " ".join(map(str, pair))


def bye_worth(sheet: ScoreSheet) -> int:
    """Returns what pairing-allocated byes are worth, in half points; a win where there is none."""
    each = (line for card in sheet.cards.values() for line in card.lines)
    return next((line.halves for line in each if line.how is How.ALLOCATED_BYE), WIN)


def _forbidden(rules: PairingRules) -> list[list[int]]:
    return sorted(sorted(pair) for pair in rules.forbidden)


def _accelerated(rules: PairingRules) -> Iterator[tuple[int, int, int, int]]:
    """Yields round, first and last number and half points of each run of equal additions."""
    for round_, added in sorted(rules.acceleration.items()):
        numbers = sorted(number for number, halves in added.items() if halves)
        # Numbers in a row differ from their place by the same amount.
        places = list(enumerate(numbers))
        for _, run in groupby(places, key=lambda each: (each[1] - each[0], added[each[1]])):
            row = [number for _, number in run]
            yield round_, row[0], row[-1], added[row[0]]


def _player(card: Card, notes: FileNotes) -> str:
    name = notes.names.get(card.number) or f"Player{card.number:04}"
    rating = card.rating or ""
    written = sum(_halves(line) for line in card.lines)
    rank = notes.ranks.get(card.number, "")
    line = f"001 {card.number:>4}      {name[:33]:<33} {rating:>4}"
    return f"{line:<80}{points_text(written):>4} {rank:>4}" + "".join(map(_round, card.lines))


def _round(line: CardLine) -> str:
    if not line.paired or line.opponent is None:
        return f"  0000 - {_WITHOUT_OPPONENT.get(line.how, 'Z')}"
    colour = "-" if line.colour is None else line.colour.value
    return f"  {line.opponent:>4} {colour} {_result(line)}"


def _result(line: CardLine) -> str:
    if line.how is How.FORFEIT:
        return "+" if line.halves else "-"
    return _PLAYED[_halves(line)]


def _halves(line: CardLine) -> int:
    """Returns what a round is worth as it is written."""
    return _DRAW if line.how is How.OPEN else line.halves


def points_text(halves: int) -> str:
    """Returns half points as points with one decimal, ``2.5``."""
    return f"{halves // 2}.{5 * (halves % 2)}"
