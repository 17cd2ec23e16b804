"""Pages of long answers: after the last key of the page before, never by counting rows."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import Request


def name_next(
    request: Request,
    key: object,
    *,
    word: str = "after",
    known_at: int | None = None,
) -> None:
    """Has the answer say in ``Link`` where the page after a key is; ``word`` is that of the query.

    ``known_at`` keeps all pages at one state of the ledger; without it the next one may hold what
    is recorded meanwhile.
    """
    said = [(name, text) for name, text in request.query_params.multi_items() if name != word]
    said.append((word, str(key)))
    if known_at is not None and "as-known-at" not in request.query_params:
        said.append(("as-known-at", str(known_at)))
    request.state.next_page = f'<{request.url.path}?{urlencode(said)}>; rel="next"'
