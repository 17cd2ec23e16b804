"""Spellings of time controls: real ones by hand, all words of the vocabulary, and the grammar.

The minutes are those for 60 moves, worked out by hand.
"""

# ruff: noqa: E501

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.time_controls import OtherRateOfPlay, other_rates_of_play
from ledger.errors import InputRefused
from ledger.events.tournaments import ReportDetails
from ledger.intake.imports import Document, import_document
from ledger.operations import commands as c
from ledger.terms import Rate, System
from ledger.time_control import (
    _VOCABULARY,
    Increment,
    TimeControl,
    TimePeriod,
    rate_of_play_of,
    read_coded_time_control,
    read_time_control,
)
from tests.intake.trf.writing import file, player
from tests.ledgers import NOW, do, empty_ledger, request
from tests.profile import CHANCES, examples

MINUTES_OF = """\
75 minutes for 90 moves=75
60 moves in 30 min=30
40 moves in 60 min=60
40/30 + 15=45
40/75 + 15 min + 30 s=120
40/90 + 15 min=105
36/90 + 20 min + 15 s=125
40/75+15'+30"=120
40/90 + 30 min + 30 s=150
40/90, SD/30; +30=150
1h30 + 30s=120
1h30+30s=120
G/90;inc30=120
90:30=120
90 Min. 40 Züge + 30 Min. + 30 Sek. Zugabe=150
120/40 + 60/20 + 30=180
90 min + 30 sec=120
90'+30"=120
90' + 30''=120
90’ + 30”=120
90´+30´´=120
90′+30″=120
90 min/40 moves + 30 min + 30 sec inc=150
90 min/40 moves + 30 min + 30 sec/move=150
90 min/40 moves + 30 min + 30 sec per move from move 1=150
90min/40mv+30min/end+30s/mv=150
90 minutes for 40 moves + 30 minutes + 30 seconds per move starting from move one=150
90 minutes for the first 40 moves, followed by 30 minutes for the rest of the game with an addition of 30 seconds per move starting from move one=150
100 minutes for 40 moves, 50 minutes for the next 20 moves, 15 minutes for the rest of the game plus 30 seconds per move from the first move=180
100'x40mm + 50'x20mm + 30" from move 1=180
100'×40+15'+30" from move 1=145
15+10=25
3+2=5
25+10=35
5 min=5
5 Min=5
60 Min=60
60 min=60
59 min=59
10 min=10
G/60 d5=65
G/60;d5=65
G60;d5=65
G/90 +30=120
G/90; +30=120
Game/60; d5=65
Game in 60 minutes, 5 second delay=65
G/25 inc 10=35
G/30;d5=35
G/5;d0=5
40/90;SD/30;d10=130
40/90, SD/30, inc/30=150
40/90;SD/30;inc30=150
40/90;SD30+30=150
40/100 SD/30 +30=160
40/120, 20/60, SD/30=180
40/120;SD/60;d5=185
30/90, SD/60;d5=155
30/90 SD/60=150
40/2h, 20/1h, SD/30=180
2h/40 + 1h=180
40/2h + 1h=180
2h=120
2 h=120
2 hours=120
1.5h=90
1,5 h=90
1½ h + 30 s=120
1h 30 min + 30 s=120
1 h 30 + 30 s=120
1 hour 30 minutes + 30 seconds per move=120
1:30 + 30 s=120
1:30:00 + 0:30=120
1:30:00 + 0:00:30=120
0:25:00+0:00:10=35
0:15 + 10 s=25
5400+30=120
900+10=25
300+3=8
600=10
40/5400+30:1800+30=150
40/7200:3600=180
25m+10s=35
25m10s=35
15m+10s=25
25 min + 10 s=35
15 minutes + 10 seconds=25
15 min + 10 sec/move=25
15 min plus 10 sec=25
15 Minuten + 10 Sekunden pro Zug=25
10 min + 5 seg por jugada=15
10 minutos + 5 segundos por jugada=15
90 minutos + 30 segundos de incremento por jugada=120
90 minutos con 30 segundos de incremento=120
90 min. + 30 seg. de incremento desde la jugada 1=120
90 min + 30 seg acumulativos=120
90 minutos para 40 jugadas + 30 minutos + 30 segundos por jugada=150
40 jugadas en 90 minutos + 30 min + 30 seg=150
90 min pour 40 coups + 30 min + 30 s par coup=150
40 coups en 1h30 + 30 min KO + 30 s/coup=150
1h30/40 coups + 30 min + 30s/coup=150
1h30/40cps+30m+30s=150
1h50 + 10s=120
50 min + 10 s/coup=60
12 min + 3 s=15
60 minutes K.O.=60
61 min + 30s=91
Cadence: 1h30 + 30 s par coup=120
1h30 avec 30 secondes d'incrément par coup=120
90 minuti + 30 secondi a mossa=120
90' + 30" a mossa=120
90 minuti per 40 mosse + 30 minuti + 30 secondi per mossa=150
40 mosse in 90 min + 30 min + 30 sec=150
90 min + 30 s de bonificación por movimiento=120
90 minutos + 30 segundos por lance=120
90 minutos para 40 lances + 30 minutos + 30 segundos de acréscimo por lance=150
90 min + 30 seg por lance desde o primeiro lance=120
2 Std. für 40 Züge + 30 Min. Rest=150
2 Stunden/40 Züge + 30 Minuten=150
90 Min/40 Züge + 15 Min Rest + 30 Sek/Zug=135
90 Minuten für 40 Züge, danach 15 Minuten für den Rest der Partie, 30 Sekunden pro Zug ab dem ersten Zug=135
100 min/40 Züge + 50 min/20 Züge + 15 min + 30 s/Zug ab Zug 1=180
40 Züge in 90 Minuten + 30 Minuten + 30 Sekunden je Zug=150
40 Z./90 Min. + 30 Min. + 30 Sek.=150
90'/40+15'+30"=135
90'/40 + 30' + 30''=150
90'/40 moves+30'+30"=150
90' 40 moves + 30' + 30"=150
90'+30''/40 moves + 30'+30''=150
90/40 + 30 + 30=150
90/40+15+30=135
90+30=120
90 + 30=120
60+30=90
120 min=120
120'=120
75 min=75
45+15=60
45 + 15=60
50+10=60
30 min=30
30'=30
30' + 0=30
20'+5"=25
12'+3"=15
8+2=10
10+0=10
3'+2''=5
3 min + 2 sec=5
5'=5
5’=5
5 Minuten=5
5 min. K.O.=5
2+1=3
1+0=1
15|10=25
15/10=25
3/2=5
25/10=35
90 | 30=120
Rapid 15+10=25
Blitz: 3+2=5
Standard: 90 min + 30 s=120
Fischer 90+30=120
90+30 (Fischer)=120
Rapid (15 min + 10 s)=25
G/15=15
G/120=120
SD/60=60
40/120=120
40/90=90
40/90 + 30=120
40/90 + 30 + 30=150
40/60 + 30=90
40/80, 20/40, 15 + 30s from move 1=150
40/100, 20/50, 15+30=180
40/100 + 20/50 + 15' + 30''/move from move 1=180
120 min/40 moves + 60 min/20 moves + 15 min + 30 s from move 61=180
120 minutes for 40 moves, then 60 minutes with 30 seconds from move 41=190
40/100+50'+30''=180
45 min + 15 s=60
1h + 30s=90
1h+30''=90
1 hora + 30 seg=90
2h00=120
1h00 + 30s=90
0h30=30
1h=60
60 min + 30 s/mov=90
60 min + 30 s x jugada=90
60'+30'' por jug.=90
180 min=180
40/40 + 30=70
40/30+10=40
20/40 + 15=35
30-minute game with 5-second increment=35
90 min + 30 s per move=120
1 min/move + 10 min=70
5 + 3=8
10 + 5=15
10'+5"=15
7 min=7
G/45;d5=50
G/80 d10=90
G/40 inc5=45
40/80, SD/30; d30=140
G/3;+2=5
G/3 inc/2=5
120 minutes for the first 40 moves + 30 minutes for the remaining moves, increment 30 seconds=180
Time control: 90 min + 30 s=120
Bedenkzeit: 90 Min + 30 Sek=120
Ritmo de juego: 90 min + 30 seg=120
90 min, 30 sec=120
90 min; 30 sec=120
90min+30sec=120
90min 30sec=120
90 mins + 30 secs=120
90 m + 30 s=120
90m + 30s/mv=120
90 Min + 30 Sek/Zug=120
90 min und 30 s=120
90 minutos más 30 segundos por movimiento=120
25 minutos + 10 seg. x mov.=35
1 Stunde=60
1 Std 30 Min + 30 Sek=120
20 min + 10 s=30
13'+2''=15
13 min + 2 s=15
6+4=10
G/120, d/5=125
G/90, i/30=120
15 min sin incremento=15
15 min ohne Zugabe=15
90 min + 30 seg p/mov=120
90m+30s/m=120
90 min + 30 s from the start=120
75 Minuten für die ganze Partie, zuzüglich 30 Sekunden pro Zug=105
2 Stunden für 40 Züge, danach 30 Minuten für den Rest der Partie=150
90 Minuten für die ersten 40 Züge und 30 Minuten für den Rest der Partie + 30 Sekunden je Zug ab dem 1. Zug=150
90 min KO=90
40/7200:20/3600:900+30=180
90 min for 40 moves, plus 30 min for the rest, 30 sec per move=150
40 mv / 90 min + 30 min + 30 s/mv=150
90min + 30sec/move=120
90 mins / 40 moves + 30 mins + 30 sec from move 1=150
90 min. / 40 moves, 30 min. / rest, 30 sec. / move=150
90 minutes/40 moves + 30 minutes/game + 30 seconds increment=150
90 min/40mv + 15 min + 30 sec inc=135
90' / 40 + 30' / fin + 30"=150
90´+ 30´´/jug=120
90 min + 30 sec. Fischer=120
90 min+30 seg/jugada desde la 1ª jugada=120
90 min + 30 s desde el inicio=120
90 min + 30" por jugada desde el primer movimiento=120
90 minutos a finish + 30 segundos=120
60 minutos a finish=60
15 minutos a finish=15
15 min. a caida de bandera=15
15 min KO=15
30 min K.O.=30
2 horas para 40 jugadas y 1 hora a finish=180
2 h 40 jugadas + 1 h finish=180
1 h 30 min + 30 s=120
1h30min+30s=120
1h30m + 30s=120
1H30 + 30S=120
1h 30' + 30''=120
1h30' + 30"=120
61 minutes + 30 s/coup=91
50mn + 10s=60
15 mn + 5 s=20
12' + 3"/mossa=15
90' x 40 mosse + 30' + 30" a mossa=150
90 min x 40 mosse + 30 min=120
2 ore per 40 mosse + 1 ora=180
30 minuti QPF=30
1h KO=60
Schnellschach 15 Min + 10 Sek=25
20 Minuten pro Spieler=20
20 Min. pro Spieler und Partie=20
90 Min / 40 Züge + 30 Min / Rest, 30 Sek / Zug=150
90 Minuten für 40 Züge + 30 Minuten für den Rest + 30 Sekunden pro Zug von Beginn an=150
40 Züge in 100 Minuten, danach 50 Minuten für 20 Züge, danach 15 Minuten, Inkrement 30 Sekunden=180
2h/40Z + 30min=150
120/40 + 30=150
100/40 + 50/20 + 15 + 30=180
100'/40 + 50'/20 + 15' + 30"/Z=180
40/100, 20/50, 15 + 30 sec=180
40/2:00, 20/1:00=180
40/90,SD/30 inc30=150
40/90, G/30; inc 30=150
40/80, SD/30, d/5=115
30/75 SD/60 d5=140
30/100, SD/30, d10=140
G/60+5=65
G/60;+5=65
G/60 +5 delay=65
G60/d5=65
G/75;d5=80
G60 d5=65
G/24;d5=29
Game 90 + 30=120
Game/90; Increment/30=120
Game in 45 min, inc. 15 sec=60
G/2 hours=120
25 min + 5 sec delay=30
25 minutes with 5 seconds delay=30
90 min with 30 sec increment=120
90 min with 30 seconds added per move=120
90 min + 30 seconds per move increment from move 1=120
90 mins plus 30 secs a move=120
all moves in 90 minutes + 30 sec/move=120
All moves in 75 min, with 15s increment=90
60 mins all moves=60
36 moves in 90 mins, 20 mins quickplay finish=110
36 moves in 100 minutes then 20 minutes to finish=120
40 moves in 120 minutes, then 20 moves in 60 minutes, then 30 minutes=180
5+0=5
10|5=15
3 | 2=5
3m+2s=5
3 min. + 2 sec.=5
3min+2s=5
3' + 2"=5
3'+2"/jugada=5
180s + 2s=5
180 sec + 2 sec=5
300 sec=5
900s=15
900 + 10=25
1500+10=35
5400 + 30=120
40/5400+30:900+30=135
40/7200+30:3600+30=210
600+5=15
7200=120
1:30'+30"=120
1:30 h + 30 s=120
1:30h/40 + 0:30h + 30s=150
01:30:00 + 00:00:30=120
00:15:00 + 00:00:10=25
01:30+30=120
1.5 h + 30 s=120
1,5 Std. + 30 Sek.=120
2 hrs=120
90 minutes + 30 second increment=120
90 Minutes + 30 Second Increments=120
90 min + 30sec bonus=120
90 min + 30 segundos de bonus=120
90 min + 30s incr.=120
90 min Guillotine=90
60min + 10sec/lance=70
60 min para cada jogador=60
10 minutos por jogador + 5 segundos=15
15 minutos por jugador=15
15 min c/u=15
15' c/u=15
15' por bando + 5" por jugada=20
Ritmo 90'+30"=120
Tempo: 90 min + 30 sec=120
TC: 90+30=120
Time limit: 90+30=120
Bedenkzeit 90 Min. + 30 Sek./Zug=120
FIDE Rapid 15'+10"=25
90' + 30" incremento=120
90' + 30" (inc)=120
90 min ; 30 sec=120
90 min & 30 sec/move=120
90min/30sec=120
90m/30s=120
15min/10sec=25
15m/10s=25
15'/10"=25
3'/2"=5
90 min - 30 sec=120
90'-30"=120
90 + 30"=120
90' + 30=120
25'+10=35
G/30=30
SD/90 +30=120
90+30/move=120
90+30 sec=120
15+10 rapid=25
blitz 5 min=5
bullet 1+0=1
90min.+30sec.=120
90Min+30Sek=120
40 moves / 90 min + SD 30 min + 30 sec. inc.=150
40 mvts en 1h30 puis 30 min, avec 30 s par mvt=150
1h30 pour 40 coups puis 30 minutes à la fin avec 30 s/coup depuis le 1er coup=150
90 minutter + 30 sekunder=120
90 min +30 sec/zet=120
"""
UNREAD = """\
48 moves in 55 min
40 moves in 30 min
40/30
40/1800
40/1800+20
30 min / 40 moves + 20 s
5
30
90/30
75/30
45/30
60/30
180+2
180
2
1+30
3:00
5:00
moves/time, increment
W300-B240
Ask the arbiter
60 min, 90 min
60 min or 90 min
90 min + 30 s, 2 rounds a day
30-60 min
30 - 60 min
90 min + 30 s + 15 s
see regulations
0
99999999
G/60, G/90
5 min, 3 min
5 rounds
2x15'
Round 1-5: 15+10
-
?

90 days
90+
G/90 +
90+30/
45 min + 15 min a day
"""
CODED = {"180", "180+2", "99999"}
"""Seconds, where record 222 has them."""


