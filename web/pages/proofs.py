"""Proofs to be taken away, and the page that checks them: nobody has to believe this site.

They lead to the signed checkpoint that the site was given as a file: its secret key lies elsewhere.
"""

from __future__ import annotations

import logging
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Annotated
from urllib.parse import quote

from fastapi import Path, Request, Response

from ledger.application.ledger import Ledger
from ledger.application.proofs import (
    edition_named,
    lines_of,
    prove_event,
    prove_list,
    prove_player,
    require_own,
)
from ledger.errors import NotFound, VerificationFailed
from ledger.intake.values import edition_of
from ledger.journal.checkpoint import Checkpoint
from ledger.proofs.lines import MOST_BYTES, signed_page
from ledger.proofs.tlog_proof import TlogProof
from web.access import PUBLIC, Routes
from web.caching import asks_again
from web.calculations import replayed
from web.fields import LARGEST
from web.problems import RequestRefused
from web.rendering import render
from web.site import Asked, site_of

routes = Routes("/proofs")
_log = logging.getLogger("rating_ledger.web")


@routes.get("", PUBLIC)
def checking(request: Request, view: Asked) -> Response:
    """Tells how to check what the site shows, and which signed checkpoint it was given.

    One that does not fit the ledger is not shown: a wrong file, or a ledger that was changed.
    """
    del view  # the checkpoint is the one of now
    text, signed, fits = _given(request), None, True
    try:
        signed = _page_in(text) if text else None
        if signed is not None:
            site_of(request).newest().ask(require_own, signed)
    except VerificationFailed as error:
        _log_once(str(error.message))
        fits = False
    except NotFound:
        signed = None
    if text:
        asks_again(request, sha256(f"{text}{fits}".encode()).hexdigest())
    shown = signed if fits else None
    return render(
        request, "checking.html", signed=shown, lines=lines_of(shown) if shown else (), fits=fits,
        origin=site_of(request).settings.origin,
    )  # fmt: skip


@routes.get("/verify.html", PUBLIC)
def verifier(request: Request) -> Response:
    """Gives the page that checks proofs, to be kept: it works without this site."""
    page = files("ledger.proofs").joinpath("verify.html").read_bytes()
    asks_again(request, sha256(page).hexdigest())
    return _file(page, "verify.html", "text/html")


@routes.get("/checkpoint", PUBLIC)
def signed_checkpoint(request: Request) -> Response:
    """Gives the signed checkpoint to which proofs lead."""
    return _file(page_of_site(request).note().encode(), "checkpoint.txt")


@routes.get("/events/{seq}", PUBLIC)
def event(request: Request, view: Asked, seq: Annotated[int, Path(ge=1, le=LARGEST)]) -> Response:
    """Gives the proof of an event."""
    del view  # a proof is of all that is recorded
    page = page_of_site(request)
    made = site_of(request).newest().ask(prove_event, seq, page)
    return _proof(made, f"event-{seq}")


@routes.get("/lists/{name}/{period}", PUBLIC)
def published_list(request: Request, view: Asked, name: str, period: str) -> Response:
    """Gives the proof of a published list: ``PERIOD``, its last edition, or ``PERIOD@EDITION``."""
    del view
    page, (wanted, number) = page_of_site(request), edition_of(period)
    made = site_of(request).newest().ask(prove_list, name, wanted, number, page)
    return _proof(made, f"{name}-{period}")


@routes.get("/lists/{name}/{period}/{player:path}", PUBLIC)
def row(request: Request, view: Asked, name: str, period: str, player: str) -> Response:
    """Gives the proof of a player's row of a published list."""
    del view
    page, (wanted, number) = page_of_site(request), edition_of(period)
    newest = site_of(request).newest()
    made = replayed(request, newest, name, _row, name, player, wanted, number, page)
    return _proof(made, f"{name}-{period}-{player}")


def _row(
    ledger: Ledger, name: str, player: str, period: str, edition: int | None, page: Checkpoint
) -> TlogProof:
    return prove_player(ledger, player, edition_named(ledger, name, period, edition, page), page)


def page_of_site(request: Request) -> Checkpoint:
    """Reads the checkpoint that the site was given; an answer is the same while it is.

    Raises:
        NotFound: it was given none, or one that is not signed.
        RequestRefused: the file is no checkpoint (503); what it is stands in the log only.
    """
    text = _given(request)
    if not text:
        raise NotFound("proof.no_page")
    try:
        page = _page_in(text)
    except VerificationFailed as error:
        raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE, error.message) from None
    asks_again(request, sha256(text.encode()).hexdigest())
    return page


def _given(request: Request) -> str:
    """Returns what stands in the file that the site was given; nothing where there is none."""
    file = site_of(request).settings.checkpoint
    return "" if file is None else _read(file)


def _page_in(text: str) -> Checkpoint:
    try:
        page = signed_page(text)
    except VerificationFailed as error:
        # Whatever file was named by mistake, a stranger is not to read it.
        _log_once(str(error.message))
        raise VerificationFailed("checking.unusable_page") from None
    if not page.signatures:
        raise NotFound("proof.no_page")
    return page


@cache
def _log_once(why: str) -> None:
    """Tells whoever runs the site, and not again with each question."""
    _log.error("the signed checkpoint cannot be used: %s", why)


def _read(file: FilePath) -> str:
    try:
        with file.open("rb") as page:
            return page.read(MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""


def _proof(made: TlogProof, name: str) -> Response:
    return _file(made.text().encode(), f"{name}.tlog-proof")


def _file(data: bytes, name: str, type_: str = "text/plain") -> Response:
    quoted = quote(name, safe="")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quoted}"}
    return Response(data, media_type=f"{type_}; charset=utf-8", headers=headers)
