"""What of a report is kept with its tournament though no rating depends on it, and written again.

Some of it has words of its own (arbiters, time control, ranks, ratings, titles). Records for which
the ledger has none are kept as they stand: teams, tie-breaks, scoring, accelerations, extensions.

What the columns of a report have no room for stands in comments, which other programs pass over
(TRF26, remark 1): ids, and that nobody announced the rounds which XXR counts::

    ### rating-ledger tournament open-2010
    ### rating-ledger player 3 ana
    ### rating-ledger rounds not announced
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from ledger.errors import Problem
from ledger.events.tournaments import ReportDetails
from ledger.intake.trf.cells import control_in, quoted
from ledger.intake.trf.records import Record
from ledger.intake.trf.report import TrfReport

_TOLD: Final = frozenset((
    "", "001", "012", "022", "032", "042", "052", "062", "072", "092", "102", "112", "122", "132",
    "142", "XXR",
))  # fmt: skip
"""Records whose content has another place: the tournament, its players, and what counts them."""
_BYES: Final = "240"
_NUMBER_WORDS: Final = 3  # federation, starting number, national number
_LONGEST: Final = 20_000
_MOST_ID: Final = 120
_COMMENT: Final = re.compile(r"### rating-ledger (?:tournament|player ([0-9]{1,4})) (.+)")
_ROUNDS_COMMENT: Final = "### rating-ledger rounds not announced"
Value = TypeVar("Value", int, str)


@dataclass(frozen=True, slots=True)
class OwnComments:
    """What the comments of this program give in a file.

    The id of the tournament, those of players by start number, and whether the number of rounds in
    the file was announced, or only counts those that were played.
    """

    tournament: str | None = None
    players: dict[int, str] = field(default_factory=dict)
    rounds_announced: bool = True


def details_of(report: TrfReport, played: Collection[int]) -> ReportDetails | None:
    """Returns what is kept with the tournament; None where there is nothing.

    ``played`` are the rounds with a result.
    """
    about = report.tournament
    told = {
        "chief_arbiter": about.chief_arbiter,
        "deputies": about.deputies or None,
        "idle_days": _idle_days(report, played),
        "ranks": _by_number(report, "rank", 0),
        "ratings": _by_number(report, "rating", 0),
        "records": tuple(record.text.strip() for record in kept(report)) or None,
        "time_control": about.time_control,
        "titles": _by_number(report, "title", ""),
    }
    return ReportDetails.model_validate(told) if any(told.values()) else None


def kept(report: TrfReport) -> Iterator[Record]:
    """Yields the records that are kept as they stand; byes of players are kept as byes."""
    for record in report.records:
        if record.code not in _TOLD and (record.code != _BYES or report.of_teams):
            yield record


def unfit(report: TrfReport) -> Iterator[Problem]:
    """Yields records that cannot be kept as they stand."""
    for record in kept(report):
        at = control_in(record.text)
        found = quoted(record.text)
        if at is not None:
            yield Problem.of(
                "trf.control_character", record.line, record.place(at + 1), found=found
            )
        elif len(record.text) > _LONGEST:
            yield Problem.of("trf.too_long", record.line, 1, found=found, most=_LONGEST)


def note_kept(report: TrfReport) -> Iterator[Problem]:
    """Yields the note that names the records kept as they stand."""
    named = [record for record in kept(report) if not _is_number(record)]
    codes = {record.code: record.line for record in reversed(named)}
    if codes:
        first = min(codes.values())
        yield Problem.of("trf.kept_records", first, 1, codes=", ".join(reversed(codes)))


def _is_number(record: Record) -> bool:
    """Whether a record has nothing but a player's national number: that is read."""
    is_federation = record.code.isalpha() and not record.code.startswith("XX")
    return is_federation and len(record.text.split()) == _NUMBER_WORDS


def own_comments(report: TrfReport) -> OwnComments:
    """Returns what the comments of this program give."""
    players: dict[int, str] = {}
    tournament, rounds_announced = None, True
    for record in report.records:
        if record.text == _ROUNDS_COMMENT:
            rounds_announced = False
        found = None if record.code else _COMMENT.fullmatch(record.text)
        if found is None or control_in(found[2]) is not None or len(found[2]) > _MOST_ID:
            continue
        if found[1]:
            players[int(found[1])] = found[2]
        else:
            tournament = found[2]
    return OwnComments(tournament, players, rounds_announced)


def comment_lines(comments: OwnComments) -> Iterator[str]:
    """Yields the comments of this program, without line ends."""
    if comments.tournament is not None:
        yield f"### rating-ledger tournament {comments.tournament}"
    for number, player in sorted(comments.players.items()):
        yield f"### rating-ledger player {number} {player}"
    if not comments.rounds_announced:
        yield _ROUNDS_COMMENT


def _idle_days(report: TrfReport, played: Collection[int]) -> tuple[str, ...] | None:
    """Returns the days of rounds without a result: no game keeps them; None where there is none."""
    days = [
        day.isoformat() if day and round_ not in played else ""
        for round_, day in enumerate(report.tournament.round_dates, start=1)
    ]
    return tuple(days) if any(days) else None


def _by_number(report: TrfReport, name: str, none: Value) -> tuple[Value, ...] | None:
    """Returns what every player has, by start number, or ``none``; None where nobody has it."""
    numbers = range(1, max(report.by_number, default=0) + 1)
    values = tuple(getattr(report.by_number.get(number), name, none) or none for number in numbers)
    return values if any(values) else None
