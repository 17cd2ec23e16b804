"""A tournament goes out as a report, and the report says nothing new when it comes back."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Conflict, NotFound
from ledger.events.tournaments import ByeGiven, ReportDetails
from ledger.intake.imports import Document, Supplied, import_document
from ledger.intake.report_file import tournament_report
from ledger.intake.trf.check import adjustments, check
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Rate, System, TrfVersion
from tests.intake.trf.test_laws import Generated, tournaments
from tests.intake.trf.test_programs import STYLES
from tests.intake.trf.writing import GOOD, file, parse, player, team
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    ledger_of,
)
from tests.profile import examples

ABOUT = "T,Torneo de Ñuñoa,2010-07-10,2010-07-12,swiss,rapid,"
ROUNDS = (
    "1,,1,2,1-0", "1,,3,4,1/2-1/2", "2,,4,1,+/-", "2,,2,3,-/-", "3,,1,3,0-1s", "3,,2,,H",
    "3,,4,,U", "4,,1,,Z", "4,,2,4,0-0", "5,,3,1,1/2-0", "5,,2,,F", "5,,4,,Z", "6,,1,2,1-0a",
)  # fmt: skip


def ledger(rounds: tuple[str, ...] = ROUNDS) -> Ledger:
    made = empty_ledger()
    define(made)
    people = (
        "1,Ana María,CHI,w,1990-05-01,1500,,\n2,Beto,,m,1985,1600,,\n"
        "3,Ciro,,,,,,\n4,Dina,,,,1700,,\n"
    )
    import_text(made, PLAYERS_HEADER + people, list_="ENF")
    if rounds:
        import_text(made, GAMES_HEADER + "".join(f"{ABOUT},{row}\n" for row in rounds))
    return made


def imported(made: Ledger, data: bytes, **supplied: object) -> Receipt:
    """Imports a report; without an option but what is supplied."""
    document = Document(name="report.trf", data=data, supplied=Supplied(**supplied))  # type: ignore[arg-type]
    return import_document(made, document, Request("t", "", "", ""))


def written(made: Ledger, version: TrfVersion | None = None, tournament: str = "T") -> str:
    return tournament_report(made, tournament, None, version).decode()


def heading(text: str) -> dict[str, str]:
    """Returns the records before the players, by code."""
    lines = text.split("001 ", 1)[0].splitlines()
    return {line[:3]: line[4:].strip() for line in lines}


def test_the_report_is_clean() -> None:
    report = parse(tournament_report(ledger(), "T", "ENF"))
    assert check(report) == []
    assert adjustments(report) == []
    assert [player.rating for player in report.players] == [1500, 1600, None, 1700]
    assert report.players[0].name == "Ana María"
    assert report.written().encode() == tournament_report(ledger(), "T", "ENF")


@pytest.mark.parametrize("version", [None, *TrfVersion])
@pytest.mark.parametrize("list_", [None, "ENF"])
def test_it_says_nothing_new_when_it_comes_back(
    version: TrfVersion | None, list_: str | None
) -> None:
    made = ledger()
    assert imported(made, tournament_report(made, "T", list_, version)).events == ()


def test_games_that_are_not_settled_stay_open() -> None:
    made = ledger(ROUNDS[:-1])
    do(made, c.AdjournGame(tournament="T", round=6, white="1", black="2"))
    do(made, c.AdjournGame(tournament="T", round=6, white="3", black="4"))
    both = Result.parse("1-1a")
    open_ = {"tournament": "T", "round": 6, "white": "3", "black": "4"}
    do(made, c.AdjudicateGame(**open_, result=both, ruling="temporary"))  # type: ignore[arg-type]
    report = parse(tournament_report(made, "T", None))
    assert check(report) == []
    assert [each.rounds[-1].code for each in report.players] == [None] * 4
    assert imported(made, tournament_report(made, "T", None)).events == ()


def test_a_result_that_is_recorded_is_not_left_open_by_an_older_report() -> None:
    made = ledger()
    older = written(made).replace("   2 w 1\n", "   2 w\n").replace("   1 b 0\n", "   1 b\n")
    with pytest.raises(Conflict):
        imported(made, older.encode())


def test_a_tournament_that_is_not_there() -> None:
    with pytest.raises(NotFound):
        tournament_report(ledger(), "X", None)


def opened(**about: object) -> Ledger:
    """Returns a ledger with a tournament of two players and one game."""
    made = ledger(())
    command = c.OpenTournament(
        tournament="T",
        name="Torneo",
        starts_on=dt.date(2010, 7, 10),
        ends_on=dt.date(2010, 7, 12),
        system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    )
    do(made, replace(command, **about))  # type: ignore[arg-type]
    for name in ("1", "2"):
        do(made, c.EnterPlayer(tournament="T", player=name))
    won = Result.parse("1-0")
    do(made, c.RecordGame(tournament="T", round=1, white="1", black="2", result=won))
    return made


@pytest.mark.parametrize("rate", Rate)
@pytest.mark.parametrize("system", [System.SWISS, System.ROUND_ROBIN, System.MATCH])
def test_system_and_rate_of_play_come_back_without_an_option(rate: Rate, system: System) -> None:
    text = written(opened(rate_of_play=rate, system=system))
    fresh = ledger(())
    imported(fresh, text.encode())
    record = fresh.register(["tournament:T"], fresh.facts().seq).tournaments["T"]
    assert (record.version.rate_of_play, record.version.system) == (rate, system)


def test_the_rate_of_play_stands_in_092_only_where_the_time_control_does_not_tell_it() -> None:
    report = {"time_control": "90 min + 30 sec", "chief_arbiter": "Castillo, Rebeca"}
    details = ReportDetails.model_validate(report)
    assert heading(written(opened(report=details)))["092"] == "Individual: Swiss-System"
    other = heading(written(opened(report=details, rate_of_play=Rate.RAPID)))
    assert other["092"] == "Individual: Swiss-System (rate of play: rapid)"
    assert (other["122"], other["102"]) == ("90 min + 30 sec", "Castillo, Rebeca")


def test_rounds_have_their_days_where_somebody_said_them() -> None:
    rows = ("1,2010-07-10,1,2,1-0", "2,2010-07-11,1,3,1-0", "4,2010-07-12,1,4,1-0")
    assert heading(written(ledger(rows)))["132"].split() == ["10/07/10", "10/07/11", "10/07/12"]
    assert "132" not in heading(written(ledger()))
    read = parse(written(ledger(rows)).encode()).tournament.round_dates
    assert read[2] is None


def test_ids_without_a_column_stand_in_comments() -> None:
    made = empty_ledger()
    rows = "T,Torneo,2010-07-10,2010-07-10,swiss,rapid,,1,,ana,007,1-0\n"
    import_text(made, PLAYERS_HEADER + "ana,Ana,,,,,,\n007,Beto,,,,,,\n")
    import_text(made, GAMES_HEADER + rows)
    text = written(made)
    comments = [line for line in text.splitlines() if line.startswith("###")]
    assert comments == [
        "### rating-ledger tournament T",
        "### rating-ledger player 1 ana",
        "### rating-ledger player 2 007",
        "### rating-ledger rounds not announced",
    ]
    assert imported(made, text.encode()).events == ()
    fresh = empty_ledger()
    imported(fresh, text.encode())
    assert written(fresh) == text


TRF26 = file(
    "012 Copa de los Volcanes",
    "042 2011/03/04",
    "052 2011/03/04",
    "092 Individual: Swiss-System",
    "102 Castillo, Rebeca",
    "112 Uno",
    "112 Dos",
    "122 15 min + 10 sec",
    "142 2",
    "152 W",
    "162  W 3.0    D 1.0    L 0.0",
    "192 FIDE_DUTCH_2025",
    "212 PTS,BH/C1,SB",
    "222 900+10",
    player(1, "Aguirre, Nora", "   2 w 1", "0000 - H", rating="1912", points="4.0", rank="1"),
    player(2, "Barrientos, Ciro", "   1 b 0", "0000 - F", rating="1850", points="3.0", rank="2"),
    "250       1.0   1   1    1    1",
    "260   1   2    1    2",
    "299 W         1.0    1    2",
    "320  1.0   2.0    0    0",
    "GUA    1".ljust(48) + "1745".ljust(9) + "       4411",
    "XXP 1 2",
)
KEPT16 = {"102", "112", "122", "XXP"}


def test_records_that_are_not_rated_are_kept_and_written_again() -> None:
    made = empty_ledger()
    receipt = imported(made, TRF26)
    kept = [note.message for note in receipt.notes if note.message.key == "trf.kept_records"]
    assert "152, 162, 192, 212, 222, 250, 260, 299, 320, GUA, XXP" in str(kept[0])
    again = written(made, tournament="copa-de-los-volcanes-2011-03-04").splitlines()
    missing = [line for line in TRF26.decode().splitlines() if line not in again]
    assert missing == []
    assert imported(made, "\n".join(again).encode()).events == ()


def test_trf16_leaves_out_what_only_trf26_knows() -> None:
    made = empty_ledger()
    imported(made, TRF26)
    text = written(made, TrfVersion.TRF16, "copa-de-los-volcanes-2011-03-04")
    codes = {line[:3] for line in text.splitlines()}
    assert codes == {"012", "042", "052", "062", "072", "092", "132", "XXR", "001"} | KEPT16
    assert imported(made, text.encode()).events == ()


def test_ranks_of_the_report_are_written_while_they_follow_the_points() -> None:
    made = empty_ledger()
    # Three with as many points, by a tie-break that is not calculated here.
    lines = [player(n, f"Jugador {n}", "0000 - H", points="0.5", rank=r) for n, r in
             ((1, "3"), (2, "1"), (3, "2"))]  # fmt: skip
    imported(made, file("012 T", "042 2011/03/04", "052 2011/03/04", *lines),
             rate_of_play=Rate.RAPID, tournament="T")  # fmt: skip

    def ranks() -> list[int | None]:
        return [each.rank for each in parse(written(made).encode()).players]

    assert ranks() == [3, 1, 2]
    do(made, c.AnnulResult(tournament="T", round=1, white="T#2", black=None))
    assert ranks() == [1, 3, 2]


def test_another_arbiter_is_a_difference_and_other_ratings_are_none() -> None:
    made = empty_ledger()
    imported(made, TRF26)
    ratings = TRF26.replace(b"1912", b"1913")
    assert imported(made, ratings).events == ()
    with pytest.raises(Conflict):
        imported(made, TRF26.replace(b"Castillo", b"Castilla"))


def test_teams_are_kept_with_their_records() -> None:
    made = empty_ledger()
    lines = (
        "012 T", "042 2011/03/04", "052 2011/03/04", "082 2", player(1), player(2, "B"),
        team(1, "Los Cerros", 1), team(2, "El Lago", 2), "240 H   1    1",
        "299 W   2.0         1    1    2", "330 +-   1   1   2",
    )  # fmt: skip
    imported(made, file(*lines), rate_of_play=Rate.RAPID, tournament="T")
    again = written(made).splitlines()
    assert [line for line in lines[6:] if line not in again] == []


def test_the_good_file_comes_back_but_for_what_the_ledger_does_not_keep() -> None:
    made = empty_ledger()
    imported(made, GOOD.encode())
    again = written(made, tournament="torneo-de-los-volcanes-2011-03-04").splitlines()
    # 0 is no number, and a blank of TRF16 is written as what it is equivalent to.
    missing = [line[:25] for line in GOOD.splitlines() if line not in again]
    assert [line[4:8].strip() for line in missing] == ["4", "6"]
    assert next(line for line in again if line.startswith("001    6")).endswith("  0000 - Z")


def test_trf16_leaves_no_round_blank_and_says_how_many_there_are() -> None:
    rows = ("1,2010-07-10,1,2,1-0", "2,2010-07-11,1,3,1-0", "4,2010-07-12,1,4,1-0")
    made = ledger(rows)
    lines = written(made).splitlines()
    assert {"XXR 4", "### rating-ledger rounds not announced"} <= set(lines)
    rounds = [line[89:] for line in lines if line.startswith("001")]
    none = "  0000 - Z"
    assert rounds == [
        f"     2 w 1     3 w 1{none}     4 w 1",
        f"     1 b 0{none}{none}{none}",
        f"{none}     1 b 0{none}{none}",
        f"{none}{none}{none}     1 b 0",
    ]
    assert imported(made, written(made).encode()).events == ()
    fresh = empty_ledger()
    imported(fresh, written(made).encode())
    record = fresh.register(["tournament:T"], fresh.facts().seq).tournaments["T"]
    assert record.version.rounds is None
    assert written(fresh) == written(made)


def test_an_absence_of_a_new_round_is_recorded_and_one_of_a_played_round_is_none() -> None:
    """The one is known of who is absent, the other the format's word for a blank."""
    made = ledger(("1,2010-07-10,1,2,1-0", "1,2010-07-10,3,4,1-0", "2,2010-07-11,1,3,1-0"))
    text = written(made)
    lines = text.replace("XXR 2", "XXR 3").splitlines()
    rounds = ("     3 w 1", "  0000 - Z", "     1 b 0", "  0000 - Z")
    players = [line for line in lines if line.startswith("001")]
    assert [line[-10:] for line in players] == list(rounds)
    third = iter(("  0000 - Z", "     4 w 1", "  0000 - Z", "     2 b 0"))
    grown = [line + next(third) if line.startswith("001") else line for line in lines]
    receipt = imported(made, "".join(f"{line}\n" for line in grown).encode())
    assert receipt.counts == {"result.recorded": 1, "bye.given": 2}
    third_round = [each.event for each in receipt.events]
    assert {each.round for each in third_round if isinstance(each, ByeGiven)} == {3}


