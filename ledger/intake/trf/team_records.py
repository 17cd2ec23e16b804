"""The records of an event of teams: who plays for whom, match points, byes and forfeited matches.

TRF16 has the teams with their players (013). TRF26 has them with their points (310), what a match
is worth (362), byes of the pairing (320), requested ones (240) and forfeited matches (330).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.teams import participants_sheet
from ledger.desk.trf_text import points_text
from ledger.facts.tournament import TournamentRecord
from ledger.intake.trf.layout import LAYOUTS, Team26Field, TeamField
from ledger.intake.trf.records import Cells, Record
from ledger.terms import Colour, TrfVersion

CODES: Final = frozenset(("013", "310", "320", "330", "362"))
_REQUESTED: Final = {How.HALF_BYE: "H", How.ZERO_BYE: "Z"}


def _record(code: str, cells: Cells, groups: tuple[Cells, ...] = ()) -> Record:
    return Record(line=0, code=code, layout=LAYOUTS[code], cells=cells, groups=groups)


def match_points_record(record: TournamentRecord, version: TrfVersion) -> Iterator[Record]:
    """Yields what a match is worth, where the edition has a record for it: 362."""
    if record.desk.teams and version is TrfVersion.TRF26:
        yield _record("362", (" W 1.0    D 0.5    L 0.0",))


def team_records(
    record: TournamentRecord, ratings: Mapping[str, int], version: TrfVersion
) -> Iterator[Record]:
    """Yields the records of the teams, by number; none where there are no teams.

    ``ratings`` are those of the players, by id, for the strength of the teams.
    """
    if not record.desk.teams:
        return
    sheet = participants_sheet(record, ratings)
    if version is TrfVersion.TRF16:
        for card in sheet.cards.values():
            name = record.desk.teams[card.player].name
            yield _record("013", (name[: _width(TeamField.NAME)],), _members(record, card))
        return
    yield from _with_points(record, sheet)
    yield from _byes(sheet)
    yield from _forfeits(sheet)


def _members(record: TournamentRecord, card: Card) -> tuple[Cells, ...]:
    players = record.desk.teams[card.player].players
    return tuple((str(record.entries[player]),) for player in players)


def _with_points(record: TournamentRecord, sheet: ScoreSheet) -> Iterator[Record]:
    order = sorted(sheet.cards.values(), key=lambda card: (-card.halves, card.number))
    ranks = {card.number: place for place, card in enumerate(order, start=1)}
    for card in sheet.cards.values():
        name = record.desk.teams[card.player].name
        boards = sum(line.board_halves for line in card.lines)
        cells = (
            str(card.number),
            name[: _width(Team26Field.NAME)],
            "",
            "" if card.rating is None else str(card.rating),
            points_text(card.halves),
            points_text(boards),
            str(ranks[card.number]),
        )
        yield _record("310", cells, _members(record, card))


def _byes(sheet: ScoreSheet) -> Iterator[Record]:
    """Yields the byes of teams: requested ones by kind and round, and those of the pairing."""
    requested: dict[tuple[str, int], list[int]] = defaultdict(list)
    allocated: dict[int, tuple[int, CardLine]] = {}
    for card in sheet.cards.values():
        for line in card.lines:
            if line.how in _REQUESTED:
                requested[_REQUESTED[line.how], line.round].append(card.number)
            elif line.how is How.ALLOCATED_BYE:
                allocated[line.round] = card.number, line
    for (kind, round_), numbers in sorted(requested.items()):
        yield _record("240", (kind, str(round_)), tuple((str(number),) for number in numbers))
    if allocated:
        line = next(iter(allocated.values()))[1]
        worth = f"{points_text(line.halves):>4} {points_text(line.board_halves):>4}"
        rounds = range(1, max(allocated) + 1)
        teams = (allocated[r][0] if r in allocated else 0 for r in rounds)
        yield _record("320", (worth + "".join(f" {team:03}" for team in teams),))


def _forfeits(sheet: ScoreSheet) -> Iterator[Record]:
    """Yields the matches that were won, or lost by both, without play."""
    for card in sheet.cards.values():
        for line in card.lines:
            if line.how is How.FORFEIT and line.colour is Colour.WHITE and line.opponent:
                facing = sheet.cards[line.opponent].line(line.round)
                other = facing.halves if facing else 0
                kind = "+-" if line.halves else "-+" if other else "--"
                numbers = str(line.round), str(card.number), str(line.opponent)
                yield _record("330", (kind, *numbers))


def _width(field: TeamField | Team26Field) -> int:
    return field.last - field.first + 1
