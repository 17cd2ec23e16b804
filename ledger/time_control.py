"""Reads a time control: the periods of a game and the increments, as records 122 and 222 say them.

The grammar, where each word stands for a sign of ``_VOCABULARY``, and noise is left out::

    control   = coded | part { separator part }        separator: "+", "," ";" ":", "and", "then"
    coded     = stage { ":" stage }                    stage: [moves "/"] seconds ["+" seconds]
    part      = period | rest | increment | number     of record 222, and of PGN
    period    = moves "/" time | time "/" moves        40/90, 90 min for 40 moves, 2h/40
    rest      = "G/" time | time ["/G"]                SD/30, 30 min for the rest of the game
    increment = ["inc"] seconds ["/move"] ["from" n]   30 s, inc 30, d5, 30 s/move from move 41
    time      = 1h30 | 90 min | 90' | 1:30 | 1:30:00 | minutes without a unit

Conventions for what a text leaves out:

- A number by itself is the minutes of the first period, or of the rest of the game where no part
  is; any other is an increment in seconds (90+30; 40/90 + 30; 40/90, SD/30, +30). Where it is the
  whole text it is minutes from 60 on.
- Of two numbers at a slash, 35, 36 and 40 are moves; so are 20, 25, 30, 45 and 50 where each move
  has a minute. All such pairs of a text have the moves on the same side. A pair alone that can
  have no moves is minutes and increment (15/10).
- Numbers of 300 or more are seconds (5400+30, 40/7200:3600).
- An increment holds in all periods, from move 1 unless the text says from which. A delay counts as
  an increment (FIDE Laws of Chess, Glossary).

A text is read whole or not at all. A word that is not known, less than 60 moves in less than
60 minutes and nothing after them (40/30), a second reading (90/30 may be 30 moves, or 30 seconds)
and parts that contradict each other give None: whoever asks must not judge.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.terms import Rate

MOVES: Final = 60
"""The moves for which the time of a player is counted."""
_CLASSICAL_FROM: Final = 60 * 60  # seconds
_BLITZ_TO: Final = 10 * 60  # seconds
_LONGEST: Final = 12 * 60 * 60  # seconds
_LONGEST_TEXT: Final = 300
_SURELY_MOVES: Final = frozenset({35, 36, 40})
_PERHAPS_MOVES: Final = frozenset({20, 25, 30, 45, 50})
_MOVES_OF_PERIOD: Final = range(10, 151)
_BARE_MINUTES: Final = range(3, 151)  # "2" may be hours, "180" seconds
_LONE_MINUTES: Final = range(60, 151)  # "30" may be an increment
_MOST_INCREMENT: Final = 119  # seconds
_MOST_PAIRED_INCREMENT: Final = 30  # seconds
_BULLET: Final = re.compile(r"[12]b\+\db")  # 2+1 is two minutes; 1+30 may be an hour and a half
_LEAST_CODED: Final = 3 * 60  # seconds: no shorter game is rated
_CODED_FROM: Final = 300  # minutes of no period, hence seconds

_VOCABULARY: Final = {
    "h": "h hr hrs hs hour hours hora horas heure heures ora ore std stunde stunden",
    "m": "m min mins minute minutes minuto minutos minuti minuten minutter mn mns '",
    "s": "s sec secs second seconds seg segs segundo segundos secondo secondi seconde secondes sek"
    " sekunde sekunden sekunder seconden sg ''",
    "z": "move moves mov movs mv mvs mm zug zuge zugen z jugada jugadas jug jugs movimiento j"
    " movimientos mvto mvtos coup coups cps mossa mosse lance lances jogada jogadas movimento"
    " movimentos mvt mvts zet zetten",
    "+": "+ plus und u and & y mas e et mais | zuzuglich zzgl",
    "/": "/ in for en para pour per por pro par fur x je cada em every p c",
    ";": ", ; : then followed dann danach anschliessend luego despues seguido seguidos puis ensuite"
    " suivi suivis poi quindi seguito depois",
    "g": "g game sd death ko knockout rest restliche restlichen restzeit resto reste remaining end"
    " remainder all alle todas todos ende fin fine final finale finish partie partida partita"
    " partieende partierest gesamte ganze verbleibende verbleibenden mate qpf guillotine termine"
    " bandera",
    "i": "i inc incr increment increments incremental incremento incrementos incrementi inkrement"
    " inkremente bonus bonif"
    " bonificacion bonificaciones bonificacao zugabe zeitzugabe zuschlag zeitzuschlag gutschrift"
    " zeitgutschrift addition additional added add extra adicional adicionales adicionais"
    " acumulativo acumulativos cumulative cumulativo abbuono ricarica acrescimo acrescimos ajout"
    " supplement supplementaire supplementaires zusatzlich dazu d delay bronstein verzogerung"
    " retardo demora",
    "^": "from ab desde des dalla dal starting since beginning partir depuis",
    "p": "player players side bando jugador jugadores spieler joueur joueurs giocatore jogador"
    " testa each chacun uno",
    "n": "no without ohne sin sans senza sem",
    "#1": "one eins primo",
    "": "the a al an on of de del dem den der die das da do della la las le les el los l du com con"
    " mit with avec von by is be time control tempo ritmo juego jeu gioco jogo cadence cadencia"
    " cadenza bedenkzeit spielzeit temps tiempo thinking reflexion first erste ersten erster erstem"
    " primer primero primera primeros primeras premier premiers premiere prima prime primi primeira"
    " primeiro primeiros next nachste nachsten siguiente siguientes suivants successive seguintes"
    " bis zum sudden quickplay fischer mode modus modo chess schach ajedrez rapid rapidplay rapido"
    " rapida rapide rapidschach schnellschach semirapide semirapid blitz blitzschach relampago"
    " lampo standard classical clasico clasica classico klassisch activo activa start anfang beginn"
    " inicio principio debut inizio to tc limit bullet fide caida",
}
_SIGN_OF: Final[Mapping[str, str]] = {
    word: sign for sign, words in _VOCABULARY.items() for word in words.split()
}
_SPELLINGS: Final = str.maketrans({
    **dict.fromkeys("’‘′´`", "'"), **dict.fromkeys('"″”“„', "''"), **dict.fromkeys("()[]", " "),
    "×": "x", "½": ".5", "ß": "ss", "º": None, "ª": None,
})  # fmt: skip
_PLAIN: Final = (
    (re.compile(r"k\.\s?o\b\.?"), "ko"),
    (re.compile(r"\bc/u\b"), " "),  # cada uno
    (re.compile(r"(?<=[a-z'])\s*[-–]\s*(?=\d+\s*(?:s|''))"), "+"),  # 90 min - 30 s
    (re.compile(r"\b[dl]'(?=[a-z])"), " "),  # d'incrément
    (re.compile(r"(?<=\w)-(?=[a-z])"), " "),  # 30-second
    (re.compile(r"(?<=[a-z])[.:]"), " "),  # min., Bedenkzeit:
    (re.compile(r"\b(\d+)(?:st|nd|rd|th|ers?|eme|[eoa.])(?= ?(?:mov|zug|coup|jug|mos))"), r"\1"),
    (re.compile(r"(?<=\d),(?=5 ?(?:h|std|stunden)\b)"), "."),
    (re.compile(r"(?<=[s'])\s*/\s*m\b"), "/mv"),
    (re.compile(r"\bo (?=primeir)"), ""),
    (re.compile(r"\b0?0:00:([0-5]\d)\b"), r"\1s"),
    (re.compile(r"\b(\d?\d):([0-5]\d):00\b"), r"\1h\2m"),
    (re.compile(r"\b0?([0-2]):([0-5]\d)(?!\d)(?:\s*(?:h|std)\b|')?"), r"\1h\2m"),
)
_TOKEN: Final = re.compile(
    r"(?P<number>\d(?![:\d])|\d{2,4}(?!\d))(?P<half>\.5)?"
    r"|(?P<word>''|[a-z]+|[+'/,;:&|])|\s+|(?P<other>.)",
    re.ASCII | re.DOTALL,
)
_HOURS: Final = re.compile(r"#(\d+)(\.5)?h(?:#(\d+)(?:m|(?![\dmsz.])))?")
_MINUTES: Final = re.compile(r"#(\d+)(\.5)?m")
_RULES: Final = (
    (re.compile(r"#(1[2-9]\d|[2-9]\d\d|\d{4})s"), r"\1t"),  # longer than an increment
    (re.compile(r"#(\d+)(?=[sz])"), r"\1"),
    (re.compile(r"#(\d+)"), r"\1b"),
    (re.compile(r"/*p"), ""),
    (re.compile(r"\+(?=g(?![/\d]))"), ""),  # per player and game
    (re.compile(r"/?g(?:/?g|z)*"), "g"),  # the rest of the game, all moves
    (re.compile(r"\^[\^/]*"), "^"),
    (re.compile(r"ii+"), "i"),
    (re.compile(r"//+"), "/"),
    (re.compile(r"[+;]*ni"), ""),  # no increment
    (re.compile(r"(?<=[tb])/(?=[1-6]?\ds|i/?\d)"), ";"),  # 90 min / 30 s
    (re.compile(r"(\d+[tb]/?\d+z|\d+z/?\d+[tb])(?=[\dgi])"), r"\1;"),
    (re.compile(r"(?<=[tzbsg])(?=\d+s|i/?z?/?\d|g/?\d+[tb])"), ";"),
)
_PART: Final = re.compile(r"([+;]*)([^+;]+|(?<=\+)$)")
_PAIR: Final = re.compile(r"(\d+)([tzb])(/?)(\d+)([tzb])")
_REST: Final = re.compile(r"(?:g/?)?(?P<seconds>\d+)tg?|g/?(?P<minutes>\d+)b|(?P<before>\d+)bg")
_NUMBER: Final = re.compile(r"(\d+)b")
_INCREMENT: Final = re.compile(
    r"(?:i/?z?/?)?(\d+)(?:[sb]|t(?=/?z))(?:/(\d+)z)?(?:/?z)?i?(?:/?z)?(?:\^(?:z(\d+)b|(\d+)z|z)?)?"
)
_RATES: Final = (
    (Rate.BLITZ, re.compile(r"blitz|rel[aá]mpago", re.IGNORECASE)),
    (Rate.RAPID, re.compile(r"rapid|r[aá]pid[oa]|activ[eo]", re.IGNORECASE)),
    (Rate.CLASSICAL, re.compile(r"standard|classical|cl[aá]sic[oa]", re.IGNORECASE)),
)
_STAGE: Final = re.compile(r"(?:(\d{1,3})/)?(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimePeriod:
    """The ``seconds`` of a number of ``moves``; None: of the rest of the game."""

    seconds: int
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class Increment:
    """The seconds that each move adds, from a move on until another increment holds."""

    seconds: int
    from_move: int = 1


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The periods of a game in their order, and the increments in the order of their moves."""

    periods: tuple[TimePeriod, ...]
    increments: tuple[Increment, ...] = ()

    @property
    def seconds(self) -> int:
        """The seconds of a player for 60 moves: all periods that they reach, and increments."""
        total = before = 0
        for period in self.periods:
            total += period.seconds if before < MOVES else 0
            before += period.moves or 0
        ends = [*(increment.from_move for increment in self.increments[1:]), MOVES + 1]
        for increment, end in zip(self.increments, ends, strict=False):
            moves = min(end, MOVES + 1) - increment.from_move
            total += increment.seconds * max(0, moves)
        return total

    @property
    def is_whole(self) -> bool:
        """Whether the time for 60 moves is known, or is classical whatever the rest of it is."""
        moves = [period.moves for period in self.periods]
        is_known = None in moves or sum(filter(None, moves)) >= MOVES
        return 0 < self.seconds <= _LONGEST and (is_known or self.seconds >= _CLASSICAL_FROM)

    @property
    def rate_of_play(self) -> Rate:
        """The rate of play by the time for 60 moves (FIDE Laws of Chess, Appendices A and B).

        60 minutes or more are classical, 10 or less blitz, anything between rapid.
        """
        if self.seconds >= _CLASSICAL_FROM:
            return Rate.CLASSICAL
        return Rate.BLITZ if self.seconds <= _BLITZ_TO else Rate.RAPID


