"""Forms that cannot be taken as they come: kept for some minutes under a secret, to be sent again.

Who sends one has to sign in first (``/again``), or to sign what it comes to (``/sign``). It is kept
for one account, and shown to nobody else. After a sign-in that person finds it on its page, filled
in as it was, and sends it, in the browser in which it was typed: whoever has a session that was
ended, a thief perhaps, can have a form kept for its account, and leads nobody to it. Passwords and
codes are not kept, and of files only the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from ledger.errors import NotFound
from web.access import (
    SIGNED_IN,
    Routes,
    account_of,
    cookie_name,
    former_account,
    required_account,
    set_cookie,
)
from web.asked_view import site_of
from web.destinations import START, is_for_part, own_address, page_before, to_sign_in
from web.fields import MOST_FIELDS, is_secret, media_type
from web.forms import NOTHING, TypedForm
from web.office import ceremonies
from web.office.ceremonies import FORM
from web.office.sessions import LONGEST_SECONDS
from web.office.store import digest_of, new_secret, office_if_any, office_of
from web.paths import path_sent
from web.rendering import render

AGAIN: Final = "/again"
"""Begins the addresses to which a browser goes with a form after a sign-in."""
_WAITING: Final = AGAIN.strip("/")  # what the address of a page calls the secret of its form
SIGNED: Final = "signed"
"""What an address calls the secret of what was signed."""
_BROWSER: Final = "typed"  # a cookie: in which browser a form was typed
_KINDS: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
_MOST_CHARACTERS: Final = 128 * 1024  # of all fields; no form of the site is as long
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class KeptForm:
    """A form as it was sent.

    ``account`` is whose it is, ``page`` the one on which it stood. ``fields`` are texts by name;
    ``files`` name the fields in which files were chosen, and the files.
    """

    account: str
    path: str
    query: Pairs
    fields: Pairs
    files: Pairs
    page: str

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> KeptForm:
        """Returns a form from what ``data`` returned."""
        return cls(**data)

    def data(self) -> dict[str, Any]:
        """Returns the form as JSON."""
        return asdict(self)

    def typed(self, secret: str) -> TypedForm:
        """Returns what was typed, as its page shows it."""
        typed, files = TypedForm.of_pairs(self.fields, self.path), [file for _, file in self.files]
        return replace(typed, files=files, kept_at=f"{AGAIN}/{secret}?plain=true")

    def page_of(self, secret: str) -> str | None:
        """Returns the address of its page, filled in with what is kept; None: nobody knows which.

        It leads to the form itself.
        """
        if self.page == START:
            return None
        path, _, query = self.page.partition("?")
        others = [each for each in parse_qsl(query, keep_blank_values=True) if each[0] != _WAITING]
        return f"{path}?{urlencode([*others, (_WAITING, secret)])}#{_WAITING}"

    def address(self, signed: str | None = None) -> str:
        """Returns the address to which it is sent again, with the secret of a signature."""
        query = [(name, value) for name, value in self.query]
        if signed is not None:
            query = [*((name, value) for name, value in query if name != SIGNED), (SIGNED, signed)]
        return self.path + (f"?{urlencode(query)}" if query else "")


def know_browser(request: Request, response: Response) -> None:
    """Lets a browser in which somebody signs in be known again, when a form is typed there.

    It is given at the sign-in: forms that come at once from several pages are of one browser.
    """
    settings = site_of(request).settings
    browser = _browser_of(request) or new_secret()
    set_cookie(response, settings, _BROWSER, browser, LONGEST_SECONDS)


def _browser_of(request: Request) -> str:
    return request.cookies.get(cookie_name(site_of(request).settings, _BROWSER), "")


def keep_fields(request: Request, fields: Pairs) -> None:
    """Notes what a form says whose stream was read, in case that it is to be sent again."""
    request.state.fields = fields


async def sent_form(request: Request, account: str) -> KeptForm:
    """Returns the form of a request, as one of an account.

    Raises:
        HTTPException: it cannot be read.
    """
    fields, files = getattr(request.state, "fields", None), []
    if fields is None:
        async with request.form(max_files=1, max_fields=MOST_FIELDS) as form:
            items = form.multi_items()
        fields = [(name, value) for name, value in items if isinstance(value, str)]
        files = [
            (name, value.filename)
            for name, value in items
            if not isinstance(value, str) and value.filename
        ]
    query = request.query_params.multi_items()
    page = page_before(request)
    return KeptForm(account, path_sent(request.scope), query, fields, files, page)


async def sign_in_with_form(request: Request) -> Response:
    """Sends a browser to the sign-in; a form is kept, where it is known whose it is and may be.

    Of one that is not kept a page says so, after the sign-in too. A script keeps its own.

    Raises:
        DatabaseError: the office cannot be written to now.
    """
    kind = media_type(request.headers.get("content-type", ""))
    if kind not in _KINDS or is_for_part(request):
        return to_sign_in(request)
    form = await _form_to_keep(request)
    if form is None:
        return to_sign_in(request, f"{AGAIN}?{urlencode({'page': page_before(request)})}")
    secret = await run_in_threadpool(_keep, request, form)
    return to_sign_in(request, f"{AGAIN}/{secret}")


async def _form_to_keep(request: Request) -> KeptForm | None:
    """Returns the form of a request; None where it is nobody's, cannot be read, or has secrets."""
    account = account_of(request)
    owner = former_account(request) if account is None else account.name
    if owner is None or not _browser_of(request) or _asks_for_secrets(request):
        return None
    try:
        form = await sent_form(request, owner)
    except HTTPException:
        return None
    is_long = sum(len(name) + len(value) for name, value in form.fields) > _MOST_CHARACTERS
    return None if is_long else form


