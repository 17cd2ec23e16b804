"""Decides commands about players."""

from __future__ import annotations

import datetime as dt
from typing import assert_never

from ledger.errors import Conflict, InputRefused
from ledger.events.model import Dated
from ledger.events.personal import SealedIdentity
from ledger.events.players import (
    KAssigned,
    PlayerIdentityCorrected,
    PlayerRegistered,
    PlayersMerged,
    RatingAdjusted,
    RatingSeeded,
    TitleAwarded,
)
from ledger.registrar import commands as c
from ledger.registrar.register import ListRecord, PlayerRecord, Register


def decide(register: Register, command: c.PlayerCommand) -> list[Dated]:
    """Returns the events of a command about a player; raises ``InputRefused``."""
    match command:
        case c.CorrectIdentity():
            return _correct_identity(register, command)
        case c.RegisterPlayer():
            return _register(register, command)
        case c.MergePlayers():
            return _merge(register, command)
        case c.AssignK():
            return _assign_k(register, command)
        case c.SeedRating():
            return _seed(register, command)
        case c.AdjustRating():
            return _adjust(register, command)
        case c.AwardTitle():
            if command.title in known(register, command.player).titles:
                raise InputRefused("player.has_title", player=command.player, title=command.title)
            title = TitleAwarded.model_validate({"player": command.player, "title": command.title})
            return [Dated(command.on, title)]
        case _:
            assert_never(command)


def known(register: Register, player: str) -> PlayerRecord:
    """Returns the record of a player who takes part under this id.

    Raises:
        InputRefused: no such player, or he was merged into another id.
    """
    record = register.players.get(player)
    if record is None:
        raise InputRefused("player.unknown", player=player)
    if record.merged_into is not None:
        raise InputRefused("player.merged", player=player, into=register.survivors(player))
    return record


def sealed(command: c.AboutPlayer) -> SealedIdentity:
    """Returns the identity document that the command wants to store."""
    return command.identity.sealed(command.salt)


def _register(register: Register, command: c.RegisterPlayer) -> list[Dated]:
    if command.player in register.players:
        raise InputRefused("player.registered", player=command.player)
    event = PlayerRegistered(
        birth_year=_birth_year(command),
        federation=command.federation,
        identity=sealed(command).digest(),
        player=command.player,
    )
    return [Dated(command.on, event)]


def _correct_identity(register: Register, command: c.CorrectIdentity) -> list[Dated]:
    known(register, command.player)
    event = PlayerIdentityCorrected(
        birth_year=_birth_year(command),
        federation=command.federation,
        identity=sealed(command).digest(),
        player=command.player,
    )
    return [Dated(command.on, event)]


def _birth_year(command: c.AboutPlayer) -> int | None:
    born = command.identity.birth_date
    return int(born[:4]) if born else None


def _merge(register: Register, command: c.MergePlayers) -> list[Dated]:
    for player in (command.player, command.into):
        known(register, player)
    if command.player == command.into:
        raise InputRefused("player.merge_itself", player=command.player)
    for name, tournament in register.tournaments.items():
        if {command.player, command.into} <= tournament.entries.keys():
            raise InputRefused(
                "player.merge_two", player=command.player, into=command.into, tournament=name
            )
    for list_ in _seeded(register, command.player) & _seeded(register, command.into):
        raise InputRefused(
            "player.merge_seeds", player=command.player, into=command.into, list=list_
        )
    for name, facts in register.ladders.items():
        if facts.known().place(command.player) is not None:
            raise InputRefused(
                "ladder.leave_first", player=command.player, into=command.into, ladder=name
            )
    return [Dated(command.on, PlayersMerged(into=command.into, player=command.player))]


def _seeded(register: Register, player: str) -> set[str]:
    """Returns the lists into which ratings were brought for a person, under whatever id."""
    return {
        seed.list
        for id_ in register.survivors.same_person(player)
        for _, seed in register.players[id_].seeds
    }


def _assign_k(register: Register, command: c.AssignK) -> list[Dated]:
    record = known(register, command.player)
    same = (command.list, command.on, command.k)
    if record.ks and same == (record.ks[-1][1].list, record.ks[-1][0], record.ks[-1][1].k):
        raise InputRefused("player.has_k", player=command.player, k=command.k, on=command.on)
    lists = [register.lists[command.list]] if command.list in register.lists else []
    if command.list is None:
        lists = list(register.lists.values())
    elif not lists:
        raise InputRefused("list.unknown", list=command.list)
    for list_ in lists:
        leaves_closed_lists(list_, command.on, as_correction=command.as_correction)
    event = KAssigned(k=command.k, list=command.list, player=command.player)
    return [Dated(command.on, event)]


def _adjust(register: Register, command: c.AdjustRating) -> list[Dated]:
    record = known(register, command.player)
    list_ = register.lists.get(command.list)
    if list_ is None:
        raise InputRefused("list.unknown", list=command.list)
    if not command.points:
        raise InputRefused("player.no_step", player=command.player)
    if command.on < list_.defined.first_on:
        raise InputRefused("list.before_first", on=command.on, first=list_.defined.first_on)
    leaves_closed_lists(list_, command.on, as_correction=command.as_correction)
    event = RatingAdjusted(list=command.list, player=command.player, points=command.points)
    if (command.on, event) in record.steps:
        raise Conflict("player.adjusted_so", player=command.player, on=command.on)
    return [Dated(command.on, event)]


def _seed(register: Register, command: c.SeedRating) -> list[Dated]:
    record = known(register, command.player)
    list_ = register.lists.get(command.list)
    if list_ is None:
        raise InputRefused("list.unknown", list=command.list)
    before = record.seed_on(command.list, command.on)
    said = (command.rating, command.games, command.k)
    if before and (before.rating, before.games, before.k) == said:
        raise InputRefused("player.has_rating", player=command.player, rating=command.rating)
    if before and not command.as_correction:
        raise InputRefused(
            "player.other_rating",
            player=command.player,
            list=command.list,
            on=command.on,
            rating=before.rating,
        )
    leaves_closed_lists(list_, command.on, as_correction=command.as_correction)
    event = RatingSeeded(
        games=command.games,
        k=command.k,
        list=command.list,
        player=command.player,
        rating=command.rating,
        source=command.source,
    )
    return [Dated(command.on, event)]


def leaves_closed_lists(list_: ListRecord, on: dt.date, *, as_correction: bool) -> None:
    """Refuses what would change the rules of a list that is out, unless it is meant to.

    Raises:
        InputRefused: a published period starts on the day or later, or no period ever does.
    """
    if not list_.has_period_from(on):
        raise InputRefused("list.no_such_year", on=on)
    closed = list_.last_closed()
    if closed and on <= closed.starts_on and not as_correction:
        raise InputRefused(
            "list.closed",
            on=on,
            list=list_.defined.list,
            period=closed.name,
            open_on=closed.in_force_on,
        )
