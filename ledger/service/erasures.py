"""Erases a person: the event, the documents, what is left of them, and what is beyond reach.

The identity documents go with the event, in one transaction. Then the store destroys what is left
of them in its files; where that was interrupted, the next one who records or verifies goes on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ledger.answers.commits import commit_of
from ledger.errors import InputRefused
from ledger.events.catalogue import CATALOGUE
from ledger.events.fast import PAIRING_TYPES
from ledger.events.model import Dated
from ledger.events.personal import Identity, identity_in
from ledger.events.players import PlayerAffiliated, PlayerDescribed, PlayerErased
from ledger.facts.as_of import AsOf
from ledger.identifiers import Seq
from ledger.journal.records import Head, StoredEvent
from ledger.operations.commands import ErasePlayer
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.service.decisions import Decided, Dependencies
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.service.receipts import receipt_data
from ledger.spelling import folded
from ledger.trust.erased_bytes import scrubbed
from ledger.trust.two_persons import check_persons, why_two
from ledger.views.view import LedgerView
from ledger.wording import Message

_BEYOND: Final = (
    "erasure.copies", "erasure.submissions", "erasure.site", "erasure.outside", "erasure.disk",
)  # fmt: skip
"""What no program can reach, whatever was recorded; sentences of ``erasure.toml``."""
_SHOWN = 20
_TWO: Final = 2
_SHORT: Final = 2
_NEAR: Final = 12
_PARTICLES: Final = frozenset(
    ("abu", "bin", "das", "del", "den", "der", "dos", "ibn", "las", "los", "san", "ten", "ter",
     "the", "van", "von")
)  # fmt: skip
"""Words that stand in names and everywhere else, as those of one or two letters do."""


@dataclass(frozen=True, slots=True)
class SoughtName:
    """A name to be looked for in what people wrote.

    It seems to stand where two of its ``words`` do, near each other and in any order, of which one
    belongs to ``family``. Where that is empty, all words must stand there.
    """

    words: frozenset[str]
    family: frozenset[str]

    @classmethod
    def of(cls, name: str) -> SoughtName:
        """Reads a name, which is written with a comma behind the family's; else all of it is."""
        before, _, behind = name.partition(",")
        family = {*folded(before).split()}
        words = family | {*folded(behind).split()}
        telling = {word for word in words if len(word) > _SHORT and word not in _PARTICLES}
        if len(telling) < _TWO:
            is_sought = telling or len(words) > 1  # a letter alone stands everywhere
            return cls(frozenset(words if is_sought else ()), frozenset())
        return cls(frozenset(telling), frozenset(telling & family or telling))

    def may_be_in(self, text: str) -> bool:
        """Whether a folded text is worth being taken apart."""
        return sum(word in text for word in self.words) >= min(_TWO, len(self.words))

    def is_among(self, words: Sequence[str]) -> bool:
        """Whether it seems to stand in the words of a folded text."""
        if not self.family:
            return self.words <= {*words}
        places: dict[str, int] = {}
        for place, word in enumerate(words):
            if word not in self.words:
                continue
            for other, before in places.items():
                is_pair = other != word and not self.family.isdisjoint((word, other))
                if is_pair and place - before <= _NEAR:
                    return True
            places[word] = place
        return False


@dataclass(frozen=True, slots=True)
class SoughtNames:
    """The names of a person, to be looked for; nobody can tell namesakes apart by them."""

    names: tuple[SoughtName, ...]

    def __bool__(self) -> bool:
        return bool(self.names)

    def are_in(self, text: str) -> bool:
        """Whether one of them seems to stand in a text."""
        words_ = folded(text) if self.names else ""
        near = [name for name in self.names if name.may_be_in(words_)]
        words = words_.split() if near else ()
        return any(name.is_among(words) for name in near)


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a name stands in the journal itself, which nobody can change.

    ``seq`` is the event; None: it stands in what was said of the commit, its reason for example.
    """

    commit: int
    seq: Seq | None

    def message(self) -> Message:
        """Returns where it is, as a sentence."""
        if self.seq is None:
            return Message.of("erasure.in_commit", commit=self.commit)
        return Message.of("erasure.in_event", seq=self.seq, commit=self.commit)


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was erased, or would be, and what remains.

    Attributes:
        player: the id that stays.
        players: all ids of the person.
        receipt: the events; none, where the person was erased before.
        documents: how many identity documents are destroyed.
        mentions: where the journal holds the name; it is looked for only while it is known.
        voided_ids: ids whose registration was taken back and whose documents seem to hold the name.
        is_described: whether a day of birth or a sex was recorded for good, taken back or not.
        is_affiliated: whether a club, a region or a licence was, taken back or not.
        trouble: why bytes are still left in the store's files, if so.
        remarks: what the store does not reach.
    """

    player: str
    players: tuple[str, ...]
    receipt: Receipt
    documents: int
    mentions: tuple[Mention, ...]
    voided_ids: tuple[str, ...]
    is_described: bool
    is_affiliated: bool
    trouble: Message | None = None
    remarks: tuple[Message, ...] = ()

    def beyond_reach(self) -> list[Message]:
        """Returns what still holds the name or may, and how to treat it, as sentences."""
        found = [Message.of(key) for key in _BEYOND]
        found += self.remarks
        found += [mention.message() for mention in self.mentions[:_SHOWN]]
        if (more := len(self.mentions) - _SHOWN) > 0:
            found.append(Message.of("erasure.more_mentions", count=more))
        if self.voided_ids:
            ids = ", ".join(self.voided_ids[:_SHOWN])
            found.append(Message.of("erasure.taken_back", players=ids))
        if self.is_described:
            found.append(Message.of("erasure.described", player=self.player))
        if self.is_affiliated:
            found.append(Message.of("erasure.affiliated", player=self.player))
        return found

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data, the receipt's fields first."""
        return receipt_data(self.receipt, language) | {
            "player": self.player,
            "players": list(self.players),
            "documents": self.documents,
            "destroyed": self.trouble is None and not self.receipt.dry_run,
            "trouble": self.trouble.within(language) if self.trouble else None,
            "beyond_reach": [message.within(language) for message in self.beyond_reach()],
        }


