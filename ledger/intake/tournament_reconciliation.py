"""Holds what a document says of a tournament against what is recorded.

The same again is nothing; something new is a command; something else is a *difference*: a conflict,
unless the document comes as a correction, then it is a command too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from ledger.desk.event_records import DESK_RECORDS
from ledger.events.tournaments import ReportDetails
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.intake.documents import ByeSaid, GameSaid, Planned, SourcePlace, TournamentSaid
from ledger.operations import commands as c
from ledger.registrar.register import Register
from ledger.registrar.swiss import irregularities, notes_of
from ledger.registrar.tournaments import NEEDED
from ledger.results import Bye, Result, Termination
from ledger.wording import Message


def plan_tournament(
    said: TournamentSaid, register: Register, on: dt.date, *, as_correction: bool
) -> Iterator[Planned]:
    """Yields what a tournament document asks for, in the order in which it can be carried out.

    Args:
        said: what it says; the tournament's own data must be complete when it is not recorded or
            announced yet (see ``missing``).
        register: knows the tournament and the players that it names.
        on: the day from which a ruling holds on the period in which the tournament is rated.
        as_correction: where it says otherwise, it is right.
    """
    said = said.with_ids(register.survivors) if register.survivors else said
    record = register.tournaments.get(said.tournament)
    if record is None:
        yield Planned(opening(said), said.place)
    else:
        yield from _correction(said, record)
    entered = record.entries if record else {}
    for place, player, number in said.entries:
        if player not in entered:
            enter = c.EnterPlayer(tournament=said.tournament, player=player, starting_number=number)
            yield Planned(enter, place)
    recorded = _Recorded(said, record, as_correction=as_correction)
    for game in said.games:
        yield from recorded.game(game)
    for bye in said.byes:
        yield from recorded.bye(bye)
    if said.whole:
        yield from recorded.unmentioned()
    yield from _rating_period(said, record, on, as_correction=as_correction)


def _rating_period(
    said: TournamentSaid, record: TournamentRecord | None, on: dt.date, *, as_correction: bool
) -> Iterator[Planned]:
    """Yields the ruling on the period in which a tournament is rated, where it is to be said."""
    rated_in = said.rated_in
    if rated_in is None:
        return
    recorded = record.rated_in.get(rated_in.list) if record else None
    if recorded == rated_in.period:
        return
    command = c.RuleOnTournament(
        tournament=said.tournament,
        ruling="accept",
        on=on,
        rated_in=rated_in,
        as_correction=as_correction,
    )
    difference = Message.of(
        "import.other_period",
        tournament=said.tournament,
        list=rated_in.list,
        recorded=recorded,
        said=rated_in.period,
    )
    yield Planned(command, said.place, difference if recorded else None)


def missing(said: TournamentSaid, register: Register) -> list[str]:
    """Returns the columns a tournament needs and lacks, where it is not recorded or announced."""
    if said.tournament in register.tournaments or register.announced(said.tournament) is not None:
        return []
    return [column for column, field in NEEDED.items() if getattr(said, field) is None]


def tournament_notes(said: TournamentSaid, register: Register, since: Seq) -> Iterator[Message]:
    """Yields what is told of a tournament that was taken: what stays, and what breaks rules.

    These are what is recorded and not mentioned in the document, and the rules of a Swiss that
    pairings break which were recorded since a seq.
    """
    yield from _unmentioned(said, register)
    record = register.tournaments.get(said.tournament)
    if record is not None:
        yield from notes_of(said.tournament, irregularities(record, Seq(since - 1)))


def _unmentioned(said: TournamentSaid, register: Register) -> Iterator[Message]:
    """Yields what is recorded and not mentioned in the document, and stays.

    Of a partial one these are pairings of its rounds; of a whole report, whose missing pairings
    are struck, the players who remain entered.
    """
    said = said.with_ids(register.survivors) if register.survivors else said
    record = register.tournaments.get(said.tournament)
    if said.whole:
        listed = {player for _, player, _ in said.entries}
        for player in record.entries.keys() - listed if record else ():
            yield Message.of("import.entrant_stays", player=player)
        return
    rounds = {game.round for game in said.games} | {bye.round for bye in said.byes}
    mentioned = {(game.round, player) for game in said.games for player in (game.white, game.black)}
    mentioned |= {(bye.round, bye.player) for bye in said.byes}
    for (round_, player), pairing in (record.pairings if record else {}).items():
        players = {(round_, pairing.white), (round_, pairing.black or pairing.white)}
        if round_ in rounds and player == pairing.white and mentioned.isdisjoint(players):
            yield Message.of("import.unmentioned", round=round_, recorded=pairing.described())


def opening(said: TournamentSaid) -> c.OpenTournament:
    """Returns the command that opens the tournament; nothing may be ``missing``."""
    return c.OpenTournament(tournament=said.tournament, **_about(said))


def _about(said: TournamentSaid) -> dict[str, Any]:
    """Returns a tournament's own data as commands call them."""
    return {
        "name": said.name,
        "starts_on": said.starts_on,
        "ends_on": said.ends_on,
        "system": said.system,
        "rate_of_play": said.rate_of_play,
        "merit_hundredths": said.merit_hundredths,
        "rounds": said.rounds,
        "place": said.city,
        "federation": said.federation,
        "report": said.report,
    }


