"""The tie-breaks of Chavarría's manual of 1975: DESEMPATE, EL ROUND ROBIN, NOTAS, EQUIPOS.

A game that was not played (won or lost by default, a bye, a round after leaving or before a late
entry, a game without a result yet) gives nothing to a player's own tie-breaks, and half a point
to the adjusted score by which the opponents are judged. Games with a player who is cancelled
belong to no row.

=====================  ==========================================================  =============
code                   value                                                       chapter
=====================  ==========================================================  =============
``median``             opponents' adjusted scores without the highest and lowest   DESEMPATE
``solkoff``            opponents' adjusted scores                                  DESEMPATE
``sonneborn-berger``   those of who was beaten, half of those drawn with           DESEMPATE
``direct``             points in the games of the tied                             DESEMPATE 1
``blacks``             games with Black                                            DESEMPATE 2
``kashdan``            4 for a win, 2 for a draw, 1 for a loss                     DESEMPATE 3
``opponents-ratings``  sum of the opponents' ratings                               DESEMPATE
``rating-percentage``  per cent made above the expected                            NOTAS FINALES
``lots``               drawn among the tied                                        DESEMPATE
``board-medians``      medians of all boards of a team                             EQUIPOS
=====================  ==========================================================  =============
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Final

from ledger.desk.lots import drawn
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.tie_breaks.tie_break import (
    Adjustment,
    Part,
    TieBreak,
    Value,
    boards_of_matches,
    of_board,
)
from ledger.rating.decimal_text import exact
from ledger.rating.rounding import half_away_from_zero, whole_percent
from ledger.regulations.printed_tables import P_OF_D
from ledger.terms import Colour, System
from ledger.wording import Message

_KASHDAN: Final = {2: Fraction(4), 1: Fraction(2), 0: Fraction(1)}
_CUTS: Final = ((8, 1), (12, 2))  # rounds at most, cut at each end
_CUTS_OF_MORE: Final = 3
_FEW_ROUNDS: Final = 6  # in which Solkoff comes before the median
_SAME_RATING: Final = 7  # points
_NOTHING: Final = Fraction(0)
_ONE: Final = Fraction(1)
_UNPLAYED: Final = 1  # a game that was not played, in half points of the adjusted score


@cache
def _quarters(count: int) -> Fraction:
    return Fraction(count, 4)


def row(sheet: ScoreSheet, card: Card) -> Iterator[CardLine]:
    """Yields the rounds of a card of which tie-breaks know: all but those that count for nobody.

    In an all-play-all a round of which nothing is recorded is no game; who left has games due.
    """
    no_game = sheet.system is System.ROUND_ROBIN
    for line in card.lines:
        if line.how is not How.CANCELLED and not (no_game and line.how is How.UNPAIRED):
            yield line


def adjusted_scores(sheet: ScoreSheet) -> Mapping[int, int]:
    """Returns everybody's adjusted score in half points, by number.

    PUNTUACION AJUSTADA: a game that was not played counts half a point. It serves the tie-breaks
    of those who played the player; D11: each round after a withdrawal was not played.
    """
    return sheet.cached(
        "manual_1975 adjusted",
        (
            (
                number,
                sum(line.halves if line.played else _UNPLAYED for line in row(sheet, card)),
            )
            for number, card in sheet.cards.items()
        ),
    )


def _from_opponents(
    sheet: ScoreSheet, card: Card, share: Callable[[CardLine], int]
) -> Iterator[Part]:
    """Yields a share of each opponent's adjusted score, in half points; D9: 0 for no game."""
    adjusted, real = adjusted_scores(sheet), sheet.halves
    for line in row(sheet, card):
        if not line.played or line.opponent is None:
            yield Part(line.round, line.opponent, _NOTHING, note="unplayed")
            continue
        score = adjusted[line.opponent]
        change = Adjustment.between(real[line.opponent], score, "unplayed_half")
        yield Part(
            line.round, line.opponent, _quarters(share(line) * score),
            note="adjusted" if change else "", adjusted=change,
        )  # fmt: skip


def _whole(_: CardLine) -> int:
    return 2


def _made(line: CardLine) -> int:
    return line.halves


def solkoff(sheet: ScoreSheet, card: Card) -> Value:
    """Sums the adjusted scores of all opponents, won or lost (DESEMPATE; also Buchholz)."""
    return Value.total(_from_opponents(sheet, card, _whole))


