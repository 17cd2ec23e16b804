"""Where a setting comes from: flag, environment, ``rating-ledger.toml``, default, in that order."""

from __future__ import annotations

import contextlib
import datetime as dt
import getpass
import locale
import os
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from ledger.disk import system_said
from ledger.errors import InputRefused
from ledger.typed_values import integer_in
from ledger.views.accent import Accent
from ledger.views.federation import (
    MOST_CLAIM_DAYS,
    USUAL_CLAIM_DAYS,
    FederationFace,
    FederationRules,
    Logo,
)
from ledger.wording import LANGUAGES, Wording

FILE = Path("rating-ledger.toml")
_NAMES = frozenset(
    {
        "actor",
        "age_groups",
        "claim_days",
        "claims_to",
        "contact",
        "data_licence",
        "db",
        "documentation",
        "federation_accent",
        "federation_logo",
        "federation_name",
        "federation_name_es",
        "federation_words",
        "federation_words_es",
        "list_names",
        "list_names_es",
        "lang",
        "new_ids",
        "policy",
        "time_zone",
        "unannounced",
        "webhooks",
    }
)
"""What the file may set."""
DEFAULT_DB = "rating-ledger.db"
DEFAULT_POLICY = "rating-ledger.policy"


@dataclass(slots=True)
class Flags:
    """What was said before the command, and whether the ledger was made without people."""

    db: str | None = None
    lang: str | None = None
    pager: bool = True
    lacks_people: bool = False


FLAGS = Flags()


def db(flag: str | None) -> str:
    """Returns the database to work on; ``flag`` is what was said after the command."""
    return flag or FLAGS.db or os.environ.get("RATING_LEDGER_DB") or _from_file("db") or DEFAULT_DB


def policy(flag: Path | None) -> Path:
    """Returns the file that names the witnesses; ``flag`` is what was said after the command."""
    text = os.environ.get("RATING_LEDGER_POLICY") or _from_file("policy") or DEFAULT_POLICY
    return flag or Path(text)


def time_zone() -> str:
    """Returns the name of the federation's time zone."""
    return os.environ.get("RATING_LEDGER_TIME_ZONE") or _from_file("time_zone") or "UTC"


def federation() -> FederationRules:
    """Returns what the federation settles for itself."""
    return FederationRules(
        new_ids=os.environ.get("RATING_LEDGER_NEW_IDS") or _from_file("new_ids") or "",
        age_groups=os.environ.get("RATING_LEDGER_AGE_GROUPS") or _from_file("age_groups") or "",
        unannounced=os.environ.get("RATING_LEDGER_UNANNOUNCED") or _from_file("unannounced") or "",
        claim_days=_claim_days(),
        claims_to=_environment_or_file("claims_to") or "",
    )


def webhooks_anywhere() -> bool:
    """Returns whether webhooks may go to addresses that are not of the public internet."""
    text = _environment_or_file("webhooks") or ""
    if text not in {"", "anywhere"}:
        raise InputRefused("webhook.bad_setting", value=text)
    return text == "anywhere"


def data_licence() -> str | None:
    """Returns the name of the licence of open data, if one was settled."""
    return _environment_or_file("data_licence")


def _claim_days() -> int:
    text = _environment_or_file("claim_days")
    if text is None:
        return USUAL_CLAIM_DAYS
    days = integer_in(text, least=0, most=MOST_CLAIM_DAYS)
    if days is None:
        raise InputRefused("claim.bad_days", value=text, most=MOST_CLAIM_DAYS)
    return days


def face() -> FederationFace:
    """Returns how the federation and its lists are called on its site.

    Raises:
        InputRefused: the logo or the colour is none, or names of lists are not said as
            ``LIST = name; …``.
    """
    logo = _environment_or_file("federation_logo")
    accent = _environment_or_file("federation_accent")
    return FederationFace(
        _in_both_languages("federation_name"),
        _in_both_languages("federation_words"),
        Logo.read(Path(logo)) if logo else None,
        Accent.read(accent) if accent else None,
        _list_names(),
        _environment_or_file("contact") or _environment_or_file("claims_to") or "",
        _documentation(),
    )


