"""The site that a request is for, and the view of its ledger that it asks for."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from fastapi import Depends, Query, Request

from ledger.errors import InputRefused
from web.access import FoundLater, account_of, is_signed_in
from web.caching import NotModified, is_known
from web.site import Site, View


def site_of(request: Request) -> Site:
    """Returns the site that a request is for."""
    site: Site = request.app.state.site
    return site


def newest_for(request: Request) -> View:
    """Returns the newest view for whoever asks: a stranger waits for a turn."""
    return _in_turn(request, site_of(request).newest())


def _in_turn(request: Request, view: View) -> View:
    """Has a view wait for a turn with each question of who did not sign in, whatever they show."""
    view.turns = site_of(request).turns if account_of(request) is None else None
    return view


KnownAt = Annotated[
    int | None,
    Query(alias="as-known-at", ge=0, description="Only what was known at this seq (default: all)."),
]
KnownOn = Annotated[
    dt.date | None,
    Query(
        alias="as-known-on",
        description="Only what was known when this day (YYYY-MM-DD) was over, if no seq is said.",
    ),
]


class AskedView(FoundLater):
    """The view that a request asks for, before it is looked for.

    Args:
        request: the request.
        known_at: the seq that it names; None: the newest.
        known_on: or the day.
    """

    def __init__(self, request: Request, known_at: int | None, known_on: dt.date | None) -> None:
        self._request = request
        self._known_at = known_at
        self._known_on = known_on

    def found(self) -> View:
        """Returns the view; who signed in sees at once what was recorded, by themselves too.

        Raises:
            NotFound: nothing was recorded yet under the seq.
            InputRefused: the day is not over, or both are named.
            NotModified: the browser has the answer already.
        """
        site = site_of(self._request)
        if self._known_on is not None:
            if self._known_at is not None:
                raise InputRefused("web.known_twice")
            view = site.on(self._known_on)
        elif self._known_at is not None:
            view = site.at(self._known_at)
        else:
            view = site.newest() if is_signed_in(self._request) else site.public()
        self._request.state.view = view
        if is_known(self._request, view.state):
            raise NotModified
        return _in_turn(self._request, view)


async def _asked(request: Request, known_at: KnownAt = None, known_on: KnownOn = None) -> AskedView:
    return AskedView(request, known_at, known_on)


Asked = Annotated[View, Depends(_asked)]
"""The view that a request asks for, by ``?as-known-at=`` or ``?as-known-on=``."""
