"""A tournament report file as a document: its players by id, its rounds as games and byes.

A report has start numbers where the ledger has ids. A player's id is his FIDE number; one without
a number gets an id made of the tournament's and his start number, which is reported. A tournament
without an id gets one made of its name and first day.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from pydantic import TypeAdapter, ValidationError

from ledger.errors import Problem
from ledger.events.model import TournamentId, allowed, value_refused
from ledger.events.personal import FIDE, NATIONAL, Identity
from ledger.intake.documents import PlayerSaid, SourcePlace, Supplied, TournamentSaid
from ledger.intake.problems import Problems, refused
from ledger.intake.trf.cells import quoted
from ledger.intake.trf.check import adjustments, check
from ledger.intake.trf.details import details_of, note_kept, own_comments, unfit
from ledger.intake.trf.layout import Rest
from ledger.intake.trf.pairings import byes, pairings, pairs
from ledger.intake.trf.parse import parse
from ledger.intake.trf.report import Player, Tournament, TrfReport
from ledger.operations.kinds import TOURNAMENT
from ledger.terms import System

_SYSTEM_RECORDS = ("092", "192")
_NUMBER_COLUMN = 58
_PLAYER = re.compile(r"(?:^|[\r\n]) ?001 +[0-9]{1,4} ", re.ASCII)
_SLUG = re.compile(r"[^a-z0-9]+")
_MOST_LETTERS = 109  # of a name in an id, before a day
_ID: TypeAdapter[str] = TypeAdapter(TournamentId)


def is_trf(text: str) -> bool:
    """Whether a text begins like a report: with a code, a comment, or something before its 001."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    begins = first[:3].isdigit() or first.startswith(("#", "XX")) or first[:4].strip().isdigit()
    return begins or _PLAYER.search(text) is not None


def read_trf(
    text: str,
    supplied: Supplied,
    file: str = "",
    ids_of: str | None = None,
    people: Collection[str] = (),
) -> tuple[TournamentSaid, list[PlayerSaid], tuple[Problem, ...]]:
    """Reads a report.

    ``supplied`` is what is said of the tournament besides; ``file`` names one that has no name
    ("": it has none either). ``ids_of`` is whose the numbers of its players are, ``fide`` or
    ``national``: of the latter those of national rating records (TRF26) go before the column.
    ``people`` are starting numbers of whom somebody decided who they are: they are no dummies.

    Returns:
        The tournament, the players it introduces, and what was tolerated or made up on the way.

    Raises:
        InputRefused: with every problem of the file.
    """
    report = parse(text, supplied, people)
    problems = Problems(check(report))
    problems.take_all(_same_person(report))
    problems.take_all(unfit(report))
    about, told = report.tournament, own_comments(report)
    name = supplied.name or about.name or supplied.tournament or told.tournament or _stem(file)
    if name is None:
        problems.take(Problem.of("import.needs_tournament", 1, 1))
    if problems.found:
        raise refused("", problems.found)
    assert name is not None, "without one the report was refused"
    tournament = supplied.tournament or told.tournament or made_id(name, _first(about))
    nationals = _national_ids(report)
    _require_id(tournament)
    ids, players = dict[int, str](), list[PlayerSaid]()
    for player in report.players:
        issued = _issued(player, nationals.get(player.number, {}), ids_of)
        id_ = told.players.get(player.number) or issued.get(ids_of or FIDE)
        spare_id = f"{tournament}#{player.number}"
        ids[player.number] = id_ or spare_id
        entry = _player(player, ids[player.number])
        is_told = player.number in told.players
        players.append(
            replace(entry, issued=issued, spare_id=spare_id, is_told=is_told, is_made=not id_)
        )
    notes = (*adjustments(report), *note_kept(report), *_made_up(report, name, supplied))
    return _tournament(report, tournament, name, ids), players, notes


