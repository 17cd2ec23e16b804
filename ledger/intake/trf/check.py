"""Holds the lines of a report against one another: what refuses the file, and what is tolerated.

``check`` returns everything for which a file is refused. Start numbers may stand in any order, but
they run from 1 without a gap: opponents are named by them, so a missing number means that a
player's line was lost or mistyped, and with it his games.

``adjustments`` returns the oddities that lose nothing, or nothing that a rating counts, so that
nothing is repaired silently. Declared points that differ from the results, and points without a
game, concern the standings only.

Both name every problem with line and column. What cannot be read is one problem, not also whatever
would follow from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import pairwise

from ledger.errors import Problem
from ledger.intake.problems import Oddities, Problems, in_order
from ledger.intake.trf.header import MOST_ROUNDS
from ledger.intake.trf.layout import ByeField, PlayerField, Rest
from ledger.intake.trf.pairings import Pair, combined, granted, pairs, white_first
from ledger.intake.trf.points import score, scoring_of
from ledger.intake.trf.report import (
    BOARD,
    BYES,
    SHORT,
    Code,
    GrantedByes,
    Member,
    Player,
    RoundCell,
    TrfReport,
)


def check(report: TrfReport) -> list[Problem]:
    """Returns what refuses the file, by line and column; nothing for a good one.

    Raises:
        InputRefused: it is so much that it is not looked for any further.
    """
    problems = Problems([*report.faults])
    for looked_at in (_start_numbers, _rounds, _members, _pairs, _granted_byes):
        problems.take_all(looked_at(report))
    return in_order(problems.found)


def _start_numbers(report: TrfReport) -> Iterator[Problem]:
    """Yields double and missing start numbers, and a file without players."""
    column = PlayerField.NUMBER.first
    for player in report.players:
        first = report.by_number[player.number]
        if first is not player:
            values = {"found": player.number, "first": first.line}
            yield Problem.of("trf.number_twice", player.line, column, **values)
    if not report.complete:
        return
    if not report.players:
        yield Problem.of("trf.no_players", 1, 1)
    for before, number in pairwise([0, *sorted(report.numbers)]):
        if number > before + 1:
            missing = f"{before + 1}" if number == before + 2 else f"{before + 1}-{number - 1}"
            line = next(p.line for p in (*report.players, *report.dummies) if p.number == number)
            yield Problem.of("trf.number_missing", line, column, found=number, missing=missing)


def _rounds(report: TrfReport) -> Iterator[Problem]:
    """Yields what is wrong with the rounds of each player, other than within a pair.

    How many are beyond the rounds announced is said at the first: mostly their number is wrong.
    """
    announced = report.tournament.rounds or MOST_ROUNDS
    beyond: list[RoundCell] = []
    for player in report.by_number.values():
        for entry in player.rounds:
            if not entry.readable or entry.blank:
                continue
            if entry.round > announced:
                beyond.append(entry)
            yield from _opponent(report, player, entry)
    if len(beyond) > 1:
        yield _problem(beyond[0], "trf.rounds_beyond", announced=announced, count=len(beyond))
    elif beyond:
        yield _problem(beyond[0], "trf.too_many_rounds", announced=announced)


def _opponent(report: TrfReport, player: Player, entry: RoundCell) -> Iterator[Problem]:
    if entry.opponent is None:
        if entry.code is not None and entry.bye is None:
            yield _problem(entry, "trf.no_opponent", entry.code_column, found=entry.code)
        return
    if entry.code in BYES:
        key, opponent = "trf.bye_with_opponent", entry.opponent
        yield _problem(entry, key, entry.code_column, found=entry.code, opponent=opponent)
    values = {"found": entry.opponent, "number": player.number}
    if entry.opponent == player.number:
        yield _problem(entry, "trf.plays_himself", **values)
        return
    other = report.by_number.get(entry.opponent)
    if other is None:
        if report.complete:
            yield _problem(entry, "trf.unknown_opponent", **values)
        return
    answer = other.entry(entry.round)
    if answer is None or (answer.readable and answer.opponent != player.number):
        values |= {"line": other.line}
        if answer is None or answer.opponent is None:
            yield _problem(entry, "trf.names_nobody", **values)
        else:
            yield _problem(entry, "trf.names_another", **values, named=answer.opponent)


def _pairs(report: TrfReport) -> Iterator[Problem]:
    for pair in pairs(report):
        yield from _pair(pair)


def _pair(pair: Pair) -> Iterator[Problem]:
    """Yields what is wrong between two players who name each other."""
    entry, answer = sorted((pair.entry, pair.answer), key=lambda each: each.line)
    values = {"first": pair.first.number, "second": pair.second.number, "line": answer.line}
    if white_first(pair) is None:
        found = entry.colour
        yield _problem(entry, "trf.same_colour", entry.colour_column, found=found, **values)
    if entry.code in BYES or answer.code in BYES:
        return
    if entry.code is None or answer.code is None:
        if entry.code is not answer.code:
            blank = entry if entry.code is None else answer
            code = entry.code or answer.code
            yield _problem(blank, "trf.result_missing", blank.code_column, found=code, **values)
    elif combined(entry.code, answer.code) is None:
        key, codes = "trf.results_do_not_fit", f"{pair.entry.code}/{pair.answer.code}"
        yield _problem(entry, key, entry.code_column, found=codes, **values)


def _members(report: TrfReport) -> Iterator[Problem]:
    """Yields start numbers of no player in records of teams and of national ratings."""
    if not report.complete:
        return
    members = [member for team in report.teams for member in team.players]
    column = PlayerField.NUMBER.first
    members += [
        Member(number=rating.number, line=rating.line, column=column)
        for rating in report.national_ratings
    ]
    for member in members:
        if member.number not in report.numbers:
            yield Problem.of("trf.unknown_number", member.line, member.column, found=member.number)


def _granted_byes(report: TrfReport) -> Iterator[Problem]:
    """Yields what is wrong with 240 records, alone or against the players' lines."""
    announced = report.tournament.rounds
    before: dict[tuple[int, int], GrantedByes] = {}
    for record in report.granted_byes:
        if announced is not None and record.round > announced:
            values = {"round": record.round, "announced": announced}
            yield Problem.of("trf.too_many_rounds", record.line, ByeField.ROUND.first, **values)
        if report.of_teams:
            continue
        for member in record.numbers:
            first = before.setdefault((record.round, member.number), record)
            yield from _granted_bye(report, record, member, first)


