"""What pages say, for tests."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from fastapi.testclient import TestClient


def text_of(page: str) -> str:
    """Returns what somebody reads on a page, without its markup."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", page))).strip()


def read(site: TestClient, address: str) -> str:
    """Returns what somebody reads on a page, which is there."""
    answer = site.get(address)
    assert answer.status_code == 200, (address, answer.status_code, text_of(answer.text))
    return text_of(answer.text)


def links_on(page: str, prefix: str) -> list[str]:
    """Returns the addresses on a page that begin with a prefix, each once, in their order."""
    found = re.findall(r'href="([^"]+)"', page)
    return list(dict.fromkeys(html.unescape(each) for each in found if each.startswith(prefix)))


def pages_from(site: TestClient, address: str) -> Iterator[str]:
    """Yields a page and all that follow it, by their links to more."""
    seen = set[str]()
    while address not in seen:
        seen.add(address)
        page = site.get(address).text
        yield page
        more = re.search(r'<p class="more"><a [^>]*href="([^"]+)"', page)
        if more is None:
            return
        address = html.unescape(more[1])
    raise AssertionError(f"{address} leads back to itself")