def median(sheet: ScoreSheet, card: Card) -> Value:
    """Sums them without the highest and the lowest (DESEMPATE).

    One at each end in an event of up to 8 rounds, two in up to 12, three in a longer one. D9: a
    game that was not played stays in the row with 0, and so is the first to be cut.
    """
    parts = list(_from_opponents(sheet, card, _whole))
    cut = next((cut for rounds, cut in _CUTS if sheet.rounds <= rounds), _CUTS_OF_MORE)
    order = sorted(range(len(parts)), key=lambda i: (parts[i].amount, not parts[i].note, i))
    for place in {*order[:cut], *order[-cut:]}:
        each = parts[place]
        note = each.note if each.note == "unplayed" else "cut"
        parts[place] = replace(each, counted=False, note=note)
    return Value.total(parts)


def sonneborn_berger(sheet: ScoreSheet, card: Card) -> Value:
    """Sums the adjusted scores of those who were beaten, and half of those drawn with.

    DESEMPATE and EL ROUND ROBIN: what was lost or not played counts 0.
    """
    return Value.total(_from_opponents(sheet, card, _made))


def kashdan(sheet: ScoreSheet, card: Card) -> Value:
    """Counts 4 for a win, 2 for a draw, 1 for a loss, 0 for no game (DESEMPATE 3)."""
    return Value.total(
        Part(line.round, line.opponent, _KASHDAN[line.halves])
        if line.played
        else Part(line.round, line.opponent, _NOTHING, note="unplayed")
        for line in row(sheet, card)
    )


def blacks(sheet: ScoreSheet, card: Card) -> Value:
    """Counts the games with Black (DESEMPATE 2); D13: those that were played."""
    return Value.total(
        Part(line.round, line.opponent, _ONE)
        for line in row(sheet, card)
        if line.played and line.colour is Colour.BLACK
    )


def direct(_: ScoreSheet, tied: Sequence[Card]) -> Mapping[int, Value]:
    """Sums the points that the tied made in the games among them (DESEMPATE 1, "si la hubo").

    D12: among more than two only if all have met. A game that was not played is no meeting. Asked
    again among those it leaves tied.
    """
    numbers = {card.number for card in tied}
    games = {
        card.number: [line for line in card.games if line.opponent in numbers] for card in tied
    }
    met = {(number, line.opponent) for number, lines in games.items() for line in lines}
    if any(pair not in met for pair in combinations(sorted(numbers), 2)):
        why = Message.of("tiebreak.not_all_met", count=len(tied))
        return {number: Value(None, why=why) for number in numbers}
    return {
        number: Value.total(
            Part(line.round, line.opponent, Fraction(line.halves, 2)) for line in lines
        )
        for number, lines in games.items()
    }


# By ratings


def _rated_games(sheet: ScoreSheet, card: Card) -> Iterator[Part]:
    """Yields the opponents' ratings, a game that was not played left out; everybody is rated."""
    for line in card.games:
        assert line.opponent is not None
        rating = sheet.cards[line.opponent].rating
        assert rating is not None
        yield Part(line.round, line.opponent, Fraction(rating))


def _no_ratings(sheet: ScoreSheet, card: Card) -> Message | None:
    """Says why tie-breaks by ratings cannot be used: "suponiendo que todos estén rankeados"."""
    unrated = sheet.cached(
        "unrated",
        (
            (number, 1)
            for number, each in sheet.cards.items()
            if each.rating is None and not each.cancelled
        ),
    )
    if unrated:
        return Message.of("tiebreak.unrated", count=len(unrated), first=min(unrated))
    if not card.games or card.rating is None:
        return Message.of("tiebreak.no_game")
    return None


def opponents_ratings(sheet: ScoreSheet, card: Card) -> Value:
    """Sums the ratings of the opponents of games that were played (DESEMPATE)."""
    if why := _no_ratings(sheet, card):
        return Value(None, why=why)
    return Value.total(_rated_games(sheet, card))


def not_comparable(_: ScoreSheet, tied: Sequence[Card]) -> Message | None:
    """Says why sums of ratings are not compared: they must stand for the same.

    The tied must have as many games ("si jugaron igual número de partidas") and the same rating, or
    6 or 7 points less or more (DESEMPATE POR EL SISTEMA DE CLASIFICACION).
    """
    if len({len(card.games) for card in tied}) > 1:
        return Message.of("tiebreak.unequal_games")
    ratings = [card.rating for card in tied if card.rating is not None]
    if ratings and max(ratings) - min(ratings) > _SAME_RATING:
        return Message.of("tiebreak.unequal_ratings", points=_SAME_RATING)
    return None


