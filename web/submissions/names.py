"""What pages call the states, steps and fields of submissions, and whom and what they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ledger.answers.tournaments import names_of_tournaments
from ledger.views.view import LedgerView
from ledger.wording import Message
from web.office.submissions import SubmissionState
from web.submissions.contents import AnyContent, DocumentContent, Names

STATES: Final[Mapping[str, str]] = {
    "draft": "submission.draft",
    "handed-in": "submission.handed_in",
    "handed-back": "submission.handed_back",
    "accepted": "submission.accepted",
    "refused": "submission.refused",
    "withdrawn": "submission.withdrawn",
    "mended": "submission.mended",
    "blanked": "submission.blanked",
}
"""What is said of a state, or of a step."""


@dataclass(frozen=True, slots=True)
class PreviewWords:
    """What is said of a preview, as keys of sentences: it will, did, or would have come to that."""

    cannot: str
    moves: str
    moves_nobody: str
    reaches_published: str
    events: str
    impact: str


_STILL_OPEN: Final = PreviewWords(
    cannot="submission.cannot",
    moves="submission.moves",
    moves_nobody="submission.moves_nobody",
    reaches_published="submission.reaches_published",
    events="submission.events",
    impact="submission.impact",
)
_RECORDED: Final = PreviewWords(
    cannot="submission.could_not",
    moves="submission.moved",
    moves_nobody="submission.moved_nobody",
    reaches_published="submission.reached_published",
    events="submission.events_recorded",
    impact="submission.impact_recorded",
)
_NOT_RECORDED: Final = PreviewWords(
    cannot="submission.could_not",
    moves="submission.had_moved",
    moves_nobody="submission.had_moved_nobody",
    reaches_published="submission.had_reached_published",
    events="submission.events_not_recorded",
    impact="submission.impact_not_recorded",
)


def words_of(state: SubmissionState) -> PreviewWords:
    """Returns in which words the last preview of a submission is told, by its state."""
    if state.is_open:
        return _STILL_OPEN
    return _RECORDED if state is SubmissionState.ACCEPTED else _NOT_RECORDED


KINDS: Final[Mapping[str, str]] = {
    "trf": "submission.kind_trf",
    "games": "submission.kind_games",
    "players": "submission.kind_players",
    "fide-list": "submission.kind_fide_list",
}
"""What a file can be, as a form calls it."""


def names_in(view: LedgerView, contents: Iterable[AnyContent]) -> Names:
    """Returns how those are called now whom some contents are about.

    Who was erased, or is not recorded, has no name; nor has a tournament that was taken back.
    """
    mentions = frozenset[tuple[str, str]]().union(*(each.mentions for each in contents))
    facts = view.facts()
    players = {
        id_: facts.player_index[id_]
        for what, id_ in mentions
        if what == "player" and id_ in facts.player_index
    }
    people = view.people(facts)
    people.read(players.values())
    found = [(("player", id_), people.name(index)) for id_, index in players.items()]
    known = (
        id_ for what, id_ in mentions if what == "tournament" and id_ in facts.tournament_index
    )
    tournaments = names_of_tournaments(view, known).items()
    found += [(("tournament", id_), name) for id_, name in tournaments]
    return {mention: name for mention, name in found if name}


LABELS: Final[Mapping[str, Message]] = {
    "apart": Message.of("submission.field_apart"),
    "as_correction": Message.of("submission.field_as_correction"),
    "columns": Message.of("submission.columns"),
    "dates": Message.of("submission.field_dates"),
    "decisions": Message.of("submission.field_decisions"),
    "document_kind": Message.of("submission.field_document_kind"),
    "encoding": Message.of("submission.field_encoding"),
    "ends_on": Message.of("submission.field_ends_on"),
    "federations": Message.of("submission.field_federations"),
    "file": Message.of("submission.field_file"),
    "ids": Message.of("submission.field_ids"),
    "list": Message.of("submission.field_list"),
    "merit": Message.of("submission.field_merit"),
    "name": Message.of("submission.field_name"),
    "on": Message.of("submission.field_on"),
    "only_members": Message.of("submission.field_only_members"),
    "other_lists": Message.of("submission.field_other_lists"),
    "partial": Message.of("submission.field_partial"),
    "rate_of_play": Message.of("submission.field_rate_of_play"),
    "rated_games": Message.of("submission.field_rated_games"),
    "rated_in": Message.of("submission.field_rated_in"),
    "reason": Message.of("submission.field_reason"),
    "same": Message.of("submission.field_same"),
    "sheet": Message.of("submission.field_sheet"),
    "starts_on": Message.of("submission.field_starts_on"),
    "system": Message.of("submission.field_system"),
    "tournament": Message.of("submission.field_tournament"),
}
"""What the forms call their fields."""
_NOT_STATED: Final = frozenset({"kind", "file", "reason", "header", "remembered", "games"})
"""Fields of a file that nobody states of it: what it is, and what the program notes."""
_WORDS: Final[Mapping[str, Callable[[Any], Message]]] = {
    "dates": lambda order: Message.of(f"csv.{order.replace('-', '_')}"),
    "document_kind": lambda kind: Message.of(KINDS[kind]),
    "rate_of_play": lambda rate: Message.of(f"rate.{rate}"),
    "system": lambda system: Message.of(f"system.{system.replace('-', '_')}"),
}
"""How the words of closed sets are told, by field."""
_MOST_TOLD: Final = 50
"""So many decisions are told; the rest is counted."""
FileStatement: TypeAlias = tuple[str, Message, Message | str | None]
"""A field of a file, what forms call it, and its value; None: the label says it."""


def statements_of(content: AnyContent) -> list[FileStatement]:
    """Return all that somebody stated of a file, in the order of its fields; nothing of others."""
    if not isinstance(content, DocumentContent):
        return []
    stated = ((name, getattr(content, name)) for name in DocumentContent.model_fields)
    return [
        (name, LABELS[name], _in_words(name, value))
        for name, value in stated
        if name not in _NOT_STATED and value not in (None, False, "", (), {})
    ]


def _in_words(name: str, value: Any) -> Message | str | None:
    if value is True:
        return None
    if name in _WORDS:
        return _WORDS[name](value)
    if isinstance(value, dict):
        value = tuple(f"{key}: {word or '–'}" for key, word in value.items())
    if isinstance(value, tuple):
        rest = f" … ({len(value)})" if len(value) > _MOST_TOLD else ""
        return ", ".join(value[:_MOST_TOLD]) + rest
    return str(value)