def erase_player(ledger: Ledger, command: ErasePlayer, request: Request) -> Erasure:
    """Erases a person, under all ids; of one who was erased before, what is left is destroyed.

    A player whose registration was taken back is erased like any other.

    Raises:
        NotFound: there is no such player.
        InputRefused: merged into another id, the reason is missing or names the person, or it needs
            two people.
        Conflict: the request's key was used for another.
        DatabaseError: the ledger cannot be written, or not by this user; nothing was recorded.
    """
    ledger.require_reason([command], request)
    players, register = _person(ledger, command)
    documents = _documents(ledger, register, players)
    names = _names_in(documents)
    _refuse_naming(names, request.reason)
    mentions = tuple(_mentions(ledger, names)) if names else ()
    voided_ids = tuple(_voided_ids_named(ledger, players, names)) if names else ()
    streams = [f"player:{player}" for player in players]
    recorded = [*ledger.event_check().checked(ledger.journal.streams(streams))]
    receipt = _recorded(ledger, command, request, names)
    if (
        request.dry_run
        and (why := why_two(ledger.facts(), receipt.events, request.actor)) is not None
    ):
        receipt = receipt.noted([Message.of("two.will_need", why=why)])
    trouble, remarks = (None, ()) if request.dry_run else scrubbed(ledger)
    return Erasure(
        player=command.player,
        players=players,
        receipt=receipt,
        documents=len(documents),
        mentions=mentions,
        voided_ids=voided_ids,
        is_described=any(map(_describes, recorded)),
        is_affiliated=any(event.type == PlayerAffiliated.TYPE for event in recorded),
        trouble=trouble,
        remarks=tuple(remarks),
    )


def record_erasure(ledger: Ledger, command: ErasePlayer, request: Request) -> Receipt:
    """Records an erasure and deletes the documents; ``finish_erasures`` destroys what is left.

    Raises as ``erase_player`` does, which does both and says more.
    """
    ledger.require_reason([command], request)
    names = names_of(ledger, command)
    _refuse_naming(names, request.reason)
    return _recorded(ledger, command, request, names)


def check_reason(view: LedgerView, command: ErasePlayer, reason: str) -> None:
    """Refuses a reason in which the name seems to stand: it would be kept for good.

    Raises:
        InputRefused: it does, or there is no such player.
    """
    _refuse_naming(names_of(view, command), reason)


def _recorded(
    ledger: Ledger, command: ErasePlayer, request: Request, names: SoughtNames
) -> Receipt:
    request_ = replace(request, body=request.body or body_of([command]), with_impact=False)

    def decide(head: Head) -> Decided:
        ledger.facts()  # which know who was merged into whom
        register = ledger.register(command.streams, head.seq)
        erased = {id_ for id_ in register.documents if _is_erased(register, id_)}
        registrar = Registrar(register, head.seq, ledger.today)
        registrar.take(command)
        decided = Decided.by(registrar, Dependencies.on(command.streams))
        sources = tuple(_named_sources(ledger, names)) if names else ()
        stored = _documents(ledger, register, register.documents)
        events = (_erasure(dated, erased, stored, sources) for dated in decided.events)
        return replace(decided, events=tuple(dated for dated in events if dated is not None))

    return ledger.append_decided(decide, request_)


def _is_erased(register: Register, player: str) -> bool:
    record = register.recorded_player(player)
    return record is not None and record.is_erased


def _erasure(
    dated: Dated, erased: Collection[str], stored: Collection[str], sources: tuple[int, ...]
) -> Dated | None:
    """Return the erasure of an id with the commits whose file was named after the person.

    The erasure of an id that is among ``erased`` names only the documents that are still
    ``stored``; without any there is none.
    """
    event = dated.event
    assert isinstance(event, PlayerErased)
    documents = event.documents
    if event.player in erased:
        documents = tuple(digest for digest in documents if digest in stored)
    values = {"documents": documents, "sources": sources or None}
    return replace(dated, event=event.model_copy(update=values)) if documents else None


