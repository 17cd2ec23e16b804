"""What an arbiter is stopped at in a Swiss: Chavarría 1975, EL SISTEMA SUIZO.

Nobody meets the same opponent twice (rule IV), nobody is given a second bye (interpretation III),
and who was absent from two rounds is out of the tournament (interpretation VI, instruction 9). A
game that was not played is no meeting. A bye is a round without opponent that gives a point; half
and zero points are leave that was asked for. An absence is a game lost by forfeit.

Results are recorded nevertheless where they happened: by hand when the arbiter says so, from a
document with a note. The text knows no such rule for other systems, and none for the players of a
team, whose opponents follow from the teams'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from ledger.errors import InputRefused, Problem
from ledger.events.tournaments import Breach
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.results import Bye
from ledger.terms import System
from ledger.wording import Message

_A_POINT = 2  # in half points
_ABSENCES = 2  # until a player is out


@dataclass(frozen=True, slots=True, order=True)
class Broken:
    """A rule that a pairing of a round breaks: for whom, and with which round before."""

    breach: Breach
    round: int
    players: tuple[str, ...]
    before: int

    @property
    def message(self) -> Message:
        """What it says of the pairing."""
        key = f"breach.{self.breach.replace('-', '_')}"
        names = dict(zip(("player", "other"), self.players, strict=False))
        return Message.of(key, round=self.round, before=self.before, **names)


def despite(
    record: TournamentRecord, pairing: PairingRecord, *, anyway: bool | None
) -> tuple[Breach, ...] | None:
    """Returns the rules despite which a pairing is recorded by hand; None where it breaks none.

    Args:
        record: the tournament, without the pairing.
        pairing: what is to be recorded.
        anyway: the arbiter says that it was so; None where no rule is asked for.

    Raises:
        InputRefused: it breaks a rule, and nobody says that it was so.
    """
    if anyway is None:
        return None
    broken = list(broken_by(record, pairing))
    if broken and not anyway:
        first, *others = (rule.message for rule in broken)
        raise InputRefused("pairing.against_rules", *map(Problem, others), why=first)
    return tuple(dict.fromkeys(rule.breach for rule in broken)) or None


def irregularities(record: TournamentRecord, after_seq: int) -> Iterator[Broken]:
    """Yields the rules broken by pairings recorded after a seq, each with an earlier round."""
    for pairing in record.each_pairing:
        if pairing.seq > after_seq:
            yield from broken_by(record, pairing, earlier=True)


def notes_of(tournament: str, broken: Iterable[Broken]) -> Iterator[Message]:
    """Yields a note for each rule that a document's pairings break: the first one, and how many."""
    for _, same in groupby(sorted(broken), key=lambda rule: rule.breach):
        first, *others = same
        values = {"tournament": tournament, "why": first.message, "count": 1 + len(others)}
        yield Message.of("import.irregular", **values)


def broken_by(
    record: TournamentRecord, pairing: PairingRecord, *, earlier: bool = False
) -> Iterator[Broken]:
    """Yields the rules that a pairing breaks with the other rounds, or only with earlier ones."""
    if record.version.system is not System.SWISS:
        return
    yield from _second_meeting(record, pairing, earlier=earlier)
    for player in pairing.players:
        others = _others(record, pairing, player, earlier=earlier)
        yield from _second_bye(pairing, player, others)
        yield from _absent_again(pairing, player, others)


def _others(
    record: TournamentRecord, pairing: PairingRecord, player: str, *, earlier: bool
) -> list[PairingRecord]:
    """Returns what a player's other rounds were, or only earlier ones, in their order."""
    return [
        there
        for there in record.rounds_of(player)
        if there.round < pairing.round or (there.round > pairing.round and not earlier)
    ]


def _second_meeting(
    record: TournamentRecord, pairing: PairingRecord, *, earlier: bool
) -> Iterator[Broken]:
    # An adjourned game has no result yet: the two sat down to play.
    if pairing.black is None or pairing.is_forfeit:
        return
    for there in _others(record, pairing, pairing.white, earlier=earlier):
        if pairing.black in there.players and not there.is_forfeit:
            both = tuple(sorted((pairing.white, pairing.black)))
            yield Broken("second-meeting", pairing.round, both, there.round)
            return


def _second_bye(
    pairing: PairingRecord, player: str, others: list[PairingRecord]
) -> Iterator[Broken]:
    before = next((there for there in others if _is_bye(there)), None)
    if before is not None and _is_bye(pairing):
        yield Broken("second-bye", pairing.round, (player,), before.round)


def _absent_again(
    pairing: PairingRecord, player: str, others: list[PairingRecord]
) -> Iterator[Broken]:
    """An absence after another; or anything else of somebody who is out."""
    absences = [there.round for there in others if _is_absent(there, player)]
    if _is_absent(pairing, player):
        if absences:
            yield Broken("second-absence", pairing.round, (player,), absences[0])
    elif pairing.result is not Bye.ZERO and len(absences) >= _ABSENCES:
        out = absences[_ABSENCES - 1]
        if out < pairing.round:
            yield Broken("expelled", pairing.round, (player,), out)


def _is_bye(pairing: PairingRecord) -> bool:
    return isinstance(pairing.result, Bye) and pairing.result.halves == _A_POINT


def _is_absent(pairing: PairingRecord, player: str) -> bool:
    return pairing.is_forfeit and pairing.halves(player) == 0
