"""The report of an event at the desk passes its own check, whatever numbered it and who came late.

Its comments say what no record has: ratings for the pairing, how numbers were given, who had one
before a rating, and by which numbers a round was paired.
"""

from __future__ import annotations

import datetime as dt
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledger.desk.checker import DeviationKind
from ledger.errors import LedgerError
from ledger.events.personal import Identity
from ledger.intake.event_check import CheckedEvent, check_file, check_tournament
from ledger.intake.report_file import tournament_report
from ledger.operations import commands as c
from ledger.operations.commands import NumberParticipants, PairRound
from ledger.results import Bye, Result
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger
from ledger.service.starting_numbers import give_numbers
from ledger.terms import PairingMethod, Rate, System, TrfVersion
from tests.ledgers import do, ledger_of, request
from tests.profile import CHANCES, examples

DAY = dt.date(2025, 6, 1)
OWN = "### rating-ledger "
RESULTS = ("1-0", "1/2-1/2", "0-1", "1-0", "0-1", "+/-", "-/+")
TIE_BREAKS = {
    PairingMethod.FENAMAC_1975: ("median", "opponents-ratings"),
    PairingMethod.PRACTICAL_1975: ("solkoff",),
    PairingMethod.DUTCH: ("ARO", "BH/C1", "SB"),
    PairingMethod.BERGER: ("SB",),
}


def opened(chance: Random, pairing: PairingMethod, players: int, **rules: object) -> Ledger:
    """An event of players of whom some are in a list, some rated for the pairing, some neither."""
    ratings = (chance.choice(("", str(chance.randint(1200, 2400)))) for _ in range(players))
    ledger = ledger_of(*(f"P{n},{rating},," for n, rating in enumerate(ratings)))
    table = pairing is PairingMethod.BERGER
    opening = c.OpenTournament(
        tournament="T", name="Torneo", starts_on=DAY, ends_on=DAY, rate_of_play=Rate.CLASSICAL,
        system=System.ROUND_ROBIN if table else System.SWISS, rounds=None if table else 5,
    )  # fmt: skip
    announced = c.AnnounceRules(
        tournament="T",
        pairing=pairing,
        tie_breaks=TIE_BREAKS[pairing],
        **rules,  # type: ignore[arg-type]
    )
    do(ledger, opening, announced)
    for number in range(players):
        rated(ledger, chance, f"P{number}", share=0.3)
    return ledger


def rated(ledger: Ledger, chance: Random, player: str, share: float) -> None:
    do(ledger, c.EnterPlayer(tournament="T", player=player))
    if chance.random() < share:
        rating = chance.randint(1200, 2400)
        do(ledger, c.DescribeEntry(tournament="T", player=player, pairing_rating=rating))


def late(ledger: Ledger, chance: Random, player: str) -> None:
    identity = Identity(name=f"Player, {player}")
    said = c.RegisterPlayer(
        player=player, identity=identity, salt="0" * 32, federation="MEX", on=DAY
    )
    do(ledger, said)
    rated(ledger, chance, player, share=0.7)


def before_round(ledger: Ledger, chance: Random, round_: int, players: int) -> None:
    """Whatever may come before a round: lots, ratings anew, late entrants, leave."""
    if round_ == 1 and chance.random() < 0.2:
        give_numbers(ledger, NumberParticipants(tournament="T", lot="x"), request())
    if chance.random() < 0.3:
        late(ledger, chance, f"Q{round_}")
    if round_ == 2 and chance.random() < 0.3:
        give_numbers(ledger, NumberParticipants(tournament="T", after_first_round=True), request())
    if chance.random() < 0.3:
        player, kind = f"P{chance.randrange(players)}", chance.choice((Bye.HALF, Bye.ZERO))
        do(ledger, c.AnnounceAbsence(tournament="T", player=player, round=round_, kind=kind))


def play(ledger: Ledger, chance: Random, round_: int) -> None:
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    boards = range(1, len(sheet.boards) + 1)
    results = [(board, Result.parse(chance.choice(RESULTS))) for board in boards]
    do(ledger, *board_results(ledger, "T", round_, results))


