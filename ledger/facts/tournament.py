"""A tournament folded from its events: its players, the last word on each pairing, its state.

The registrar decides from it, crosstables, titles and report files show it. Folded up to a seq it
is the tournament as it was known then. Of many tournaments at once, columns are faster
(``facts.as_of``).
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, TypeAlias

from ledger.events import desk as de
from ledger.events import fast
from ledger.events import tournaments as to
from ledger.events.desk import AnyDeskEvent
from ledger.facts.desk import DeskRecord
from ledger.facts.ids import Survivors
from ledger.identifiers import Seq
from ledger.results import Bye, Result, Termination

_result = cache(Result.parse)
"""Few results are possible."""

Status: TypeAlias = Literal["recorded", "adjourned", "temporary"]


@dataclass(frozen=True, slots=True)
class PairingRecord:
    """The last word on a pairing. ``black`` is None for a bye; an adjourned game has no result.

    ``rating_result`` is what counts for rating where that differs (``()``: it counts for none).
    ``corrects`` is whether it was said in place of something else that was recorded wrongly.
    """

    seq: Seq
    round: int
    white: str
    black: str | None
    result: Result | Bye | None
    status: Status = "recorded"
    rating_result: Result | tuple[()] | None = None
    corrects: bool = False

    @property
    def players(self) -> Iterable[str]:
        """The two, or the one of a bye."""
        return (self.white,) if self.black is None else (self.white, self.black)

    @property
    def is_forfeit(self) -> bool:
        """Whether somebody was absent."""
        return isinstance(self.result, Result) and self.result.termination is Termination.FORFEIT

    @property
    def corrected_by_seq(self) -> Seq | None:
        """The seq by which it was corrected; None: it was not."""
        return self.seq if self.corrects else None

    @property
    def has_game_result(self) -> bool:
        """Whether a game has a result, played or adjudicated: no bye, and nobody absent."""
        return isinstance(self.result, Result) and not self.is_forfeit

    def opponent(self, player: str) -> str | None:
        """Returns whom a player of the pairing met; None for a bye."""
        return self.black if player == self.white else self.white

    def halves(self, player: str) -> int:
        """Returns what the pairing gave a player, in half points; 0 while there is no result."""
        match self.result:
            case None:
                return 0
            case Bye():
                return self.result.halves
            case Result():
                return self.result.halves[0 if player == self.white else 1]

    def described(self) -> str:
        """Describes what is recorded, in notation: ``12 - 34 1-0``, ``12 half``."""
        if self.black is None:
            return f"{self.white} {self.result}"
        return f"{self.white} - {self.black} {self.result or '*'}"


@dataclass(frozen=True, slots=True)
class ReplacedPairing:
    """What was recorded of a pairing before something else was, or it was struck, at ``until``."""

    pairing: PairingRecord
    until: Seq


@dataclass(slots=True)
class TournamentRecord:
    """One tournament as recorded so far; its players under the ids that stay after merges.

    ``pairings`` are by round and player; ``annulled_pairings`` have the seq that struck them, by
    round, white and black. ``replaced`` is what was recorded of pairings before, in order, and
    ``replaced_versions`` what was said of the tournament, each with the seq that replaced it.
    ``days`` are those of the first results of the rounds, ``reported_at`` is the seq of the first
    thing that was recorded of any round. ``displaced`` are the pairings, by seq, that lost their
    place to one that does not supersede them; ``entered`` counts the entries of each player. In a
    sound tournament there are none, and one of each (see ``registrar.conflicts``).
    """

    version: to.TournamentOpened | to.TournamentCorrected
    survivors: Survivors = field(default_factory=Survivors)
    entries: dict[str, int] = field(default_factory=dict)
    pairings: dict[tuple[int, str], PairingRecord] = field(default_factory=dict)
    annulled_pairings: dict[tuple[int, str, str | None], Seq] = field(default_factory=dict)
    replaced: list[ReplacedPairing] = field(default_factory=list)
    withdrawn: dict[str, int] = field(default_factory=dict)
    away: dict[str, list[range]] = field(default_factory=dict)
    """By player, the rounds for which one was away who came back."""
    days: dict[int, dt.date] = field(default_factory=dict)
    reported_at: Seq | None = None
    opened_in: int | None = None
    """The commit that opened it; None before it is recorded."""
    came_whole: bool = False
    """Whether its first result came in the commit that opened it, as with an imported report."""
    closed: bool = False
    rejected: bool = False
    annulled: bool = False
    flags: tuple[str, ...] = ()
    replaced_versions: list[tuple[Seq, to.TournamentVersion]] = field(default_factory=list)
    rated_in: dict[str, str] = field(default_factory=dict)
    """By list, the period that was ordered to rate it."""
    desk: DeskRecord = field(default_factory=DeskRecord)
    displaced: dict[Seq, PairingRecord] = field(default_factory=dict)
    entered: Counter[str] = field(default_factory=Counter)

    @property
    def by_number(self) -> list[tuple[str, int]]:
        """The players with their starting numbers, in the order of these."""
        return sorted(self.entries.items(), key=lambda entry: entry[1])

    @property
    def each_pairing(self) -> Collection[PairingRecord]:
        """The pairings, each once."""
        return {pairing.seq: pairing for pairing in self.pairings.values()}.values()

    @property
    def last_round(self) -> int:
        """The last round of which something is recorded; 0 for none."""
        return max((round_ for round_, _ in self.pairings), default=0)

    @property
    def known_rounds(self) -> int:
        """How many rounds are known: the last one that was published, or has something recorded."""
        return max(self.last_round, self.desk.last_round)

    @property
    def strangers(self) -> list[str]:
        """Players of whom something is recorded and who were never entered; by id.

        The registrar lets nobody play who was not entered; another program may have.
        """
        return sorted({player for _, player in self.pairings} - self.entries.keys())

    def rounds_of(self, player: str) -> list[PairingRecord]:
        """Returns a player's pairings, by round."""
        return sorted(
            (pairing for (_, one), pairing in self.pairings.items() if one == player),
            key=lambda pairing: pairing.round,
        )

    def corrected_by(self, round_: int, white: str, black: str | None) -> Seq | None:
        """Returns the seq by which a pairing was corrected or annulled; None: it was not."""
        there = self.pairings.get((round_, white))
        if there is None:
            return self.annulled_pairings.get((round_, white, black))
        if there.corrects or there.black is None:
            return there.corrected_by_seq
        # Colours are corrected by striking the game and recording it with the other ones.
        return self.annulled_pairings.get((round_, there.black, there.white))

    def correction_of(self, pairing: PairingRecord) -> Seq | None:
        """Returns the seq by which a recorded pairing was corrected; None: it was not."""
        return self.corrected_by(pairing.round, pairing.white, pairing.black)

    def seated(self, round_: int, board: tuple[str, str]) -> tuple[str, str]:
        """Returns White and Black of a board as they sat.

        ``board`` is as it was published. They sat otherwise where a game of the two is recorded
        with the colours reversed.
        """
        there = self.pairings.get((round_, board[0]))
        is_reversed = there is not None and (there.black, there.white) == board
        return board[::-1] if is_reversed else board

    def left_from(self, participant: str) -> int | None:
        """Returns from which round on a participant is not there; None: he has not left."""
        rounds = self.withdrawn.get(participant), self.desk.expelled.get(participant)
        return min((round_ for round_ in rounds if round_ is not None), default=None)

    def was_away(self, participant: str, round_: int) -> bool:
        """Whether a participant who came back was away for a round."""
        return any(round_ in rounds for rounds in self.away.get(participant, ()))

    def stays(self, participant: str) -> str:
        """Returns the id that stays of a participant; that of a team is no player's."""
        return participant if participant in self.desk.teams else self.survivors(participant)

    # The fold

    def take(
        self, seq: Seq, event: to.AnyTournamentEvent | AnyDeskEvent, effective_on: dt.date
    ) -> None:
        """Takes the next event of the tournament, which is open already."""
        match event:
            case to.TournamentOpened() | to.TournamentCorrected():
                self.replaced_versions.append((seq, self.version))
                self.version = event
            case to.PlayerWithdrew():
                self.withdrawn[self.stays(event.player)] = event.from_round
            case to.PlayerReturned():
                self._take_return(self.stays(event.player), event.from_round)
            case to.TournamentClosed():
                self.closed = True
            case to.TournamentReopened():
                self.closed = False
            case to.TournamentAccepted():
                self.rejected = False
                if event.list is not None and event.period is not None:
                    self.rated_in[event.list] = event.period
            case to.TournamentRejected():
                self.rejected = True
            case to.TournamentAnnulled():
                self.annulled = True
            case to.TournamentFactUndone():
                raise AssertionError("who reads leaves out what is taken back")
            case to.TournamentAnnounced() | to.TournamentCancelled():
                raise AssertionError("nothing is announced of a tournament that is open")
            case to.TournamentFlagged():
                self.flags = event.flags
            case to.PlayerEntered() | to.PairingEvent():
                self.take_round(seq, fast.of(event), effective_on)
            case de.NumbersAssigned() if self.desk.teams:
                self.desk.take(seq, event, self.stays)
            case de.NumbersAssigned():
                order = enumerate(map(self.survivors, event.participants), start=1)
                self.entries = {player: number for number, player in order}
                self.desk.take(seq, event, self.stays)
            case _:
                self.desk.take(seq, event, self.stays)

    def _take_return(self, participant: str, from_round: int) -> None:
        """Takes that somebody plays again, who had withdrawn or was expelled."""
        left = self.left_from(participant)
        self.withdrawn.pop(participant, None)
        self.desk.expelled.pop(participant, None)
        if left is not None and left < from_round:
            self.away.setdefault(participant, []).append(range(left, from_round))

    def take_round(self, seq: Seq, said: fast.FastEvent, effective_on: dt.date) -> None:
        """Takes what an event says of a round, or of who plays it."""
        white = self.survivors(said.white)
        black = None if said.black is None else self.survivors(said.black)
        if isinstance(said, fast.FastEntry):
            self.entries[white] = said.starting_number
            self.entered[white] += 1
            return
        assert isinstance(said, fast.FastPairing)
        supersedes = said.supersedes
        match said.MODEL:  # results first: most are
            case to.ResultRecorded | to.ForfeitRecorded | to.ResultCorrected | to.ResultRetyped:
                self.days.setdefault(said.round, effective_on)
                result, corrects = _result(said.result), said.MODEL is to.ResultCorrected
                pairing = PairingRecord(seq, said.round, white, black, result, corrects=corrects)
                self._put(pairing, supersedes)
            case to.ByeGiven:
                self._put(PairingRecord(seq, said.round, white, None, Bye(said.result or "")), None)
            case to.GameAdjourned:
                self._put(PairingRecord(seq, said.round, white, black, None, "adjourned"), None)
            case to.RatingResultCorrected:
                before = self.pairings[said.round, white]
                counts = _result(said.result) if said.result else ()
                self._put(replace(before, seq=seq, rating_result=counts, corrects=True), supersedes)
            case to.GameAdjudicated:
                status: Status = "temporary" if said.ruling == "temporary" else "recorded"
                result = _result(said.result)
                self._put(PairingRecord(seq, said.round, white, black, result, status), supersedes)
            case _:
                assert said.MODEL is to.ResultAnnulled
                if supersedes is None or self.displaced.pop(supersedes, None) is None:
                    self._strike(seq, self.pairings[said.round, white])

    def _put(self, pairing: PairingRecord, supersedes: Seq | None) -> None:
        """Makes it the last word on the pairing of both players in the round."""
        if self.reported_at is None:
            self.reported_at = pairing.seq
        if (before := self.pairings.get((pairing.round, pairing.white))) is not None:
            self.replaced.append(ReplacedPairing(before, pairing.seq))
        for player in pairing.players:
            other = self.pairings.get((pairing.round, player))
            if other is not None and other.seq not in {supersedes, pairing.seq}:
                self.displaced[other.seq] = other
            self.pairings[pairing.round, player] = pairing

    def _strike(self, seq: Seq, pairing: PairingRecord) -> None:
        self.replaced.append(ReplacedPairing(pairing, seq))
        for player in pairing.players:
            del self.pairings[pairing.round, player]
        self.annulled_pairings[pairing.round, pairing.white, pairing.black] = seq
        for other in [*self.displaced.values()]:  # whoever has a place again holds it
            places = [(other.round, player) for player in other.players]
            if self.pairings.keys().isdisjoint(places):
                self.pairings |= dict.fromkeys(places, self.displaced.pop(other.seq))

    def rename(self, player: str, into: str) -> None:
        """Puts the id that stays in place of the one that is given up."""

        def stays(one: str) -> str:
            return into if one == player else one

        def renamed(there: PairingRecord) -> PairingRecord:
            black = None if there.black is None else stays(there.black)
            return replace(there, white=stays(there.white), black=black)

        if player not in {*self.entries, *(one for _, one in self.pairings)}:
            return
        self.desk.rename(stays)
        self.entries = {stays(one): number for one, number in self.entries.items()}
        self.withdrawn = {stays(one): round_ for one, round_ in self.withdrawn.items()}
        self.away = {stays(one): rounds for one, rounds in self.away.items()}
        self.pairings = {
            (round_, stays(one)): renamed(there) for (round_, one), there in self.pairings.items()
        }
        self.replaced = [replace(each, pairing=renamed(each.pairing)) for each in self.replaced]
        self.displaced = {seq: renamed(other) for seq, other in self.displaced.items()}
        self.entered[into] += self.entered.pop(player, 0)
        self.annulled_pairings = {
            (round_, stays(white), None if black is None else stays(black)): seq
            for (round_, white, black), seq in self.annulled_pairings.items()
        }
