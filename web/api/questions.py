"""Routes of the questions that are declared: each is made of its function's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from inspect import Parameter, Signature
from operator import or_
from typing import Annotated, Any, Final, get_args

from fastapi import Path, Query, Request

from ledger.operations.kinds import FieldKind
from ledger.questions.question import Question
from ledger.views.list_editions import only_list
from web.access import PUBLIC
from web.api.routing import ApiRoutes, InList, ListName, PlayerId, TournamentId
from web.asked_view import Asked
from web.calculations import replayed
from web.fields import LARGEST
from web.site import View

_NAMED: Final[Mapping[str, Any]] = {
    "list": ListName,
    "player": PlayerId,
    "tournament": TournamentId,
}
"""How what is named in a path is described, by its word there."""


WRITTEN: Final[Mapping[str, str]] = {
    "account_described": "only administrators may ask",
    "accounts_listed": "only administrators may ask",
    "adopted": "on the command line it is an option of what shows the regulation",
    "all_corrections": "it comes page by page",
    "bytes_of_edition": "it is a file",
    "checkpoint": "it is a text",
    "claims": "only arbiters and officers may ask",
    "commit_described": "programs follow the journal by it",
    "commits": "it comes page by page, and nobody types it",
    "comparison": "a study takes long, and is kept",
    "differences": "both editions are needed in the query",
    "event_described": "programs follow the journal by it",
    "event_proved": "programs check the journal by it",
    "events": "it comes page by page",
    "head": "programs follow the journal by it",
    "history": "it is read from careers that the site keeps",
    "job_seen": "it is asked of the office",
    "jobs_listed": "it is asked of the office",
    "ladder_shown": "ratings are those of the day of the last commit",
    "ladders": "nobody types it",
    "last_verification": "it is asked of the office",
    "list_described": "people see all lists at once",
    "monitor": "a study takes long, and is kept",
    "pairing_cards": "it gives the cards of everybody",
    "player_described": "only some may see the day of birth",
    "players": "it comes page by page, from rows that the site keeps",
    "regulation_described": "no ledger is asked",
    "regulations": "no ledger is asked",
    "report_file": "it is a file",
    "rows_of_list": "it comes page by page, from rows that the site keeps",
    "standings": "what is typed publishes and explains them, too",
    "standings_explained": "on the command line it is an option of the standings",
    "statement": "it is read from statements that the site keeps",
    "submission_previewed": "only the party and officers may ask",
    "submission_seen": "only the party and officers may ask",
    "submissions": "only the party and officers may ask",
    "tournaments": "it comes page by page",
    "tournaments_of_player": "nobody types it",
    "webhook_deliveries": "only administrators may ask",
    "webhooks_listed": "only administrators may ask",
    "why": "what is typed marks what was corrected since",
}
"""Routes that read and are written by hand, with the reason."""


def add_question(routes: ApiRoutes, question: Question[..., Any]) -> None:
    """Adds the route of a question; everybody may ask."""

    def answer(*, request: Request, view: View, **words: Any) -> Any:
        given = [_given(view, question, name, words[name]) for name in question.kinds]
        if not question.replays:
            return view.ask(question.ask, *given)
        means = map(question.means_only_list, question.kinds)
        list_ = next(each for each, is_list in zip(given, means, strict=True) if is_list)
        return replayed(request, view, list_, question.ask, *given)

    own = {"request": Request, "view": Asked}
    parameters = [_parameter(question, name) for name in question.kinds]
    only = Parameter.KEYWORD_ONLY
    first = [Parameter(name, only, annotation=hint) for name, hint in own.items()]
    answer.__name__ = answer.__qualname__ = question.name
    answer.__doc__ = question.says.en
    answer.__signature__ = Signature([*first, *parameters])  # type: ignore[attr-defined]
    answer.__annotations__ = own | {each.name: each.annotation for each in parameters}
    answer.__annotations__["return"] = question.answer
    routes.reads(question.path, PUBLIC)(answer)


def _given(view: View, question: Question[..., Any], name: str, word: Any) -> Any:
    """Returns what a word of an address means; the only list where none was named."""
    if word is None and question.means_only_list(name):
        return view.ask(lambda ledger: only_list(ledger.facts()))
    if word is None:
        return question.defaults[name]
    kind = question.kinds[name]
    return tuple(map(kind.read, word)) if kind.several else word


def _parameter(question: Question[..., Any], name: str) -> Parameter:
    """Returns how FastAPI reads a word: of the path, or of the query behind it."""
    kind, type_ = question.kinds[name], question.types[name]
    default, alias = question.defaults[name], kind.query or name.rstrip("_")
    only = Parameter.KEYWORD_ONLY
    if f"{{{alias}}}" in question.path:
        hint = _NAMED.get(alias) or Annotated[_said(type_), Path(alias=alias, **_about(kind))]
        return Parameter(name, only, annotation=hint)
    if question.means_only_list(name):
        return Parameter(name, only, default=None, annotation=InList)
    if kind.several:
        type_, default = list[str] | None, None
    query = Query(alias=alias, **_about(kind))
    return Parameter(name, only, default=default, annotation=Annotated[type_, query])


def _said(type_: Any) -> Any:
    """Returns a type without None: what stands in a path is said."""
    parts = [each for each in get_args(type_) if each is not type(None)]
    return reduce(or_, parts) if parts else type_


def _about(kind: FieldKind) -> dict[str, Any]:
    about: dict[str, Any] = {"description": kind.help.en}
    if kind.is_number:
        about |= {"ge": kind.least, "le": LARGEST if kind.most is None else kind.most}
    return about
