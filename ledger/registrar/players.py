"""Commands about players, and what they come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from ledger.errors import Conflict
from ledger.events.model import Dated
from ledger.events.personal import Identity
from ledger.events.players import (
    KAssigned,
    PlayerDescribed,
    PlayerErased,
    PlayerIdentityCorrected,
    PlayerRegistered,
    PlayersMerged,
    RatingAdjusted,
    RatingSeeded,
    TitleAwarded,
)
from ledger.journal.records import PersonalDocument
from ledger.letters import mixed_in, unseen_in
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutPlayer(Command):
    """Who a player is. ``salt``: 32 random hexadecimal digits for the identity document."""

    NAMES = ("player",)

    player: str
    identity: Identity
    salt: str
    federation: str | None
    on: dt.date

    @property
    def birth_year(self) -> int | None:
        """The year of birth, where it is known."""
        born = self.identity.birth_date
        return int(born[:4]) if born else None

    def personal(self) -> PersonalDocument:
        """Returns the identity document."""
        document = self.identity.sealed(self.salt).document()
        return PersonalDocument(sha256(document.encode()).hexdigest(), self.player, document)

    def check_name(self) -> None:
        """Refuses a name with letters that are not seen, or a word in several scripts.

        It stays as it is written otherwise: what is recorded of a person is what the person writes.
        """
        name = self.identity.name
        if (letter := unseen_in(name)) is not None:
            raise self.refused("player.unseen", name=name, letter=f"U+{ord(letter):04X}")
        if (word := mixed_in(name)) is not None:
            raise self.refused("player.mixed", name=name, word=word)

    def _event(self, model: type[PlayerRegistered | PlayerIdentityCorrected]) -> Dated:
        return Dated(self.on, self.said(model, identity=self.identity.sealed(self.salt).digest()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPlayer(AboutPlayer):
    """Give a person an id."""

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses an id that is taken, also by who was erased."""
        record = register.players.get(self.player)
        if record is not None:
            raise self.refused("player.id_of_erased" if record.is_erased else "player.registered")
        self.check_name()
        return [self._event(PlayerRegistered)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectIdentity(AboutPlayer):
    """Replace what is known of a person."""

    NEEDS_REASON = True

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses an unknown player, and a name for who was erased."""
        if register.known_player(self.player).is_erased:
            raise self.refused("player.erased")
        self.check_name()
        return [self._event(PlayerIdentityCorrected)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlayer(Command):
    """Destroy what is known of a person: every identity document, under all ids of the person."""

    NEEDS_REASON = True
    NAMES = ("player",)

    player: str
    on: dt.date

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses an unknown player; who was erased before is not erased again."""
        register.known_player(self.player)
        ids = sorted(register.survivors.same_person(self.player))
        records = ((id_, register.players[id_]) for id_ in ids)
        return [
            Dated(self.on, PlayerErased(documents=tuple(record.identities), player=id_))
            for id_, record in records
            if not record.is_erased
        ]

    def names_head(self, _head_seq: int) -> bool:
        """Whether it holds at this head only: later others may be known to be the same person."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlayers(Command):
    """Say that two ids are one person; ``player`` is given up for ``into``."""

    NEEDS_REASON = True

    player: str
    into: str
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """Both ids; ``tournament:*`` stands for all tournaments, where they may have met."""
        return (f"player:{self.player}", f"player:{self.into}", "tournament:*", "ladder:*")

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses ids that are known to be two people, or of which one has to leave a ladder."""
        for player in (self.player, self.into):
            register.known_player(player)
        if self.player == self.into:
            raise self.refused("player.merge_itself")
        erased = {id_: register.players[id_].is_erased for id_ in (self.player, self.into)}
        if len({*erased.values()}) > 1:  # the other one's name would stand at what was played
            raise self.refused("player.merge_erased", erased=max(erased, key=erased.__getitem__))
        for name, tournament in register.tournaments.items():
            if {self.player, self.into} <= tournament.entries.keys():
                raise self.refused("player.merge_two", tournament=name)
        for list_ in _seeded(register, self.player) & _seeded(register, self.into):
            raise self.refused("player.merge_seeds", list=list_)
        for name, facts in register.ladders.items():
            if facts.known().place(self.player) is not None:
                raise self.refused("ladder.leave_first", ladder=name)
        return [Dated(self.on, self.said(PlayersMerged))]


def _seeded(register: Register, player: str) -> set[str]:
    """Returns the lists into which ratings were brought for a person, under whatever id."""
    return {
        seed.list
        for id_ in register.survivors.same_person(player)
        for _, seed in register.players[id_].seeds
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignK(Command):
    """Give a player a K from a day on; in one list or (``list`` None) in all."""

    player: str
    k: int
    list: str | None
    on: dt.date
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The player and the list; ``list:*`` stands for all lists."""
        return (f"player:{self.player}", f"list:{self.list or '*'}")

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses the K that was assigned last, and one for a list that is out."""
        ks = register.known_player(self.player).ks
        if ks and (self.list, self.on, self.k) == (ks[-1][1].list, ks[-1][0], ks[-1][1].k):
            raise self.refused("player.has_k")
        every = register.lists.values()
        for list_ in every if self.list is None else [register.known_list(self.list)]:
            list_.check_open(self.on, as_correction=self.as_correction)
        return [Dated(self.on, self.said(KAssigned))]


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfRating(Command):
    """Moves a player's rating in a list, from a day on."""

    NAMES = ("player", "list")

    player: str
    list: str
    on: dt.date
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRating(_OfRating):
    """Bring in a rating from outside, in force on a day.

    ``games`` rated before it and the ``k`` published with it are None where nobody told.
    """

    rating: int
    games: int | None
    source: str | None
    k: int | None = None

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses another rating for the same day, but as a correction, and a list that is out."""
        record, list_ = register.known_player(self.player), register.known_list(self.list)
        before = record.seed_on(self.list, self.on)
        said = (self.rating, self.games, self.k)
        if before and (before.rating, before.games, before.k) == said:
            raise self.refused("player.has_rating")
        if before and not self.as_correction:
            raise self.refused("player.other_rating", rating=before.rating)
        list_.check_open(self.on, as_correction=self.as_correction)
        return [Dated(self.on, self.said(RatingSeeded))]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustRating(_OfRating):
    """Move one player's rating by a step that no game explains, from a day on."""

    NEEDS_REASON = True

    points: int

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses no step, a day before the list or in one that is out, and the same step twice."""
        record, list_ = register.known_player(self.player), register.known_list(self.list)
        if not self.points:
            raise self.refused("player.no_step")
        list_.check_begun(self.on)
        list_.check_open(self.on, as_correction=self.as_correction)
        event = self.said(RatingAdjusted)
        if (self.on, event) in record.steps:
            raise Conflict("player.adjusted_so", player=self.player, on=self.on)
        return [Dated(self.on, event)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardTitle(Command):
    """Record a title."""

    NAMES = ("player",)

    player: str
    title: str
    on: dt.date

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a title that the player has."""
        if self.title in register.known_player(self.player).titles:
            raise self.refused("player.has_title")
        return [Dated(self.on, self.said(TitleAwarded))]


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribePlayer(Command):
    """Record for good what a list's rules ask of a player: days of birth and of joining, sex.

    It replaces all that was recorded so before; ``sex`` is m or w.
    """

    NEEDS_REASON = True  # also where nothing was said before: it cannot be erased
    NAMES = ("player",)

    player: str
    born_on: dt.date | None
    joined_on: dt.date | None
    sex: str | None
    on: dt.date

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses what was recorded already, and days that cannot be."""
        record = register.known_player(self.player)
        described = self.said(PlayerDescribed)
        if described == (record.description or PlayerDescribed(player=self.player)):
            raise self.refused("player.described")
        year = record.version.birth_year
        if self.born_on and year and self.born_on.year != year:
            raise self.refused("player.other_year", year=year)
        days = [day for day in (self.born_on, self.joined_on, today) if day is not None]
        if days != sorted(days):
            raise self.refused("player.days_out_of_order")
        return [Dated(self.on, described)]
