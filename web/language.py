"""The language of an answer: ``?lang=``, else the switch's cookie, else the browser's."""

from __future__ import annotations

from fastapi import Request

from ledger.wording import LANGUAGES

COOKIE = "lang"


def language_of(request: Request) -> str:
    """Returns one of ``LANGUAGES``; a request is looked at once."""
    language: str | None = getattr(request.state, "language", None)
    if language is None:
        request.state.language = language = _asked(request)
    return language


def _asked(request: Request) -> str:
    for body in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if body in LANGUAGES:
            return body
    return _accepted(request.headers.get("accept-language", ""))


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
