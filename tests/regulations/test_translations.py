"""What regulations say of themselves, in Spanish: all of it, and nothing that none of them says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources

import pytest

from ledger.regulations.registry import OWN
from ledger.reports.regulations import RegulationSheet, sheet

SPANISH = tomllib.loads(
    resources.files("ledger.regulations").joinpath("sheet_es.toml").read_text("utf-8")
)
WORD = re.compile("[a-hj-z][a-z]|[a-z]{3}")
"""What tells words from formulas and the numbers of articles, as ``II ii)``."""


def _texts(of: RegulationSheet) -> Iterator[str]:
    yield from (of.title, of.source, of.worked_example or "")
    for clause in of.coverage:
        yield from (clause.article, clause.says)
        if clause.where.startswith("not covered"):  # all others are names in the code
            yield clause.where
    yield from (each.clause for each in of.parameters)
    for figure in of.dated:
        yield from (figure.name, figure.clause)


def _without_texts(of: RegulationSheet) -> RegulationSheet:
    return replace(
        of,
        title="",
        source="",
        worked_example=None,
        coverage=(),
        parameters=tuple(replace(each, clause="") for each in of.parameters),
        dated=tuple(replace(each, name="", clause="") for each in of.dated),
    )


def test_every_text_of_a_regulation_has_its_spanish_and_there_is_no_other() -> None:
    english = {text for each in OWN.values() for text in _texts(sheet(each)) if WORD.search(text)}
    assert sorted(english - SPANISH.keys()) == []
    assert sorted(SPANISH.keys() - english) == []
    assert all(SPANISH.values())


@pytest.mark.parametrize("id_", sorted(OWN))
def test_a_sheet_in_spanish_has_the_same_digests_names_and_figures(id_: str) -> None:
    english = sheet(OWN[id_])
    spanish = english.within("es")
    assert english.within("en") == english
    assert spanish.title == SPANISH[english.title]
    assert [each.says for each in spanish.coverage] == [
        SPANISH.get(each.says, each.says) for each in english.coverage
    ]
    assert _without_texts(spanish) == _without_texts(english)


def test_what_another_package_says_stays_in_its_language() -> None:
    foreign = replace(sheet(OWN["enf-2010"]), id="club-lago.enf", package="club-lago")
    assert foreign.within("es") == foreign
