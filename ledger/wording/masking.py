"""Secrets in text: passwords in database URLs and settings, and private keys, are masked.

Known are the login of a URL (``scheme://user:password@``), ``name=value`` where the name is one of
a secret (in the query of a URL, or in libpq's key-value form), and the private keys that sign
checkpoints. A value that cannot be told from what follows it is masked to the end of its line.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

MASK = "***"

_PRIVATE_KEY = re.compile(r"(PRIVATE\+KEY\+)[^\s'\"]+")
# To the last @: a password may hold one that should have been written as %40.
_LOGIN = re.compile(r"([a-z][\w+.-]*:/+[^:@\[\n]*:)[^\n]*@", re.IGNORECASE)
# Without its scheme a URL is told by the host and the slash that follow.
_BARE_LOGIN = re.compile(r"(?<![^\s'\"(=])([\w.-]{2,}:)[^\s'\"/\\]\S*@(?=[\w.:-]+/)")
# A password without a host after it stands where a port would.
_NO_PORT = re.compile(r"([a-z][\w+.-]*:/+[^:/@\[\n]*:)(?!\d+\b|\*\*\*@)[^\s/?'\"]+", re.IGNORECASE)
_SETTING = re.compile(
    r"(?P<name>[\w.%+-]+)(?P<equals>\s*=\s*+)(?!\*\*\*)"
    r"(?P<value>'(?:\\.|[^'\\])*'|[^&\n]*?(?=&|\s+[\w.]+\s*=|$))",
    re.MULTILINE,
)
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
        text = _SETTING.sub(_masked_setting, text)
    if ":/" in text:
        text = _NO_PORT.sub(rf"\1{MASK}", _LOGIN.sub(rf"\1{MASK}@", text))
    if "@" in text:
        text = _BARE_LOGIN.sub(rf"\1{MASK}@", text)
    return _PRIVATE_KEY.sub(rf"\1{MASK}", text) if "+KEY+" in text else text


def _masked_setting(found: re.Match[str]) -> str:
    """Masks the value of a secret, or one that holds a secret in percent-encoding."""
    name, value = found["name"], found["value"]
    hidden = "%" in value and "=" in unquote_plus(value) and _SECRET.search(unquote_plus(value))
    shown = MASK if hidden or _SECRET.search(unquote_plus(name)) else masked(value)
    return f"{name}{found['equals']}{shown}"
