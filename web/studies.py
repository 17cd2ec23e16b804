"""The studies of a list as a page shows them, for every language: made at once, or by a job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from ledger.answers.list_figures import compare_regulations, monitor_of
from ledger.pictures.comparison import comparison_picture
from ledger.pictures.monitor import monitor_picture
from ledger.reports.comparison import verdict_of
from ledger.service.ledger import Ledger
from ledger.typed_values import parameters_of
from ledger.views.past import PastLedger
from ledger.views.view import LedgerView
from ledger.wording import LANGUAGES
from web.paths import path_of

_EVERYBODY: Final = ("players", "control")
"""What has a part for every player of a list: a page has no room for it."""


def monitor_shown(view: LedgerView, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a monitor as JSON data, its picture by language; raises as ``monitor_of``."""
    monitor_ = monitor_of(
        view, wanted["list"], since=wanted["since"], until=wanted["until"],
        active_only=wanted["active"],
    )  # fmt: skip
    wide, narrow = (
        {word: monitor_picture(monitor_, word, is_narrow=is_narrow) for word in LANGUAGES}
        for is_narrow in (False, True)
    )
    data = _without_everybody(monitor_.data())
    return {**data, "players": len(monitor_.control), "pictures": wide, "narrow": narrow}


def comparison_shown(view: LedgerView, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a comparison as JSON data, its picture and sentences by language.

    Raises:
        NotFound, InputRefused: as ``compare_regulations`` and ``parameters_of``.
    """
    comparison_ = compare_regulations(
        view, wanted["list"], regulation=wanted["regulation"],
        parameters=parameters_of(wanted["param"].split()),
        since=wanted["since"], until=wanted["until"],
    )  # fmt: skip
    sentences = {
        language: [sentence.within(language) for sentence in verdict_of(comparison_)]
        for language in LANGUAGES
    }
    return {
        **_without_everybody(comparison_.data()),
        "sentences": sentences,
        "pictures": {language: comparison_picture(comparison_, language) for language in LANGUAGES},
    }


def address_of_study(kind: str, wanted: Mapping[str, Any]) -> str:
    """Returns the page of a study, at the seq that is asked for; everybody may see it."""
    words = {"since": wanted["since"], "until": wanted["until"]}
    path = path_of(kind, wanted["list"])
    if kind == "compare":
        path += path_of(wanted["regulation"])
        words["param"] = wanted["param"]
    elif wanted["active"]:
        words["active"] = "true"
    return f"{path}?{urlencode(words | {'as-known-at': wanted['seq']})}"


def _without_everybody(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in _EVERYBODY}


def study(ledger: Ledger, kind: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a study of a ledger as it was known at the seq that is asked for."""
    past = PastLedger(ledger, wanted["seq"])
    return (monitor_shown if kind == "monitor" else comparison_shown)(past, wanted)
