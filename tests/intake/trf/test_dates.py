"""Which day a date means: a table of what programs write, and what decides."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ledger.intake.documents import Supplied
from ledger.intake.trf.check import check
from ledger.intake.trf.dates import PartOrder, Where, course_of, written, year_alone
from tests.intake.trf.writing import file, parse, player


def day(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2010/09/24", "2010-09-24"),
        ("2002/11/25", "2002-11-25"),
        ("2010.9.24", "2010-09-24"),
        ("2010/24/09", "2010-09-24"),
        ("24/09/2010", "2010-09-24"),
        ("09/24/2010", "2010-09-24"),
        ("28. 07. 2005", "2005-07-28"),
        ("05/05/2011", "2011-05-05"),
        ("May 29, 2020", "2020-05-29"),
        ("29 May 2020", "2020-05-29"),
        ("29. Mai 2020", "2020-05-29"),
        ("29 de mayo de 2020", "2020-05-29"),
        ("3 Ene 2020", "2020-01-03"),
        ("13/14/2011", None),
        ("31.02.2011", None),
        ("29/May/20", None),
        ("soon", None),
        ("2011-03", None),
        ("120/03/2011", None),
        ("٢٠١٠/٠٩/٢٤", None),
    ],
)
def test_a_date_that_one_order_reads_is_that_day(text: str, read: str | None) -> None:
    found = written(text, Where.TOURNAMENT)
    assert (found.possible if found else []) == ([day(read)] if read else [])


@pytest.mark.parametrize(
    ("start", "end", "rounds", "births", "days"),
    [
        # The round dates have the year first and the month last; 25 tells.
        ("25.02.2011", "27.02.2011", "11.25.02 11.26.02 11.27.02", "",
         "2011-02-25 2011-02-27 2011-02-25 2011-02-26 2011-02-27"),
        # Two years of a tournament are no reading of it.
        ("11.09.24", "11.09.26", "", "", "2011-09-24 2011-09-26"),
        # A league from autumn to spring.
        ("10.09.13", "11.03.13", "10.09.13 10.09.25 10.11.06 11.02.05 11.03.13", "",
         "2010-09-13 2011-03-13 2010-09-13 2010-09-25 2010-11-06 2011-02-05 2011-03-13"),
        # One of the two has a number above 12.
        ("24/09/2010", "02/10/2010", "", "", "2010-09-24 2010-10-02"),
        # The rounds lie between start and end.
        ("04/03/2011", "06/03/2011", "11/03/04 11/03/05 11/03/06", "",
         "2011-03-04 2011-03-06 2011-03-04 2011-03-05 2011-03-06"),
        ("03/04/2011", "03/06/2011", "11/03/04 11/03/05 11/03/06", "",
         "2011-03-04 2011-03-06 2011-03-04 2011-03-05 2011-03-06"),
        ("2011/03/04", "2011/03/06", "04/03/11 05/03/11 06/03/11", "",
         "2011-03-04 2011-03-06 2011-03-04 2011-03-05 2011-03-06"),
        # The format's own order, though a round is after the end.
        ("2011/03/04", "2011/03/05", "11/03/04 11/03/06", "",
         "2011-03-04 2011-03-05 2011-03-04 2011-03-06"),
        # Births show how the program writes.
        ("04/03/2011", "06/03/2011", "", "17/05/1990", "2011-03-04 2011-03-06"),
        ("04/03/2011", "06/03/2011", "", "05/17/1990", "2011-04-03 2011-06-03"),
        # A misprint among many does not turn the others round.
        ("04/03/2011", "06/03/2011", "", "17/05/1990 18/05/1990 05/19/1990",
         "2011-03-04 2011-03-06"),
        # The century: no report is older than 1970.
        ("71.09.24", "71.09.26", "", "", "1971-09-24 1971-09-26"),
        # The format's own order, with points: the rounds are in the year of 042.
        ("2009.09.09", "", "09.09.09 09.09.10", "", "2009-09-09 - 2009-09-09 2009-09-10"),
        # In that order they would be a year apart.
        ("2010.10.10", "2010.10.11", "10.10.10 11.10.10", "",
         "2010-10-10 2010-10-11 2010-10-10 2010-10-11"),
        # Nothing decides.
        ("04/03/2011", "06/03/2011", "", "", "- -"),
        ("04/03/2011", "04/03/2011", "", "17.05.1990", "- -"),
        ("11.09.10", "11.09.11", "", "", "- -"),
    ],
)  # fmt: skip
def test_the_dates_of_a_file_decide_together(
    start: str, end: str, rounds: str, births: str, days: str
) -> None:
    reading = course_of(
        written(start, Where.TOURNAMENT),
        written(end, Where.TOURNAMENT),
        [written(each, Where.ROUNDS) for each in rounds.split()],
        [birth for each in births.split() if (birth := written(each, Where.BIRTHS))],
    )
    course = reading.course
    expected = [None if each == "-" else day(each) for each in days.split()]
    assert [course.start, course.end, *course.rounds] == expected
    assert reading.ambiguous is (None in (course.start, *course.rounds))


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1975.  .", "1975"), ("1975", "1975"), ("1975/00/00", "1975"), ("1975/05/00", "1975"),
        ("00.00.1975", "1975"), ("1975-05", "1975"), (".  .", ""), ("0000/00/00", ""),
        ("/  /", ""), ("-", ""), ("1975/05/17", None), ("75", None), ("soon", None),
    ],
)  # fmt: skip
def test_a_birth_may_tell_the_year_alone_or_nothing(text: str, year: str | None) -> None:
    assert year_alone(text) == year


@pytest.mark.parametrize(
    ("birth", "others", "read"),
    [
        ("75.12.30", "", "1975-12-30"),
        ("06.12.30", "31.12.95", "1930-12-06"),
        ("06.12.30", "95.12.31", "2006-12-30"),
        ("05/03/1990", "", "1990"),
        ("05/03/1990", "17/05/1988", "1990-03-05"),
        ("05/03/1990", "05/17/1988", "1990-05-03"),
    ],
)
def test_a_birth_is_before_the_tournament_and_written_like_the_others(
    birth: str, others: str, read: str
) -> None:
    lines = [player(1, birth=birth), player(2, "Barrientos, Ciro", birth=others)]
    report = parse(file("042 2011/03/04", "052 2011/03/06", *lines))
    assert check(report) == []
    assert report.players[0].birth == read


def test_a_birth_that_can_be_of_several_years_is_refused() -> None:
    data = file("042 2011/03/04", "052 2011/03/06", player(1, birth="05.03.04"))
    (problem,) = check(parse(data))
    assert (problem.message.key, problem.line, problem.column) == ("trf.ambiguous_birth", 3, 70)
    assert "1904" not in str(problem.message)


def test_ambiguous_days_are_refused_where_they_stand_and_say_what_they_can_be() -> None:
    data = file("042 04/03/2011", "052 06/03/2011", player(1))
    problems = check(parse(data))
    places = [(each.message.key, each.line, each.column) for each in problems]
    assert places == [("trf.ambiguous_date", 1, 5)]  # what one decides, it decides for both
    assert "2011-03-04 / 2011-04-03" in str(problems[0].message)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("04/03/2011", []),
        ("April", ["date_given"]),
        ("2011/02/31", ["date_given"]),
        ("2012/01/01", ["date_given"]),
    ],
)
def test_given_days_make_what_stands_there_a_note(said: str, noted: list[str]) -> None:
    days = Supplied(starts_on=dt.date(2011, 4, 3), ends_on=dt.date(2011, 6, 3))
    report = parse(file(f"042 {said}", "132   soon", player(1)), given=days)
    assert check(report) == []
    keys = [each.message.key.removeprefix("trf.") for each in report.tolerated]
    assert sorted(keys) == [*noted, "round_date_left_out"]
    assert report.tournament.starts_on == dt.date(2011, 4, 3)


ROUNDS = [dt.date(2011, 2, 25), dt.date(2011, 2, 26), dt.date(2011, 2, 27)]


@pytest.mark.parametrize(
    "line",
    [
        "132".ljust(91) + "11/02/25  11/02/26  11/02/27",
        "132".ljust(91) + "11.25.02  11.26.02  11.27.02",
        "132".ljust(91) + "25.02.11  26.02.11  27.02.11",
        "132".ljust(91) + "2011/02/252011/02/262011/02/27",
        "132".ljust(91) + "25.02.201126.02.201127.02.2011",
        "132 11/02/25  11/02/26  11/02/27",
        "132 2011/02/25;2011/02/26;2011/02/27",
        "132 25. 02. 2011, 26. 02. 2011, 27. 02. 2011",
        "132".ljust(90) + "11/02/25  11/02/26  11/02/27",
        "132".ljust(91) + "11/02/25  11/02/26  11/02/27\t",
    ],
)
def test_round_dates_are_read_as_each_program_writes_them(line: str) -> None:
    report = parse(file("042 2011/02/25", "052 2011/02/27", line, player(1)))
    assert check(report) == []
    assert list(report.tournament.round_dates) == ROUNDS


@pytest.mark.parametrize(
    ("rounds", "read"),
    [
        ("01.09.30  01.10.01  01.10.02", (None, None, None)),  # another year, Galway 2011
        ("01/09/30  01/10/01  01/10/02", (None, None, None)),
        ("30.09.01  01.10.01  02.10.01", (None, None, None)),
        ("11/09/30  11/10/01  11/11/02", ("2011-09-30", "2011-10-01", None)),
        ("01.09.30  01.10.11  01.10.12", (None, "2011-10-01", None)),  # one day of the three fits
    ],
)
def test_dates_of_rounds_that_contradict_the_tournaments_own_are_left_out_with_a_note(
    rounds: str, read: tuple[str | None, ...]
) -> None:
    line = "132".ljust(91) + rounds
    report = parse(file("042 30/09/2011", "052 02/10/2011", line, player(1)))
    assert check(report) == []
    about = report.tournament
    assert (about.starts_on, about.ends_on) == (day("2011-09-30"), day("2011-10-02"))
    assert about.round_dates == tuple(map(day, read))
    key = "trf.round_date_contradicts"
    [note] = [each for each in report.tolerated if each.message.key == key]
    assert dict(note.message.values)["count"] == read.count(None)
    assert "2011-09-30 to 2011-10-02" in str(note.message)
    assert report.written().encode() == file("042 30/09/2011", "052 02/10/2011", line, player(1))


def test_a_round_without_a_date_keeps_its_place() -> None:
    line = "132".ljust(91) + "11/02/25            11/02/27"
    read = parse(file("042 2011/02/25", "052 2011/02/27", line, player(1))).tournament.round_dates
    assert read == (ROUNDS[0], None, ROUNDS[2])


STYLES = {
    PartOrder.YEAR_MONTH_DAY: "{0:%Y}{1}{0:%m}{1}{0:%d}",
    PartOrder.DAY_MONTH_YEAR: "{0:%d}{1}{0:%m}{1}{0:%Y}",
    PartOrder.MONTH_DAY_YEAR: "{0:%m}{1}{0:%d}{1}{0:%Y}",
}


@given(
    st.dates(dt.date(1970, 1, 1), dt.date(2069, 1, 1)),
    st.integers(0, 20),
    st.sampled_from(list(STYLES)),
    st.sampled_from("/.-"),
)
def test_no_date_is_read_as_another_than_was_written(
    start: dt.date, length: int, order: PartOrder, sign: str
) -> None:
    end = start + dt.timedelta(days=length)
    first, last = (STYLES[order].format(each, sign) for each in (start, end))
    reading = course_of(written(first, Where.TOURNAMENT), written(last, Where.TOURNAMENT), (), ())
    # What the year puts out of order under every other reading is certain.
    assume(not reading.ambiguous)
    if start.day > 12 or end.day > 12 or order is PartOrder.YEAR_MONTH_DAY:
        assert (reading.course.start, reading.course.end) == (start, end)
