"""Fills in forms of pages as a browser without scripts does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, TypeAlias

from fastapi.testclient import TestClient

Fields = list[tuple[str, str]]
Answer: TypeAlias = Any
"""An answer of the test client, which brings its own httpx."""


@dataclass
class PageForm:
    """A form of a page: where it goes, what stands in it, its buttons by name and value.

    ``typed`` names the fields into which anything can be written.
    """

    method: str
    action: str
    fields: Fields = field(default_factory=list)
    buttons: Fields = field(default_factory=list)
    boxes: set[str] = field(default_factory=set)
    typed: set[str] = field(default_factory=set)
    id: str = ""

    def value(self, name: str) -> str | None:
        return next((value for one, value in self.fields if one == name), None)

    def filled(self, said: Mapping[str, str | Iterable[str]]) -> Fields:
        """Returns what is sent: what is said replaces what stands there."""
        known = {name for name, _ in [*self.fields, *self.buttons]}
        assert said.keys() <= known | self.boxes, (said, known)
        kept = [(name, value) for name, value in self.fields if name not in said]
        for name, values in said.items():
            each = [values] if isinstance(values, str) else values
            kept += [(name, value) for value in each]
        return kept


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[PageForm] = []
        self._select = self._text = ""
        self._options: list[tuple[str | None, bool]] = []
        self._said: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = True
            method, id_ = about.get("method", "get"), about.get("id", "")
            self.forms.append(PageForm(method, about.get("action", ""), id=id_))
        if not self._inside:
            return
        form, name = self.forms[-1], about.get("name", "")
        if tag == "input" and about.get("type") == "checkbox":
            form.boxes.add(name)
            if "checked" in about:
                form.fields.append((name, about["value"]))
        elif tag == "input":
            if about.get("type", "text") not in {"hidden", "radio", "file", "submit"}:
                form.typed.add(name)
            form.fields.append((name, about.get("value", "")))
        elif tag == "button" and name:
            form.buttons.append((name, about["value"]))
        elif tag == "select":
            self._select, self._options = name, []
        elif tag == "option":
            self._said = []
            self._options.append((about.get("value"), "selected" in about))
        elif tag == "textarea":
            form.typed.add(name)
            self._text, self._said = name, []

    def handle_data(self, data: str) -> None:
        self._said.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        elif tag == "option" and self._options and self._options[-1][0] is None:
            self._options[-1] = "".join(self._said), self._options[-1][1]
        elif tag == "select" and self._inside:
            chosen = next((value for value, is_it in self._options if is_it), self._options[0][0])
            self.forms[-1].fields.append((self._select, chosen or ""))
        elif tag == "textarea" and self._inside:
            text = "".join(self._said).removeprefix("\n")  # as browsers leave it out
            self.forms[-1].fields.append((self._text, text))


def forms_of(page: str) -> list[PageForm]:
    """Returns the forms of a page."""
    reader = _Reader()
    reader.feed(page)
    return reader.forms


def form_of(page: str, action: str, **hidden: str) -> PageForm:
    """Returns the form that goes to an address and says something under hidden names."""
    found = [
        form
        for form in forms_of(page)
        if form.action == action
        and form.method == "post"
        and all(form.value(name) == value for name, value in hidden.items())
    ]
    assert found, (action, hidden, [form.action for form in forms_of(page)])
    return found[0]


def sent(client: TestClient, form: PageForm, /, **said: str | Iterable[str]) -> Answer:
    """Sends a form, filled in, and goes where the answer leads."""
    fields = form.filled(said)
    data: dict[str, list[str]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    return client.post(form.action, data=data)
