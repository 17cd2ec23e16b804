"""Makes up histories of a federation: the same size and seed give the same bytes.

What is imitated, because it decides how fast a ledger is: few players play much; newcomers come all
the time, without a rating; tournaments are Swiss, of 30 to 120 players and 7 to 9 rounds, and
people of similar strength meet, first because they enter the same section and then because they
have the same points; there are draws, byes, forfeits, and results that are corrected months later.

A history is a folder: ``players.csv``, ``games-YYYY-MM.csv`` by the month in which tournaments end
and ``corrections-YYYY-MM.csv`` as the project imports them; ``columns.npz``, the final word on the
games that were played, for the peers; ``history.json``, its figures and what the works ask about.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.plan import SIZES, Size
from ledger.examples.swiss import PLAYED, RESULTS, WON, Real, Whole, swiss

FIRST_MONTH = dt.date(2014, 1, 1)
FIRST_ID = 3_400_000
GAMES_HEADER = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"
PLAYERS_HEADER = "id,name,federation,sex,birth_date,rating,k,games\n"

_STRENGTH, _SPREAD = 1700.0, 260.0
_KNOWN_AT_FIRST = 0.55
_ACTIVITY = 1.1  # sigma of a lognormal: a tenth of the players sit at nearly half of the boards
_FIELD = (30, 120)
_ROUNDS = (7, 9)
_SECTION = 0.25  # of all players by strength, around the section's centre
_CORRECTED = 0.001
_LATEST = 24  # months until a correction
_FIRST_NAMES = ("Ana", "Beatriz", "Carlos", "Diego", "Elena", "Felipe", "Gloria", "Hugo", "Irene")
_FIRST_BIRTH, _LAST_BIRTH = 1940, 2008


@dataclass(frozen=True, slots=True)
class Players:
    """Everybody who ever plays; sorted by nothing. ``joined`` is the month, 0 for the first."""

    strength: Real
    activity: Real
    joined: Whole
    rating: Whole
    games: Whole
    born: Whole


@dataclass(frozen=True, slots=True)
class Tournament:
    """A Swiss as it was reported. A bye has no black; ``code`` is a place in ``RESULTS``."""

    id: str
    month: int
    starts_on: dt.date
    ends_on: dt.date
    round: Whole
    white: Whole
    black: Whole
    code: Whole
    byes: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class History:
    """A history that was written: its figures, and what is asked about in the works."""

    size: str
    seed: int
    players: int
    games: int
    months: int
    tournaments: int = 0
    forfeits: int = 0
    byes: int = 0
    corrections: int = 0
    first_on: str = FIRST_MONTH.isoformat()
    targets: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def day(self) -> dt.date:
        """Its first day."""
        return dt.date.fromisoformat(self.first_on)

    @classmethod
    def read(cls, folder: Path) -> History:
        """Reads its figures back."""
        return cls(**json.loads((folder / "history.json").read_text(encoding="utf-8")))


def first_of(month: int) -> dt.date:
    """Returns the first day of a month of the history.

    >>> first_of(13)
    datetime.date(2015, 2, 1)
    """
    months = FIRST_MONTH.year * 12 + FIRST_MONTH.month - 1 + month
    return dt.date(months // 12, months % 12 + 1, 1)


def player_id(player: int) -> str:
    """Returns the id under which a player is registered."""
    return str(FIRST_ID + player)


def tournaments(size: Size, players: Players, random: np.random.Generator) -> Iterator[Tournament]:
    """Yields the tournaments, month by month, until all games are played."""
    order = np.argsort(players.strength, kind="stable")
    cumulated = np.cumsum(players.activity[order])
    played = 0
    for month in range(size.months):
        wanted = size.games * (month + 1) // size.months
        number = 0
        while played < wanted:
            number += 1
            field_ = _field(order, cumulated, players, month, random)
            swiss = _swiss(f"t{month:03}-{number:04}", month, field_, players, random)
            played += len(swiss.code)
            yield swiss


def _field(
    order: Whole, cumulated: Real, players: Players, month: int, random: np.random.Generator
) -> Whole:
    """Draws who enters a section: the active ones among players of similar strength."""
    wanted = int(random.integers(_FIELD[0], _FIELD[1] + 1))
    count = len(order)
    reach = max(wanted * 2, int(count * _SECTION / 2))
    centre = int(random.integers(0, count))
    low, high = max(0, centre - reach), min(count - 1, centre + reach)
    drawn = random.uniform(cumulated[low], cumulated[high], wanted * 6)
    candidates = order[np.searchsorted(cumulated, drawn)]
    candidates = candidates[players.joined[candidates] <= month]
    _, first = np.unique(candidates, return_index=True)
    return candidates[np.sort(first)][:wanted].astype(np.int64)


def _swiss(
    id_: str, month: int, field_: Whole, players: Players, random: np.random.Generator
) -> Tournament:
    """Plays a tournament of a month."""
    rounds = int(random.integers(_ROUNDS[0], _ROUNDS[1] + 1))
    starts_on = first_of(month) + dt.timedelta(days=int(random.integers(0, 19)))
    played = swiss(players.strength[field_], rounds, random)
    byes = tuple((round_, int(field_[place])) for round_, place in played.byes)
    round_, white, black, code = played.games
    ends_on = starts_on + dt.timedelta(days=rounds)
    return Tournament(
        id_, month, starts_on, ends_on, round_, field_[white], field_[black], code, byes
    )


def made_players(size: Size, random: np.random.Generator) -> Players:
    """Draws everybody: who is there at first has a rating and games, who comes later has none."""
    count = size.players
    strength = random.normal(_STRENGTH, _SPREAD, count)
    known = random.random(count) < _KNOWN_AT_FIRST
    joined = np.where(known, 0, random.integers(0, size.months, count))
    rating = np.clip(np.rint(strength + random.normal(0, 70, count)), 1100, 2850).astype(np.int64)
    return Players(
        strength=strength,
        activity=random.lognormal(0.0, _ACTIVITY, count),
        joined=joined.astype(np.int64),
        rating=np.where(known, rating, 0),
        games=np.where(known, random.integers(9, 400, count), 0),
        born=random.integers(_FIRST_BIRTH, _LAST_BIRTH, count),
    )


def write_history(size: Size, seed: int, folder: Path) -> History:
    """Writes a history into a folder, month by month, and returns its figures."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    players = made_players(size, random)
    (folder / "players.csv").write_text(_players_csv(players), encoding="utf-8")
    history = History(size.name, seed, size.players, 0, size.months)
    targets = _Targets(size, players)
    columns: dict[str, list[Whole]] = {n: [] for n in ("month", "white", "black", "halves")}
    corrections: dict[int, list[str]] = {}
    month, lines = 0, [GAMES_HEADER]

    def flush() -> None:
        if len(lines) > 1:
            _month_file(folder, "games", month).write_text("".join(lines), encoding="utf-8")

    for each in tournaments(size, players, random):
        if each.month != month:
            flush()
            month, lines = each.month, [GAMES_HEADER]
        final = _corrected(each, size, corrections, random)
        lines += _rows(each)
        targets.look_at(each, final)
        played = final < PLAYED
        columns["month"].append(np.full(int(played.sum()), each.month))
        columns["white"].append(each.white[played])
        columns["black"].append(each.black[played])
        columns["halves"].append(final[played])
        history.tournaments += 1
        history.games += len(each.code)
        history.forfeits += int((each.code >= PLAYED).sum())
        history.byes += len(each.byes)
    flush()
    for known_in in sorted(corrections):
        text = GAMES_HEADER + "".join(corrections[known_in])
        _month_file(folder, "corrections", known_in).write_text(text, encoding="utf-8")
        history.corrections += len(corrections[known_in])
    joined = {name: np.concatenate(parts).astype(np.int32) for name, parts in columns.items()}
    np.savez(folder / "columns.npz", allow_pickle=False, **joined)
    history.targets = targets.found
    about = json.dumps(asdict(history), indent=1, sort_keys=True) + "\n"
    (folder / "history.json").write_text(about, encoding="utf-8")
    return history


