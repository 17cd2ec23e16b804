"""Who may use a route. Each says it; one that does not cannot be added.

Words of an address that hold a slash: ``/players/a%2Fb`` is about the player ``a/b``.

A server hands on the path decoded, so that a slash within a word looks like one between two. Here
the path is read as it was sent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, Final, TypeAlias, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from fastapi.routing import APIRoute
from starlette.routing import Match

from ledger.answers.event_desk import is_closed
from ledger.identifiers import Seq
from ledger.terms import Role
from ledger.trust.rights import RequiredRights
from ledger.views.view import LedgerView
from ledger.wording import Message
from web.paths import words_sent
from web.refusals import Forbidden, SignInNeeded
from web.settings import WebSettings

_SLASH: Final = b"%2f"  # as it is sent within a word
_WITHIN: Final = "\0"  # stands for a slash within a word while a route is looked for


class WordRoute(APIRoute):
    """A route whose parameters may hold slashes, where they are sent as ``%2F``."""

    def matches(self, scope: MutableMapping[str, Any]) -> tuple[Match, Any]:
        """Returns whether it is the route of a request, with what the request says then."""
        if _SLASH not in (scope.get("raw_path") or b"").lower():
            return super().matches(scope)
        words = words_sent(scope)
        if any(_WITHIN in word for word in words):
            return super().matches(scope)
        path = "/".join(["", *(word.replace("/", _WITHIN) for word in words)])
        match, found = super().matches({**scope, "path": path})
        if match is not Match.NONE:
            found["path_params"] = {
                name: value.replace(_WITHIN, "/") if isinstance(value, str) else value
                for name, value in found["path_params"].items()
            }
        return match, found


Route = TypeVar("Route", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who signed in, or a program with a token.

    ``by_token`` says which; a program may do what its ``scopes`` and its account's roles both let
    it do. ``tournaments`` are those to which an arbiter is limited, None: to none. ``since`` is the
    seq of the ledger when its session or token began; None where its roles are not the ledger's.
    ``session`` is a label of the browser's session, which lets nobody in; empty for a program.
    """

    name: str
    roles: frozenset[Role]
    by_token: bool = False
    scopes: frozenset[str] = frozenset()
    tournaments: frozenset[str] | None = None
    since: Seq | None = None
    session: str = ""

    @property
    def roles_everywhere(self) -> frozenset[Role]:
        """Its roles, but for that of an arbiter who is limited to tournaments."""
        return self.roles if self.tournaments is None else self.roles - {Role.ARBITER}

    def may_arbitrate(self, tournament: str) -> bool:
        """Whether it may do an arbiter's work at a tournament; an officer may at all."""
        if Role.OFFICER in self.roles:
            return True
        is_there = self.tournaments is None or tournament in self.tournaments
        return Role.ARBITER in self.roles and is_there

    def check_open(self, view: LedgerView, tournament: str) -> None:
        """Raises ``Forbidden`` where a report was handed in: then an officer decides."""
        if Role.OFFICER not in self.roles and is_closed(view, tournament):
            raise Forbidden(Message.of("web.handed_in", tournament=tournament))


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a route: everybody, whoever signed in, or who has one of some roles.

    ``scope`` is what a token needs to use it; without one, a route that is not public is for
    people only. ``everywhere``: the role of an arbiter who is limited to tournaments is not enough.
    """

    everybody: bool = False
    roles: frozenset[Role] = frozenset()
    scope: str | None = None
    everywhere: bool = False

    def allows(self, account: Account | None) -> bool:
        """Whether somebody may use the route; None is somebody who did not sign in."""
        if self.everybody:
            return True
        if account is None:
            return False
        held = account.roles_everywhere if self.everywhere else account.roles
        if self.roles and not self.roles & held:
            return False
        return not account.by_token or self.scope in account.scopes


PUBLIC: Final = Access(everybody=True)
SIGNED_IN: Final = Access()


def only(*roles: Role, scope: str | None = None, everywhere: bool = False) -> Access:
    """Returns the access of those who have one of some roles; see ``Access``."""
    return Access(roles=frozenset(roles), scope=scope, everywhere=everywhere)


SESSION_COOKIES: Final = frozenset({"session", "__Host-session"})
"""What the cookie of a session is called: by HTTPS so that no other host can set it."""


Identify: TypeAlias = Callable[[Request], Account | None]
"""Finds out whose request it is, by its cookie or token; None where nobody signed in."""


def account_of(request: Request) -> Account | None:
    """Returns whose request it is; None where nobody signed in.

    It is found out once. Where that fails, the failure is raised, and the request is nobody's.
    """
    if not hasattr(request.state, "account"):
        identify: Identify = request.app.state.identify
        request.state.account = None  # for the page that says so, where nobody can find it out
        request.state.account = identify(request)
    account: Account | None = request.state.account
    return account


def roles_of(request: Request) -> frozenset[Role]:
    """Return the roles of whoever asks; none of somebody who did not sign in."""
    account = account_of(request)
    return frozenset() if account is None else account.roles


def former_account(request: Request) -> str | None:
    """Returns whose session it was that a browser still shows; None where nobody knows.

    It lets nobody in: whoever it is has to sign in.
    """
    former = getattr(request.state, "former_session", None)
    account: str | None = None if former is None else former.account
    return account


def required_account(request: Request) -> Account:
    """Returns whose request it is, on a route that is not for everybody."""
    account = account_of(request)
    assert account is not None, "the route is for who signed in"
    return account


def required_rights(request: Request, tournament: str | None = None) -> RequiredRights | None:
    """Returns what whoever asks must be, also when it is recorded: what the route asks for.

    Args:
        request: of somebody who signed in.
        tournament: at which it is recorded, if at one: there an arbiter must be one.
    """
    account, access = required_account(request), access_of(request.scope["endpoint"])
    if account.since is None:
        return None
    return RequiredRights(
        account=account.name, roles=access.roles, everywhere=access.everywhere,
        tournament=tournament, since=account.since,
    )  # fmt: skip


def is_signed_in(request: Request) -> bool:
    """Whether somebody signed in, so that the answer is for nobody else.

    Nobody has looked yet, where the answer is the same for everybody or a refusal: then whoever
    shows a cookie or a token is taken at their word.
    """
    if hasattr(request.state, "account"):
        return account_of(request) is not None
    return "authorization" in request.headers or bool(SESSION_COOKIES & {*request.cookies})


def access_of(endpoint: Callable[..., Any]) -> Access:
    """Returns who may use the route of a function; raises ``KeyError`` where it does not say it."""
    return _ACCESS[endpoint]


_ACCESS: dict[Callable[..., Any], Access] = {}


def known_scopes() -> list[str]:
    """Returns what tokens may be used for: the scopes that routes ask for."""
    return sorted({access.scope for access in _ACCESS.values() if access.scope is not None})


def scopes_for(account: Account) -> list[str]:
    """Returns the scopes that are of use to an account: those of which it has the roles."""
    person = replace(account, by_token=False)
    open_to = (access for access in _ACCESS.values() if access.allows(person))
    return sorted({access.scope for access in open_to if access.scope is not None})


def check_access(request: Request, endpoint: Callable[..., Any]) -> None:
    """Refuses whoever may not use the route of a function.

    Raises:
        SignInNeeded: nobody signed in.
        Forbidden: who signed in may not use it.
    """
    access = access_of(endpoint)
    if access.everybody:
        return
    account = account_of(request)
    if access.allows(account):
        return
    if account is None:
        raise SignInNeeded
    raise Forbidden(_why_not(access, account))


def _why_not(access: Access, account: Account) -> Message | None:
    """Returns what somebody lacks for a route; None: a role."""
    if access.scope is not None and access.allows(replace(account, by_token=False)):
        return Message.of("web.scope_needed", scope=access.scope)
    if replace(access, everywhere=False).allows(account):
        return Message.of("web.limited")
    return None


class FoundLater(ABC):
    """What a route is given and has to be looked for: in the thread that answers.

    A dependency that is no coroutine has a turn of a thread of its own, which is a part of the time
    that a page takes.
    """

    @abstractmethod
    def found(self) -> Any:
        """Looks for it; what it raises, the route raises."""


def _finding(endpoint: Route) -> Callable[..., Any]:
    """Returns the function of a route, which is given what was looked for."""
    assert not iscoroutinefunction(endpoint), "routes are answered by threads"

    @wraps(endpoint)
    def answer(**given: Any) -> Any:
        for name, value in given.items():
            if isinstance(value, FoundLater):
                given[name] = value.found()
        return endpoint(**given)

    return answer


class Routes:
    """Routes of one room of the site; each says who may use it.

    Args:
        prefix: begins all its paths.
        in_api: whether programs use them: then they stand in its description.
    """

    def __init__(self, prefix: str = "", *, in_api: bool = False) -> None:
        self.router = APIRouter(prefix=prefix, include_in_schema=in_api)
        self._in_api = in_api

    def get(self, path: str, access: Access, **settings: Any) -> Callable[[Route], Route]:
        """Adds a route that reads; a page answers HEAD as well."""
        return self._add(path, access, ["GET"] if self._in_api else ["GET", "HEAD"], settings)

    def post(self, path: str, access: Access, **settings: Any) -> Callable[[Route], Route]:
        """Adds a route that changes something."""
        return self._add(path, access, ["POST"], settings)

    def _add(
        self, path: str, access: Access, methods: Sequence[str], settings: dict[str, Any]
    ) -> Callable[[Route], Route]:
        def add(endpoint: Route) -> Route:
            answer = _finding(endpoint)
            _ACCESS[endpoint] = _ACCESS[answer] = access

            def check(request: Request) -> None:
                check_access(request, endpoint)

            # A route for everybody asks nothing: each question takes a turn of a thread.
            asks = [] if access.everybody else [Depends(check)]
            first = [*asks, *settings.pop("dependencies", ())]
            self.router.add_api_route(
                path, answer, methods=list(methods), dependencies=first,
                **{"route_class_override": WordRoute, **settings},
            )  # fmt: skip
            return endpoint

        return add


SESSION: Final = "session"
"""The cookie of a session."""


def cookie_name(settings: WebSettings, name: str) -> str:
    """Returns how a cookie is called: by HTTPS so that no other host can set it."""
    full = f"__Host-{name}" if settings.is_secure else name
    assert name != SESSION or full in SESSION_COOKIES, "caches know its name"
    return full


def set_cookie(
    response: Response, settings: WebSettings, name: str, value: str, seconds: int
) -> None:
    """Gives a browser a cookie that no script reads, and that other sites do not send."""
    response.set_cookie(
        cookie_name(settings, name),
        value,
        max_age=seconds,
        secure=settings.is_secure,
        httponly=True,
        samesite="lax",
    )
