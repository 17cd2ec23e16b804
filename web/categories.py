"""Which part of the players an address asks for: of a club, a region, an age group, a sex."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import Depends, Query, Request

from ledger.age_groups import age_groups, group_named
from ledger.reports.categories import Category
from web.asked_view import site_of


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
