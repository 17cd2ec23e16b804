"""Proofs to be taken away, and the page that checks them: nobody has to believe this site.

They lead to the signed checkpoint that the site was given as a file: its secret key lies elsewhere.

The tree as tiles, for whoever follows the ledger without this program (C2SP tlog-tiles).
"""

from __future__ import annotations

import json
import logging
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import quote

from fastapi import Request, Response

from ledger.errors import NotFound, VerificationFailed
from ledger.journal.checkpoint import Checkpoint
from ledger.journal.records import StoredEvent
from ledger.privacy import may_see_whole
from ledger.proofs.lines import MOST_BYTES, signed_page
from ledger.proofs.tiles import tile_named
from ledger.proofs.tlog_proof import TlogProof
from ledger.trust.proofs import (
    edition_named,
    lines_of,
    prove_event,
    prove_list,
    prove_row,
    require_own,
)
from ledger.trust.tiles import tile_bytes
from ledger.typed_values import edition_of
from ledger.wording import Message
from web.access import PUBLIC, Routes
from web.asked_view import Asked, newest_for, site_of
from web.caching import asks_again, never_changes
from web.fields import EventSeq
from web.problems import RequestRefused
from web.read_models.answers import committed_row
from web.read_models.model_store import store_of
from web.refusals import Forbidden
from web.rendering import render

routes = Routes("/proofs")
_log = logging.getLogger("rating_ledger.web")
_WRONG_FILE: Final = (
    "A signed checkpoint is a text: the ledger's name, the number of events and the root, each on "
    "a line, an empty line, and signatures. Write one with 'rating-ledger checkpoint --key FILE', "
    "and put it in the place of the file that 'serve --checkpoint' names"
)
_OTHER_LEDGER: Final = (
    "If it was made of another ledger or copy, put one of this ledger in its place. If it was made "
    "of this one, 'rating-ledger verify --checkpoint FILE' tells more"
)


@routes.get("", PUBLIC)
def checking(request: Request, view: Asked) -> Response:
    """Tells how to check what the site shows, and which signed checkpoint it was given.

    One that is none, or is not of this ledger, is not shown.
    """
    del view  # the checkpoint is the one of now
    text, signed, trouble = _given(request), None, None
    try:
        signed = _checkpoint_in(request, text)
    except VerificationFailed as error:
        trouble = error.message
    except NotFound:
        pass
    if text:
        asks_again(request, sha256(f"{text}{trouble}".encode()).hexdigest())
    return render(
        request, "checking.html", signed=signed, lines=lines_of(signed) if signed else (),
        trouble=trouble, origin=site_of(request).settings.origin,
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
    return _file(checkpoint_of_site(request).note().encode(), "checkpoint.txt")


@routes.get("/events/{seq}", PUBLIC)
def event(request: Request, view: Asked, seq: EventSeq) -> Response:
    """Gives the proof of an event."""
    del view  # a proof is of all that is recorded
    newest, checkpoint = newest_for(request), checkpoint_of_site(request)
    require_whole(newest.ask(lambda ledger: ledger.event_check().read(seq))[0])
    proof = newest.ask(prove_event, seq, checkpoint)
    return _proof(proof, f"event-{seq}")


@routes.get("/lists/{name}/{period}", PUBLIC)
def published_list(request: Request, view: Asked, name: str, period: str) -> Response:
    """Gives the proof of a published list: ``PERIOD``, its last edition, or ``PERIOD@EDITION``."""
    del view
    checkpoint, (wanted, number) = checkpoint_of_site(request), edition_of(period)
    proof = newest_for(request).ask(prove_list, name, wanted, number, checkpoint)
    return _proof(proof, f"{name}-{period}")


@routes.get("/lists/{name}/{period}/{player:path}", PUBLIC)
def row(request: Request, view: Asked, name: str, period: str, player: str) -> Response:
    """Gives the proof of a player's row of a published list."""
    del view
    checkpoint, (wanted, number) = checkpoint_of_site(request), edition_of(period)
    newest = newest_for(request)
    edition = newest.ask(edition_named, name, wanted, number, checkpoint)
    found = committed_row(store_of(request), newest, player, edition)
    return _proof(newest.ask(prove_row, found, edition, checkpoint), f"{name}-{period}-{player}")


def checkpoint_of_site(request: Request) -> Checkpoint:
    """Reads the checkpoint that the site was given; an answer is the same while it is.

    Raises:
        NotFound: it was given none.
        RequestRefused: the file is no checkpoint, not signed, or not of this ledger (503); the log
            says what it is.
    """
    text = _given(request)
    try:
        checkpoint = _checkpoint_in(request, text)
    except VerificationFailed as error:
        raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE, error.message) from None
    asks_again(request, sha256(text.encode()).hexdigest())
    return checkpoint


def _given(request: Request) -> str:
    """Returns what stands in the file that the site was given; nothing where there is none."""
    file = site_of(request).settings.checkpoint
    return "" if file is None else _read(file)


def _checkpoint_in(request: Request, text: str) -> Checkpoint:
    """Reads a signed checkpoint of the site's ledger.

    Raises:
        NotFound: there is no text.
        VerificationFailed: it is no checkpoint, not signed, or not of this ledger. Whatever file
            was named by mistake, a stranger is not to read it: the log alone quotes it.
    """
    if not text:
        raise NotFound("proof.no_page")
    try:
        checkpoint = signed_page(text)
    except VerificationFailed as error:
        _log_once(str(error.message), _WRONG_FILE)
        raise VerificationFailed("checking.unusable_page") from None
    if not checkpoint.signatures:
        _log_once("it is not signed", _WRONG_FILE)
        raise VerificationFailed("checking.unsigned_page")
    try:
        newest_for(request).ask(require_own, checkpoint)
    except VerificationFailed as error:
        _log_once(str(error.message), _OTHER_LEDGER)
        raise VerificationFailed("checking.does_not_fit") from None
    return checkpoint


@cache
def _log_once(why: str, what_to_do: str) -> None:
    """Tells whoever runs the site, and not again with each question."""
    _log.error("the signed checkpoint cannot be used: %s. %s", why, what_to_do)


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""


def require_whole(event: StoredEvent) -> None:
    """Raise ``Forbidden`` where the reader may not see all of an event: no part of it is proved."""
    if not may_see_whole(json.loads(event.payload)):
        raise Forbidden(Message.of("web.private_event", seq=event.seq))


def _proof(proof: TlogProof, name: str) -> Response:
    return _file(proof.text().encode(), f"{name}.tlog-proof")


def _file(data: bytes, name: str, type_: str = "text/plain") -> Response:
    quoted = quote(name, safe="")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quoted}"}
    return Response(data, media_type=f"{type_}; charset=utf-8", headers=headers)


tile_routes = Routes()
_TEXT: Final = "text/plain; charset=utf-8"
_BYTES: Final = "application/octet-stream"


@tile_routes.get("/checkpoint", PUBLIC)
def checkpoint(request: Request) -> Response:
    """Gives the signed checkpoint that the site was given, to be read beside the tiles."""
    return Response(checkpoint_of_site(request).note(), media_type=_TEXT)


@tile_routes.get("/tile/{path:path}", PUBLIC)
def tile(request: Request, view: Asked, path: str) -> Response:
    """Gives a tile, or a bundle of entries; what is in one never changes."""
    del view  # the tree is of all that is recorded
    named = tile_named(path)
    data = None if named is None else newest_for(request).ask(tile_bytes, named, require_whole)
    if data is None:
        raise NotFound("proof.no_tile", path=path[:100])
    never_changes(request, sha256(data).hexdigest())
    return Response(data, media_type=_BYTES)