def rate_of_play_of(words: str | None, coded: str | None) -> Rate | None:
    """Return the rate of play of a tournament; None where nobody can tell it.

    ``words`` are record 122, ``coded`` is record 222. A rate of play that the words name counts
    where the time control is not understood; where both contradict each other none is right.
    """
    names, control = named_rates(words or ""), time_control_of(words, coded)
    if control is not None:
        return control.rate_of_play if names <= {control.rate_of_play} else None
    return names.pop() if len(names) == 1 else None


def named_rates(words: str) -> set[Rate]:
    """Return the rates of play that words name."""
    return {rate for rate, word in _RATES if word.search(words)}


def time_control_of(words: str | None, coded: str | None) -> TimeControl | None:
    """Return the time control that record 222 says, or where there is none record 122."""
    if coded and coded.strip():
        control = read_coded_time_control(coded)
        # "90+30" would be seconds, and is more likely minutes at the wrong place.
        is_clear = control is None or control.periods[0].seconds >= _LEAST_CODED
        return (control or read_time_control(coded)) if is_clear else None
    return read_time_control(words or "")


def coded_time_control(records: Iterable[str] | None) -> str | None:
    """Return the text of record 222 among lines of a report."""
    coded = (record.removeprefix("222") for record in records or () if record.startswith("222"))
    return next(coded, "").strip() or None


