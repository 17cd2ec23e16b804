"""What an arbiter is stopped at in a Swiss: Chavarría 1975, EL SISTEMA SUIZO.

Nobody meets the same opponent twice (rule IV), nobody is given a second bye (interpretation III),
and who was absent from two rounds is out of the tournament (interpretation VI, instruction 9). A
game that was not played is no meeting. A bye is a round without opponent that gives a point; half
and zero points are leave that was asked for. An absence is a game lost by forfeit.

Results are recorded nevertheless where they happened: by hand when the arbiter says so, from a
document with a note. The text knows no such rule for other systems, and none for the players of a
team, whose opponents follow from the teams'. That two absences end it is a rule of FENAMAC's and
the practical system: it is told where one of them is announced, and nowhere else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ledger.desk.rounds import MANUAL
from ledger.errors import InputRefused, Problem
from ledger.events.tournaments import Breach
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.results import Bye
from ledger.terms import System
from ledger.wording import Message

A_POINT = 2  # of a bye, in half points


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


@dataclass(frozen=True, slots=True)
class SwissRounds:
    """In which rounds two players met, and when each had byes of a point and was absent.

    ``attended`` returns the other rounds of a player, but for byes without a point.
    """

    meetings: Mapping[tuple[str, str], Sequence[int]]
    byes: Mapping[str, Sequence[int]]
    absences: Mapping[str, Sequence[int]]
    attended: Callable[[str], Iterable[int]]

    def broken(self, players: Iterable[str], latest: int = 0) -> Iterator[Broken]:
        """Yields the rules that rounds break with earlier ones.

        Args:
            players: whose byes and absences are looked at.
            latest: a round that is recorded after all others, whatever its number.
        """

        def again(breach: Breach, who: tuple[str, ...], rounds: Sequence[int]) -> Iterator[Broken]:
            first, *later = sorted(rounds, key=lambda round_: (round_ == latest, round_))
            yield from (Broken(breach, round_, who, first) for round_ in later)
            if later and breach == "second-absence":
                out = later[0]
                after = (round_ for round_ in self.attended(*who) if round_ > out)
                yield from (Broken("expelled", round_, who, out) for round_ in after)

        for both, rounds in self.meetings.items():
            yield from again("second-meeting", both, rounds)
        for player in players:
            if player in self.byes:
                yield from again("second-bye", (player,), self.byes[player])
            if player in self.absences:
                yield from again("second-absence", (player,), self.absences[player])


def rounds_of_pairings(pairings: Iterable[PairingRecord]) -> SwissRounds:
    """Returns what the rules look at of pairings."""
    meetings = defaultdict[tuple[str, str], list[int]](list)
    byes, absences, attended = (defaultdict[str, list[int]](list) for _ in range(3))
    for pairing in pairings:
        # An adjourned game has no result yet: the two sat down to play.
        if pairing.black is not None and not pairing.is_forfeit:
            one, other = sorted((pairing.white, pairing.black))
            meetings[one, other].append(pairing.round)
        for player in pairing.players:
            if isinstance(pairing.result, Bye) and pairing.result.halves == A_POINT:
                byes[player].append(pairing.round)
            if pairing.is_forfeit and pairing.halves(player) == 0:
                absences[player].append(pairing.round)
            elif pairing.result is not Bye.ZERO:
                attended[player].append(pairing.round)
    return SwissRounds(meetings, byes, absences, lambda player: attended[player])


def irregularities(record: TournamentRecord, after_seq: Seq) -> Iterator[Broken]:
    """Yields the rules broken by pairings recorded after a seq, each with an earlier round."""
    if record.version.system is System.SWISS:
        for rule in rounds_of_pairings(record.each_pairing).broken(record.entries):
            if not _holds(rule, record):
                continue
            if record.pairings[rule.round, rule.players[0]].seq > after_seq:
                yield rule


def broken_by(record: TournamentRecord, pairing: PairingRecord) -> Iterator[Broken]:
    """Yields the rules that a pairing breaks with the other rounds, earlier and later ones."""
    if record.version.system is System.SWISS:
        own = [there for player in pairing.players for there in record.rounds_of(player)]
        others = {there.seq: there for there in own if there.round != pairing.round}
        rounds = rounds_of_pairings([*others.values(), pairing])
        for rule in rounds.broken(pairing.players, latest=pairing.round):
            if rule.round == pairing.round and _holds(rule, record):
                yield rule


def _holds(rule: Broken, record: TournamentRecord) -> bool:
    """Whether a rule is one of the event: absences end it by the manual's systems only."""
    rules = record.desk.rules
    by_manual = rules is not None and rules.pairing in MANUAL
    return by_manual or rule.breach not in ("second-absence", "expelled")


def notes_of(tournament: str, broken: Iterable[Broken]) -> Iterator[Message]:
    """Yields a note for each rule that a document's pairings break: the first one, and how many."""
    for _, same in groupby(sorted(broken), key=lambda rule: rule.breach):
        first, *others = same
        values = {"tournament": tournament, "why": first.message, "count": 1 + len(others)}
        yield Message.of("import.irregular", **values)
