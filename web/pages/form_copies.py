"""A form of a page, taken from there with what was typed in the place of what stands in it.

So a form that had to wait is shown as it was: with its own labels and words, to be changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import Final, TypeAlias

Attributes: TypeAlias = Mapping[str, str | None]
_BOXES: Final = frozenset({"checkbox", "radio"})
_HEADINGS: Final = ("h1", "h2")
_EMPTY: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass(slots=True)
class FormCopy:
    """A form filled in.

    ``markup`` is what stands in it, but for hidden fields and buttons; ``button`` is what the one
    says by which it was sent. ``others`` are the fields that were sent and are not seen. ``about``
    says of what the form is, in HTML: the headings above it, and the labels of what it stands in.
    """

    others: list[tuple[str, str]]
    about: Sequence[str] = ()
    is_meant: bool = False
    likeness: int = 0  # hidden fields and buttons that say what was sent
    parts: list[str] = field(default_factory=list)
    button: str = ""

    @property
    def markup(self) -> str:
        """What stands in the form, in HTML."""
        return "".join(self.parts)

    def take(self, name: str) -> str | None:
        """Takes the first thing that was said under a name; None where nothing more was."""
        found = next((each for each in self.others if each[0] == name), None)
        if found is None:
            return None
        self.others.remove(found)
        return found[1]

    def take_ticked(self, name: str, value: str) -> bool:
        """Takes what a box says; returns whether it was ticked."""
        if (name, value) not in self.others:
            return False
        self.others.remove((name, value))
        return True


def copied_form(page: str, address: str, fields: Sequence[tuple[str, str]]) -> FormCopy | None:
    """Returns the form of a page that goes to an address, filled in; None where none goes there.

    Of several it is the one whose hidden fields and buttons say what was sent, as far as they can.
    """
    reader = _FormReader(address, fields)
    reader.feed(page)
    reader.close()
    meant = [each for each in reader.copies if each.is_meant]
    return max(meant, key=lambda each: (each.likeness, -len(each.others)), default=None)


@dataclass(slots=True)
class _OpenElement:
    """An element whose end was not read yet: its label, and the headings in it so far."""

    tag: str
    label: str
    headings: dict[str, str] = field(default_factory=dict)

    @property
    def about(self) -> list[str]:
        """What it says of what stands in it."""
        return [each for each in (self.label, *self.headings.values()) if each]


class _FormReader(HTMLParser):
    """Copies every form of a page that is sent by ``post``."""

    def __init__(self, address: str, fields: Sequence[tuple[str, str]]) -> None:
        super().__init__(convert_charrefs=False)
        self.copies: list[FormCopy] = []
        self._address = address
        self._fields = [(name, value) for name, value in fields]  # JSON knows no tuples
        self._form: FormCopy | None = None
        self._around: list[_OpenElement] = []
        self._heading: str | None = None  # that is open
        self._left_out = ""  # the element whose inside is not copied
        self._is_button = False  # whether the button is being read by which the form was sent
        self._chosen: str | None = None  # in the list that is open
        self._is_offered = False  # whether that list has it
        self._option: tuple[Attributes, int] | None = None  # that is open: where its text begins

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        if tag not in _EMPTY:
            self._around.append(_OpenElement(tag, escape(about.get("aria-label") or "")))
            self._heading = "" if tag in _HEADINGS else self._heading
        if tag == "form" and about.get("method") == "post":
            is_meant = about.get("action") == self._address
            around = [said for each in self._around for said in each.about]
            self._form = FormCopy([*self._fields], around, is_meant)
            self.copies.append(self._form)
        elif self._form is None:
            return
        elif tag == "input":
            self._input(self._form, about)
        elif tag == "button":
            self._button(self._form, about)
        elif tag == "select":
            self._chosen, self._is_offered = self._form.take(about.get("name") or ""), False
            self._copy(tag, about)
        elif tag == "option":
            self._option = about, len(self._form.parts)
        elif tag == "textarea":
            said = self._form.take(about.get("name") or "")
            self._copy(tag, about)
            if said is not None:
                self._form.parts.append("\n" + escape(said))
                self._left_out = tag
        else:
            self._copy(tag, about | ({"open": None} if tag == "details" else {}))

    def _input(self, form: FormCopy, about: dict[str, str | None]) -> None:
        name, value, kind = about.get("name") or "", about.get("value"), about.get("type")
        if kind == "hidden":
            form.likeness += (name, value or "") in self._fields
            return
        if kind in _BOXES:
            about.pop("checked", None)
            if form.take_ticked(name, "on" if value is None else value):
                about["checked"] = None
        elif kind != "file" and name:
            said = form.take(name)
            if said is not None:
                about["value"] = said
        self._copy("input", about)

    def _button(self, form: FormCopy, about: Attributes) -> None:
        self._left_out = "button"
        goes_there = about.get("formaction") == self._address
        is_named = (about.get("name"), about.get("value")) in self._fields
        form.likeness += is_named
        is_first = form.is_meant and "formaction" not in about and not form.button
        form.is_meant = form.is_meant or goes_there
        if goes_there or is_named or is_first:
            form.button = escape(about.get("aria-label") or "")
            self._is_button = not form.button

    def handle_endtag(self, tag: str) -> None:
        self._close(tag)
        if self._form is None:
            return
        if tag == self._left_out:
            self._left_out, self._is_button = "", False
            if tag == "button":
                return
        if tag == "form":
            self._form = None
        elif tag == "option" and self._option is not None:
            self._end_option(self._form, *self._option)
        else:
            if tag == "select":
                self._end_list(self._form)
            self._text(f"</{tag}>")

    def _close(self, tag: str) -> None:
        """Forgets what is no longer open; a heading is said of what comes below it."""
        if all(each.tag != tag for each in self._around):
            return
        while self._around.pop().tag != tag:
            pass
        if self._heading is not None and tag in _HEADINGS:
            self._around[-1].headings[tag] = " ".join(self._heading.split())
            self._heading = None

    def _end_list(self, form: FormCopy) -> None:
        if self._chosen is not None and not self._is_offered:
            said = escape(self._chosen)
            form.parts.append(f'<option value="{said}" selected>{said}</option>')
        self._chosen = None

    def _end_option(self, form: FormCopy, about: Attributes, begins: int) -> None:
        text = "".join(form.parts[begins:])
        del form.parts[begins:]
        said, value = dict(about), about.get("value")
        if self._chosen is not None:
            said.pop("selected", None)
            if escape(self._chosen) == (text.strip() if value is None else escape(value)):
                said["selected"], self._is_offered = None, True
        self._copy("option", said)
        form.parts.append(f"{text}</option>")
        self._option = None

    def handle_data(self, data: str) -> None:
        if self._heading is not None:
            self._heading += data
        self._text(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def _copy(self, tag: str, about: Attributes) -> None:
        said = (
            name if value is None else f'{name}="{escape(value)}"' for name, value in about.items()
        )
        self._text(f"<{' '.join([tag, *said])}>")

    def _text(self, markup: str) -> None:
        if self._form is None:
            return
        if self._is_button:
            self._form.button += markup
        elif not self._left_out:
            self._form.parts.append(markup)
