"""Commands about players, and what they come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from ledger.errors import Conflict
from ledger.events.model import Dated
from ledger.events.players import (
    AFFILIATION,
    KAssigned,
    PlayerAffiliated,
    PlayerDescribed,
    PlayerErased,
    PlayerFactUndone,
    PlayerIdentityCorrected,
    PlayerRegistered,
    PlayersMerged,
    RatingAdjusted,
    RatingSeeded,
    TitleAwarded,
)
from ledger.letters import mixed_in, unseen_in
from ledger.operations.players import (
    AboutPlayer,
    AdjustRating,
    AffiliatePlayer,
    AssignK,
    AwardTitle,
    CorrectIdentity,
    DescribePlayer,
    ErasePlayer,
    IdentifyPlayer,
    MergePlayers,
    RegisterPlayer,
    SeedRating,
)
from ledger.operations.retractions import RestorePlayer
from ledger.registrar.deciders import decides
from ledger.registrar.register import Register


def _check_name(command: AboutPlayer) -> None:
    """Refuses a name with letters that are not seen, or a word in several scripts.

    It stays as it is written otherwise: what is recorded of a person is what the person writes.
    """
    name = command.identity.name
    if (letter := unseen_in(name)) is not None:
        raise command.refused("player.unseen", name=name, letter=f"U+{ord(letter):04X}")
    if (word := mixed_in(name)) is not None:
        raise command.refused("player.mixed", name=name, word=word)


def _event(command: AboutPlayer, model: type[PlayerRegistered | PlayerIdentityCorrected]) -> Dated:
    return Dated(
        command.on, command.event(model, identity=command.identity.sealed(command.salt).digest())
    )


@decides(RegisterPlayer)
def register_player(
    command: RegisterPlayer, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses an id that is taken, also by who was erased; one taken back is given again."""
    record = register.recorded_player(command.player)
    if record is not None and record.is_erased:
        raise command.refused("player.id_of_erased")
    if command.player in register.players:
        raise command.refused("player.registered")
    _check_name(command)
    if record is not None:
        restored = RestorePlayer(player=command.player, on=command.on)
        again = restore_player(restored, register, _today)
        return [*again, _event(command, PlayerIdentityCorrected)]
    return [_event(command, PlayerRegistered)]


