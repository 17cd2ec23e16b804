"""What was tolerated in a report: oddities that lose nothing, or nothing that a rating counts.

They are reported one by one, with line and column, so that nothing is repaired silently. Declared
points that differ from the results, and points without a game, concern the standings only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import pairwise

from ledger.errors import Problem
from ledger.intake.trf.cells import in_order, problem
from ledger.intake.trf.layout import PlayerField, Rest
from ledger.intake.trf.pairings import granted
from ledger.intake.trf.pairs import Pair, pairs, white_first
from ledger.intake.trf.points import score, scoring_of
from ledger.intake.trf.report import BOARD, SHORT, Code, RoundCell, TrfReport


def adjustments(report: TrfReport) -> list[Problem]:
    """Returns everything that was tolerated, by line and column; nothing of it refuses the file."""
    sums = _sums(report)
    found = [*report.tolerated, *_counted(report), *_points(report, sums), *_ranks(report, sums)]
    found += _standings_only(report)
    found += [odd for player in report.players for e in player.rounds for odd in _odd(e)]
    found += [odd for pair in pairs(report) for odd in _odd_pair(pair)]
    return in_order(found)


def _counted(report: TrfReport) -> Iterator[Problem]:
    """Yields a declared number of players that is not that of the lines."""
    declared = report.tournament.players
    if declared is not None and report.complete and declared != len(report.players):
        line = next(record.line for record in report.records if record.code == "062")
        yield problem(
            "trf.players_differ", line, Rest.TEXT.first, found=declared, counted=len(report.players)
        )


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
            yield problem(
                "trf.points_differ",
                player.line,
                PlayerField.POINTS.first,
                found=player.points,
                number=player.number,
                summed=summed,
            )


def _ranks(report: TrfReport, sums: Mapping[int, Decimal]) -> Iterator[Problem]:
    """Yields declared ranks that are better than the next of a player with more points."""
    if report.teams:
        return
    ranked = [player for player in report.players if player.rank and player.number in sums]
    for better, worse in pairwise(sorted(ranked, key=lambda player: player.rank or 0)):
        if sums[better.number] < sums[worse.number]:
            yield problem(
                "trf.rank_differs",
                better.line,
                PlayerField.RANK.first,
                found=better.rank,
                number=better.number,
                summed=sums[better.number],
                other=worse.number,
                rank=worse.rank,
                more=sums[worse.number],
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


def _odd(entry: RoundCell) -> Iterator[Problem]:
    """Yields what is tolerated in a round without opponent."""
    if not entry.readable or entry.opponent is not None:
        return
    if entry.bye is not entry.code:
        key = "trf.result_without_opponent"
        yield problem(
            key,
            entry.line,
            entry.code_column,
            found=entry.code,
            read=entry.bye,
            round=entry.round,
        )
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
