"""The language of an answer, and the words of the site: has_sentence, instants, days.

The language is that of ``?lang=``, else of the switch's cookie, else of the browser.

On a page there is no option to name: a sentence that tells somebody what to type has one beside
it, in the section ``site``, that tells somebody in front of a page or a form what to do. Its key
there is the whole key, with ``_``. Instants are seconds since 1970 (UTC) in the office.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ledger.errors import DatabaseError, LedgerError, Problem
from ledger.wording import LANGUAGES, Message, Wording, has_sentence
from ledger.wording.dates import day_in_words, period_in_words

if TYPE_CHECKING:
    from fastapi import Request  # a process of a job answers none, and does not load it

_COOKIE: Final = "lang"
_COOKIES: Final = (f"__Host-{_COOKIE}", _COOKIE)  # by HTTPS, and without it
_YEAR_SECONDS: Final = 365 * 24 * 3600


def language_cookie(request: Request, *, is_secure: bool) -> str | None:
    """Returns the cookie by which a browser keeps the language that somebody switched to.

    None: no page was opened in another language than the browser keeps. What a page loads, and
    what a program asks for, switches nothing.
    """
    language = request.query_params.get("lang")
    is_page = request.headers.get("sec-fetch-dest") == "document"
    if not is_page or language not in LANGUAGES or language == _kept(request):
        return None
    name, secure = (_COOKIES[0], "; Secure") if is_secure else (_COOKIE, "")
    kept = f"Max-Age={_YEAR_SECONDS}; Path=/; HttpOnly; SameSite=lax"
    return f"{name}={language}; {kept}{secure}"


def language_of(request: Request) -> str:
    """Returns one of ``LANGUAGES``; a request is looked at once."""
    language: str | None = getattr(request.state, "language", None)
    if language is None:
        request.state.language = language = _asked(request)
    return language


def _asked(request: Request) -> str:
    for body in (request.query_params.get("lang"), _kept(request)):
        if body in LANGUAGES:
            return body
    return _accepted(request.headers.get("accept-language", ""))


def _kept(request: Request) -> str | None:
    """Returns what the browser keeps of a switch to a language."""
    return next(filter(None, map(request.cookies.get, _COOKIES)), None)


def _accepted(header: str) -> str:
    """Returns the language that a header likes best; English where it names none of ours.

    >>> _accepted("de, es-CL;q=0.8, en;q=0.5"), _accepted("fr"), _accepted("en;q=0, es;q=x")
    ('es', 'en', 'en')
    """
    liked = []
    for place, part in enumerate(header.split(",")):
        tag, _, weight = part.strip().partition(";")
        language, quality = tag.strip()[:2].lower(), _quality(weight)
        if language in LANGUAGES and quality:
            liked.append((-quality, place, language))
    return min(liked)[2] if liked else "en"


def _quality(weight: str) -> int:
    """Returns a weight in thousandths: 1000 where nothing is said, 0 where it makes no sense."""
    if not weight:
        return 1000
    whole, _, part = weight.strip().removeprefix("q=").partition(".")
    digits = (whole + part.ljust(3, "0"))[:4]
    return int(digits) if digits.isascii() and digits.isdigit() else 0


_AWAY: Final = "web.database_away"
_LOCKED: Final = "web.database_locked"
_TOLD: Final = frozenset({_AWAY, _LOCKED})
_WAITED: Final = frozenset({"database.locked", "database.locked_by", "database.read_by"})
"""Somebody else was in the way for longer than is waited; nothing was recorded."""
_log = logging.getLogger("rating_ledger.web")


def for_site(message: Message) -> Message:
    """Returns a message in the words of the site, periods too; messages within it as well.

    >>> str(for_site(Message.of("registrar.needs_reason")))
    'this changes what was recorded: say why'
    >>> str(for_site(Message.of("two.reaches", list="ENF", period="2010-07")))
    'this reaches ENF July 2010, which is published'
    """
    values = tuple((name, _in_words(name, value)) for name, value in message.values)
    key = f"site.{message.key.replace('.', '_')}"
    return Message(key if has_sentence(key) else message.key, values)


def _in_words(name: str, value: object) -> object:
    if isinstance(value, Message):
        return for_site(value)
    if name == "period" and isinstance(value, str):
        return Wording(*(period_in_words(value, language) for language in ("en", "es")))
    return value


def error_for_site(error: LedgerError) -> LedgerError:
    """Returns a failure as the site tells it to everybody.

    Why a database cannot be used concerns who runs the site: it names the server and its user. That
    goes to the log.
    """
    if not isinstance(error, DatabaseError) or error.message.key in _TOLD:
        return error
    _log.error("the database cannot be used: %s", cause_of(error))
    shown = DatabaseError(_LOCKED if error.message.key in _WAITED else _AWAY)
    shown.__cause__ = error
    return shown


def cause_of(error: LedgerError) -> str:
    """Returns a failure as the log tells it: a database's in the words of its driver.

    What these go on with may quote a row, and a name in it.
    """
    values = dict(error.message.values)
    if "why" in values:
        values["why"] = str(values["why"]).partition(" DETAIL: ")[0]
    return str(Message.of(error.message.key, **values))


def problem_for_site(problem: Problem) -> Problem:
    """Returns what is wrong with a document in the words of the site."""
    return replace(problem, message=for_site(problem.message))


def place_of(note: Mapping[str, Any]) -> Message | None:
    """Returns where something in a file is (of ``Problem.data``); None where no line is said."""
    line, column = note["line"], note["column"]
    if not line:
        return None
    if not column:
        return Message.of("web.line", line=line)
    return Message.of("web.line_column", line=line, column=column)


def note_in_words(note: str | Mapping[str, Any], language: str) -> str:
    """Returns a note, or a problem (``Problem.data``), as a sentence with its place after it.

    >>> note_in_words({"line": 12, "column": None, "message": "no such event"}, "en")
    'no such event (line 12)'
    """
    if isinstance(note, str):
        return note
    words, place = str(note["message"]), place_of(note)
    return words if place is None else f"{words} ({place.within(language)})"


def told_moment(seconds: int | None, language: str, zone: dt.tzinfo = dt.UTC) -> str:
    """Returns an instant as people read it, to the minute, in a time zone.

    >>> told_moment(0, "en"), told_moment(None, "en")
    ('1 January 1970, 00:00', '–')
    """
    return "–" if seconds is None else instant_in_words(_utc(seconds).astimezone(zone), language)


def instant_in_words(instant: dt.datetime | str, language: str) -> str:
    """Returns an instant, or its text as it is stored, to the minute, in its time zone.

    >>> instant_in_words(dt.datetime(2026, 11, 23, 14, 5, 59), "en")
    '23 November 2026, 14:05'
    """
    if isinstance(instant, str):
        instant = dt.datetime.fromisoformat(instant)
    return f"{day_in_words(instant.date(), language)}, {instant:%H:%M}"


def iso_moment(seconds: int) -> str:
    """Returns an instant as JSON has it.

    >>> iso_moment(0)
    '1970-01-01T00:00:00+00:00'
    """
    return _utc(seconds).isoformat()


def _utc(seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)
