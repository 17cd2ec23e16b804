"""Replays lists from the first period on, without snapshots, and tells what they come to.

One list after the other in this process; on an engine many lists side by side, or one list by
shards of its players (see ``ledger.cluster``). The figures are the same.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from time import perf_counter
from typing import Annotated

from ledger.cluster.shards import Coordinator, Engine, ShardPlace
from ledger.errors import DatabaseError
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.journal.stores.database import ARCHIVE
from ledger.json_form import HIDDEN, SHA256, JsonForm
from ledger.lists.people import People
from ledger.lists.publications import period_of, require_list
from ledger.lists.rating_list import rating_list
from ledger.rating.player_state import UNRATED
from ledger.replay.replay import Source, replay
from ledger.replay.timeline import Timeline, last_period
from ledger.service.archives import archive_at, open_ledger
from ledger.service.ledger import Ledger
from ledger.views.list_editions import require_period
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class WantedList:
    """A list to be replayed up to a period, as known at a seq, from the ledger at a URL.

    Dask writes its tasks into logs; the URL, which may hold a password, is left out of them.
    """

    url: str = field(repr=False)
    seq: Seq
    list: str
    period: str


@dataclass(frozen=True, slots=True)
class Replayed(JsonForm):
    """What a list comes to.

    ``postings`` are the sides of games that were rated, in all ``periods``; ``players`` have a
    rating in the list after the last. ``ratings_sha256`` is the digest of that list's rows without
    names, as a publication records it. ``seconds`` were spent on replaying: they differ from one
    run to the next, and are no part of its JSON form.
    """

    list: str
    period: str
    seq: Seq
    periods: int
    postings: int
    players: int
    ratings_sha256: Annotated[str, SHA256]
    seconds: Annotated[float, HIDDEN]

    @property
    def games_per_second(self) -> int:
        """How many games were rated in a second; one has two sides."""
        return round(self.postings / 2 / max(self.seconds, 1e-9))


def replay_lists(
    view: LedgerView,
    url: str,
    names: Sequence[str],
    period: str | None = None,
    engine: Engine | None = None,
) -> list[Replayed]:
    """Replays lists up to a period, by default each to its newest.

    ``url`` is where the engine's workers open the ledger too. The engine does one list by shards of
    its players, several side by side; without one this process does, one after the other.

    Raises:
        NotFound: a list or its period is not there.
        DatabaseError: a worker cannot open the ledger, or all workers were lost.
    """
    facts = view.facts()
    wanted = []
    for name in names:
        require_list(facts, name)
        last = require_period(facts, name, period) if period else last_period(facts, name)
        wanted.append(WantedList(everywhere(url), facts.seq, name, last.name))
    if engine is None:
        return [_replayed(facts, each) for each in wanted]
    if len(wanted) > 1:
        return list(engine.map(replay_list, wanted))
    replays = []
    for each in wanted:
        shards = engine.shards(ShardPlace(partial(facts_at, each.url, each.seq), each.list))
        replays.append(_replayed(facts, each, Coordinator(shards)))
    return replays


def everywhere(url: str) -> str:
    """Returns a URL that does not depend on the folder somebody is in."""
    folder = archive_at(url)
    if folder is not None:
        return f"{ARCHIVE}{folder.absolute()}"
    return url if "://" in url else str(Path(url).expanduser().absolute())


def replay_list(wanted: WantedList) -> Replayed:
    """Replays a list wherever this is called; raises as ``facts_at``."""
    return _replayed(facts_at(wanted.url, wanted.seq), wanted)


@lru_cache(maxsize=1)
def facts_at(url: str, seq: Seq) -> Facts:
    """Returns the facts of the ledger at a URL; a process reads them once.

    Raises:
        DatabaseError: it cannot be opened, or what is there ends before the seq.
    """
    ledger = Ledger(open_ledger(url), clock=lambda: dt.datetime.now(dt.UTC))
    facts = ledger.facts()
    if facts.seq < seq:
        raise DatabaseError("replay.behind", seq=facts.seq, wanted=seq)
    return facts


def _replayed(facts: Facts, wanted: WantedList, summing: Source | None = None) -> Replayed:
    known = AsOf(facts, wanted.seq)
    until = period_of(facts, wanted.list, wanted.period, wanted.seq)
    assert until is not None, "only periods that are there are wanted"
    begun = perf_counter()
    periods = postings = 0
    outcome = None
    for outcome in replay(Timeline(AsOf(facts, wanted.seq), wanted.list), until, summing=summing):
        periods += 1
        postings += int(outcome.rated_games.sum())
    seconds = perf_counter() - begun
    assert outcome is not None, "a list has at least its first period"
    rating_list_ = rating_list(outcome, People(known, lambda _: {}), seq=wanted.seq, edition=None)
    return Replayed(
        list=wanted.list,
        period=wanted.period,
        seq=wanted.seq,
        periods=periods,
        postings=postings,
        players=sum(row.rating != UNRATED for row in rating_list_.rows),
        ratings_sha256=rating_list_.ratings_sha256(),
        seconds=seconds,
    )
