"""The read models at hand: looked up, made where they are missing, thrown away where damaged."""

from __future__ import annotations

import json
import logging
import sqlite3
import subprocess
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import asdict, replace
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Protocol

from ledger.application.ledger import Ledger
from ledger.application.list_pages import RowsAsked, RowsPage, page_of
from ledger.application.lists import show as show_list
from ledger.children import environment, interpreter
from ledger.lists.orders import RowOrder
from ledger.lists.rating_list import ListRows, RatingList
from web.read_models.builder import ListKey, keep_list, list_key
from web.read_models.folder import ModelFolder, discard
from web.read_models.list_model import ListModel

if TYPE_CHECKING:
    from web.settings import WebSettings
    from web.site import View

_log = logging.getLogger("rating_ledger.web")
_AT_ONCE = 5_000  # players; a model of so many is made while somebody waits
_OPEN = 16
_CHUNK = 2_000  # rows of a list that is sent as a whole


class ListAnswers(Protocol):
    """A list that can be asked for its pages."""

    heading: Any
    document_heading: str
    count: int
    federations: Any

    def page(self, asked: RowsAsked) -> RowsPage:
        """Returns a page of it."""
        ...


class CalculatedList:
    """A list in memory, for as long as it has no model: slower, and with the same answers."""

    def __init__(self, view: View, made: RatingList) -> None:
        self._view = view
        self._made = made
        self.heading = made.heading()
        self.document_heading = made.document_heading()
        self.count = len(made.rows)
        self.federations = sorted({code for code in made.rows.column("federation") if code})

    def page(self, asked: RowsAsked) -> RowsPage:
        """Returns a page, by the application."""
        return self._view.ask(page_of, self._made, asked)


class Shelf:
    """The models of a site.

    Args:
        settings: those of the site; a ledger without a URL is known to this process alone, which
            makes every model itself then.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._folder = ModelFolder(settings.cache / "lists")
        self._lock = Lock()
        self._open: OrderedDict[str, ListModel] = OrderedDict()
        self._being_made: set[str] = set()
        self._calculated: tuple[str, CalculatedList] | None = None

    def shown(
        self, view: View, name: str, period: str | None = None, edition: int | None = None
    ) -> ShownList:
        """Returns a list as ``ledger.application.lists.show`` does; raises as that does."""
        key = view.ask(list_key, name, period, edition)
        return ShownList(self, view, key)

    def answers(self, view: View, key: ListKey) -> ListAnswers:
        """Returns who answers for a list: its model, or the application until there is one."""
        text = key.text()
        model = self._opened(text)
        if model is not None:
            return model
        if view.ask(_players) <= _AT_ONCE or not self._settings.ledger:
            view.ask(keep_list, key, self._folder)
            model = self._opened(text)
            if model is not None:
                return model
        else:
            self._make_beside(view.seq, key)
        return self._by_application(view, key)

    def throw_away(self, key: ListKey, model: ListModel) -> None:
        """Throws a model away that is damaged, or shows what must not be shown any more."""
        with self._lock:
            self._open.pop(key.text(), None)
        discard(model.path)
        model.close()

    def _opened(self, text: str) -> ListModel | None:
        with self._lock:
            model = self._open.get(text)
            if model is not None:
                self._open.move_to_end(text)
                return model
            path = self._folder.find(text)
            if path is None:
                return None
            try:
                model = self._open[text] = ListModel(path)
            except (sqlite3.Error, KeyError, ValueError):
                discard(path)
                return None
            if self._calculated and self._calculated[0] == text:
                self._calculated = None
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
            return model

    def _by_application(self, view: View, key: ListKey) -> CalculatedList:
        known = self._calculated
        if known and known[0] == key.text():
            return known[1]
        made = view.ask(show_list, key.list, key.period, edition=key.edition)
        calculated = CalculatedList(view, made)
        self._calculated = (key.text(), calculated)
        return calculated

    def _make_beside(self, seq: int, key: ListKey) -> None:
        """Has a model made by another process, unless one is making it."""
        text = key.text()
        with self._lock:
            if text in self._being_made:
                return
            self._being_made.add(text)
        Thread(target=self._make, args=(seq, key), name="read-model", daemon=True).start()

    def _make(self, seq: int, key: ListKey) -> None:
        asked = {
            "ledger": self._settings.ledger,
            "folder": str(self._folder.path),
            "seq": seq,
            "key": asdict(key),
        }
        try:
            done = subprocess.run(  # noqa: S603 - our own program
                [*interpreter(), "-m", "web.read_models.builder"],
                input=json.dumps(asked), text=True, env=environment(),
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
            )  # fmt: skip
            if done.returncode:
                _log.error("a read model could not be made: %s", done.stderr[-2_000:])
        finally:
            with self._lock:
                self._being_made.discard(key.text())


def _players(ledger: Ledger) -> int:
    return len(ledger.facts().players)


class ShownList:
    """A list that somebody looks at: whoever answers for it, the answers are the same.

    A name is shown only while its document is there: a person who was erased since the model was
    made has no name, and the model is thrown away.
    """

    def __init__(self, shelf: Shelf, view: View, key: ListKey) -> None:
        self._shelf = shelf
        self._view = view
        self._key = key
        self._answers = shelf.answers(view, key)

    @property
    def heading(self) -> dict[str, Any]:
        """Its JSON form without the rows."""
        return dict(self._answers.heading)

    @property
    def count(self) -> int:
        """How many players it has."""
        return self._answers.count

    @property
    def federations(self) -> list[str]:
        """The federations of its players."""
        return list(self._answers.federations)

    def page(self, asked: RowsAsked) -> RowsPage:
        """Returns a page of it; see ``ListModel.page``."""
        answers = self._answers
        try:
            found = answers.page(asked)
            if not isinstance(answers, ListModel) or self._names_stand(answers, found.rows):
                return found
        except sqlite3.Error:
            _log.warning("a read model is damaged, and made again")
        assert isinstance(answers, ListModel), "the application reads no model"
        self._shelf.throw_away(self._key, answers)
        self._answers = self._shelf.answers(self._view, self._key)
        return self.page(asked)

    def chunks(self, asked: RowsAsked) -> Iterator[ListRows]:
        """Yields all rows of a selection, some at a time, in the order of their ranks."""
        asked = replace(asked, order=RowOrder.RANK, after=0, limit=_CHUNK)
        while True:
            page = self.page(asked)
            yield page.rows
            if page.after is None:
                return
            asked = replace(asked, after=page.after)

    def document(self) -> Iterator[str]:
        """Yields the bytes that went out, as text."""
        yield self._answers.document_heading
        for number, rows in enumerate(self.chunks(RowsAsked())):
            table = rows.table()
            yield table if number == 0 else table.partition("\n")[2]

    def _names_stand(self, model: ListModel, rows: ListRows) -> bool:
        digests = model.identities(rows.column("id"))
        return self._view.ask(_are_there, set(digests.values()))


def _are_there(ledger: Ledger, digests: set[str]) -> bool:
    """Whether all of some documents are there."""
    return not digests or len(ledger.journal.personal_documents(digests)) == len(digests)