def checked(ledger: Ledger, version: TrfVersion, list_: str | None = "ENF") -> CheckedEvent:
    return check_file(tournament_report(ledger, "T", list_, version), "T.trf")


@given(
    pairing=st.sampled_from(list(TIE_BREAKS)),
    players=st.integers(4, 12),
    rounds=st.integers(1, 5),
    version=st.sampled_from(list(TrfVersion)),
    list_=st.sampled_from(["ENF", None]),
    chance=CHANCES,
)
@example(  # an average of ratings, where one of two has a rating for the pairing only
    pairing=PairingMethod.DUTCH, players=9, rounds=1, version=TrfVersion.TRF16, list_="ENF",
    chance=Random(5254107),  # noqa: S311 - no secret
)  # fmt: skip
@examples(30)
def test_what_is_written_passes_its_own_check(
    pairing: PairingMethod,
    players: int,
    rounds: int,
    version: TrfVersion,
    list_: str | None,
    chance: Random,
) -> None:
    swiss = pairing is not PairingMethod.BERGER
    baku = "baku" if pairing is PairingMethod.DUTCH and chance.random() < 0.3 else None
    ledger = opened(chance, pairing, players, acceleration=baku)
    for round_ in range(1, rounds + 1):
        try:
            if swiss:
                before_round(ledger, chance, round_, players)
            play(ledger, chance, round_)
        except LedgerError:  # nobody left to be met, or nobody to be rated anew
            break
    found = checked(ledger, version, list_)
    assert [each.message.within("en") for each in found.differences] == []
    assert check_tournament(ledger, "T").differences == ()


@pytest.fixture
def event() -> Ledger:
    """Six by rating, P0 without one; a late Q of 2500 behind them; ratings set anew in between."""
    ledger = ledger_of("P0,,,", *(f"P{n},{2000 - 10 * n},," for n in range(1, 6)))
    opening = c.OpenTournament(
        tournament="T", name="Torneo", starts_on=DAY, ends_on=DAY, rate_of_play=Rate.CLASSICAL,
        system=System.SWISS, rounds=4,
    )  # fmt: skip
    pairing = PairingMethod.FENAMAC_1975
    announced = c.AnnounceRules(tournament="T", pairing=pairing, tie_breaks=TIE_BREAKS[pairing])
    entered = [c.EnterPlayer(tournament="T", player=f"P{n}") for n in range(6)]
    provisional = c.DescribeEntry(tournament="T", player="P0", pairing_rating=2100)
    do(ledger, opening, announced, *entered, provisional)
    chance = Random(1)  # noqa: S311 - no secret
    play(ledger, chance, 1)
    give_numbers(ledger, NumberParticipants(tournament="T", after_first_round=True), request())
    play(ledger, chance, 2)
    late(ledger, chance, "Q")
    do(ledger, c.DescribeEntry(tournament="T", player="Q", pairing_rating=2500))
    play(ledger, chance, 3)
    return ledger


@pytest.mark.parametrize("version", list(TrfVersion))
def test_comments_say_what_no_record_has(event: Ledger, version: TrfVersion) -> None:
    text = tournament_report(event, "T", "ENF", version).decode()
    own = [line.removeprefix(OWN) for line in text.splitlines() if line.startswith(OWN)]
    assert own[-5:] == [
        "pairing: fenamac-1975",
        "tie-breaks: median,opponents-ratings",
        "pairing ratings: 3=1970 7=2500",
        "numbers apart from the ratings: 7",
        "round 1 paired by numbers: 3 1 2 4 5 6",
    ]
    found = checked(event, version)
    assert found.differences == ()
    keys = [remark.key for remark in found.remarks]
    assert keys == [
        "check.pairing_ratings",
        "check.numbers_apart",
        "check.numbered_otherwise",
    ]


def test_without_its_comments_it_does_not_pass(event: Ledger) -> None:
    lines = tournament_report(event, "T", "ENF", TrfVersion.TRF26).decode().splitlines()
    plain = "".join(f"{line}\n" for line in lines if not line.startswith("###"))
    found = check_file(plain.encode(), "T.trf", PairingMethod.FENAMAC_1975)
    kinds = {each.kind for each in found.differences}
    assert kinds == {DeviationKind.NUMBERS, DeviationKind.PAIR}