def _named_sources(view: LedgerView, names: SoughtNames) -> Iterator[int]:
    """Yields the numbers of the commits whose file seems to be named after somebody."""
    for commit in view.journal.commits():
        if commit.source_name and names.are_in(commit.source_name):
            yield commit.commit_id


def names_of(view: LedgerView, command: ErasePlayer) -> SoughtNames:
    """Returns the names of a person who is to be erased; none where that was done.

    Raises:
        NotFound: there is no such player.
        InputRefused: merged into another id.
    """
    players, register = _person(view, command)
    return _names_in(_documents(view, register, players))


def names_to_erase(ledger: Ledger, command: ErasePlayer, request: Request) -> SoughtNames:
    """Returns the names of a person whom a request would erase now; none where that was done.

    Who keeps names beside the ledger takes them away before it is recorded: afterwards nobody
    knows them, and what was interrupted then could not be gone on with.

    Raises as ``record_erasure`` does.
    """
    looked = record_erasure(ledger, command, replace(request, dry_run=True, with_impact=False))
    check_persons(ledger.facts(), request.actor, request.second, looked.events)
    return names_of(ledger, command)


def last_erased_at(view: LedgerView) -> dt.datetime | None:
    """Returns when somebody was erased last; None where nobody was."""
    erasures = view.facts().recorded(PlayerErased)
    return (
        dt.datetime.fromisoformat(commit_of(view, erasures[-1].seq).recorded_at)
        if erasures
        else None
    )


def documents_of_erased(view: LedgerView) -> Mapping[str, Collection[str]]:
    """Return the digests of identity documents that are stored though their player is erased.

    The keys are the ids of the players. Earlier versions left the documents of events that were
    taken back, or they were put back from outside; to erase the player again destroys them.
    """
    facts = view.facts()
    erased = {erasure.event.player for erasure in facts.recorded(PlayerErased)}
    register = view.register([f"player:{player}" for player in erased], facts.seq)
    stored = {player: _documents(view, register, [player]) for player in sorted(erased)}
    return {player: tuple(documents) for player, documents in stored.items() if documents}


def _person(view: LedgerView, command: ErasePlayer) -> tuple[tuple[str, ...], Register]:
    """Returns all ids of the person, and the register that knows them."""
    facts = view.facts()
    register = view.register(command.streams, facts.seq)
    if command.player not in register.voided_players:
        register.known_player(command.player)
    return tuple(sorted(register.survivors.same_person(command.player))), register


def _documents(view: LedgerView, register: Register, players: Iterable[str]) -> Mapping[str, str]:
    """Return the stored identity documents of some ids, also of events that were taken back."""
    digests = [digest for player in players for digest in register.documents[player]]
    return view.journal.personal_documents(digests)


def _voided_ids_named(
    view: LedgerView, players: Collection[str], names: SoughtNames
) -> Iterator[str]:
    """Yield other ids whose registration was taken back, with a document that holds a name."""
    facts = view.facts()
    voided = np.flatnonzero(~AsOf(facts, facts.seq).is_registered).tolist()
    ids = sorted({facts.player_ids[player] for player in voided}.difference(players))
    register = view.register([f"player:{id_}" for id_ in ids], facts.seq)
    for id_ in ids:
        if any(map(names.are_in, _names_written(_documents(view, register, [id_])))):
            yield id_


def _names_in(documents: Mapping[str, str]) -> SoughtNames:
    names = {SoughtName.of(name) for name in _names_written(documents)}
    return SoughtNames(tuple(name for name in names if name.words))


def _names_written(documents: Mapping[str, str]) -> set[str]:
    people = [identity_in(text) for text in documents.values()]
    return {name for each in people for name in (each.name, *_printed(each))}


def _printed(identity: Identity) -> Iterator[str]:
    """Yields how reports print the name."""
    return (each.name for each in identity.printed or ())


def _refuse_naming(names: SoughtNames, reason: str) -> None:
    if names.are_in(reason):
        raise InputRefused("erasure.reason_names")


def _describes(stored: StoredEvent) -> bool:
    """Whether an event says a day of birth or a sex."""
    if stored.type != PlayerDescribed.TYPE:
        return False
    description = CATALOGUE.decode(stored.type, stored.version, stored.payload)
    assert isinstance(description, PlayerDescribed)
    return description.born_on is not None or description.sex is not None


def _mentions(view: LedgerView, names: SoughtNames) -> Iterator[Mention]:
    """Yields where the journal holds one of the names."""
    for commit in view.journal.commits():
        texts = (commit.reason, commit.source_name, commit.actor, commit.idempotency_key)
        if any(names.are_in(text) for text in texts if text):
            yield Mention(commit.commit_id, None)
    for page in view.journal.pages():
        for seq, _, commit_id, type_, _, _, _, payload, _ in page:
            if type_ not in PAIRING_TYPES and names.are_in(payload):
                yield Mention(commit_id, seq)
