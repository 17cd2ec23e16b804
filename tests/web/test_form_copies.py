"""A form that is taken from its page is filled in as it was sent."""

from __future__ import annotations

import json

from tests.web.filling import forms_of
from web.pages.form_copies import FormCopy, copied_form

PAGE = """
<form method="get" action="/a"><input name="q"></form>
<form method="post" action="/a"><input type="hidden" name="what" value="end">
<button aria-label="End: &quot;x&quot;">End</button></form>
<form method="post" action="/a">
<input type="hidden" name="what" value="grant"><input type="hidden" name="key" value="new">
<label for="name">Name &amp; title</label><input id="name" name="name" value="usual" required>
<input type="checkbox" name="scope" value="1" checked><input type="checkbox" name="scope" value="2">
<select name="role"><option value="">–</option><option>a &lt; b</option>
<option value="c" selected>C</option></select>
<details><summary>More</summary><textarea name="text">old</textarea></details>
<button>Grant it</button> <button formaction="/b">Refuse it</button></form>
"""
SENT = [
    ("what", "grant"), ("key", "old"), ("name", 'x" y<'), ("scope", "2"), ("role", "a < b"),
    ("text", "one\n</textarea>two"),
]  # fmt: skip


def copied(address: str, *sent: tuple[str, str]) -> FormCopy:
    found = copied_form(PAGE, address, json.loads(json.dumps(sent)))  # as it is kept
    assert found is not None
    return found


def test_what_was_sent_stands_in_it_and_what_was_not_does_not() -> None:
    made = copied("/a", *SENT)
    (form,) = forms_of(f'<form method="post" action="/">{made.markup}</form>')
    assert form.fields == [
        ("name", 'x" y<'), ("scope", "2"), ("role", "a < b"), ("text", "\none\n</textarea>two")
    ]  # fmt: skip
    assert made.others == SENT[:2], "as they were sent, and not as they are now"
    assert form.buttons == []
    assert "Name &amp; title" in made.markup
    assert "<details open>" in made.markup


def test_of_several_it_is_the_one_whose_hidden_fields_say_what_was_sent() -> None:
    assert copied("/a", ("what", "grant")).button == "Grant it"
    assert copied("/a", ("what", "end")).button == "End: &quot;x&quot;"
    assert copied("/b", ("what", "grant")).button == "Refuse it"
    assert copied_form(PAGE, "/c", SENT) is None


def test_it_says_of_what_it_is() -> None:
    page = """<nav aria-label="Pages"><h2>All</h2></nav><main><h1>Copa <bdi>&amp; more</bdi></h1>
<h2>Before</h2><h2>Round
1</h2><ol><li aria-label="Board 1: A &amp; B">
<form method="post" action="/1"><button name="r" value="1">won</button><button name="r" value="0"
aria-label="Board 1: lost">lost</button></form><form method="post" action="/1"><select name="r">
<option>x</option></select><button>Rare</button></form></li></ol>
<section><h2>Decide</h2><br></section><form method="post" action="/2"></form></main>
<form method="post" action="/3"></form>"""
    tapped, rare = (copied_form(page, "/1", [("r", said)]) for said in ("0", "x"))
    assert tapped is not None and rare is not None  # noqa: PT018 - for the type check
    assert tapped.about == ["Copa &amp; more", "Round 1", "Board 1: A &amp; B"]
    assert (tapped.button, rare.button) == ("Board 1: lost", "Rare")
    for address, about in (("/2", ["Copa &amp; more", "Round 1"]), ("/3", [])):
        copy = copied_form(page, address, [])
        assert copy is not None and copy.about == about  # noqa: PT018 - for the type check


def test_what_is_offered_no_more_is_still_what_was_chosen() -> None:
    markup = copied("/a", ("what", "grant"), ("role", "<gone>")).markup
    (form,) = forms_of(f'<form method="post" action="/">{markup}</form>')
    assert form.value("role") == "<gone>"
    assert form.value("name") == "usual", "what was not sent stands as it does"
