"""Tests ask a browser nothing at once: what is expected of a page is waited for.

``tests/web/browser.py`` says why, and is the one module that may ask at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.test_code import Function

TESTS = Path(__file__).parents[1]
DRIVER = TESTS / "web" / "browser.py"
# Methods and properties of playwright that answer with what is there just then.
AT_ONCE = {
    "all", "all_inner_texts", "all_text_contents", "aria_snapshot", "bounding_box", "content",
    "count", "element_handle", "element_handles", "eval_on_selector", "eval_on_selector_all",
    "evaluate", "evaluate_all", "evaluate_handle", "get_attribute", "inner_html", "inner_text",
    "input_value", "is_checked", "is_disabled", "is_editable", "is_enabled", "is_hidden",
    "is_visible", "query_selector", "query_selector_all", "text_content", "title", "url",
    "wait_for_load_state", "wait_for_timeout",
}  # fmt: skip
ACTIONS = {"click", "dblclick", "press", "tap"}
LEAVING = {"close", "goto", "open", "reload"}  # they cut off what an action began
# Functions of the driver that do not wait for what an action leads to.
MEASURES = {
    "act", "box_of", "boxes_of", "cut_off", "keep", "overhang", "small", "stops", "unfold",
    "violations",
}  # fmt: skip
WAITS = {
    "address_of", "attribute_of", "text_of", "texts_of", "wait_for_boards", "wait_for_function",
    "wait_for_kept", "wait_for_url",
}  # fmt: skip


def questions_at_once(module: ast.Module) -> Iterator[str]:
    """Yields the line and name of each question that is answered at once.

    The address of a request that was heard of does not change, so it may be read.
    """
    for node in ast.walk(module):
        match node:
            case ast.Attribute(value=ast.Name(id="request"), attr="url"):
                pass
            case ast.Attribute(attr=name) if name in AT_ONCE:
                yield f"{node.lineno} {name}"


def unawaited_actions(module: ast.Module) -> Iterator[str]:
    """Yields the line of each step that comes before what the action above it leads to.

    After an action, something that it brings about is waited for, before the page is measured or
    left, and before anything is asserted. That something is gone is no such thing: it may be gone
    because it was not there yet.
    """
    for function in ast.walk(module):
        if not isinstance(function, Function):
            continue
        is_acting = False
        for node in in_order(function):
            name = name_of(node)
            if name in ACTIONS or (name == "set_offline" and "False" in ast.unparse(node)):
                is_acting = True
            elif name in WAITS or is_expected(node):
                is_acting = False
            elif is_acting and (isinstance(node, ast.Assert) or name in MEASURES | LEAVING):
                yield f"{node.lineno} {ast.unparse(node)[:60]}"
        if is_acting:
            yield f"{function.end_lineno} end of {function.name}"


def in_order(function: ast.AST) -> list[ast.Assert | ast.Call]:
    """Returns the calls of a function and its assertions, in the order in which they are run."""
    found = [each for each in ast.walk(function) if isinstance(each, ast.Assert | ast.Call)]
    return sorted(found, key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0))


def name_of(node: ast.AST) -> str:
    """Returns the name of the function or method that is called; "" for another node."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name
    return ""


def is_expected(node: ast.AST) -> bool:
    """Whether a call expects that something is there."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Name(id="expect")), attr=name), args=given
        ):
            none = [ast.unparse(each) for each in given] == ["0"]
            return not (name.startswith("not_to_") or name == "to_be_hidden" or none)
    return False


def uses_a_browser(module: ast.Module) -> bool:
    sources = (each.module or "" for each in ast.walk(module) if isinstance(each, ast.ImportFrom))
    return any(each.startswith("playwright") or each == "tests.web.browser" for each in sources)


def browser_tests() -> dict[str, ast.Module]:
    """Returns the modules of tests that use a browser, by path; not the driver."""
    paths = sorted(set(TESTS.rglob("*.py")) - {DRIVER})
    modules = {str(path.relative_to(TESTS)): ast.parse(path.read_text("utf-8")) for path in paths}
    return {path: module for path, module in modules.items() if uses_a_browser(module)}


def test_no_test_asks_a_browser_at_once() -> None:
    tests = browser_tests()
    assert {"web/test_desk_browser.py", "proofs/test_page.py"} <= tests.keys()
    found = {path: [*questions_at_once(module)] for path, module in tests.items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_what_an_action_leads_to_is_waited_for_before_anything_else() -> None:
    found = {path: [*unawaited_actions(module)] for path, module in browser_tests().items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "question",
    ["page.evaluate('1')", "page.content()", "page.locator('p').count()", "page.url", "p.all()"],
)
def test_a_question_at_once_is_found(question: str) -> None:
    assert [*questions_at_once(ast.parse(question))] != []
    assert [*questions_at_once(ast.parse("expect(page.locator('p')).to_have_count(1)"))] == []


@pytest.mark.parametrize(
    ("steps", "is_right"),
    [
        ("page.get_by_role('button').click(); assert results() == []", False),
        ("page.locator('p').tap()", False),
        ("page.locator('p').tap(); page.goto('/')", False),
        ("page.locator('p').tap(); expect(hint).not_to_be_visible()", False),
        ("page.locator('p').tap(); expect(hint).to_have_count(0)", False),
        ("page.locator('p').tap(); assert violations(page) == []", False),
        ("page.locator('p').tap(); expect(hint).to_be_visible(); assert results() == []", True),
        ("page.locator('p').tap(); page.locator('a').tap(); page.wait_for_url('/a')", True),
        ("page.goto('/'); expect(hint).not_to_be_visible(); assert results() == []", True),
    ],
)
def test_an_action_that_is_not_waited_for_is_found(steps: str, *, is_right: bool) -> None:
    assert ([*unawaited_actions(ast.parse(f"def test(): {steps}"))] == []) is is_right
