"""Tests that take long take turns: which they are is said once, and a run can be repeated."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import profile

TESTS = Path(__file__).parents[1]


def defined(path: Path) -> Iterator[str]:
    """Yields the tests of a module, as their ids name them."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    yield f"{node.name}::{each.name}"


def test_every_long_test_that_is_named_is_there() -> None:
    listed = (TESTS / "long_tests.txt").read_text("utf-8").splitlines()
    assert listed == sorted(set(listed))
    inherited = ("journal/test_contract.py", "web/accounts/")
    for path in {each.partition("::")[0] for each in listed}:
        there = set(defined(TESTS / path))
        named = {each.partition("::")[2] for each in listed if each.startswith(f"{path}::")}
        assert named <= there or path.startswith(inherited), (path, named - there)


def test_a_part_has_its_turn_and_with_the_same_chance_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = sorted(profile.LONG)
    short = "rating/test_rounding.py::test_half_up"
    ids = [f"{each}[{case}]" for each in long for case in range(profile.TURNS)] + [short]
    monkeypatch.setattr(profile, "PROFILE", "thorough")
    monkeypatch.setenv(profile.TURN, "7")
    assert profile.this_turn(ids) is None
    monkeypatch.setattr(profile, "PROFILE", "quick")
    monkeypatch.delenv(profile.TURN)
    assert profile.this_turn(ids) is None
    monkeypatch.setenv(profile.TURN, "7")
    chosen = profile.this_turn(ids)
    assert chosen is not None
    assert short in chosen
    assert len(chosen) == len(long) + 1
    assert profile.this_turn(reversed(ids)) == chosen
    taken: set[str] = set()
    for turn in range(80):
        monkeypatch.setenv(profile.TURN, str(turn))
        taken |= profile.this_turn(ids) or set()
    assert taken == set(ids), "in time each has its turn"