def _correction(said: TournamentSaid, record: TournamentRecord) -> Iterator[Planned]:
    """What the document says of a recorded tournament, where it says something else."""
    old = record.version
    report = said.report if record.desk.rules is None else _without_desk(said.report, old.report)
    said_of_it = {**_about(said), "report": _report(report, old.report)}
    about = {name: getattr(old, name) for name in said_of_it}
    changed = {n: v for n, v in said_of_it.items() if v is not None and v != about[n]}
    if changed:
        difference = Message.of(
            "import.other_tournament",
            tournament=said.tournament,
            recorded=", ".join(_words(name, about[name]) for name in changed),
            said=", ".join(_words(name, value) for name, value in changed.items()),
        )
        command = c.CorrectTournament(tournament=said.tournament, **(about | changed))
        yield Planned(command, said.place, difference)


def _without_desk(said: ReportDetails | None, old: ReportDetails | None) -> ReportDetails | None:
    """Returns what a document says without the rules of the event, which the desk announced.

    They are changed there, for a reason, and by no document.
    """
    if said is None or said.records is None:
        return said
    recorded = old.records if old else None
    kept = [
        line for line in said.records if line[:3] not in DESK_RECORDS or line in (recorded or ())
    ]
    return said.model_copy(update={"records": tuple(kept) or None})


def _report(said: ReportDetails | None, old: ReportDetails | None) -> ReportDetails | None:
    """Returns what is known of the report when the document is right; None where that is the same.

    Ranks, ratings, titles and rounds without a game say how matters stood when the document was
    written: those of another document are no difference, but come along when something else is.
    """
    if said is None:
        return None
    recorded = old or ReportDetails()
    told = said.model_dump(exclude_none=True)
    kept_fields = {"idle_days", "ranks", "ratings", "titles"}
    known = recorded.model_dump(exclude_none=True)
    if "records" in told:
        told["records"] = _records(told["records"], known.get("records", ()))
    if all(known.get(name) == value for name, value in told.items() if name not in kept_fields):
        return None
    return ReportDetails.model_validate(known | told)


