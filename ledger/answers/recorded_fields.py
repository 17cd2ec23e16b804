"""What an event records, field by field, in words: for whoever reads it and not for a program.

The payload is canonical JSON with the program's own words in it. Here each field has its name, a
code its words, and an id what it is the id of, so that a page can lead there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from ledger.answers.tournaments import names_of_tournaments
from ledger.privacy import mask_data
from ledger.rating.decimal_text import true_minus
from ledger.results import result_in_words
from ledger.views.view import LedgerView
from ledger.wording import Message

Kind = Literal[
    "", "player", "tournament", "list", "regulation", "ladder", "event", "commit", "day", "period",
    "digest", "given",
]  # fmt: skip
"""What a value is: an id, a seq (``event``) or the number of a commit, what stands in words, or
what is shown as it was given."""

_KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(
        ("player", "white", "black", "challenger", "challenged", "into", "bye", "participants",
         "boards", "forbidden", "players", "not_paired"),
        "player",
    ),
    **dict.fromkeys(("supersedes", "undoes", "announcement", "challenge", "basis_seq"), "event"),
    **dict.fromkeys(
        ("starts_on", "ends_on", "first_on", "published_on", "born_on", "joined_on",
         "licensed_until"),
        "day",
    ),
    **dict.fromkeys(
        ("identity", "digest", "code", "regulation_digest", "rows_root", "documents"), "digest"
    ),
    "tournament": "tournament", "list": "list", "regulation": "regulation", "ladder": "ladder",
    "sources": "commit", "period": "period",
}  # fmt: skip
_BREACHES: Final = {
    "second-meeting": "recorded.second_meeting", "second-bye": "recorded.second_bye",
    "second-absence": "recorded.second_absence", "expelled": "recorded.expelled",
    "forbidden-pair": "recorded.forbidden_pair", "needless-bye": "recorded.needless_bye",
}  # fmt: skip
_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "acceleration": {"baku": "recorded.baku"},
    "algorithm": {"webauthn": "recorded.passkey"},
    "basis": {
        "rating": "recorded.by_rating", "lot": "recorded.by_lot", "hand": "recorded.by_hand",
        "varma": "recorded.by_varma", "first-round": "recorded.by_first_round",
    },
    "calendar": {
        "annual": "often.annual", "half-yearly": "often.half_yearly", "monthly": "often.monthly",
        "quarterly": "often.quarterly", "two-monthly": "often.two_monthly",
    },
    "despite": _BREACHES,
    "deviations": _BREACHES,
    "first_colour": {"white": "field.white", "black": "field.black"},
    "kind": {
        "half": "card.half", "full": "card.full", "pairing-allocated": "card.pairing_allocated",
        "zero": "card.zero",
    },
    "not_paired": {
        "announced": "recorded.announced", "withdrawn": "recorded.withdrawn",
        "expelled": "recorded.expelled", "absent-before": "recorded.absent_before",
        "not-entered-yet": "recorded.not_entered_yet",
    },
    "outcome": {
        "challenged": "state.challenged", "challenger": "state.challenger", "drawn": "state.drawn",
    },
    "pairing": {
        "fenamac-1975": "arbiter.fenamac", "practical-1975": "arbiter.practical",
        "berger": "arbiter.berger", "team-1975": "arbiter.teams_system", "dutch": "arbiter.dutch",
    },
    "policy": {"restate": "browse.policy_restate", "next-list": "browse.policy_next_list"},
    "rate_of_play": {
        "classical": "rate.classical", "rapid": "rate.rapid", "blitz": "rate.blitz",
    },
    "role": {
        "arbiter": "role.arbiter", "officer": "role.officer", "auditor": "role.auditor",
        "administrator": "role.administrator",
    },
    "ruling": {"temporary": "recorded.temporary", "definitive": "recorded.definitive"},
    "sex": {"m": "recorded.man", "w": "recorded.woman"},
    "system": {
        "swiss": "system.swiss", "round-robin": "system.round_robin", "match": "system.match",
        "team-swiss": "system.team_swiss",
    },
    "way": {"identity": "recorded.by_identity", "link": "recorded.by_link"},
}  # fmt: skip
_FIRST: Final = (
    "tournament", "name", "list", "period", "edition", "ladder", "account", "player", "round",
    "white", "black", "result",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecordedValue:
    """One value; ``words`` are its text, or the sentence of a code."""

    words: str | Message
    kind: Kind = ""


@dataclass(frozen=True, slots=True)
class RecordedField:
    """A field by its key (``field.KEY``); one that is a list has several rows.

    A row has several values where it is a pair, a board, or something and what is said of it.
    """

    key: str
    rows: Sequence[Sequence[RecordedValue]]

    @property
    def is_digest(self) -> bool:
        """Whether it says nothing to people."""
        return all(value.kind == "digest" for row in self.rows for value in row)


def recorded_fields(payload: str | Mapping[str, Any]) -> list[RecordedField]:
    """Returns the fields of a payload, or of its text, with what is concerned before what is said.

    >>> [(field.key, str(field.rows[0][0].words)) for field in recorded_fields(
    ...     '{"result":"1/2-1/2","round":2,"tournament":"ymca-2010"}')]
    [('tournament', 'ymca-2010'), ('round', '2'), ('result', '½–½')]
    """
    content = mask_data(json.loads(payload) if isinstance(payload, str) else payload)
    keys = [key for key in _FIRST if key in content]
    keys += [key for key in content if key not in _FIRST]
    return [RecordedField(key, list(_rows(key, content[key]))) for key in keys]


def _rows(key: str, value: object) -> Iterator[Sequence[RecordedValue]]:
    match value:
        case Mapping():
            for name, part in value.items():
                yield [RecordedValue(str(name), "given"), RecordedValue(_plain(part))]
        case list() | tuple():
            for each in value:
                yield [*_parts(key, each)]
        case _:
            yield [_value(key, value)]


def _parts(key: str, value: object) -> Iterator[RecordedValue]:
    """Yields what stands in one entry of a list."""
    match value:
        case Mapping():  # the prizes of a category
            yield from (RecordedValue(_plain(value[name])) for name in sorted(value, reverse=True))
        case list() | tuple():
            yield from (_value(key, each) for each in value)
        case _:
            yield _value(key, value)


def _value(key: str, value: object) -> RecordedValue:
    if isinstance(value, bool):
        return RecordedValue(Message.of("recorded.yes" if value else "recorded.no"))
    text = str(value)
    if word := _WORDS.get(key, {}).get(text):
        return RecordedValue(Message.of(word))
    if key == "what":
        return RecordedValue(Message.of(f"event.{text.replace('.', '_').replace('-', '_')}"))
    if key == "result":
        return RecordedValue(result_in_words(text))
    if "sha256" in key:
        return RecordedValue(text, "digest")
    text = true_minus(text) if isinstance(value, int) else text
    kind = _KINDS.get(key, "")
    return RecordedValue(text, kind if kind != "day" or "-" in text else "")  # else it is a year


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class RecordedNames:
    """How those are called whom events name, by id; who was erased is called "".

    What is no id of a player or of a tournament does not stand here.
    """

    players: Mapping[str, str]
    tournaments: Mapping[str, str]


NAMELESS: Final = RecordedNames({}, {})
"""Of who does not ask."""


def recorded_names(view: LedgerView, shown: Iterable[Sequence[RecordedField]]) -> RecordedNames:
    """Returns the names of the players and tournaments in the fields of some events."""
    facts = view.facts()
    players, tournaments = set[str](), set[str]()
    for fields in shown:
        for value in (value for field in fields for row in field.rows for value in row):
            if value.kind == "player" and str(value.words) in facts.player_index:
                players.add(str(value.words))
            elif value.kind == "tournament" and str(value.words) in facts.tournament_index:
                tournaments.add(str(value.words))
    people = view.people(facts)
    indexes = {id_: facts.player_index[id_] for id_ in sorted(players)}
    people.read(indexes.values())
    return RecordedNames(
        {id_: people.name(index) or "" for id_, index in indexes.items()},
        names_of_tournaments(view, sorted(tournaments)),
    )
