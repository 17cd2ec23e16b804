"""What regulations say of themselves in other languages, by the English: see ``sheet_es.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from ledger.wording import Wording


@cache
def translated_texts(language: str) -> Mapping[str, str]:
    """Returns the texts of a language by the English; of English none."""
    file = resources.files("ledger.regulations").joinpath(f"sheet_{language}.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def quoted_text(english: str) -> Wording:
    """Returns a text of a regulation to be quoted; one that has no translation stays English."""
    return Wording(en=english, es=translated_texts("es").get(english, english))