def _granted_bye(
    report: TrfReport, record: GrantedByes, member: Member, first: GrantedByes
) -> Iterator[Problem]:
    """Yields a bye of no player, or against what his line or the first 240 record of it says."""
    player = report.by_number.get(member.number)
    if player is None:
        if report.complete and member.number not in report.numbers:
            yield Problem.of("trf.unknown_number", member.line, member.column, found=member.number)
        return
    entry = player.entry(record.round)
    against = None
    if first.code is not record.code:
        against = first.line
    elif entry and entry.readable and not entry.blank and entry.bye is not record.code:
        against = entry.line
    if against is not None:
        values = {"found": member.number, "code": record.code, "round": record.round}
        yield Problem.of("trf.bye_contradicts", member.line, member.column, **values, line=against)


def adjustments(report: TrfReport) -> list[Problem]:
    """Returns everything that was tolerated, by line and column; nothing of it refuses the file."""
    sums, found = _sums(report), Oddities()
    found.take_all(report.tolerated)
    for notes in (_counted(report), _points(report, sums), _ranks(report, sums)):
        found.take_all(notes)
    found.take_all(_standings_only(report))
    found.take_all(odd for player in report.players for e in player.rounds for odd in _odd(e))
    found.take_all(odd for pair in pairs(report) for odd in _odd_pair(pair))
    return [*found]