def read_time_control(text: str) -> TimeControl | None:
    """Return the time control that a text says; None where it is not understood whole.

    >>> control = read_time_control("40/90 + 30 min + 30 s")
    >>> control.seconds // 60
    150
    """
    control = read_coded_time_control(re.sub(r"\s*([+/:])\s*", r"\1", text))
    if control is None or any(period.seconds < _CODED_FROM for period in control.periods):
        control = _time_control(_parts(text))
    return control if control and control.is_whole else None


def read_coded_time_control(text: str) -> TimeControl | None:
    """Return the time control that record 222 says, in seconds; None where it is in words."""
    stages = [_STAGE.fullmatch(stage) for stage in text.strip().split(":")]
    periods, increments, before = list[TimePeriod](), list[Increment](), 0
    for stage in stages:
        if stage is None or (stage[1] is None and stage is not stages[-1]):
            return None
        moves, seconds = (int(stage[1]) if stage[1] else None), int(stage[3] or 0)
        periods.append(TimePeriod(int(stage[2]), moves))
        if seconds != (increments[-1].seconds if increments else 0):
            increments.append(Increment(seconds, before + 1))
        before += moves or 0
    control = TimeControl(tuple(periods), tuple(increments))
    return control if control.is_whole else None


def _parts(text: str) -> list[tuple[str, str]]:
    """Return the parts of a text in signs, each with its separator; none for an unknown word.

    A number has ``t`` after it for the seconds of a period, ``s`` for those of an increment, ``z``
    for moves, ``b`` where the text says nothing.
    """
    plain = unicodedata.normalize("NFD", text[: _LONGEST_TEXT + 1].translate(_SPELLINGS).lower())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    for pattern, spelling in _PLAIN:
        plain = pattern.sub(spelling, plain)
    signs = ""
    for token in _TOKEN.finditer(plain):
        if token["other"] or (token["word"] or "+") not in _SIGN_OF:
            return []
        signs += f"#{token['number']}{token['half'] or ''}" if token["number"] else ""
        signs += _SIGN_OF[token["word"]] if token["word"] else ""
    signs = _HOURS.sub(lambda time: _in_seconds(time, 3600, int(time[3] or 0)), signs)
    signs = _MINUTES.sub(lambda time: _in_seconds(time, 60), signs)
    for pattern, spelling in _RULES:
        signs = pattern.sub(spelling, signs)
    return _PART.findall(signs) if len(text) <= _LONGEST_TEXT else []