@pytest.mark.parametrize("line", MINUTES_OF.splitlines())
def test_a_real_spelling(line: str) -> None:
    text, _, minutes = line.rpartition("=")
    control = read_time_control(text)
    assert control is not None
    assert control.seconds == 60 * int(minutes)


@pytest.mark.parametrize("text", UNREAD.splitlines())
def test_what_is_not_understood_whole_is_not_judged(text: str) -> None:
    assert read_time_control(text) is None
    assert rate_of_play_of(text, None) is None
    assert not text or text in CODED or rate_of_play_of("90 min + 30 s", text) is None


SENTENCES = {
    "h": "2 {}",
    "m": "90 {} + 30 s",
    "s": "90 min + 30 {}",
    "z": "90 min for 40 {} + 30 min",
    "+": "90 min {} 30 s",
    "/": "90 min {} 40 moves + 30 min",
    ";": "90 min for 40 moves {} 30 min",
    "g": "40/90 + 30 min {}",
    "i": "90 min + {} 30",
    "^": "90 min + 30 s {} move 1",
    "p": "90 min per {} + 30 s",
    "n": "90 min {} increment",
    "#1": "90 min + 30 s from move {}",
    "": "{} 90 min + 30 s",
}
TWO_HOURS = 120 * 60


@pytest.mark.parametrize("sign", _VOCABULARY)
def test_every_word_of_the_vocabulary_stands_for_its_sign(sign: str) -> None:
    seconds = 90 * 60 if sign == "n" else TWO_HOURS
    for word in _VOCABULARY[sign].split():
        for spelling in (word, word.upper(), word.capitalize()):
            control = read_time_control(SENTENCES[sign].format(spelling))
            assert control is not None, spelling
            assert control.seconds == seconds, spelling