def _counted(report: TrfReport) -> Iterator[Problem]:
    """Yields a declared number of players that is not that of the lines."""
    declared = report.tournament.players
    counts = len(report.players), len(report.players) + len(report.dummies)
    if declared is not None and report.complete and declared not in counts:
        line = next(record.line for record in report.records if record.code == "062")
        values = {"found": declared, "counted": len(report.players)}
        yield Problem.of("trf.players_differ", line, Rest.TEXT.first, **values)


def _sums(report: TrfReport) -> dict[int, Decimal]:
    """Returns the points that the results of each player give, where they can be read."""
    scoring = scoring_of(report.records)
    byes: defaultdict[int, list[Code]] = defaultdict(list)
    for code, _, member in granted(report):
        byes[member.number].append(code)
    return {
        player.number: score(player.rounds, byes[player.number], scoring)
        for player in report.players
        if all(entry.readable for entry in player.rounds)
    }


def _points(report: TrfReport, sums: Mapping[int, Decimal]) -> Iterator[Problem]:
    """Yields declared points that are not the sum of the results."""
    for player in report.players:
        summed = sums.get(player.number)
        if player.points is not None and summed is not None and summed != player.points:
            values = {"found": player.points, "number": player.number, "summed": summed}
            yield Problem.of("trf.points_differ", player.line, PlayerField.POINTS.first, **values)


def _ranks(report: TrfReport, sums: Mapping[int, Decimal]) -> Iterator[Problem]:
    """Yields declared ranks that are better than the next of a player with more points."""
    if report.teams:
        return
    ranked = [player for player in report.players if player.rank and player.number in sums]
    for better, worse in pairwise(sorted(ranked, key=lambda player: player.rank or 0)):
        if sums[better.number] < sums[worse.number]:
            ours = {"found": better.rank, "number": better.number, "summed": sums[better.number]}
            others = {"other": worse.number, "rank": worse.rank, "more": sums[worse.number]}
            column = PlayerField.RANK.first
            yield Problem.of("trf.rank_differs", better.line, column, **ours, **others)


def _standings_only(report: TrfReport) -> Iterator[Problem]:
    """Yields records that change standings and no game: 299, 330, and 240 byes of teams."""
    for abnormal in report.abnormal_points:
        yield Problem.of("trf.abnormal_points", abnormal.line, 1, count=len(abnormal.numbers))
    for match in report.forfeited_matches:
        sides = {"white": match.white.number, "black": match.black.number}
        values = {"found": match.type, "round": match.round, **sides}
        yield Problem.of("trf.forfeited_match", match.line, 1, **values)
    if report.of_teams:
        for record in report.granted_byes:
            yield Problem.of("trf.team_bye", record.line, 1, found=record.code, round=record.round)


def _odd(entry: RoundCell) -> Iterator[Problem]:
    """Yields what is tolerated in a round without opponent."""
    if not entry.readable or entry.opponent is not None:
        return
    if entry.bye is not entry.code:
        key = "trf.result_without_opponent"
        yield _problem(entry, key, entry.code_column, found=entry.code, read=entry.bye)
    if entry.colour is not None:
        key = "trf.colour_without_opponent"
        yield _problem(entry, key, entry.colour_column, found=entry.colour)


def _odd_pair(pair: Pair) -> Iterator[Problem]:
    """Yields what is tolerated between two players: no result yet, colours left open."""
    entry, answer = sorted((pair.entry, pair.answer), key=lambda each: each.line)
    values = {"first": pair.first.number, "second": pair.second.number}
    if entry.code is None and answer.code is None:
        yield _problem(entry, "trf.pairing_without_result", entry.code_column, **values)
    colours = (entry.colour, answer.colour)
    played = entry.code in BOARD or entry.code in SHORT
    if None in colours and (played or colours != (None, None)):
        blank = entry if entry.colour is None else answer
        white = pair.first.number if white_first(pair) else pair.second.number
        yield _problem(blank, "trf.colour_open", blank.colour_column, white=white, **values)


def _problem(entry: RoundCell, key: str, column: int = 0, /, **values: object) -> Problem:
    """Returns a problem of a round, at the opponent's column if no other is given."""
    return Problem.of(key, entry.line, column or entry.column, round=entry.round, **values)
