"""Holds the lines of a report against one another: what refuses the file, and what is tolerated.

``check`` gives every problem of the whole file at once, ``adjustments`` every oddity that was
tolerated, each with line and column. A cell that cannot be read is one problem, not also whatever
would follow from it.

Start numbers may stand in any order, but they run from 1 without a gap: opponents are named by
them, so a number that is missing means that a player's line was lost or mistyped, and with it games.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ledger.errors import Problem
from ledger.intake.trf.cells import problem
from ledger.intake.trf.layout import PlayerField, Rest
from ledger.intake.trf.pairs import Pair, combined, pairs, white_first
from ledger.intake.trf.points import score, scoring_of
from ledger.intake.trf.report import BYES, BOARD, SHORT, Entry, Member, Player, TrfReport


def check(report: TrfReport) -> list[Problem]:
    """Returns everything for which the file is refused, by line and column; empty for a good one."""
    found = [*report.faults, *_start_numbers(report), *_rounds(report), *_members(report)]
    found += [wrong for pair in pairs(report) for wrong in _pair(pair)]
    found += _granted_byes(report)
    return _in_order(found)


def adjustments(report: TrfReport) -> list[Problem]:
    """Returns everything that was tolerated, by line and column; nothing of it refuses the file."""
    found = [*report.tolerated, *_counted(report), *_points(report), *_standings_only(report)]
    found += [odd for player in report.players for e in player.rounds for odd in _odd(e)]
    found += [odd for pair in pairs(report) for odd in _odd_pair(pair)]
    return _in_order(found)


def _in_order(found: list[Problem]) -> list[Problem]:
    return sorted(found, key=lambda each: (each.line, each.column))


def _start_numbers(report: TrfReport) -> Iterator[Problem]:
    """Yields double and missing start numbers, and a file without players."""
    column = PlayerField.NUMBER.first
    for player in report.players:
        first = report.by_number[player.number]
        if first is not player:
            yield problem(
                "trf.number_twice", player.line, column, found=player.number, first=first.line
            )
    if not report.complete:
        return
    if not report.players:
        yield problem("trf.no_players", 1, 1)
    for before, number in pairwise([0, *sorted(report.by_number)]):
        if number > before + 1:
            missing = f"{before + 1}" if number == before + 2 else f"{before + 1}-{number - 1}"
            line = report.by_number[number].line
            yield problem("trf.number_missing", line, column, found=number, missing=missing)


def _rounds(report: TrfReport) -> Iterator[Problem]:
    """Yields what is wrong with the rounds of each player, other than within a pair."""
    announced = report.tournament.rounds
    for player in report.players:
        if report.by_number[player.number] is not player:
            continue
        for entry in player.rounds:
            if not entry.readable or entry.blank:
                continue
            if announced is not None and entry.round > announced:
                yield problem(
                    "trf.too_many_rounds",
                    entry.line,
                    entry.column,
                    round=entry.round,
                    announced=announced,
                )
            yield from _opponent(report, player, entry)


def _opponent(report: TrfReport, player: Player, entry: Entry) -> Iterator[Problem]:
    if entry.opponent is None:
        if entry.code in BOARD or entry.code in SHORT:
            yield problem(
                "trf.no_opponent",
                entry.line,
                entry.code_column,
                found=entry.code,
                round=entry.round,
            )
        return
    if entry.code in BYES:
        yield problem(
            "trf.bye_with_opponent",
            entry.line,
            entry.code_column,
            found=entry.code,
            opponent=entry.opponent,
            round=entry.round,
        )
    values = {"found": entry.opponent, "number": player.number, "round": entry.round}
    if entry.opponent == player.number:
        yield problem("trf.plays_himself", entry.line, entry.column, **values)
        return
    other = report.by_number.get(entry.opponent)
    if other is None:
        if report.complete:
            yield problem("trf.unknown_opponent", entry.line, entry.column, **values)
        return
    answer = other.entry(entry.round)
    if answer is None or (answer.readable and answer.opponent != player.number):
        named = "-" if answer is None or answer.opponent is None else answer.opponent
        yield problem(
            "trf.not_named_back", entry.line, entry.column, named=named, line=other.line, **values
        )


def _pair(pair: Pair) -> Iterator[Problem]:
    """Yields what is wrong between two players who name each other."""
    entry, answer = sorted((pair.entry, pair.answer), key=lambda each: each.line)
    values = {
        "first": pair.first.number,
        "second": pair.second.number,
        "round": entry.round,
        "line": answer.line,
    }
    if white_first(pair) is None:
        colour = entry.colour
        yield problem("trf.same_colour", entry.line, entry.colour_column, found=colour, **values)
    if entry.code in BYES or answer.code in BYES:
        return
    if entry.code is None or answer.code is None:
        if entry.code is not answer.code:
            blank = entry if entry.code is None else answer
            code = entry.code or answer.code
            yield problem("trf.result_missing", blank.line, blank.code_column, found=code, **values)
    elif combined(entry.code, answer.code) is None:
        codes = f"{pair.entry.code}/{pair.answer.code}"
        yield problem(
            "trf.results_do_not_fit", entry.line, entry.code_column, found=codes, **values
        )


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
        if member.number not in report.by_number:
            yield problem("trf.unknown_number", member.line, member.column, found=member.number)


def _granted_byes(report: TrfReport) -> Iterator[Problem]:
    """Yields 240 byes of no player, beyond the last round, or against what the player's line says."""
    announced = report.tournament.rounds
    for record in report.granted_byes:
        if announced is not None and record.round > announced:
            values = {"round": record.round, "announced": announced}
            yield problem("trf.too_many_rounds", record.line, 7, **values)
        if report.of_teams:
            continue
        for member in record.numbers:
            player = report.by_number.get(member.number)
            entry = player.entry(record.round) if player else None
            place = member.line, member.column
            if player is None and report.complete:
                yield problem("trf.unknown_number", *place, found=member.number)
            elif entry and entry.readable and not entry.blank and not _same_bye(entry, record.code):
                yield problem(
                    "trf.bye_contradicts",
                    *place,
                    found=member.number,
                    round=record.round,
                    line=entry.line,
                )


