"""Whom a document means: members by an id, new people, and those whom somebody has to decide.

Nobody is joined to a member by a name, and nobody becomes a new person silently whose name fits a
member: such a one is *doubtful*, with the members it may be as candidates, until a person decides.
A decision is kept with the identity of whom it is about (``PrintedName``): the next report of the
same sender is understood.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from ledger.answers.people_pages import surviving_id
from ledger.errors import InputRefused, NotFound
from ledger.events.personal import CLUB, FIDE, NATIONAL, Identity, PrintedName, identity_in
from ledger.facts.as_of import AsOf
from ledger.facts.tables import NOT_TOLD
from ledger.intake.documents import Document, PlayerSaid
from ledger.lists.people import Printed
from ledger.rating.player_state import UNRATED
from ledger.replay.timeline import last_period
from ledger.reports.birth_dates import BirthDifference, birth_difference
from ledger.reports.candidates import (
    Candidates,
    Likeness,
    PersonDescription,
    share_a_word,
)
from ledger.reports.directory import Person, PlayerDirectory
from ledger.service.identities import IssuedIds
from ledger.service.people_meant import Candidate, Doubtful, KnownMember, Newcomer, PeopleMeant
from ledger.spelling import folded
from ledger.views.id_rule import unused_ids
from ledger.views.view import LedgerView

EVERYBODY: Final = "all"
"""Who is meant by a decision that everybody who is doubtful is new."""
THE_ONE: Final = ""
"""Who is meant by a decision where nobody else is doubtful."""
_MOST_CANDIDATES: Final = 5  # shown for one
_MOST_LISTED: Final = 20_000  # people of a document who are listed one by one
_ASKED: Final = 10_000  # streams at once


_PrintedKey: TypeAlias = tuple[str, str | None, str | None]
"""A name, birth date and id as they are printed."""


class Recognition:
    """Finds out whom a document means, in a ledger as it is now.

    Args:
        view: where the members are.
        document: which issuer its ids are of, and what was decided about its people.
        sender: who brings it: his earlier decisions hold.
        issued: the ids by which others know the members, with their directory.
        checks_names: whether an id whose holder has quite another name is doubtful.
        entered: who is entered in the tournament already, by starting number.
        everybody: all people of the document, in parts; read once where somebody has the name of a
            member and another birth date. Default: those who are asked about first.

    ``people`` gathers them, ``ids`` are those of the ledger by those of the document.
    """

    def __init__(
        self,
        view: LedgerView,
        document: Document,
        sender: str,
        issued: IssuedIds,
        *,
        checks_names: bool,
        entered: Mapping[int, str] = MappingProxyType({}),
        everybody: Iterable[Sequence[PlayerSaid]] = (),
    ) -> None:
        self._view = view
        self._everybody = everybody
        self._document = document
        self._sender = sender
        self._issued = issued
        self._checks_names = checks_names
        self._entered = entered
        self._decisions = dict(document.decisions)
        self._used = set[str]()
        self._taken = dict[str, str]()  # who of the document is which member
        self._identities: dict[str, Sequence[Identity]] = {}
        self.people = PeopleMeant()
        self.ids: dict[str, str] = {}

    def of(self, players: Sequence[PlayerSaid]) -> list[PlayerSaid]:
        """Returns what a document says with the ids of the ledger; who is doubtful is as if new.

        Raises:
            NotFound: a decision names somebody who is no member.
        """
        recorded = self._recorded(each.player for each in players)
        if self._checks_names:
            self._read(recorded)
        return [self._found(each, recorded) for each in players]

    def of_report(self, players: Sequence[PlayerSaid]) -> list[PlayerSaid]:
        """Returns the same of all people of a document; the one who is doubtful needs no name.

        Raises:
            InputRefused: a decision is about nobody in it.
            NotFound: one names somebody who is no member.
        """
        self._everybody = [players]
        found = self.of(players)
        if THE_ONE in self._decisions and len(self.people.doubtful) == 1:
            self._decisions[self.people.doubtful[0].who] = self._decisions.pop(THE_ONE)
            self.people, self.ids, self._taken = PeopleMeant(), {}, {}
            found = self.of(players)
        self.require_used()
        return found

    def is_member(self, player: PlayerSaid) -> bool:
        """Whether a player, under the id of the ledger, was found to be a member."""
        return player.player in self._taken

    def is_needed(self, ids: Collection[str]) -> bool:
        """Whether somebody among some ids is not known by it, while there are members."""
        if self._view.journal.head().seq == 0 or not len(self._view.facts().players):
            return False
        return len(self._recorded(ids)) < len(ids)

    def require_used(self) -> None:
        """Raises ``InputRefused`` where a decision is about nobody in the document."""
        if THE_ONE in self._decisions:
            doubtful = ", ".join(each.who for each in self.people.doubtful) or "-"
            raise InputRefused("import.decision_of_whom", doubtful=doubtful)
        for who in sorted(self._decisions.keys() - self._used - {EVERYBODY}):
            raise InputRefused("import.decision_of_nobody", who=who, file=self._document.name)

    def _recorded(self, ids: Iterable[str]) -> set[str]:
        """Returns those of some ids under which somebody is recorded in the ledger."""
        return recorded_players(self._view, ids)

    def _found(self, player: PlayerSaid, recorded: set[str]) -> PlayerSaid:
        """Returns what is said of one person under the id of the ledger."""
        decided = self._decided(player)
        if decided is not None:
            return self._by_decision(player, decided, recorded)
        by_id = player.player if self._is_member(player, recorded) else None
        id_, by = (by_id, "id") if by_id is not None else self._by_others(player)
        if id_ is None or (self._checks_names and self._is_named_otherwise(player, id_)):
            remembered = self._remembered(player)
            if remembered is not None:
                return self._member(player, remembered, "printed")
        if id_ is None:
            return self._asked(player, "similar", recorded)
        if self._checks_names and self._is_named_otherwise(player, id_):
            return self._asked(player, "other_name", recorded, id_)
        return self._member(player, id_, by)

    def _is_member(self, player: PlayerSaid, recorded: set[str]) -> bool:
        """Whether the id that is said is the ledger's own of a member."""
        if player.player not in recorded:
            return False
        if self._document.ids != FIDE or player.is_told:
            return True
        # It may be somebody's national number: where that is known, it is not FIDE's.
        issued = self._directory.issued.get(player.player, ())
        return not any(issuer == NATIONAL for issuer, _ in issued)

    def _by_others(self, player: PlayerSaid) -> tuple[str | None, str]:
        """Returns a member who is known by an id that somebody else gave."""
        issued = self._directory.issued if player.issued and self._has_members else {}
        for own_issuer, id_ in player.issued.items():
            for issuer, place in issued.get(id_, ()):
                is_any = self._document.ids is None and id_ == player.player
                if is_any or _is_one_issuer(issuer, own_issuer):
                    return self._directory[place].id, "issued"
        return None, ""

    def _remembered(self, player: PlayerSaid) -> str | None:
        """Returns the member whom a decision named, of the sender or about this tournament."""
        entered = self._entered.get(player.number or 0)
        identity = player.identity
        id_said = None if player.is_made else player.player
        printed = folded(identity.name), identity.birth_date, id_said
        for sender, place in self._printed.get(printed, ()):
            id_ = self._directory[place].id
            is_other = self._taken.get(id_, player.who) != player.who  # of the same name
            if (sender == self._sender or id_ == entered) and not is_other:
                return id_
        return None

    def _asked(
        self, player: PlayerSaid, why: str, recorded: set[str], holder: str | None = None
    ) -> PlayerSaid:
        """Notes somebody as doubtful, or as new where nobody may be meant."""
        candidates, beside = self._candidates(player)
        if beside:
            player = replace(player, identity=player.identity.apart_from(beside))
        if holder is not None:
            others = [each for each in candidates if each.id != holder]
            known = next((each for each in candidates if each.id == holder), None)
            place = self._place_of(holder)
            if known is None and place is not None:
                known = self._candidate(place, likely=0)
            candidates = [*([known] if known else ()), *others][:_MOST_CANDIDATES]
        if candidates and why == "similar" and EVERYBODY in self._decisions:
            # Who was born on the same day is still suggested as one person: nobody named him.
            others = [each for each in candidates if each.birth]
            return self._by_decision(player, "", recorded, others)
        if candidates and why == "similar" and all(each.birth for each in candidates):
            why = "birth_date"
        if candidates:
            identity = player.identity
            self.people.doubtful.append(
                Doubtful(
                    who=player.who,
                    line=player.place.line,
                    name=identity.name,
                    id=None if player.is_made else player.player,
                    birth_date=identity.birth_date,
                    federation=player.federation,
                    sex=identity.sex,
                    rating=player.rating,
                    why=why,
                    candidates=candidates,
                    club=player.club,
                )
            )
            return self._under(player, self._free_id(player, recorded))
        return self._new(player, recorded)

    # What is decided

    def _printed_of(self, player: PlayerSaid) -> PrintedName:
        """Returns what the sender prints of somebody, as it is kept with a decision."""
        return PrintedName(
            sender=self._sender,
            name=player.identity.name,
            birth_date=player.identity.birth_date,
            id=None if player.is_made else player.player,
        )

    def _decided(self, player: PlayerSaid) -> str | None:
        """Returns the id of the member who was decided on, "" for a new person; None: nothing."""
        for who in (player.who, player.player):
            if who in self._decisions:
                self._used.add(who)
                return self._decisions[who]
        return None

    def _by_decision(
        self,
        player: PlayerSaid,
        id_: str,
        recorded: set[str],
        candidates: Sequence[Candidate] | None = None,
    ) -> PlayerSaid:
        """Returns somebody as decided; ``candidates`` are those he is not, where they are known."""
        printed = self._printed_of(player)
        player = replace(player, identity=player.identity.with_printed(printed))
        if not id_:  # the id of somebody else is not his, whoever wrote it
            beside: Sequence[str] = ()
            if candidates is None:
                candidates, beside = self._candidates(player)
            apart = player.identity.apart_from([*beside, *(each.id for each in candidates)])
            player = replace(player, identity=apart)
            is_wrong = player.player in recorded
            return self._new(replace(player, issued={}) if is_wrong else player, recorded)
        place = self._place_of(id_)
        if place is None:
            raise NotFound("import.no_member", who=player.who, id=id_)
        known = {each.issuer for each in self._directory.documents(place)[0].ids}
        ids = {issuer: each for issuer, each in player.issued.items() if issuer not in known}
        player = replace(player, identity=player.identity.with_ids(ids), issued=ids)
        return self._member(player, self._directory[place].id, "decision")

    def _member(self, player: PlayerSaid, id_: str, by: str) -> PlayerSaid:
        other = self._taken.setdefault(id_, player.who)
        if other != player.who:
            who = {"who": player.who, "other": other, "id": id_}
            raise InputRefused("import.one_member_twice", **who, file=self._document.name)
        if by != "id":  # another register, or another sender, writes the name otherwise
            player = replace(player, is_recognised=True)
        if len(self.people.members) < _MOST_LISTED:
            line, name = player.place.line, player.identity.name
            self.people.members.append(KnownMember(player.who, line, name, id_, by))
        return self._under(player, id_)

    def _new(self, player: PlayerSaid, recorded: set[str]) -> PlayerSaid:
        id_ = self._free_id(player, recorded)
        if self._is_numbered_by_fide(player) and id_ != player.player:
            ids = {FIDE: player.player}
            player = replace(player, identity=player.identity.with_ids(ids))
        if player.is_made and id_ != player.player:  # the next report knows him by his name alone
            identity = player.identity.with_printed(self._printed_of(player))
            player = replace(player, identity=identity)
        if len(self.people.new) < _MOST_LISTED:
            line, name = player.place.line, player.identity.name
            self.people.new.append(Newcomer(player.who, line, name, id_))
        return self._under(player, id_)

    def _free_id(self, player: PlayerSaid, recorded: set[str]) -> str:
        """Returns the id that is said, or the next one where it has none or it is somebody's."""
        is_usable = not (player.is_made or player.player in recorded)
        is_by_rule = self._view.federation.new_ids and self._is_numbered_by_fide(player)
        if is_usable and not is_by_rule:
            return player.player
        if self._view.federation.new_ids or (player.is_made and player.spare_id is None):
            return next(self._unused)
        return player.spare_id or player.player

    @staticmethod
    def _is_numbered_by_fide(player: PlayerSaid) -> bool:
        """Whether a report has nobody's id of this ledger, but FIDE's number."""
        is_reported = player.spare_id is not None and not player.is_told
        return is_reported and player.issued.get(FIDE) == player.player and player.player.isdigit()

    def _under(self, player: PlayerSaid, id_: str) -> PlayerSaid:
        self.ids[player.player] = id_
        if self._document.ids is not None:
            player = replace(player, identity=player.identity.with_ids(player.issued))
        return replace(player, player=id_)

    # Who the members are

    @cached_property
    def _unused(self) -> Iterator[str]:
        return unused_ids(self._view)

    @cached_property
    def _has_members(self) -> bool:
        return len(self._directory) > 0

    @property
    def _directory(self) -> PlayerDirectory:
        return self._issued.directory

    def _place_of(self, id_: str) -> int | None:
        """Returns the place of a member by any of the ids in this ledger; None: nobody has it."""
        place = self._directory.place_of(id_)
        if place is not None:
            return place
        try:
            return self._directory.place_of(surviving_id(self._view, id_))
        except NotFound:
            return None

    @cached_property
    def _printed(self) -> Mapping[_PrintedKey, list[tuple[str, int]]]:
        """Senders and places of members by what is printed of them, as a person decided."""
        found: dict[_PrintedKey, list[tuple[str, int]]] = {}
        for printed, place in self._directory.printed:
            found.setdefault(_printed_key(printed), []).append((printed.sender, place))
        return found

    @cached_property
    def _known(self) -> Candidates:
        directory = self._directory
        people = [_told_of(directory[place]) for place in range(len(directory))]
        return Candidates([*map(self._of_club, people, self._own)], lambda: self._ratings)

    @cached_property
    def _own(self) -> Sequence[int]:
        """The index of each member, as it counts."""
        facts, directory = self._view.facts(), self._directory
        index = facts.player_index.of(directory[place].id for place in range(len(directory)))
        own: list[int] = AsOf(facts, facts.seq).merged_into[index].tolist()
        return own

    def _of_club(self, person: PersonDescription, player: int) -> PersonDescription:
        """Returns what is known of a member, with today's club."""
        club = self._clubs.get(player)
        return replace(person, club=folded(club)) if club else person

    @cached_property
    def _clubs(self) -> Mapping[int, str]:
        """The club of each member who is of one."""
        facts = self._view.facts()
        club = AsOf(facts, facts.seq).affiliations(self._view.today).club
        names = facts.body_names
        players = np.flatnonzero(club != NOT_TOLD).tolist()
        return {player: names[at] for player, at in zip(players, club[players], strict=True)}

    @cached_property
    def _last_days(self) -> Sequence[int]:
        """The last day (ordinal) of the last tournament in which each player has a game; or 0."""
        facts = self._view.facts()
        known = AsOf(facts, facts.seq)
        last = np.zeros(len(facts.players) + 1, dtype=np.int32)  # the last one is nobody
        for games in known.games_by_block():
            days = known.tournaments.ends_on[games.tournament]
            for players in (games.white, games.black):
                np.maximum.at(last, players, days)
        found: list[int] = last.tolist()
        return found

    @cached_property
    def _ratings(self) -> Sequence[int | None]:
        """The highest rating of each member in any list."""
        facts = self._view.facts()
        own = self._own
        best = [UNRATED] * len(own)
        for name in facts.lists:
            closing = self._view.calculated(facts, name, facts.seq, last_period(facts, name))
            ratings = closing.closing.rating[own].tolist()
            best = [max(pair) for pair in zip(best, ratings, strict=True)]
        return [rating or None for rating in best]

    def _candidates(self, player: PlayerSaid) -> tuple[list[Candidate], list[str]]:
        """Returns the members who may be meant, none who has another id of the same issuer.

        Then the ids of those who have the name and another birth date, and stand in the document as
        somebody of their own: that tells them apart.
        """
        if not self._has_members:
            return [], []
        identity = player.identity
        about = PersonDescription(
            identity.name,
            identity.birth_date,
            player.federation,
            identity.sex,
            folded(player.club or "") or None,
        )
        likely = self._known.of(about, player.rating)
        beside = [each for each in likely if each.birth and self._is_beside(each.place)]
        fitting = [each for each in likely if each not in beside and self._fits(player, each)]
        odds = 1 + sum(2**each.bits for each in fitting)  # or nobody of them
        candidates = [
            self._candidate(each.place, round(100 * 2**each.bits / odds), each.birth)
            for each in fitting[:_MOST_CANDIDATES]
        ]
        return candidates, [self._directory[each.place].id for each in beside]

    def _fits(self, player: PlayerSaid, likeness: Likeness) -> bool:
        """Whether a member has no other id of an issuer whose id is said.

        Programs write numbers of any issuer into the column of a report, where nobody says whose.
        """
        if player.number is not None and self._document.ids is None:
            return True
        known = self._directory.documents(likeness.place)[0]
        ids = {issued.issuer: issued.id for issued in known.ids}
        return all(ids.get(issuer, id_) == id_ for issuer, id_ in player.issued.items())

    def _is_beside(self, place: int) -> bool:
        """Whether a member is in the document as somebody of his own: who is not he is another."""
        members, birth_dates = self._members_beside
        person = self._directory[place]
        words = " ".join(sorted(folded(person.name or "").split()))
        births = birth_dates.get(words, ())
        return person.id in members or any(
            birth_difference(person.birth_date, born) is None for born in births
        )

    @cached_property
    def _members_beside(self) -> tuple[set[str], Mapping[str, set[str]]]:
        """Members of whom the document tells by an id, or as decided; birth dates by names."""
        members = {*self._decisions.values()}
        births: dict[str, set[str]] = {}
        for players in self._everybody:
            recorded = self._recorded(each.player for each in players)
            names = folded("\n".join([each.identity.name for each in players])).split("\n")
            for each, name in zip(players, names, strict=True):
                if self._is_member(each, recorded):
                    place = self._place_of(each.player)
                    members.add("" if place is None else self._directory[place].id)
                else:
                    members.add(self._by_others(each)[0] or self._remembered(each) or "")
                if each.identity.birth_date:
                    words = " ".join(sorted(name.split()))
                    births.setdefault(words, set()).add(each.identity.birth_date)
        return members, births

    def _candidate(
        self, place: int, likely: int, birth: BirthDifference | None = None
    ) -> Candidate:
        person = self._directory[place]
        player = self._own[place]
        day = self._last_days[player]
        return Candidate(
            person.id, person.name, person.federation, person.birth_date, person.sex, likely, birth,
            club=self._clubs.get(player),
            rating=self._ratings[place],
            last_played_on=dt.date.fromordinal(day) if day else None,
        )  # fmt: skip

    def has_id(self, member: str, id_: str) -> bool:
        """Whether a member is known under an id that somebody else gave."""
        known = self._identities_of(member)
        return any(issued.id == id_ for each in known for issued in each.ids or ())

    def _read(self, members: Collection[str]) -> None:
        """Reads who some members are, under all their ids."""
        streams = [f"player:{id_}" for id_ in members]
        register = self._view.register(streams, self._view.journal.head().seq)
        digests = {id_: record.version.identity for id_, record in register.players.items()}
        documents = self._view.journal.personal_documents(digests.values())
        known = {
            id_: identity_in(documents[digest])
            for id_, digest in digests.items()
            if digest in documents
        }
        for id_ in members:
            same = register.survivors.same_person(id_)
            self._identities[id_] = [known[each] for each in sorted(same) if each in known]

    def _identities_of(self, member: str) -> Sequence[Identity]:
        if member not in self._identities:
            self._read([member])
        return self._identities[member]

    def _is_named_otherwise(self, player: PlayerSaid, id_: str) -> bool:
        """Whether the member with an id has quite another name; an erased one has none."""
        names = [
            name
            for each in self._identities_of(id_)
            for name in (each.name, *_printed_by(self._sender, each))
        ]
        return bool(names) and not any(share_a_word(player.identity.name, name) for name in names)


def recorded_players(view: LedgerView, ids: Iterable[str]) -> set[str]:
    """Returns those of some ids under which somebody is recorded in the ledger."""
    streams = [f"player:{id_}" for id_ in ids]
    found: set[str] = set()
    for start in range(0, len(streams), _ASKED):
        found |= view.journal.recorded(streams[start : start + _ASKED])
    return {stream.removeprefix("player:") for stream in found}


def _printed_key(printed: Printed) -> _PrintedKey:
    return folded(printed.name), printed.birth_date, printed.id


def _printed_by(sender: str, identity: Identity) -> Iterator[str]:
    return (each.name for each in identity.printed or () if each.sender == sender)


def _is_one_issuer(one: str, other: str) -> bool:
    """Whether two issuers may be one: a federation calls its own numbers national."""
    pair = {one, other}
    return one == other or (NATIONAL in pair and pair.isdisjoint({FIDE, CLUB}))


def _told_of(person: Person) -> PersonDescription:
    return PersonDescription(person.name or "", person.birth_date, person.federation, person.sex)
