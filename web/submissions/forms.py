"""What the forms of submissions say: each field is read, or refused with what it was."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, TypeVar

from fastapi import Request
from pydantic import ValidationError

from ledger.answers.directory import person_named
from ledger.answers.lists import described_lists
from ledger.answers.regulations import regulation_list
from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.events.model import wrong_fields
from ledger.operations.kinds import PARAMETERS
from ledger.operations.operation import Operation, WordsRefused
from ledger.operations.retractions import MOST_COMMITS
from ledger.regulations.registry import regulations
from ledger.service.commit_outlooks import newest_outlooks, obstacles, outlook_of
from ledger.service.merges import PeopleCompared, people_compared
from ledger.terms import DayOrder, Rate, System
from ledger.typed_values import integer_in
from ledger.views.view import LedgerView
from ledger.wording import Message
from web.asked_view import site_of
from web.forms import FORMER_NAMES, HANDED_IN, OperationForm, TypedForm
from web.language import language_of
from web.office.store import plain_id
from web.submissions.contents import (
    APART,
    SAME,
    DocumentContent,
    ErasureContent,
    OperationContent,
    SubmissionContent,
)
from web.submissions.names import KINDS, LABELS
from web.submissions.parameters import apart, check_parameters, parameter_fields, together
from web.submissions.previews import SubmissionPreview
from web.submissions.records import ID

UNDO: Final = "undo-commit"
_TURN: Final = re.compile(r"[0-9]{1,9}")
_NO_TURN: Final = -1
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
LINE, COLUMN = "line:", "column:"
"""How fields name a line, or a heading."""
WHO, MEMBER, NEW, LIKELY = "who:", "is:", "new", "likely"
"""How fields name somebody in a file, and what they hold."""
_OTHERS: Final = {"merge-players": "into", "tell-apart": "other"}
"""The field of the other person, by the name of an operation that is about two."""
Said = TypeVar("Said", bound=SubmissionContent)


def new_id() -> str:
    """Returns an id for a submission; a form brings it, so that sent twice it is one."""
    return plain_id(secrets.token_urlsafe(12))


def choices(request: Request) -> dict[str, Any]:
    """Returns what the fields of forms offer: lists, rates of play, systems, kinds of files."""
    names = [each.list for each in site_of(request).newest().ask(described_lists).lists]
    language = language_of(request)
    systems = [
        (each.value, Message.of(f"system.{each.name.lower()}").within(language)) for each in System
    ]
    kinds = [(kind, Message.of(key).within(language)) for kind, key in KINDS.items()]
    return {
        "lists": [*zip(names, names, strict=True)], "rates": [rate.value for rate in Rate],
        "systems": systems, "document_kinds": kinds,
    }  # fmt: skip


def known_ids(request: Request) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Returns the ids of what fields name and of which there are few, each with what it is called.

    These are lists and regulations.
    """
    lists = site_of(request).newest().recall(described_lists).lists
    sheets = (each.within(language_of(request)) for each in regulation_list()[0])
    return {
        "list": [(each.list, each.list) for each in lists],
        "regulation": [(each.id, each.title) for each in sheets],
    }


def undo_asked(request: Request, what: str, commit: str) -> dict[str, Any]:
    """Returns what is said of the commit that is to be taken back, and what stands in the way.

    The ``outlook`` is None where nothing is to be taken back, or there is no such commit; then one
    of the ``newest`` is chosen.
    """
    if what != UNDO:
        return {"outlook": None, "obstacles": (), "newest": ()}
    number = integer_in(commit, least=1, most=MOST_COMMITS)
    newest = site_of(request).newest()
    if number is not None:
        with suppress(NotFound):
            outlook = newest.recall(outlook_of, number)
            return {"outlook": outlook, "obstacles": newest.ask(obstacles, outlook), "newest": ()}
    return {"outlook": None, "obstacles": (), "newest": newest.recall(newest_outlooks)}


def key_of(words: Mapping[str, str]) -> str:
    """Returns the id that a form brings; raises ``InputRefused`` for anything else."""
    key = words.get("key", "")
    if not ID.fullmatch(key):
        raise InputRefused("submission.bad_form")
    return key


def turn_of(words: Mapping[str, str]) -> int:
    """Returns for which turn a form was made; one that was never, where it does not say."""
    found = _TURN.fullmatch(words.get("turn", ""))
    return int(found[0]) if found else _NO_TURN


def document_of(words: Mapping[str, str], file: str, games: int) -> DocumentContent:
    """Returns what a form says of a file; raises ``InputRefused`` with every wrong field."""
    about = {**words, "kind": "document", "file": file, "games": str(games)}
    content_ = _read(DocumentContent, about)
    if content_.as_correction and not content_.reason:
        raise InputRefused("registrar.needs_reason")
    return content_


