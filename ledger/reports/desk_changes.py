"""What an arbiter changed or decided out of turn in an event, to be shown on its standings.

Rules replaced after the event had begun, rounds withdrawn, rounds paired by hand and what they
break, players who entered late; results that a round was paired from and that are others now or
were temporary, and games that were played with other colours than the round has. Chavarría 1975,
DESEMPATE: what decides an event is known before its first round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Final, Literal, TypeAlias

from ledger.desk.rounds import turned_games
from ledger.desk.teams import participants_of
from ledger.events.desk import RulesAnnounced
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.json_form import HIDDEN, JsonForm
from ledger.results import result_in_words
from ledger.wording import Message

DeskChangeKind: TypeAlias = Literal[
    "rules-changed",
    "round-withdrawn",
    "round-by-hand",
    "late-entry",
    "result-corrected",
    "temporary-result",
    "colours-reversed",
]
_DRAWN: Final = "1/2-1/2"  # what a game without a result counts as for the pairing (C.04.2)
_STRUCK: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskChange(JsonForm):
    """A change: its kind, the seq of its event, and the reason that was given.

    ``round`` is that of a withdrawn round, of one by hand, of a game, or the first of a late entry,
    whose starting number is ``number``. ``deviations`` are codes of the rules that boards by hand
    break, ``breaches`` say how they do; ``rules`` are the names of the rules that were replaced. Of
    a game ``numbers`` are White's and Black's, ``before`` is the result that the rounds ``rounds``
    were paired from, and ``after`` what is recorded now.
    """

    kind: DeskChangeKind
    seq: Seq
    reason: str = ""
    round: int | None = None
    number: int | None = None
    deviations: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    before: str | None = None
    after: str | None = None
    breaches: Annotated[tuple[Message, ...], HIDDEN] = ()

    def sentences(self, language: str, names: Mapping[int, str] | None = None) -> Iterator[str]:
        """Yields what the change is, what it breaks, and its reason, in a language.

        ``names`` are those of the participants, by number; with None it is for who asks by numbers:
        it has the seq, too, and results in notation.
        """
        numbered = names is None

        def say(key: str, **values: object) -> str:
            return Message.of(key, **values).within(language)

        def who(number: int) -> str:
            return str(number) if names is None else names.get(number, str(number))

        key = f"change.{self.kind.replace('-', '_')}"
        yield say(
            "change.entered_late" if self.kind == "late-entry" and not numbered else key,
            at=at_seq(self.seq, numbered=numbered),
            round=self.round,
            number=self.number,
            name=None if self.number is None else who(self.number),
            rules=", ".join(say(f"rule.{name}") for name in self.rules) or "–",
            pairing=(" - " if numbered else " – ").join(map(who, self.numbers)),
            paired=", ".join(map(str, self.rounds)),
            before=self.before if numbered else result_in_words((self.before or "").rstrip("as")),
            after=self.after if numbered else result_in_words(self.after or ""),
        )
        yield from (breach.within(language) for breach in self.breaches)
        if self.reason:
            yield say("standings.reason", reason=self.reason)


def at_seq(seq: Seq, *, numbered: bool) -> Message | str:
    """Returns what a sentence says of its seq; nothing where that is told otherwise."""
    return Message.of("standings.at", seq=seq) if numbered else ""


def desk_changes(record: TournamentRecord) -> tuple[DeskChange, ...]:
    """Returns the changes at the desk of a tournament, by seq, without their reasons."""
    late = _late_entries(participants_of(record))
    found = (*_rules(record), *_rounds(record), *late, *_results(record), *_colours(record))
    return tuple(sorted(found, key=lambda change: (change.seq, change.number or 0)))


def _rules(record: TournamentRecord) -> Iterator[DeskChange]:
    """Yields the rules that were replaced after a round was published or played.

    The number of rounds is one of them, though it is said of the tournament itself.
    """
    begun = began_at(record)
    replaced = record.replaced_versions
    seqs, versions = [seq for seq, _ in replaced], [*(v for _, v in replaced), record.version]
    for seq, (old, new) in zip(seqs, pairwise(versions), strict=True):
        if begun is not None and seq > begun and old.rounds != new.rounds:
            yield DeskChange(kind="rules-changed", seq=seq, rules=("rounds",))
    for seq, _ in record.desk.prizes:
        if begun is not None and seq > begun:
            yield DeskChange(kind="rules-changed", seq=seq, rules=("category_prizes",))
    for before, after in pairwise(record.desk.announcements):
        if begun is not None and after.seq > begun:
            changed = _differing(before.rules, after.rules)
            yield DeskChange(kind="rules-changed", seq=after.seq, rules=changed)


def began_at(record: TournamentRecord) -> int | None:
    """Returns the seq at which a first round was published or a result recorded; None before."""
    desk = record.desk
    begun = [each.seq for each in desk.rounds.values()]
    begun += [each.published.seq for each in desk.undone]
    if record.reported_at is not None:
        begun.append(record.reported_at)
    return min(begun, default=None)


def _differing(before: RulesAnnounced, after: RulesAnnounced) -> tuple[str, ...]:
    names = sorted(type(before).model_fields)
    return tuple(name for name in names if getattr(before, name) != getattr(after, name))


def _rounds(record: TournamentRecord) -> Iterator[DeskChange]:
    """Yields the rounds that were withdrawn, and those in force that the arbiter paired."""
    participants = participants_of(record)
    for undone in record.desk.undone:
        withdrawn = undone.published.event.round
        yield DeskChange(kind="round-withdrawn", seq=undone.seq, round=withdrawn)
    for round_, published in sorted(record.desk.rounds.items()):
        if published.event.by_hand:
            yield DeskChange(
                kind="round-by-hand",
                seq=published.seq,
                round=round_,
                deviations=published.event.deviations or (),
                breaches=tuple(round_breaches(participants, round_)),
            )


def round_breaches(participants: TournamentRecord, round_: int) -> Iterator[Message]:
    """Yields how a published round breaks the rules that it is recorded to break.

    Who meets a second time is named by starting number, with the boards of both rounds; where no
    earlier game is recorded any more, only the rule is named. ``participants`` are the teams in an
    event of teams.
    """
    published = participants.desk.rounds[round_]
    for code in published.event.deviations or ():
        named = list(_second_meetings(participants, round_)) if code == "second-meeting" else []
        yield from named or [Message.of(f"against.{code.replace('-', '_')}")]


def _second_meetings(participants: TournamentRecord, round_: int) -> Iterator[Message]:
    rounds, numbers = participants.desk.rounds, participants.entries
    for board, (white, black) in enumerate(rounds[round_].boards, start=1):
        games = (each for each in participants.rounds_of(white) if each.round < round_)
        for game in games:
            if game.opponent(white) != black or not game.has_game_result:
                continue
            values = {"white": numbers[white], "black": numbers[black], "board": board}
            values |= {"round": round_, "before": game.round}
            earlier = rounds.get(game.round)
            place = earlier.place_of(white) if earlier else None
            if place is None:
                yield Message.of("against.meeting_of_report", **values)
            else:
                yield Message.of("against.meeting", **values, before_board=place)


def _late_entries(record: TournamentRecord) -> Iterator[DeskChange]:
    """Yields who was said to play from a later round than the first."""
    for player, number in record.by_number:
        described = record.desk.descriptions.get(player)
        if described is not None and (described.said.from_round or 1) > 1:
            yield DeskChange(
                kind="late-entry",
                seq=described.seq,
                round=described.said.from_round,
                number=number,
            )


def _results(record: TournamentRecord) -> Iterator[DeskChange]:
    """Yields results that rounds were paired from: those that are others now, and temporary ones.

    Who was given the same points by what replaced it is paired as before: that is no change.
    """
    for replaced in record.replaced:
        yield from _paired_from(record, replaced.pairing, replaced.until)
    for pairing in record.each_pairing:
        if pairing.status != "recorded":
            yield from _paired_from(record, pairing, None)


def _paired_from(
    record: TournamentRecord, pairing: PairingRecord, until: Seq | None
) -> Iterator[DeskChange]:
    """Yields what was paired from a result that held from its seq until another one."""
    rounds = tuple(
        round_
        for round_, published in sorted(record.desk.rounds.items())
        if round_ > pairing.round
        and published.seq > pairing.seq
        and (until is None or published.seq < until)
    )
    now = record.pairings.get((pairing.round, pairing.white))
    if now is not None and {*now.players} != {*pairing.players}:
        now = None  # the game was struck, and one with somebody else recorded
    is_temporary = pairing.status != "recorded"
    same = now is not None and all(now.halves(p) == pairing.halves(p) for p in pairing.players)
    if not rounds or (same and not is_temporary):
        return
    yield DeskChange(
        kind="temporary-result" if is_temporary else "result-corrected",
        seq=pairing.seq if is_temporary or until is None else until,
        round=pairing.round,
        numbers=_numbers(record, pairing),
        rounds=rounds,
        before=str(pairing.result or _DRAWN),
        after=_STRUCK if now is None else str(now.result or "*"),
    )


def _colours(record: TournamentRecord) -> Iterator[DeskChange]:
    """Yields the boards of published rounds at which the two played with each other's colour."""
    for turned in turned_games(record):
        game = turned.game
        numbers = _numbers(record, game)
        yield DeskChange(kind="colours-reversed", seq=game.seq, round=game.round, numbers=numbers)


def _numbers(record: TournamentRecord, pairing: PairingRecord) -> tuple[int, ...]:
    return tuple(record.entries[player] for player in pairing.players if player in record.entries)
