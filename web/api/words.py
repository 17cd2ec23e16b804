"""What can be asked in every place of the API, and how its words are read."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import Path, Query

USUAL: Final = 100
"""Rows of a page, where nobody says how many."""
_MOST: Final = 1_000

ListName = Annotated[str, Path(alias="list", description="The list's name.", examples=["ENF"])]
PlayerId = Annotated[
    str, Path(alias="player", description="The player's id.", examples=["3404510"])
]
TournamentId = Annotated[
    str, Path(alias="tournament", description="The tournament's id.", examples=["ymca-2010"])
]
PeriodWord = Annotated[
    str,
    Path(
        alias="period",
        description="A period, `2010-07`, or an edition of its list, `2010-07@1`.",
        examples=["2010-07", "2010-07@1"],
    ),
]
FromPeriod = Annotated[str | None, Query(alias="from", description="The first period.")]
ToPeriod = Annotated[str | None, Query(alias="to", description="The last period.")]
Control = Annotated[
    list[str] | None,
    Query(alias="control", description="Players of the control group (default: who is rated)."),
]
OfFederations = Annotated[
    list[str] | None, Query(description="Only of this federation; several are possible.")
]
Limit = Annotated[int, Query(ge=1, le=_MOST, description="Rows of a page.")]
InList = Annotated[
    str | None, Query(alias="list", description="A list (default: the only one there is).")
]
OfList = Annotated[str | None, Query(alias="list", description="The list whose ratings are shown.")]
AfterRound = Annotated[
    int | None,
    Query(alias="round", ge=0, le=999, description="After this round (default: the last)."),
]
Search = Annotated[
    str | None, Query(min_length=1, max_length=300, description="Words of a name, or an id.")
]
Language = Annotated[Literal["en", "es"] | None, Query(description="The language of sentences.")]