@decides(RestorePlayer)
def restore_player(command: RestorePlayer, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuse a player whose registration holds."""
    if command.player not in register.voided_players:
        raise command.refused("player.registered")
    undoes = register.voided_at[f"player:{command.player}"]
    event = command.event(PlayerFactUndone, undoes=undoes, what=PlayerFactUndone.TYPE)
    return [Dated(command.on, event)]


@decides(CorrectIdentity)
def correct_identity(
    command: CorrectIdentity, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses an unknown player, and a name for who was erased."""
    if register.known_player(command.player).is_erased:
        raise command.refused("player.erased")
    _check_name(command)
    return [_event(command, PlayerIdentityCorrected)]


@decides(IdentifyPlayer)
def identify_player(
    command: IdentifyPlayer, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses an unknown player, and one who was erased."""
    if register.known_player(command.player).is_erased:
        raise command.refused("player.erased")
    return [_event(command, PlayerIdentityCorrected)]


@decides(ErasePlayer)
def erase_player(command: ErasePlayer, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Name all identity documents of a person, also where that was done; refuse an unknown id."""
    if command.player not in register.voided_players:
        register.known_player(command.player)
    return [
        Dated(command.on, PlayerErased(documents=tuple(register.documents[id_]), player=id_))
        for id_ in sorted(register.survivors.same_person(command.player))
    ]


@decides(MergePlayers)
def merge_players(command: MergePlayers, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses ids that are known to be two people, or of which one has to leave a ladder."""
    for player in (command.player, command.into):
        register.known_player(player)
    if command.player == command.into:
        raise command.refused("player.merge_itself")
    erased = {id_: register.players[id_].is_erased for id_ in (command.player, command.into)}
    if len({*erased.values()}) > 1:  # the other one's name would stand at what was played
        raise command.refused("player.merge_erased", erased=max(erased, key=erased.__getitem__))
    for name, tournament in register.tournaments.items():
        if {command.player, command.into} <= tournament.entries.keys():
            raise command.refused("player.merge_two", tournament=name)
    given_up = list(_seeds_given_up(command, register))
    for name, facts in register.ladders.items():
        if facts.known().place(command.player) is not None:
            raise command.refused("ladder.leave_first", ladder=name)
    return [*given_up, Dated(command.on, command.event(PlayersMerged))]


def _seeds_given_up(command: MergePlayers, register: Register) -> Iterator[Dated]:
    """Yields what takes back the ratings that do not hold, where both brought some into a list.

    Refuses both without a word which hold, and a word that names none of the two.
    """
    both = _seeded(register, command.player) & _seeded(register, command.into)
    if command.seeds_of is None:
        for list_ in sorted(both):
            raise command.refused("player.merge_seeds", list=list_)
        return
    if command.seeds_of not in (command.player, command.into):
        raise command.refused("player.seeds_of_other", other=command.seeds_of)
    (other,) = {command.player, command.into} - {command.seeds_of}
    for id_ in sorted(register.survivors.same_person(other)):
        record = register.players[id_]
        for seq, (day, seed) in zip(record.seed_seqs, record.seeds, strict=True):
            if seed.list in both:
                what = {"undoes": seq, "what": RatingSeeded.TYPE}
                yield Dated(day, PlayerFactUndone(player=id_, **what))


def _seeded(register: Register, player: str) -> set[str]:
    """Returns the lists into which ratings were brought for a person, under whatever id."""
    return {
        seed.list
        for id_ in register.survivors.same_person(player)
        for _, seed in register.players[id_].seeds
    }


@decides(AssignK)
def assign_k(command: AssignK, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses the K that was assigned last, and one for a list that is out."""
    ks = register.known_player(command.player).ks
    if ks and (command.list, command.on, command.k) == (ks[-1][1].list, ks[-1][0], ks[-1][1].k):
        raise command.refused("player.has_k")
    every = register.lists.values()
    for list_ in every if command.list is None else [register.known_list(command.list)]:
        list_.check_open(command.on, as_correction=command.as_correction)
    return [Dated(command.on, command.event(KAssigned))]


@decides(SeedRating)
def seed_rating(command: SeedRating, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses another rating for the same day, but as a correction, and a list that is out."""
    record, list_ = register.known_player(command.player), register.known_list(command.list)
    before = record.seed_on(command.list, command.on)
    said = (command.rating, command.games, command.k)
    if before and (before.rating, before.games, before.k) == said:
        raise command.refused("player.has_rating")
    if before and not command.as_correction:
        raise command.refused("player.other_rating", rating=before.rating)
    list_.check_open(command.on, as_correction=command.as_correction)
    return [Dated(command.on, command.event(RatingSeeded))]


@decides(AdjustRating)
def adjust_rating(command: AdjustRating, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses no step, a day before the list or in one that is out, and the same step twice."""
    record, list_ = register.known_player(command.player), register.known_list(command.list)
    if not command.points:
        raise command.refused("player.no_step")
    list_.check_begun(command.on)
    list_.check_open(command.on, as_correction=command.as_correction)
    event = command.event(RatingAdjusted)
    if (command.on, event) in record.steps:
        raise Conflict("player.adjusted_so", player=command.player, on=command.on)
    return [Dated(command.on, event)]


@decides(AwardTitle)
def award_title(command: AwardTitle, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a title that the player has."""
    if command.title in register.known_player(command.player).titles:
        raise command.refused("player.has_title")
    return [Dated(command.on, command.event(TitleAwarded))]


@decides(DescribePlayer)
def describe_player(command: DescribePlayer, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses what was recorded already, and days that cannot be."""
    record = register.known_player(command.player)
    described = command.event(PlayerDescribed)
    if described == (record.description or PlayerDescribed(player=command.player)):
        raise command.refused("player.described")
    year = record.version.birth_year
    if command.born_on and year and command.born_on.year != year:
        raise command.refused("player.other_year", year=year)
    days = [day for day in (command.born_on, command.joined_on, today) if day is not None]
    if days != sorted(days):
        raise command.refused("player.days_out_of_order")
    return [Dated(command.on, described)]


@decides(AffiliatePlayer)
def affiliate_player(
    command: AffiliatePlayer, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses what says nothing, or nothing new for the day, and who was erased."""
    record = register.known_player(command.player)
    if record.is_erased:
        raise command.refused("player.erased")
    for body in (command.club, command.region):
        if body is not None and (letter := unseen_in(body)) is not None:
            raise command.refused("player.unseen", name=body, letter=f"U+{ord(letter):04X}")
    values = ((name, getattr(command, name)) for name in AFFILIATION)
    affiliation = {name: value for name, value in values if value is not None}
    if not affiliation:
        raise command.refused("player.no_affiliation")
    if affiliation.items() <= record.affiliated_on(command.on).items():
        raise command.refused("player.affiliated_so")
    return [Dated(command.on, command.event(PlayerAffiliated))]
