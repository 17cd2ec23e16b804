"""With a list named, a report's ratings are in force in the list that counts for its first day."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.lists import show
from ledger.calendar import Calendar
from ledger.errors import InputRefused
from ledger.events.players import RatingSeeded
from ledger.intake.imports import Document, Supplied, import_document
from ledger.journal.batch import of_type
from ledger.journal.stores.memory import MemoryJournal
from ledger.regulations.registry import OWN
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Rate
from tests.laws.support import law
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    empty_ledger,
    import_text,
    publish_period,
)

NOW = dt.datetime(2031, 1, 1, tzinfo=dt.UTC)
NAMES = ("Abad, Ana", "Bravo, Beto", "Cid, Ciro", "Diaz, Dina")
# Who plays whom in rounds of an all-play-all of four, White first.
ROUNDS = (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
HALVES = {0: ("0", "1"), 1: ("=", "="), 2: ("1", "0")}


def report(
    ratings: tuple[int, ...], day: dt.date, results: tuple[int, ...] = (2, 1, 0, 2, 1, 1)
) -> str:
    """Writes a report of a day: four players, ``results`` in White's half points."""
    cells: dict[int, list[str]] = {number: [] for number in range(1, 5)}
    points = dict.fromkeys(cells, 0)
    games = [game for round_ in ROUNDS for game in round_]
    for (white, black), halves in zip(games, results, strict=True):
        for number, opponent, colour, which in ((white, black, "w", 0), (black, white, "b", 1)):
            cells[number].append(f"{opponent:>4} {colour} {HALVES[halves][which]}  ")
        points[white] += halves
        points[black] += 2 - halves
    on = f"{day:%Y/%m/%d}"
    lines = ["012 Open", f"042 {on}", f"052 {on}", "092 Individual: Swiss-System"]
    for number, name in enumerate(NAMES, start=1):
        score = f"{points[number] / 2:.1f}"
        lines.append(
            f"001 {number:>4} m    {name:<33} {ratings[number - 1]:>4} CHI "
            f"{3400000 + number:>11} 1980/01/01 {score:>4} {number:>4}  {''.join(cells[number])}"
        )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def rated(
    regulation: str, first_on: dt.date, text: str, calendar: Calendar = Calendar.MONTHLY
) -> Ledger:
    """Returns a ledger of one list, into which the report was taken with its ratings."""
    ledger = Ledger(MemoryJournal(), clock=lambda: NOW)
    define(ledger, "L", regulation=regulation, first_on=first_on, calendar=calendar)
    take(ledger, text)
    return ledger


def take(ledger: Ledger, text: str, *, as_correction: bool = False) -> Receipt:
    """Takes a report into the ledger, with its ratings."""
    document = Document(
        name="open.trf", data=text.encode(), list="L", as_correction=as_correction,
        supplied=Supplied(rate_of_play=Rate.CLASSICAL),
    )  # fmt: skip
    return import_document(ledger, document, Request("tester", "test", "", ""))


def changes(ledger: Ledger, period: str) -> dict[str, tuple[int, int | None, int, int]]:
    rows = show(ledger, "L", period).rows
    return {row.id: (row.rating, row.change, row.games, row.k) for row in rows}


@pytest.mark.parametrize("first_on", [dt.date(2010, 7, 1), dt.date(2005, 1, 1)])
def test_a_report_of_2010(first_on: dt.date) -> None:
    """Of 1700 nobody was rated under the floor of 2005: their games would not count."""
    ledger = rated("fide-standard", first_on, report((1700,) * 4, dt.date(2010, 7, 5)))
    made = changes(ledger, "2010-07")
    # K 15; everybody expects 1½ of 3: A has 2½, B 1, C 2, D ½.
    assert {id_: (row[1], row[2]) for id_, row in made.items()} == {
        "3400001": (15, 3), "3400002": (-8, 3), "3400003": (8, 3), "3400004": (-15, 3),
    }  # fmt: skip


def test_a_report_of_2026() -> None:
    """The floor of 2005 would have left nobody below 1800 a rating to be rated with."""
    ratings = 1500, 1450, 2390, 2395
    made = [
        changes(rated("fide-standard", day, report(ratings, dt.date(2026, 3, 9))), "2026-03")
        for day in (dt.date(2005, 1, 1), dt.date(2026, 3, 1))
    ]
    assert made[0] == made[1]
    assert [games for _, _, games, _ in made[0].values()] == [3, 3, 3, 3]


