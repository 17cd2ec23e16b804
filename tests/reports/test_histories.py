"""The histories of a list's players: one by one, of everybody, and as the lists themselves say."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.lists import show
from ledger.lists.publications import publications
from ledger.operations import commands as c
from ledger.replay.timeline import last_period
from ledger.reports.histories import (
    NOT_LISTED,
    EditionRating,
    HistoryLine,
    PeriodHistory,
    everybody,
    histories,
    history,
)
from ledger.service.ledger import Ledger
from tests.ledgers import do, games, import_text, ledger_of, publish_period

LIST = "ENF"


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """Late results, two editions of each of two periods, a newcomer, and two who became one."""
    made = ledger_of("a,1500,,50", "b,1600,,50", "d,1700,,50", "new,,,", "twin,,,")
    import_text(made, games("t", "1,,a,b,1-0", "1,,new,d,1-0", day="2010-07-10"))
    import_text(made, games("u", "1,,b,d,1-0", "2,,new,a,1-0", day="2010-08-10"))
    publish_period(made, "2010-08")
    import_text(made, games("late", "1,,a,d,0-1", day="2010-07-20"))
    publish_period(made, "2010-07")
    publish_period(made, "2010-08")
    import_text(made, games("v", "1,,d,a,1/2-1/2", day="2010-10-10"))
    import_text(made, games("w", "1,,twin,b,1-0", day="2010-07-21"))
    do(made, c.MergePlayers(player="twin", into="a", on=dt.date(2010, 10, 11)))
    return made


def of_everybody(ledger: Ledger) -> list[PeriodHistory]:
    facts = ledger.facts()
    return [*histories(facts, LIST, everybody(facts), last_period(facts, LIST))]


def test_each_line_is_what_the_lists_say(ledger: Ledger) -> None:
    facts = ledger.facts()
    editions = publications(facts, LIST)
    assert [each.edition for each in editions] == [1, 1, 2, 2]

    def rating(period: str, edition: int | None, player: str) -> int | None:
        rows = show(ledger, LIST, period, edition=edition).rows
        found = dict(zip(rows.column("id"), rows.column("rating"), strict=True))
        return found.get(player)

    for player in ("a", "b", "d", "new"):
        lines = history(facts, LIST, facts.player_index[player], last_period(facts, LIST))
        assert [line.period for line in lines] == ["2010-07", "2010-08", "2010-09", "2010-10"]
        for line in lines:
            numbers = sorted(each.edition for each in editions if each.period == line.period)
            then = tuple((each, rating(line.period, each, player)) for each in numbers)
            assert line.published == then
        assert lines[-1].restated == rating("2010-10", None, player)


def test_those_of_everybody_are_those_of_each(ledger: Ledger) -> None:
    facts = ledger.facts()
    periods = of_everybody(ledger)
    players = everybody(facts)
    assert facts.player_index["twin"] not in players
    for place, player in enumerate(players.tolist()):
        lines = [line for each in periods if (line := each.line(place)).has_a_place]
        assert lines == history(facts, LIST, player, last_period(facts, LIST))


def test_who_was_merged_has_the_history_of_who_stays(ledger: Ledger) -> None:
    facts = ledger.facts()
    twin, a = (
        history(facts, LIST, facts.player_index[each], last_period(facts, LIST))
        for each in ("twin", "a")
    )
    assert [line.restated for line in twin] == [line.restated for line in a]


def test_what_happens_and_what_differs_is_enough_to_tell_all(ledger: Ledger) -> None:
    players = everybody(ledger.facts())
    known = dict.fromkeys(range(len(players)), NOT_LISTED)
    before, told = None, 0
    for each in of_everybody(ledger):
        news = dict(each.news(before))
        otherwise = {(edition, place): said for edition, place, said in each.published_otherwise()}
        told += len(news)
        for place, earlier in known.items():
            known[place] = now = news.get(place, earlier.quiet())
            shown = tuple(
                EditionRating(edition, otherwise.get((edition, place), now.rating))
                for edition, _ in each.editions
            )
            assert HistoryLine(each.period.name, shown, *now) == each.line(place)
        before = each
    assert told < len(players) * len(of_everybody(ledger)), "most say nothing"
