"""Writes a tournament as a report file (TRF16 or TRF26), for other programs and for ``parse``.

What the file says, the reader reads again without an option, and it says nothing new: what the
columns have no room for (ids, a rate of play that the time control does not tell) stands in 092 and
in comments, and only then.

The records of an event of teams: who plays for whom, match points, byes and forfeited matches.

TRF16 has the teams with their players (013). TRF26 has them with their points (310), what a match
is worth (362), byes of the pairing (320), requested ones (240) and forfeited matches (330).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise
from typing import Final, TypeVar

from ledger.desk.event_records import event_records
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.starting_order import TITLES
from ledger.desk.teams import participants_sheet
from ledger.desk.trf_text import points_text
from ledger.events.personal import FIDE, NATIONAL, Identity
from ledger.events.tournaments import ReportDetails
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.intake.trf.desk_comments import DeskComments
from ledger.intake.trf.details import OwnComments, comment_lines
from ledger.intake.trf.document import made_id
from ledger.intake.trf.header import rate_of_play_in
from ledger.intake.trf.layout import (
    COMMENT,
    LAYOUTS,
    TEXT,
    TEXTS,
    PlayerField,
    Rest,
    Team26Field,
    TeamField,
)
from ledger.intake.trf.points import Scoring, scoring_of, worth
from ledger.intake.trf.records import Cells, Record, read_records
from ledger.intake.trf.report import Code
from ledger.privacy import mask
from ledger.registrar.register import PlayerRecord
from ledger.results import Bye, Result, Termination
from ledger.terms import Colour, System, TrfVersion

TEAM_CODES: Final = frozenset(("013", "310", "320", "330", "362"))
_REQUESTED: Final = {How.HALF_BYE: "H", How.ZERO_BYE: "Z"}


def _team_record(code: str, cells: Cells, groups: tuple[Cells, ...] = ()) -> Record:
    return Record(line=0, code=code, layout=LAYOUTS[code], cells=cells, groups=groups)


def match_points_record(record: TournamentRecord, version: TrfVersion) -> Iterator[Record]:
    """Yields what a match is worth, where the edition has a record for it: 362."""
    if record.desk.teams and version is TrfVersion.TRF26:
        yield _team_record("362", (" W 1.0    D 0.5    L 0.0",))


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
            yield _team_record(
                "013", (name[: _team_width(TeamField.NAME)],), _members(record, card)
            )
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
            name[: _team_width(Team26Field.NAME)],
            "",
            "" if card.rating is None else str(card.rating),
            points_text(card.halves),
            points_text(boards),
            str(ranks[card.number]),
        )
        yield _team_record("310", cells, _members(record, card))


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
        yield _team_record("240", (kind, str(round_)), tuple((str(number),) for number in numbers))
    if allocated:
        line = next(iter(allocated.values()))[1]
        worth = f"{points_text(line.halves):>4} {points_text(line.board_halves):>4}"
        rounds = range(1, max(allocated) + 1)
        teams = (allocated[r][0] if r in allocated else 0 for r in rounds)
        yield _team_record("320", (worth + "".join(f" {team:03}" for team in teams),))


def _forfeits(sheet: ScoreSheet) -> Iterator[Record]:
    """Yields the matches that were won, or lost by both, without play."""
    for card in sheet.cards.values():
        for line in card.lines:
            if line.how is How.FORFEIT and line.colour is Colour.WHITE and line.opponent:
                facing = sheet.cards[line.opponent].line(line.round)
                other = facing.halves if facing else 0
                kind = "+-" if line.halves else "-+" if other else "--"
                numbers = str(line.round), str(card.number), str(line.opponent)
                yield _team_record("330", (kind, *numbers))


def _team_width(field: TeamField | Team26Field) -> int:
    return field.last - field.first + 1


_TYPES: Final = {
    System.SWISS: "Individual: Swiss-System",
    System.ROUND_ROBIN: "Individual: Round-Robin",
    System.MATCH: "Individual: Match",
    System.TEAM_SWISS: "Team: Swiss-System",
}
_PLAYED, _SHORT, _FORFEIT = ("0", "=", "1"), ("L", "D", "W"), ("-", "-", "+")
_ABSENT: Final[Mapping[TrfVersion, Cells]] = {
    TrfVersion.TRF16: ("0000", "-", "Z"),
    TrfVersion.TRF26: ("", "", ""),
}
"""A round of which nothing is recorded: the same in both; some readers of TRF16 want it said."""
_FEDERATION: Final = 3  # letters
_TRF16: Final = frozenset((
    "012", "013", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122",
    "132",
))  # fmt: skip
"""Records beside 001 that TRF16 knows; extensions (XX?) are of the programs."""

Value = TypeVar("Value", int, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskNotes:
    """What the desk says of an event beside its records.

    Places and ratings for the pairing by player, sentences, and what a check of the file reads;
    its ratings are added here.
    """

    places: Mapping[str, int] = field(default_factory=dict)
    ratings: Mapping[str, int] = field(default_factory=dict)
    sentences: Sequence[str] = ()
    comments: DeskComments = field(default_factory=DeskComments)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """What a report is made of."""

    record: TournamentRecord
    details: ReportDetails
    kept: list[Record]
    players: Mapping[str, PlayerRecord]
    identities: Mapping[str, Identity]
    ratings: Mapping[str, int]
    version: TrfVersion
    desk: DeskNotes

    @property
    def writes_teams(self) -> bool:
        """Whether the teams entered are written: else those of the report stand as they are."""
        return not any(record.code in TEAM_CODES for record in self.kept)


def write_report(
    record: TournamentRecord,
    players: Mapping[str, PlayerRecord],
    identities: Mapping[str, Identity],
    ratings: Mapping[str, int] | None,
    version: TrfVersion | None,
    desk: DeskNotes | None = None,
) -> bytes:
    """Returns a tournament as a report, UTF-8, LF.

    In the column of the FIDE number stands that of FIDE; or an id of digits, where nobody said
    whose it is. National numbers have records of their own in TRF26.

    Args:
        record: the tournament.
        players: those who are entered, by id.
        identities: who they are, by id; without the erased ones.
        ratings: their ratings by id; None for those of the report that it was recorded from.
        version: the edition; TRF16 leaves out records that only TRF26 knows. None for TRF26 where
            there are such records, otherwise TRF16.
        desk: what the desk says of the event.
    """
    details = record.version.report or ReportDetails()
    kept = read_records("".join(f"{line}\n" for line in details.records or ()))
    in_trf16 = record.desk.rules is None and all(map(_in_trf16, kept))
    version = version or (TrfVersion.TRF16 if in_trf16 else TrfVersion.TRF26)
    content = _Content(
        record=record,
        details=details,
        kept=kept if version is TrfVersion.TRF26 else list(filter(_in_trf16, kept)),
        players=players,
        identities=identities,
        ratings=_of_report(record, details.ratings) if ratings is None else ratings,
        version=version,
        desk=desk or DeskNotes(),
    )
    content.kept.extend(_of_desk(content))
    lines = [*_heading(content), *_players(content), *_nationals(content)]
    if content.writes_teams:
        lines += team_records(record, content.ratings, version)
    lines += (line for line in content.kept if not _of_heading(line))
    return "".join(line.written() for line in lines).encode()


def _of_desk(content: _Content) -> list[Record]:
    """Returns the records of the desk, but for those of which the tournament has its own."""
    record, scoring = content.record, scoring_of(content.kept)
    written = {
        number: int(2 * _points(_rounds(record, player, content.version), scoring))
        for player, number in record.entries.items()
    }
    has = {each.code for each in content.kept}
    lines = event_records(record, written, content.version)
    return read_records("".join(f"{line}\n" for line in lines if line[:3] not in has))


def _in_trf16(record: Record) -> bool:
    return record.code in _TRF16 or record.code.startswith("XX")


def _of_report(record: TournamentRecord, values: tuple[Value, ...] | None) -> dict[str, Value]:
    """Returns what the report had of each player, by starting number; of new ones nothing."""
    known = dict(enumerate(values or (), start=1))
    return {player: known[n] for player, n in record.entries.items() if known.get(n)}


def _record(code: str, cells: Cells, groups: tuple[Cells, ...] = ()) -> Record:
    return Record(line=0, code=code, layout=LAYOUTS.get(code, TEXT), cells=cells, groups=groups)


# The tournament


def _heading(content: _Content) -> Iterator[Record]:
    about, details = content.record.version, content.details
    texts: dict[str, Sequence[str | None]] = {
        "012": [about.name],
        "022": [about.place],
        "032": [about.federation],
        "042": [f"{about.starts_on:%Y/%m/%d}"],
        "052": [f"{about.ends_on:%Y/%m/%d}"],
        "062": [str(len(content.record.entries))],
        "072": [_rated(content)],
        "092": [_type(content)],
        "102": [details.chief_arbiter],
        "112": details.deputies or (),
        "122": [details.time_control],
    }
    lines = [_record(code, (text,)) for code, found in texts.items() for text in found if text]
    dates = _round_dates(content)
    if dates:
        lines.append(Record(line=0, code="132", layout=LAYOUTS["132"], cells=(), groups=dates))
    if rounds := _rounds_counted(content):
        code = "142" if content.version is TrfVersion.TRF26 else "XXR"
        lines.append(_record(code, (str(rounds),)))
    if content.writes_teams:
        lines += match_points_record(content.record, content.version)
    yield from sorted([*lines, *filter(_of_heading, content.kept)], key=lambda line: line.code)
    sentences = (f"### {sentence}" for sentence in content.desk.sentences)
    desk = replace(content.desk.comments, ratings=_pairing_ratings(content)).lines()
    for comment in (*comment_lines(_comments(content)), *desk, *sentences):
        yield Record(line=0, code="", layout=COMMENT, cells=(comment,))


def _of_heading(record: Record) -> bool:
    """Whether a kept record is about the tournament, and stands before the players."""
    return (record.code in TEXTS and record.code.endswith("2")) or record.code.startswith("XX")


def _rated(content: _Content) -> str | None:
    rated = sum(player in content.ratings for player in content.record.entries)
    return str(rated) if rated else None


def _type(content: _Content) -> str:
    """Returns the type of the tournament, with the rate of play where nothing else tells it."""
    about = content.record.version
    type_ = _TYPES[about.system]
    coded = next((each.cell(Rest.TEXT).text for each in content.kept if each.code == "222"), None)
    if rate_of_play_in(content.details.time_control, coded, type_) is about.rate_of_play:
        return type_
    return f"{type_} (rate of play: {about.rate_of_play.value})"


def _round_dates(content: _Content) -> tuple[Cells, ...]:
    """Returns the days of the rounds; of none where all results have the tournament's last day.

    That is the day of results of which nobody said when they were played. Rounds without a result
    have the day that the report gave them.
    """
    about, played = content.record.version, content.record.days
    idle = dict(enumerate(content.details.idle_days or (), start=1))
    if not idle and about.starts_on != about.ends_on and set(played.values()) <= {about.ends_on}:
        return ()
    days = idle | {round_: day.isoformat() for round_, day in played.items()}
    last = max(days, default=0)
    return tuple((days.get(round_, "")[2:].replace("-", "/"),) for round_ in range(1, last + 1))


def _comments(content: _Content) -> OwnComments:
    """Returns what a reader would not make of the columns: ids, and rounds nobody announced."""
    about = content.record.version
    tournament = about.tournament
    return OwnComments(
        None if made_id(about.name, about.starts_on) == tournament else tournament,
        {
            number: player
            for player, number in content.record.entries.items()
            if player not in (_fide_number(content, player), f"{tournament}#{number}")
        },
        rounds_announced=about.rounds is not None or _rounds_counted(content) is None,
    )


def _pairing_ratings(content: _Content) -> dict[int, int]:
    """Returns the ratings for the pairing that are not those of the column, by number."""
    numbers, ratings = content.record.entries, content.desk.ratings.items()
    return {numbers[one]: r for one, r in ratings if r != content.ratings.get(one)}


def _rounds_counted(content: _Content) -> int | None:
    """Returns the rounds that a report of TRF16 counts: readers refuse one without XXR."""
    about = content.record.version
    counts = content.version is TrfVersion.TRF16
    return about.rounds or (content.record.last_round if counts else 0) or None


# The players


def _players(content: _Content) -> Iterator[Record]:
    """Yields the players' lines, by starting number."""
    record, scoring = content.record, scoring_of(content.kept)
    rounds = {player: _rounds(record, player, content.version) for player in record.entries}
    points = {player: _points(groups, scoring) for player, groups in rounds.items()}
    titles, ranks = _of_report(record, content.details.titles), _ranks(content, points)
    players = {number: player for player, number in record.entries.items()}
    for number in range(1, max(players, default=0) + 1):
        player = players.get(number)
        if player is None:  # in a report no number is missing
            yield _record("001", _free_number(number), ())
        else:
            cells = _player(content, player, titles.get(player), points[player], ranks[player])
            yield _record("001", cells, rounds[player])


