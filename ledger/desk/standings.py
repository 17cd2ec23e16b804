"""Standings: the order by points, then by the tie-breaks that were announced; and the prizes.

Who is equal after all of them shares the place. Withdrawn and expelled participants of a Swiss stay
in the table; who is cancelled in an all-play-all stands below the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, islice
from typing import Final

from ledger.desk.score_sheet import Card, ScoreSheet
from ledger.desk.tie_breaks.tie_break import TieBreak, Value

POINTS: Final = "points"


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the standings.

    ``rank`` is shared by those whom nothing parts. ``values`` are by code; a tie-break among the
    tied has one where it was asked. ``decided_by`` is what put the row below the one above it:
    ``points``, a code, or None for the first row and for who shares the place above.
    """

    rank: int
    card: Card
    values: Mapping[str, Value]
    decided_by: str | None


def standings(sheet: ScoreSheet, tie_breaks: Sequence[TieBreak]) -> list[StandingsRow]:
    """Returns the standings after the rounds of a score sheet, the first place first.

    Who shares a place stands by starting number there.
    """
    values: dict[int, dict[str, Value]] = {number: {} for number in sheet.cards}
    for tie_break in tie_breaks:
        if tie_break.each is not None:
            for number, card in sheet.cards.items():
                values[number][tie_break.code] = tie_break.each(sheet, card)
    ordered = sorted(sheet.cards.values(), key=lambda card: (card.cancelled, -card.halves))
    places: list[StandingsRow] = []
    for _, equal in groupby(ordered, key=lambda card: (card.cancelled, card.halves)):
        decided: str | None = POINTS if places else None
        for tied, by in _Tie(sheet, tie_breaks, values).parted(list(equal), 0):
            rank = len(places) + 1
            first, *sharing = sorted(tied, key=lambda card: card.number)
            places.append(StandingsRow(rank, first, values[first.number], by or decided))
            places += (StandingsRow(rank, card, values[card.number], None) for card in sharing)
    return places


@dataclass(frozen=True, slots=True)
class _Tie:
    """Participants with equal points, and the tie-breaks in order; ``values`` are put down."""

    sheet: ScoreSheet
    tie_breaks: Sequence[TieBreak]
    values: dict[int, dict[str, Value]]

    def parted(
        self, tied: list[Card], place: int, *, again: bool = False
    ) -> Iterator[tuple[list[Card], str | None]]:
        """Yields the groups into which tie-breaks part the tied, in order, and what parted each.

        The first group comes with None: what stands before it was parted by something else.

        Args:
            tied: participants.
            place: from which tie-break on they are parted.
            again: whether it was asked among more of them before.
        """
        if len(tied) == 1 or place == len(self.tie_breaks):
            yield tied, None
            return
        tie_break = self.tie_breaks[place]
        amounts = self._amounts(tied, tie_break, again=again)
        ordered = sorted(tied, key=lambda card: amounts[card.number], reverse=True)
        groups = [list(group) for _, group in groupby(ordered, key=lambda c: amounts[c.number])]
        asked_again = tie_break.again and len(groups) > 1
        for index, group in enumerate(groups):
            by = tie_break.code if index else None
            next_ = place if asked_again else place + 1
            for still_tied, parted_by in self.parted(group, next_, again=asked_again):
                yield still_tied, parted_by or by
                by = None

    def _amounts(
        self, tied: list[Card], tie_break: TieBreak, *, again: bool
    ) -> dict[int, Fraction]:
        """Returns what orders the tied; equal for all where somebody has nothing that decides."""
        found = self._among(tied, tie_break, again=again)
        amounts = {
            number: value.ordered_by
            for number, value in found.items()
            if value.ordered_by is not None and value.decides
        }
        if len(amounts) < len(tied):
            return dict.fromkeys((card.number for card in tied), Fraction(0))
        return amounts

    def _among(self, tied: list[Card], tie_break: TieBreak, *, again: bool) -> Mapping[int, Value]:
        """Returns the values by which the tied are compared, and puts them down."""
        code = tie_break.code
        if tie_break.among is not None:
            found = tie_break.among(self.sheet, tied) or {}
            for number, value in found.items():
                before = self.values[number].get(code)
                self.values[number][code] = _latest(before, value) if before and again else value
            return found
        if tie_break.unfair and (why := tie_break.unfair(self.sheet, tied)):
            for card in tied:
                of_card = self.values[card.number]
                of_card[code] = replace(of_card[code], why=of_card[code].why or why)
        return {card.number: self.values[card.number][code] for card in tied}


def _latest(before: Value, value: Value) -> Value:
    """Returns a value with a later one behind it."""
    return replace(before, again=value if before.again is None else _latest(before.again, value))


def awarded(
    places: Sequence[StandingsRow], prizes: Sequence[tuple[Collection[str], Sequence[int]]]
) -> list[dict[int, int]]:
    """Returns what each participant gets of the prizes of several categories, by starting number.

    Nobody gets two: of what somebody could have, the greatest is kept, of equal ones the one that
    was announced first; the others go down to the next of their category. Whoever could have the
    greatest of all chooses first, among equals the one who stands higher.

    Args:
        places: the standings.
        prizes: of each category who is of it, by id, and its amounts from the first place.
    """
    rivals = [{*members} for members, _ in prizes]
    while True:
        offers = [
            {
                number: amount
                for number, amount in shares(
                    [each for each in places if each.card.player in among], amounts
                ).items()
                if amount
            }
            for among, (_, amounts) in zip(rivals, prizes, strict=True)
        ]
        chooser = _who_chooses(places, offers)
        if chooser is None:
            return offers
        number = chooser.card.number
        kept = max(range(len(offers)), key=lambda at: (offers[at].get(number, 0), -at))
        for at, among in enumerate(rivals):
            if at != kept:
                among.discard(chooser.card.player)


def _who_chooses(
    places: Sequence[StandingsRow], offers: Sequence[Mapping[int, int]]
) -> StandingsRow | None:
    """Returns who could have the greatest prize of those who could have several; None: nobody."""
    several = [place for place in places if sum(place.card.number in offer for offer in offers) > 1]
    return max(
        several,
        key=lambda place: max(offer.get(place.card.number, 0) for offer in offers),
        default=None,
    )


def shares(places: Sequence[StandingsRow], prizes: Sequence[int]) -> dict[int, int]:
    """Returns what each participant gets, by starting number; nothing is left out.

    Prizes of places with equal points are added and shared (manual, I IX): tie-breaks order
    trophies and places of qualification, and no money. D15: what cannot be divided goes, unit by
    unit, to those who stand first by the tie-breaks. Who was expelled or is cancelled takes no
    place and gets nothing. ``prizes`` are those of the first place, the second and so on, in the
    smallest unit of the currency.
    """
    amounts = iter(prizes)
    found = {place.card.number: 0 for place in places}
    counted = (each for each in places if not (each.card.expelled or each.card.cancelled))
    for _, group in groupby(counted, key=lambda place: place.card.halves):
        equal = list(group)
        share, rest = divmod(sum(islice(amounts, len(equal))), len(equal))
        for order, place in enumerate(equal):
            found[place.card.number] = share + (order < rest)
    return found