def _same_bye(entry: Entry, code: object) -> bool:
    return entry.opponent is None and entry.code is code


def _counted(report: TrfReport) -> Iterator[Problem]:
    """Yields a declared number of players that is not that of the lines."""
    declared = report.tournament.players
    if declared is not None and report.complete and declared != len(report.players):
        line = next(record.line for record in report.records if record.code == "062")
        yield problem(
            "trf.players_differ", line, Rest.TEXT.first, found=declared, counted=len(report.players)
        )


def _points(report: TrfReport) -> Iterator[Problem]:
    """Yields declared points that are not the sum of the results."""
    scoring = scoring_of(report.records)
    for player in report.players:
        if player.points is None or not all(entry.readable for entry in player.rounds):
            continue
        summed = score(player.rounds, scoring)
        if summed != player.points:
            yield problem(
                "trf.points_differ",
                player.line,
                PlayerField.POINTS.first,
                found=player.points,
                number=player.number,
                summed=summed,
            )


def _standings_only(report: TrfReport) -> Iterator[Problem]:
    """Yields records that change standings and no game: 299, 330, and 240 byes of teams."""
    for abnormal in report.abnormal_points:
        yield problem("trf.abnormal_points", abnormal.line, 1, count=len(abnormal.numbers))
    for match in report.forfeited_matches:
        yield problem(
            "trf.forfeited_match",
            match.line,
            1,
            found=match.type,
            round=match.round,
            white=match.white.number,
            black=match.black.number,
        )
    if report.of_teams:
        for record in report.granted_byes:
            yield problem("trf.team_bye", record.line, 1, found=record.code, round=record.round)


def _odd(entry: Entry) -> Iterator[Problem]:
    """Yields what is tolerated in a round without opponent."""
    if not entry.readable or entry.opponent is not None:
        return
    if entry.code is not None and entry.code not in BYES:
        key = "trf.forfeit_without_opponent"
        yield problem(key, entry.line, entry.code_column, found=entry.code, round=entry.round)
    if entry.colour is not None:
        key = "trf.colour_without_opponent"
        yield problem(key, entry.line, entry.colour_column, found=entry.colour, round=entry.round)


def _odd_pair(pair: Pair) -> Iterator[Problem]:
    """Yields what is tolerated between two players: no result yet, colours left open."""
    entry, answer = sorted((pair.entry, pair.answer), key=lambda each: each.line)
    values = {"first": pair.first.number, "second": pair.second.number, "round": entry.round}
    if entry.code is None and answer.code is None:
        yield problem("trf.pairing_without_result", entry.line, entry.code_column, **values)
    colours = (entry.colour, answer.colour)
    played = entry.code in BOARD or entry.code in SHORT
    if None in colours and (played or colours != (None, None)):
        blank = entry if entry.colour is None else answer
        white = pair.first.number if white_first(pair) else pair.second.number
        yield problem("trf.colour_open", blank.line, blank.colour_column, white=white, **values)
