"""Studies that are calculated while somebody waits: each once, and one at a time.

Each takes the memory and the time of a whole list. So what is calculated is kept for everybody; who
did not sign in has little calculated, and then leaves the turn to others for as long as it took.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from fastapi import Request

from ledger.answers.list_figures import effort_of
from ledger.views.past import PastLedger
from web.access import account_of
from web.site import View
from web.turns import Turns

MOST_AT_ONCE: Final = 40_000_000
"""What takes more than this is not calculated while somebody waits: see ``effort_of``."""
RETRY_SECONDS: Final = 5
_STRANGERS_PART: Final = 10  # what is calculated for who did not sign in: a tenth of it
_SMALLEST: Final = MOST_AT_ONCE // 100  # as which small ones count, where they are kept
_LONGEST_PAUSE: Final = 2.0  # seconds
_WAITING: Final = 4  # so many wait for their turn, where everybody may ask
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class Calculations:
    """What was calculated last: so many as take ``MOST_AT_ONCE`` together."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[int, Any]] = {}
        self._turns = Turns(1, _WAITING, "study.busy")

    def find(self, key: Hashable) -> Any | None:
        """Returns what was calculated before; None where it is not kept."""
        found = self._kept.get(key)
        return found[1] if found is not None else None

    def forget(self) -> None:
        """Forgets everything: it may name somebody who was erased."""
        self._kept = {}

    def make(
        self,
        key: Hashable,
        effort: int,
        calculate: Callable[[], Answer],
        *,
        gives_way: bool,
        waits: bool = False,
    ) -> Answer:
        """Calculates something and keeps it.

        Args:
            key: says what it is.
            effort: how much it goes through.
            calculate: does it; what it raises is raised.
            gives_way: whether the next one waits as long as this one took.
            waits: whether it waits for its turn, with a few others, for a while.

        Raises:
            Busy: another one is being calculated.
        """
        with self._turns.one(waits=waits):
            if (found := self.find(key)) is not None:  # made while it waited
                return found  # type: ignore[no-any-return]
            began = time.perf_counter()
            try:
                data = calculate()
                self._keep(key, max(effort, _SMALLEST), data)
            finally:
                if gives_way:
                    time.sleep(min(time.perf_counter() - began, _LONGEST_PAUSE))
        return data

    def _keep(self, key: Hashable, effort: int, data: Any) -> None:
        self._kept[key] = effort, data
        while len(self._kept) > 1 and sum(each for each, _ in self._kept.values()) > MOST_AT_ONCE:
            del self._kept[next(iter(self._kept))]


def study_of(
    request: Request, view: View, make: Callable[[PastLedger, dict[str, Any]], dict[str, Any]],
    wanted: dict[str, Any],
) -> dict[str, Any] | None:  # fmt: skip
    """Returns a study of the list ``asked["list"]``; None where it takes too long for who asks.

    ``make`` makes it; what it raises is raised. ``wanted`` says what of it, as JSON data.

    Raises:
        Busy: another one is being calculated.
        NotFound: no such list.
    """
    calculations: Calculations = request.app.state.calculations
    key = json.dumps(
        [make.__module__, make.__qualname__, view.state, view.gone, wanted], sort_keys=True
    )
    if (found := calculations.find(key)) is not None:
        return found  # type: ignore[no-any-return]
    effort = view.recall(effort_of, wanted["list"])
    is_stranger = account_of(request) is None
    if effort > (MOST_AT_ONCE // _STRANGERS_PART if is_stranger else MOST_AT_ONCE):
        return None
    return calculations.make(key, effort, lambda: view.ask(make, wanted), gives_way=is_stranger)


def replayed(
    request: Request,
    view: View,
    name: str,
    question: Callable[Concatenate[PastLedger, Given], Answer],
    *arguments: Given.args,
    **named: Given.kwargs,
) -> Answer:
    """Asks what replays a list once or twice, whoever asks: a rating's causes, two lists.

    It takes its turn with the studies, and a few wait for theirs; the answer is kept. ``question``
    is a function of ``ledger.answers``; what it raises is raised. ``arguments`` and ``named`` are
    what it is asked.

    Raises:
        Busy: too many are asking.
        NotFound: no such list.
    """
    calculations: Calculations = request.app.state.calculations
    key = (question, view.state, view.gone, arguments, tuple(sorted(named.items())))
    if (found := calculations.find(key)) is not None:
        return found  # type: ignore[no-any-return]
    effort = view.recall(effort_of, name)
    return calculations.make(
        key, effort, lambda: view.ask(question, *arguments, **named),
        gives_way=account_of(request) is None, waits=True,
    )  # fmt: skip
