"""A club's ladder from the command line: opened, challenged on, corrected, shown as it was."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from tests.cli.running import run

ON = ("--on", "2010-09-01")


def test_a_ladder_from_end_to_end(folder: Path) -> None:
    rows = run("list", "show", "ENF", "2010-07", "--format", "json", cwd=folder).json()["rows"]
    rated = [row for row in rows if not row["provisional"]]
    # Four who follow each other in the list: the last of them challenges.
    ids = [row["id"] for row in rated[8:12]]
    first, second, third, last = ids
    before = run("log", "--format", "json", cwd=folder).json()
    opening = ("ladder", "open", "Club", *ids[::-1], "--list", "ENF", *ON)
    assert "1 ladder opened" in run(*opening, "--dry-run", cwd=folder).out
    assert run("log", "--format", "json", cwd=folder).json() == before
    assert run(*opening, cwd=folder).code == 0
    shown = run("ladder", "show", "Club", *ON, "--format", "json", cwd=folder).json()
    assert [row["id"] for row in shown["places"]] == ids
    opened = shown["seq"]

    made = run("ladder", "challenge", "Club", last, third, *ON, "--actor", "arbiter",
               "--reason", "September", "--format", "json", cwd=folder)  # fmt: skip
    assert [event["type"] for event in made.json()["events"]] == [
        "challenge.made", "tournament.opened", "player.entered", "player.entered",
    ]  # fmt: skip
    busy = run("ladder", "challenge", "Club", third, second, *ON, cwd=folder)
    assert busy.code == 4
    assert "Club-1" in busy.err
    refused = run("ladder", "result", "Club", "2", last, third, "1-0", *ON, cwd=folder)
    assert refused.code == 4
    for game in ("1", "2"):
        played = run("ladder", "result", "Club", game, last, third, "1-0", *ON, cwd=folder)
        assert played.code == 0, played.err
    assert "1 challenge decided" in played.out
    table = run("ladder", "show", "Club", *ON, cwd=folder).out
    assert f"{last} beat {third} and went from place 4 to 3" in table
    assert "escalera Club" in run("--lang", "es", "ladder", "show", "Club", *ON, cwd=folder).out
    text = run("ladder", "show", "Club", *ON, "--format", "csv", cwd=folder).out
    assert [row["id"] for row in csv.DictReader(io.StringIO(text))] == [first, second, last, third]
    then = run("ladder", "show", "Club", *ON, "--as-known-at", str(opened), "--format", "json",
               cwd=folder).json()  # fmt: skip
    assert [row["id"] for row in then["places"]] == ids

    words = ("Club-1", "1", last, third, "0-1", "--reason", "score sheet")
    assert run("correct", "result", *words, cwd=folder).code == 0
    settling = ("ladder", "settle", "Club", last, third, "--on", "2010-09-02")
    assert run(*settling, cwd=folder).code == 4
    assert run(*settling, "--as-correction", cwd=folder).code == 4
    assert run(*settling, "--as-correction", "--reason", "score sheet", cwd=folder).code == 0
    shown = run("ladder", "show", "Club", *ON, "--format", "json", cwd=folder).json()
    assert [row["id"] for row in shown["places"]] == ids
    assert shown["challenges"][0]["state"] == "challenged"

    assert run("ladder", "challenge", "Club", second, first, *ON, cwd=folder).code == 0
    assert run("ladder", "leave", "Club", second, *ON, cwd=folder).code == 4
    assert run("ladder", "withdraw", "Club", second, first, *ON, cwd=folder).code == 0
    assert run("ladder", "leave", "Club", second, *ON, cwd=folder).code == 0
    assert run("ladder", "join", "Club", second, "--place", "1", *ON, cwd=folder).code == 0
    assert run("tournament", "trf", "Club-1", "--list", "ENF", cwd=folder).code == 0
    assert run("log", "--player", second, cwd=folder).code == 0
    assert run("ladder", "show", "Otro", cwd=folder).code == 7
    assert run("verify", cwd=folder).code == 0


def test_what_no_longer_agrees_with_the_games_is_said(folder: Path) -> None:
    rows = run("list", "show", "ENF", "2010-07", "--format", "json", cwd=folder).json()["rows"]
    above, below = [row["id"] for row in rows if not row["provisional"]][8:10]
    words = [
        ("ladder", "open", "Club", above, below, "--list", "ENF", *ON),
        ("ladder", "challenge", "Club", below, above, *ON),
        ("ladder", "result", "Club", "1", below, above, "1-0", *ON),
        ("ladder", "result", "Club", "2", below, above, "1-0", *ON),
    ]
    for each in words:
        done = run(*each, cwd=folder)
        assert done.code == 0, done.err
    showing = ("ladder", "show", "Club", *ON)
    assert "by the games now" not in run(*showing, cwd=folder).out
    game = ("Club-1", "2", below, above)
    assert run("correct", "result", *game, "0-1", "--reason", "x", cwd=folder).code == 0
    shown = " ".join(run(*showing, cwd=folder).out.split())
    assert "Club-1: decided: won by the challenger; by the games now: drawn" in shown
    assert f"run 'ladder settle Club {below} {above} --as-correction" in shown
    spanish = " ".join(run("--lang", "es", *showing, cwd=folder).out.split())
    assert "decidido: ganó el retador; según las partidas ahora: empatado" in spanish
    assert run("annul", "result", *game, "--reason", "x", cwd=folder).code == 0
    assert "by the games now it is not over" in run(*showing, cwd=folder).out
    done = run("annul", "tournament", "Club-1", "--reason", "not played", cwd=folder)
    assert done.code == 0, done.err
    assert "won by the challenger; its tournament was annulled" in run(*showing, cwd=folder).out
