"""A list as tables for other programs: ratings by period, postings, and published rows.

Everything is exact: what is not a whole number is given in units, with how many of them are one
in a column beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ledger.events.lists import ListPublished
from ledger.exports.columns import ColumnType, ExportColumn, ExportTable, Page, constant, words
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.lists.people import People
from ledger.lists.publications import publications, recalculated
from ledger.lists.rating_list import PUBLISHED as LISTED
from ledger.lists.rating_list import rating_list
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline

if TYPE_CHECKING:
    import pyarrow as pa

_WORD, _WHOLE, _DAY = ColumnType.WORD, ColumnType.WHOLE, ColumnType.DAY

RATINGS: Final = (
    ExportColumn("list", _WORD, "the list's name"),
    ExportColumn("period", _WORD, "the rating period"),
    ExportColumn("in_force_on", _DAY, "the day on which its list comes into force"),
    ExportColumn("player", _WORD, "the player's id"),
    ExportColumn(
        "opening", _WHOLE, "the rating at the period's start; none: unrated", optional=True
    ),
    ExportColumn("rating", _WHOLE, "the rating after it; none while provisional", optional=True),
    ExportColumn("games", _WHOLE, "games of the period that count for the rating"),
    ExportColumn("rated_games", _WHOLE, "all rated games so far"),
    ExportColumn("k", _WHOLE, "K from this list on"),
    ExportColumn("active", ColumnType.FLAG, "whether the player is active in the list"),
)
"""A row for each player who has a place in the list of a period, by period, then by player."""

POSTINGS: Final = (
    ExportColumn("list", _WORD, "the list's name"),
    ExportColumn("period", _WORD, "the period that rates the game"),
    ExportColumn("seq", _WHOLE, "the event that has the last word on the game"),
    ExportColumn("tournament", _WORD, "the tournament's id"),
    ExportColumn("round", _WHOLE, "the round"),
    ExportColumn("player", _WORD, "whose statement the posting is in"),
    ExportColumn("opponent", _WORD, "the opponent's id"),
    ExportColumn("rating", _WHOLE, "the player's own rating in the game"),
    ExportColumn("opponent_rating", _WHOLE, "the opponent's, as counted"),
    ExportColumn("difference", _WHOLE, "the difference of ratings, as counted"),
    ExportColumn("expected", _WHOLE, "the expected score, in 1/scale"),
    ExportColumn("score", _WHOLE, "the score, in 1/scale"),
    ExportColumn("scale", _WHOLE, "units of a game point"),
    ExportColumn("k", _WHOLE, "K"),
    ExportColumn("merit", _WHOLE, "the weight of the rate of play, in hundredths"),
    ExportColumn("contribution", _WHOLE, "k * merit * (score - expected), in 1/units"),
    ExportColumn("units", _WHOLE, "units of a rating point"),
)
"""A row for each side of a game that was rated; a game between rated players has two."""

ROWS: Final = (
    ExportColumn("list", _WORD, "the list's name"),
    ExportColumn("period", _WORD, "the period"),
    ExportColumn("edition", _WHOLE, "the edition"),
    ExportColumn("in_force_on", _DAY, "the day on which the list came into force"),
    ExportColumn("rank", _WHOLE, "the place in the list"),
    ExportColumn("id", _WORD, "the player's id"),
    ExportColumn("name", ColumnType.TEXT, "the name at the basis; empty: erased", optional=True),
    ExportColumn("federation", _WORD, "the federation", optional=True),
    ExportColumn("rating", _WHOLE, "the rating; 0 while provisional"),
    ExportColumn("provisional", ColumnType.FLAG, "whether the player has no rating yet"),
    ExportColumn("games", _WHOLE, "games of the period that count for the rating"),
    ExportColumn("change", _WHOLE, "closing minus opening; none: a first rating", optional=True),
    ExportColumn("k", _WHOLE, "K from this list on"),
    ExportColumn("active", ColumnType.FLAG, "whether the player is active"),
)
"""A row for each row of every edition that was published."""

_OF_POSTINGS: Final = (
    "round", "rating", "opponent_rating", "difference", "expected", "score", "k", "merit",
    "contribution",
)  # fmt: skip


def ratings_table(facts: Facts, name: str) -> ExportTable:
    """Returns the ratings of a list in all its periods, as known now (see ``RATINGS``)."""
    return ExportTable("ratings", RATINGS, _pages(facts, name, _ratings))


def postings_table(facts: Facts, name: str) -> ExportTable:
    """Returns the postings of a list in all its periods, as known now (see ``POSTINGS``)."""
    return ExportTable("postings", POSTINGS, _pages(facts, name, _postings))


def rows_table(facts: Facts, name: str, people: Callable[[Seq], People]) -> ExportTable:
    """Returns the published rows of a list (see ``ROWS``).

    ``people`` brings the players as they were known at a seq.
    """
    wanted = sorted(publications(facts, name), key=lambda each: (each.period, each.edition))
    made = recalculated(facts, name, wanted)
    return ExportTable("lists", ROWS, (_rows(*each, people) for each in made))


def _pages(facts: Facts, name: str, page: Callable[[PeriodOutcome, _Ids], Page]) -> Iterator[Page]:
    """Yields the page of every period."""
    ids, timeline = _Ids(facts), Timeline.at_head(facts, name)
    for outcome in replay(timeline, timeline.last_period):
        yield page(outcome, ids)


class _Ids:
    """The ids of players and tournaments by index, made once for all pages."""

    def __init__(self, facts: Facts) -> None:
        import pyarrow as pa  # noqa: PLC0415 - whoever needs Arrow loads it

        self.players: pa.Array = pa.array(facts.player_ids, pa.string())
        self.tournaments: pa.Array = pa.array(facts.tournament_ids, pa.string())


def _ratings(outcome: PeriodOutcome, ids: _Ids) -> Page:
    opening, closing = outcome.opening, outcome.closing
    into = outcome.timeline.known.merged_into
    counts = into == np.arange(len(into))
    players = np.flatnonzero((closing.listed[: len(into)] != 0) & counts)
    return {
        "list": constant(outcome.timeline.name, len(players)),
        "period": constant(outcome.period.name, len(players)),
        "in_force_on": _day(outcome, len(players)),
        "player": words(players, ids.players),
        "opening": _or_none(opening.rating[players]),
        "rating": _or_none(closing.rating[players]),
        "games": outcome.counted_games[players],
        "rated_games": closing.games[players],
        "k": outcome.next_k[players],
        "active": outcome.active[players].astype(np.bool_),
    }


def _postings(outcome: PeriodOutcome, ids: _Ids) -> Page:
    calculation = outcome.calculation
    made = calculation.postings
    made = made.rows(np.lexsort((made.player, made.game)))
    count = len(made)
    return {
        "list": constant(outcome.timeline.name, count),
        "period": constant(outcome.period.name, count),
        "seq": made.game,
        "tournament": words(made.tournament, ids.tournaments),
        "player": words(made.player, ids.players),
        "opponent": words(made.opponent, ids.players),
        "scale": np.full(count, calculation.scale),
        "units": np.full(count, calculation.units),
        **{name: getattr(made, name) for name in _OF_POSTINGS},
    }


def _rows(
    publication: ListPublished, outcome: PeriodOutcome, people: Callable[[Seq], People]
) -> Page:
    import pyarrow as pa  # noqa: PLC0415 - as above

    basis = publication.basis_seq
    made = rating_list(
        outcome, people(basis), seq=basis, edition=publication.edition
    ).rows.published
    count = len(made)
    columns: dict[str, Sequence[Any]] = dict(zip(LISTED, made.columns(), strict=True))
    for name in ("id", "federation"):
        columns[name] = pa.array(columns[name], pa.string()).dictionary_encode()
    columns["name"] = pa.array([text or None for text in columns["name"]], pa.string())
    return {
        "list": constant(outcome.timeline.name, count),
        "period": constant(outcome.period.name, count),
        "edition": np.full(count, publication.edition),
        "in_force_on": _day(outcome, count),
        **columns,
    }


def _day(outcome: PeriodOutcome, count: int) -> Any:
    return np.full(count, np.datetime64(outcome.period.in_force_on, "D"))


def _or_none(ratings: Any) -> pa.Array:
    """Returns ratings, none where there is none."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    return pa.array(ratings, mask=ratings == UNRATED)
