"""Questions on the command line: a function for each, made of what is declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, TypeVar

import typer

from cli.command import command, module_being_loaded
from cli.help import SPANISH
from cli.operations import parameter, value_of
from cli.options import ONLY_LIST, FormOptions, ListingOptions, QuestionOptions
from cli.output import emit, emit_form, emit_table
from cli.session import list_and, list_of, needed, player_of, viewed
from cli.settings import language
from ledger.json_form import columns_of
from ledger.questions.kinds import PERIOD
from ledger.questions.question import NEEDED

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.forms.page import PrintedPage
    from ledger.questions.question import Question
    from ledger.views.view import LedgerView

Rows = Sequence[Mapping[str, Any]]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Look(Generic[Answer]):
    """How an answer looks that is no plain table of its rows.

    Attributes:
        table: writes it for people; of an excerpt it is told whether ``everything`` is wanted.
        page: makes the page to print, in a language.
        csv: makes the rows of a spreadsheet, where they are others.
    """

    table: Callable[..., None]
    page: Callable[[Answer, str], PrintedPage] | None = None
    csv: Callable[[Answer], Rows] | None = None


WRITTEN: Final[Mapping[str, str]] = {
    "account keys": "its answer in JSON is a list, not an object",
    "account list": "it is asked of the site's own database, too",
    "correction list": "the API gives it page by page",
    "explain": "a table marks what was corrected since, which is a second question",
    "history": "the site answers it from careers that it keeps",
    "ladder show": "on the command line ratings are those of today",
    "list diff": "the list may be left out before the editions",
    "list monitor": "its rows are made only where they are asked for",
    "list show": "the list may be left out before the period, and rows are selected as columns",
    "log": "of a long log only the end is read, and the API gives it page by page",
    "player duplicates": "its rows are made only where they are asked for",
    "player find": "the register is columns, and the API gives it page by page",
    "player list": "the register is columns, and the API gives it page by page",
    "player unconfirmed": "it is asked at the command line and on a page of officers alone",
    "player show": "the API gives the day of birth to officers only",
    "regulation compare": "it writes a picture, too",
    "regulation show": "it answers two questions",
    "tournament cards": "of a person only the card is shown, by any name",
    "tournament check": "it is asked of files, too, and differences have an exit code",
    "tournament list": "the API selects tournaments, page by page",
    "tournament standings": "it publishes them, too, and explains a participant's",
    "why": "a table marks what was corrected since, which is a second question",
}
"""Questions that are typed by functions of their own, with the reason."""


def ask(question: Question[..., Any], look: str = "") -> None:
    """Puts a question on the command line, in its place in ``--help``.

    ``look`` is the module of ``cli.render`` in whose ``LOOKS`` its look is, by its words; without
    one it is a table of its rows.
    """
    options: type[QuestionOptions | ListingOptions | FormOptions] = QuestionOptions
    if question.is_form:
        options = FormOptions
    elif question.excerpt:
        options = ListingOptions

    list_name = _list_before_period(question)

    def run(*, options: Any, **typed: Any) -> None:
        former = typed.pop(_FORMER, None)
        words = {
            name: value_of(question.kinds[name], word)
            for name, word in typed.items()
            if word is not None
        }
        with viewed(options) as view:
            if list_name is not None:
                words |= _list_and_period(view, list_name, words, former)
            answer = question(view, **_meant(view, question, words))
        if look:
            looks: Mapping[str, Look[Any]] = import_module(f"cli.render.{look}").LOOKS
            _show(question, answer, options, looks[question.words])
        else:
            _tabulate(question, answer, options)

    SPANISH[question.says.en] = question.says.es
    own = [_parameter(question, name) for name in question.kinds]
    if list_name is not None:
        own = _in_order(list_name, own)
    last = inspect.Parameter("options", inspect.Parameter.KEYWORD_ONLY, annotation=options)
    run.__signature__ = inspect.Signature([*own, last])  # type: ignore[attr-defined]
    run.__doc__, run.__module__ = question.says.en, module_being_loaded()
    command(question.words)(run)


_FORMER: Final = "former_list"
"""The list as ``--list``, where it stands before the period by now."""


def _list_before_period(question: Question[..., Any]) -> str | None:
    """Returns the parameter of the list, where a period of it is asked for; else None."""
    lists = [name for name in question.kinds if question.means_only_list(name)]
    return lists[0] if lists and question.kinds.get("period") is PERIOD else None


def _in_order(list_name: str, own: Sequence[inspect.Parameter]) -> list[inspect.Parameter]:
    """Returns the parameters with the list first, which may be left out, then the period."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = Annotated[str | None, typer.Argument(help=ONLY_LIST, metavar="NAME")]
    list_ = inspect.Parameter(list_name, keyword, default=None, annotation=named)
    period = parameter("period", PERIOD, needed=False)
    hidden = Annotated[str | None, typer.Option("--list", hidden=True)]
    former = inspect.Parameter(_FORMER, keyword, default=None, annotation=hidden)
    others = [each for each in own if each.name not in {list_name, "period"}]
    return [list_, period, *others, former]


def _list_and_period(
    view: LedgerView, list_name: str, words: Mapping[str, Any], former: str | None
) -> dict[str, Any]:
    """Returns the list and the period that are meant; the list may come as an option, too."""
    typed = words.get(list_name), words.get("period")
    name, (period,) = list_and(view, *typed) if former is None else (former, [typed[1] or typed[0]])
    return {list_name: name, "period": needed(period, "PERIOD")}


def _parameter(question: Question[..., Any], name: str) -> inspect.Parameter:
    kind, default = question.kinds[name], question.defaults[name]
    usual = None if default is NEEDED or kind.several else default
    return parameter(name, kind, needed=question.is_needed(name), default=usual)


def _meant(
    view: LedgerView, question: Question[..., Any], words: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns what was said, with ids for names, and the only list where none was named."""
    given = dict(words)
    for name, kind in question.kinds.items():
        if question.means_only_list(name):
            given[name] = list_of(view, words.get(name))
        elif kind.names == "player" and name in words:
            word = words[name]
            several = kind.several
            given[name] = (
                tuple(player_of(view, each) for each in word) if several else player_of(view, word)
            )
    return given


def _tabulate(question: Question[..., Any], answer: Any, options: Any) -> None:
    """Writes an answer whose rows are a table as they are."""
    data = answer.data(language())
    columns = columns_of(question.answer, question.rows)
    is_last = question.excerpt == "last"
    emit_table(options, data, data[question.rows], columns, last=is_last)


def _show(question: Question[..., Any], answer: Any, options: Any, look: Look[Any]) -> None:
    """Writes an answer as it looks."""
    data = answer.data(language())
    rows = look.csv(answer) if look.csv and options.format.value == "csv" else data[question.rows]
    everything = {"everything": options.everything} if question.excerpt else {}
    show: Callable[[Console], None] = partial(look.table, answer, **everything)
    if look.page is None:
        emit(options.format, data, rows, show)
        return
    emit_form(options, data, rows, show, partial(look.page, answer))