def rating_percentage(sheet: ScoreSheet, card: Card) -> Value:
    """Returns the per cent made of the games played, less the per cent that Table 2 expects.

    DESEMPATE POR EL SISTEMA DE CLASIFICACION, NOTAS FINALES 2: games that were not played are
    ignored altogether. D14: the percentage is rounded halves up, the difference away from zero.
    """
    if why := _no_ratings(sheet, card):
        return Value(None, why=why)
    assert card.rating is not None
    parts = tuple(_rated_games(sheet, card))
    games = len(parts)
    mean = sum((part.amount for part in parts), _NOTHING) / games
    difference = half_away_from_zero(card.rating - mean)
    expected = P_OF_D.one(difference)
    made = whole_percent(sum(line.halves for line in card.games), games)
    how = Message.of(
        "tiebreak.percentage",
        made=made, games=games, own=card.rating, difference=difference, expected=expected,
        total=exact(mean * games),
    )  # fmt: skip
    return Value(Fraction(made - expected), parts, how=how)


# Lots


def lots(seed: str) -> TieBreak:
    """Returns the drawing of lots by a seed (DESEMPATE: "que la suerte decida").

    Of n tied the first one drawn gets n, the next one less. What is drawn are starting numbers.
    """

    def among(_: ScoreSheet, tied: Sequence[Card]) -> Mapping[int, Value]:
        how = Message.of("tiebreak.lots", seed=seed, count=len(tied))
        order = drawn(seed, (str(card.number) for card in tied))
        amounts = range(len(order), 0, -1)
        return {
            int(number): Value(Fraction(amount), how=how)
            for number, amount in zip(order, amounts, strict=True)
        }

    return TieBreak("lots", "DESEMPATE", among=among)


BY_CODE: Final = {
    tie_break.code: tie_break
    for tie_break in (
        TieBreak("median", "DESEMPATE", median),
        TieBreak("solkoff", "DESEMPATE", solkoff),
        TieBreak("sonneborn-berger", "DESEMPATE", sonneborn_berger),
        TieBreak("direct", "DESEMPATE 1", among=direct, again=True),
        TieBreak("blacks", "DESEMPATE 2", blacks),
        TieBreak("kashdan", "DESEMPATE 3", kashdan),
        TieBreak("opponents-ratings", "DESEMPATE", opponents_ratings, unfair=not_comparable),
        TieBreak("rating-percentage", "NOTAS FINALES 2", rating_percentage),
    )
}
"""All but the drawing of lots, which needs a seed."""


def habit(system: System, rounds: int) -> tuple[str, ...]:
    """Returns the codes in the order of the text, where none was announced.

    An all-play-all has Sonneborn-Berger (EL ROUND ROBIN). A Swiss has the median, Solkoff and
    Sonneborn-Berger; in 5 or 6 rounds Solkoff comes first (DESEMPATE).
    """
    match system:
        case System.ROUND_ROBIN:
            return ("sonneborn-berger",)
        case System.MATCH:
            return ()
        case System.SWISS | System.TEAM_SWISS:
            few = rounds <= _FEW_ROUNDS
            first = ("solkoff", "median") if few else ("median", "solkoff")
            return (*first, "sonneborn-berger")


# EL SISTEMA SUIZO EN TORNEOS POR EQUIPOS: all tie-breaks go with teams, on the points of their
# matches; with 5 rounds Solkoff comes first. Once, in Zacatecas in 1972, the medians of the four
# boards were added up.


def board_medians(sheet: ScoreSheet, card: Card) -> Value:
    """Sums the medians of all boards, whoever played there ("haciendo caso omiso de quien").

    Each board is a row of its own: its opponents are the same boards of the other teams.
    """
    parts: list[Part] = []
    for board in range(1, boards_of_matches(sheet) + 1):
        of = of_board(sheet, board)
        parts += median(of, of.cards[card.number]).parts
    return Value.total(parts)


BOARD_MEDIANS: Final = TieBreak("board-medians", "EQUIPOS", board_medians)
_CHAPTERS: Final = {
    "DESEMPATE": "tie.chapter_tie_breaks",
    "EQUIPOS": "tie.chapter_teams",
    "NOTAS FINALES": "tie.chapter_notes",
}


def article_in_words(article: str, language: str) -> str:
    """Return where a rule stands, as people say it; an article of another text as it is.

    >>> article_in_words("DESEMPATE 2", "en"), article_in_words("13.4", "en")
    ('manual of 1975, tie-breaks 2', '13.4')
    """
    chapter = article.rstrip(" 0123456789")
    if chapter not in _CHAPTERS:
        return article
    return Message.of(_CHAPTERS[chapter]).within(language) + article.removeprefix(chapter)