def test_titles_of_a_report_are_written_again_and_award_none() -> None:
    made = empty_ledger()
    titles = ("  m", " wg", "", "f")
    lines = [player(n, f"Jugador {n}", "0000 - H", title=t) for n, t in enumerate(titles, 1)]
    imported(made, file("012 T", "042 2011/03/04", "052 2011/03/04", *lines),
             rate_of_play=Rate.RAPID, tournament="T")  # fmt: skip
    again = written(made)
    read = [each.title for each in parse(again.encode()).players]
    assert read == ["IM", "WGM", None, "FM"]
    assert imported(made, again.encode()).events == ()
    others = again.replace("WGM", "   ").replace(" IM", " GM")
    assert imported(made, others.encode()).events == ()


def test_rounds_of_byes_keep_their_day() -> None:
    made = empty_ledger()
    dates = "132".ljust(91) + "11/03/04  11/03/05  11/03/06"
    lines = (
        player(1, "Aguirre, Nora", "   2 w 1", "0000 - H", "   2 b 1"),
        player(2, "Barrientos, Ciro", "   1 b 0", "0000 - H", "   1 w 0"),
    )
    imported(made, file("012 T", "042 2011/03/04", "052 2011/03/06", dates, *lines),
             rate_of_play=Rate.RAPID, tournament="T")  # fmt: skip
    again = written(made)
    assert dates in again.splitlines()
    assert imported(made, again.encode()).events == ()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("version", [None, *TrfVersion])
