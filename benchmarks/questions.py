"""Questions that people ask of a ledger, each as a work: cold, with what others left behind.

They are answered as by a command, up to the data it writes. What is asked about stands in the
history: a player and a tournament of the newest month.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from benchmarks.histories import History, first_of
from benchmarks.measuring import Place, Watch
from ledger.answers.directory import listed_ratings
from ledger.answers.list_figures import live, performance_of
from ledger.answers.lists import show
from ledger.answers.period_states import period_states
from ledger.answers.player_questions import history_of, log_of, why_of
from ledger.answers.titles import player_titles, tournament_titles
from ledger.journal.stores.database import open_journal
from ledger.reports.tournaments import tournament_lines, tournament_sheet
from ledger.service.ledger import Ledger
from ledger.terms import PerformanceTable

LIST = "NAT"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of: a ledger, and in it a player, a tournament of his, and so many months."""

    ledger: Ledger
    player: str
    tournament: str
    months: int


Question: TypeAlias = Callable[[Asked], Any]


def _why(of: Asked) -> Any:
    """Why the newest rating is not that of the first month, through the whole history."""
    first, last = (f"{first_of(month):%Y-%m}" for month in (0, of.months - 1))
    return why_of(of.ledger, of.player, LIST, (first, None), (last, None)).data()


def _rows(of: Asked) -> Any:
    """The newest published list, every row with its name."""
    return show(of.ledger, LIST, None).shown().data()


def _live(of: Asked) -> Any:
    """Everybody's rating as if the current month closed now."""
    return live(of.ledger, LIST).data()


def _history(of: Asked) -> Any:
    """A player's ratings month by month, published beside restated."""
    return [line.data() for line in history_of(of.ledger, of.player, LIST)]


def _log(of: Asked) -> Any:
    """Every event that names a player."""
    return log_of(of.ledger, player=of.player, tournament=None, since=1)


def _periods(of: Asked) -> Any:
    """The months of the list, with their games and editions."""
    return period_states(of.ledger, LIST)


def _standings(of: Asked) -> Any:
    """A player's rating in every list."""
    return listed_ratings(of.ledger, of.player)


def _tournaments(of: Asked) -> Any:
    """All tournaments."""
    return [line.data() for line in tournament_lines(of.ledger.facts())]


def _crosstable(of: Asked) -> Any:
    """One tournament, round by round."""
    facts, name = of.ledger.facts(), of.tournament
    record = of.ledger.register([f"tournament:{name}"], facts.seq).tournaments[name]
    return tournament_sheet(record, facts, of.ledger.people(facts)).data()


def _performance(of: Asked) -> Any:
    """What a player's result in a tournament is worth."""
    player, tournament = of.player, of.tournament
    return performance_of(of.ledger, player, tournament, LIST, PerformanceTable.OF_2022).data()


def _titles(of: Asked) -> Any:
    """A tournament, held against titles."""
    return [row.data("en") for row in tournament_titles(of.ledger, of.tournament, LIST).rows]


def _titles_of_player(of: Asked) -> Any:
    """All tournaments of a player, held against titles."""
    return [row.data("en") for row in player_titles(of.ledger, of.player, LIST).results]


def _ask(question: Question, place: Place, watch: Watch) -> None:
    history = History.read(place.history)
    game = history.targets["newest"]
    with watch.running(), _opened(str(place.database)) as ledger:
        answer = question(Asked(ledger, game["white"], game["tournament"], history.months))
    assert answer, "there is an answer"


@contextmanager
def _opened(url: str) -> Iterator[Ledger]:
    with closing(open_journal(url)) as journal:
        yield Ledger(journal, clock=lambda: dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC))


QUESTIONS: dict[str, Callable[[Place, Watch], None]] = {
    name: partial(_ask, question)
    for name, question in {
        "ask-rows": _rows,
        "ask-live": _live,
        "ask-why": _why,
        "ask-history": _history,
        "ask-log": _log,
        "ask-periods": _periods,
        "ask-standings": _standings,
        "ask-tournaments": _tournaments,
        "ask-crosstable": _crosstable,
        "ask-performance": _performance,
        "ask-titles": _titles,
        "ask-titles-of-player": _titles_of_player,
    }.items()
}