def _in_seconds(time: re.Match[str], unit: int, minutes: int = 0) -> str:
    """Return a time in signs; ``unit`` is what its number counts, in seconds."""
    half = unit // 2 if time[2] else 0
    return f"{int(time[1]) * unit + half + 60 * minutes}t"


def _time_control(parts: Sequence[tuple[str, str]]) -> TimeControl | None:
    """Return the time control that parts make together; None where one is not understood."""
    periods, increments = list[TimePeriod](), dict[int, int]()
    parts = _separate_lone_pair(parts)
    pairs = {part: _readings(pair) for _, part in parts if (pair := _PAIR.fullmatch(part))}
    side = _side_of_moves(pairs.values())
    has_rest = any(_REST.fullmatch(part) for _, part in parts)
    for index, (separator, part) in enumerate(parts):
        is_over = bool(periods) and periods[-1].moves is None
        if part in pairs and side and not is_over:
            periods.append(pairs[part][side])
        elif (rest := _REST.fullmatch(part)) and (separator == "+" or not is_over):
            periods.append(TimePeriod(int(rest[1] or 60 * int(rest[2] or rest[3]))))
        elif _NUMBER.fullmatch(part) and (index == 0 or not has_rest):
            usual = _BARE_MINUTES if len(parts) > 1 else _LONE_MINUTES
            if index == 0 and int(part[:-1]) not in usual and not _is_bullet(parts):
                return None
            periods.append(TimePeriod(60 * int(part[:-1])))
            has_rest = True
        elif (addition := _INCREMENT.fullmatch(part)) and int(addition[1]) <= _MOST_INCREMENT:
            if addition[2]:  # 90 min + 30 s / 40 moves
                if not is_over or int(addition[2]) not in _MOVES_OF_PERIOD:
                    return None
                periods[-1] = TimePeriod(periods[-1].seconds, int(addition[2]))
            from_move, seconds = int(addition[3] or addition[4] or 1), int(addition[1])
            if increments.setdefault(from_move, seconds) != seconds:
                return None
        else:
            return None
    moves = sorted(increments)
    return TimeControl(tuple(periods), tuple(Increment(increments[move], move) for move in moves))


