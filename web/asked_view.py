"""The site that a request is for, and the view of its ledger that it asks for."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request

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


class AskedView(FoundLater):
    """The view that a request asks for, before it is looked for.

    Args:
        request: the request.
        known_at: the seq that it names; None: the newest.
    """

    def __init__(self, request: Request, known_at: int | None) -> None:
        self._request = request
        self._known_at = known_at

    def found(self) -> View:
        """Returns the view; who signed in sees at once what was recorded, by themselves too.

        Raises:
            NotFound: nothing was recorded yet under the seq.
            NotModified: the browser has the answer already.
        """
        site = site_of(self._request)
        if self._known_at is not None:
            view = site.at(self._known_at)
        else:
            view = site.newest() if is_signed_in(self._request) else site.public()
        self._request.state.view = view
        if is_known(self._request, view.state):
            raise NotModified
        return _in_turn(self._request, view)


async def _asked(request: Request, known_at: KnownAt = None) -> AskedView:
    return AskedView(request, known_at)


Asked = Annotated[View, Depends(_asked)]
"""The view that a request asks for, by ``?as-known-at=``."""