def _documentation() -> str:
    """Return the web address of the documentation; raise ``InputRefused`` where it is none."""
    address = _environment_or_file("documentation") or ""
    if address and not address.startswith(("https://", "http://")):
        raise InputRefused("serve.bad_documentation", value=address)
    return address


def _list_names() -> dict[str, Wording]:
    """Returns how lists are called, by their ids in the ledger."""
    names, spanish = (_named(name) for name in ("list_names", "list_names_es"))
    return {
        name: Wording(
            names.get(name, spanish.get(name, "")), spanish.get(name, names.get(name, ""))
        )
        for name in names | spanish
    }


def _named(setting: str) -> dict[str, str]:
    text = _environment_or_file(setting) or ""
    found = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, sign, words = map(str.strip, part.partition("="))
        if not (name and sign and words):
            raise InputRefused("serve.bad_list_name", text=part, setting=setting)
        found[name] = words
    return found


def _in_both_languages(name: str) -> Wording | None:
    """Returns a text of the settings; the Spanish one is that of ``NAME_es``, if any."""
    text = _environment_or_file(name)
    spanish = _environment_or_file(f"{name}_es")
    return Wording(text or spanish or "", spanish or text or "") if text or spanish else None


def _environment_or_file(name: str) -> str | None:
    return os.environ.get(f"RATING_LEDGER_{name.upper()}") or _from_file(name)


def clock() -> Callable[[], dt.datetime]:
    """Returns the federation's clock; raises ``InputRefused`` where there is no such time zone."""
    from ledger.service.time_zone import clock_of

    return clock_of(time_zone())


def language() -> str:
    """Returns the language of messages: as asked for, else the locale's, else English."""
    wanted = FLAGS.lang or os.environ.get("RATING_LEDGER_LANG")
    if wanted is None:
        # A settings file that cannot be read is told about elsewhere, in some language.
        with contextlib.suppress(InputRefused):
            wanted = _from_file("lang")
    if wanted is None:
        for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
            if os.environ.get(variable):
                wanted = os.environ[variable]
                break
        else:
            wanted = locale.getlocale()[0] or ""
    short = wanted[:2].lower()
    return short if short in LANGUAGES else "en"


def signing_keys(texts: Sequence[str] | None) -> Sequence[str]:
    """Returns the keys to sign with: as said, else that of the environment; files, no secrets."""
    if texts:
        return texts
    one = os.environ.get("RATING_LEDGER_SIGNING_KEY")
    return [one] if one else ()


def actor(flag: str | None) -> str:
    """Returns who is acting: as said, else the user of the machine."""
    if named := flag or os.environ.get("RATING_LEDGER_ACTOR") or _from_file("actor"):
        return named
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a machine without a user database
        return "unknown"


@cache
def _file() -> dict[str, object]:
    try:
        text = FILE.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (UnicodeDecodeError, OSError) as error:
        raise InputRefused("cli.bad_settings", file=str(FILE), why=system_said(error)) from error
    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))  # else the end of the file
        line = place[1] if place else len(text.splitlines())
        raise InputRefused("cli.bad_toml", file=str(FILE), line=line) from error
    for name in settings.keys() - _NAMES:
        names = sorted(_NAMES)
        longer = [each for each in names if name in each.split("_")]
        guess = (longer or get_close_matches(name, names, 1, 0))[0]
        allowed = ", ".join(sorted(_NAMES))
        raise InputRefused(
            "cli.no_setting", file=str(FILE), name=name, guess=guess, allowed=allowed
        )
    return settings


def _from_file(name: str) -> str | None:
    value = _file().get(name)
    return None if value is None else str(value)
