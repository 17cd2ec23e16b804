"""The read models at hand: looked up, made where they are missing, thrown away where damaged."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import Final, TypeVar

from fastapi import Request

from ledger.children import environment, interpreter
from ledger.derived.builder import EntryBuilder
from ledger.derived.store import DerivedStore, EntryKey, NotWritten
from ledger.identifiers import Seq
from web.read_models.builder import has_many_players, keep, order_for, store_of_site
from web.read_models.connections import ReadConnections
from web.settings import WebSettings
from web.site import View

OpenModel = TypeVar("OpenModel", bound=ReadConnections)
Answer = TypeVar("Answer")

_log = logging.getLogger("rating_ledger.web")
_OPEN: Final = 16
_MOST_SERVED: Final = 200  # of which it is known when they were there last


class ModelStore:
    """The models of a site, in a store that is another one whenever a document is gone.

    So a name is shown for a minute at most after it was erased, as the views say.

    Args:
        settings: those of the site; a ledger without a URL is known to this process alone, which
            makes every model itself then.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._store: DerivedStore | None = None
        self._elsewhere: Path | None = None
        self._builder = EntryBuilder()
        self._lock = Lock()  # of the names below, for moments: no file is read while it is held
        self._opening: defaultdict[EntryKey, Lock] = defaultdict(Lock)
        self._open: OrderedDict[EntryKey, ReadConnections] = OrderedDict()
        self._served: OrderedDict[Hashable, Seq] = OrderedDict()

    def close(self) -> None:
        """Closes the models, and throws the temporary folder away where there is one."""
        with self._lock:
            elsewhere, self._elsewhere, self._store = self._elsewhere, None, None
            models = list(self._open.values())
            self._open.clear()
        for model in models:
            model.close()
        if elsewhere is not None:
            shutil.rmtree(elsewhere, ignore_errors=True)

    def served(self, view: View, wanted: Hashable) -> None:
        """Takes note that what was wanted of the newest state was there."""
        if view.asked_for is None and not view.is_former:
            with self._lock:
                self._served[wanted] = view.seq
                self._served.move_to_end(wanted)
                while len(self._served) > _MOST_SERVED:
                    self._served.popitem(last=False)

    def former(self, view: View, wanted: Hashable) -> Seq | None:
        """Returns the last seq at which what is wanted was there.

        None where there is none, or who asks wants it as known at another seq, or the last already.
        """
        is_newest = view.asked_for is None and not view.is_former
        return self._served.get(wanted) if is_newest else None

    def asked(
        self,
        view: View,
        key: EntryKey,
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
            self.throw_away(view, key, model)
        model = self.model(view, key, of)
        return None if model is None else question(model)

    def model(self, view: View, key: EntryKey, of: type[OpenModel]) -> OpenModel | None:
        """Returns a model; None where there is none yet, and then it is being made if it can be."""
        store = self._store_for(view)
        model = self._opened(key, of, store)
        if model is not None:
            return model
        if view.recall(has_many_players) and self._settings.ledger:
            order = order_for(self._settings.ledger, view.seq, key, store)
            self._builder.begin(key, lambda: _failure_of(order))
            return None
        try:
            view.ask(keep, key, store)
        except NotWritten as error:
            _log_failure(str(error))
            return None
        return self._opened(key, of, store)

    def make_ready(self, view: View, key: EntryKey) -> None:
        """Makes a model at once, by whoever knows that it is asked for next."""
        store = self._store_for(view)
        if store.find(key) is None:
            try:
                view.ask(keep, key, store)
            except NotWritten as error:
                _log_failure(str(error))

    def throw_away(self, view: View, key: EntryKey, model: ReadConnections) -> None:
        """Throws a model away that is damaged."""
        with self._lock:
            self._open.pop(key, None)
        self._store_for(view).forget(key)
        model.close()

    def _store_for(self, view: View) -> DerivedStore:
        """Returns where the models are; all that were made before a person was erased are gone."""
        with self._lock:
            store = self._store
            if store is not None and view.gone <= store.erased and store.trouble is None:
                return store
            self._store = store = self._new_store(view.gone)
            elsewhere = self._elsewhere
            models = list(self._open.values())
            self._open.clear()
            self._opening.clear()
        for model in models:
            model.close()
        store.forget_names()
        if elsewhere is not None and elsewhere != store.root:  # which was used until now
            DerivedStore(elsewhere, view.gone).forget_names()
        return store

    def _new_store(self, gone: int) -> DerivedStore:
        """Return the store of the site; a temporary one where others may write to its folder."""
        store = store_of_site(self._settings, gone)
        if store.trouble is None:
            return store
        _log.error(
            "read models in %s are not used: %s. They are made anew in a temporary folder. Take "
            "from others the right to write (chmod -R go-w), and start the site again",
            store.root, store.trouble,
        )  # fmt: skip
        if self._elsewhere is None:
            self._elsewhere = Path(mkdtemp(prefix="rating-ledger-models-"))  # this user's alone
            weakref.finalize(self, shutil.rmtree, self._elsewhere, ignore_errors=True)
        return DerivedStore(self._elsewhere, gone)

    def _opened(self, key: EntryKey, of: type[OpenModel], store: DerivedStore) -> OpenModel | None:
        model = self._at_hand(key)
        if model is None:
            with self._lock:
                turn = self._opening[key]
            with turn:  # one reads and hashes the file; who asks for another one does not wait
                model = self._at_hand(key) or self._read(key, of, store)
        assert model is None or isinstance(model, of), "a key is of one kind"
        return model

    def _at_hand(self, key: EntryKey) -> ReadConnections | None:
        with self._lock:
            model = self._open.get(key)
            if model is not None:
                self._open.move_to_end(key)
        return model

    def _read(self, key: EntryKey, of: type[OpenModel], store: DerivedStore) -> OpenModel | None:
        """Opens a model's file, and closes those that were asked for longest ago."""
        path = store.find(key)
        if path is None:
            return None
        try:
            model = of(path)
        except (sqlite3.Error, KeyError, ValueError):
            store.forget(key)
            return None
        closed: list[ReadConnections] = []
        with self._lock:
            if store is self._store:  # else it is asked this once
                self._open[key] = model
            while len(self._open) > _OPEN:
                old, least = self._open.popitem(last=False)
                self._opening.pop(old, None)
                closed.append(least)
        for each in closed:
            each.close()
        return model


def _failure_of(order: str) -> str | None:
    failure = made_beside(order)
    if failure is not None:
        _log_failure(failure)
    return failure


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
