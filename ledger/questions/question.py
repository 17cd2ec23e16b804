"""How a question is declared: a function of a view, and what each face needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from inspect import Parameter, signature
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Final,
    Generic,
    ParamSpec,
    TypeVar,
    get_args,
    get_type_hints,
)

from ledger.operations.kinds import FieldKind
from ledger.wording import Wording

if TYPE_CHECKING:
    from ledger.json_form import JsonForm
    from ledger.views.view import LedgerView

Given = ParamSpec("Given")
Answer = TypeVar("Answer", bound="JsonForm")

NEEDED: Final = Parameter.empty
"""The default of what must be said."""


@dataclass(frozen=True)
class Question(Generic[Given, Answer]):
    """A question under its name, as all faces see it; it is called as its function is.

    Attributes:
        ask: the function; its docstring says what is asked, its parameters are annotated with
            kinds. Of a list that is needed and not said the only one is meant.
        words: as it is typed; empty where nobody types it.
        path: its address in the API, with parameters in braces; the others are its query.
        answer_in: the module of what it answers with, which takes time to load.
        rows: under which key of the answer its rows are, for tables and spreadsheets.
        says: what is asked, in a sentence that every face says.
        excerpt: whether a table shows some of many rows: the ``first`` or the ``last``.
        is_form: whether it can be printed.
        replays: whether it replays the list that it is about.
    """

    ask: Callable[Concatenate[LedgerView, Given], Answer]
    words: str
    path: str
    answer_in: str
    rows: str
    says: Wording
    excerpt: str = ""
    is_form: bool = False
    replays: bool = False

    def __call__(self, view: LedgerView, *given: Given.args, **named: Given.kwargs) -> Answer:
        """Asks a view; raises as the function does."""
        return self.ask(view, *given, **named)

    @property
    def name(self) -> str:
        """What the API calls it."""
        return self.ask.__name__

    @property
    def answer(self) -> type[JsonForm]:
        """The class of what it answers with."""
        found: type[JsonForm] = getattr(
            import_module(self.answer_in), self.ask.__annotations__["return"]
        )
        return found

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        later = {"LedgerView": object, self.ask.__annotations__["return"]: object}
        return get_type_hints(self.ask, localns=later, include_extras=True)

    @cached_property
    def kinds(self) -> Mapping[str, FieldKind]:
        """The kinds of what is said in it, by parameter."""
        return {
            name: hint.__metadata__[0]
            for name, hint in self._hints.items()
            if name not in {"view", "return"}
        }

    @cached_property
    def types(self) -> Mapping[str, Any]:
        """The types of what is said in it, by parameter."""
        return {name: get_args(self._hints[name])[0] for name in self.kinds}

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """What holds where nothing is said, by parameter; ``NEEDED``: something must be."""
        parameters = signature(self.ask).parameters
        return {name: parameters[name].default for name in self.kinds}

    def is_needed(self, name: str) -> bool:
        """Whether something must be said for a parameter."""
        return self.defaults[name] is NEEDED and not self.means_only_list(name)

    def means_only_list(self, name: str) -> bool:
        """Whether a parameter is a list that may be left out: then the only one is meant."""
        return self.kinds[name].names == "list" and self.defaults[name] is NEEDED


QUESTIONS: Final = list[Question[..., Any]]()
"""The questions that are declared, as far as their modules are loaded."""


def question(
    words: str,
    path: str,
    *,
    answer_in: str,
    es: str,
    rows: str = "",
    excerpt: str = "",
    is_form: bool = False,
    replays: bool = False,
) -> Callable[[Callable[Concatenate[LedgerView, Given], Answer]], Question[Given, Answer]]:
    """Declares a function as a question; see ``Question``. ``es`` is its docstring in Spanish."""

    def declared(
        function: Callable[Concatenate[LedgerView, Given], Answer],
    ) -> Question[Given, Answer]:
        paragraphs = (function.__doc__ or "").split("\n\n")
        en = "\n\n".join(" ".join(each.split()) for each in paragraphs)
        says = Wording(en, es)
        declared_question = Question(
            function, words, path, answer_in, rows, says, excerpt, is_form=is_form, replays=replays
        )
        QUESTIONS.append(declared_question)
        return declared_question

    return declared