@law(15)
@given(
    regulation=st.sampled_from(sorted(OWN)),
    calendar=st.sampled_from((Calendar.MONTHLY, Calendar.QUARTERLY, Calendar.ANNUAL)),
    before=st.integers(1, 15),
    day=st.dates(dt.date(1990, 1, 1), dt.date(2030, 12, 31)),
    ratings=st.tuples(*[st.integers(1000, 2700)] * 4),
    results=st.tuples(*[st.integers(0, 2)] * 6),
)
def test_the_age_of_the_list_does_not_matter(
    regulation: str,
    calendar: Calendar,
    before: int,
    day: dt.date,
    ratings: tuple[int, ...],
    results: tuple[int, ...],
) -> None:
    text = report(ratings, day, results)
    month = (day.month - 1) // calendar.months * calendar.months + 1
    start = day.replace(month=month, day=1)
    period = calendar.period_name(start)
    young = rated(regulation, start, text, calendar)
    old = rated(regulation, start.replace(year=start.year - before), text, calendar)
    assert changes(young, period) == changes(old, period)
    assert not take(old, text).events, "the same report again is nothing new"


def test_who_earned_a_rating_keeps_it() -> None:
    """A report introduces ratings; it does not replace what was calculated here."""
    ledger = empty_ledger()
    define(ledger, "L", first_on=dt.date(2010, 1, 1))
    strong = "".join(f"S{place},Rival {place},,,,1800,,50\n" for place in range(1, 10))
    import_text(
        ledger, f"{PLAYERS_HEADER}3400001,{NAMES[0].split(',')[0]},,,,,,\n{strong}", list_="L"
    )
    games = "".join(
        f"N,N,2010-02-01,2010-02-09,swiss,classical,,{place},,3400001,S{place},1/2-1/2\n"
        for place in range(1, 10)
    )
    import_text(ledger, GAMES_HEADER + games)
    earned = changes(ledger, "2010-02")["3400001"][0]
    assert earned == 1800
    receipt = take(ledger, report((1500, 1600, 1700, 1650), dt.date(2010, 7, 5)))
    seeded = {event.player: on for on, event in of_type(receipt.events, RatingSeeded)}
    assert seeded == dict.fromkeys(("3400002", "3400003", "3400004"), dt.date(2010, 7, 1))
    assert changes(ledger, "2010-06")["3400001"][0] == 1800


def test_a_closed_list_is_not_changed_unseen() -> None:
    ledger = rated("enf-2010", dt.date(2010, 1, 1), report((1500,) * 4, dt.date(2010, 1, 5)))
    publish_period(ledger, "2010-02", "L")
    others = {
        "Abad, Ana": "Prat, Eva", "Bravo, Beto": "Luna, Gabi",
        "Cid, Ciro": "Rey, Saul", "Diaz, Dina": "Sanz, Nora",
    }  # fmt: skip

    def of_others(text: str) -> str:
        for name, other in others.items():
            text = text.replace(name, f"{other:{len(name)}}")
        return text.replace(" 34000", " 35000")

    late = of_others(report((1600,) * 4, dt.date(2010, 2, 5)))
    with pytest.raises(InputRefused) as refusal:
        take(ledger, late)
    assert {problem.message.key for problem in refusal.value.details} == {"list.closed"}
    assert "give 2010-03-01 or later" in str(refusal.value)
    current = of_others(report((1600,) * 4, dt.date(2010, 3, 5)))
    assert take(ledger, current).events


def test_an_older_report_that_comes_later_says_whose_ratings_it_leaves_out() -> None:
    june, february = dt.date(2020, 6, 6), dt.date(2020, 2, 1)
    ledger = rated("fide-standard", dt.date(2020, 1, 1), report((1900, 1910, 1920, 1930), june))
    older = report((1500, 1510, 1520, 1530), february).replace("012 Open", "012 Winter")
    receipt = take(ledger, older)
    told = [note.message for note in receipt.notes if note.message.key == "import.rated_later"]
    assert [dict(message.values)["count"] for message in told] == [4]
    assert "--on 2020-02-01" in told[0].within("en")
    in_order = rated("fide-standard", dt.date(2020, 1, 1), older)
    later = take(in_order, report((1900, 1910, 1920, 1930), june))
    assert not [note for note in later.notes if note.message.key == "import.rated_later"]