def _free_number(number: int) -> Cells:
    """Return the line of a dummy, which a reader leaves out (see ``dummies``)."""
    return tuple(
        {PlayerField.NUMBER: str(number), PlayerField.NAME: "BYE"}.get(field, "")
        for field in PlayerField
    )


def _player(content: _Content, player: str, title: str | None, points: Decimal, rank: int) -> Cells:
    """Returns the static part of a player's line; ``title`` is that of the report, if any."""
    known = content.players[player]
    identity = content.identities.get(player) or Identity(name=player)
    title = title or next((each for each in TITLES if each in known.titles), "")
    return (
        str(content.record.entries[player]),
        identity.sex or "",
        title,
        identity.name[: _width(PlayerField.NAME)].rstrip(),
        str(content.ratings.get(player, "")),
        known.version.federation or "",
        _fide_number(content, player),
        _birth(mask("birth_date", identity.birth_date)),
        str(points) if len(str(points)) <= _width(PlayerField.POINTS) else "",
        str(rank or ""),
    )


def _fide_number(content: _Content, player: str) -> str:
    """Returns the FIDE number; where nobody said whose id the player's own is, that may be it."""
    identity = content.identities.get(player)
    number = identity.id_of(FIDE) if identity else None
    if number is None and not (identity and identity.id_of(NATIONAL) == player):
        number = player
    fits = number and len(number) <= _width(PlayerField.FIDE_NUMBER) and not number.startswith("0")
    return number if number and fits and number.isascii() and number.isdigit() else ""