def _month_file(folder: Path, what: str, month: int) -> Path:
    return folder / f"{what}-{first_of(month):%Y-%m}.csv"


def _players_csv(players: Players) -> str:
    lines = [PLAYERS_HEADER]
    for player, (rating, games, born) in enumerate(
        zip(players.rating.tolist(), players.games.tolist(), players.born.tolist(), strict=True)
    ):
        first = _FIRST_NAMES[player % len(_FIRST_NAMES)]
        seeded = f"{rating},,{games}" if rating else ",,"
        lines.append(f'{player_id(player)},"Player {player:06}, {first}",CHI,,{born},{seeded}\n')
    return "".join(lines)


def _rows(each: Tournament) -> Iterator[str]:
    """Yields the rows of a tournament; only the first one tells of the tournament itself."""
    id_ = each.id
    about = f"{id_},Open {id_},{each.starts_on},{each.ends_on},swiss,classical,,"
    bare = f"{id_},,,,,,,"
    rows = zip(
        each.round.tolist(), each.white.tolist(), each.black.tolist(), each.code.tolist(),
        strict=True,
    )  # fmt: skip
    for round_, white, black, code in rows:
        yield f"{about}{round_},,{FIRST_ID + white},{FIRST_ID + black},{RESULTS[code]}\n"
        about = bare
    for round_, player in each.byes:
        yield f"{bare}{round_},,{FIRST_ID + player},,U\n"