def test_a_report_of_every_program_says_nothing_new_when_it_was_written_anew(
    style: str, version: TrfVersion | None
) -> None:
    made = empty_ledger()
    about = parse(STYLES[style]).tournament
    day = None if about.starts_on else dt.date(2020, 5, 29)
    imported(made, STYLES[style], tournament="T", starts_on=day, ends_on=day,
             rate_of_play=Rate.BLITZ)  # fmt: skip
    assert imported(made, tournament_report(made, "T", None, version)).events == ()


@examples(25)
@given(tournaments(), st.sampled_from([None, *TrfVersion]))
def test_what_is_written_of_any_report_says_nothing_new(
    generated: Generated, version: TrfVersion | None
) -> None:
    made = empty_ledger()
    day = dt.date(2011, 3, 4)
    imported(
        made, generated.data, name="T", tournament="T", starts_on=day, ends_on=day,
        rate_of_play=Rate.RAPID,
    )  # fmt: skip
    text = written(made, version)
    assert check(parse(text.encode())) == []
    assert imported(made, text.encode()).events == ()


def test_the_same_games_under_another_id_are_told() -> None:
    ledger = ledger_of("11,1800,,50", "12,1700,,50", "13,1600,,50")
    import_text(ledger, games("T", "1,,11,12,1-0", "1,,13,,U", "2,,12,13,1-0"))
    report, notes = tournament_report(ledger, "T", None), {}
    for tournament in ("T", "U"):
        document = Document(
            name="report.trf", data=report, supplied=Supplied(tournament=tournament)
        )
        receipt = import_document(ledger, document, Request("officer", "", tournament, ""))
        notes[tournament] = [note.message for note in receipt.notes]
    assert "import.same_games" not in {each.key for each in notes["T"]}, "it is T itself"
    (note,) = [each for each in notes["U"] if each.key == "import.same_games"]
    assert dict(note.values) == {"other": "T", "tournament": "U"}


def test_likewise_of_a_table() -> None:
    ledger = ledger_of("11,1800,,50", "12,1700,,50", "13,1600,,50")
    rows = ("1,,11,12,1-0", "1,,13,,U", "2,,12,13,1-0")
    for name in ("T", "U"):
        receipt = import_text(ledger, games(name, *rows))
        found = [n.message for n in receipt.notes if n.message.key == "import.same_games_in_table"]
        assert [dict(each.values) for each in found] == [{"other": "T", "tournament": "U"}] * (
            name == "U"
        )
    again = import_text(ledger, games("U", *rows))
    assert "import.same_games_in_table" not in {each.message.key for each in again.notes}
