"""Files in the manner of the programs that write them: read without a loss, and written back."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.intake.documents import Supplied
from ledger.intake.trf.check import adjustments, check
from ledger.intake.trf.document import read_trf
from ledger.intake.trf.pairings import byes, pairings
from ledger.terms import Rate, System
from tests.intake.trf.writing import IDS, file, parse, player, team, text_of

RULERS = (
    "         1         2         3         4         5",
    "12345678901234567890123456789012345678901234567890",
    "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR",
)
SWISS_CHESS = file(
    "012 9. Torneo del Lago",
    "022 Frankfurt (Main) /GER",
    "032",
    "042 28. 07. 2005",
    "052 31. 07. 2005",
    "062 3",
    "092 Individual: Swiss-System (Standard)",
    "122 40/120, 60",
    "132",
    player(
        1, "Aguirre,Nora", "   2 w 1", "   3 - +", title="  g", birth="1969.12.06", points="2.0"
    ),
    player(2, "Barrientos,Ciro,Dr.", "   1 b 0", "", title="  m", birth="1941.12.25", points="0.0"),
    player(3, "Dardón,Teófilo", "", "   1 - -", birth="1934.06.20", points="0.0", rank="0"),
)
SWISS_MANAGER = file(
    "012 Campeonato Regional",
    "022 Heraklion",
    "032 GRE",
    "042 2024/11/23",
    "052 2024/11/24",
    "062 2 (2)",
    "072 2",
    "082 1",
    "092 Team Swiss System",
    "102 FA Castillo Rebeca",
    "112 Uno",
    "112 Dos, Tres",
    "122 15 minutes plus 10 sec per move",
    "142 2",
    "132".ljust(91) + "24/11/23  24/11/24",
    "",
    *RULERS,
    player(1, "Aguirre,Nora", "   2 w 1", "   2 b =", sex="f", birth="1990/00/00", points="1.5"),
    player(2, "Barrientos,Ciro", "   1 b 0", "   1 w =", sex="m", birth="2017/00/00", points="0.5"),
    "013 Los Cerros".ljust(36) + "   1    2",
    newline="\r\n",
)
JAVAFO = file(
    "012 Prueba de emparejamiento",
    "042 24/09/2010",
    "052 02/10/2010",
    "092 Individual: Swiss-System",
    "122 moves/time, increment",
    "XXR 2",
    "XXC white1",
    "XXZ 2",
    player(1, "Player 1", "   2 w 1", "0000 - U", points="2.0", rank="1"),
    player(2, "Player 2", "   1 b 0", "0000 - Z", points="0.0", rank="2"),
)
BBP_PAIRINGS = file(
    "012 AutoTest Tournament 7",
    player(1, "Test0001 Player0001", "   2 w +", "   2 b 1", rating="2720", points="2.0", rank="1"),
    player(2, "Test0002 Player0002", "   1 b -", "   1 w 0", rating="2701", points="0.0", rank="2"),
    "XXR 2",
    "XXA    1  1.0  0.5",
    newline="\r",
)
LICHESS = file(
    "012 Suizo de mayo",
    "022 https://lichess.org/swiss/AbCdEfGh",
    "032 Lichess",
    "042 May 29, 2020",
    "052 May 29, 2020",
    "062 2",
    "092 Individual: Swiss-System",
    "112",
    "132",
    "XXR 3",
    "XXC white1",
    player(1, "una_persona", "   2 w 1", "       H", "       -", points="1.5"),
    player(2, "otra-persona", "   1 b 0", "       U", "       -", points="1.0"),
)
SHARLY_CHESS = file(
    "012 Suizo por equipos",
    "032 FRA",
    "042 2025/05/29",
    "052 2025/05/29",
    "062 2",
    "092",
    "132",
    "142 2",
    "162  P 5.0",
    "192 FIDE_TEAM_TYPEA_MP_GP",
    "212 PTS,WIN,BH,AOB",
    "",
    "### SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR",
    player(1, "AGUIRRE, Nora", "   2 w =", "   2 b", points="0.5"),
    player(2, "BARRIENTOS, Ciro", "   1 b =", "   1 w", points="0.5"),
    "",
    team(1, "Los Cerros", 1),
    team(2, "El Lago", 2),
    "320  2.0  5.0   1   2",
    "300   1   1   2    1",
    "FRA    1    A".ljust(53) + "ARA".ljust(4) + "     Y02046",
)
FIDE_TRF26 = file(
    "### an example, with comments",
    "012 Copa de la Abuela",
    "032 FID",
    "042 2024/01/01",
    "052 2024/01/02",
    "092 FIDE-TEAM-BAKU",
    "122 100'x40+15'+30\"",
    "132".ljust(91) + "24/01/01  24/01/02",
    "142 2",
    "152 W",
    "192 FIDE_TEAM_BAKU",
    "202 EDET/P,EMGSB/C1/P,BH:MP/C1/P,MPvGP",
    "222 40/6000+30:900+30",
    "352 WBWB",
    "362 TW 2.0   TD 1.0   TL 0.0",
    *RULERS,
    player(1, "Test0001 Player0001", "   2 b =", "0000 - +", birth="1987/00/00", points="1.5"),
    player(2, "Test0002 Player0002", "   1 w =", "0000 - -", birth="1992/00/00", points="0.5"),
    team(1, "Los Cerros", 1),
    team(2, "El Lago", 2),
    "240 F   2    1",
    "299 W   2.0   1.0    2    1",
    "330 +-   2   1   2",
    newline="\r",
)
STYLES = {
    "swiss-chess": SWISS_CHESS, "swiss-manager": SWISS_MANAGER, "javafo": JAVAFO,
    "bbp-pairings": BBP_PAIRINGS, "lichess": LICHESS, "sharly-chess": SHARLY_CHESS,
    "fide-trf26": FIDE_TRF26,
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_a_file_of_every_program_is_read_and_written_back(style: str) -> None:
    data = STYLES[style]
    assert check(parse(data)) == []
    assert parse(data).written() == text_of(data)


@pytest.mark.parametrize(
    ("style", "noted"),
    [
        ("swiss-chess", {"foreign_date", "old_title"}),
        ("swiss-manager", {"sex_f", "ruler"}),
        ("javafo", {"foreign_date"}),
        ("bbp-pairings", set()),
        ("lichess", {"no_federation", "foreign_date", "result_without_opponent"}),
        ("sharly-chess", {"pairing_without_result"}),
        ("fide-trf26", {"ruler", "result_without_opponent", "abnormal_points", "forfeited_match",
                        "team_bye"}),
    ],
)  # fmt: skip
def test_its_ways_are_noted(style: str, noted: set[str]) -> None:
    keys = {each.message.key.removeprefix("trf.") for each in adjustments(parse(STYLES[style]))}
    assert keys == noted


@pytest.mark.parametrize(
    ("style", "games", "rounds_off", "days", "system", "rate"),
    [
        ("swiss-chess", 2, 0, "2005-07-28 2005-07-31", System.SWISS, Rate.CLASSICAL),
        ("swiss-manager", 2, 0, "2024-11-23 2024-11-24", System.TEAM_SWISS, Rate.RAPID),
        ("javafo", 1, 2, "2010-09-24 2010-10-02", System.SWISS, None),
        ("bbp-pairings", 2, 0, "None None", None, None),
        ("lichess", 1, 4, "2020-05-29 2020-05-29", System.SWISS, None),
        ("sharly-chess", 1, 0, "2025-05-29 2025-05-29", System.TEAM_SWISS, None),
        ("fide-trf26", 1, 2, "2024-01-01 2024-01-02", System.TEAM_SWISS, Rate.CLASSICAL),
    ],
)
def test_what_it_says_is_read(
    style: str, games: int, rounds_off: int, days: str, system: System | None, rate: Rate | None
) -> None:
    report = parse(STYLES[style])
    about = report.tournament
    assert (len(pairings(report, IDS)), len(byes(report, IDS))) == (games, rounds_off)
    assert f"{about.starts_on} {about.ends_on}" == days
    assert (about.system, about.rate_of_play) == (system, rate)


def test_arbiters_are_read() -> None:
    about = parse(SWISS_MANAGER).tournament
    assert about.chief_arbiter == "FA Castillo Rebeca"
    assert about.deputies == ("Uno", "Dos, Tres")
    assert about.round_dates == (dt.date(2024, 11, 23), dt.date(2024, 11, 24))


@pytest.mark.parametrize(
    ("words", "type_", "rate"),
    [
        ("1:30 + 10 from move 1", None, Rate.CLASSICAL),
        ("40/120, 60", None, Rate.CLASSICAL),
        ("0:15 + 10", None, Rate.RAPID),
        ("120", None, Rate.CLASSICAL),
        ("30", None, None),
        (None, "Swiss Rapid", Rate.RAPID),
        (None, "Individual: Swiss-System (Standard)", None),
        ("90 min", "Individual: Swiss-System (rate of play: rapid)", Rate.RAPID),
        ("90 min", "Blitz", Rate.CLASSICAL),
    ],
)
def test_the_rate_of_play_is_told_as_programs_and_arbiters_say_it(
    words: str | None, type_: str | None, rate: Rate | None
) -> None:
    lines = [f"122 {words}"] * bool(words) + [f"092 {type_}"] * bool(type_)
    assert parse(file(*lines, player(1))).tournament.rate_of_play is rate


@pytest.mark.parametrize(
    ("lines", "key", "line", "quoted"),
    [
        (["092 Knockout"], "trf.unknown_system", 4, "'Knockout' (092)"),
        (["092", "192 CUSTOM"], "trf.unknown_system", 5, "'CUSTOM' (192)"),
        (["092"], "import.assumed_swiss", 1, "092"),
        ([], "import.assumed_swiss", 1, "092"),
    ],
)
def test_a_system_that_is_not_understood_is_quoted(
    lines: list[str], key: str, line: int, quoted: str
) -> None:
    data = file("012 Copa", "042 2011/03/04", "052 2011/03/06", *lines, player(1), player(2, "B"))
    said, _, notes = read_trf(text_of(data), Supplied())
    (note,) = [each for each in notes if each.message.key in (key, "import.assumed_swiss")]
    assert (said.system, note.message.key, note.line) == (System.SWISS, key, line)
    assert quoted in str(note.message)
