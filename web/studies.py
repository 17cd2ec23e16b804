"""The studies of a list as a page shows them, for every language: made at once, or by a job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from ledger.application.ledger import Ledger
from ledger.application.list_figures import compare_regulations, monitor_of
from ledger.application.past import PastLedger
from ledger.pictures.comparison import comparison_picture
from ledger.pictures.monitor import monitor_picture
from ledger.reports.comparison import verdict_of
from ledger.typed_values import parameters_of
from ledger.wording import LANGUAGES
from web.paths import path_of

_EVERYBODY: Final = ("players", "control")
"""What has a part for every player of a list: a page has no room for it."""


def monitor_shown(ledger: Ledger, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a monitor as JSON data, its picture by language; raises as ``monitor_of``."""
    made = monitor_of(
        ledger, asked["list"], since=asked["since"], until=asked["until"],
        active_only=asked["active"],
    )  # fmt: skip
    return {
        **_without_everybody(made.data()),
        "players": len(made.control),
        "pictures": {language: monitor_picture(made, language) for language in LANGUAGES},
    }


def comparison_shown(ledger: Ledger, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a comparison as JSON data, its picture and sentences by language.

    Raises:
        NotFound, InputRefused: as ``compare_regulations`` and ``parameters_of``.
    """
    made = compare_regulations(
        ledger, asked["list"], regulation=asked["regulation"],
        parameters=parameters_of(asked["param"].split()),
        since=asked["since"], until=asked["until"],
    )  # fmt: skip
    said = {
        language: [sentence.within(language) for sentence in verdict_of(made)]
        for language in LANGUAGES
    }
    return {
        **_without_everybody(made.data()),
        "sentences": said,
        "pictures": {language: comparison_picture(made, language) for language in LANGUAGES},
    }


def address_of_study(kind: str, asked: Mapping[str, Any]) -> str:
    """Returns the page of a study, at the seq that is asked for; everybody may see it."""
    said = {"since": asked["since"], "until": asked["until"]}
    path = path_of(kind, asked["list"])
    if kind == "compare":
        path += path_of(asked["regulation"])
        said["param"] = asked["param"]
    elif asked["active"]:
        said["active"] = "true"
    return f"{path}?{urlencode(said | {'as-known-at': asked['seq']})}"


def _without_everybody(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in _EVERYBODY}


def study(ledger: Ledger, kind: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a study of a ledger as it was known at the seq that is asked for."""
    past = PastLedger(ledger, asked["seq"])
    return (monitor_shown if kind == "monitor" else comparison_shown)(past, asked)