def _readings(pair: re.Match[str]) -> dict[int, TimePeriod]:
    """Return what a pair of moves and time can say, by the side on which bare moves would be."""
    readings = dict[int, TimePeriod]()
    sides = (pair[1], pair[2]), (pair[4], pair[5])
    for side, ((number, unit), (time, unit_of_time)) in enumerate((sides, sides[::-1]), start=1):
        moves, seconds = int(number), int(time) * (60 if unit_of_time == "b" else 1)
        if unit == "z" and unit_of_time != "z" and moves in _MOVES_OF_PERIOD:
            return dict.fromkeys((1, 2), TimePeriod(seconds, moves))
        is_usual = moves in _SURELY_MOVES
        is_usual |= moves in _PERHAPS_MOVES and seconds >= 60 * moves
        if f"{unit}{pair[3]}" == "b/" and unit_of_time != "z" and is_usual:
            readings[side] = TimePeriod(seconds, moves)
    return readings


def _side_of_moves(pairs: Collection[Mapping[int, TimePeriod]]) -> int | None:
    """Return the side on which all pairs can have their moves; None where that is not known."""
    sides = [side for side in (1, 2) if all(side in readings for readings in pairs)]
    unclear = [readings for readings in pairs if len({*readings.values()}) > 1]
    if unclear and len(sides) > 1:
        sides = [
            side
            for side in sides
            if any(reading[side].moves in _SURELY_MOVES for reading in unclear)
        ]
    return sides[0] if len(sides) == 1 or (sides and not unclear) else None


def _separate_lone_pair(parts: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Return minutes and increment for a pair that is alone; no parts where it may be either."""
    pair = _PAIR.fullmatch(parts[0][1]) if len(parts) == 1 else None
    if pair is None or pair[5] != "b" or pair[2] == "z" or not pair[3]:
        return parts
    readings = _readings(pair).values()
    if not readings and int(pair[4]) <= _MOST_PAIRED_INCREMENT:
        return [("", pair[1] + pair[2]), ("+", pair[4] + pair[5])]
    return parts if any(period.moves in _SURELY_MOVES for period in readings) else []


def _is_bullet(parts: Sequence[tuple[str, str]]) -> bool:
    return _BULLET.fullmatch("".join(map("".join, parts))) is not None
