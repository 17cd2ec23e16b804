"""Writes a tournament as a report file (TRF16), for other programs to read."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.application.ledger import Ledger
from ledger.application.lists import rating_on
from ledger.errors import NotFound
from ledger.events.personal import Identity, identity_in
from ledger.intake.trf.layout import LAYOUTS, TEXT, PlayerField
from ledger.intake.trf.records import Cells, Record
from ledger.rating.exact import decimal
from ledger.registrar.register import PairingRecord, TournamentRecord
from ledger.reports.crosstable import halves_of, require_entered
from ledger.results import Bye, Result, Termination
from ledger.terms import System

_TYPES = {
    System.SWISS: "Individual: Swiss-System",
    System.ROUND_ROBIN: "Individual: Round-Robin",
    System.MATCH: "Individual: Match",
    System.TEAM_SWISS: "Team: Swiss-System",
}
_PLAYED, _SHORT, _FORFEIT = ("0", "=", "1"), ("L", "D", "W"), ("-", "-", "+")
_ABSENT: Cells = ("", "", "")


def tournament_report(ledger: Ledger, tournament: str, list_: str | None) -> bytes:
    """Returns the tournament as TRF16, UTF-8, LF.

    Ids of digits stand in the column of the FIDE number. With a list the ratings are those in force
    on the tournament's first day.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = ledger.facts()
    register = ledger.register([f"tournament:{tournament}"], facts.seq)
    record = register.tournaments.get(tournament)
    if record is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    require_entered(record)
    players = ledger.register((f"player:{player}" for player in record.entries), facts.seq).players
    documents = ledger.journal.personal_documents(
        player.version.identity for player in players.values()
    )
    ratings = rating_on(ledger, list_, record.version.starts_on) if list_ else {}
    ranks = _ranks(record)
    lines = list(_heading(record))
    for player, number in sorted(record.entries.items(), key=lambda entry: entry[1]):
        version = players[player].version
        text = documents.get(version.identity)
        identity = identity_in(text) if text else Identity(name=player)
        titles = sorted(players[player].titles)
        fits = len(player) <= _width(PlayerField.FIDE_NUMBER)
        cells = (
            str(number),
            identity.sex or "",
            titles[0] if titles else "",
            _fitting(identity.name, PlayerField.NAME),
            str(ratings.get(player, "")),
            version.federation or "",
            player if fits and player.isascii() and player.isdigit() else "",
            _birth(identity.birth_date),
            decimal(_points(record, player) * 5, 1),
            str(ranks[player]),
        )
        lines.append(_record("001", cells, _rounds(record, player)))
    return "".join(line.written() for line in lines).encode()


def _record(code: str, cells: Cells, groups: tuple[Cells, ...] = ()) -> Record:
    return Record(line=0, code=code, layout=LAYOUTS.get(code, TEXT), cells=cells, groups=groups)


def _heading(record: TournamentRecord) -> Iterator[Record]:
    about = record.version
    texts = {
        "012": about.name,
        "022": about.place,
        "032": about.federation,
        "042": f"{about.starts_on:%Y/%m/%d}",
        "052": f"{about.ends_on:%Y/%m/%d}",
        "062": str(len(record.entries)),
        "092": _TYPES[about.system],
        "XXR": str(about.rounds) if about.rounds else None,
    }
    return (_record(code, (text,)) for code, text in texts.items() if text)


def _rounds(record: TournamentRecord, player: str) -> tuple[Cells, ...]:
    """Returns opponent, colour and result of every round."""
    last = max((round_ for round_, _ in record.pairings), default=0)
    return tuple(
        _cells(record, record.pairings.get((round_, player)), player)
        for round_ in range(1, last + 1)
    )


def _cells(record: TournamentRecord, pairing: PairingRecord | None, player: str) -> Cells:
    if pairing is None:
        return _ABSENT
    result = pairing.result
    if isinstance(result, Bye):
        return "0000", "-", result.letter
    white = player == pairing.white
    opponent = str(record.entries[(pairing.black if white else pairing.white) or ""])
    return opponent, "w" if white else "b", _code(result, white=white)


def _code(result: Result | None, *, white: bool) -> str:
    """Returns the result's letter; an adjourned game has none yet."""
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


def _points(record: TournamentRecord, player: str) -> int:
    """Returns the score in half points, as the results in the file add up."""
    return sum(
        halves_of(pairing, player)
        for (_, paired), pairing in record.pairings.items()
        if paired == player
    )


def _ranks(record: TournamentRecord) -> dict[str, int]:
    """Returns places by points, then by starting number."""
    order = sorted(record.entries, key=lambda p: (-_points(record, p), record.entries[p]))
    return {player: place for place, player in enumerate(order, start=1)}


def _birth(date: str | None) -> str:
    if date is None:
        return ""
    return date.replace("-", "/") if "-" in date else f"{date}/00/00"


def _fitting(text: str, field: PlayerField) -> str:
    return text[: _width(field)].rstrip()


def _width(field: PlayerField) -> int:
    return field.last - field.first + 1
