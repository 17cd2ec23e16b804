"""Every work runs on a tiny history; how long it takes is nobody's business here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks import plan, report
from benchmarks.child import measure
from benchmarks.harness import main
from benchmarks.histories import write_history
from benchmarks.measuring import Place
from benchmarks.peers import COMPILERS, PEERS
from benchmarks.works import WORKS


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("history")
    write_history(plan.SIZES["tiny"], 1, folder)
    return folder


def test_the_plan_names_every_work_and_peer() -> None:
    assert tuple(WORKS) == plan.WORKS
    assert tuple(PEERS) == plan.PEERS


@pytest.mark.parametrize("regulation", plan.REGULATIONS)
def test_every_work_runs(history: Path, regulation: str, tmp_path: Path) -> None:
    found = {}
    for name in plan.WORKS:
        if regulation != plan.REGULATIONS[0] and name in plan.ONCE:
            continue
        scratch = tmp_path / name
        scratch.mkdir()
        found[name] = measure(name, Place(history, regulation, tmp_path, scratch))
        assert "not_measured" not in found[name], f"{name}: {found[name]}"
    for name in ("replay-warm", "next-month"):
        assert _figures(found[name]) == _figures(found["replay-cold"])
    assert _figures(found["kernel"])["games"] > 0
    for name in ("correct-one-year", "correct-ten-years", "annul-ten-years"):
        assert _figures(found[name])["shifts"] > 0
    published = _figures(found["publish-some"])["lists"]
    assert _figures(found["verify"])["lists"] == published > 1


def _figures(found: dict[str, object]) -> dict[str, int]:
    figures = found["figures"]
    assert isinstance(figures, dict)
    return figures


def test_a_peer_is_measured_or_said_not_to_be_there(history: Path, tmp_path: Path) -> None:
    for name in plan.PEERS:
        found = measure(name, Place(history, "", tmp_path, tmp_path))
        assert "seconds" in found or str(found["not_measured"]).startswith("not installed")
    assert "seconds" in measure("dictionary", Place(history, "", tmp_path, tmp_path))


def test_the_loop_in_c_comes_to_the_same_as_the_dictionary(history: Path, tmp_path: Path) -> None:
    place = Place(history, "", tmp_path, tmp_path)
    found = measure("c-loop", place)
    if any(map(shutil.which, COMPILERS)):
        assert found["figures"] == measure("dictionary", place)["figures"]
    else:
        assert str(found["not_measured"]).startswith("not installed")


def test_another_regulation_is_replayed_over_the_same_ledger(history: Path, tmp_path: Path) -> None:
    measure("import-sqlite", Place(history, "enf-2010", tmp_path, tmp_path))
    other = Place(history, "fide-standard", tmp_path, tmp_path, "enf-2010")
    found = {name: measure(name, other) for name in plan.UNDER_ANOTHER}
    assert _figures(found["replay-cold"]) == _figures(found["replay-warm"])
    own = Place(history, "enf-2010", tmp_path, tmp_path)
    assert _figures(found["replay-cold"]) != _figures(measure("replay-cold", own))


def test_a_run_writes_a_line_for_each_measurement_and_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lines.jsonl"
    common = [
        "--size", "tiny", "--regulation", "enf-2010", "--folder", str(tmp_path / "work"),
        "--out", str(out), "--only", "dictionary",
    ]  # fmt: skip
    main(["--keep", *common])
    before = out.read_text(encoding="utf-8")
    main([*common, "replay-cold", "--resume"])
    after = out.read_text(encoding="utf-8")
    assert after.startswith(before)
    lines = [json.loads(line) for line in after.splitlines()]
    names = [line.get("name", line["kind"]) for line in lines]
    assert names == ["run", "dictionary", *plan.MAKING, "replay-cold"]
    assert len(before.splitlines()) == len(names[:2])
    assert {"seed", "cpu_count", "versions", "python"} <= set(lines[0])
    assert all(line["peak_mb"] > 0 and line["process_seconds"] > 0 for line in lines[1:])
    assert "replay-cold" in capsys.readouterr().out
    assert not (tmp_path / "work" / "tiny-1").exists()


def test_what_fails_is_a_line_and_the_others_go_on(history: Path, tmp_path: Path) -> None:
    out, size = tmp_path / "lines.jsonl", tmp_path / "work" / "tiny-1"
    shutil.copytree(history, size)
    (size / "columns.npz").unlink()  # what peers are given
    main(
        ["--size", "tiny", "--only", "dictionary", "desk-rounds", "--regulation", "enf-2010",
         "--folder", str(tmp_path / "work"), "--out", str(out)]
    )  # fmt: skip
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line.get("name") for line in lines] == [None, "dictionary", "desk-rounds"]
    assert "columns.npz" in lines[1]["not_measured"]
    assert lines[2]["seconds"] > 0
    assert report.summary(lines)