def decisions_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns who was chosen for whom: fields ``who:WHO`` hold the id of a member, or ``new``."""
    chosen = ((name.removeprefix(WHO), id_) for name, id_ in pairs if name.startswith(WHO))
    return {who: "" if id_ == NEW else id_.removeprefix(MEMBER) for who, id_ in chosen if id_}


def filled(typed: TypedForm, preview: SubmissionPreview) -> TypedForm:
    """Returns a form about people with one choice for all of them, of which nothing is done yet.

    A field ``all`` holds ``likely``, ``new``, ``later``, or of lines ``same`` or ``apart``. A
    member who is the likeliest of several is chosen for the one who is it most likely.
    """
    fields = {name: words for name, words in typed.fields.items() if name != "all"}
    choice = typed.value("all")
    if choice in {SAME, APART}:
        for each in preview.twice:
            first, later = each["first"], each["later"]
            is_one_id = first["id"] is not None and first["id"] == later["id"]
            fields[f"{LINE}{later['line']}"] = [SAME if is_one_id else choice]
        return replace(typed, fields=fields)
    chosen = dict.fromkeys((each["who"] for each in preview.doubtful), NEW if choice == NEW else "")
    if choice == LIKELY:
        found = [
            (one["likely"], each["who"], one["id"])
            for each in preview.doubtful
            for one in each["candidates"]
            if one["likely"]
        ]
        taken = set[str]()
        for _, who, id_ in sorted(found, key=lambda each: -each[0]):
            if not chosen[who] and id_ not in taken:
                chosen[who] = f"{MEMBER}{id_}"
                taken.add(id_)
    fields |= {f"{WHO}{who}": [word] for who, word in chosen.items()}
    return replace(typed, fields=fields)


def lines_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns what was decided of lines: fields ``line:LINE`` hold ``same`` or ``apart``."""
    return {
        name.removeprefix(LINE): word
        for name, word in pairs
        if name.startswith(LINE) and word in {SAME, APART}
    }


def columns_of(typed: TypedForm) -> tuple[dict[str, str], str]:
    """Returns what was chosen of headings, by fields ``column:HEADING``, and their digest."""
    chosen = {
        name.removeprefix(COLUMN): word
        for name, word in typed.pairs
        if name.startswith(COLUMN) and word
    }
    header = typed.texts.get("header", "")
    if not _DIGEST.fullmatch(header):
        raise InputRefused("submission.bad_form")
    return chosen, header


def order_of_days(typed: TypedForm) -> DayOrder | None:
    """Returns what was chosen of the order of dates; raises ``InputRefused`` for anything else."""
    word = typed.texts.get("dates", "")
    if word not in {"", *DayOrder}:
        raise InputRefused("submission.bad_form")
    return DayOrder(word) if word else None


def operation_of(view: LedgerView, typed: Mapping[str, str]) -> OperationContent:
    """Returns the operation that a form asks for; refuses each field that cannot be read."""
    operation = _operation(typed.get("what", ""))
    if operation is None:
        raise InputRefused("submission.bad_form")
    typed = together(typed)
    words = {name: word for name in operation.kinds if (word := typed.get(name, "").strip())}
    words |= _ids_of_players(view, operation, words)
    content = OperationContent(what=operation.name, words=words, reason=typed.get("reason", ""))
    check_parameters(content.read(view.today))
    if not content.reason:
        raise InputRefused("registrar.needs_reason")
    return content


def _ids_of_players(
    view: LedgerView, operation: Operation, words: Mapping[str, str]
) -> Mapping[str, str]:
    """Returns the ids of players whom words name, as on the command line.

    Who may be meant is said where it is not one; a word that is like nobody's name stays.
    """
    ids = dict[str, str]()
    for name in words.keys() & {n for n, kind in operation.kinds.items() if kind.names == "player"}:
        if operation.kinds[name].several:
            continue
        try:
            person = person_named(view, words[name])
        except NotFound as unknown:
            if unknown.details:
                raise
            continue
        if person is not None:
            ids[name] = person.id
    return ids


def operation_form(
    what: str, typed: TypedForm, refused: LedgerError | None = None
) -> OperationForm:
    """Returns the form of what is to be handed in, as it was filled in."""
    operation = _operation(what) or HANDED_IN["correct-result"]
    if PARAMETERS not in operation.kinds.values():
        return OperationForm(operation, typed, refused)
    typed = replace(typed, fields=apart(typed.fields))
    wrong = refused.fields if isinstance(refused, WordsRefused) else {}
    parameters = parameter_fields(typed.value("regulation") or next(iter(regulations())), wrong)
    return OperationForm(operation, typed, refused, parameters=parameters)


def people_merged(request: Request, what: str, words: Mapping[str, str]) -> PeopleCompared | None:
    """Returns the two whom a form would merge, or tell apart, side by side; None: nobody known."""
    operation = _operation(what)
    other = _OTHERS.get(operation.name if operation else "")
    pair = words.get("player", "").strip(), words.get(other or "", "").strip()
    if not all(pair):
        return None
    try:
        found = site_of(request).newest().ask(people_compared, *pair)
    except NotFound:
        return None
    return found if other == "into" else replace(found, differences=())


def _operation(what: str) -> Operation | None:
    return HANDED_IN.get(FORMER_NAMES.get(what, what))


def erasure_of(words: Mapping[str, str], player: str) -> ErasureContent:
    """Returns the erasure that a form asks for; raises ``InputRefused`` likewise."""
    content_ = _read(ErasureContent, {"player": player, "reason": words.get("reason", "")})
    if not content_.reason:
        raise InputRefused("registrar.needs_reason")
    return content_


def _read(model: type[Said], words: Mapping[str, str]) -> Said:
    given = {name: words[name] for name in model.model_fields if name in words}
    try:
        return model.model_validate(given)
    except ValidationError as error:
        wrong = wrong_fields(error.errors(), LABELS)
        raise InputRefused("submission.bad_form", *wrong) from error
