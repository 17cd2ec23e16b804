"""Words of an address that a page does not know: it leaves them out, and says so."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qsl

from fastapi.testclient import TestClient

from tests.web.examples import addresses
from tests.web.support import text_of

ADDED = "search=x&colour=y"
LEFT_OUT = {
    "en": "this page does not know it: search, colour. It knows: ",
    "es": "esta página no lo conoce: search, colour. Conoce: ",
}


def asked(site: TestClient, address: str, more: str) -> tuple[str, str]:
    """Returns what a page says, and the whole of it; nothing of a file."""
    answer = site.get(f"{address}{'&' if '?' in address else '?'}{more}")
    assert answer.status_code == 200, (address, answer.text)
    is_page = answer.headers["content-type"].startswith("text/html")
    return (text_of(answer.text), answer.text) if is_page else ("", "")


def test_every_page_names_them_and_what_it_knows(demo: TestClient) -> None:
    pages = 0
    for address in addresses():
        if address == "/demo":  # a page of its own server only
            continue
        known, _ = asked(demo, address, "lang=en")
        if not known:
            continue
        pages += 1
        assert "does not know" not in known, address
        for language, said in LEFT_OUT.items():
            text, html = asked(demo, address, f"lang={language}&{ADDED}")
            assert said in text, address
            assert "search=x" not in html, address  # no link hands them on
    assert pages > 20


def test_a_page_says_which_filters_it_has(demo: TestClient) -> None:
    everybody, _ = asked(demo, "/players", "search=Vizama")
    words = (
        "after, as-known-at, as-known-on, club, federation, group, lang, licensed, q, region, sex"
    )
    assert f"It knows: {words}." in everybody
    found, _ = asked(demo, "/players", "q=Henriquez")
    assert "does not know" not in found
    assert "Henriquez Vidal, Dino" in found
    assert "Salinas" in everybody
    assert "Salinas" not in found


def test_words_by_which_other_sites_follow_a_link_are_left_out_in_silence(demo: TestClient) -> None:
    for word in ("utm_source", "utm_id", "fbclid", "gclid", "msclkid", "gbraid", "mc_eid", "_ga"):
        text, html = asked(demo, "/players", f"{word}=tracked&q=Vizama")
        assert "does not know" not in text, word
        assert "tracked" not in html, word
    named, _ = asked(demo, "/players", "fbclid=tracked&utmost=x")
    assert "does not know it: utmost. It" in named


def test_a_long_or_strange_word_is_cut_and_escaped(demo: TestClient) -> None:
    _, html = asked(demo, "/lists", "%3Cb%3E=1&" + "w" * 200 + "=2")
    assert "&lt;b&gt;, " + "w" * 80 + ". It" in html


def test_of_many_words_the_first_are_named(demo: TestClient) -> None:
    text, _ = asked(demo, "/lists", "&".join(f"w{number}=1" for number in range(9)))
    assert "w0, w1, w2, w3, w4, …." in text


def test_who_looks_again_has_the_same_page(demo: TestClient) -> None:
    address = f"/players?as-known-at=100&{ADDED}"
    first = demo.get(address)
    again = demo.get(address, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    bare = demo.get("/players?as-known-at=100")
    assert bare.headers["etag"] != first.headers["etag"]


def test_a_page_that_refuses_names_them_too(demo: TestClient) -> None:
    answer = demo.get("/players/nobody?nam=x")
    assert answer.status_code == 404
    assert "does not know it: nam." in text_of(answer.text)


def test_no_link_or_form_asks_what_its_page_does_not_know(demo: TestClient) -> None:
    wanted: dict[tuple[str, ...], str] = {}
    for address in addresses():
        _, html = ("", "") if address == "/demo" else asked(demo, address, "lang=en")
        forms = re.findall(r'<form[^>]*method="get"[^>]*>.*?</form>', html, re.DOTALL)
        for form in forms:
            action = re.search(r' action="([^"]*)"', form)
            path = action[1] if action else address.partition("?")[0]
            names = re.findall(r' name="([^"]+)"', form)
            wanted[re.sub(r"\d+", "1", path), *sorted(names)] = f"{path}?{'=&'.join(names)}="
        for link in map(unescape, re.findall(r'href="(/[^"]*\?[^"]*)"', html)):
            path, _, query = link.partition("?")
            names = sorted(name for name, _ in parse_qsl(query))
            wanted[re.sub(r"\d+", "1", path), *names] = link
    assert len(wanted) > 30
    for address in wanted.values():
        assert "does not know it" not in text_of(demo.get(address).text), address
