"""What a browser is called, as coarsely as its owner needs to know it again."""

from __future__ import annotations

from typing import Final

# What a browser says of itself, to its name; others' names stand in what one says.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iOS"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_named(agent: str) -> str:
    """Returns browser and system, of a header ``User-Agent``.

    >>> browser_named("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0")
    'Firefox, Linux'
    >>> browser_named("curl/8")
    '-'
    """
    named = (
        next((name for sign, name in signs if sign in agent), None)
        for signs in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(name for name in named if name) or "-"
