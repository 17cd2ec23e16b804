"""The next round of an event: who is to be paired, and what its pairing depends on.

Chavarría 1975, EL SISTEMA SUIZO: who withdraws is taken off the list (R VI), nobody is given a
point by being paired with somebody who has left (I VI), who missed a round unannounced is not
paired again unless the arbiter accepts the excuse, and two missed rounds end it (F 9). FIDE C.04.2
says the same of an absence without notice, and lets announced ones be.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ledger.desk.pairing.berger import without_opponent
from ledger.desk.pairing.proposal import NoPairing, PairingRules, Proposal, RoundToPair
from ledger.desk.score_sheet import WIN, Card, How, ScoreSheet, rounds_of_table, score_sheet
from ledger.desk.teams import matches, participants_of
from ledger.errors import InputRefused, Problem
from ledger.events.desk import RulesAnnounced, WhyNotPaired
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.results import Bye
from ledger.terms import Colour, PairingMethod, System
from ledger.wording import Message

MANUAL: Final = frozenset(
    (PairingMethod.FENAMAC_1975, PairingMethod.PRACTICAL_1975, PairingMethod.TEAM_1975)
)
"""The systems of Chavarría 1975: who missed two rounds is out."""

_Game: TypeAlias = tuple[int, str, str]
_ABSENCES = 2  # until a participant is out (I VI)


def round_to_pair(
    record: TournamentRecord, round_: int, ratings: Mapping[str, int] | None = None
) -> RoundToPair:
    """Returns a round with all that its pairing depends on.

    In an event of teams the participants are these.

    Args:
        record: the tournament; its rules were announced.
        round_: from 1; every round before it is complete.
        ratings: for the pairing, by id.

    Raises:
        InputRefused: no rules were announced.
        NoPairing: results of an earlier round are missing.
    """
    rules = announced(record)
    _check_complete(record, round_)
    participants = participants_of(record)
    away = not_paired(participants, round_)
    sheet = score_sheet(participants, ratings, after=round_ - 1)
    return RoundToPair(
        round=round_,
        sheet=sheet,
        absent=frozenset(participants.entries[player] for player in away),
        rules=pairing_rules(record, rules, sheet),
    )


def pairing_rules(
    record: TournamentRecord, rules: RulesAnnounced, sheet: ScoreSheet
) -> PairingRules:
    """Returns announced rules as a pairing system takes them; ``sheet`` is of the participants."""
    numbers = participants_of(record).entries
    forbidden = [(record.stays(one), record.stays(other)) for one, other in rules.forbidden or ()]
    accelerated = rules.acceleration == "baku"
    return PairingRules(
        acceleration=baku(sheet.cards.values(), sheet.rounds) if accelerated else {},
        first_colour=Colour[rules.first_colour.upper()],
        forbidden=frozenset(
            frozenset((numbers[one], numbers[other]))
            for one, other in forbidden
            if one in numbers and other in numbers
        ),
        bye_lots=rules.lot_seed if rules.bye_by_lot else None,
        cycles=rules.cycles,
        exchange_last_rounds=bool(rules.exchange_last_rounds),
    )


def announced(record: TournamentRecord) -> RulesAnnounced:
    """Returns the rules of an event; raises ``InputRefused`` where none were announced."""
    rules = record.desk.rules
    if rules is None:
        raise InputRefused("desk.no_rules", tournament=record.version.tournament)
    return rules


def needs_rounds(pairing: PairingMethod, acceleration: str | None) -> bool:
    """Whether rounds are paired by how many there are.

    Topscorers of the last one have rules of their own (C.04.3 1.8), and the first half is
    accelerated (C.04.7). Tables have their number by themselves; 1975 knows no such rule.
    """
    return pairing is PairingMethod.DUTCH or acceleration is not None


def not_paired(record: TournamentRecord, round_: int) -> dict[str, WhyNotPaired]:
    """Returns who is not to be paired in a round, and why; in the order of the numbers."""
    record = participants_of(record)
    before: dict[str, list[PairingRecord]] = {player: [] for player in record.entries}
    for (earlier, player), pairing in sorted(record.pairings.items()):
        by_pairing = record.desk.gave_bye(earlier, player)  # no absence, whatever it is worth
        if earlier < round_ and player in before and not by_pairing:
            before[player].append(pairing)
    found = (
        (player, _why(record, player, round_, before[player])) for player, _ in record.by_number
    )
    return {player: why for player, why in found if why is not None}


def _why(
    record: TournamentRecord, player: str, round_: int, before: Sequence[PairingRecord]
) -> WhyNotPaired | None:
    desk = record.desk
    described = desk.descriptions.get(player)
    if record.withdrawn.get(player, round_ + 1) <= round_:
        return "withdrawn"
    if desk.expelled.get(player, round_ + 1) <= round_:
        return "expelled"
    if record.was_away(player, round_):
        return "withdrawn"
    if described is not None and (described.said.from_round or 1) > round_:
        return "not-entered-yet"
    given = record.pairings.get((round_, player))
    if (round_, player) in desk.absences or (given is not None and isinstance(given.result, Bye)):
        return "announced"
    if record.version.system is System.ROUND_ROBIN:
        return None
    unannounced, missed = _missed(player, before)
    rules = desk.rules
    excused_from = desk.excused.get(player, 0)
    not_excused = [earlier for earlier in missed if earlier >= excused_from]
    if rules is not None and rules.pairing in MANUAL and len(not_excused) >= _ABSENCES:
        return "expelled"
    return "absent-before" if any(earlier in unannounced for earlier in not_excused) else None


def is_second_absence(record: TournamentRecord, player: str) -> bool:
    """Whether a participant misses two rounds or more, announced ones too, where that ends it."""
    rules = record.desk.rules
    if rules is None or rules.pairing not in MANUAL:
        return False
    rounds = participants_of(record).rounds_of(player)
    _, missed = _missed(player, rounds)
    announced_ones = [round_ for round_, one in record.desk.absences if one == player]
    excused_from = record.desk.excused.get(player, 0)
    return len({r for r in (*missed, *announced_ones) if r >= excused_from}) >= _ABSENCES


def _missed(player: str, before: Sequence[PairingRecord]) -> tuple[list[int], list[int]]:
    """Returns the earlier rounds that a player missed without a word, and all that were missed."""
    unannounced = [
        there.round for there in before if there.is_forfeit and there.halves(player) == 0
    ]
    on_leave = [there.round for there in before if there.result in (Bye.HALF, Bye.ZERO)]
    return unannounced, sorted((*unannounced, *on_leave))


def next_round(record: TournamentRecord) -> int:
    """Returns the round to be paired next.

    It follows the last published one; while none is published, the last one of which a game is
    recorded. Byes that are recorded of later rounds move nothing.
    """
    if record.desk.rounds:
        return record.desk.last_round + 1
    return last_with_game(record) + 1


def last_with_game(record: TournamentRecord) -> int:
    """Returns the last round of which a game is recorded; 0 for none."""
    return max((each.round for each in record.each_pairing if each.black), default=0)


def _check_complete(record: TournamentRecord, next_: int) -> None:
    """Refuses to go on while games of an earlier published round have no result (R VII, F 10)."""
    for round_ in range(1, next_):
        open_ = list(open_boards(record, round_))
        if open_:
            white, black = open_[0]
            others = (
                Problem(Message.of("desk.board_open", round=round_, white=one, black=other))
                for one, other in open_
            )
            raise NoPairing(
                "desk.round_incomplete",
                *others,
                tournament=record.version.tournament,
                round=round_,
                next=next_,
                count=len(open_),
                white=white,
                black=black,
            )


def open_boards(record: TournamentRecord, round_: int) -> Iterator[tuple[str, str]]:
    """Yields White and Black of the boards of a published round that have no result.

    Where others met than was published, a board is open until both have a result.
    """
    for white, black in _games(record, round_):
        recorded = (record.pairings.get((round_, one)) for one in (white, black))
        if any(there is None or there.result is None for there in recorded):
            yield white, black


def unfinished(record: TournamentRecord) -> tuple[list[_Game], list[_Game]]:
    """Returns the games without a result, then those adjudicated for the pairing only.

    Each is a round, White and Black; they stand in the order of the rounds.
    """
    known = {(there.round, there.white): there for there in record.pairings.values()}.values()
    games = [(there, there.black) for there in known if there.black is not None]
    adjourned = {(of.round, of.white, black) for of, black in games if of.result is None}
    temporary = {(of.round, of.white, black) for of, black in games if of.status == "temporary"}
    rounds = range(1, record.desk.last_round + 1)
    boards = {(round_, *board) for round_ in rounds for board in open_boards(record, round_)}
    return sorted(adjourned | boards), sorted(temporary)


def is_finished(record: TournamentRecord) -> bool:
    """Return whether no result of an event is to come, by what is recorded and no calendar."""
    return record.closed or (has_last_round(record) and not unfinished(record)[1])


def has_last_round(record: TournamentRecord) -> bool:
    """Return whether an event was closed, or its last round is recorded with all its games.

    A result for the pairing only is enough. The last round is the last announced one; without a
    number of rounds it is the last recorded one of a report that came whole. In a round that was
    not paired here everybody who is still there has a game or a bye, but for one of an odd number.
    """
    if record.closed:
        return True
    open_games, temporary = unfinished(record)
    rounds = record.version.rounds or rounds_of_table(record)
    if not rounds and record.came_whole and not record.desk.rounds and not temporary:
        rounds = record.last_round
    if open_games or not 0 < rounds <= record.known_rounds:
        return False
    if record.came_whole or record.known_rounds in record.desk.rounds:
        return True
    present = [one for one in record.entries if (record.left_from(one) or rounds + 1) > rounds]
    idle = sum((rounds, one) not in record.pairings for one in present)
    return idle <= len(present) % 2


def _games(record: TournamentRecord, round_: int) -> Iterator[tuple[str, str]]:
    """Yields White and Black of the games of a published round; a match of teams has several."""
    published = record.desk.rounds.get(round_)
    if not record.desk.teams:
        yield from published.boards if published else ()
        return
    for match in matches(record, round_):
        for board in match.boards:
            if board.white is not None and board.black is not None:
                yield board.white, board.black


@dataclass(frozen=True, slots=True)
class TurnedGame:
    """A game of a published round that was played with the other colours; of teams ``3.2``."""

    board: str
    game: PairingRecord


def turned_games(record: TournamentRecord) -> Iterator[TurnedGame]:
    """Yields the games that were played with other colours than published, round by round."""
    for round_, published in sorted(record.desk.rounds.items()):
        if record.desk.teams:
            yield from _turned_of_teams(record, round_)
            continue
        for place, board in enumerate(published.boards, start=1):
            if record.seated(round_, board) != board:
                yield TurnedGame(str(place), record.pairings[round_, board[0]])


def _turned_of_teams(record: TournamentRecord, round_: int) -> Iterator[TurnedGame]:
    for match in matches(record, round_):
        for number, board in enumerate(match.boards, start=1):
            if board.game is not None and board.reversed:
                yield TurnedGame(f"{match.place}.{number}", board.game)


def last_complete_round(record: TournamentRecord) -> int:
    """Returns the last round whose published boards have a result, temporary ones too."""
    last = record.known_rounds
    rounds = range(1, last + 1)
    return next((n - 1 for n in rounds if any(open_boards(record, n))), last)


def input_sha256(to_pair: RoundToPair) -> str:
    """Returns the digest of all that a pairing is calculated from.

    Ratings have given the numbers; no system looks at them again.
    """
    cards = [_content(card) for card in to_pair.sheet.cards.values()]
    rules = to_pair.rules
    content = {
        "absent": sorted(to_pair.absent),
        "acceleration": {
            str(round_): {str(number): halves for number, halves in sorted(added.items())}
            for round_, added in sorted(rules.acceleration.items())
        },
        "bye_lots": rules.bye_lots,
        "cards": cards,
        "cycles": rules.cycles,
        "exchange_last_rounds": rules.exchange_last_rounds,
        "first_colour": rules.first_colour,
        "forbidden": sorted(sorted(pair) for pair in rules.forbidden),
        "round": to_pair.round,
        "rounds": to_pair.sheet.rounds,
        "system": to_pair.sheet.system,
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _content(card: Card) -> list[object]:
    lines = [
        (line.round, line.how, line.halves, line.opponent, line.colour, line.temporary)
        for line in card.lines
    ]
    return [card.number, card.player, card.from_round, lines]


# What a pairing by hand does against the rules


def deviations(to_pair: RoundToPair, proposal: Proposal) -> list[Message]:
    """Returns the rules that a pairing breaks, in the order of its boards.

    A second meeting, a forbidden pair, a second bye, a bye with an even number of participants.

    Raises:
        InputRefused: somebody sits at two boards, is missing, or is not to be paired.
    """
    _check_everybody_once(to_pair, proposal)
    return list(_broken(to_pair, proposal))


def _check_everybody_once(to_pair: RoundToPair, proposal: Proposal) -> None:
    seated = [number for board in proposal.boards for number in (board.white, board.black)]
    if proposal.bye is not None:
        seated.append(proposal.bye)
    twice = sorted(number for number, times in Counter(seated).items() if times > 1)
    if twice:
        raise InputRefused("desk.seated_twice", round=to_pair.round, number=twice[0])
    present = {card.number for card in to_pair.present}
    if strangers := sorted(set(seated) - present):
        raise InputRefused("desk.not_to_be_paired", round=to_pair.round, number=strangers[0])
    left = sorted(present - set(seated) - without_opponent(to_pair))
    if left:
        numbers = ", ".join(map(str, left))
        raise InputRefused("desk.left_out", round=to_pair.round, count=len(left), numbers=numbers)


def _broken(to_pair: RoundToPair, proposal: Proposal) -> Iterator[Message]:
    cards = to_pair.sheet.cards
    for board in proposal.boards:
        values = {"white": board.white, "black": board.black}
        met = next((ln for ln in cards[board.white].games if ln.opponent == board.black), None)
        if met is not None and to_pair.sheet.system is not System.ROUND_ROBIN:
            yield Message.of("deviation.second_meeting", before=met.round, **values)
        if board.numbers in to_pair.rules.forbidden:
            yield Message.of("deviation.forbidden_pair", **values)
    if proposal.bye is None:
        return
    byes = [line for line in cards[proposal.bye].lines if line.how is How.ALLOCATED_BYE]
    if byes and to_pair.sheet.system is not System.ROUND_ROBIN:
        yield Message.of("deviation.second_bye", number=proposal.bye, before=byes[0].round)
    # The tables of an all-play-all give their bye whoever has left.
    if len(to_pair.present) % 2 == 0 and to_pair.sheet.system is not System.ROUND_ROBIN:
        yield Message.of("deviation.needless_bye", number=proposal.bye)


def baku(cards: Iterable[Card], rounds: int) -> Mapping[int, Mapping[int, int]]:
    """Returns the virtual points of an event, as ``PairingRules.acceleration`` (FIDE C.04.7).

    They are for the pairing only, and stand in no standings. The accelerated rounds are the first
    half of the event, rounded up. Group A, the upper half of the starting order, gets a point in
    the first half of them, rounded up, and half a point in the rest.

    Args:
        cards: everybody; late entries by ``from_round``.
        rounds: of the whole event.

    Returns:
        Half points by round and number.
    """
    first_group = group_a(cards)
    accelerated = (rounds + 1) // 2
    whole = (accelerated + 1) // 2
    return {
        round_: dict.fromkeys(first_group, WIN if round_ <= whole else WIN // 2)
        for round_ in range(1, accelerated + 1)
    }


def group_a(cards: Iterable[Card]) -> list[int]:
    """Returns the numbers of group A: half of the players of round 1, up to the next even number.

    Who enters later belongs to it with a number before its last one.
    """
    cards = list(cards)
    at_first = sorted(card.number for card in cards if card.from_round == 1)
    if not at_first:
        return []
    size = 2 * -(-len(at_first) // 4)
    last = at_first[min(size, len(at_first)) - 1]
    return sorted(card.number for card in cards if card.number <= last)
