"""Events checked against their rules: a report file without a ledger, or a recorded tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Annotated

from ledger.answers.tournaments import require_tournament
from ledger.desk.checker import (
    DeclaredEvent,
    Deviation,
    DeviationKind,
    FoundRound,
    check,
    check_rounds,
)
from ledger.desk.pairing.proposal import PairingRules
from ledger.desk.pairing.registry import pairing_system
from ledger.desk.rounds import round_to_pair, turned_games
from ledger.desk.score_sheet import score_sheet
from ledger.desk.teams import participants_of
from ledger.errors import InputRefused, LedgerError, NothingChecked, VerificationFailed
from ledger.facts.desk import PublishedRound
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.intake.document_copy import Copy
from ledger.intake.trf.event import event_on_file
from ledger.intake.trf.parse import parse
from ledger.json_form import HIDDEN, After, JsonForm, Key, derived
from ledger.reports.tournaments import Participants
from ledger.terms import PairingMethod
from ledger.views.view import LedgerView
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class DifferenceRow(JsonForm):
    """What differs in a round, or (None) in the whole event."""

    round: int | None
    kind: DeviationKind
    difference: Message


@dataclass(frozen=True, slots=True)
class CheckedEvent(JsonForm):
    """What a check found: each difference in order, and what it could not consider.

    ``declares_points`` says that points or places are declared, and were added up.
    """

    event: str
    pairing: PairingMethod | None
    rounds: int
    differences: Annotated[tuple[Deviation, ...], HIDDEN]
    remarks: tuple[Message, ...]
    declares_points: Annotated[bool, HIDDEN] = False

    @property
    def paired_again(self) -> bool:
        """Whether any round was paired again."""
        return self.pairing is not None and self.rounds > 0

    def failure(self) -> LedgerError | None:
        """Returns what a command ends with; None where rounds were paired again as they are."""
        if count := len(self.differences):
            return VerificationFailed("check.failed", event=self.event, count=count)
        if self.paired_again:
            return None
        key = "check.nothing_paired" if self.rounds else "check.no_rounds"
        return NothingChecked(key, event=self.event)

    @property
    @derived
    def rows(self) -> Annotated[tuple[DifferenceRow, ...], Key("differences"), After("rounds")]:
        """Its differences, as its JSON form has them."""
        return tuple(
            DifferenceRow(each.round or None, each.kind, each.message) for each in self.differences
        )


def check_file(
    source: bytes | IO[bytes], name: str, pairing: PairingMethod | None = None
) -> CheckedEvent:
    """Checks a report file (TRF16 or TRF26).

    ``name`` is the file's, for problems. ``pairing`` is its pairing system (default: the one that
    it declares).

    Raises:
        InputRefused: it is no report, has problems, or is one of teams.
    """
    try:
        with Copy(source) as copy:
            copy.decode(None)
            event = event_on_file(parse(copy.text()), pairing)
    except InputRefused as refusal:
        if not refusal.details:
            raise
        details = refusal.details
        raise InputRefused("check.refused", *details, file=name, count=len(details)) from refusal
    remarks = [remark.message for remark in event.remarks]
    if event.pairing is None:
        key = "check.unsupported_system" if event.system else "check.no_system"
        remarks.append(Message.of(key, **{"system": event.system} if event.system else {}))
    if event.declared.ranks and event.declared.tie_breaks is None:
        key = "check.places_not_judged" if event.lists_tie_breaks else "check.no_tie_breaks"
        remarks.append(Message.of(key))
    return _checked(event.declared, event.name or name, event.pairing, remarks)


def check_tournament(
    view: LedgerView, tournament: str, pairing: PairingMethod | None = None
) -> CheckedEvent:
    """Checks a tournament of a ledger.

    A published round is paired again from what was known when it was published, and boards that
    were played with other colours are named; rounds of which only results are recorded are paired
    from what is known now.

    Raises:
        NotFound: no such tournament.
    """
    record = require_tournament(view, tournament, view.journal.head().seq)
    rules = record.desk.rules
    method = pairing or (rules.pairing if rules else None)
    if record.desk.rounds and method is not None:
        found = [*_published_rounds(view, record, method), *_turned_boards(view, record)]
        differences = tuple(sorted(found, key=lambda each: each.round))
        return CheckedEvent(tournament, method, len(record.desk.rounds), differences, ())
    declared = DeclaredEvent(
        sheet=score_sheet(record),
        rules=PairingRules(),
        pair=None if method is None else pairing_system(method),
        by_rating=False,
    )
    remarks = [] if method else [Message.of("check.no_system")]
    return _checked(declared, tournament, method, remarks)


def _published_rounds(
    view: LedgerView, record: TournamentRecord, method: PairingMethod
) -> Iterator[Deviation]:
    tournament = record.version.tournament
    rounds = []
    for round_, published in sorted(record.desk.rounds.items()):
        before = require_tournament(view, tournament, Seq(published.seq - 1))
        numbers = participants_of(before).entries
        # Under the ids of that day: some were merged into others later.
        then = require_tournament(view, tournament, published.seq).desk.rounds[round_]
        rounds.append((round_to_pair(before, round_), _found(then, numbers)))
    yield from check_rounds(rounds, pairing_system(method))


def _turned_boards(view: LedgerView, record: TournamentRecord) -> Iterator[Deviation]:
    """Yields the boards that were played with other colours than their round was published with."""
    turned_ones = list(turned_games(record))
    if not turned_ones:
        return
    facts = view.facts()
    participants = Participants(record, facts, view.people(facts))
    for turned in turned_ones:
        white, black = (participants.name(one) or one for one in turned.game.players)
        values = {"board": turned.board, "white": white, "black": black}
        kind, round_ = DeviationKind.PLAYED_COLOURS, turned.game.round
        yield Deviation(kind, round_, Message.of(kind.value, round=round_, **values))


def _found(published: PublishedRound, numbers: dict[str, int]) -> FoundRound:
    boards = ((numbers[white], numbers[black], True) for white, black in published.boards)
    return FoundRound(tuple(boards), () if published.bye is None else (numbers[published.bye],))


def _checked(
    declared: DeclaredEvent,
    name: str,
    pairing: PairingMethod | None,
    remarks: Sequence[Message],
) -> CheckedEvent:
    return CheckedEvent(
        event=name,
        pairing=pairing,
        rounds=declared.sheet.played,
        differences=tuple(check(declared)),
        remarks=tuple(remarks),
        declares_points=bool(declared.points or declared.ranks),
    )
