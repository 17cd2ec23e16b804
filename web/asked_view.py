"""The site that a request is for, the view of its ledger, and which part of the players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, Literal

from fastapi import Depends, Query, Request

from ledger.age_groups import age_groups, group_named
from ledger.errors import InputRefused
from ledger.identifiers import Seq
from ledger.reports.categories import Category
from ledger.service.commit_outlooks import CommitOutlook, outlooks_on
from ledger.terms import Role
from web.access import FoundLater, account_of, is_signed_in
from web.caching import NotModified, is_known, not_yet_whole
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
    Seq | None,
    Query(alias="as-known-at", ge=0, description="Only what was known at this seq (default: all)."),
]
KnownOn = Annotated[
    dt.date | None,
    Query(
        alias="as-known-on",
        description="Only what was known when this day (YYYY-MM-DD) was over, if no seq is said.",
    ),
]


FORMER: Final = "rating_ledger.former"
"""In the scope of a request, the seq from which it is answered: the newest is being made ready."""


class AskedView(FoundLater):
    """The view that a request asks for, before it is looked for.

    Args:
        request: the request.
        known_at: the seq that it names; None: the newest.
        known_on: or the day.
    """

    def __init__(self, request: Request, known_at: Seq | None, known_on: dt.date | None) -> None:
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
        former = self._request.scope.get(FORMER)
        if former is not None:
            self._request.state.view = view = site.former(former)
            not_yet_whole(self._request)
            return _in_turn(self._request, view)
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


def last_commits(request: Request, view: View, *streams: str) -> Sequence[CommitOutlook]:
    """Returns, for an officer who may take them back, the last commits about some streams.

    A stream is a player's or a tournament's (``player:7``). Others are told nothing.
    """
    account = account_of(request)
    if account is None or Role.OFFICER not in account.roles or view.asked_for is not None:
        return ()
    return view.ask(outlooks_on, *streams)


async def _category_asked(
    request: Request,
    club: Annotated[str, Query(max_length=100, description="Only of this club.")] = "",
    region: Annotated[str, Query(max_length=100, description="Only of this region.")] = "",
    group: Annotated[
        str, Query(max_length=100, description="Only of this age group, `U14`, `S50`.")
    ] = "",
    sex: Annotated[Literal["", "m", "w"], Query(description="Only of this sex.")] = "",
    *,
    licensed: Annotated[bool, Query(description="Only with a licence.")] = False,
) -> Category:
    table = site_of(request).settings.federation.age_groups
    return Category(
        club=club.strip() or None,
        region=region.strip() or None,
        group=group_named(group, table) if group.strip() else None,
        sex=sex or None,
        licensed=licensed,
    )


CategoryAsked = Annotated[Category, Depends(_category_asked)]
"""What a form leaves empty asks for nobody in particular."""


async def _rated_category_asked(
    category: CategoryAsked,
    under: Annotated[
        str, Query(pattern="^[0-9]{0,4}$", description="Only with a rating under this one.")
    ] = "",
) -> Category:
    return replace(category, under=int(under) if under else None)


RatedCategoryAsked = Annotated[Category, Depends(_rated_category_asked)]
"""The same, where everybody may have a rating."""


def groups_offered(request: Request) -> list[str]:
    """Returns the names of the age groups that the federation has."""
    return [group.name for group in age_groups(site_of(request).settings.federation.age_groups)]
