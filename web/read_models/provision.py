"""Makes read models before somebody asks for them: lists, the register and careers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from ledger.application.ledger import Ledger
from ledger.application.list_editions import editions_of, newest_period
from ledger.application.past import PastLedger, documents_gone, newest_of
from ledger.journal.records import Progress
from web.read_models.builder import (
    ModelKey,
    careers_key,
    file_key,
    has_many_players,
    keep,
    list_key,
    people_key,
    statements_key,
)
from web.read_models.folder import ModelFolder, models_of
from web.settings import WebSettings


def make_missing(ledger: Ledger, settings: WebSettings, progress: Progress) -> int:
    """Makes the models that are missing; returns how many.

    Args:
        ledger: of which; as it is now.
        settings: of the site that they are for.
        progress: is told how many there are, and how many of them were looked at.

    Raises:
        VerificationFailed: an edition does not come back as it was published.
    """
    newest = newest_of(ledger)
    gone = documents_gone(newest) or 0
    folder = ModelFolder(models_of(settings.cache, settings.ledger) / str(gone))
    wanted = list(_wanted(newest))
    made = 0
    for place, key in enumerate(wanted):
        progress("models", place, len(wanted))
        if folder.find(file_key(key)) is None:
            keep(newest, key, folder)
            made += 1
    progress("models", len(wanted), len(wanted))
    if (documents_gone(newest) or 0) > gone:  # somebody was erased meanwhile: these have the name
        shutil.rmtree(folder.path, ignore_errors=True)
    return made


def _wanted(ledger: PastLedger) -> Iterator[ModelKey]:
    """Yields what is asked for first: the register, the newest state of each list, careers."""
    yield people_key(ledger)
    facts = ledger.facts()
    for name in sorted(facts.lists):
        if editions_of(facts, name, newest_period(ledger, name)):
            yield list_key(ledger, name, None, None)
            if has_many_players(ledger):
                yield statements_key(ledger, name, None, None)
    yield careers_key(ledger)
