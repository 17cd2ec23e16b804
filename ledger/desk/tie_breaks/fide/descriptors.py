"""The codes of C.07 as they are announced: ``BH/C1``, ``SB/P``, ``KS/L+1``, ``ARO/U1400``.

They are written as in tournament reports (records 202 and 212 of TRF26), in capital or small
letters; a hyphen may stand for the stroke, as in the handbook. ``GE`` is what ``REP`` was called
before August 2024. For teams ``:MP`` says that match points count, as they do without it, and
``:GP`` that the points of their boards do.

=========  =====================================================================
``/C1``    the least significant value is cut, ``/C2`` the two least
``/M1``    the least and the most significant are cut, ``/M2`` two of each
``/P``     games by default count as games with the scheduled opponent
``/F``     Fore Buchholz in place of Buchholz
``/L+1``   the limit of Koya is half a point higher, ``/L-1`` lower
``/R``     in reverse order
``/K4``    the factor of SSSC
``/U1400`` the rating that was announced for players without one
=========  =====================================================================
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ledger.desk.tie_breaks.fide import opponents_ratings, opposition, own_record, teams
from ledger.desk.tie_breaks.fide.direct_encounter import direct_encounter
from ledger.desk.tie_breaks.fide.modifiers import Cut
from ledger.desk.tie_breaks.fide.opponents_ratings import Ratings
from ledger.desk.tie_breaks.fide.unplayed_rounds import RoundReading, TieBreakEdition, edition_of
from ledger.desk.tie_breaks.tie_break import Among, Each, TieBreak, Unfair
from ledger.errors import InputRefused
from ledger.terms import System

_DESCRIPTOR: Final = re.compile(r"([A-Z]+)(?::([A-Z]+))?((?:/[A-Z][+-]?\d*)*)")
_MODIFIER: Final = re.compile(r"/([A-Z])([+-]?\d*)")
_HYPHEN: Final = re.compile(r"-(?=[A-Z])")
_NUMBER: Final = {
    "C": re.compile(r"[1-9]"),
    "M": re.compile(r"[1-9]"),
    "K": re.compile(r"[1-9]\d?"),
    "L": re.compile(r"[+-][1-9]\d?"),
    "U": re.compile(r"\d{1,4}"),
}
_NO_NUMBER: Final = re.compile(r"")


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A code taken apart: its name, its modifiers by letter with their numbers, the edition."""

    name: str
    modifiers: Mapping[str, int]
    edition: TieBreakEdition

    @property
    def cut(self) -> Cut:
        """What is cut (14.1 to 14.4)."""
        both = self.modifiers.get("M", 0)
        return Cut(self.modifiers.get("C", both), both)

    @property
    def ratings(self) -> Ratings:
        """The ratings, with what was announced for who has none."""
        return Ratings(self.modifiers.get("U"))

    @property
    def reading(self) -> RoundReading:
        """How rounds are read."""
        fore = self.name == "FB" or "F" in self.modifiers
        return RoundReading(self.edition, forfeits="P" in self.modifiers, fore=fore)


@dataclass(frozen=True, slots=True)
class _Code:
    """A tie-break of the list of article 5: where it stands, what goes with it, how it is made."""

    article: str
    made: Callable[[Descriptor], Each] | None = None
    among: Callable[[Descriptor], Among] | None = None
    modifiers: str = ""
    teams_only: bool = False
    game_points: bool = False
    unfair: Unfair | None = None


def _extended_sonneborn_berger(scores: str, results: str, article: str) -> _Code:
    return _Code(
        article,
        lambda d: teams.extended_sonneborn_berger(scores, results, d.reading, d.cut),
        modifiers="CP",
        teams_only=True,
    )


def _extended_direct_encounter(name: str) -> _Code:
    return _Code(
        "13.3",
        among=lambda d: teams.extended_direct_encounter(name, forfeits="P" in d.modifiers),
        modifiers="P",
        teams_only=True,
    )