def _keep(request: Request, form: KeptForm) -> str:
    office = office_of(request)
    kept = {"form": form.data(), "browser": digest_of(_browser_of(request)).hex()}
    with office.writing() as connection:
        return ceremonies.begin(connection, FORM, kept, office.now())


def form_again(request: Request, secret: str) -> KeptForm | None:
    """Returns a form that was kept for a sign-in; None where none was, or in another browser."""
    office = office_of(request)
    with office.reading() as connection:
        kept = ceremonies.look(connection, FORM, secret, office.now())
    if kept is None or kept["browser"] != digest_of(_browser_of(request)).hex():
        return None
    return KeptForm.of_data(kept["form"])


def waiting_form(request: Request) -> TypedForm:
    """Returns what waited to be sent by a form of the page that is asked for."""
    secret = request.query_params.get(_WAITING)
    if secret is None or request.method not in {"GET", "HEAD"} or office_if_any(request) is None:
        return NOTHING
    account, form = account_of(request), form_again(request, secret)
    is_own = account is not None and form is not None and form.account == account.name
    return form.typed(secret) if form is not None and is_own else NOTHING


def _asks_for_secrets(request: Request) -> bool:
    """Whether a form asks for a password or a code: then nothing of it is kept."""
    route = request.scope.get("route")
    fields = route.dependant.body_params if isinstance(route, APIRoute) else ()
    return any(is_secret(each.field_info) for each in fields)


routes = Routes(AGAIN)


@routes.get("", SIGNED_IN)
def not_kept(request: Request, page: str = "/") -> Response:
    """Says that a form was not done that could not be kept."""
    return render(request, "kept_form_lost.html", page=own_address(page))


@routes.get("/{secret}", SIGNED_IN)
def to_form(request: Request, secret: str, *, plain: bool = False) -> Response:
    """Sends a browser to the page on which a form stands, where it is filled in as it was.

    Where nobody knows the page, or ``plain`` is asked for, it shows what was typed, to be sent.
    """
    form = form_again(request, secret)
    if form is None:
        raise NotFound("access.nothing_to_send")
    if form.account != required_account(request).name:
        here = f"{AGAIN}/{secret}"
        return render(request, "kept_form_other.html", HTTPStatus.FORBIDDEN, here=here)
    page = form.page_of(secret)
    if plain or page is None:
        return render(request, "kept_form.html", form=form)
    return RedirectResponse(page, HTTPStatus.SEE_OTHER)
