"""The report file of an event of the desk: rules, byes, changes; read again as nothing new."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.event import REASON, do, opened, played, registered
from tests.cli.running import run

OPEN = (
    "tournament", "open", "T", "--name", "Open", "--start", "2026-06-01", "--end", "2026-06-03",
    "--rate-of-play", "classical", "--rounds", "4",
)  # fmt: skip
RULES = ("--tie-breaks", "BH/C1,SB", "--first-colour", "black")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five players: a requested bye, a forbidden pair, acceleration, a round by hand."""
    folder = tmp_path_factory.mktemp("event")
    registered(folder, 5)
    do(folder, *OPEN)
    do(folder, "tournament", "enter", "T", *(f"P{n}" for n in range(1, 6)))
    rules = ("tournament", "rules", "T", "--pairing", "fenamac-1975", *RULES)
    do(folder, *rules, "--forbid", "P1,P4", "--acceleration", "baku")
    do(folder, "tournament", "absent", "T", "P5", "1", "--half")
    played(folder, 1, "1-0", "1/2-1/2")
    (folder / "boards.csv").write_text("white,black\nP1,P5\nP3,P2\nP4,\n")
    do(folder, "tournament", "pair", "T", "--by-hand", "boards.csv", *REASON)
    do(folder, "tournament", "result", "T", "2", "1", "1-0", "2", "-/+")
    return folder


@pytest.fixture
def event(made: Path, tmp_path: Path) -> Path:
    """A copy of its own."""
    return Path(shutil.copytree(made, tmp_path, dirs_exist_ok=True))


def text(folder: Path, *words: str) -> list[str]:
    return do(folder, "tournament", "trf", "T", *words).out.splitlines()


def test_what_the_desk_knows_is_written_as_trf26(event: Path) -> None:
    lines = text(event)
    for line in (
        "142 4", "152 B", "192 CUSTOM_SWISS", "202 BH/C1,SB", "212 PTS,BH/C1,SB", "240 H   1    5",
        "260   1 999    1    4", "### Reason: the captains agreed",
    ):  # fmt: skip
        assert line in lines, line
    assert not any(line.startswith("162") for line in lines)  # points are the usual ones
    assert any(line.startswith("250 ") for line in lines)
    assert any(line.startswith("### Round 2 was paired by hand") for line in lines)


def test_trf16_has_extensions(event: Path) -> None:
    lines = text(event, "--version", "trf16")
    assert {"XXR 4", "XXC black1", "XXP 1 4"} <= set(lines)
    assert any(line.startswith("XXA ") for line in lines)
    assert not any(line[:3] in {"142", "152", "162", "192", "202", "240", "260"} for line in lines)


def test_places_are_those_of_the_standings(event: Path) -> None:
    rows = do(event, "tournament", "standings", "T", "--format", "json").json()["rows"]
    written = {int(line[4:8]): int(line[85:89]) for line in text(event) if line.startswith("001")}
    assert written == {row["number"]: row["rank"] for row in rows}


@pytest.mark.parametrize("version", ["trf16", "trf26"])
def test_it_is_read_again_as_nothing_new(event: Path, version: str) -> None:
    (event / "T.trf").write_text("\n".join([*text(event, "--version", version), ""]))
    done = do(event, "import", "T.trf")
    assert "nothing new" in done.out
    other = event / "other"
    other.mkdir()
    do(other, "init")
    do(other, "import", str(event / "T.trf"))
    again = "\n".join([*text(other, "--version", version), ""])
    (event / "again.trf").write_text(again)
    assert "nothing new" in do(event, "import", "again.trf").out


def test_points_that_no_result_says_are_299(tmp_path: Path) -> None:
    opened(tmp_path)
    played(tmp_path, 1, "1-0", "1-0")
    do(tmp_path, "tournament", "pair", "T")
    seats = do(tmp_path, "tournament", "round", "T", "2", "--format", "json").json()["boards"][0]
    white, black = seats["white"], seats["black"]
    do(tmp_path, "record", "adjudication", "T", "2", white["id"], black["id"], "1-1", "--temporary")
    lines = text(tmp_path)
    assert "### tie-breaks announced: median, solkoff" in lines
    for player in (white, black):
        assert f"299           1.0    0 {player['number']:>4}" in lines
    (tmp_path / "T.trf").write_text("\n".join([*lines, ""]))
    assert "nothing new" in do(tmp_path, "import", "T.trf").out


def test_the_file_checks_as_the_event_does(event: Path) -> None:
    (event / "T.trf").write_text("\n".join([*text(event), ""]))
    done = run("tournament", "check", "T.trf", "--pairing", "fenamac-1975", cwd=event)
    assert "points" not in done.out
    assert "rank" not in done.out


@pytest.fixture
def deviating(tmp_path: Path) -> Path:
    """Four players: a temporary result, a result corrected too late, reversed colours."""
    opened(tmp_path)
    game = ("T", "1", "P1", "P3")
    do(tmp_path, "tournament", "pair", "T")
    do(tmp_path, "tournament", "result", "T", "1", "2", "1-0")
    do(tmp_path, "record", "adjudication", *game, "1-0", "--temporary", "--reason", "adjourned")
    played(tmp_path, 2, "1-0", "1/2-1/2")
    do(tmp_path, "record", "adjudication", *game, "1/2-1/2", "--reason", "decided")
    return tmp_path


def deviations(folder: Path) -> list[tuple[str, int]]:
    """Returns kind and round of each change that the standings name."""
    answer = do(folder, "tournament", "standings", "T", "--format", "json").json()
    return [(change["kind"], change["round"]) for change in answer["changes"]]


