"""Where the pages ask: the ledger as it is known now, or as it was known at a seq.

A request is answered from one ``View``, however many questions it takes: its events do not change
while it is answered. Nobody waits for a question of somebody else: what several share of a view is
made by whoever asks first (``PastLedger``). Only the newest view is made by one thread at a time,
what is recorded is recorded one after the other, and what is only previewed likewise. Of those who
did not sign in a few are answered at once, and a few wait for their turn: a question about a whole
list takes memory, and whoever waits keeps a thread from those who signed in.

Names lie in documents that can be erased, by another process too. So it is looked how many are gone
as soon as an event says so, and now and then, and whatever keeps names forgets them.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from threading import RLock
from time import monotonic
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from ledger.errors import LedgerError, RightsLacking
from ledger.identifiers import NO_EVENT, Seq
from ledger.journal.records import Head
from ledger.service.ledger import Ledger
from ledger.views.outcomes import KeptOutcomes
from ledger.views.past import (
    PastLedger,
    before_long_commit,
    documents_gone,
    is_erased_since,
    known_on,
    newest_of,
)
from web.language import cause_of
from web.memory import give_back
from web.refusals import Forbidden
from web.settings import WebSettings
from web.shown_head import ShownHead
from web.turns import Turns

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
_log = logging.getLogger("rating_ledger.web")
_PASTS = 2  # states of the past that are kept in memory, beside the newest
_RECALLED = 2_000  # short answers that are kept for a state of the ledger
_LOOKED_AFTER = 60.0  # seconds, until it is looked again whether somebody was erased
_AT_ONCE = 4  # questions of those who did not sign in
_WAITING = 24  # more of them, of the 40 threads that a server has
_IDLE = 30.0  # seconds without a question about the facts, after which they are let go
_PERIODS = 3  # calculated ones that are kept in memory: of statements, and the last for players


class View:
    """The ledger at one seq.

    ``turns`` gives each question its turn; None: nobody waits (see ``Site.turns``). ``asked_for``
    is the seq that somebody asked for; None where it is the newest state. ``gone`` is how many
    documents of persons were erased by now, or a minute ago. One that ``is_former`` stands for the
    newest, as long as what is asked of that is being made ready.
    """

    def __init__(
        self,
        ledger: PastLedger,
        turns: Turns | None,
        asked_for: int | None = None,
        gone: int = 0,
        *,
        is_former: bool = False,
    ) -> None:
        self._ledger = ledger
        self.turns = turns
        self.asked_for = asked_for
        self.gone = gone
        self.is_former = is_former

    def in_place_of_newest(self) -> View:
        """Returns the same state as what is shown until the newest is ready."""
        return View(self._ledger, self.turns, gone=self.gone, is_former=True)

    @property
    def seq(self) -> Seq:
        """The last seq that is known."""
        return self._ledger.seq

    @property
    def state(self) -> str:
        """Names what is known, in this ledger and no other: the seq and the root there."""
        head = self._ledger.journal.head()
        return f"{head.seq} {head.root}"

    @property
    def now(self) -> dt.datetime:
        """What time it is where the federation is."""
        return self._ledger.clock()

    @property
    def recorded_at(self) -> dt.datetime:
        """When something was recorded last, where the federation is; now, where nothing was."""
        commit, now = self._ledger.last_commit, self._ledger.clock()
        recorded_at = dt.datetime.fromisoformat(commit.recorded_at) if commit else now
        return recorded_at.astimezone(now.tzinfo)

    def ask(
        self,
        question: Callable[Concatenate[PastLedger, Given], Answer],
        *arguments: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        """Asks a function of ``ledger.answers``; raises as it does, and ``Busy`` without a turn."""
        with nullcontext() if self.turns is None else self.turns.one():
            return question(self._ledger, *arguments, **named)

    def recall(
        self,
        question: Callable[Concatenate[PastLedger, Given], Answer],
        *arguments: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        """Asks what several pages need; the answer is kept for this state, and for the day."""
        key = (question, arguments, tuple(sorted(named.items())), self._ledger.today)
        kept = _KEPT.setdefault(self._ledger, {})
        try:
            answer: Answer = kept[key]
        except KeyError:
            answer = self.ask(question, *arguments, **named)
            if len(kept) >= _RECALLED:
                kept.clear()
            kept[key] = answer
        return answer


_KEPT: WeakKeyDictionary[PastLedger, dict[Hashable, Any]] = WeakKeyDictionary()


class Site:
    """A ledger with the settings of its site.

    Args:
        ledger: what is shown, and where the desk records.
        settings: see there.

    ``turns`` are those of who did not sign in; ``web.asked_view`` knows whose request it is.
    """

    def __init__(self, ledger: Ledger, settings: WebSettings) -> None:
        self.settings = settings
        self.lacks_people = ledger.journal.lacks_people
        ledger.federation = settings.federation
        self._ledger = ledger
        self._times_asked, self._asked_at = -1, 0.0
        self._lock = RLock()  # of which views there are, and what they may keep
        self._recording, self._previewing = RLock(), RLock()
        self.turns = Turns(_AT_ONCE, _WAITING, "web.busy")
        self._newest: PastLedger | None = None
        self._keep_periods()
        self._pasts: OrderedDict[Head, PastLedger] = OrderedDict()
        self._gone: int | None = None
        self._look_at = 0.0
        self._seen: Seq | None = None  # the last seq up to which events were asked for erasures
        self._forget: list[Callable[[int], None]] = []
        self._shown = ShownHead(ledger.journal, settings.cache)

    def head(self) -> Seq:
        """Returns the last seq that is recorded."""
        return self._ledger.journal.head().seq

    def has_room(self) -> bool:
        """Whether the disk of the ledger takes a commit."""
        return self._ledger.journal.has_room()

    def newest(self) -> View:
        """Returns the ledger as it is known now, for who signed in: they wait for no stranger."""
        newest = self._current()
        return View(newest, None, gone=self._looked(newest))

    def _current(self) -> PastLedger:
        head = self._ledger.journal.head()
        self._look_for_erasures(head.seq)
        newest = self._newest
        if newest is None or newest.journal.head() != head:
            with self._lock:
                newest = self._renewed()
        self._rest(newest)
        return newest

    def public(self) -> View:
        """Returns the same for those who record nothing: a long commit not before it is read back.

        They see it seconds later, in all workers at once, and nobody waits until it is read.
        """
        newest = self._public()
        return View(newest, self.turns, gone=self._looked(newest))

    def _public(self) -> PastLedger:
        newest = self._newest
        upto = before_long_commit(self._ledger, newest.seq if newest is not None else NO_EVENT)
        if upto is None:
            return self._current()
        self._look_for_erasures(self.head())
        if newest is None or newest.seq < upto:
            with self._lock:
                newest = self._renewed(upto)
        self._rest(newest)
        return newest

    def _renewed(self, upto: Seq | None = None) -> PastLedger:
        """Returns the ledger as it is known now, or was at a seq."""
        before, key = self._newest, self._ledger.times_asked
        head = self._ledger.journal.head()
        if before is not None and (
            before.journal.head() == head if upto is None else before.seq >= upto
        ):
            return before  # somebody else was faster
        newest = newest_of(self._ledger) if upto is None else PastLedger(self._ledger, upto)
        self._newest = newest
        self._times_asked += self._ledger.times_asked - key  # as if nobody had asked for them
        if not self._shown.take(newest.journal.head()):  # what was kept is of another history
            newest.forget()
            self.look_again()
            self._keep_periods()
        return newest

    def history_fault(self) -> str | None:
        """Says why the ledger is not the one that was shown, in an earlier state; None: it is."""
        return self._shown.fault()

    def _rest(self, newest: PastLedger) -> None:
        """Lets go of the facts and the calculated periods, if nobody asked for them for a while.

        What people ask for most is answered by read models: a worker that does nothing else needs
        a fraction of the memory.
        """
        if self._times_asked != self._ledger.times_asked:
            self._times_asked, self._asked_at = self._ledger.times_asked, monotonic()
        elif newest.has_facts() and monotonic() - self._asked_at > _IDLE:
            with self._lock:
                newest.forget()
                self._pasts.clear()
                self._keep_periods()
            give_back()

    def _keep_periods(self) -> None:
        self._ledger.calculated = KeptOutcomes(_PERIODS)
        if self._newest is not None:
            self._newest.calculated = self._ledger.calculated

    def at(self, seq: Seq) -> View:
        """Returns the ledger as it was known at a seq; raises ``NotFound`` for a later one."""
        gone = self._looked(self._public())  # first: what was kept of a name is let go
        past = PastLedger(self._ledger, seq)
        with self._lock:
            state = past.journal.head()
            past = self._pasts.setdefault(state, past)
            self._pasts.move_to_end(state)
            while len(self._pasts) > _PASTS:
                self._pasts.popitem(last=False)
        return View(past, self.turns, past.seq, gone)

    def former(self, seq: Seq) -> View:
        """Returns the state at a seq, shown while the newest is being made ready."""
        return self.at(seq).in_place_of_newest()

    def on(self, day: dt.date) -> View:
        """Returns the ledger as it was known when a day was over; raises as ``known_on``."""
        return self.at(known_on(self._ledger, day))

    def when_erased(self, forget: Callable[[int], None]) -> None:
        """Has something called that forgets names, with how many documents are gone by then.

        It is called by whoever asks first, and again whenever another document is gone: at once
        where an event says so, else a minute later at most. Where it raises ``LedgerError`` it is
        called again.
        """
        self._forget.append(forget)

    def look_again(self) -> None:
        """Has the next one who asks look whether somebody was erased."""
        self._look_at = 0.0

    def _look_for_erasures(self, head: Seq) -> None:
        """Has it looked who was erased, where an event of those up to the head says so."""
        seen = self._seen
        if seen != head:
            if seen is None or head < seen or is_erased_since(self._ledger, seen):
                self.look_again()
            self._seen = head

    def _looked(self, ledger: PastLedger) -> int:
        """Returns how many documents are gone; what keeps names forgets them at a new one."""
        if self._gone is not None and monotonic() < self._look_at:
            return self._gone
        with self._lock:
            self._look_at = monotonic() + _LOOKED_AFTER  # first: who sees an erasure takes it back
            try:
                gone = documents_gone(ledger)
            except LedgerError:
                self.look_again()
                raise
            if gone is None or gone != self._gone:
                self._forget_names()
            if gone is None:  # something is being recorded: the next one looks
                self.look_again()
                return self._gone or 0
            if gone == self._gone:
                return gone
            self._gone = gone
        for forget in self._forget:
            try:
                forget(gone)
            except LedgerError as error:
                _log.warning("names are not forgotten yet: %s", cause_of(error))
                self._gone, self._look_at = None, 0.0
        return gone

    def _forget_names(self) -> None:
        """Lets go of the names that views keep."""
        self._pasts.clear()
        _KEPT.clear()
        if self._newest is not None:
            self._newest.forget_names()

    def record(
        self,
        command: Callable[Concatenate[Ledger, Given], Answer],
        *arguments: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        """Calls a function of ``ledger.service`` that records something; raises as it does.

        It must not write into the office (see ``Office.writing``). Where the account that asks has
        lost its rights meanwhile, ``Forbidden`` is raised.
        """
        with self._recording, _lost_rights():
            return command(self._ledger, *arguments, **named)

    def preview(
        self,
        command: Callable[Concatenate[Ledger, Given], Answer],
        *arguments: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        """Calls one that says what it would record; who records something does not wait for it."""
        with self._previewing, _lost_rights():
            return command(self._ledger, *arguments, **named)


@contextmanager
def _lost_rights() -> Iterator[None]:
    """Refuses what an account has lost the rights for since it asked; raises ``Forbidden``."""
    try:
        yield
    except RightsLacking as lacking:
        raise Forbidden(lacking.message) from lacking
