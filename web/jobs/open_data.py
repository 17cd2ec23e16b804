"""Open data of a site: made anew, as a job, once a list is published or somebody is erased.

So they are as of the last publication, and nothing that is recorded between two of them costs
anything. They lie in the site's folder for what can be made again at any time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ledger.disk import system_said
from ledger.errors import DatabaseError, InputRefused
from ledger.events.lists import ListPublished
from ledger.events.players import PlayerErased
from ledger.intake.data_package import (
    DESCRIPTION,
    DataPackage,
    read_data_package,
    write_data_package,
)
from ledger.journal.interface import Journal
from ledger.journal.records import Progress
from ledger.service.ledger import Ledger
from ledger.views.past import newest_of
from ledger.wording import Message
from web.office.jobs import start
from web.office.store import Office
from web.settings import WebSettings


class DataWatch:
    """Asks for open data as a job."""

    def __init__(self, settings: WebSettings, office: Office) -> None:
        self._settings = settings
        self._office = office
        self._seen: int | None = None

    def look_at(self, journal: Journal) -> None:
        """Asks for a job where something was published, or somebody erased, since they were made.

        Only what is new since the last look is read, at first what is new since they were made.
        """
        if not self._settings.makes_data:
            return
        seen, head = self._seen, journal.head().seq
        self._seen = head
        if head == seen:
            return
        types, wanted = [ListPublished.TYPE, PlayerErased.TYPE], _wanted(self._settings)
        if seen is None:
            package = _package(self._settings)
            if package is not None and _is_wanted(package, wanted, journal):
                seen = package.seq
            else:
                types, seen = [ListPublished.TYPE], 0
        if journal.count_of(types, after=seen, upto=head):
            start(self._office, "open_data", {"seq": head, **wanted})


def make_data(
    ledger: Ledger, settings: WebSettings, wanted: Mapping[str, Any], progress: Progress
) -> Mapping[str, Any]:
    """Makes open data as of now, unless they are there; returns up to which seq they are known.

    Nothing is made, and the seq is None, before a list was published.

    Args:
        ledger: whose.
        settings: of the site that gives them.
        wanted: ``seq`` up to which they must be known, ``title``, ``licence`` and ``publisher``.
        progress: is told as ``write_data_package`` tells.

    Raises:
        InputRefused: what writes tables is not installed.
        DatabaseError: they cannot be written.
    """
    folder, view, package = settings.data_folder, newest_of(ledger), _package(settings)
    assert folder is not None, "a site that gives none asks for none"
    if not any(each.publications for each in view.facts().lists.values()):
        return {"seq": None}
    is_there = package is not None and _is_wanted(package, wanted, view.journal)
    if package is None or not is_there or package.seq < wanted["seq"]:
        about = wanted["title"], wanted["licence"], wanted["publisher"]
        try:
            if package is None:
                (folder / DESCRIPTION).unlink(missing_ok=True)
            package = write_data_package(view, folder, *about, progress)
            _tidy_up(folder, package)
        except OSError as error:
            why = system_said(error)
            raise DatabaseError("package.not_written", folder=folder, why=why) from error
    return {"seq": package.seq}


def _tidy_up(folder: Path, package: DataPackage) -> None:
    """Throws away what a job left that did not come to its end."""
    kept = {DESCRIPTION, *(each.path for each in package.resources)}
    for path in folder.iterdir():
        if path.name not in kept:
            path.unlink(missing_ok=True)


def _wanted(settings: WebSettings) -> dict[str, str | None]:
    name = settings.face.name
    return {
        "title": Message.of("package.title").within("en"),
        "licence": settings.data_licence,
        "publisher": name.en if name else None,
    }


def _is_wanted(package: DataPackage, wanted: Mapping[str, Any], journal: Journal) -> bool:
    """Whether open data are of this history, and say what they are to say of themselves."""
    if journal.root_at(package.seq) != package.root:
        return False
    return all(getattr(package, name) == wanted[name] for name in ("title", "licence", "publisher"))


def _package(settings: WebSettings) -> DataPackage | None:
    """Returns what is there; None also for what cannot be read: it is made anew."""
    folder = settings.data_folder
    try:
        return None if folder is None else read_data_package(folder)
    except InputRefused:
        return None
