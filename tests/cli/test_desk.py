"""What an arbiter types: rules with the opening, entry lists, standings that went out, changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.event import OPEN, REASON, RULES, do, opened, played, registered
from tests.cli.running import run
from tests.workbooks import workbook

OF_FIDE = ["BH/C1", "BH", "SB", "PS", "DE", "WIN", "BWG"]
STANDINGS = ("tournament", "standings", "T")


class TestOpening:
    """The rules are announced in the commit that opens the event."""

    def test_one_commit_opens_and_announces(self, tmp_path: Path) -> None:
        registered(tmp_path, 4)
        done = do(tmp_path, *OPEN, *RULES, "--prizes", "100,50", "--format", "json").json()
        assert [event["type"] for event in done["events"]] == [
            "tournament.opened", "rules.announced",
        ]  # fmt: skip
        assert done["events"][1]["payload"]["tie_breaks"] == ["median", "solkoff"]

    def test_the_first_colour_is_drawn_from_the_seed(self, tmp_path: Path) -> None:
        registered(tmp_path, 4)
        words = (*OPEN, *RULES, "--first-colour", "lot", "--lot", "3 May", "--dry-run")
        drawn = {
            do(tmp_path, *words, "--format", "json").json()["events"][1]["payload"]["first_colour"]
            for _ in range(2)
        }
        assert len(drawn) == 1
        assert drawn <= {"white", "black"}

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("--tie-breaks", "median"), "--pairing"),
            ((*RULES, "--first-colour", "lot"), "--lot"),
            (("--pairing", "berger"), "round-robin"),
            (("--pairing", "fenamac-1975", "--tie-breaks", "fame"), "there are: median"),
        ],
    )
    def test_what_is_refused_opens_nothing(
        self, tmp_path: Path, words: tuple[str, ...], says: str
    ) -> None:
        registered(tmp_path, 4)
        done = run(*OPEN, *words, cwd=tmp_path)
        assert done.code == 4
        assert says in done.err
        assert run("tournament", "show", "T", cwd=tmp_path).code == 7


class TestRounds:
    """How many there are: asked for by the pairing system, shortened and extended for a reason."""

    OPENED = tuple(word for word in OPEN if word not in ("--rounds", "3"))

    def test_are_asked_for_where_the_system_pairs_by_them(self, tmp_path: Path) -> None:
        registered(tmp_path, 4)
        refused = run(*self.OPENED, "--pairing", "dutch", cwd=tmp_path)
        assert refused.code == 4
        assert "--rounds" in refused.err
        assert "report this" not in refused.err
        do(tmp_path, *self.OPENED)
        rules = ("tournament", "rules", "T", "--pairing", "dutch")
        assert run(*rules, cwd=tmp_path).code == 4
        done = do(tmp_path, *rules, "--rounds", "3", "--format", "json").json()
        types = [event["type"] for event in done["events"]]
        assert types == ["tournament.corrected", "rules.announced"]
        assert done["events"][0]["payload"]["rounds"] == 3
        assert done["events"][1]["payload"]["tie_breaks"] == OF_FIDE

    def test_without_tie_breaks_do_not_get_others_once_they_are_relied_on(
        self, tmp_path: Path
    ) -> None:
        registered(tmp_path, 4)
        do(tmp_path, *OPEN)
        rules = ("tournament", "rules", "T", "--pairing", "dutch")
        do(tmp_path, *rules, "--tie-breaks", "SB")
        changed = do(tmp_path, *rules, *REASON, "--format", "json").json()
        assert changed["events"][0]["payload"]["tie_breaks"] == []
        announced = do(tmp_path, *rules, "--format", "json").json()
        assert announced["events"][0]["payload"]["tie_breaks"] == OF_FIDE
        manual = ("tournament", "rules", "T", "--pairing", "fenamac-1975", "--format", "json")
        assert do(tmp_path, *manual).json()["events"][0]["payload"]["tie_breaks"] == []

    def test_are_changed_alone_for_a_reason(self, tmp_path: Path) -> None:
        opened(tmp_path)
        played(tmp_path, 1, "1-0", "1-0")
        words = ("tournament", "rules", "T", "--rounds", "2")
        assert "--reason" in run(*words, cwd=tmp_path).err
        done = do(tmp_path, *words, *REASON, "--format", "json").json()
        assert [event["type"] for event in done["events"]] == ["tournament.corrected"]
        played(tmp_path, 2, "1-0", "1-0")
        assert run("tournament", "pair", "T", cwd=tmp_path).code == 4
        shown = " ".join(do(tmp_path, *STANDINGS).out.split())
        assert "number of rounds. Reason: the captains agreed" in shown
        spanish = run("--lang", "es", "tournament", "rules", "T", cwd=tmp_path)
        assert spanish.code == 4
        assert "--pairing" in spanish.err
        assert "--rounds" in spanish.err

    def test_the_id_of_an_annulled_event_is_not_given_again(self, tmp_path: Path) -> None:
        opened(tmp_path)
        do(tmp_path, "annul", "tournament", "T", *REASON)
        refused = run(*OPEN, cwd=tmp_path)
        assert refused.code == 4
        assert "another id" in " ".join(refused.err.split())


class TestEntryList:
    """Ids or names, ratings for the pairing and first rounds, in the order of the file."""

    ROWS = (
        ("player", "pairing_rating", "from_round"),
        ("Núñez, Ana 2", None, None),
        ("P1", 2150, None),
        ("P3", None, 2),
    )

    def _file(self, folder: Path, kind: str) -> str:
        registered(folder, 4)
        do(folder, *OPEN, *RULES)
        name = f"entries.{kind}"
        if kind == "xlsx":
            (folder / name).write_bytes(workbook(self.ROWS))
        else:
            text = "\n".join(";".join("" if v is None else str(v) for v in r) for r in self.ROWS)
            (folder / name).write_text(text, encoding="utf-8")
        return name

    @pytest.mark.parametrize("kind", ["csv", "xlsx"])
    def test_the_whole_list_is_one_commit(self, tmp_path: Path, kind: str) -> None:
        name = self._file(tmp_path, kind)
        words = ("tournament", "enter", "T", "--file", name, "--format", "json")
        events = do(tmp_path, *words).json()["events"]
        entered = [e["payload"]["player"] for e in events if e["type"] == "player.entered"]
        assert entered == ["P2", "P1", "P3"]
        described = [e["payload"] for e in events if e["type"] == "entry.described"]
        assert [(d["player"], d.get("pairing_rating"), d.get("from_round")) for d in described] == [
            ("P1", 2150, None), ("P3", None, 2),
        ]  # fmt: skip

    def test_a_file_is_refused_with_every_problem_and_its_line(self, tmp_path: Path) -> None:
        registered(tmp_path, 4)
        do(tmp_path, *OPEN, *RULES)
        (tmp_path / "entries.csv").write_text(
            "player;from_round\nP1;\nNobody, Known;\nP2;2\nP77;\n"
        )
        done = run("tournament", "enter", "T", "--file", "entries.csv", cwd=tmp_path)
        assert done.code == 4
        assert "entries.csv:3" in done.err
        assert "entries.csv:5" in done.err
        assert run(*STANDINGS, "--format", "json", cwd=tmp_path).json()["rows"] == []

    def test_nobody_is_asked_for(self, tmp_path: Path) -> None:
        registered(tmp_path, 4)
        do(tmp_path, *OPEN)
        assert "--file" in run("tournament", "enter", "T", cwd=tmp_path).err


class TestPublishedStandings:
    """They are recorded by their digest; what was recorded since is seen."""

    def test_they_went_out_once_and_are_compared_later(self, tmp_path: Path) -> None:
        opened(tmp_path)
        played(tmp_path, 1, "1-0", "0-1")
        shown = do(tmp_path, *STANDINGS, "--publish").out
        assert "standings published" in shown
        assert "These standings were published" in shown
        again = run(*STANDINGS, "--publish", cwd=tmp_path)
        assert again.code == 4
        assert "published already" in again.err
        board = do(tmp_path, "tournament", "round", "T", "1", "--format", "json").json()["boards"]
        game = ("T", "1", board[0]["white"]["id"], board[0]["black"]["id"])
        do(tmp_path, "correct", "result", *game, "1/2-1/2", *REASON)
        assert "Other standings were published after this round" in do(tmp_path, *STANDINGS).out
        do(tmp_path, *STANDINGS, "--publish")
        issued = do(tmp_path, *STANDINGS, "--format", "json").json()["issued"]
        assert [each["same"] for each in issued] == [False, True]

    def test_what_is_refused_is_not_recorded(self, tmp_path: Path) -> None:
        opened(tmp_path)
        played(tmp_path, 1, "1-0", "0-1")
        refused = run(*STANDINGS, "--publish", "--explain", "NOBODY", cwd=tmp_path)
        assert refused.code == 7
        assert do(tmp_path, *STANDINGS, "--format", "json").json()["issued"] == []

    def test_a_dry_run_only_says_so(self, tmp_path: Path) -> None:
        opened(tmp_path)
        played(tmp_path, 1, "1-0", "0-1")
        told = do(tmp_path, *STANDINGS, "--publish", "--dry-run").out
        assert "Would record 1 table of standings" in told
        assert do(tmp_path, *STANDINGS, "--format", "json").json()["issued"] == []

    def test_a_corrected_name_changes_no_digest(self, tmp_path: Path) -> None:
        opened(tmp_path)
        played(tmp_path, 1, "1-0", "0-1")
        do(tmp_path, *STANDINGS, "--publish")
        do(tmp_path, "player", "correct", "P1", "--name", "Núñez, Ana María", *REASON)
        assert do(tmp_path, *STANDINGS, "--format", "json").json()["issued"][0]["same"]


def test_an_id_is_meant_before_a_number(tmp_path: Path) -> None:
    """Ids may be numbers: here the player "2" has number 1."""
    (tmp_path / "players.csv").write_text(
        "id,name,federation,sex,birth_date,rating,k,games\n2,Ana,MEX,,,,,\n1,Bo,MEX,,,,,\n"
        "C,Cy,MEX,,,,,\nD,Di,MEX,,,,,\n"
    )
    do(tmp_path, "init")
    do(tmp_path, "import", "players.csv")
    do(tmp_path, *OPEN, *RULES)
    do(tmp_path, "tournament", "enter", "T", "2", "1", "C", "D")
    do(tmp_path, "tournament", "numbers", "T", "2", "1", "C", "D")
    played(tmp_path, 1, "1-0", "0-1")
    for text, id_ in (("2", "2"), ("1", "1"), ("3", "C"), ("Di", "D")):
        said = (text, "--format", "json")
        (card,) = do(tmp_path, "tournament", "cards", "T", *said).json()["cards"]
        assert card["id"] == id_
        assert do(tmp_path, *STANDINGS, "--explain", *said).json()["player"]["id"] == id_


class TestChanges:
    """What was changed after the event had begun stands below its standings, with the reason."""

    def test_each_is_shown_with_its_reason(self, tmp_path: Path) -> None:
        opened(tmp_path)
        do(tmp_path, "tournament", "pair", "T")
        do(tmp_path, "tournament", "withdraw-round", "T", "1", "--reason", "P5 arrived")
        played(tmp_path, 1, "1-0", "0-1")
        do(tmp_path, "player", "add", "P5", "Ávila, Eva", "--federation", "MEX")
        do(tmp_path, "tournament", "enter", "T", "P5", "--from-round", "2")
        do(tmp_path, "tournament", "rules", "T", "--pairing", "fenamac-1975", "--tie-breaks",
           "solkoff", "--reason", "few rounds")  # fmt: skip
        board = do(tmp_path, "tournament", "round", "T", "1", "--format", "json").json()["boards"]
        seats = [(b["white"]["id"], b["black"]["id"]) for b in board]
        rows = "".join(f"{black},{white}\n" for white, black in seats)
        (tmp_path / "boards.csv").write_text(f"white,black\n{rows}P5,\n")
        do(tmp_path, "tournament", "pair", "T", "--by-hand", "boards.csv", *REASON)
        changes = do(tmp_path, *STANDINGS, "--format", "json").json()["changes"]
        told = [(change["kind"], change["round"], change["reason"]) for change in changes]
        assert told == [
            ("round-withdrawn", 1, "P5 arrived"),
            ("late-entry", 2, ""),
            ("rules-changed", None, "few rounds"),
            ("round-by-hand", 2, "the captains agreed"),
        ]
        assert changes[2]["rules"] == ["tie_breaks"]
        assert changes[3]["deviations"] == ["second-meeting"]
        for words in (STANDINGS, ("tournament", "show", "T")):
            shown = " ".join(do(tmp_path, *words).out.split())
            assert "Rules changed after the event had begun (seq" in shown
            assert "tie-breaks. Reason: few rounds" in shown
            (white, black), _ = ((int(w[1]), int(b[1])) for w, b in seats)
            assert (
                f"{black} and {white} meet a second time, in round 2 at board 1; they met in "
                "round 1 at board 1." in shown
            )
            assert "at board 2. Reason: the captains agreed" in shown
        assert "se pareó a mano" in do(tmp_path, "--lang", "es", *STANDINGS).out
        sheet = ("tournament", "round", "T", "2")
        assert "meet a second time, in round 2 at board 2" in " ".join(
            do(tmp_path, *sheet).out.split()
        )
        assert "ronda 1, tablero 2" in do(tmp_path, "--lang", "es", *sheet, "--format", "html").out
        assert do(tmp_path, *sheet, "--format", "json").json()["deviations"] == ["second-meeting"]


def test_the_rounds_of_a_closed_event_are_frozen(tmp_path: Path) -> None:
    opened(tmp_path)
    played(tmp_path, 1, "1-0", "0-1")
    do(tmp_path, "tournament", "pair", "T")
    unfinished = run("tournament", "close", "T", cwd=tmp_path)
    assert unfinished.code == 4
    assert "round 2: 2 games have no result" in " ".join(unfinished.err.split())
    do(tmp_path, "tournament", "close", "T", "--anyway", *REASON)
    frozen = (
        ("tournament", "pair", "T"),
        ("tournament", "withdraw-round", "T", "2", *REASON),
        ("tournament", "result", "T", "2", "1", "1-0"),
    )
    for words in frozen:
        done = run(*words, cwd=tmp_path)
        assert done.code == 4, words
        assert "T is closed" in done.err, done.err


class TestColours:
    """Sat reversed: one command, and the sheet of the round has the board with its result."""

    def test_each_keeps_the_points(self, tmp_path: Path) -> None:
        opened(tmp_path)
        played(tmp_path, 1, "1-0", "1/2-1/2")
        words = ("correct", "colours", "T", "1", "1")
        assert run(*words, cwd=tmp_path).code == 2
        done = do(tmp_path, *words, *REASON, "--dry-run", "--format", "json").json()
        assert [each["type"] for each in done["events"]] == ["result.annulled", "result.recorded"]
        do(tmp_path, *words, *REASON)
        board = do(tmp_path, "tournament", "round", "T", "1", "--format", "json").json()["boards"][
            0
        ]
        assert (board["white"]["id"], board["black"]["id"]) == ("P3", "P1")
        assert (board["result"], board["colours_reversed"]) == ("0-1", True)
        shown = do(tmp_path, "tournament", "round", "T", "1").out
        assert "0-1" in shown
        assert "Played with other colours than published: board 1." in shown
        rows = do(tmp_path, *STANDINGS, "--format", "json").json()["rows"]
        assert {row["id"]: row["points"] for row in rows}["P1"] == "1"
        assert run("correct", "colours", "T", "2", "1", *REASON, cwd=tmp_path).code == 7
        assert run("correct", "colours", "T", "1", "x", *REASON, cwd=tmp_path).code == 4


class TestBadInput:
    """Each refusal says what the arbiter can do; nothing is recorded."""

    def _refused(self, folder: Path, *words: str, code: int = 4) -> str:
        log = run("log", "--format", "json", cwd=folder).out
        done = run(*words, cwd=folder)
        assert (done.code, done.out) == (code, ""), done
        assert run("log", "--format", "json", cwd=folder).out == log
        return done.err

    def test_a_board_is_named_twice(self, tmp_path: Path) -> None:
        opened(tmp_path)
        do(tmp_path, "tournament", "pair", "T")
        words = ("tournament", "result", "T", "1", "2", "1-0", "2", "0-1")
        assert "board 2 is named twice" in self._refused(tmp_path, *words)

    def test_nobody_is_left_for_the_bye(self, tmp_path: Path) -> None:
        registered(tmp_path, 3)
        do(tmp_path, "tournament", "open", "U", "--name", "U", "--start", "2025-06-01", "--end",
           "2025-06-01", "--rate-of-play", "classical", "--rounds", "5", *RULES)  # fmt: skip
        do(tmp_path, "tournament", "enter", "U", "P1", "P2", "P3")
        for round_, (white, black, bye) in enumerate(
            [("P1", "P2", "P3"), ("P3", "P1", "P2"), ("P2", "P3", "P1")], start=1
        ):
            (tmp_path / "boards.csv").write_text(f"white,black\n{white},{black}\n{bye},\n")
            do(tmp_path, "tournament", "pair", "U", "--by-hand", "boards.csv", *REASON)
            do(tmp_path, "tournament", "result", "U", str(round_), "1", "1/2-1/2")
        said = self._refused(tmp_path, "tournament", "pair", "U")
        assert "each had a bye already" in said
        assert "--by-hand" in said

    def test_no_pairing_is_possible(self, tmp_path: Path) -> None:
        opened(tmp_path, players=2)
        played(tmp_path, 1, "1-0")
        said = self._refused(tmp_path, "tournament", "pair", "T")
        assert "has met everybody" in said
        assert "End the event" in said
        assert "--by-hand" in said

    def test_a_board_that_does_not_exist(self, tmp_path: Path) -> None:
        opened(tmp_path)
        do(tmp_path, "tournament", "pair", "T")
        words = ("tournament", "result", "T", "1")
        assert "2 boards, not 3" in self._refused(tmp_path, *words, "1", "1-0", "3", "1-0", code=7)
        assert "is not published" in self._refused(
            tmp_path, "tournament", "result", "T", "2", "1", "1-0", code=7
        )
        self._refused(tmp_path, *words, "1", "1-0", "2", code=2)
        assert "'two' is no board" in self._refused(tmp_path, *words, "1", "1-0", "two", "1-0")

    def test_a_round_before_the_last_is_complete(self, tmp_path: Path) -> None:
        opened(tmp_path)
        do(tmp_path, "tournament", "pair", "T")
        do(tmp_path, "tournament", "result", "T", "1", "1", "1-0")
        said = self._refused(tmp_path, "tournament", "pair", "T")
        assert "1 game without a result" in said
        assert "--temporary" in said
        spanish = self._refused(tmp_path, "--lang", "es", "tournament", "pair", "T")
        assert "--temporary" in spanish


def test_a_dry_run_of_numbers_shows_them(tmp_path: Path) -> None:
    opened(tmp_path)
    shown = do(tmp_path, "tournament", "numbers", "T", "P2", "P1", "P4", "P3", "--dry-run")
    lines = [line.split() for line in shown.out.splitlines()]
    numbered = [line for line in lines if line and line[0].isdigit() and len(line) > 2]
    found = [(line[0], line[1], line[-1]) for line in numbered]
    assert found == [
        ("1", "P2", "1980"), ("2", "P1", "1990"), ("3", "P4", "1960"), ("4", "P3", "1970"),
    ]  # fmt: skip


def test_a_seed_that_is_no_text_is_refused(tmp_path: Path) -> None:
    opened(tmp_path)
    before = do(tmp_path, "log", "--format", "json").out
    refused = run("tournament", "numbers", "T", "--lot", "see\udcff", cwd=tmp_path)
    assert refused.code == 4
    assert "it is no Unicode" in refused.err
    assert do(tmp_path, "log", "--format", "json").out == before


def test_who_is_in_an_official_list_is_not_rated_anew(tmp_path: Path) -> None:
    opened(tmp_path)
    do(tmp_path, "tournament", "numbers", "T")
    played(tmp_path, 1, "1-0", "0-1")
    refused = run("tournament", "numbers", "T", "--after-first-round", cwd=tmp_path)
    assert refused.code == 4
    assert "nobody's rating is set anew" in " ".join(refused.err.split())


def test_an_arbiter_is_told_of_one_game_in_spanish_as_of_one(tmp_path: Path) -> None:
    opened(tmp_path)
    do(tmp_path, "tournament", "pair", "T")
    do(tmp_path, "tournament", "result", "T", "1", "1", "1-0")
    refused = run("--lang", "es", "tournament", "pair", "T", cwd=tmp_path)
    assert "tiene 1 partida sin resultado (la primera: P4 - P2). Registre" in refused.err
    refused = run("--lang", "es", "tournament", "close", "T", cwd=tmp_path)
    assert "ronda 1: 1 partida no tiene resultado, entre ellas P4 - P2" in refused.err
    closed = do(tmp_path, "--lang", "es", "tournament", "close", "T", "--anyway", *REASON)
    assert "con 1 partida sin resultado (la primera: " in " ".join(closed.err.split())
    listed = do(tmp_path, "--lang", "es", "tournament", "list").out
    assert "clásico" in listed
    assert "classical" not in listed
    live = do(tmp_path, "--lang", "es", "live", "L").out
    assert "aún no se publicó ninguna lista" in " ".join(live.split())