def comments(folder: Path) -> list[str]:
    return [line for line in text(folder) if line.startswith("### Ro")]


def test_a_round_that_was_paired_from_a_temporary_result_is_named(deviating: Path) -> None:
    assert deviations(deviating) == [("temporary-result", 1)]
    [comment] = comments(deviating)
    assert comment.startswith(
        "### Round 1, 1 - 3: round 2 was paired from 1-0a, a temporary result (seq "
    )
    assert comment.endswith("; now 1/2-1/2a.")


def test_a_result_that_was_corrected_after_a_later_pairing_is_named(deviating: Path) -> None:
    board = do(deviating, "tournament", "round", "T", "1", "--format", "json").json()["boards"][1]
    white, black = board["white"]["id"], board["black"]["id"]
    correct = ("correct", "result", "T", "1", white, black)
    do(deviating, *correct, "0-1", *REASON)
    assert deviations(deviating)[1:] == [("result-corrected", 1)]
    comment, reason = comments(deviating)[1], text(deviating)
    assert "1-0 was corrected to 0-1 (seq " in comment
    assert comment.endswith("after round 2 had been paired from it.")
    assert "### Reason: the captains agreed" in reason
    # As it was when the round was paired: then nothing deviates.
    do(deviating, *correct, "1-0", "--reason", "it was right")
    assert deviations(deviating) == [("temporary-result", 1)]


def test_a_result_that_is_corrected_before_the_next_pairing_is_none(tmp_path: Path) -> None:
    opened(tmp_path)
    played(tmp_path, 1, "1-0", "1-0")
    do(tmp_path, "correct", "result", "T", "1", "P1", "P3", "0-1", *REASON)
    played(tmp_path, 2, "1-0", "1-0")
    assert deviations(tmp_path) == []
    assert comments(tmp_path) == []


def test_colours_that_were_reversed_are_named(tmp_path: Path) -> None:
    opened(tmp_path)
    do(tmp_path, "tournament", "pair", "T")
    do(tmp_path, "record", "result", "T", "1", "P3", "P1", "1-0", "--anyway", *REASON)
    assert deviations(tmp_path) == [("colours-reversed", 1)]
    [comment] = comments(tmp_path)
    assert comment.startswith(
        "### Round 1, 3 - 1: played with other colours than it was published with (seq "
    )


def test_a_result_that_is_annulled_after_a_later_pairing_is_named(tmp_path: Path) -> None:
    opened(tmp_path)
    played(tmp_path, 1, "1-0", "1-0")
    played(tmp_path, 2, "1-0", "1-0")
    do(tmp_path, "annul", "result", "T", "1", "P1", "P3", *REASON)
    assert deviations(tmp_path) == [("result-corrected", 1)]
    assert "1-0 was corrected to - (seq " in comments(tmp_path)[0]


def test_a_game_that_was_with_somebody_else_is_named(tmp_path: Path) -> None:
    opened(tmp_path)
    played(tmp_path, 1, "1-0", "1-0")
    played(tmp_path, 2, "1-0", "1-0")
    do(tmp_path, "annul", "result", "T", "1", "P1", "P3", *REASON)
    do(tmp_path, "annul", "result", "T", "1", "P4", "P2", *REASON)
    do(tmp_path, "record", "result", "T", "1", "P1", "P2", "1-0", "--anyway", *REASON)
    assert deviations(tmp_path) == [("result-corrected", 1), ("result-corrected", 1)]
    first, second = comments(tmp_path)
    assert first.startswith("### Round 1, 1 - 3: 1-0 was corrected to - (seq ")
    assert second.startswith("### Round 1, 4 - 2: 1-0 was corrected to - (seq ")


@pytest.mark.parametrize("version", ["trf16", "trf26"])
def test_numbers_of_late_entrants_pass_the_check(tmp_path: Path, version: str) -> None:
    """P5 has a rating for the pairing, P6 comes before round 2 and P7 before round 3."""
    registered(tmp_path, 7)
    do(tmp_path, *OPEN)
    do(tmp_path, "tournament", "rules", "T", "--pairing", "fenamac-1975", "--tie-breaks", "median")
    do(tmp_path, "tournament", "enter", "T", *(f"P{n}" for n in range(1, 6)))
    do(tmp_path, "tournament", "describe-entry", "T", "P5", "--pairing-rating", "2200")
    played(tmp_path, 1, "1-0", "1/2-1/2")
    do(tmp_path, "tournament", "enter", "T", "P6")
    do(tmp_path, "tournament", "describe-entry", "T", "P6", "--pairing-rating", "1985")
    played(tmp_path, 2, "1-0", "0-1", "1-0")
    do(tmp_path, "tournament", "enter", "T", "P7")
    do(tmp_path, "tournament", "describe-entry", "T", "P7", "--pairing-rating", "2500")
    played(tmp_path, 3, "1-0", "0-1", "1/2-1/2")
    lines = text(tmp_path, "--version", version, "--list", "L")
    assert "### rating-ledger numbers apart from the ratings: 7" in lines
    (tmp_path / "T.trf").write_text("\n".join([*lines, ""]))
    done = do(tmp_path, "tournament", "check", "T.trf")
    assert "no difference: 3 rounds paired again" in " ".join(done.out.split())
    assert "had been given, as a comment of the file says: 7;" in " ".join(done.out.split())
    spanish = do(tmp_path, "--lang", "es", "tournament", "check", "T.trf").out
    assert "según un comentario del archivo: 7;" in " ".join(spanish.split())