def _nationals(content: _Content) -> Iterator[Record]:
    """Yields the national numbers (TRF26), but for federations of which the report has its own."""
    if content.version is not TrfVersion.TRF26:
        return
    kept = {record.code for record in content.kept}
    own = content.record.version.federation
    found: list[tuple[str, int, str]] = []
    for player, number in content.record.entries.items():
        identity = content.identities.get(player)
        for each in (identity.ids if identity else None) or ():
            federation = each.issuer
            if each.issuer == NATIONAL:
                federation = own or content.players[player].version.federation or ""
            fits = len(each.id) <= _width(PlayerField.FIDE_NUMBER)
            is_code = len(federation) == _FEDERATION and federation.isupper()
            if is_code and fits and not federation.startswith("XX"):  # else an extension's
                found.append((federation, number, each.id))
    for federation, number, id_ in sorted(found):
        if federation not in kept:
            cells = (str(number), "", "", "", "", "", id_, "", "", "")
            yield Record(line=0, code=federation, layout=LAYOUTS["001"], cells=cells, groups=())


def _rounds(record: TournamentRecord, player: str, version: TrfVersion) -> tuple[Cells, ...]:
    """Returns opponent, colour and result of every round."""
    pairings = (record.pairings.get((n, player)) for n in range(1, record.last_round + 1))
    return tuple(
        _ABSENT[version] if pairing is None else _cells(record, pairing, player)
        for pairing in pairings
    )


