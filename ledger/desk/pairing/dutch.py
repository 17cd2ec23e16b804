"""The Dutch system, FIDE Handbook C.04.3 as it is from 1 February 2026, with C.04.2.

The boards are those of the engine (see ``gacrux``). What the handbook defines and the desk needs
besides stands here: absolute colour preferences, topscorers, to whom the bye is barred.

| article | what | where |
| --- | --- | --- |
| C.04.3 1.2 to 1.5, 2.2 to 4 | brackets, floats, criteria C4 to C21, order of candidates | engine |
| 1.6, 1.7.1 | colour difference, absolute preference | `absolute_preference` |
| 1.8 | topscorers | `is_topscorer` |
| 2.1.1 to 2.1.3 | C1 to C3 | engine; a round is checked by `checker` |
| 2.1.2, C.04.2 | bye barred | `bars_from_bye` |
| 5 | colours | engine; the steps name the article |
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ledger.desk.pairing import gacrux
from ledger.desk.pairing.proposal import Board, NoPairing, PairingRules, Proposal, RoundToPair
from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet
from ledger.desk.trf_text import FileNotes, trf_text
from ledger.terms import Colour
from ledger.wording import Message

CODE: Final = "FIDE_DUTCH_2026"
"""The system in record 192 of TRF26, whatever the day of the event."""
CODE_BY_DATE: Final = "FIDE_DUTCH"
"""The edition in force on the first day of the event: this one, from ``IN_FORCE_FROM`` on."""
IN_FORCE_FROM: Final = dt.date(2026, 2, 1)
_TWICE: Final = 2
_NO_BYE: Final = 0
_ARTICLES: Final = {f"E.{n}": f"5.2.{n}" for n in range(1, 6)}


def pair(to_pair: RoundToPair) -> Proposal:
    """Pairs a round by the engine.

    Raises:
        NoPairing: the rules allow none.
        EngineMissing, EngineFailed: the engine gave no answer.
    """
    (proposal,) = pair_rounds([to_pair])
    if isinstance(proposal, NoPairing):
        raise proposal
    return proposal


def pair_rounds(rounds: Sequence[RoundToPair]) -> list[Proposal | NoPairing]:
    """Pairs rounds by one start of the engine: a proposal for each, or why there is none.

    Raises:
        EngineMissing, EngineFailed: the engine gave no answer.
    """
    places = [_places(to_pair) for to_pair in rounds]
    there = [place for place, to_pair in enumerate(rounds) if to_pair.present]
    asked = [(_file(rounds[each], places[each]), rounds[each].round) for each in there]
    answers = dict(zip(there, gacrux.pair(asked) if asked else (), strict=True))
    proposals: list[Proposal | NoPairing] = []
    for each, to_pair in enumerate(rounds):
        answer = answers.get(each) or NoPairing("dutch.nobody", round=to_pair.round)
        proposals.append(
            answer if isinstance(answer, NoPairing) else _proposal(answer, places[each])
        )
    return proposals


def _places(to_pair: RoundToPair) -> dict[int, int]:
    """Returns the numbers as the engine wants them, without a gap: places in their order."""
    return {number: place for place, number in enumerate(to_pair.sheet.cards, start=1)}


def _file(to_pair: RoundToPair, places: Mapping[int, int]) -> str:
    absent = [places[number] for number in to_pair.absent if number in places]
    return trf_text(
        _renumbered_sheet(to_pair.sheet, places),
        _renumbered_rules(to_pair.rules, places),
        FileNotes(absent=absent, code=CODE),
    )


def _proposal(answer: gacrux.Answer, places: Mapping[int, int]) -> Proposal:
    numbers = {place: number for number, place in places.items()}
    boards = [(numbers[white], numbers.get(black)) for white, black in answer.boards]
    return Proposal(
        boards=tuple(Board(white, black) for white, black in boards if black is not None),
        bye=next((white for white, black in boards if black is None), None),
        steps=tuple(_steps(answer, numbers)),
    )


def _steps(answer: gacrux.Answer, numbers: Mapping[int, int]) -> Iterator[Message]:
    """Yields who goes down to the next group, who has the bye, and the article of each colour."""
    for bracket in answer.brackets:
        for white, black, article in bracket.pairs:
            if black == _NO_BYE:
                yield Message.of("dutch.bye", number=numbers[white])
            else:
                yield Message.of(
                    "dutch.colours",
                    white=numbers[white],
                    black=numbers[black],
                    article=_ARTICLES.get(article, article),
                )
        if bracket.pairs and bracket.down:
            down = ", ".join(str(numbers[place]) for place in bracket.down if place in numbers)
            yield Message.of("dutch.down", count=len(bracket.down), numbers=down)


def _renumbered_sheet(sheet: ScoreSheet, places: Mapping[int, int]) -> ScoreSheet:
    if all(number == place for number, place in places.items()):
        return sheet
    cards = {
        places[number]: replace(
            card,
            number=places[number],
            lines=tuple(
                replace(line, opponent=places[line.opponent]) if line.opponent else line
                for line in card.lines
            ),
        )
        for number, card in sheet.cards.items()
    }
    return ScoreSheet(sheet.system, cards, sheet.rounds, sheet.played)


def _renumbered_rules(rules: PairingRules, places: Mapping[int, int]) -> PairingRules:
    """Returns rules under the places, without what concerns numbers that nobody has."""
    return replace(
        rules,
        forbidden=frozenset(
            frozenset(places[number] for number in pair)
            for pair in rules.forbidden
            if pair <= places.keys()
        ),
        acceleration={
            round_: {places[number]: halves for number, halves in added.items() if number in places}
            for round_, added in rules.acceleration.items()
        },
    )


# What the handbook defines


def colours(card: Card) -> list[Colour]:
    """Returns the colours of the games that were played, in order; others have none (C.04.2)."""
    return [line.colour for line in card.games if line.colour is not None]


def absolute_preference(card: Card) -> Colour | None:
    """Returns the colour to which a player has an absolute preference (1.7.1); else None.

    The colour difference is beyond +1 or -1, or the last two games had the same colour. Where both
    hold and ask for different colours, the difference decides.
    """
    played = colours(card)
    difference = played.count(Colour.WHITE) - played.count(Colour.BLACK)
    if abs(difference) >= _TWICE:
        return Colour.BLACK if difference > 0 else Colour.WHITE
    last = played[-_TWICE:]
    return last[0].other if len(last) == _TWICE and last[0] is last[1] else None


def is_topscorer(to_pair: RoundToPair, number: int) -> bool:
    """Whether a player is a topscorer (1.8): more than half of what was possible, last round."""
    if to_pair.round < to_pair.sheet.rounds:
        return False
    added = to_pair.rules.acceleration.get(to_pair.round, {}).get(number, 0)
    halves = to_pair.sheet.halves[number] + added
    return 2 * halves > WIN * (to_pair.round - 1)


def bars_from_bye(line: CardLine) -> bool:
    """Whether a round bars from the bye (2.1.2, C.04.2).

    That is an earlier one, and a round that was not played with the points of a win.
    """
    return line.how is How.ALLOCATED_BYE or (not line.played and line.halves >= WIN)