def _records(said: tuple[str, ...], old: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the records said, and those recorded of which the document has not one."""
    codes = {record[:3] for record in said}
    if set(said) <= set(old):
        return old
    return (*said, *(record for record in old if record[:3] not in codes))


def _words(name: str, value: object) -> str:
    """Returns a field and its value as a difference quotes them."""
    if not isinstance(value, ReportDetails):
        return f"{name} {value}"
    told = value.model_dump(exclude_none=True, exclude={"ranks", "ratings"})
    return ", ".join(f"{each} {_quoted(said)}" for each, said in told.items())


def _quoted(value: object) -> str:
    return " / ".join(map(str, value)) if isinstance(value, tuple) else str(value)


class _Recorded:
    """The rounds of one tournament as recorded, while a document is held against them."""

    def __init__(
        self, said: TournamentSaid, record: TournamentRecord | None, *, as_correction: bool
    ) -> None:
        self._said = said
        self._record = record
        self._as_correction = as_correction
        self._struck: set[int] = set()
        self._mentioned: set[tuple[int, str]] = set()
        self._open = [{(round_, one), (round_, other)} for round_, one, other in said.open]

    def game(self, game: GameSaid) -> Iterator[Planned]:
        """A pairing of the document."""
        self._mentioned |= {(game.round, game.white), (game.round, game.black)}
        there = self._there(game.round, game.white)
        result: dict[str, Any] = {
            "tournament": self._said.tournament,
            "round": game.round,
            "white": game.white,
            "black": game.black,
            "result": game.result,
        }
        record_it = c.RecordGame(
            **result, played_on=game.played_on, as_correction=self._as_correction
        )
        said = f"{game.white} - {game.black} {game.result}"
        if there and (there.white, there.black) == (game.white, game.black):
            if there.status != "recorded":
                yield Planned(record_it, game.place)
            elif not self._same(there, game):
                command = c.CorrectResult(**result)
                yield Planned(command, game.place, self._other(there, said))
            return
        struck = yield from self._strike(game.place, game.round, (game.white, game.black), said)
        yield Planned(record_it, game.place, struck or self._annulled(game))

    def _same(self, there: PairingRecord, game: GameSaid) -> bool:
        """Whether the document says what is recorded, as far as it has signs for it."""
        recorded = there.result
        if not isinstance(recorded, Result):
            return False
        if not self._said.adjudications and recorded.termination is Termination.ADJUDICATED:
            return recorded.halves == game.result.halves
        return recorded == game.result

    def _annulled(self, game: GameSaid) -> Message | None:
        """A difference when the pairing was struck before: it would come back."""
        struck = self._record.annulled_pairings if self._record else {}
        if (game.round, game.white, game.black) not in struck:
            return None
        said = f"{game.white} - {game.black} {game.result}"
        return Message.of("import.annulled_pairing", round=game.round, said=said)

    def bye(self, bye: ByeSaid) -> Iterator[Planned]:
        """A bye of the document."""
        self._mentioned.add((bye.round, bye.player))
        there = self._there(bye.round, bye.player)
        if there and there.black is None and there.result is bye.kind:
            return
        if there is None and self._is_blank(bye):
            return
        said = f"{bye.player} {bye.kind.value}"
        struck = yield from self._strike(bye.place, bye.round, (bye.player,), said)
        command = c.GiveBye(
            tournament=self._said.tournament,
            round=bye.round,
            player=bye.player,
            kind=bye.kind,
            as_correction=self._as_correction,
        )
        yield Planned(command, bye.place, struck)

    def _is_blank(self, bye: ByeSaid) -> bool:
        """Whether it may say that nothing is recorded of somebody in a round that was played."""
        last = self._record.last_round if self._record else 0
        return not self._said.absences and bye.kind is Bye.ZERO and bye.round <= last

    def unmentioned(self) -> Iterator[Planned]:
        """Pairings that are recorded and that the whole report does not know."""
        for (round_, player), there in (self._record.pairings if self._record else {}).items():
            pairing = {(round_, there.white), (round_, there.black or there.white)}
            once = player == there.white and there.seq not in self._struck
            open_ = there.status != "recorded" and pairing in self._open
            if once and not open_ and self._mentioned.isdisjoint(pairing):
                struck = Message.of("import.struck", round=round_, recorded=there.described())
                yield replace(self._strike_out(there, self._said.place, "-"), note=struck)

    def _there(self, round_: int, player: str) -> PairingRecord | None:
        return self._record.pairings.get((round_, player)) if self._record else None

    def _strike(
        self, place: SourcePlace, round_: int, players: tuple[str, ...], said: str
    ) -> Generator[Planned, None, Message | None]:
        """Strikes what the players are recorded with in the round; returns the difference."""
        difference = None
        for player in players:
            there = self._there(round_, player)
            if there:
                difference = difference or self._other(there, said)
                if there.seq not in self._struck:
                    yield self._strike_out(there, place, said)
        return difference

    def _strike_out(self, there: PairingRecord, place: SourcePlace, said: str) -> Planned:
        self._struck.add(there.seq)
        command = c.AnnulResult(
            tournament=self._said.tournament,
            round=there.round,
            white=there.white,
            black=there.black,
        )
        return Planned(command, place, self._other(there, said))

    def _other(self, there: PairingRecord, said: str) -> Message:
        return Message.of(
            "import.other_pairing", round=there.round, recorded=there.described(), said=said
        )