_CODES: Final[dict[str, _Code]] = {
    "DE": _Code("6", among=lambda d: direct_encounter(forfeits="P" in d.modifiers), modifiers="P",
                game_points=True),
    "WIN": _Code("7.1", lambda _: own_record.wins),
    "WON": _Code("7.2", lambda d: own_record.games_won(d.edition)),
    "BPG": _Code("7.3", lambda d: own_record.games_with_black(d.edition, won=False)),
    "BWG": _Code("7.4", lambda d: own_record.games_with_black(d.edition, won=True)),
    "PS": _Code("7.5", lambda d: own_record.progressive_scores(d.cut.least), modifiers="C",
                game_points=True),
    "REP": _Code("7.6", lambda d: own_record.rounds_elected(d.edition)),
    "GE": _Code("7.6", lambda d: own_record.rounds_elected(d.edition)),
    "STD": _Code("7.7", lambda _: own_record.standard_points),
    "TPN": _Code(
        "7.8",
        lambda d: own_record.pairing_number(reversed_="R" in d.modifiers),
        modifiers="R",
    ),
    "BH": _Code("8.1", lambda d: opposition.buchholz(d.reading, d.cut), modifiers="CMPF",
                game_points=True),
    "AOB": _Code("8.2", lambda d: opposition.average_buchholz(d.reading), modifiers="F",
                 game_points=True),
    "FB": _Code("8.3", lambda d: opposition.buchholz(d.reading, d.cut), modifiers="CMP",
                game_points=True),
    "SB": _Code("9.1", lambda d: opposition.sonneborn_berger(d.reading, d.cut),
                modifiers="CP", game_points=True),
    "KS": _Code("9.2", lambda d: opposition.koya(d.modifiers.get("L", 0)), modifiers="L",
                game_points=True),
    "ARO": _Code("10.1", lambda d: opponents_ratings.average_rating(d.ratings, d.cut),
                 modifiers="CMU"),
    "TPR": _Code("10.2", lambda d: opponents_ratings.performance_rating(d.ratings),
                 modifiers="U"),
    "PTP": _Code("10.3", lambda d: opponents_ratings.perfect_performance(d.ratings),
                 modifiers="U"),
    "APRO": _Code(
        "10.4",
        lambda d: opponents_ratings.average_of_opponents(
            d.ratings, opponents_ratings.performance_rating
        ),
        modifiers="U",
    ),
    "APPO": _Code(
        "10.5",
        lambda d: opponents_ratings.average_of_opponents(
            d.ratings, opponents_ratings.perfect_performance
        ),
        modifiers="U",
    ),
    "RTNG": _Code(
        "10.6",
        lambda d: opponents_ratings.own_rating(d.ratings, reversed_="R" in d.modifiers),
        modifiers="RU",
    ),
    "BC": _Code("12.1", lambda _: teams.board_count, teams_only=True,
                unfair=teams.unequal_game_points),
    "TBR": _Code("12.2", lambda _: teams.top_boards, teams_only=True),
    "BBE": _Code("12.3", lambda _: teams.bottom_boards, teams_only=True),
    "MPVGP": _Code("13.1", lambda _: teams.other_score, teams_only=True),
    "EMMSB": _extended_sonneborn_berger("M", "M", "13.2.1"),
    "EMGSB": _extended_sonneborn_berger("M", "G", "13.2.2"),
    "EGMSB": _extended_sonneborn_berger("G", "M", "13.2.3"),
    "EGGSB": _extended_sonneborn_berger("G", "G", "13.2.4"),
    **{name: _extended_direct_encounter(name) for name in teams.BEHIND},
    "SSSC": _Code("13.4", lambda d: teams.strength_combination(d.reading, d.modifiers.get("K")),
                  modifiers="PKF", teams_only=True),
}  # fmt: skip

CODES: Final = tuple(_CODES)

_BUCHHOLZ: Final = frozenset(("BH", "AOB", "FB"))
"""8: not for round robins."""


def is_of_fide(text: str) -> bool:
    """Whether a code has a name of article 5, whatever follows it.

    >>> is_of_fide("bh/c1"), is_of_fide("median")
    (True, False)
    """
    name = re.split(r"[:/-]", text.strip().upper(), maxsplit=1)[0]
    return name in _CODES


def fide_tie_break(text: str, first_day: dt.date, system: System) -> TieBreak:
    """Returns a tie-break of C.07 by its code.

    Args:
        text: the code with its modifiers.
        first_day: the day on which the tournament began; it chooses the edition.
        system: how it is paired.

    Raises:
        InputRefused: there is no such code, a modifier does not go with it, or it is not for such
            a tournament.
    """
    written = _HYPHEN.sub("/", text.strip().upper())
    found = _DESCRIPTOR.fullmatch(written)
    name = found[1] if found else written
    if found is None or name not in _CODES:
        raise InputRefused("fide.unknown_code", code=text, known=", ".join(CODES))
    code = _CODES[name]
    _admit_system(text, name, code, found[2], system)
    descriptor = Descriptor(name, _modifiers(text, found[3], code), edition_of(first_day))
    each = code.made(descriptor) if code.made else None
    among = code.among(descriptor) if code.among else None
    if found[2] == "GP":
        each = each and teams.each_by_game_points(each)
        among = among and teams.among_by_game_points(among)
    return TieBreak(
        code=written.replace("MPVGP", "MPvGP"),
        article=descriptor.edition.article(code.article),
        each=each,
        among=among,
        again=among is not None,
        unfair=code.unfair,
    )


def _admit_system(text: str, name: str, code: _Code, points: str | None, system: System) -> None:
    """Refuses a code that is not for tournaments of a system."""
    if (code.teams_only or points) and system is not System.TEAM_SWISS:
        raise InputRefused("fide.for_teams", code=text)
    if points not in (None, "MP", *(("GP",) if code.game_points else ())):
        raise InputRefused("fide.unknown_code", code=text, known=", ".join(CODES))
    if name in _BUCHHOLZ and system in (System.ROUND_ROBIN, System.MATCH):
        raise InputRefused("fide.not_in_round_robin", code=text)


def _modifiers(text: str, written: str, code: _Code) -> dict[str, int]:
    """Reads modifiers; refuses those that do not go with a code, and the same twice."""
    modifiers: dict[str, int] = {}
    for letter, number in _MODIFIER.findall(written):
        fits = _NUMBER.get(letter, _NO_NUMBER).fullmatch(number)
        if letter not in code.modifiers or not fits:
            known = " ".join(f"/{one}" for one in code.modifiers) or "-"
            raise InputRefused(
                "fide.modifier", code=text, modifier=f"/{letter}{number}", known=known
            )
        if letter in modifiers or {letter, *modifiers} >= {"C", "M"}:
            raise InputRefused("fide.modifier_twice", code=text)
        modifiers[letter] = int(number or 1)
    return modifiers
