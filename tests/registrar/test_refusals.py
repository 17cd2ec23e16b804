"""Given what happened, when somebody asks, then it happens, or is refused with what to do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest

from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.events.personal import Identity
from ledger.operations import commands as c
from ledger.results import Bye, Result
from ledger.service.ledger import Ledger
from ledger.terms import Rate, System
from tests.ledgers import define, do, empty_ledger, publish_period

DAY = dt.date(2010, 7, 10)
SALT = "0" * 32


def register(player: str) -> c.RegisterPlayer:
    return c.RegisterPlayer(
        player=player, identity=Identity(name=f"Name {player}"), salt=SALT, federation=None, on=DAY
    )


def game(
    round_: int, white: str, black: str, result: str, *, played_on: dt.date | None = None
) -> c.RecordGame:
    return c.RecordGame(
        tournament="T",
        round=round_,
        white=white,
        black=black,
        result=Result.parse(result),
        played_on=played_on,
    )


def correct(result: str | None, *, rating_only: bool = False) -> c.CorrectResult:
    return c.CorrectResult(
        tournament="T",
        round=1,
        white="A",
        black="B",
        result=Result.parse(result) if result else None,
        rating_only=rating_only,
    )


CLOSE = c.CloseTournament(tournament="T", on=DAY, anyway=True)


def rule(ruling: str) -> c.RuleOnTournament:
    return c.RuleOnTournament(tournament="T", ruling=ruling, on=DAY)  # type: ignore[arg-type]


def opened(tournament: str = "T", *, rounds: int | None = 5) -> c.OpenTournament:
    return c.OpenTournament(
        tournament=tournament,
        name="Torneo",
        starts_on=DAY,
        ends_on=dt.date(2010, 7, 12),
        system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
        rounds=rounds,
    )


@pytest.fixture
def ledger() -> Ledger:
    """Given: players A to D, of whom A, B and C are entered in T; round 1: A beat B."""
    ledger = empty_ledger()
    define(ledger)
    do(ledger, *(register(player) for player in "ABCD"), opened())
    do(ledger, *(c.EnterPlayer(tournament="T", player=player) for player in "ABC"))
    do(ledger, game(1, "A", "B", "1-0"))
    return ledger


Given = tuple[c.Command, ...]
REFUSED: dict[str, tuple[Given, c.Command, str]] = {
    "an unknown player": ((), c.EnterPlayer(tournament="T", player="X"), "player.unknown"),
    "an unknown tournament": (
        (),
        c.EnterPlayer(tournament="U", player="A"),
        "tournament.unknown",
    ),
    "a player who is entered already": (
        (),
        c.EnterPlayer(tournament="T", player="A"),
        "tournament.entered",
    ),
    "a starting number that is taken": (
        (),
        c.EnterPlayer(tournament="T", player="D", starting_number=1),
        "tournament.number_taken",
    ),
    "a result of a player who is not entered": (
        (),
        game(2, "A", "D", "1-0"),
        "tournament.not_entered",
    ),
    "a result of a player who withdrew": (
        (c.WithdrawPlayer(tournament="T", player="C", from_round=2),),
        game(2, "A", "C", "1-0"),
        "pairing.withdrawn",
    ),
    "a withdrawal before a game he played": (
        (),
        c.WithdrawPlayer(tournament="T", player="A", from_round=1),
        "tournament.played_after_withdrawal",
    ),
    "the same result again": ((), game(1, "A", "B", "1-0"), "pairing.recorded"),
    "another result for the pairing": ((), game(1, "A", "B", "0-1"), "pairing.other_result"),
    "both players White": ((), game(1, "B", "A", "1-0"), "pairing.paired_twice"),
    "a player paired twice in a round": ((), game(1, "A", "C", "1-0"), "pairing.paired_twice"),
    "a bye for a player who is paired": (
        (),
        c.GiveBye(tournament="T", round=1, player="A", kind=Bye.FULL),
        "pairing.paired_twice",
    ),
    "a game against himself": ((), game(2, "A", "A", "1-0"), "pairing.against_himself"),
    "a round the tournament does not have": (
        (),
        game(6, "A", "C", "1-0"),
        "pairing.no_such_round",
    ),
    "a game before the tournament": (
        (),
        game(2, "A", "C", "1-0", played_on=dt.date(2010, 7, 9)),
        "pairing.outside_dates",
    ),
    "a game after the tournament": (
        (),
        game(2, "A", "C", "1-0", played_on=dt.date(2010, 7, 13)),
        "pairing.outside_dates",
    ),
    "a correction of a pairing that is not there": (
        (),
        c.CorrectResult(tournament="T", round=2, white="A", black="B", result=None),
        "pairing.unknown",
    ),
    "a correction that changes nothing": ((), correct("1-0"), "pairing.nothing_changes"),
    "a rating-only correction that changes nothing": (
        (),
        correct("1-0", rating_only=True),
        "pairing.nothing_changes",
    ),
    "a correction without a result": ((), correct(None), "pairing.needs_result"),
    "a correction of something annulled": (
        (c.AnnulResult(tournament="T", round=1, white="A", black="B"),),
        correct("0-1"),
        "pairing.annulled",
    ),
    "anything about an annulled tournament": (
        (rule("annul"),),
        game(2, "A", "C", "1-0"),
        "tournament.annulled",
    ),
    "a result after closing": ((CLOSE,), game(2, "A", "C", "1-0"), "tournament.closed"),
    "closing twice": ((CLOSE,), CLOSE, "tournament.closed_already"),
    "accepting what is accepted": ((), rule("accept"), "tournament.accepted_already"),
    "rejecting twice": ((rule("reject"),), rule("reject"), "tournament.rejected_already"),
    "a second tournament of the same id": ((), opened(), "tournament.open_already"),
    "a player of an id that is taken": ((), register("A"), "player.registered"),
    "an order about an id that was merged away": (
        (c.MergePlayers(player="D", into="C", on=DAY),),
        c.AssignK(player="D", k=15, list=None, on=DAY),
        "player.merged",
    ),
    "merging somebody into himself": (
        (),
        c.MergePlayers(player="A", into="A", on=DAY),
        "player.merge_itself",
    ),
    "the K he has": (
        (c.AssignK(player="A", k=15, list=None, on=DAY),),
        c.AssignK(player="A", k=15, list=None, on=DAY),
        "player.has_k",
    ),
    "a K in a list that is not there": (
        (),
        c.AssignK(player="A", k=15, list="X", on=DAY),
        "list.unknown",
    ),
    "a rating that is none": (
        (),
        c.SeedRating(player="A", list="ENF", rating=0, games=0, source=None, on=DAY),
        "registrar.bad_value",
    ),
    "a definitive adjudication of a point each": (
        (),
        c.AdjudicateGame(
            tournament="T",
            round=2,
            white="A",
            black="C",
            result=Result.parse("1-1a"),
            ruling="definitive",
        ),
        "pairing.too_many_points",
    ),
    "an adjourned game that is recorded": (
        (),
        c.AdjournGame(tournament="T", round=1, white="A", black="B"),
        "pairing.recorded",
    ),
    "a name with a control character": (
        (),
        c.AwardTitle(player="A", title="XX", on=DAY),  # type: ignore[arg-type]
        "registrar.bad_value",
    ),
}


@pytest.mark.parametrize(("given", "when", "key"), REFUSED.values(), ids=REFUSED)
def test_refused(ledger: Ledger, given: Given, when: c.Command, key: str) -> None:
    do(ledger, *given)
    before = ledger.journal.head()
    with pytest.raises(LedgerError) as refusal:
        do(ledger, when)
    assert refusal.value.message.key == key
    assert ledger.journal.head() == before


ACCEPTED: dict[str, tuple[Given, c.Command, str]] = {
    "a forfeit of a player who withdrew": (
        (c.WithdrawPlayer(tournament="T", player="C", from_round=2),),
        game(2, "A", "C", "+/-"),
        "forfeit.recorded",
    ),
    "a zero bye of a player who withdrew": (
        (c.WithdrawPlayer(tournament="T", player="C", from_round=2),),
        c.GiveBye(tournament="T", round=2, player="C", kind=Bye.ZERO),
        "bye.given",
    ),
    "an adjourned game that is resumed": (
        (c.AdjournGame(tournament="T", round=2, white="A", black="C"),),
        game(2, "A", "C", "1/2-1/2"),
        "result.recorded",
    ),
    "an adjudication after a temporary one": (
        (
            c.AdjudicateGame(
                tournament="T",
                round=2,
                white="A",
                black="C",
                result=Result.parse("1-1a"),
                ruling="temporary",
            ),
        ),
        game(2, "A", "C", "1-0a"),
        "game.adjudicated",
    ),
    "a pairing again that was annulled": (
        (c.AnnulResult(tournament="T", round=1, white="A", black="B"),),
        game(1, "A", "B", "0-1"),
        "result.recorded",
    ),
    "a correction of a closed tournament": ((CLOSE,), correct("0-1"), "result.corrected"),
    "a correction for the rating only": (
        (),
        correct(None, rating_only=True),
        "result.corrected-for-rating",
    ),
    "an acceptance after a rejection": ((rule("reject"),), rule("accept"), "tournament.accepted"),
}


@pytest.mark.parametrize(("given", "when", "type_"), ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(ledger: Ledger, given: Given, when: c.Command, type_: str) -> None:
    do(ledger, *given)
    receipt = do(ledger, when)
    assert [dated.event.TYPE for dated in receipt.events] == [type_]
    assert ledger.journal.head().seq == receipt.last_seq


def test_a_refused_command_takes_the_others_with_it(ledger: Ledger) -> None:
    before = ledger.journal.head()
    with pytest.raises(InputRefused):
        do(ledger, game(2, "A", "C", "1-0"), game(2, "A", "B", "1-0"))
    assert ledger.journal.head() == before


def test_a_game_of_tomorrow_is_refused(ledger: Ledger) -> None:
    ledger.clock = lambda: dt.datetime(2010, 7, 10, tzinfo=dt.UTC)
    with pytest.raises(InputRefused) as refusal:
        do(ledger, game(2, "A", "C", "1-0", played_on=dt.date(2010, 7, 11)))
    assert refusal.value.message.key == "pairing.in_future"


class TestLists:
    def test_a_list_that_is_defined_already_is_a_conflict(self) -> None:
        ledger = empty_ledger()
        define(ledger)
        with pytest.raises(Conflict) as conflict:
            define(ledger, parameters={"method": "mean"})
        assert conflict.value.exit_code == 5

    def test_the_first_day_must_start_a_period(self) -> None:
        with pytest.raises(InputRefused) as refusal:
            define(empty_ledger(), first_on=dt.date(2010, 7, 15))
        assert dict(refusal.value.message.values)["nearest"] == dt.date(2010, 7, 1)

    @pytest.mark.parametrize(
        ("name", "value", "key"),
        [
            ("k_newest", 20, "regulation.unknown_parameter"),
            ("k_new", "many", "regulation.bad_parameter"),
            ("k_new", -1, "regulation.bad_parameter"),
            ("method", "median", "regulation.bad_parameter"),
        ],
    )
    def test_parameters_that_do_not_fit(self, name: str, value: int | str, key: str) -> None:
        with pytest.raises(InputRefused) as refusal:
            define(empty_ledger(), parameters={name: value})
        assert refusal.value.message.key == key

    def test_a_period_that_has_not_ended_is_not_published(self) -> None:
        ledger = empty_ledger()
        define(ledger)
        with pytest.raises(InputRefused) as refusal:
            publish_period(ledger, "2026-01")
        assert refusal.value.message.key == "list.not_ended"

    @pytest.mark.parametrize(
        "command",
        [
            lambda on: c.AssignK(player="A", k=20, list="ENF", on=on),
            lambda on: c.AssignK(player="A", k=20, list=None, on=on),
            lambda on: c.SeedRating(
                player="A", list="ENF", rating=1500, games=0, source=None, on=on
            ),
        ],
    )
    def test_what_changes_a_closed_list_must_be_a_correction(
        self, ledger: Ledger, command: Callable[[dt.date], c.AssignK]
    ) -> None:
        publish_period(ledger, "2010-07")
        with pytest.raises(InputRefused) as refusal:
            do(ledger, command(dt.date(2010, 7, 1)))
        assert refusal.value.message.key == "list.closed"
        do(ledger, command(dt.date(2010, 8, 1)))


def test_a_list_that_cannot_be_called_so_is_refused_with_how_it_can(ledger: Ledger) -> None:
    with pytest.raises(LedgerError) as refusal:
        define(ledger, "Lista Nacional")
    assert str(refusal.value) == (
        "list: 'Lista Nacional' cannot be recorded: letters, digits, '.', '_' and '-', "
        "as CHI or Rapid-2026"
    )
    with pytest.raises(LedgerError) as refusal:
        do(ledger, replace(register("Z"), federation="Chile"))
    assert str(refusal.value).endswith(": three capitals, as CHI")
