"""Asks the site of a rating ledger, and records: the standard library is enough.

    python examples/web_client.py http://127.0.0.1:8000 ENF

prints the ten highest of the newest edition of a list, why the first one has his rating, and what
was recorded last.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

Json = dict[str, Any]


class Refused(Exception):
    """What the site refused: its status, and the problem that it told (RFC 9457)."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status}: {problem.get('detail', '')}")
        self.status = status
        self.problem = problem


class Client:
    """A site, as a program sees it.

    Args:
        origin: scheme, host and port.
        token: an account's, to record something.
    """

    def __init__(self, origin: str, token: str | None = None) -> None:
        self.api = f"{origin.rstrip('/')}/api/v1"
        self.token = token
        self.seq = 0
        """The seq of the last answer: what was known when it was made."""

    def get(self, *place: str, **words: object) -> Json:
        """Returns an answer: ``get("lists", "ENF", "2010-07", limit=10)``."""
        answer, _ = self._ask(self._address(*place, **words))
        return answer

    def rows(self, key: str, *place: str, **words: object) -> Iterator[Json]:
        """Yields the rows of all pages of an answer, under their key."""
        where: str | None = self._address(*place, **words)
        while where is not None:
            answer, where = self._ask(where)
            yield from answer[key]

    def record(self, command: str, said: Json, *, key: str | None = None) -> Json:
        """Gives a command, at the seq of the last answer: nobody recorded anything since.

        Who does not hear the answer gives it again with the same key: it is carried out once.
        """
        headers = {"Idempotency-Key": key or str(uuid.uuid4()), "If-Match": f'"{self.seq}"'}
        answer, _ = self._ask(self._address("commands", command), said, headers)
        return answer

    def preview(self, command: str, said: Json) -> Json:
        """Returns what a command would record, and whom it would move; nothing is recorded."""
        answer, _ = self._ask(self._address("previews", command), said)
        return answer

    def _address(self, *place: str, **words: object) -> str:
        asked = urlencode({name.replace("_", "-"): value for name, value in words.items()})
        path = "/".join(quote(each, safe="@") for each in place)
        return f"{self.api}/{path}" + (f"?{asked}" if asked else "")

    def _ask(
        self, address: str, said: Json | None = None, headers: dict[str, str] | None = None
    ) -> tuple[Json, str | None]:
        """Returns an answer and the address of the next page, if there is one."""
        sent = {"Accept": "application/json", **(headers or {})}
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        body = None
        if said is not None:
            sent["Content-Type"] = "application/json"
            body = json.dumps(said).encode()
        try:
            with urlopen(Request(address, body, sent)) as answer:  # noqa: S310 - the caller's site
                self.seq = int(answer.headers.get("Ledger-Seq", self.seq))
                return json.load(answer), self._next(answer.headers.get("Link"))
        except HTTPError as error:
            with error:
                raise Refused(error.code, json.load(error)) from None

    def _next(self, link: str | None) -> str | None:
        if link is None:
            return None
        path = link.partition("<")[2].partition(">")[0]
        return self.api.removesuffix("/api/v1") + path


def main(arguments: list[str]) -> None:
    """Prints what a list says."""
    origin, name = arguments
    site = Client(origin)
    published = [
        period for period in site.rows("periods", "lists", name, "periods") if period["editions"]
    ]
    newest = published[-1]
    shown = site.get("lists", name, f"{newest['period']}@{newest['editions']}", limit=10)
    print(f"{shown['list']} {shown['period']}, in force from {shown['in_force_on']}")
    top = shown["rows"]
    for row in top:
        print(f"{row['rank']:>4} {row['rating']:>5} {row['name']}")
    if len(published) > 1:
        why = site.get("players", top[0]["id"], name, "why")
        print(f"{why['from']} -> {why['to']}: {why['difference']:+}, by {why['causes']}")
    last = site.get("head")
    for event in site.rows("events", "events", after=max(0, last["seq"] - 5)):
        print(f"{event['seq']:>8} {event['type']} by {event['actor']}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [_, _] as told:
            main(told)
        case _:
            sys.exit("usage: python examples/web_client.py ORIGIN LIST")
