"""The read models at hand: looked up, made where they are missing, thrown away where damaged."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from ledger.application.ledger import Ledger
from ledger.children import environment, interpreter
from web.read_models.builder import ModelKey, file_key, keep, order_for
from web.read_models.career_model import CareerModel
from web.read_models.folder import ModelFolder, discard
from web.read_models.list_model import ListModel
from web.read_models.people_model import PeopleModel

if TYPE_CHECKING:
    from web.settings import WebSettings
    from web.site import View

Model: TypeAlias = ListModel | PeopleModel | CareerModel
OpenModel = TypeVar("OpenModel", ListModel, PeopleModel, CareerModel)
Answer = TypeVar("Answer")

_log = logging.getLogger("rating_ledger.web")
_AT_ONCE: Final = 5_000  # players; a model of so many is made while somebody waits
_OPEN: Final = 16
_MADE_BESIDE: Final = 2  # at a time; whoever asks for more asks again


class Shelf:
    """The models of a site.

    Args:
        settings: those of the site; a ledger without a URL is known to this process alone, which
            makes every model itself then.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._folder = ModelFolder(settings.cache / "models")
        self._lock = Lock()
        self._open: OrderedDict[str, Model] = OrderedDict()
        self._being_made: set[str] = set()

    def asked(
        self,
        view: View,
        key: ModelKey,
        of: type[OpenModel],
        question: Callable[[OpenModel], Answer],
    ) -> Answer | None:
        """Asks a model; None where there is none yet, and then it is being made.

        A damaged one is thrown away and made again.
        """
        model = self.model(view, key, of)
        if model is None:
            return None
        try:
            return question(model)
        except sqlite3.Error:
            _log.warning("a read model is damaged, and made again")
            self.throw_away(key, model)
        model = self.model(view, key, of)
        return None if model is None else question(model)

    def model(self, view: View, key: ModelKey, of: type[OpenModel]) -> OpenModel | None:
        """Returns a model; None where there is none yet, and then it is being made."""
        model = self._opened(key, of)
        if model is not None:
            return model
        if view.ask(_players) > _AT_ONCE and self._settings.ledger:
            self._make_beside(view.seq, key)
            return None
        view.ask(keep, key, self._folder)
        return self._opened(key, of)

    def throw_away(self, key: ModelKey, model: Model) -> None:
        """Throws a model away that is damaged, or shows what must not be shown any more."""
        with self._lock:
            self._open.pop(file_key(key), None)
        discard(model.path)
        model.close()

    def _opened(self, key: ModelKey, of: type[OpenModel]) -> OpenModel | None:
        text = file_key(key)
        with self._lock:
            model = self._open.get(text)
            if model is None:
                path = self._folder.find(text)
                if path is None:
                    return None
                try:
                    model = self._open[text] = of(path)
                except (sqlite3.Error, KeyError, ValueError):
                    discard(path)
                    return None
            self._open.move_to_end(text)
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
        assert isinstance(model, of), "a key is of one kind"
        return model

    def _make_beside(self, seq: int, key: ModelKey) -> None:
        """Has a model made by another process, unless one is making it or enough are at work."""
        with self._lock:
            if file_key(key) in self._being_made or len(self._being_made) >= _MADE_BESIDE:
                return
            self._being_made.add(file_key(key))
        Thread(target=self._make, args=(seq, key), name="read-model", daemon=True).start()

    def _make(self, seq: int, key: ModelKey) -> None:
        try:
            done = subprocess.run(  # noqa: S603 - our own program
                [*interpreter(), "-m", "web.read_models.builder"],
                input=order_for(self._settings.ledger, seq, key, self._folder.path),
                text=True, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                check=False,
            )  # fmt: skip
            if done.returncode:
                _log.error("a read model could not be made: %s", done.stderr[-2_000:])
        finally:
            with self._lock:
                self._being_made.discard(file_key(key))


def _players(ledger: Ledger) -> int:
    return len(ledger.facts().players)
