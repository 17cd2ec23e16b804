"""The read models at hand: looked up, made where they are missing, thrown away where damaged."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic
from typing import Final, TypeVar

from fastapi import Request

from ledger.children import environment, interpreter
from web.read_models.builder import ModelKey, file_key, has_many_players, keep, order_for
from web.read_models.connections import ReadConnections
from web.read_models.folder import ModelFolder, NotWritten, discard, models_of
from web.settings import WebSettings
from web.site import View

OpenModel = TypeVar("OpenModel", bound=ReadConnections)
Answer = TypeVar("Answer")

_log = logging.getLogger("rating_ledger.web")
_OPEN: Final = 16
_MADE_BESIDE: Final = 2  # at a time; whoever asks for more asks again
_PAUSE: Final = 3  # times as long as it took, until one that was outdated or failed is made again


class ModelStore:
    """The models of a site.

    They hold names, which lie in documents that can be erased. So all are thrown away when a
    document is gone, as the views say: a name is shown for a minute at most after it was erased.

    Args:
        settings: those of the site; a ledger without a URL is known to this process alone, which
            makes every model itself then.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._root = models_of(settings.cache, settings.ledger)
        self._gone: int | None = None
        self._lock = Lock()  # of the names below, for moments: no file is read while it is held
        self._opening: defaultdict[str, Lock] = defaultdict(Lock)
        self._open: OrderedDict[str, ReadConnections] = OrderedDict()
        self._being_made: set[str] = set()
        self._paused_until: dict[str | type[ModelKey], float] = {}

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
        """Returns a model; None where there is none yet, and then it is being made if it can be."""
        folder = self._folder(view)
        model = self._opened(key, of, folder)
        if model is not None:
            return model
        if view.recall(has_many_players) and self._settings.ledger:
            self._make_beside(view.seq, key, folder)
            return None
        try:
            view.ask(keep, key, folder)
        except NotWritten as error:
            _log_failure(str(error))
            return None
        return self._opened(key, of, folder)

    def throw_away(self, key: ModelKey, model: ReadConnections) -> None:
        """Throws a model away that is damaged."""
        with self._lock:
            self._open.pop(file_key(key), None)
        discard(model.path)
        model.close()

    def _folder(self, view: View) -> ModelFolder:
        """Returns where the models are; all that were made before a person was erased are gone."""
        if self._gone is None or view.gone > self._gone:
            self._begin_anew(view.gone)
        return ModelFolder(self._root / str(self._gone))

    def _begin_anew(self, gone: int) -> None:
        with self._lock:
            self._gone = gone
            models = list(self._open.values())
            self._open.clear()
            self._opening.clear()
        for model in models:
            model.close()
        for old in self._root.glob("*"):
            if old.name != str(gone):
                shutil.rmtree(old, ignore_errors=True)

    def _opened(self, key: ModelKey, of: type[OpenModel], folder: ModelFolder) -> OpenModel | None:
        text = file_key(key)
        model = self._at_hand(text)
        if model is None:
            with self._lock:
                turn = self._opening[text]
            with turn:  # one reads and hashes the file; who asks for another one does not wait
                model = self._at_hand(text) or self._read(text, of, folder)
        assert model is None or isinstance(model, of), "a key is of one kind"
        return model

    def _at_hand(self, text: str) -> ReadConnections | None:
        with self._lock:
            model = self._open.get(text)
            if model is not None:
                self._open.move_to_end(text)
        return model

    def _read(self, text: str, of: type[OpenModel], folder: ModelFolder) -> OpenModel | None:
        """Opens a model's file, and closes those that were asked for longest ago."""
        path = folder.find(text)
        if path is None:
            return None
        try:
            model = of(path)
        except (sqlite3.Error, KeyError, ValueError):
            discard(path)
            return None
        closed: list[ReadConnections] = []
        with self._lock:
            if folder.path.name == str(self._gone):  # else it is asked this once
                self._open[text] = model
            while len(self._open) > _OPEN:
                old, least = self._open.popitem(last=False)
                self._opening.pop(old, None)
                closed.append(least)
        for each in closed:
            each.close()
        return model

    def _make_beside(self, seq: int, key: ModelKey, folder: ModelFolder) -> None:
        """Has a model made by another process, unless one is making it or enough are at work.

        On a day with many commits, those that each commit outdates do not keep a core busy; nor
        does one that fails, as long as the disk is full.
        """
        with self._lock:
            if file_key(key) in self._being_made or len(self._being_made) >= _MADE_BESIDE:
                return
            if monotonic() < self._paused_until.get(_pause_of(key), 0.0):
                return
            self._being_made.add(file_key(key))
        Thread(target=self._make, args=(seq, key, folder), name="read-model", daemon=True).start()

    def _make(self, seq: int, key: ModelKey, folder: ModelFolder) -> None:
        order = order_for(self._settings.ledger, seq, key, folder.path)
        began = monotonic()
        failure: str | None = ""
        try:
            failure = made_beside(order)
            if failure is not None:
                _log_failure(failure)
        finally:
            with self._lock:
                self._being_made.discard(file_key(key))
                if failure is not None or not key.is_settled:
                    ended = monotonic()
                    self._paused_until[_pause_of(key)] = ended + _PAUSE * (ended - began)
            if folder.path.name != str(self._gone):  # somebody was erased meanwhile
                shutil.rmtree(folder.path, ignore_errors=True)


def _pause_of(key: ModelKey) -> str | type[ModelKey]:
    """Returns what waits together after one was made: all of a kind that each commit outdates."""
    return file_key(key) if key.is_settled else type(key)


def _log_failure(text: str) -> None:
    """Logs why a model was not made; of an exception its kind alone, its text may name somebody."""
    last = text.rstrip().rpartition("\n")[2]
    _log.error("a read model could not be made: %s", last.partition(":")[0])


def made_beside(order: str) -> str | None:
    """Has a process make a model; returns what it said where it failed.

    Its input stays open until it is done, so that it ends where this process does.
    """
    with subprocess.Popen(  # noqa: S603 - our own program
        [*interpreter(), "-m", "web.read_models.builder"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=environment(),
    ) as builder:  # fmt: skip
        assert builder.stdin is not None and builder.stderr is not None  # noqa: PT018 - pipes
        with suppress(OSError):  # it died already: what it returns says so
            builder.stdin.write(order + "\n")
            builder.stdin.flush()
        error_text = builder.stderr.read()
        return error_text if builder.wait() else None


def store_of(request: Request) -> ModelStore:
    """Returns the models of the site that a request is for."""
    store: ModelStore = request.app.state.models
    return store
