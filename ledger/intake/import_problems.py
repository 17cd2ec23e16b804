"""What is wrong with a document, and what is noted of it, gathered while it is taken in.

All problems are said at once. Names and ids that a spreadsheet would execute are noted, never
refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ledger.answers.time_controls import time_control_texts
from ledger.errors import Conflict, InputRefused, NotFound, Problem
from ledger.exports.columns import is_formula
from ledger.facts.as_of import AsOf
from ledger.intake.documents import Planned, PlayerSaid, SourcePlace, TournamentSaid
from ledger.intake.problems import MOST_PROBLEMS, STOPPED, Problems, in_order, refused
from ledger.intake.tournament_reconciliation import missing, tournament_notes
from ledger.operations.commands import OpenTournament, RestoreTournament
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar, unannounced
from ledger.service.identities import IssuedIds
from ledger.views.view import LedgerView
from ledger.wording import Message

_SAID_ONCE = {
    "pairing.in_future", "pairing.outside_dates", "player.unknown", "player.merged",
    "tournament.unknown", "tournament.not_entered",
}  # fmt: skip


class ImportProblems:
    """What is wrong with a document, and where it says otherwise than the ledger.

    ``file`` is what messages call it; ``as_correction``: where it says otherwise, it is right.
    ``ids`` are those of the players of the ledger, where the document may give some.
    """

    def __init__(
        self, file: str, *, as_correction: bool = False, ids: IssuedIds | None = None
    ) -> None:
        self.file = file
        self._ids = ids
        self.problems = Problems(file=file)
        self._as_correction = as_correction
        self._differences = _Differences()
        self._said: set[Message] = set()

    def add(self, problem: Problem) -> None:
        """Notes a problem; who is unknown, or which day cannot be, is said once, where it is first.

        Raises:
            InputRefused: these are so many that the document is not read further.
        """
        if problem.message.key in _SAID_ONCE and problem.message in self._said:
            return
        self._said.add(problem.message)
        self.problems.take(problem)

    def add_all(self, problems: Problems) -> None:
        """Notes what was found while the document was read."""
        self.problems.take_all(problems.found)

    def unready(self, tournament: TournamentSaid, register: Register) -> bool:
        """Notes why nothing of the tournament can be taken, if so."""
        lacking = missing(tournament, register)
        record = register.tournaments.get(tournament.tournament)
        message = None
        unsaid = [column for column in lacking if column not in tournament.unread]
        words_and_code = time_control_texts(tournament.report) if "rate_of_play" in unsaid else ()
        text = next(filter(None, words_and_code), None)
        unknown = [column for column in unsaid if text is None or column != "rate_of_play"]
        if unknown:
            words = tuple(Message.of(f"column.{column}") for column in unknown)
            message = Message.of(
                "import.incomplete", tournament=tournament.tournament, missing=words
            )
        elif record is not None and record.annulled:
            message = Message.of("tournament.annulled", tournament=tournament.tournament)
        if message is not None:
            self.add(Problem(message, tournament.place.line, tournament.place.column))
        if text is not None:
            values = {"tournament": tournament.tournament, "text": text}
            line = (tournament.time_control_place or tournament.place).line
            self.add(Problem.of("import.unread_time_control", line, 1, **values))
        return bool(lacking) or message is not None

    def take(
        self, planned: Planned, registrar: Registrar, *, as_correction: bool | None = None
    ) -> list[Problem]:
        """Lets the registrar take what is planned; notes why it cannot, or must not.

        Args:
            planned: what is to be taken.
            registrar: decides.
            as_correction: whether it is right where it says otherwise (None: as the document is).

        Returns:
            What is told where it is taken.
        """
        difference = planned.problem()
        correct = self._as_correction if as_correction is None else as_correction
        if difference and not correct:
            self._differences.add(difference)
            return []
        try:
            if self._ids is not None:
                self._ids.check(planned.command)
            registrar.take(planned.command)
        except (InputRefused, Conflict, NotFound) as error:
            self.add(Problem(error.message, planned.place.line, planned.place.column))
            if isinstance(command := planned.command, OpenTournament):
                # Why it is not there was told now: that it is not is no other problem.
                not_there = Message.of("tournament.unknown", tournament=command.tournament)
                self._said.add(not_there)
        return planned.notes(self.file)

    def notes(self, tournament: TournamentSaid, registrar: Registrar) -> list[Problem]:
        """Returns what is told of a tournament that the registrar has taken."""
        found = tournament_notes(tournament, registrar.register, registrar.first_seq)
        note = unannounced(tournament.tournament)
        problems_ = [*(each for each in registrar.unannounced if each == note), *found]
        return [Problem(message, tournament.place.line, 0, self.file) for message in problems_]

    def raise_any(self) -> None:
        """Refuses the document, if there is a reason to."""
        if self.problems.found:
            raise refused(self.file, self.problems.found)
        self._differences.raise_any(self.file)


class _Differences:
    """Where a document says otherwise than the ledger: the first are kept, all are counted."""

    def __init__(self) -> None:
        self._kept: list[Problem] = []
        self._count = 0
        self._place = (0, 0)
        self._at_place: set[Problem] = set()

    def add(self, difference: Problem) -> None:
        """Takes one more; what replaces a pairing and what is struck for it are one."""
        place = (difference.line, difference.column)
        if place != self._place:
            self._place = place
            self._at_place.clear()
        if difference in self._at_place:
            return
        self._at_place.add(difference)
        self._count += 1
        if self._count <= MOST_PROBLEMS:
            self._kept.append(difference)

    def raise_any(self, file: str) -> None:
        """Raises ``Conflict`` if there are any."""
        if self._count:
            details = in_order(replace(each, file=file) for each in self._kept)
            raise Conflict("import.conflict", *details, file=file, count=self._count)


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Names the file in the refusal of what is read in it, if that has details.

    Raises:
        InputRefused: the document is refused, its problems in the order of its lines.
    """
    try:
        yield
    except InputRefused as refusal:
        if not refusal.details:
            raise
        is_stopped = refusal.message.key == STOPPED
        raise refused(file, refusal.details, is_stopped=is_stopped) from refusal


