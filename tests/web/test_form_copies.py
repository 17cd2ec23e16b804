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


def test_what_is_offered_no_more_is_still_what_was_chosen() -> None:
    markup = copied("/a", ("what", "grant"), ("role", "<gone>")).markup
    (form,) = forms_of(f'<form method="post" action="/">{markup}</form>')
    assert form.value("role") == "<gone>"
    assert form.value("name") == "usual", "what was not sent stands as it does"