MOVES = ("{} moves", "{} mv", "{} Züge", "{} jugadas", "{} coups", "{} mosse", "{} lances")
TIMES = ("{} min", "{}'", "{} Min.", "{}m", "{} minutos", "{} minuti", "{}′", "{} minutes")
SECONDS = ("{} s", '{}"', "{}''", "{} sec", "{} Sek.", "{} seg", "inc {}", "{} s/move", "{} s inc")
FROM = ("from move {}", "ab Zug {}", "desde la jugada {}", "ab dem {}. Zug", "from the {}th move")
FOR = ("{} / {}", "{} for {}", "{} für {}", "{} para {}", "{} pour {}", "{} per {}")


def spelled(control: TimeControl, chance: random.Random) -> str:
    """Returns a text of the grammar for a control of whole minutes."""
    parts = []
    for period in control.periods:
        time = chance.choice(TIMES).format(period.seconds // 60)
        if period.moves is not None:
            sides = [time, chance.choice(MOVES).format(period.moves)]
            time = chance.choice(FOR).format(*chance.sample(sides, 2))
        parts.append(time)
    for increment in control.increments:
        seconds = chance.choice(SECONDS).format(increment.seconds)
        is_later = increment.from_move > 1
        parts.append(
            seconds + " " * is_later + chance.choice(FROM).format(increment.from_move) * is_later
        )
    return chance.choice((" + ", "+", " plus ", " und ")).join(parts)


def any_control(chance: random.Random) -> TimeControl:
    moves = [chance.choice((20, 30, 40)) for _ in range(chance.randrange(3))]
    periods = [TimePeriod(60 * chance.randrange(10, 130), each) for each in moves]
    periods.append(TimePeriod(60 * chance.randrange(3, 100)))
    starts = chance.choice(((), (1,), (1,), (41,), (1, 41)))
    seconds = chance.sample(range(1, 100), len(starts))
    return TimeControl(tuple(periods), tuple(map(Increment, seconds, starts)))


@examples(500)
@given(CHANCES)
def test_what_the_grammar_writes_is_read_back(chance: random.Random) -> None:
    control = any_control(chance)
    text = spelled(control, chance)
    assert read_time_control(text) == control, text


@examples(300)
@given(CHANCES)
def test_a_coded_control_is_read_back(chance: random.Random) -> None:
    control, before = any_control(chance), 0
    added = {each.from_move: each.seconds for each in control.increments}
    stages, seconds = [], 0
    for period in control.periods:
        seconds = added.get(before + 1, seconds)
        stages.append(f"{period.moves or ''}{'/' * bool(period.moves)}{period.seconds}+{seconds}")
        before += period.moves or 0
    read = read_coded_time_control(":".join(stages))
    assert read is not None
    assert read.periods == control.periods


ATOMS = [word for words in _VOCABULARY.values() for word in words.split()][::7]


@examples(1000)
@given(
    st.one_of(
        st.text(max_size=400),
        st.lists(
            st.sampled_from(
                [*ATOMS, *"0123456789+/:;,.'\"dhmsGi()^#½", " ", "90", "40", "१२", "²"]
            ),
            max_size=40,
        ).map("".join),
    )
)
def test_no_text_raises(text: str) -> None:
    for control in (read_time_control(text), read_coded_time_control(text)):
        assert control is None or 0 < control.seconds <= 12 * 60 * 60


def test_nothing_is_read_of_a_text_that_is_too_long() -> None:
    assert read_time_control("90 min" + " " * 300 + "+ 30 s") is None


GAME = (player(1, "Aguirre, Nora", "   2 w 1"), player(2, "Barrientos, Ciro", "   1 b 0"))
HEAD = ("012 Open", "042 2025/01/02", "052 2025/01/04", "092 Swiss")
TOLD = [
    (record, text)
    for record, text in product(("122", "222"), UNREAD.splitlines())
    if text.strip() and not (record == "222" and text in CODED)
]


@pytest.mark.parametrize(("record", "text"), TOLD)
def test_an_unread_time_control_is_asked_for(record: str, text: str) -> None:
    document = Document(name="r.trf", data=file(*HEAD, f"{record} {text}", *GAME))
    with pytest.raises(InputRefused) as refusal:
        import_document(empty_ledger(), document, request())
    (problem,) = refusal.value.details
    assert problem.message.key == "import.unread_time_control"
    assert problem.line == len(HEAD) + 1
    assert f"'{text}'" in problem.message.within("en")


@pytest.mark.parametrize(("rate", "is_told"), [(Rate.CLASSICAL, False), (Rate.RAPID, True)])
def test_a_rate_of_play_that_the_time_control_contradicts_is_told(
    rate: Rate, *, is_told: bool
) -> None:
    about: dict[str, Any] = {
        "tournament": "T",
        "name": "T",
        "starts_on": NOW.date(),
        "ends_on": NOW.date(),
    }
    ledger, text = empty_ledger(), "40/75 + 15 min + 30 s"
    report = ReportDetails(time_control=text)
    commands: list[c.Command] = [
        c.AnnounceTournament(**{**about, "tournament": "U"}, rate_of_play=rate, time_control=text),
        c.OpenTournament(**about, rate_of_play=rate, report=report),
        c.CorrectTournament(
            **{**about, "name": "Other"}, system=System.SWISS, rate_of_play=rate, report=report
        ),
    ]
    for command in commands:
        notes = [note.message.within("en") for note in do(ledger, command).notes]
        told = [note for note in notes if "makes it classical" in note]
        assert [text in note for note in told] == [True] * is_told


def test_tournaments_whose_time_control_reads_otherwise_are_found() -> None:
    ledger = empty_ledger()
    controls = {
        "right": ("90 min + 30 s", Rate.CLASSICAL),
        "misread": ("40/75 + 15 min + 30 s", Rate.RAPID),
        "unread": ("see regulations", Rate.RAPID),
    }
    for tournament, (text, rate) in controls.items():
        do(
            ledger,
            c.OpenTournament(
                tournament=tournament, name=tournament, starts_on=NOW.date(), ends_on=NOW.date(),
                system=System.SWISS, rate_of_play=rate, report=ReportDetails(time_control=text),
            ),
        )  # fmt: skip
    found = OtherRateOfPlay("misread", "40/75 + 15 min + 30 s", Rate.RAPID, Rate.CLASSICAL)
    assert [*other_rates_of_play(ledger)] == [found]