class Formulas:
    """Names and ids that a spreadsheet would execute, each once; one note tells of all."""

    def __init__(self) -> None:
        self._found: dict[str, SourcePlace] = {}

    def look_at_player(self, player: PlayerSaid) -> None:
        """Takes in what a document says of a player."""
        self._look_at(player.place, player.player, player.identity.name)

    def look_at_tournament(self, tournament: TournamentSaid) -> None:
        """Takes in what a document says of a tournament."""
        self._look_at(tournament.place, tournament.tournament, tournament.name, tournament.city)

    def notes(self, file: str) -> Iterator[Problem]:
        """Yields a note of how many there are, at the first one; nothing where there is none."""
        for text, place in self._found.items():
            message = Message.of("import.formulas", count=len(self._found), first=text)
            yield Problem(message, place.line, place.column, file)
            return

    def _look_at(self, place: SourcePlace, *texts: str | None) -> None:
        for text in texts:
            if text is not None and is_formula(text):
                self._found.setdefault(text, place)


def same_games(
    view: LedgerView, tournament: TournamentSaid, file: str, *, is_table: bool = False
) -> Iterator[Problem]:
    """Yields a note of each other tournament in which the same people played the same games.

    A table says in each row which tournament it is of (``is_table``).
    """
    facts = view.facts()
    games = {(game.round, game.white, game.black) for game in tournament.games}
    player = next((game.white for game in tournament.games), None)
    if player is None or player not in facts.player_index:
        return
    known = AsOf(facts, facts.seq)
    played = known.tournaments_of_player(known.counts_as(facts.player_index[player])).tolist()
    key = "import.same_games_in_table" if is_table else "import.same_games"
    for other in (facts.tournament_ids[index] for index in played):
        record = view.tournament(other, facts.seq)
        pairings = record.pairings.values() if record else ()
        if games == {(each.round, each.white, each.black) for each in pairings if each.black}:
            message = Message.of(key, other=other, tournament=tournament.tournament)
            yield Problem(message, tournament.place.line, 0, file)


def restored(registrar: Registrar, tournament: TournamentSaid, file: str) -> list[Problem]:
    """Brings a tournament back that was taken back before; returns a note that it had been."""
    if tournament.tournament not in registrar.register.voided_tournaments:
        return []
    registrar.take(RestoreTournament(tournament=tournament.tournament))
    message = Message.of("import.was_undone", tournament=tournament.tournament)
    return [Problem(message, tournament.place.line, 0, file)]
