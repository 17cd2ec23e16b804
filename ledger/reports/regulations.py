"""What a regulation says of itself: articles, parameters, tables, dated figures, digest."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ValidationError

from ledger.json_form import HIDDEN, SHA256, After, JsonForm, Key, derived
from ledger.rating.bounds import NO_LIMIT
from ledger.regulations import registry
from ledger.regulations.description import Clause
from ledger.regulations.interface import Regulation
from ledger.regulations.translations import translated_texts

RatedAt: TypeAlias = Literal["event-by-event", "per-period"]


@dataclass(frozen=True, slots=True)
class ParameterLine(JsonForm):
    """One parameter as it may be set; without a default (None) it has to be."""

    parameter: str
    default: str | None
    allowed: str
    unit: str | None
    clause: str
    added_later: bool


@dataclass(frozen=True, slots=True)
class TableLine(JsonForm):
    """One table as printed, and the digest of its bytes."""

    name: Annotated[str, Key("table")]
    sha256: Annotated[str, SHA256]
    rows: int
    text: Annotated[str, HIDDEN]


@dataclass(frozen=True, slots=True)
class DatedLine(JsonForm):
    """A figure of the text from a day on (the first: also before); None: there was no limit."""

    name: str
    from_on: Annotated[dt.date, Key("from")]
    first: bool
    value: int | None
    clause: str


@dataclass(frozen=True, slots=True)
class RegulationRow(JsonForm):
    """A regulation among others; ``parameters`` is how many it has."""

    regulation: str
    title: str
    source: str
    parameters: int
    rated: RatedAt
    package: str | None


@dataclass(frozen=True, slots=True)
class Regulations(JsonForm):
    """The regulations that a list can adopt."""

    regulations: Sequence[RegulationRow]


@dataclass(frozen=True, slots=True)
class RegulationSheet(JsonForm):
    """A regulation for readers; ``package`` is whose it is (None: this program's own).

    ``digest`` is that with every parameter at its default (None: not every parameter has one).
    """

    id: Annotated[str, Key("regulation")]
    title: str
    source: str
    parameters: tuple[ParameterLine, ...]
    package: str | None
    module: str
    event_by_event: Annotated[bool, HIDDEN]
    coverage: tuple[Clause, ...]
    tables: tuple[TableLine, ...]
    dated: tuple[DatedLine, ...]
    worked_example: str | None
    digest: Annotated[str | None, SHA256]

    @property
    @derived
    def rated(self) -> Annotated[RatedAt, After("parameters")]:
        """When it rates."""
        return "event-by-event" if self.event_by_event else "per-period"

    def anchor_of(self, clause: str) -> str | None:
        """Returns the anchor of the article that a statement means by a clause; None for none.

        A statement names the text before the article (``ENF 2010 III b)``), and sometimes a part of
        it, or the article of which this sheet has the parts (``8.3`` for ``8.3.1``). Of several
        that may be meant it is the one with most of its words, then the first; one that held until
        some day only where the clause says so or there is no other.
        """
        said = _words(clause)
        fitting = [
            (
                words["until"] <= said["until"],
                (said & words).total(),
                -(words - said).total(),
                article,
            )
            for article in dict.fromkeys(each.article for each in self.coverage)
            if (words := _words(article)) and _is_part(next(iter(words)), said)
        ]
        return anchor(max(fitting, key=lambda each: each[:3])[3]) if fitting else None

    def within(self, language: str) -> RegulationSheet:
        """Returns it in one of ``LANGUAGES``; that of another package stays as it is.

        Articles are put into words too: their anchors are those of the sheet in English.
        """
        texts = translations(self.id, language)

        def text(english: str) -> str:
            return texts.get(english, english)

        return replace(
            self,
            title=text(self.title),
            source=text(self.source),
            coverage=tuple(
                Clause(text(each.article), text(each.says), text(each.where))
                for each in self.coverage
            ),
            parameters=tuple(replace(each, clause=text(each.clause)) for each in self.parameters),
            dated=tuple(
                replace(each, name=text(each.name), clause=text(each.clause)) for each in self.dated
            ),
            worked_example=self.worked_example and text(self.worked_example),
        )

    def row(self) -> RegulationRow:
        """Returns its row among other regulations."""
        count = len(self.parameters)
        return RegulationRow(self.id, self.title, self.source, count, self.rated, self.package)


def translations(regulation: str, language: str) -> Mapping[str, str]:
    """Returns what a regulation says in a language by the English; nothing of other packages'."""
    return translated_texts(language) if regulation in registry.OWN else {}


