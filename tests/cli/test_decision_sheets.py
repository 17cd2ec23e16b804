"""Decision sheets: written, filled in, read again; and FIDE's list that links members."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from tests.cli.running import Ran, run
from tests.ledgers import PLAYERS_HEADER

MEMBERS = '101,"Soto Pérez, Ana María",CHI,w,1990,,,\n102,"González, Juan",CHI,m,1985,,,\n'
OTHERS = 'id,name,federation,sex,birth_date\nX,"Soto, Ana",CHI,w,1990\nY,"Lagos, Nina",CHI,w,2001\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "members.csv").write_text(PLAYERS_HEADER + MEMBERS, encoding="utf-8")
    (tmp_path / "others.csv").write_text(OTHERS, encoding="utf-8")
    for words in (("init",), ("import", "members.csv")):
        assert run(*words, cwd=tmp_path).code == 0
    return tmp_path


def done(folder: Path, *words: str) -> Ran:
    made = run(*words, cwd=folder)
    assert made.code == 0, made.err
    return made


def filled(folder: Path, name: str, **decisions: str) -> None:
    """Fills in the decision of rows, by what stands in their second column but one."""
    file = folder / name
    rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8-sig"))))
    for row in rows[1:]:
        row[0] = next((decisions[cell] for cell in row if cell in decisions), "")
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, delimiter=";").writerows(rows)


def test_who_is_doubtful_goes_out_and_comes_back_decided(folder: Path) -> None:
    told = done(folder, "import", "others.csv", "--undecided", "who.csv").out
    assert "1 person is to be decided" in told
    head, row = csv.reader(io.StringIO((folder / "who.csv").read_text(encoding="utf-8-sig")))
    assert head[:3] == ["decision", "who", "name"]
    assert row[:3] == ["", "X", "Soto, Ana"]
    assert row[6:8] == ["101", "Soto Pérez, Ana María"]
    filled(folder, "who.csv", X="101")
    assert "1 player" in done(folder, "import", "others.csv", "--decided", "who.csv").out


def test_a_yes_means_the_candidate_of_the_row(folder: Path) -> None:
    done(folder, "import", "others.csv", "--undecided", "who.csv")
    filled(folder, "who.csv", X="yes")
    done(folder, "import", "others.csv", "--decided", "who.csv")
    assert run("player", "show", "X", cwd=folder).code == 7


def test_an_undecided_row_is_none(folder: Path) -> None:
    done(folder, "import", "others.csv", "--undecided", "who.csv")
    assert run("import", "others.csv", "--decided", "who.csv", cwd=folder).code == 5


def test_a_workbook_has_the_same(folder: Path) -> None:
    done(folder, "import", "others.csv", "--undecided", "who.xlsx")
    sheet = CalamineWorkbook.from_path(folder / "who.xlsx").get_sheet_by_index(0).to_python()
    assert sheet[1][1:3] == ["X", "Soto, Ana"]
    refused = run("import", "others.csv", "--undecided", "who.txt", cwd=folder)
    assert refused.code == 4
    assert not (folder / "who.txt").exists()


def test_a_dry_run_ends_as_the_import_would(folder: Path) -> None:
    twice = OTHERS + 'Y,"Lagos, Nina María",CHI,w,2001\n'
    (folder / "twice.csv").write_text(twice, encoding="utf-8")
    for file, says in (("others.csv", "--as X=101"), ("twice.csv", "--same 4")):
        tried, made = (run("import", file, *words, cwd=folder) for words in (["--dry-run"], []))
        assert (tried.code, made.code) == (5, 5)
        assert says in tried.err
        assert says in made.err
    shown = run("import", "others.csv", "--dry-run", "--format", "json", cwd=folder)
    assert [each["who"] for each in shown.json()["doubtful"]] == ["X"]
    assert run("import", "others.csv", "--dry-run", "--new", "X", cwd=folder).code == 0
    assert run("import", "others.csv", "--dry-run", "--only-members", cwd=folder).code == 0


def test_a_dry_run_shows_first_who_is_to_be_decided(folder: Path) -> None:
    rows = "".join(f'{at},"Familia {chr(65 + at % 26)}{at}, Eva",,,\n' for at in range(200, 260))
    (folder / "many.csv").write_text("id,name,federation,sex,birth_date\n" + rows)
    done(folder, "import", "many.csv")
    (folder / "more.csv").write_text(
        "id,name,federation,sex,birth_date\n" + rows + OTHERS.split("\n", 1)[1]
    )
    out = run("import", "more.csv", "--dry-run", cwd=folder).out
    assert out.index("Soto, Ana") < out.index("Lagos, Nina") < out.index("Familia")


def test_two_decisions_about_one_are_refused(folder: Path) -> None:
    text = "decision,who\n101,X\nnew,X\n"
    (folder / "who.csv").write_text(text, encoding="utf-8")
    refused = run("import", "others.csv", "--decided", "who.csv", cwd=folder)
    assert refused.code == 4
    assert "who.csv:3:1: of X it is decided in two ways" in refused.err


def test_doubtful_names_of_games_go_out_and_come_back_decided(folder: Path) -> None:
    done(folder, "import", "others.csv", "--new", "all")
    done(folder, "player", "add", "Z", "Lagos, Nina", "--born", "1950")
    about = "2010-07-03,2010-07-03,swiss,rapid"
    header = "tournament,name,start,end,system,rate_of_play,round,white,black,result\n"
    rows = f'C,C,{about},1,"Lagos, Nina",101,1-0\nC,C,{about},2,102,"Lagos, Nina",1-0\n'
    rows += f'C,C,{about},1,102,"Zapata, Rosa",1-0\n'
    (folder / "games.csv").write_text(header + rows, encoding="utf-8")
    assert run("import", "games.csv", cwd=folder).code == 5
    assert "2 people" in done(folder, "import", "games.csv", "--undecided", "who.csv").out
    filled(folder, "who.csv", Z="yes", **{"Zapata, Rosa": "new"})
    made = done(folder, "import", "games.csv", "--decided", "who.csv")
    assert "3 results recorded" in made.out
    assert "1 player" in made.out


class TestPairs:
    """Ids of one person, many at once."""

    @pytest.fixture(autouse=True)
    def _twice(self, folder: Path) -> None:
        done(folder, "import", "others.csv", "--new", "all")
        twice = 'id,name,birth_date\nZ,"Lagos, Nina",2001\nW,"Soto, Ana",1990\n'
        (folder / "twice.csv").write_text(twice, encoding="utf-8")
        done(folder, "import", "twice.csv", "--new", "all")

    def test_pairs_go_out_and_are_merged(self, folder: Path) -> None:
        assert (
            "2 pairs in pairs.csv"
            in done(folder, "player", "duplicates", "--undecided", "pairs.csv").out
        )
        filled(folder, "pairs.csv", Y="Y", W="yes")
        made = done(folder, "player", "merge-decided", "pairs.csv", "--reason", "looked at")
        assert "2 pairs of ids joined" in made.out
        shown = done(folder, "player", "show", "Y", "--format", "json").json()
        assert shown["ids"] == [{"issuer": "ledger", "id": "Z"}]

    def test_who_are_two_people_are_suggested_no_more(self, folder: Path) -> None:
        (suggested, _) = done(folder, "player", "duplicates", "--format", "json").json()[
            "duplicates"
        ]
        assert (suggested["player"]["id"], suggested["reason"]) == ("X", "birth_date")
        done(folder, "player", "duplicates", "--undecided", "pairs.csv")
        filled(folder, "pairs.csv", Y="dos", W="two")
        made = done(folder, "player", "merge-decided", "pairs.csv", "--reason", "looked at")
        assert "2 identities corrected" in made.out
        assert done(folder, "player", "duplicates", "--format", "json").json() == {"duplicates": []}

    def test_who_is_none_of_the_two_is_refused(self, folder: Path) -> None:
        done(folder, "player", "duplicates", "--undecided", "pairs.csv")
        filled(folder, "pairs.csv", Y="101")
        made = run("player", "merge-decided", "pairs.csv", "--reason", "x", cwd=folder)
        assert made.code == 4
        assert "'101' is none of the two" in made.err

    def test_nothing_decided_is_nothing_to_do(self, folder: Path) -> None:
        done(folder, "player", "duplicates", "--undecided", "pairs.csv")
        made = run("player", "merge-decided", "pairs.csv", "--reason", "x", cwd=folder)
        assert made.code == 4
        assert "decides nothing" in made.err


def test_fides_list_links_members_and_registers_nobody(folder: Path) -> None:
    lines = [("3400001", "Soto Perez, Ana Maria", "1990"), ("3400002", "Lagos, Nina", "2001")]
    fide = "".join(
        f"{number:15}{name:61}{'CHI':4}{'F':4}{'':23}{born:6}\n" for number, name, born in lines
    )
    head = f"{'ID Number':15}{'Name':61}{'Fed':4}{'Sex':4}{'SRtng SGm SK':23}{'B-day':6}\n"
    (folder / "fide.txt").write_text(head + fide, encoding="utf-8")
    link = ("import", "fide.txt", "--ids", "fide", "--only-members")
    assert "nothing" in done(folder, *link).out
    done(folder, *link, "--undecided", "who.csv")
    filled(folder, "who.csv", **{"3400001": "101"})
    assert "1 identity corrected" in done(folder, *link, "--decided", "who.csv").out
    assert done(folder, "player", "show", "3400001", "--format", "json").json()["id"] == "101"
    assert "nothing" in done(folder, *link).out
