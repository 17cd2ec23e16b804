"""Secrets in text: passwords in database URLs and settings, and private keys, are masked.

Known are the login of a URL (``scheme://user:password@``), ``name=value`` where the name is one of
a secret (in the query of a URL, or in libpq's key-value form), and the private keys that sign
checkpoints. A value that cannot be told from what follows it is masked to the end of its line.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

MASK = "***"

# Values are quoted from anywhere: no pattern takes longer than in proportion to the text. Names are
# read once (possessively, from where they begin), a login is at most so long:
_LONGEST = 4_000

_PRIVATE_KEY = re.compile(r"(PRIVATE\+KEY\+)[^\s'\"]+")
_SCHEME = r"(?<![\w+.-])[\w+.-]++:/+"
# To the last @: a password may hold one that should have been written as %40.
_LOGIN = re.compile(rf"({_SCHEME}[^:@\[\n]{{0,{_LONGEST}}}:)[^\n]{{0,{_LONGEST}}}@")
# Without its scheme a URL is told by the host and the slash that follow.
_BARE_LOGIN = re.compile(
    rf"(?<![^\s'\"(=])([\w.-]++:)[^\s'\"/\\]\S{{0,{_LONGEST}}}@(?=[\w.:-]{{1,255}}/)"
)
# A password without a host after it stands where a port would.
_NO_PORT = re.compile(rf"({_SCHEME}[^:/@\[\n]{{0,{_LONGEST}}}:)(?!\d+\b|\*\*\*@)[^\s/?'\"]+")
_NAME = re.compile(r"(?<![\w.%+-])(?P<name>[\w.%+-]++)\s*+=\s*+")
_VALUE = re.compile(r"'(?:\\.|[^'\\])*+'|[^&\n]*?(?=&|(?<!\s)\s++[\w.]++\s*+=|$)", re.MULTILINE)
_MASKED = re.compile(r"\*\*\*(?=[&\s'\")]|$)")
_ENCODED = re.compile(r"(?<==)[^\s&=]*+")
_KIND = re.compile(r"\.(?:csv|trfx?|txt|xml|zip|xlsx)$", re.IGNORECASE)
_SECRET = re.compile(
    r"passw|passphrase|pwd|secret|token|credential|api_?key|scram_\w+_key", re.IGNORECASE
)


def masked(text: str) -> str:
    """Returns a text with ``***`` in place of every secret; masking twice is masking once.

    >>> masked("postgresql://ana:x@host/club?sslmode=require&sslpassword=y")
    'postgresql://ana:***@host/club?sslmode=require&sslpassword=***'
    >>> masked("host=localhost password='a b' dbname=club")
    'host=localhost password=*** dbname=club'
    """
    if "=" in text:
        text = _ENCODED.sub(_without_encoded, _without_settings(text))
    if ":/" in text:
        text = _NO_PORT.sub(rf"\1{MASK}", _LOGIN.sub(rf"\1{MASK}@", text))
    if "@" in text:
        text = _BARE_LOGIN.sub(rf"\1{MASK}@", text)
    return _PRIVATE_KEY.sub(rf"\1{MASK}", text) if "+KEY+" in text else text


def masked_file(name: str) -> str:
    """Returns the name of a file without what a person called it; its kind stays.

    >>> masked_file("Perez_Juan.trf"), masked_file("Juan Perez")
    ('***.trf', '***')
    """
    kind = _KIND.search(name)
    return MASK + (kind[0] if kind else "")


def _without_settings(text: str) -> str:
    """Masks the values of ``name=value`` whose name is one of a secret."""
    parts: list[str] = []
    at = 0
    for found in _NAME.finditer(text):
        begin = found.end()
        is_secret = _SECRET.search(unquote_plus(found["name"]))
        if found.start() >= at and is_secret and not _MASKED.match(text, begin):
            value = _VALUE.match(text, begin)
            assert value is not None, "a value may be empty"
            parts += text[at:begin], MASK
            at = value.end()
    return "".join(parts) + text[at:]


def _without_encoded(found: re.Match[str]) -> str:
    """Masks a value that holds the setting of a secret in percent-encoding."""
    value = unquote_plus(found[0]) if "%" in found[0] else ""
    return MASK if "=" in value and _SECRET.search(value) else found[0]
