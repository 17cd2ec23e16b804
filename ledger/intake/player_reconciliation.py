"""Holds what a document says of players against what is recorded.

The same again is nothing; something new is a command; something else is a *difference*: a conflict,
unless the document comes as a correction, then it is a command too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from ledger.events.personal import Identity
from ledger.events.players import AFFILIATION, RatingSeeded
from ledger.intake.documents import Planned, PlayerSaid
from ledger.operations import commands as c
from ledger.privacy import mask
from ledger.registrar.register import PlayerRecord, Register
from ledger.reports.birth_dates import birth_difference
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class PlayersIntake:
    """How a players document is read into the ledger.

    With ``list`` the ratings are seeds of that list, in force ``seeds_on``; ``ks_on`` is the day
    from which a K holds, ``registered_on`` the day of registration, ``affiliated_on`` that from
    which clubs, regions and licences hold (None: what is said first always did, another one from
    the day of registration); ``games`` were rated before the
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
    affiliated_on: dt.date | None = None
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

    ``identities`` are the recorded ones, by digest; ``others`` says how ratings in other lists are
    read, by their names.
    """
    for player in said:
        if how.only_new:
            player = replace(player, player=register.survivors(player.player))  # noqa: PLW2901
        record = register.players.get(player.player)
        voided = register.voided_players.get(player.player)
        if voided is not None and voided.is_erased:
            if not how.only_new:
                continue
            # The report has games of the id, which holds again without a name.
            record = voided
            restored = c.RestorePlayer(player=player.player, on=how.registered_on)
            yield Planned(restored, player.place)
        if record is None:
            register_it = c.RegisterPlayer(
                player=player.player,
                identity=player.identity,
                salt=how.salt(),
                federation=player.federation,
                on=how.registered_on,
            )
            yield Planned(register_it, player.place)
            if player.erased_on is not None:
                erasure = c.ErasePlayer(player=player.player, on=player.erased_on)
                yield Planned(erasure, player.place)
        elif how.only_new:
            yield from _identified(player, record, identities, how)
            # A report corrects nobody, but who has no rating in the list may get it from there.
            seeded = any(seed.list == how.list for _, seed in record.seeds)
            if how.list and not seeded and not how.has_rating(player.player):
                yield from _rating(player, record, how)
            continue
        elif player.erased_on is None:
            yield from _identity(player, record, identities, how)
        yield from _affiliation(player, record, how)
        yield from _rating(player, record, how)
        for other in player.others:
            assert other.list is not None, "another rating is of another list"
            its = replace(
                player, rating=other.rating, k=None, games=None, published_k=other.published_k
            )
            yield from _rating(its, record, others[other.list])


def _identity(
    player: PlayerSaid, record: PlayerRecord, identities: Mapping[str, Identity], how: PlayersIntake
) -> Iterator[Planned]:
    """What the document says of a registered person, where it says something else."""
    recorded = identities.get(record.version.identity)
    if recorded is None:
        return
    known, issued = _ids(recorded), _ids(player.identity)
    others = any(known.get(issuer, id_) != id_ for issuer, id_ in issued.items())
    about = {"name": player.identity.name, "sex": player.identity.sex or recorded.sex}
    about["birth_date"] = _more_exact(player.identity.birth_date, recorded.birth_date)
    federation = player.federation or record.version.federation
    is_same = about == {name: getattr(recorded, name) for name in about}
    if player.is_recognised or (is_same and federation == record.version.federation and not others):
        # Who was decided to be the member here; that is no word on when he was born.
        is_born_otherwise = player.identity.printed and birth_difference(
            player.identity.birth_date, recorded.birth_date
        )
        yield from _identified(
            player, record, identities, how, is_born_otherwise=bool(is_born_otherwise)
        )
        return
    said = Identity.model_validate(dict(recorded) | about).with_ids(issued)
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


def _identified(
    player: PlayerSaid,
    record: PlayerRecord,
    identities: Mapping[str, Identity],
    how: PlayersIntake,
    *,
    is_born_otherwise: bool = False,
) -> Iterator[Planned]:
    """How others know a registered person, where the document tells something new of it.

    Where it ``is_born_otherwise`` the birth date of a correction holds; else it stays, and a note
    says so.
    """
    recorded = identities.get(record.version.identity)
    if recorded is None:
        return
    known = _ids(recorded)
    new = {issuer: id_ for issuer, id_ in _ids(player.identity).items() if issuer not in known}
    identity = recorded.with_ids(new)
    for printed in player.identity.printed or ():
        identity = identity.with_printed(printed)
    is_corrected = is_born_otherwise and how.as_correction
    born = player.identity.birth_date
    if is_corrected:
        identity = Identity.model_validate(dict(identity) | {"birth_date": born})
    if identity != recorded:
        command = (c.CorrectIdentity if is_corrected else c.IdentifyPlayer)(
            player=player.player,
            identity=identity,
            salt=how.salt(),
            federation=record.version.federation,
            on=how.registered_on,
        )
        known_day = mask("birth_date", recorded.birth_date)
        about = {"player": player.player, "recorded": known_day, "said": born}
        note = Message.of("import.birth_date_stays", **about)
        is_noted = is_born_otherwise and not is_corrected
        yield Planned(command, player.place, note=note if is_noted else None)


def _affiliation(
    player: PlayerSaid, record: PlayerRecord | None, how: PlayersIntake
) -> Iterator[Planned]:
    """Club, region and licence, where the document says others than those of the day."""
    values = ((name, getattr(player, name)) for name in AFFILIATION)
    affiliation = {name: value for name, value in values if value is not None}
    if not affiliation:
        return
    recorded = record.affiliated_on(how.affiliated_on or how.registered_on) if record else {}
    by_day: dict[dt.date, dict[str, Any]] = {}
    for name, value in affiliation.items():
        before = recorded.get(name)
        if value != before and (value or before):
            day = how.affiliated_on or (how.registered_on if before is not None else dt.date.min)
            by_day.setdefault(day, {})[name] = value
    for day, new in sorted(by_day.items()):
        unsaid = dict.fromkeys(AFFILIATION)
        command = c.AffiliatePlayer(player=player.player, on=day, **unsaid | new)
        yield Planned(command, player.place)


def _ids(identity: Identity) -> dict[str, str]:
    return {each.issuer: each.id for each in identity.ids or ()}


def _more_exact(said: str | None, recorded: str | None) -> str | None:
    """Returns the birth date said, or the one recorded where it says as much or more."""
    if said is None or (recorded is not None and recorded.startswith(said)):
        return recorded
    return said


def _described(identity: Identity, federation: str | None) -> str:
    ids = [f"{issuer} {id_}" for issuer, id_ in _ids(identity).items()]
    parts = (
        identity.name,
        federation,
        identity.sex,
        mask("birth_date", identity.birth_date),
        *ids,
    )
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