def _corrected(
    each: Tournament, size: Size, corrections: dict[int, list[str]], random: np.random.Generator
) -> Whole:
    """Draws which results turn out to be wrong, and when; returns the final ones."""
    final = each.code.copy()
    for row in np.flatnonzero(random.random(len(final)) < _CORRECTED).tolist():
        right = (int(final[row]) + int(random.integers(1, PLAYED))) % PLAYED
        known_in = each.month + 1 + int(random.integers(0, _LATEST) ** 2 // _LATEST)
        if final[row] >= PLAYED or known_in >= size.months:
            continue
        final[row] = right
        pairing = f"{FIRST_ID + int(each.white[row])},{FIRST_ID + int(each.black[row])}"
        line = f"{each.id},,,,,,,{int(each.round[row])},,{pairing},{RESULTS[right]}\n"
        corrections.setdefault(known_in, []).append(line)
    return final


class _Targets:
    """Picks what the works ask about: a game one and ten years back, its tournament, a player."""

    def __init__(self, size: Size, players: Players) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self._rated = players.rating > 0
        self._wanted = {
            "one-year": max(0, size.months - 1 - 12),
            "ten-years": max(0, size.months - 1 - 120),
            "newest": size.months - 1,
        }

    def look_at(self, each: Tournament, final: Whole) -> None:
        """Takes the first decided game between two rated players of each month wanted."""
        for name, month in self._wanted.items():
            if name in self.found or month != each.month:
                continue
            rated = self._rated[each.white] & self._rated[each.black]
            fitting = np.flatnonzero(rated & (final == WON) & (each.code == final))
            if len(fitting):
                row = int(fitting[0])
                self.found[name] = {
                    "month": month,
                    "tournament": each.id,
                    "round": int(each.round[row]),
                    "white": player_id(int(each.white[row])),
                    "black": player_id(int(each.black[row])),
                    "ends_on": each.ends_on.isoformat(),
                }


def documents(folder: Path) -> list[tuple[Path, bool]]:
    """Returns the files to import, as they became known, and whether each is a correction."""
    games = [(path.stem.split("-", 1)[1], False, path) for path in folder.glob("games-*.csv")]
    later = [(path.stem.split("-", 1)[1], True, path) for path in folder.glob("corrections-*.csv")]
    return [(path, correction) for _, correction, path in sorted([*games, *later])]


def columns_of(folder: Path) -> dict[str, Whole]:
    """Returns the final results of the games that were played, in order of month."""
    with np.load(folder / "columns.npz") as stored:
        return {name: stored[name].astype(np.int64) for name in stored.files}


def skew(folder: Path) -> float:
    """Returns the share of all seats that the busiest tenth of the players takes."""
    columns = columns_of(folder)
    seats = np.sort(np.bincount(np.concatenate((columns["white"], columns["black"]))))[::-1]
    return float(seats[: math.ceil(len(seats) / 10)].sum() / seats.sum())


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes one history: ``python -m benchmarks.histories small 1 folder``."""
    parser = argparse.ArgumentParser(description="writes a made-up history into a folder")
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    write_history(SIZES[given.size], given.seed, given.folder)


if __name__ == "__main__":
    main()
