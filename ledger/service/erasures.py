"""Erases a person: the event, the documents, what is left of them, and what is beyond reach.

The identity documents go with the event, in one transaction. Then the store destroys what is left
of them in its files; where that was interrupted, the next one who records or verifies goes on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ledger.answers.commits import commit_of
from ledger.errors import InputRefused
from ledger.events.fast import PAIRING_TYPES
from ledger.events.model import Dated
from ledger.events.personal import Identity, identity_in
from ledger.events.players import PlayerDescribed, PlayerErased
from ledger.identifiers import Seq
from ledger.journal.records import Head
from ledger.operations.commands import ErasePlayer
from ledger.registrar.register import PlayerRecord
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
        is_described: whether a day of birth or a sex was recorded for good.
        is_affiliated: whether a club, a region or a licence was.
        trouble: why bytes are still left in the store's files, if so.
        remarks: what the store does not reach.
    """

    player: str
    players: tuple[str, ...]
    receipt: Receipt
    documents: int
    mentions: tuple[Mention, ...]
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

    Raises:
        NotFound: there is no such player.
        InputRefused: merged into another id, the reason is missing or names the person, or it needs
            two people.
        Conflict: the request's key was used for another.
        DatabaseError: the ledger cannot be written, or not by this user; nothing was recorded.
    """
    ledger.require_reason([command], request)
    players, records = _person(ledger, command)
    documents = _documents(ledger, records)
    names = _names_in(documents)
    _refuse_naming(names, request.reason)
    mentions = tuple(_mentions(ledger, names)) if names else ()
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
        is_described=any(_is_personal(record.description) for record in records),
        is_affiliated=any(record.affiliations for record in records),
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
        registrar = Registrar(register, head.seq, ledger.today)
        registrar.take(command)
        decided = Decided.by(registrar, Dependencies.on(command.streams))
        sources = tuple(_named_sources(ledger, names)) if names and decided.events else ()
        return replace(decided, events=tuple(_with(each, sources) for each in decided.events))

    return ledger.append_decided(decide, request_)


def _with(dated: Dated, sources: tuple[int, ...]) -> Dated:
    """Returns an erasure that says which commits came from a file named after the person."""
    return replace(dated, event=dated.event.model_copy(update={"sources": sources or None}))


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
    return _names_in(_documents(view, _person(view, command)[1]))


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


def _person(
    view: LedgerView, command: ErasePlayer
) -> tuple[tuple[str, ...], Sequence[PlayerRecord]]:
    """Returns all ids of the person, and what is known of each."""
    facts = view.facts()
    register = view.register(command.streams, facts.seq)
    register.known_player(command.player)
    players = tuple(sorted(register.survivors.same_person(command.player)))
    return players, [register.players[player] for player in players]


def _documents(view: LedgerView, records: Sequence[PlayerRecord]) -> Mapping[str, str]:
    digests = [digest for record in records for digest in record.identities]
    return view.journal.personal_documents(digests)


def _names_in(documents: Mapping[str, str]) -> SoughtNames:
    people = [identity_in(text) for text in documents.values()]
    written = {name for each in people for name in (each.name, *_printed(each))}
    names = {SoughtName.of(name) for name in written}
    return SoughtNames(tuple(name for name in names if name.words))


def _printed(identity: Identity) -> Iterator[str]:
    """Yields how reports print the name."""
    return (each.name for each in identity.printed or ())


def _refuse_naming(names: SoughtNames, reason: str) -> None:
    if names.are_in(reason):
        raise InputRefused("erasure.reason_names")


def _is_personal(description: PlayerDescribed | None) -> bool:
    return description is not None and (
        description.born_on is not None or description.sex is not None
    )


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
