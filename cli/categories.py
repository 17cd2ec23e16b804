"""The options by which a part of the players is chosen: a club, a region, an age group, a sex."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import OfSex
from cli.values import sex_of
from ledger.age_groups import group_named

if TYPE_CHECKING:
    from ledger.reports.categories import Category
    from ledger.views.view import LedgerView


@dataclass(frozen=True, kw_only=True)
class CategoryOptions:
    """Which part of the players is asked for."""

    club: Annotated[
        str | None, typer.Option("--club", help="Only of this club, or words of its name.")
    ] = None
    region: Annotated[
        str | None, typer.Option("--region", help="Only of this region, or words of its name.")
    ] = None
    group: Annotated[
        str | None,
        typer.Option("--group", help="Only of this age group by the calendar year: U14, S50 …"),
    ] = None
    sex: OfSex = None
    licensed: Annotated[
        bool, typer.Option("--licensed", help="Only with a licence that has not run out.")
    ] = False

    def category(self, view: LedgerView) -> Category:
        """Returns it as the application asks for it.

        Raises:
            InputRefused: there is no such sex or age group, or nobody was ever of such a club.
        """
        from ledger.facts.as_of import AsOf
        from ledger.reports.categories import Category, require_bodies

        group = None
        if self.group is not None:
            group = group_named(self.group, view.federation.age_groups)
        category = Category(self.club, self.region, group, sex_of(self.sex), licensed=self.licensed)
        if category.club or category.region:
            facts = view.facts()
            require_bodies(AsOf(facts, facts.seq), category)
        return category


@dataclass(frozen=True, kw_only=True)
class RatedCategoryOptions(CategoryOptions):
    """The same, where everybody may have a rating."""

    under: Annotated[
        int | None,
        typer.Option("--under", help="Only with a rating under this one.", min=1, max=4000),
    ] = None

    def category(self, view: LedgerView) -> Category:
        """Returns it as the application asks for it; raises as that of the others."""
        return replace(CategoryOptions.category(self, view), under=self.under)