def _cells(record: TournamentRecord, pairing: PairingRecord, player: str) -> Cells:
    result = pairing.result
    if isinstance(result, Bye):
        return "0000", "-", result.letter
    white = player == pairing.white
    opponent = str(record.entries[(pairing.black if white else pairing.white) or ""])
    settled = result if pairing.status == "recorded" else None
    return opponent, "w" if white else "b", _code(settled, white=white)


def _code(result: Result | None, *, white: bool) -> str:
    """Returns the result's letter; a game that is not settled has none yet."""
    if result is None:
        return ""
    halves = result.halves[0 if white else 1]
    match result.termination:
        case Termination.FORFEIT:
            return _FORFEIT[halves]
        case Termination.SHORT:
            return _SHORT[halves]
        case Termination.PLAYED | Termination.ADJUDICATED:
            return _PLAYED[halves]


def _points(rounds: tuple[Cells, ...], scoring: Scoring) -> Decimal:
    """Returns the points, as the results in the file add up."""
    results = [
        (Code(code) if code else None, Colour(colour) if colour in ("w", "b") else None)
        for _, colour, code in rounds
    ]
    return sum((worth(code, colour, scoring) for code, colour in results), start=Decimal("0.0"))


def _ranks(content: _Content, points: Mapping[str, Decimal]) -> dict[str, int]:
    """Returns the places: those of the report while they follow the points, 0 where it gives none.

    Otherwise by points, then by starting number: tie-breaks are not calculated here. Those of the
    desk go before both.
    """
    entries = content.record.entries
    if content.desk.places:
        return {player: content.desk.places.get(player, 0) for player in entries}
    declared = _of_report(content.record, content.details.ranks)
    ranked = sorted(declared, key=lambda player: declared[player])
    follow = all(points[better] >= points[worse] for better, worse in pairwise(ranked))
    if ranked and follow:
        return {player: declared.get(player, 0) for player in entries}
    order = sorted(entries, key=lambda player: (-points[player], entries[player]))
    return {player: place for place, player in enumerate(order, start=1)}


def _birth(date: str | None) -> str:
    if date is None:
        return ""
    return date.replace("-", "/") if "-" in date else f"{date}/00/00"


def _width(field: PlayerField) -> int:
    return field.last - field.first + 1
