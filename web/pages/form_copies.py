"""A form of a page, taken from there with what was typed in the place of what stands in it.

So a form that had to wait is shown as it was: with its own labels and words, to be changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import Final

_BOXES: Final = frozenset({"checkbox", "radio"})
_HEADINGS: Final = frozenset({"h1", "h2"})
_EMPTY: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass(frozen=True, slots=True)
class FormCopy:
    """A form filled in.

    ``markup`` is what stands in it, but for hidden fields and buttons; ``button`` is what the one
    says by which it was sent. ``others`` are the fields that were sent and are not seen. ``about``
    says of what the form is: the headings above it, and the labels of what it stands in. All but
    ``others`` is HTML.
    """

    markup: str
    button: str
    others: Sequence[tuple[str, str]]
    about: Sequence[str]


def copied_form(page: str, address: str, fields: Sequence[tuple[str, str]]) -> FormCopy | None:
    """Returns the form of a page that goes to an address, filled in; None where none goes there.

    Of several it is the one whose hidden fields and buttons say what was sent, as far as they can.
    """
    sent = [(name, value) for name, value in fields]  # JSON knows no tuples
    reader = _PageReader()
    reader.feed(page)
    reader.close()
    copies = [
        (form.likeness(sent), _filled(form, about, address, sent))
        for form, about in reader.forms
        if form.goes_to(address)
    ]
    best = max(copies, key=lambda each: (each[0], -len(each[1].others)), default=None)
    return None if best is None else best[1]


@dataclass(slots=True)
class _Element:
    """An element of a page, with what stands in it: elements and text, which is HTML."""

    tag: str
    attributes: dict[str, str | None]
    inside: list[_Element | str] = field(default_factory=list)

    def within(self, tag: str | None = None) -> Iterator[_Element]:
        """Yields the elements in it in their order, all or those of a tag."""
        for each in self.inside:
            if isinstance(each, _Element):
                if tag in {None, each.tag}:
                    yield each
                yield from each.within(tag)

    def said(self, name: str) -> str:
        """Returns the value of an attribute; nothing where it has none."""
        return self.attributes.get(name) or ""

    @property
    def text(self) -> str:
        """What it says, without its elements."""
        return "".join(each if isinstance(each, str) else each.text for each in self.inside)

    @property
    def inner(self) -> str:
        """What stands in it, but for hidden fields and buttons."""
        return "".join(each if isinstance(each, str) else each.markup for each in self.inside)

    @property
    def markup(self) -> str:
        """It in HTML; nothing of a hidden field or a button."""
        if self.tag == "button" or self.said("type") == "hidden":
            return ""
        attributes_ = (
            name if value is None else f'{name}="{escape(value)}"'
            for name, value in self.attributes.items()
        )
        start = f"<{' '.join([self.tag, *attributes_])}>"
        return start if self.tag in _EMPTY else f"{start}{self.inner}</{self.tag}>"

    @property
    def about(self) -> list[str]:
        """What it says of what stands in it: its label, and the last headings."""
        parts = (each for each in self.inside if isinstance(each, _Element))
        found = {each.tag: each.text.split() for each in parts if each.tag in _HEADINGS}
        words = (escape(self.said("aria-label")), *map(" ".join, found.values()))
        return [each for each in words if each]

    def goes_to(self, address: str) -> bool:
        """Whether it is a form that is sent to an address, by one of its buttons at least."""
        buttons = self.within("button")
        return address in {self.said("action"), *(each.said("formaction") for each in buttons)}

    def likeness(self, sent: Sequence[tuple[str, str]]) -> int:
        """Returns how many hidden fields and buttons of a form say what was sent."""
        hidden = (each for each in self.within("input") if each.said("type") == "hidden")
        return sum(
            (each.said("name"), each.said("value")) in sent
            for each in (*hidden, *self.within("button"))
        )


class _PageReader(HTMLParser):
    """Reads a page; ``forms`` are those that are sent by ``post``, with what is said of each."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.forms: list[tuple[_Element, list[str]]] = []
        self._open = [_Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = _Element(tag, dict(attrs))
        self._open[-1].inside.append(element)
        if tag not in _EMPTY:
            self._open.append(element)
        if tag == "form" and element.said("method") == "post":
            self.forms.append((element, [text for each in self._open for text in each.about]))

    def handle_endtag(self, tag: str) -> None:
        if any(each.tag == tag for each in self._open):
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")


def _filled(
    form: _Element, about: Sequence[str], address: str, sent: Sequence[tuple[str, str]]
) -> FormCopy:
    """Returns a form with what was sent in its fields."""
    others = [*sent]
    for each in form.within():
        match each.tag:
            case "input" if each.said("type") in _BOXES:
                _tick(each, others)
            case "input" if each.said("type") not in {"file", "hidden"}:
                values = _taken(each, others)
                each.attributes |= {} if values is None else {"value": values}
            case "textarea":
                values = _taken(each, others)
                each.inside = each.inside if values is None else ["\n" + escape(values)]
            case "select":
                _choose(each, _taken(each, others))
            case "details":
                each.attributes["open"] = None
    return FormCopy(form.inner, _button(form, address, sent), others, about)


def _taken(element: _Element, others: list[tuple[str, str]]) -> str | None:
    """Takes the first thing that was sent for a field; None where nothing more was."""
    found = next((each for each in others if each[0] == element.said("name")), None)
    if found is None:
        return None
    others.remove(found)
    return found[1]


def _tick(box: _Element, others: list[tuple[str, str]]) -> None:
    """Ticks a box if it was ticked when it was sent."""
    box.attributes.pop("checked", None)
    value = box.attributes.get("value")
    pair = (box.said("name"), "on" if value is None else value)
    if pair in others:
        others.remove(pair)
        box.attributes["checked"] = None


def _choose(offer: _Element, chosen: str | None) -> None:
    """Chooses from a list what was sent, which may be offered no more."""
    if chosen is None:
        return
    is_offered = False
    for each in offer.within("option"):
        each.attributes.pop("selected", None)
        value = each.attributes.get("value")
        if escape(chosen) == (each.text.strip() if value is None else escape(value)):
            each.attributes["selected"], is_offered = None, True
    if not is_offered:
        offer.inside.append(
            _Element("option", {"value": chosen, "selected": None}, [escape(chosen)])
        )


def _button(form: _Element, address: str, sent: Sequence[tuple[str, str]]) -> str:
    """Returns what the button says by which a form was sent, as far as that can be told."""
    buttons = [*form.within("button")]
    usual = [each for each in buttons if "formaction" not in each.attributes]
    meant = [
        each
        for each in buttons
        if each.said("formaction") == address or (each.said("name"), each.said("value")) in sent
    ]
    chosen = [*usual[:1], *meant][-1:]
    return "".join(escape(each.said("aria-label")) or each.inner for each in chosen)
