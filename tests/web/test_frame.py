"""The frame around pages: what it sets for itself hides no value of a page."""

from __future__ import annotations

from importlib.resources import files

import pytest
from jinja2 import meta, nodes

from web.rendering import templates

_FRAME = "base.html"
PAGES = sorted(
    each.name for each in files("web").joinpath("templates").iterdir() if each.name != _FRAME
)


def _parsed(name: str) -> nodes.Template:
    return templates().parse(files("web").joinpath("templates", name).read_text("utf-8"))


@pytest.fixture(scope="module")
def own() -> set[str]:
    """The names that the frame sets."""
    found = {
        name.name
        for assignment in _parsed(_FRAME).find_all(nodes.Assign)
        for name in assignment.find_all(nodes.Name)
        if name.ctx == "store"
    }
    assert "places" in found
    return found


@pytest.mark.parametrize("page", PAGES)
def test_no_page_reads_a_name_that_the_frame_sets(own: set[str], page: str) -> None:
    assert own & meta.find_undeclared_variables(_parsed(page)) == set()
