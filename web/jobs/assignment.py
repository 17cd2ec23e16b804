"""What a job is given to do, and how it is told not to go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.service.ledger import Ledger
from web.office.store import Office
from web.settings import WebSettings


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a job is done with.

    ``ledger`` is opened for this job alone. What is told to ``ledger.progress`` stands on the
    job's page; ``Stopped`` is raised there when the job is not to go on.
    """

    ledger: Ledger
    office: Office
    settings: WebSettings
    parameters: Mapping[str, Any]
    account: str | None


class Stopped(BaseException):
    """The job is not to go on: it was cancelled, or the site stops. Not to be caught by a kind."""
