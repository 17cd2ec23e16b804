"""Templates into answers, in the language of the request."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from keyword import iskeyword
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode, urlsplit

import segno
from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import (
    Call,
    Const,
    Expr,
    Getattr,
    Getitem,
    Name,
    Node,
    Output,
    Slice,
    TemplateData,
)
from jinja2.runtime import Context
from markupsafe import Markup, escape

from ledger.age_groups import group_in_words
from ledger.desk.tie_breaks.manual_1975 import article_in_words
from ledger.forms.results import days_in_words, short_days
from ledger.pictures.bars import gain_bar, result_bar
from ledger.privacy import FIELDS, mask
from ledger.rating.decimal_text import exact, halves_text, score_text, true_minus, with_sign
from ledger.regulations.registry import short_title
from ledger.reports.balance import why_no_performance
from ledger.results import result_in_words
from ledger.service.time_zone import zone_of
from ledger.views.federation import FederationFace
from ledger.wording import (
    LANGUAGES,
    Message,
    Quantity,
    Wording,
    counted_in,
    revealed,
    thousands,
)
from ledger.wording.dates import (
    day_and_month,
    day_in_words,
    edition_in_words,
    list_in_words,
    period_in_words,
    short_day,
)
from web.access import account_of
from web.assets import accent_path, asset_path
from web.forms import NOTHING, PageForms, TypedForm
from web.language import for_site, instant_in_words, language_of, place_of, told_moment
from web.paths import path_of, path_sent, path_word
from web.query_words import known_query, known_words, words_left_out
from web.refusals import MOST_REASON
from web.waiting_work import waiting_count

_SPECIAL: Final = re.compile(r"[&<>'\"]")
_COUNTS: Final = frozenset({"count", "done", "players", "rank", "shown", "total"})
"""What sentences call how many there are, also where they do not write what is counted with it."""
_RESULT: Final = re.compile(r"(?<!\S)((?:0|1/2|1)-(?:0|1/2|1)[sa]?)(?![^\s,])")


def escaped(value: object) -> str:
    """Returns a value as it stands in a page.

    Most are numbers and words in which there is nothing to escape; a page has hundreds of them. Of
    letters that nobody sees their number is shown.

    >>> print(escaped(12), escaped("Soto"), escaped("<b>"), escaped(escape("<b>")))
    12 Soto &lt;b&gt; &lt;b&gt;
    """
    if type(value) is str:
        text = value if value.isascii() else revealed(value)
        return text if _SPECIAL.search(text) is None else escape(text)
    if type(value) is int:
        return str(value)
    return escape(value)


_PLAIN: Final = {"say", "told", "href"}


class _PageCode(CodeGenerator):
    """Writes templates whose values go through ``escaped``, and whose parts are put into a list.

    As Jinja writes them, every part of a page is handed through the generators of its block, of the
    template and of what that extends; here each of these hands on one text. What a form sends back
    is only escaped as HTML: what nobody sees must come back as it was, not as its number.
    Sentences and addresses are asked for by the hundred, of functions that are told nothing else.
    """

    def visit_Call(  # noqa: N802
        self,
        node: Call,
        frame: Frame,
        forward_caller: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        is_plain = isinstance(node.node, Name) and node.node.name in _PLAIN
        if not is_plain or node.dyn_kwargs or any(iskeyword(each.key) for each in node.kwargs):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for each in (*node.args, *node.kwargs):
            self.visit(each, frame)
            self.write(", ")
        self.write(")")

    def visit_Getattr(self, node: Getattr, frame: Frame) -> None:  # noqa: N802
        if node.attr in FIELDS:
            self._write_masked(Const(node.attr), partial(super().visit_Getattr, node), frame)
        else:
            super().visit_Getattr(node, frame)

    def visit_Getitem(self, node: Getitem, frame: Frame) -> None:  # noqa: N802
        is_place = isinstance(node.arg, Slice)
        if is_place or (isinstance(node.arg, Const) and node.arg.value not in FIELDS):
            super().visit_Getitem(node, frame)
        else:
            self._write_masked(node.arg, partial(super().visit_Getitem, node), frame)

    def _write_masked(self, name: Expr, write: Callable[[Frame], None], frame: Frame) -> None:
        """Write what a page reads of a field that may be private: as the reader may see it."""
        self.write("environment.mask(")
        self.visit(name, frame)
        self.write(", ")
        write(frame)
        self.write(")")

    def visit_Output(self, node: Output, frame: Frame) -> None:  # noqa: N802  a node's name
        self._sent_back = _sent_back(node)
        super().visit_Output(node, frame)

    def blockvisit(self, nodes: Iterable[Node], frame: Frame) -> None:
        is_outermost = frame.buffer is None
        if is_outermost:
            self.buffer(frame)
        super().blockvisit(nodes, frame)
        if is_outermost:
            self.writeline(f"yield concat({frame.buffer})")

    def _output_child_pre(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        context = frame.eval_ctx
        if context.volatile or not context.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            name = "escape" if id(node) in self._sent_back else "escaped"
            self.write(f"environment.{name}(")


def _sent_back(output: Output) -> set[int]:
    """Returns the ids of what is the value of a field, or stands in one of several lines.

    Nodes are equal where they say the same, also beside the field.
    """
    around = [each.data if isinstance(each, TemplateData) else "" for each in output.nodes]
    return {
        id(each)
        for before, each, after in zip(["", *around], output.nodes, [*around[1:], ""], strict=False)
        if before.endswith(' value="') or after.startswith("</textarea>")
    }


class _Pages(Environment):
    """The templates of the site."""

    code_generator_class = _PageCode
    escape = staticmethod(escape)
    escaped = staticmethod(escaped)
    mask = staticmethod(mask)


def compile_pages() -> None:
    """Compiles all templates, so that nobody who asks for a page waits for that."""
    for file in files("web").joinpath("templates").iterdir():
        if file.name.endswith(".html"):
            templates().get_template(file.name)


@cache
def templates() -> Environment:
    """Returns the templates, as they were when the site started.

    Whoever installs another version under a site that runs does not change its pages by halves.
    """
    sources = {
        file.name: (file.read_text("utf-8"), str(file), None)
        for file in files("web").joinpath("templates").iterdir()
        if file.is_file()
    }
    environment = _Pages(
        loader=FunctionLoader(sources.get),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = asset_path
    environment.globals["most_reason"] = MOST_REASON
    environment.filters.update(
        path=path_word, moment=_moment, in_words=day_in_words,
        instant_in_words=instant_in_words, period_in_words=period_in_words,
        list_in_words=list_in_words, edition_in_words=edition_in_words, signed=with_sign,
        short_day=short_day, short_date=_short_date, days=days_in_words,
        day_and_month=day_and_month,
        exact=exact, halves=halves_text, capital=capital, said_once=said_once,
        doubled=lambda word: (word, word), minus=true_minus, unbroken=unbroken,
        printed=result_in_words, score=_score, places=_places, with_places=_with_places,
        with_periods=with_periods, group_in_words=group_in_words,
        regulation_in_words=_regulation, thousands=thousands, article_in_words=article_in_words,
    )  # fmt: skip
    environment.globals.update(
        why_no_performance=why_no_performance, result_bar=result_bar, gain_bar=gain_bar
    )
    return environment


def _score(points: Fraction | str) -> str:
    """Returns points in halves; those of JSON are written exactly."""
    return score_text(Fraction(points))


def _regulation(id_: str, language: str) -> str:
    """Returns what a page calls a regulation."""
    return short_title(id_).within(language)


def _for_page(message: Message) -> Message:
    """Returns a sentence that parts thousands, and calls a regulation by its title."""
    counted = _COUNTS | counted_in(message.key)

    def written(name: str, value: object) -> object:
        match value:
            case Message():
                return _for_page(value)
            case bool():
                return value
            case int() if name in counted:
                return Quantity(value)
            case str() if name == "regulation":
                return short_title(value)
            case _:
                return value

    return Message(message.key, tuple((name, written(name, each)) for name, each in message.values))


def _short_date(day: dt.date | str, language: str) -> str:
    """Returns a day, or its text as it is stored, where there is little room."""
    on = dt.date.fromisoformat(day) if isinstance(day, str) else day
    return short_days(on, on, language)


def _places(figures: Iterable[str]) -> int:
    """Returns how many decimal places the longest of exact figures has."""
    return max((len(each.partition(".")[2]) for each in figures), default=0)


def _with_places(figure: str, places: int) -> str:
    """Returns an exact figure with so many decimal places, so that those of a column align."""
    whole, _, decimals = figure.partition(".")
    return f"{whole}.{decimals:0<{places}}" if places else whole


@cache
def _said(key: str, language: str) -> str:
    """Returns a sentence that quotes nothing: a page says the same ones in every row."""
    return Message.of(key).within(language)


@dataclass(frozen=True, slots=True)
class RepeatedSentence:
    """What is said of something ``count`` times: of ``places`` in a file, where it says any."""

    message: str
    count: int
    places: Sequence[Message]


def said_once(notes: Iterable[str | Mapping[str, Any]]) -> list[RepeatedSentence]:
    """Returns sentences in their order, each once; problems (``Problem.data``) with their places.

    >>> [(each.message, each.count) for each in said_once(["a", "b", "a"])]
    [('a', 2), ('b', 1)]
    """
    found: dict[str, list[Message | None]] = {}
    for each in notes:
        if isinstance(each, str):
            found.setdefault(each, []).append(None)
        else:
            found.setdefault(each["message"], []).append(place_of(each))
    return [
        RepeatedSentence(message, len(places), [place for place in places if place is not None])
        for message, places in found.items()
    ]


def _say(language: str, key: str, /, **named: object) -> str:
    """Returns a sentence by its key, in the words of a page."""
    if not named:
        return _said(key, language)
    return _for_page(Message.of(key, **named)).within(language)


def _told(language: str, message: Message | Wording) -> str:
    """Returns a sentence that something brings with it, in the words of a page."""
    if isinstance(message, Message):
        message = _for_page(for_site(message))
    return message.within(language)


def link(request: Request, parts: Sequence[str], **query: object) -> str:
    """Returns the address of a page by the parts of its path, at the seq that is asked for."""
    view = getattr(request.state, "view", None)
    return _address(
        path_of(*parts), {**query, "as_known_at": view.asked_for if view is not None else None}
    )


def _address(path: str, query: Mapping[str, object]) -> str:
    words = {name.replace("_", "-"): value for name, value in query.items() if value is not None}
    return path + (f"?{urlencode(words)}" if words else "")


def capital(text: str) -> str:
    """Returns a text that begins as a heading does.

    >>> capital("ratings by period")
    'Ratings by period'
    """
    return text[:1].upper() + text[1:]


@pass_context
def _moment(context: Context, seconds: int | None) -> str:
    """Returns an instant of the office as the page says it, where the federation is."""
    return told_moment(seconds, context["lang"], context["zone"])


def with_periods(message: Message | Wording, language: str) -> Message | Wording:
    """Returns a sentence that says the period which it names as people do.

    >>> str(with_periods(Message.of("statement.credit_of", period="2010-08"), "en"))[:23]
    'Owed from August 2010: '
    """
    if isinstance(message, Wording):
        return message
    values = {
        name: period_in_words(value, language)
        if name == "period" and isinstance(value, str)
        else value
        for name, value in message.values
    }
    return Message.of(message.key, **values)


def unbroken(text: str) -> Markup:
    """Returns a text as markup whose results have an en dash and are not broken into two lines.

    >>> str(unbroken("<open>, 3: 7 – 9, 1-0"))
    '&lt;open&gt;, 3: 7 – 9, <span class="whole">1–0</span>'
    """
    escaped_text = str(escape(text))
    return Markup(_RESULT.sub(_whole, escaped_text))  # noqa: S704


def _whole(found: re.Match[str]) -> str:
    return f'<span class="whole">{result_in_words(found[1])}</span>'


Waiting: TypeAlias = Callable[[Request], TypedForm]
"""Finds out what waited to be sent by a form of a page (see ``web.kept_forms``)."""


def _waiting(request: Request) -> TypedForm:
    waiting: Waiting = request.app.state.waiting_form
    return waiting(request)


def name_of_site(request: Request, language: str) -> str:
    """Returns how the site is called: as the federation is, where that says its name."""
    face: FederationFace = request.app.state.site.settings.face
    return face.name.within(language) if face.name else _said("web.site", language)


def _frame(request: Request, language: str) -> dict[str, Any]:
    """Returns what every page knows of its site and of who asks; see ``render``."""
    site = request.app.state.site
    face: FederationFace = site.settings.face
    return {
        "face": face,
        "list_name": partial(face.list_name, language=language),
        "site_origin": site.settings.origin,
        "site_name": name_of_site(request, language),
        "logo": "/logo" if face.logo else asset_path("icon.svg"),
        "accent": accent_path(face.accent) if face.accent else "",
        "awaiting": waiting_count(request),
        "zone": zone_of(site.settings.time_zone),
        "erased": "" if site.lacks_people else _said("browse.erased", language),
    }


def render(
    request: Request, template: str, status: int = 200, sent: TypedForm = NOTHING, **values: Any
) -> HTMLResponse:
    """Returns a page; ``sent`` is the form that was refused, to be filled in as it was.

    Templates know, besides the values: ``say(key, …)`` and ``told(message)`` for sentences,
    ``list_name(id)``, ``href(path, …)`` for links that stay at the seq that is asked for,
    ``sent_to(address, says)`` for what stands in a form (see ``PageForms``), ``view``, ``settled``
    (``web.caching``), ``account``, ``lang``, ``path``, ``left_out`` (``web.query_words``), and
    ``erased``: what stands behind the id of who has no name. ``awaiting`` is how many things
    wait for an officer, ``site_name``, ``logo``, ``accent`` (addresses) and ``face`` are how the
    federation is called, ``site_origin`` is how browsers call the site, ``zone`` its time zone.
    """
    language = language_of(request)
    view = getattr(request.state, "view", None)
    is_settled = getattr(request.state, "settled", None) is not None  # whatever is known later
    known_at = view.asked_for if view is not None else None

    here = page = path_sent(request.scope)
    if request.method not in {"GET", "HEAD"}:
        page = urlsplit(request.app.state.page_before(request)).path
    known = known_words(request) if request.query_params else None

    def href(path: str, **query: object) -> str:
        return _address(path, {**query, "as_known_at": known_at})

    def same(**query: object) -> str:
        """The page itself with other words in its query; None takes one out, as unknown ones.

        What answers a form cannot be opened: it is the page on which the form stands.
        """
        values_ = known_query(request, known) | {
            name.replace("_", "-"): value for name, value in query.items()
        }
        kept = {name: value for name, value in values_.items() if value is not None}
        return page + (f"?{urlencode(kept)}" if kept else "")

    def other_words() -> dict[str, str]:
        """What the page is asked besides the state of the ledger, for a form that asks another."""
        words = known_query(request, known)
        return {name: value for name, value in words.items() if not name.startswith("as-known")}

    known_in_words = instant_in_words(view.recorded_at, language) if view and view.seq else None
    forms = PageForms(sent if sent.is_sent else _waiting(request))
    text = templates().get_template(template).render(
        sent_to=forms.words, missing_form=forms.missing,
        say=partial(_say, language), told=partial(_told, language), href=href, same=same,
        other_words=other_words, view=view, known_in_words=known_in_words,
        account=account_of(request), settled=is_settled,
        can_sign_in=request.app.state.office is not None,
        lang=language, languages=LANGUAGES, path=here, **values,
        left_out=words_left_out(request, known), **_frame(request, language),
    )  # fmt: skip
    return HTMLResponse(text, status)


def picture(address: str, scale: int = 5) -> Markup:
    """Returns an address as a QR code: an SVG that stands in a page."""
    code = segno.make(address, error="m", micro=False)
    # segno writes it from figures alone.
    return Markup(code.svg_inline(scale=scale, dark="#000", light="#fff", svgclass="qr"))  # noqa: S704