def anchor(article: str) -> str:
    """Returns what an address names an article by.

    >>> anchor("III a) b)"), anchor("8.2.2 until 2021"), anchor("(1)")
    ('III-a-b', '8.2.2-until-2021', '1')
    """
    return "-".join(re.findall(r"[\w.]+", article)) or "text"


def _is_part(word: str, words: Counter[str]) -> bool:
    """Whether an article is one of the words, or a part of one."""
    return any(word == each or word.startswith(f"{each}.") for each in words)


def _words(text: str) -> Counter[str]:
    """Returns the words of an article or a clause, in their order, with how often they stand."""
    return Counter(each.strip(".") for each in re.findall(r"[\w.]+", text.casefold()))


def sheet(regulation: type[Regulation]) -> RegulationSheet:
    """Returns a regulation for readers."""
    return RegulationSheet(
        id=regulation.ID,
        title=regulation.TITLE,
        source=regulation.SOURCE,
        package=registry.outside().packages.get(regulation.ID),
        module=regulation.__module__,
        event_by_event=regulation.EVENT_BY_EVENT,
        coverage=regulation.COVERAGE,
        parameters=tuple(_parameters(regulation)),
        tables=tuple(_table(regulation, name) for name in regulation.TABLES),
        dated=tuple(_dated(regulation)),
        worked_example=regulation.WORKED_EXAMPLE or None,
        digest=_digest(regulation),
    )


def _digest(regulation: type[Regulation]) -> str | None:
    try:
        return regulation(regulation.PARAMETERS()).digest()
    except ValidationError:
        return None


def _parameters(regulation: type[Regulation]) -> list[ParameterLine]:
    model = regulation.PARAMETERS
    schemas = model.model_json_schema()["properties"] if model.model_fields else {}
    return [
        ParameterLine(
            parameter=name,
            default=None if field.is_required() else text_of(field.default),
            allowed=_allowed(schemas[name]),
            unit=str(schemas[name].get("unit", "")) or None,
            clause=field.description or "",
            added_later=name in model.ADDED_LATER,
        )
        for name, field in model.model_fields.items()
    ]


def text_of(value: object) -> str:
    """Writes the value of a parameter as it is typed; nothing is ``none``.

    >>> text_of(None), text_of(True), text_of(30)
    ('none', 'true', '30')
    """
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case _:
            return str(value)


def _allowed(schema: Mapping[str, Any]) -> str:
    """Says which values a JSON Schema of one parameter allows."""
    if "anyOf" in schema:
        return " | ".join(_allowed(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(text_of(value) for value in schema["enum"])
    if "const" in schema:
        return text_of(schema["const"])
    match schema.get("type"):
        case "null":
            return "none"
        case "boolean":
            return "true | false"
        case "integer":
            return f"{schema.get('minimum', '')} … {schema.get('maximum', '')}".strip()
        case "string":
            longest = schema.get("maxLength")
            return str(schema.get("pattern") or (f"≤ {longest}" if longest else "…"))
        case other:
            return str(other or "…")


def _table(regulation: type[Regulation], name: str) -> TableLine:
    text = resources.files(regulation.TABLES_IN).joinpath("tables", name).read_text("utf-8")
    return TableLine(name, regulation.table_sha256(name), len(text.splitlines()) - 1, text)


def _dated(regulation: type[Regulation]) -> list[DatedLine]:
    return [
        DatedLine(
            name=figure.name,
            from_on=dt.date.fromisoformat(from_on),
            first=place == 0,
            value=None if value == NO_LIMIT else value,
            clause=figure.clause,
        )
        for figure in regulation.DATED
        for place, (from_on, value) in enumerate(figure.values)
    ]
