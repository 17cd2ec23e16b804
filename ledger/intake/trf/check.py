"""Holds the lines of a report against one another: everything for which a file is refused.

All problems of the whole file are given at once, each with line and column. What cannot be read is
one problem, not also whatever would follow from it.

Start numbers may stand in any order, but they run from 1 without a gap: opponents are named by
them, so a missing number means that a player's line was lost or mistyped, and with it his games.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ledger.errors import Problem
from ledger.intake.trf.cells import in_order, problem
from ledger.intake.trf.header import MOST_ROUNDS
from ledger.intake.trf.layout import ByeField, PlayerField
from ledger.intake.trf.pairs import Pair, combined, pairs, white_first
from ledger.intake.trf.report import (
    BYES,
    Code,
    GrantedByes,
    Member,
    Player,
    RoundCell,
    TrfReport,
)


def check(report: TrfReport) -> list[Problem]:
    """Returns what refuses the file, by line and column; nothing for a good one."""
    found = [*report.faults, *_start_numbers(report), *_rounds(report), *_members(report)]
    found += [wrong for pair in pairs(report) for wrong in _pair(pair)]
    found += _granted_byes(report)
    return in_order(found)


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
    announced = report.tournament.rounds or MOST_ROUNDS
    for player in report.by_number.values():
        for entry in player.rounds:
            if not entry.readable or entry.blank:
                continue
            if entry.round > announced:
                yield problem(
                    "trf.too_many_rounds",
                    entry.line,
                    entry.column,
                    round=entry.round,
                    announced=announced,
                )
            yield from _opponent(report, player, entry)


def _opponent(report: TrfReport, player: Player, entry: RoundCell) -> Iterator[Problem]:
    if entry.opponent is None:
        if entry.code is not None and entry.bye is None:
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
        values |= {"line": other.line}
        if answer is None or answer.opponent is None:
            yield problem("trf.names_nobody", entry.line, entry.column, **values)
        else:
            values |= {"named": answer.opponent}
            yield problem("trf.names_another", entry.line, entry.column, **values)


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
    """Yields what is wrong with 240 records, alone or against the players' lines."""
    announced = report.tournament.rounds
    before: dict[tuple[int, int], GrantedByes] = {}
    for record in report.granted_byes:
        if announced is not None and record.round > announced:
            yield problem(
                "trf.too_many_rounds",
                record.line,
                ByeField.ROUND.first,
                round=record.round,
                announced=announced,
            )
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
        if report.complete:
            yield problem("trf.unknown_number", member.line, member.column, found=member.number)
        return
    entry = player.entry(record.round)
    against = None
    if first.code is not record.code:
        against = first.line
    elif entry and entry.readable and not entry.blank and not _is_bye(entry, record.code):
        against = entry.line
    if against is not None:
        yield problem(
            "trf.bye_contradicts",
            member.line,
            member.column,
            found=member.number,
            code=record.code,
            round=record.round,
            line=against,
        )


def _is_bye(entry: RoundCell, code: Code) -> bool:
    return entry.bye is code
