"""What a file says of the tournament, the players, teams and ratings."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from ledger.errors import InputRefused
from ledger.intake.trf.check import check
from ledger.intake.trf.header import rate_of_play_in, system_of
from ledger.intake.trf.report import Code, Tournament
from ledger.terms import Colour, Rate, System
from tests.intake.trf.writing import GOOD, file, parse, player, team


def test_the_tournament_is_read() -> None:
    assert parse(GOOD.encode()).tournament == Tournament(
        name="Torneo de los Volcanes",
        city="Quetzaltenango",
        federation="GUA",
        starts_on=dt.date(2011, 3, 4),
        ends_on=dt.date(2011, 3, 6),
        players=6,
        type="Individual: Swiss-System",
        system=System.SWISS,
        time_control="90 min + 30 sec",
        chief_arbiter="Castillo, Rebeca",
        rate_of_play=Rate.CLASSICAL,
        rounds=3,
        round_dates=(dt.date(2011, 3, 4), dt.date(2011, 3, 5), dt.date(2011, 3, 6)),
    )


def test_a_player_is_read() -> None:
    second = parse(GOOD.encode()).players[1]
    assert (second.number, second.name) == (2, "Barrientos, Ciro")
    assert (second.sex, second.title, second.rating) == ("m", "CM", 1850)
    assert (second.federation, second.fide_id, second.birth) == ("GUA", "990002", "1978")
    assert (second.points, second.rank, second.line) == (Decimal("1.5"), 3, 13)
    first = second.rounds[0]
    assert (first.opponent, first.colour, first.code) == (1, Colour.BLACK, Code.LOSS)


def test_what_is_blank_or_zero_is_none() -> None:
    (read,) = parse(file(player(1, rating="0", fide="0"))).players
    assert (read.rating, read.fide_id) == (None, None)
    assert (read.sex, read.title, read.federation, read.birth) == (None, None, None, None)
    assert (read.points, read.rank, read.rounds) == (None, None, ())


def test_columns_count_characters_after_decoding() -> None:
    in_latin_1 = file(player(1, "Ñañez Güemes, Íñigo", "0000 - H")).decode().encode("latin-1")
    (read,) = parse(in_latin_1).players
    assert read.name == "Ñañez Güemes, Íñigo"
    assert read.rounds[0].code is Code.HALF_BYE


@pytest.mark.parametrize(
    ("birth", "read"),
    [
        ("1990/05/17", "1990-05-17"),
        ("17/05/1990", "1990-05-17"),
        ("1990.05.17", "1990-05-17"),
        ("1990-5-7", "1990-05-07"),
        ("1990/00/00", "1990"),
        ("1990/05/00", "1990"),
        ("1990", "1990"),
        ("0000/00/00", None),
    ],
)
def test_births_are_read_as_they_come(birth: str, read: str | None) -> None:
    assert parse(file(player(1, birth=birth))).players[0].birth == read


@pytest.mark.parametrize(
    ("title", "read"),
    [("GM", "GM"), ("g", "GM"), (" IM", "IM"), ("wf", "WFM"), ("wg ", "WGM"), ("", None)],
)
def test_titles_of_older_files_are_read_too(title: str, read: str | None) -> None:
    assert parse(file(player(1, title=title))).players[0].title == read


def test_rounds_are_announced_by_142_or_by_the_extension() -> None:
    assert parse(file("142 9", player(1))).tournament.rounds == 9
    assert parse(file("XXR 7", player(1))).tournament.rounds == 7
    assert parse(file("142 7", "XXR 7", player(1))).tournament.rounds == 7
    assert parse(file(player(1))).tournament.rounds is None


def test_teams_of_both_editions_are_read() -> None:
    data = file(
        player(1),
        player(2, "Barrientos, Ciro"),
        "013 Los Cerros".ljust(36) + "   2",
        team(12, "El Lago", 1, 2),
    )
    old, new = parse(data).teams
    assert (old.name, old.number, [m.number for m in old.players]) == ("Los Cerros", None, [2])
    assert (new.name, new.number, [m.number for m in new.players]) == ("El Lago", 12, [1, 2])
    assert [member.column for member in new.players] == [74, 79]
    assert check(parse(data)) == []


def test_national_ratings_are_read() -> None:
    national = "GUA    1".ljust(48) + "1745".ljust(9) + "       4411"
    (read,) = parse(file(player(1), national)).national_ratings
    assert (read.federation, read.number, read.rating, read.national_id) == ("GUA", 1, 1745, "4411")


def test_records_of_trf26_are_read_and_kept() -> None:
    report = parse(
        file(
            player(1),
            "240 F   2    1",
            "299 W   2.0   1.5   3    1    2",
            "299      -1.0         0   12",
            "330 -+   8  27   5",
        )
    )
    (bye,) = report.granted_byes
    assert (bye.code, bye.round, bye.numbers[0].number) == (Code.FULL_BYE, 2, 1)
    (match,) = report.forfeited_matches
    assert (match.type, match.round, match.white.number, match.black.number) == ("-+", 8, 27, 5)


def test_comments_blank_lines_and_extensions_are_kept() -> None:
    data = b"# one\n\n### two\n   \n" + file(player(1), "XXC white1", "XXZ 1", "172 IND FIDE")
    report = parse(data)
    assert check(report) == []
    assert len(report.records) == 8


@pytest.mark.parametrize(
    ("types", "system"),
    [
        (("Individual: Swiss-System", None), System.SWISS),
        (("Torneo suizo", ""), System.SWISS),
        ((None, "FIDE_DUTCH_2025"), System.SWISS),
        ((None, "FIDE_TEAM_BAKU"), System.TEAM_SWISS),
        ((None, "FIDE_TEAM_TYPEA_MP_GP"), System.TEAM_SWISS),
        (("Swiss", "FIDE_TEAM_BAKU"), System.TEAM_SWISS),
        (("Individual: Swiss-System", "FIDE_TEAM_BAKU"), System.SWISS),
        (("Suizo por equipos", None), System.TEAM_SWISS),
        (("Individual: Round-Robin", None), System.ROUND_ROBIN),
        (("Todos contra todos", None), System.ROUND_ROBIN),
        (("Todas contra todas", None), System.ROUND_ROBIN),
        (("Individual: All-Play-All", None), System.ROUND_ROBIN),
        (("All-play-all", None), System.ROUND_ROBIN),
        (("Round Robin", None), System.ROUND_ROBIN),
        (("Liga", None), System.ROUND_ROBIN),
        (("Liga, sistema suizo", None), System.SWISS),
        (("Liga por equipos", None), None),
        (("Religalo", None), None),
        (("Match", None), System.MATCH),
        (("Team: Round-Robin", None), None),
        (("Knockout", None), None),
        ((None, None), None),
    ],
)
def test_the_system_is_told_from_the_type(
    types: tuple[str | None, str | None], system: System | None
) -> None:
    assert system_of(*types) is system


@pytest.mark.parametrize(
    ("words", "coded", "rate"),
    [
        ("90 min + 30 sec", None, Rate.CLASSICAL),
        ("90'+30\"", None, Rate.CLASSICAL),
        ("100'x40mm + 50'x20mm + 30\" from move 1", None, Rate.CLASSICAL),
        ("2 h", None, Rate.CLASSICAL),
        ("60 min", None, Rate.CLASSICAL),
        ("59 min", None, Rate.RAPID),
        ("15 min + 10 seg", None, Rate.RAPID),
        ("25+10", None, Rate.RAPID),
        ("10 min", None, Rate.BLITZ),
        ("3'+2''", None, Rate.BLITZ),
        ("3+2", None, Rate.BLITZ),
        ("Ajedrez relámpago", None, Rate.BLITZ),
        ("Rápido", None, Rate.RAPID),
        ("moves/time, increment", None, None),
        ("5400+30", None, Rate.CLASSICAL),
        ("Blitz 90+30", None, None),
        ("3+2", "W300-B240", None),
        (None, "5400+30", Rate.CLASSICAL),
        (None, "40/6000+30:900+30", Rate.CLASSICAL),
        (None, "180+2", Rate.BLITZ),
        (None, "900+10", Rate.RAPID),
        (None, "600", Rate.BLITZ),
        (None, "W300-B240", None),
        ("3+2", "900+10", Rate.RAPID),
        (None, None, None),
    ],
)
def test_the_rate_of_play_is_told_from_the_time_control(
    words: str | None, coded: str | None, rate: Rate | None
) -> None:
    assert rate_of_play_in(words, coded, None) is rate


def test_a_binary_file_is_refused() -> None:
    with pytest.raises(InputRefused):
        parse(b"PK\x03\x04rest")


def test_an_empty_file_has_no_players() -> None:
    assert [each.message.key for each in check(parse(b""))] == ["trf.no_players"]
