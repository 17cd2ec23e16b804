"""``explain`` as people see it: nothing lost at any width, whom a newcomer met, who ordered."""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import pytest
from rich.console import Console

from cli import settings
from cli.render.statement import render_statement
from ledger.answers.player_questions import explain
from ledger.calendar import Calendar
from ledger.operations import commands as c
from ledger.regulations import registry
from ledger.reports.balance import Figures
from ledger.reports.statement import PostingLine, Statement
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.terms import Rate
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    publish_period,
    statements_of,
)
from tests.ledgers import ledger_of as listed

LONG = "CL-" + "0123456789" * 4  # an id that no narrow screen has room for
LIST = "NAT"
PEOPLE = (
    f"P,Zenteno Mardones Leonardo,CHI,,1990-01-01,1500,,50,\n{LONG},Aguirre,CHI,,,1950,,50\n"
    "B,Bravo,CHI,,,1400,,400\nC,Castro,CHI,,,1455,,5\nN,Newcomer Nadia,CHI,,,,,\n"
).replace(",50,\n", ",50\n")
MET = ("P", LONG, "B", "C", "P", LONG, "B", "C", "P", LONG)
RESULTS = ("1-0", "0-1", "1/2-1/2", "1-0", "1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0", "1/2-1/2")


@pytest.fixture(params=["en", "es"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    settings.FLAGS.lang = request.param
    yield request.param
    settings.FLAGS.lang = None


class World:
    """A list with a newcomer, an assigned K, an ordered step, a late event and a correction."""

    def __init__(self, regulation: str, merit: str = "") -> None:
        self.merit = merit
        annual = regulation == "fide-1972"
        self.year, self.month = (1975, 1) if annual else (2010, 7)
        self.rate = registry.regulations()[regulation].RATE or Rate.CLASSICAL
        self.ledger = empty_ledger()
        self.periods = [f"{self.year}" if annual else f"{self.year}-{self.month:02}"]
        first_on = dt.date(self.year, self.month, 1)
        define(
            self.ledger, LIST, regulation=regulation, first_on=first_on, policy="next-list",
            calendar=Calendar.ANNUAL if annual else Calendar.MONTHLY,
        )  # fmt: skip
        import_text(self.ledger, PLAYERS_HEADER + PEOPLE, list_=LIST)
        games = enumerate(zip(MET, RESULTS, strict=True), 1)
        self.event("N-open", 0, *(f"{n},,N,{who},{result}" for n, (who, result) in games))
        self.event("open", 0, f"1,,P,{LONG},1-0", "2,,P,B,1/2-1/2", "3,,P,C,0-1")
        do(self.ledger, c.AssignK(player="P", k=25, list=LIST, on=first_on))
        if not annual:
            self.periods.append(f"{self.year}-{self.month + 1:02}")
            publish_period(self.ledger, self.periods[0], LIST)
            self._late()

    def _late(self) -> None:
        self.event("late", 0, f"1,,P,{LONG},1-0", "2,,P,C,1/2-1/2", "3,,P,B,+/-")
        self.event("next", 1, f"1,,P,{LONG},0-1", "2,,P,B,1-0")
        drawn = Result.parse("1/2-1/2")
        do(
            self.ledger,
            c.CorrectResult(tournament="open", round=3, white="P", black="C", result=drawn),
            c.AdjustRating(
                player="P", list=LIST, points=-7, on=dt.date(self.year, self.month + 1, 1)
            ),
        )

    def event(self, name: str, month: int, *games: str) -> None:
        days = f"{self.year}-{self.month + month:02}"
        about = f"{name},{name},{days}-05,{days}-10,swiss,{self.rate.value},{self.merit}"
        import_text(self.ledger, GAMES_HEADER + "".join(f"{about},{game}\n" for game in games))

    def statements(self) -> Iterator[Statement]:
        for period in self.periods:
            for player in ("P", "N"):
                yield explain(self.ledger, player, LIST, period)


def shown(made: Statement, width: int, *, exactly: bool = False) -> str:
    out = Console(file=io.StringIO(), width=width, color_system=None, highlight=False)
    render_statement(made, out, exactly=exactly)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def ledger_of(regulation: str) -> Ledger:
    return World(regulation).ledger


def told(made: Statement) -> Iterator[str]:
    """Everything that no width may lose: ids, tournaments, periods and figures."""
    postings = [*made.postings, *(game.line for line in made.credits for game in line.games)]
    yield from (made.player.id or "", made.period, str(made.closing or 0))
    for line in postings:
        yield from _told_of(line)
        if made.shows_merit:
            yield Figures(exactly=False)(line.merit)
    for excluded in made.excluded:
        yield from (excluded.tournament, excluded.opponent.id or "", excluded.clause)
    for result in made.bucket or ():
        yield from (result.period, result.tournament, str(result.games))
        yield from (person.id or "" for person, _, _ in result.opponents)
        yield from (str(rating) for _, rating, _ in result.opponents)
    yield from (order.actor for order in made.orders)


def _told_of(line: PostingLine) -> Iterator[str]:
    figures = (line.round, line.opponent_rating, line.difference, line.k)
    yield from (line.tournament, line.opponent.id or "", *map(str, figures))
    yield from map(Figures(exactly=False), (line.expected, line.contribution))


@pytest.mark.parametrize("regulation", registry.regulations())
@pytest.mark.usefixtures("language")
def test_nothing_is_lost_at_any_width(regulation: str) -> None:
    for made in World(regulation).statements():
        for width in (40, 60, 80, 120):
            text = shown(made, width)
            assert max(map(len, text.splitlines())) <= width
            # What is longer than the screen goes on in the next line; a text is broken in its cell.
            together = re.sub(r"\s+", "", text)
            for word in chain.from_iterable(map(str.split, told(made))):
                assert word in together, (word, width, text)


def test_a_newcomers_opponents_one_by_one() -> None:
    text = shown(explain(ledger_of("enf-2010"), "N", LIST, "2010-07"), 200)
    _, opponents = text.split("whom he met")
    rows = [line.split() for line in opponents.splitlines() if line.startswith("N-open")]
    assert [row[1] for row in rows] == list(MET)
    assert [row[-2] for row in rows[:4]] == ["1500", "1950", "1400", "1455"]
    assert [row[-1] for row in rows[:4]] == ["1", "0", "0.5", "1"]


def test_a_difference_that_is_capped_is_marked() -> None:
    made = explain(ledger_of("fide-standard"), "P", LIST, "2010-07")
    first, second, _ = made.postings
    assert (first.difference, first.capped) == (-400, True)
    assert not second.capped
    assert made.data()["capped"] == [first.seq]
    text = shown(made, 80)
    assert "-400±" in text
    assert "100±" not in text
    assert "counts as 400" in text


def test_who_ordered_a_step_and_why() -> None:
    made = explain(ledger_of("enf-2010"), "P", LIST, "2010-08")
    assert [(order.kind.value, order.value) for order in made.orders] == [("points", -7), ("k", 25)]
    text = shown(made, 80)
    assert "−7 ordered: tester, «test»" in text
    assert "K 25 assigned: tester, «test»" in text


def test_a_list_wide_step_names_who_ordered_it() -> None:
    ledger = ledger_of("enf-2010")
    step = c.AdjustList(
        list=LIST, period="2010-08", below=2000, pivot=2000, numerator=2, denominator=5
    )
    do(ledger, step)
    orders = explain(ledger, "P", LIST, "2010-08").orders
    (order,) = [order for order in orders if order.kind.value == "list-step"]
    assert order.actor == "tester"
    assert order.value == explain(ledger, "P", LIST, "2010-08").adjustment


def test_a_k_that_no_game_had_is_nobodys_order() -> None:
    made = explain(ledger_of("harkness-games"), "P", LIST, "2010-07")
    assert made.postings[0].k == 100
    assert not made.orders


def test_fractions_are_numbers_and_exact_on_request() -> None:
    ledger = empty_ledger()
    define(ledger, LIST)
    import_text(ledger, PLAYERS_HEADER + PEOPLE, list_=LIST)
    days = "2010-07-05,2010-07-10,swiss,classical,"
    rows = ("1,,N,P,1-0", "2,,N,B,0-1", "3,,N,C,1/2-1/2")
    import_text(ledger, GAMES_HEADER + "".join(f"T,T,{days},{row}\n" for row in rows))
    made = explain(ledger, "N", LIST, "2010-07")
    assert "1451.67" in shown(made, 80)
    assert "4355/3" in shown(made, 80, exactly=True)
    assert made.data()["provisional"]["results"][0]["opponents_mean"] == "4355/3"


def test_the_points_of_the_balance_stand_under_each_other() -> None:
    text = shown(explain(ledger_of("enf-2010"), "P", LIST, "2010-08"), 80)
    lines = text[text.index("opening") : text.index("closing")].splitlines()
    assert len({line.rindex(".") for line in lines if "." in line.split()[-1]}) == 1


@pytest.mark.parametrize(("ks", "shown"), [((20, 20), ["20"]), ((40, 20), []), ((40, 40), [])])
def test_the_totals_have_k_only_where_all_games_have_it(
    ks: tuple[int, int], shown: list[str]
) -> None:
    ledger = listed("A,1500,16,20", "B,1600,16,20", "C,1700,16,20")
    import_text(ledger, games("T", "1,,A,B,1-0", "2,,A,C,1/2-1/2"))
    made = statements_of(ledger, "ENF", "2010-07")["A"]
    lines = (replace(line, k=k) for line, k in zip(made.postings, ks, strict=True))
    out = io.StringIO()
    with_ks = replace(made, postings=tuple(lines), k=20)
    render_statement(with_ks, Console(file=out, width=200))
    (total,) = (line for line in out.getvalue().splitlines() if line.split()[:2] == ["A", "A"])
    assert [word for word in total.split()[5:-1] if word == "20"] == shown
