"""How many rounds an event has: asked for where the pairing needs it, changed for a reason."""

from __future__ import annotations

import pytest

from ledger.answers.tournaments import require_tournament
from ledger.errors import InputRefused
from ledger.facts.tournament import TournamentRecord
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.results import Result
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from tests.ledgers import do, empty_ledger, games, import_text, request
from tests.reports.test_standings import DAY

DUTCH, BERGER, MANUAL = PairingMethod.DUTCH, PairingMethod.BERGER, PairingMethod.FENAMAC_1975


def opened(rounds: int | None, players: int = 4, system: System = System.SWISS) -> Ledger:
    """An event T without rules, in which A, B, C … are entered."""
    ledger = empty_ledger()
    ids = "ABCDEFGH"[:players]
    import_text(ledger, "id;name\n" + "".join(f"{one};Player {one}\n" for one in ids))
    do(
        ledger,
        c.OpenTournament(
            tournament="T", name="Open", starts_on=DAY, ends_on=DAY, system=system,
            rate_of_play=Rate.CLASSICAL, rounds=rounds,
        ),
        *(c.EnterPlayer(tournament="T", player=player) for player in ids),
    )  # fmt: skip
    return ledger


def rules(pairing: PairingMethod = MANUAL, **said: object) -> c.AnnounceRules:
    return c.AnnounceRules(tournament="T", pairing=pairing, **said)  # type: ignore[arg-type]


def shortened(rounds: int) -> c.ChangeRounds:
    return c.ChangeRounds(tournament="T", rounds=rounds)


def record_of(ledger: Ledger) -> TournamentRecord:
    return require_tournament(ledger, "T", ledger.journal.head().seq)


def play(ledger: Ledger, *, results: bool = True) -> None:
    """Pairs the next round; White wins everywhere."""
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    said = [(board.board, Result.parse("1-0")) for board in sheet.boards]
    if results:
        do(ledger, *board_results(ledger, "T", sheet.round, said))


def refusal(ledger: Ledger, command: c.Command) -> tuple[str, str]:
    head = ledger.journal.head().seq
    with pytest.raises(InputRefused) as refused:
        do(ledger, command)
    assert ledger.journal.head().seq == head
    return refused.value.message.key, refused.value.within("en")


@pytest.mark.parametrize("said", [rules(DUTCH), rules(MANUAL, acceleration="baku")])
def test_the_number_is_asked_for_where_the_pairing_needs_it(said: c.AnnounceRules) -> None:
    ledger = opened(None)
    key, sentence = refusal(ledger, said)
    assert key == "desk.rounds_not_announced"
    assert "--rounds" in sentence
    with_rounds = c.AnnounceRules(tournament="T", pairing=said.pairing, rounds=3)
    do(ledger, with_rounds)
    assert record_of(ledger).version.rounds == 3
    play(ledger, results=False)


def test_a_pairing_that_never_needs_it_asks_for_none() -> None:
    ledger = opened(None)
    do(ledger, rules())
    play(ledger)
    assert record_of(ledger).version.rounds is None


def test_an_event_that_was_opened_without_a_number_is_not_paired_by_a_guess() -> None:
    """Ledgers of earlier versions have Dutch events without one."""
    ledger = opened(3)
    do(ledger, rules(DUTCH))
    play(ledger)
    about = record_of(ledger).version
    fields = {name: getattr(about, name) for name in ("name", "starts_on", "ends_on", "system")}
    rate = about.rate_of_play
    do(ledger, c.CorrectTournament(tournament="T", **fields, rate_of_play=rate, rounds=None))
    with pytest.raises(InputRefused) as refused:
        play(ledger)
    assert refused.value.message.key == "desk.rounds_unknown"
    assert "tournament rules T --rounds" in refused.value.within("en")
    do(ledger, c.AnnounceRounds(tournament="T", rounds=3))
    play(ledger)


def test_an_event_is_shortened_and_extended_for_a_reason() -> None:
    ledger = opened(3)
    do(ledger, rules())
    play(ledger)
    assert refusal(ledger, c.AnnounceRounds(tournament="T", rounds=2))[0] == (
        "desk.rounds_need_reason"
    )
    do(ledger, shortened(2))
    play(ledger)
    with pytest.raises(InputRefused) as refused:
        play(ledger)
    assert refused.value.message.key == "pairing.no_such_round"
    do(ledger, shortened(3))
    play(ledger)
    assert record_of(ledger).desk.last_round == 3


def test_rules_and_rounds_are_changed_together() -> None:
    ledger = opened(3)
    do(ledger, rules())
    play(ledger)
    said = c.ChangeRules(tournament="T", pairing=MANUAL, tie_breaks=("median",), rounds=2)
    do(ledger, said)
    assert record_of(ledger).version.rounds == 2
    assert refusal(ledger, said)[0] == "desk.rules_unchanged"
    do(ledger, c.ChangeRules(tournament="T", pairing=MANUAL, tie_breaks=("median",), rounds=3))
    assert record_of(ledger).version.rounds == 3
    assert len(record_of(ledger).desk.announcements) == 2


def test_a_running_event_that_was_imported_gets_its_number() -> None:
    ledger = empty_ledger()
    import_text(ledger, "id;name\n" + "".join(f"{one};Player {one}\n" for one in "ABCD"))
    import_text(ledger, games("T", "1,,A,B,1-0", "1,,C,D,1-0"))
    assert refusal(ledger, rules(DUTCH))[0] == "desk.rounds_not_announced"
    do(ledger, c.AnnounceRounds(tournament="T", rounds=2))
    do(ledger, shortened(3))
    do(ledger, rules(DUTCH))
    play(ledger)
    assert record_of(ledger).desk.last_round == 2
    do(ledger, shortened(2))
    assert refusal(ledger, shortened(1))[0] == "desk.rounds_in_use"


def test_a_number_that_makes_no_sense_is_refused() -> None:
    ledger = opened(3)
    do(ledger, rules())
    assert refusal(ledger, shortened(3))[0] == "desk.rounds_unchanged"
    play(ledger)
    play(ledger, results=False)
    key, sentence = refusal(ledger, shortened(1))
    assert key == "desk.rounds_in_use"
    assert "round 2 is published" in sentence
    do(ledger, c.CloseTournament(tournament="T", on=DAY, anyway=True))
    assert refusal(ledger, shortened(2))[0] == "desk.closed"


def test_tables_are_shortened_only() -> None:
    ledger = opened(None, 4, System.ROUND_ROBIN)
    do(ledger, rules(BERGER))
    play(ledger)
    for rounds in (4, 6):
        assert refusal(ledger, shortened(rounds))[0] == "desk.rounds_of_table", rounds
    do(ledger, shortened(2))
    play(ledger)
    with pytest.raises(InputRefused) as refused:
        play(ledger)
    assert refused.value.message.key == "pairing.no_such_round"


def test_published_rounds_stay_accelerated_as_they_were() -> None:
    ledger = opened(8, 8)
    do(ledger, rules(DUTCH, acceleration="baku"))
    play(ledger)
    play(ledger)
    assert refusal(ledger, shortened(4))[0] == "desk.rounds_accelerated"
    do(ledger, shortened(7))


def test_the_id_of_an_annulled_tournament_is_not_given_again() -> None:
    ledger = opened(3)
    do(ledger, c.RuleOnTournament(tournament="T", ruling="annul", on=DAY))
    again = c.OpenTournament(
        tournament="T", name="Open", starts_on=DAY, ends_on=DAY, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    key, sentence = refusal(ledger, again)
    assert key == "tournament.annulled"
    assert "under another id" in sentence
