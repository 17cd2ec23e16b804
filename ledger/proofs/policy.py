"""Whose signatures count: logs, witnesses, and how many of them (the quorum).

Source: https://c2sp.org/tlog-policy. One line is our own, and a comment to other programs:
``# cosigned-within: 30 days`` lets older cosignatures not count.
A file is changed a line at a time: what people wrote into it stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.journal.checkpoint import Verifier
from ledger.proofs.cosignatures import Witness
from ledger.wording import Message

NONE: Final = "none"
MOST_BYTES: Final = 1 << 16
MOST_GROUPS: Final = 200
_WITHIN = "cosigned-within"
_WITHIN_LINE = re.compile(rf"#[ \t]*{_WITHIN}:[ \t]*([1-9][0-9]{{0,5}}) days?")
_BAD_CHARACTER = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_DAY_SECONDS: Final = 86_400
_SHOWN: Final = 60
_AFTER: Final = ("group", "quorum")  # they name witnesses, which stand before them

Key = TypeVar("Key", Verifier, Witness)


@dataclass(frozen=True, slots=True)
class WitnessGroup:
    """Witnesses and groups, by name, of whom at least so many must have cosigned."""

    least: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """What a checkpoint must bear to be believed.

    Args:
        logs: any one of them must have signed it.
        witnesses: their keys, by the names that the policy gives them.
        addresses: of those witnesses that have one, by the same names.
        groups: by name; what they name stands before them.
        quorum: the witness or group that must have cosigned; "none": nobody.
        within: older cosignatures do not count, in seconds; None: they do.
        names_origins: whether a log's key bears the origin of its checkpoints as its name.
    """

    logs: tuple[Verifier, ...]
    witnesses: dict[str, Witness] = field(default_factory=dict)
    groups: dict[str, WitnessGroup] = field(default_factory=dict)
    quorum: str = NONE
    within: int | None = None
    names_origins: bool = False
    addresses: dict[str, str] = field(default_factory=dict)

    def with_log(self, log: Verifier) -> Policy:
        """Returns the policy with one log, whose checkpoints may have any origin."""
        return replace(self, logs=(log,), names_origins=False)

    def count(self, name: str, cosigned: set[str]) -> tuple[int, int]:
        """Returns how many of a group have cosigned, and how many must; a witness is one of one.

        ``cosigned`` are names of witnesses.
        """
        group = self.groups.get(name)
        if group is None:
            return int(name in cosigned), 1
        counts = (self.count(member, cosigned) for member in group.members)
        return sum(have >= least for have, least in counts), group.least

    def has_quorum(self, cosigned: set[str]) -> bool:
        """Whether enough witnesses have cosigned."""
        have, least = self.count(self.quorum, cosigned)
        return self.quorum == NONE or have >= least


def parse_policy(text: str) -> Policy:
    """Reads the file of a policy.

    Raises:
        InputRefused: a line is not what the format says; the message names it.
        VerificationFailed: with one of the keys anybody can sign.
    """
    if len(text) > MOST_BYTES or _BAD_CHARACTER.search(text):
        raise _refused(0, "proof.policy_character", "")
    reader = _Reader()
    for at, line in enumerate(text.split("\n"), 1):
        reader.line(at, line.strip(" \t"))
    if not reader.quorum:
        raise _refused(0, "proof.policy_quorum", "")
    return Policy(
        tuple(reader.logs),
        reader.witnesses,
        reader.groups,
        reader.quorum,
        reader.within,
        names_origins=True,
        addresses=reader.addresses,
    )


def _refused(line: int, why: str, text: str) -> InputRefused:
    return InputRefused("proof.policy", line=line, why=Message.of(why), text=text)


class _Reader:
    """Takes the lines of a policy one after the other."""

    def __init__(self) -> None:
        self.logs: list[Verifier] = []
        self.witnesses: dict[str, Witness] = {}
        self.addresses: dict[str, str] = {}
        self.groups: dict[str, WitnessGroup] = {}
        self.quorum = ""
        self.within: int | None = None
        self._keys: set[bytes] = set()
        self._members: set[str] = set()
        self._at, self._text = 0, ""

    def line(self, at: int, text: str) -> None:
        """Takes a line without blanks around it."""
        self._at, self._text = at, text[:_SHOWN]
        match re.split("[ \t]+", text):
            case [""]:
                pass
            case [first, *_] if first.startswith("#"):
                self._comment(text)
            case ["log", key] | ["log", key, _]:
                log = self._key(Verifier.parse, key)
                self._once(b"log" + log.public)
                self.logs.append(log)
            case ["witness", name, key, *url] if len(url) <= 1:
                witness = self._key(Witness.parse, key)
                self._once(b"witness" + witness.public)
                self._new(name)
                self.witnesses[name] = witness
                self.addresses.update((name, each) for each in url)
            case ["group", name, least, *members] if members:
                self._group(name, least, members)
            case ["quorum", name]:
                if self.quorum:
                    raise self._wrong("proof.policy_quorum")
                if name != NONE:
                    self._known(name)
                self.quorum = name
            case _:
                raise self._wrong("proof.policy_line")

    def _comment(self, text: str) -> None:
        if _WITHIN not in text:
            return
        found = _WITHIN_LINE.fullmatch(text)
        if found is None or self.within is not None:
            raise self._wrong("proof.policy_within")
        self.within = int(found[1]) * _DAY_SECONDS

    def _group(self, name: str, least: str, members: list[str]) -> None:
        for member in members:
            self._known(member)
            if member in self._members:
                raise self._wrong("proof.policy_twice")
            self._members.add(member)
        count = len(members)
        words = {"all": count, "any": 1} | {str(number): number for number in range(1, count + 1)}
        if least not in words:
            raise self._wrong("proof.policy_threshold")
        if len(self.groups) >= MOST_GROUPS:
            raise self._wrong("proof.policy_groups")
        self._new(name)
        self.groups[name] = WitnessGroup(words[least], tuple(members))

    def _key(self, parse: Callable[[str], Key], text: str) -> Key:
        try:
            return parse(text)
        except InputRefused as error:
            raise self._wrong("proof.policy_key") from error

    def _once(self, key: bytes) -> None:
        if key in self._keys:
            raise self._wrong("proof.policy_key_twice")
        self._keys.add(key)

    def _new(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            raise self._wrong("proof.policy_name")

    def _known(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise self._wrong("proof.policy_unknown")

    def _wrong(self, why: str) -> LedgerError:
        return _refused(self._at, why, self._text)


BEGUN: Final = "# Whose signatures count: https://c2sp.org/tlog-policy\nquorum none\n"
"""A policy that asks for nobody's."""


def with_witness(text: str, witness: Witness, url: str) -> str:
    """Returns the text of a policy with a witness more, called as its key is.

    Raises:
        LedgerError: as ``parse_policy``, of the text before and after.
    """
    parse_policy(text)
    lines = text.rstrip("\n").split("\n")
    at = next((at for at, line in enumerate(lines) if _word(line) in _AFTER), len(lines))
    lines.insert(at, f"witness {witness.name} {witness} {url}")
    return _parsed("\n".join(lines) + "\n")


def without_witness(text: str, name: str) -> str:
    """Returns the text without a witness.

    Raises:
        NotFound: it has none of the name.
        InputRefused: a group or the quorum names it.
        LedgerError: as ``parse_policy``.
    """
    policy = parse_policy(text)
    if name not in policy.witnesses:
        raise NotFound("witness.not_found", name=name)
    members = {member for group in policy.groups.values() for member in group.members}
    if name in members or name == policy.quorum:
        raise InputRefused("witness.in_use", name=name)
    kept = [line for line in text.split("\n") if line.split()[:2] != ["witness", name]]
    return _parsed("\n".join(kept))


def _word(line: str) -> str:
    return (line.split() or [""])[0]


def _parsed(text: str) -> str:
    parse_policy(text)
    return text
