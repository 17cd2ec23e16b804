"""What FIDE's rating server asks of a report beyond its form: whether it would take it.

The records and columns are those that the format calls mandatory for rating (TRF26, remark 2):
012, 022, 032, 042, 052, 102, 132, and of a player the number of FIDE and the rank. What it warns of
(name, sex, federation, birth) is a remark.

The rating regulations (B.02): the time that each player has for 60 moves by the higher rating of a
game (1.1), at most twelve hours of play a day, at most 90 days but for leagues and teams, and
interim reports where it lasts more than 30; a report that misses the third list after the end
(9.1). A match needs two rated players.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ledger.errors import Problem
from ledger.intake.trf.layout import TEXTS, PlayerField, Rest
from ledger.intake.trf.pairings import Pair, pairs
from ledger.intake.trf.records import Record
from ledger.intake.trf.report import BOARD, Player, TrfReport
from ledger.terms import Rate, System
from ledger.time_control import time_control_of
from ledger.wording import Message

_MANDATORY: Final = {
    "012": "check.record_name",
    "022": "check.record_city",
    "032": "check.record_federation",
    "042": "check.record_start",
    "052": "check.record_end",
    "102": "check.record_arbiter",
    "132": "check.record_days",
}
_MINUTE: Final = 60
_STANDARD: Final = (
    (dt.date(2024, 3, 1), ((2400, 120), (1800, 90), (0, 60))),
    (dt.date.min, ((2200, 120), (1600, 90), (0, 60))),
)
"""From which day on: ratings from which a game needs so many minutes."""
_LEAST_OF_BLITZ: Final = 3  # minutes
_MOST_HOURS: Final = 12  # of play in a day
_MOST_DAYS: Final = 90
MONTHLY_FROM: Final = 30  # days
_LISTS: Final = 3  # after the end of the event
_CLOSED: Final = 3  # days before a list
_DIGITS: Final = 5, 10  # of an arbiter's number


@dataclass(frozen=True, slots=True)
class FideVerdict:
    """Why the server would refuse a report, and what it would warn of; in order of the lines."""

    refusals: tuple[Problem, ...]
    remarks: tuple[Problem, ...]


def fide_verdict(report: TrfReport, today: dt.date) -> FideVerdict:
    """Holds a report without faults of its form against what the server asks for."""
    refusals = [
        *_records(report), *_arbiters(report), *_days(report, today), *_round_days(report),
        *_players(report), *_games(report), *_tempo(report),
    ]  # fmt: skip
    return FideVerdict(tuple(refusals), (*_warnings(report), *_monthly(report)))


def _line_of(report: TrfReport, code: str) -> int:
    return next((record.line for record in report.records if record.code == code), 0)


def _text(record: Record) -> str:
    return record.cell(Rest.TEXT).text if record.code in TEXTS else ""


def _is_long(report: TrfReport) -> bool:
    """Whether an event is reported month by month."""
    starts, ends = report.tournament.starts_on, report.tournament.ends_on
    return starts is not None and ends is not None and (ends - starts).days >= MONTHLY_FROM


def _records(report: TrfReport) -> Iterator[Problem]:
    """Yields the mandatory records that are missing or empty, and where none is of the tempo."""
    has = {
        record.code for record in report.records if record.code == "132" or _text(record).strip()
    }  # fmt: skip
    for code, key in _MANDATORY.items():
        if code not in has:
            values = {"code": code, "what": Message.of(key)}
            yield Problem.of("check.fide_record", _line_of(report, code), 0, **values)
    if has.isdisjoint({"122", "222"}):
        yield Problem.of("check.fide_no_tempo")


def _arbiters(report: TrfReport) -> Iterator[Problem]:
    """Yields the arbiters whose number is not said."""
    least, most = _DIGITS
    for record in report.records:
        name = _text(record).strip() if record.code in {"102", "112"} else ""
        words = "".join(each if each.isalnum() else " " for each in name).split()
        is_known = any(word.isdigit() and least <= len(word) <= most for word in words)
        if name and not is_known:
            yield Problem.of("check.fide_arbiter", record.line, 5, name=name, code=record.code)


def _days(report: TrfReport, today: dt.date) -> Iterator[Problem]:
    about = report.tournament
    starts, ends = about.starts_on, about.ends_on
    if starts is None or ends is None:
        return
    line, days = _line_of(report, "052"), (ends - starts).days + 1
    if ends > today and not _is_long(report):
        yield Problem.of("check.fide_not_over", line, 5, day=ends)
    is_league = about.system is System.TEAM_SWISS or bool(report.teams)
    if days > _MOST_DAYS and not is_league:
        yield Problem.of("check.fide_too_long", line, 5, days=days, most=_MOST_DAYS)
    month = ends.year * 12 + ends.month - 1 + _LISTS
    third = dt.date(month // 12, month % 12 + 1, 1)
    if today > third - dt.timedelta(days=_CLOSED):
        yield Problem.of("check.fide_too_late", line, 5, day=ends, list=third)


def _round_days(report: TrfReport) -> Iterator[Problem]:
    """Yields the rounds without a day, and days of too many hours."""
    about, line = report.tournament, _line_of(report, "132")
    played = sorted({pair.entry.round for pair in pairs(report)})
    days = dict(enumerate(about.round_dates, start=1))
    unsaid = [round_ for round_ in played if days.get(round_) is None]
    if line and unsaid:
        yield Problem.of("check.fide_no_day", line, 1, rounds=", ".join(map(str, unsaid)))
    dated = [(round_, day) for round_ in played if (day := days.get(round_)) is not None]
    seconds = _seconds(report)
    if seconds is None or about.rate_of_play is not Rate.CLASSICAL:
        return
    for day, rounds in Counter(day for _, day in dated).items():
        hours = 2 * seconds * rounds / 3600
        if 2 * seconds * rounds > _MOST_HOURS * 3600:
            values = {"day": day, "rounds": rounds, "hours": f"{hours:.0f}", "most": _MOST_HOURS}
            yield Problem.of("check.fide_long_day", line, 1, **values)


def _players(report: TrfReport) -> Iterator[Problem]:
    for player in report.players:
        named = {"number": player.number, "name": player.name}
        line, column = player.line, PlayerField.FIDE_NUMBER.first
        if not player.fide_id:
            yield Problem.of("check.fide_no_id", line, column, **named)
        elif not (player.fide_id.isascii() and player.fide_id.isdigit()):
            yield Problem.of("check.fide_bad_id", line, column, id=player.fide_id, **named)
        if player.rank is None:
            yield Problem.of("check.fide_no_rank", line, PlayerField.RANK.first, **named)


def _games(report: TrfReport) -> Iterator[Problem]:
    """Yields what is wrong with the number of games and rounds."""
    found = list(pairs(report))
    over = [pair for pair in found if pair.entry.code in BOARD]
    if not over:
        yield Problem.of("check.fide_no_games", 0, 0)
    for pair in found:
        if pair.entry.code is None and pair.answer.code is None:
            values = {"round": pair.entry.round, **_named(pair)}
            yield Problem.of("check.fide_open", pair.entry.line, pair.entry.code_column, **values)
    announced = report.tournament.rounds
    last = max((pair.entry.round for pair in found), default=0)
    is_part = _is_long(report) and announced is not None and last < announced
    if announced is not None and last and announced != last and not is_part:
        line = _line_of(report, "142") or _line_of(report, "XXR")
        yield Problem.of("check.fide_rounds", line, 5, announced=announced, played=last)
    unrated = [each for each in report.players if each.rating is None]
    if report.tournament.system is System.MATCH and unrated:
        line, name = unrated[0].line, unrated[0].name
        yield Problem.of("check.fide_match", line, PlayerField.RATING.first, name=name)


def _tempo(report: TrfReport) -> Iterator[Problem]:
    """Yields a tempo that nobody can tell, or that is too fast for some games."""
    about, seconds = report.tournament, _seconds(report)
    line = _line_of(report, "222") or _line_of(report, "122")
    if seconds is None:
        if line:
            tempo = about.time_control or ""
            yield Problem.of("check.fide_tempo", line, 5, tempo=tempo)
        return
    minutes = seconds // _MINUTE
    if about.rate_of_play is Rate.BLITZ and seconds < _LEAST_OF_BLITZ * _MINUTE:
        yield Problem.of("check.fide_too_fast", line, 5, minutes=minutes, least=_LEAST_OF_BLITZ)
    if about.rate_of_play is not Rate.CLASSICAL:
        return
    on = about.starts_on or dt.date.max
    steps = next(each for since, each in _STANDARD if on >= since)
    games = [pair for pair in pairs(report) if pair.entry.code in BOARD]
    for floor, least in steps:
        fast = [pair for pair in games if _higher(pair) >= floor] if minutes < least else []
        if fast:
            values = {"count": len(fast), "minutes": minutes, "least": least, "rating": floor}
            first = {"round": fast[0].entry.round, **_named(fast[0])}
            yield Problem.of("check.fide_fast_games", line, 5, **values, **first)
            games = [pair for pair in games if pair not in fast]


def _seconds(report: TrfReport) -> int | None:
    coded = next((each for each in report.records if each.code == "222"), None)
    words = report.tournament.time_control or ""
    control = time_control_of(words, _text(coded) if coded else None)
    return control.seconds if control else None


def _higher(pair: Pair) -> int:
    return max(player.rating or 0 for player in (pair.first, pair.second))


def _named(pair: Pair) -> dict[str, str]:
    return {"one": pair.first.name, "other": pair.second.name}


def _warnings(report: TrfReport) -> Iterator[Problem]:
    """Yields what the server warns of: who is not told by more than the number."""
    for key, lacks in _LACKING.items():
        lacking = [player for player in report.players if lacks(player)]
        if lacking:
            values = {"count": len(lacking), "first": lacking[0].name}
            yield Problem.of(key, lacking[0].line, 1, **values)


_LACKING: Final[Mapping[str, Callable[[Player], bool]]] = {
    "check.fide_name": lambda player: "," not in player.name,
    "check.fide_birth": lambda player: player.birth is None,
    "check.fide_federation": lambda player: player.federation is None,
    "check.fide_sex": lambda player: player.sex is None,
}


def _monthly(report: TrfReport) -> Iterator[Problem]:
    starts, ends = report.tournament.starts_on, report.tournament.ends_on
    if _is_long(report) and starts and ends:
        values = {"days": (ends - starts).days + 1, "most": MONTHLY_FROM}
        yield Problem.of("check.fide_monthly", _line_of(report, "052"), 5, **values)