def _tournament(
    report: TrfReport, tournament: str, name: str, ids: Mapping[int, str]
) -> TournamentSaid:
    """Returns what a report without problems says of its tournament; ``ids`` by start number."""
    about = report.tournament
    games = tuple(pairings(report, ids))
    lines = {record.code: record.line for record in report.records}
    line = lines.get("122") or lines.get("222")
    return TournamentSaid(
        place=SourcePlace(line=1),
        tournament=tournament,
        name=about.name or name,
        starts_on=_first(about),
        ends_on=_last(about),
        system=about.system or System.SWISS,
        rate_of_play=about.rate_of_play,
        rounds=about.rounds if own_comments(report).rounds_announced else None,
        city=about.city,
        federation=about.federation,
        report=details_of(report, played={game.round for game in games}),
        entries=tuple(
            (SourcePlace(line=player.line), ids[player.number], player.number)
            for player in report.players
        ),
        games=games,
        byes=tuple(byes(report, ids)),
        open=tuple(
            (pair.entry.round, ids[pair.first.number], ids[pair.second.number])
            for pair in pairs(report)
            if pair.entry.code is None and pair.answer.code is None
        ),
        time_control_place=SourcePlace(line=line) if line else None,
        whole=True,
        adjudications=False,
        absences=False,
    )


def _stem(file: str) -> str | None:
    """Returns a file's name without its endings, as a name for the tournament in it."""
    stem = file.split(".", 1)[0].strip()
    return stem if any(map(str.isalnum, stem)) and stem.isprintable() else None


def _require_id(tournament: str) -> None:
    """Raises ``InputRefused`` for what can be no id: of each player without a number it is part."""
    try:
        _ID.validate_python(tournament)
    except ValidationError as error:
        why = allowed(error.errors()[0])
        refusal = value_refused("tournament", tournament, why, TOURNAMENT.called)
        raise refused("", [Problem(refusal.message, 1, 1)]) from error


def made_id(name: str, day: dt.date | None) -> str:
    """Returns an id like ``open-de-gros-2010-09-24``: letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    parts = [_SLUG.sub("-", plain.lower())[:_MOST_LETTERS].strip("-") or "tournament"]
    return "-".join(parts + ([day.isoformat()] if day else []))


def _first(about: Tournament) -> dt.date | None:
    return about.starts_on or min((day for day in about.round_dates if day), default=None)


def _last(about: Tournament) -> dt.date | None:
    return about.ends_on or max((day for day in about.round_dates if day), default=None)


def _national_ids(report: TrfReport) -> dict[int, dict[str, str]]:
    """Returns the national numbers in the report by start number and federation."""
    found: dict[int, dict[str, str]] = {}
    for each in report.national_ratings:
        if each.national_id is not None:
            found.setdefault(each.number, {})[each.federation] = each.national_id
    return found


def _issued(player: Player, nationals: Mapping[str, str], ids_of: str | None) -> dict[str, str]:
    """Returns the ids that the report has of a player, by issuer."""
    national = nationals.get(player.federation or "", next(iter(nationals.values()), None))
    if ids_of != NATIONAL:
        ids = {FIDE: player.fide_id, **nationals}
    elif national is None:
        ids = {NATIONAL: player.fide_id}
    else:
        ids = {NATIONAL: national, FIDE: player.fide_id}
    return {issuer: id_ for issuer, id_ in ids.items() if id_}


def _player(player: Player, id_: str) -> PlayerSaid:
    return PlayerSaid(
        place=SourcePlace(line=player.line),
        number=player.number,
        player=id_,
        identity=Identity(name=player.name or id_, sex=player.sex, birth_date=player.birth),
        federation=player.federation,
        rating=player.rating,
    )


def _same_person(report: TrfReport) -> Iterator[Problem]:
    """Yields a problem for each FIDE number that two players of the report have."""
    first: dict[str, Player] = {}
    for player in report.players:
        if player.fide_id is None:
            continue
        other = first.setdefault(player.fide_id, player)
        if other is not player:
            values = {"player": player.fide_id, "line": other.line}
            yield Problem.of("csv.player_twice", player.line, _NUMBER_COLUMN, **values)


def _made_up(report: TrfReport, name: str, supplied: Supplied) -> list[Problem]:
    """Returns notes of what the file left open and was filled in."""
    told = own_comments(report)
    notes = []
    if name not in (report.tournament.name, supplied.name, supplied.tournament, told.tournament):
        notes.append(Problem.of("import.named_by_file", 1, 1, name=name))
    if report.tournament.system is None:
        notes.append(_assumed_swiss(report))
    return notes


def _assumed_swiss(report: TrfReport) -> Problem:
    """Returns the note on a report without a system; it quotes what stands there instead."""
    for record in report.records:
        if record.code in _SYSTEM_RECORDS and (cell := record.cell(Rest.TEXT)).text.strip():
            values = {"found": quoted(cell.text.strip()), "code": record.code}
            return Problem.of("trf.unknown_system", cell.line, cell.column, **values)
    return Problem.of("import.assumed_swiss", 1, 1)
