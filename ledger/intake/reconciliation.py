"""Compares what a document says with what is recorded.

The same again is nothing; something new is a command; something else is a *difference*: a conflict,
unless the document comes as a correction, then it is a command too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ledger.errors import Problem
from ledger.events.personal import Identity
from ledger.events.players import RatingSeeded
from ledger.events.tournaments import ReportDetails
from ledger.facts.merged_players import Survivors
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.intake.documents import ByeSaid, GameSaid, PlayerSaid, SourcePlace, TournamentSaid
from ledger.registrar import commands as c
from ledger.registrar.register import PlayerRecord, Register
from ledger.registrar.swiss import irregularities, notes_of
from ledger.results import Result, Termination
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Planned:
    """A command that a document asks for, and the place that asks.

    ``difference`` says what is recorded otherwise; such a command is carried out only when the
    document comes as a correction. ``note`` is told where it is carried out.
    """

    command: c.Command
    place: SourcePlace
    difference: Message | None = None
    note: Message | None = None

    def problem(self) -> Problem | None:
        """Returns the difference as a problem of the document."""
        if self.difference is None:
            return None
        return Problem(self.difference, self.place.line, self.place.column)

    def notes(self, file: str) -> list[Problem]:
        """Returns the note as one of the document, if there is one."""
        return [Problem(self.note, self.place.line, 0, file)] if self.note else []


@dataclass(frozen=True, slots=True)
class PlayersIntake:
    """How a players document is read into the ledger.

    With ``list`` the ratings are seeds of that list, in force ``seeds_on``; ``ks_on`` is the day
    from which a K holds, ``registered_on`` the day of registration; ``games`` were rated before the
    rating of whoever it is not said of (None: nobody knows). With ``only_new`` the document
    introduces players the register lacks, and says of the others nothing but a rating of who
    neither came into the list with one nor ``has_rating`` in it when this one would be in force.
    """

    list: str | None
    seeds_on: dt.date | None
    ks_on: dt.date
    registered_on: dt.date
    as_correction: bool
    salt: Callable[[], str]
    source: str | None
    only_new: bool = False
    games: int | None = None
    has_rating: Callable[[str], bool] = lambda _: False


def plan_players(
    said: Sequence[PlayerSaid],
    register: Register,
    identities: Mapping[str, Identity],
    how: PlayersIntake,
    others: Mapping[str, PlayersIntake] = MappingProxyType({}),
) -> Iterator[Planned]:
    """Yields what a players document asks for.

    Args:
        said: what it says.
        register: knows all players that it names.
        identities: the recorded ones, by digest.
        how: how it is read.
        others: the same for ratings in other lists, by their names.
    """
    for player in said:
        if how.only_new:
            player = replace(player, player=register.survivors(player.player))  # noqa: PLW2901
        record = register.players.get(player.player)
        if record is None:
            register_it = c.RegisterPlayer(
                player=player.player,
                identity=player.identity,
                salt=how.salt(),
                federation=player.federation,
                on=how.registered_on,
            )
            yield Planned(register_it, player.place)
        elif how.only_new:
            # A report corrects nobody, but who has no rating in the list may get it from there.
            seeded = any(seed.list == how.list for _, seed in record.seeds)
            if how.list and not seeded and not how.has_rating(player.player):
                yield from _rating(player, record, how)
            continue
        else:
            yield from _identity(player, record, identities, how)
        yield from _rating(player, record, how)
        for other in player.others:
            assert other.list is not None, "another rating is of another list"
            its = replace(
                player, rating=other.rating, k=None, games=None, published_k=other.published_k
            )
            yield from _rating(its, record, others[other.list])


def _identity(
    player: PlayerSaid,
    record: PlayerRecord,
    identities: Mapping[str, Identity],
    how: PlayersIntake,
) -> Iterator[Planned]:
    """What the document says of a registered person, where it says something else."""
    recorded = identities.get(record.version.identity)
    if recorded is None:
        return
    said = Identity(
        name=player.identity.name,
        birth_date=_more_exact(player.identity.birth_date, recorded.birth_date),
        sex=player.identity.sex or recorded.sex,
    )
    federation = player.federation or record.version.federation
    if said == recorded and federation == record.version.federation:
        return
    command = c.CorrectIdentity(
        player=player.player,
        identity=said,
        salt=how.salt(),
        federation=federation,
        on=how.registered_on,
    )
    difference = Message.of(
        "import.other_identity",
        player=player.player,
        recorded=_described(recorded, record.version.federation),
        said=_described(said, federation),
    )
    yield Planned(command, player.place, difference)


def _more_exact(said: str | None, recorded: str | None) -> str | None:
    """Returns the birth date said, or the one recorded where it says as much or more."""
    if said is None or (recorded is not None and recorded.startswith(said)):
        return recorded
    return said


def _described(identity: Identity, federation: str | None) -> str:
    parts = (identity.name, federation, identity.sex, identity.birth_date)
    return ", ".join(part for part in parts if part)


def _rating(
    player: PlayerSaid, record: PlayerRecord | None, how: PlayersIntake
) -> Iterator[Planned]:
    if player.k is not None:
        recorded_k = record.k_on(how.list, how.ks_on) if record else None
        if recorded_k != player.k:
            k = c.AssignK(
                player=player.player,
                k=player.k,
                list=how.list,
                on=how.ks_on,
                as_correction=how.as_correction,
            )
            difference = Message.of(
                "import.other_k", player=player.player, recorded=recorded_k, said=player.k
            )
            yield Planned(k, player.place, None if recorded_k is None else difference)
    if player.rating is None or how.list is None or how.seeds_on is None:
        return
    seed = record.seed_on(how.list, how.seeds_on) if record else None
    games, published_k = _before(player, seed, how)
    if seed and (seed.rating, seed.games, seed.k) == (player.rating, games, published_k):
        return
    command = c.SeedRating(
        player=player.player,
        list=how.list,
        rating=player.rating,
        games=games,
        k=published_k,
        source=how.source,
        on=how.seeds_on,
        as_correction=how.as_correction,
    )
    difference = Message.of(
        "import.other_rating",
        player=player.player,
        recorded=_rated(seed.rating, seed.games, seed.k) if seed else "",
        said=_rated(player.rating, games, published_k),
    )
    yield Planned(command, player.place, difference if seed else None)


def _before(
    player: PlayerSaid, seed: RatingSeeded | None, how: PlayersIntake
) -> tuple[int | None, int | None]:
    """Returns the games before a rating and the K published with it: said, else as recorded."""
    recorded = (seed.games, seed.k) if seed else (None, None)
    games = _first_said(player.games, how.games, recorded[0])
    return games, _first_said(player.published_k, recorded[1])


def _first_said(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _rated(rating: int, games: int | None, k: int | None) -> str:
    shown = f"{rating} ({'?' if games is None else games})"
    return shown if k is None else f"{shown} K {k}"


def plan_tournament(
    said: TournamentSaid, register: Register, *, as_correction: bool
) -> Iterator[Planned]:
    """Yields what a tournament document asks for, in the order in which it can be carried out.

    The tournament's own data must be complete when it is not recorded yet (see ``missing``).
    """
    said = _of_survivors(said, register.survivors)
    record = register.tournaments.get(said.tournament)
    if record is None:
        yield Planned(opening(said), said.place)
    else:
        yield from _about(said, record)
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


def plan_rating_period(
    said: TournamentSaid, register: Register, on: dt.date, *, as_correction: bool
) -> Iterator[Planned]:
    """Yields the ruling on the period in which a tournament is rated, where it is to be said.

    ``on`` is the day from which the ruling holds.
    """
    rated_in, record = said.rated_in, register.tournaments.get(said.tournament)
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


def _of_survivors(said: TournamentSaid, survivors: Survivors) -> TournamentSaid:
    """Returns what a document says with the ids that stay; it may name a person by any of his."""
    if not survivors:
        return said
    entries = {(survivors(player), number): place for place, player, number in said.entries[::-1]}
    return replace(
        said,
        entries=tuple((place, *entry) for entry, place in [*entries.items()][::-1]),
        games=tuple(
            replace(game, white=survivors(game.white), black=survivors(game.black))
            for game in said.games
        ),
        byes=tuple(replace(bye, player=survivors(bye.player)) for bye in said.byes),
        open=tuple((number, survivors(one), survivors(other)) for number, one, other in said.open),
    )


def missing(said: TournamentSaid, register: Register) -> list[str]:
    """Returns the columns a tournament needs and lacks, where it is not recorded yet."""
    if said.tournament in register.tournaments:
        return []
    needed = {
        "name": said.name,
        "start": said.starts_on,
        "end": said.ends_on,
        "system": said.system,
        "rate_of_play": said.rate_of_play,
    }
    return [name for name, value in needed.items() if value is None]


def unmentioned(said: TournamentSaid, register: Register) -> Iterator[Message]:
    """Yields what is recorded and not mentioned in the document, and stays.

    Of a partial one these are pairings of its rounds; of a whole report, whose missing pairings
    are struck, the players who remain entered.
    """
    said = _of_survivors(said, register.survivors)
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


def irregular(said: TournamentSaid, register: Register, since: int) -> Iterator[Message]:
    """Yields notes of the rules of a Swiss that pairings break which were recorded since a seq."""
    record = register.tournaments.get(said.tournament)
    if record is not None:
        yield from notes_of(said.tournament, irregularities(record, since - 1))


def opening(said: TournamentSaid) -> c.OpenTournament:
    """Returns the command that opens the tournament; nothing may be ``missing``."""
    assert said.name is not None
    assert said.starts_on is not None
    assert said.ends_on is not None
    assert said.system is not None
    assert said.rate_of_play is not None
    return c.OpenTournament(
        tournament=said.tournament,
        name=said.name,
        starts_on=said.starts_on,
        ends_on=said.ends_on,
        system=said.system,
        rate_of_play=said.rate_of_play,
        merit_hundredths=said.merit_hundredths,
        rounds=said.rounds,
        place=said.city,
        federation=said.federation,
        report=said.report,
    )


def _about(said: TournamentSaid, record: TournamentRecord) -> Iterator[Planned]:
    """What the document says of a recorded tournament, where it says something else."""
    old = record.version
    recorded = c.CorrectTournament(
        tournament=old.tournament,
        name=old.name,
        starts_on=old.starts_on,
        ends_on=old.ends_on,
        system=old.system,
        rate_of_play=old.rate_of_play,
        merit_hundredths=old.merit_hundredths,
        rounds=old.rounds,
        place=old.place,
        federation=old.federation,
        report=old.report,
    )
    new = {
        "name": said.name,
        "starts_on": said.starts_on,
        "ends_on": said.ends_on,
        "system": said.system,
        "rate_of_play": said.rate_of_play,
        "merit_hundredths": said.merit_hundredths,
        "rounds": said.rounds,
        "place": said.city,
        "federation": said.federation,
        "report": _report(said.report, old.report),
    }
    changed = {n: v for n, v in new.items() if v is not None and v != getattr(recorded, n)}
    if changed:
        difference = Message.of(
            "import.other_tournament",
            tournament=said.tournament,
            recorded=", ".join(_words(name, getattr(recorded, name)) for name in changed),
            said=", ".join(_words(name, value) for name, value in changed.items()),
        )
        command = replace(recorded, **changed)  # type: ignore[arg-type]
        yield Planned(command, said.place, difference)


def _report(said: ReportDetails | None, old: ReportDetails | None) -> ReportDetails | None:
    """Returns what is known of the report when the document is right; None where that is the same.

    Ranks, ratings, titles and rounds without a game say how matters stood when the document was
    written: those of another document are no difference, but come along when something else is.
    """
    if said is None:
        return None
    recorded = old or ReportDetails()
    told = said.model_dump(exclude_none=True)
    standing = {"idle_days", "ranks", "ratings", "titles"}
    known = recorded.model_dump(exclude_none=True)
    if "records" in told:
        told["records"] = _records(told["records"], known.get("records", ()))
    if all(known.get(name) == value for name, value in told.items() if name not in standing):
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
        record_it = c.RecordGame(
            tournament=self._said.tournament,
            round=game.round,
            white=game.white,
            black=game.black,
            result=game.result,
            played_on=game.played_on,
            as_correction=self._as_correction,
        )
        if there and (there.white, there.black) == (game.white, game.black):
            if there.status != "recorded":
                yield Planned(record_it, game.place)
            elif not self._same(there, game):
                command = c.CorrectResult(
                    tournament=self._said.tournament,
                    round=game.round,
                    white=game.white,
                    black=game.black,
                    result=game.result,
                )
                said = f"{game.white} - {game.black} {game.result}"
                yield Planned(command, game.place, self._other(there, said))
            return
        said = f"{game.white} - {game.black} {game.result}"
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
        struck = self._record.annulled_pairings if self._record else set()
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
