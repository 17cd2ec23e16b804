"""Given a ladder, when somebody challenges, plays or leaves, then it happens, or is refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given as holds_for
from hypothesis import strategies as st

from ledger import challenge
from ledger.answers.lists import rating_on
from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.events.personal import Identity
from ledger.identifiers import Seq
from ledger.journal.records import Commit, Draft
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ladders import make_challenge, match_of, open_ladder, show_ladder
from ledger.service.ledger import Ledger, Receipt
from ledger.terms import Rate
from ledger.views.past import PastLedger
from tests.ledgers import define, do, empty_ledger, request
from tests.profile import examples

DAY = dt.date(2010, 7, 10)
RATINGS = {"A": 2000, "B": 1900, "C": 1800, "D": 1700, "E": 1390}


def later(days: int) -> dt.date:
    return DAY + dt.timedelta(days=days)


def register(player: str) -> c.RegisterPlayer:
    return c.RegisterPlayer(
        player=player,
        identity=Identity(name=f"Name {player}"),
        salt="0" * 32,
        federation=None,
        on=DAY,
    )


def challenges(
    challenger: str,
    challenged: str,
    *,
    on: dt.date = DAY,
    tournament: str | None = None,
    override: str | None = None,
    ratings: Sequence[int | None] = (),
) -> c.MakeChallenge:
    own, other = ratings or (RATINGS.get(challenger), RATINGS.get(challenged))
    return c.MakeChallenge(
        ladder="Club",
        challenger=challenger,
        challenged=challenged,
        challenger_rating=own,
        challenged_rating=other,
        tournament=tournament or f"{challenger}{challenged}",
        name="Match",
        on=on,
        ends_on=on + dt.timedelta(days=30),
        rate_of_play=Rate.CLASSICAL,
        override=override,
    )


def plays(
    match: str,
    game: int,
    result: str,
    *,
    on: dt.date = DAY,
    reverse: bool = False,
    as_correction: bool = False,
) -> c.RecordChallengeGame:
    """The challenger has White, unless it is the other way round."""
    white, black = (match[1], match[0]) if reverse else (match[0], match[1])
    return c.RecordChallengeGame(
        ladder="Club",
        tournament=match,
        game=game,
        white=white,
        black=black,
        result=Result.parse(result),
        played_on=on,
        as_correction=as_correction,
    )


def withdraws(match: str, *, on: dt.date = DAY) -> c.WithdrawChallenge:
    return c.WithdrawChallenge(ladder="Club", tournament=match, on=on)


def settles(match: str, *, on: dt.date = DAY, as_correction: bool = False) -> c.SettleChallenge:
    return c.SettleChallenge(ladder="Club", tournament=match, on=on, as_correction=as_correction)


def joins(player: str, place: int | None = None, *, on: dt.date = DAY) -> c.JoinLadder:
    return c.JoinLadder(
        ladder="Club", player=player, rating=RATINGS.get(player), place=place, on=on
    )


def leaves(player: str, *, on: dt.date = DAY) -> c.LeaveLadder:
    return c.LeaveLadder(ladder="Club", player=player, on=on)


def corrects(match: str, game: int, result: str) -> c.CorrectResult:
    return c.CorrectResult(
        tournament=match, round=game, white=match[0], black=match[1], result=Result.parse(result)
    )


def seeds() -> list[c.Command]:
    return [
        c.SeedRating(
            player=player, list="ENF", rating=rating, games=50, source=None, on=dt.date(2010, 7, 1)
        )
        for player, rating in RATINGS.items()
    ]


@pytest.fixture
def ledger() -> Ledger:
    """Given: the ladder A B C D; E is rated and X is not, and both stand beside it."""
    ledger = empty_ledger()
    define(ledger)
    do(ledger, *(register(player) for player in "ABCDEX"), *seeds())
    open_ladder(
        ledger, "Club", list_="ENF", players="DBCA", on=DAY, as_given=False, request=request()
    )
    return ledger


def places(ledger: Ledger) -> str:
    return "".join(ledger.facts().ladders["Club"].known().places)


def types(receipt: Receipt) -> list[str]:
    return [dated.event.TYPE for dated in receipt.events]


Given = tuple[c.Command, ...]
DRAWN = (challenges("D", "C"), plays("DC", 1, "1-0"), plays("DC", 2, "0-1"))
WON_BY_HIGHER = (challenges("D", "C"), plays("DC", 1, "0-1"))
REFUSED: dict[str, tuple[Given, c.Command, str]] = {
    "one who is not on the ladder": ((), challenges("E", "D"), "ladder.not_on"),
    "somebody who is not on the ladder": ((), challenges("A", "E"), "ladder.not_on"),
    "somebody below": ((), challenges("B", "C"), "ladder.not_above"),
    "himself": ((), challenges("B", "B"), "ladder.not_above"),
    "not the nearest": ((), challenges("D", "B"), "ladder.not_nearest"),
    "not the nearest who is free": (
        (challenges("C", "B"),),
        challenges("D", "B"),
        "ladder.busy",
    ),
    "two above, where one above is free": ((), challenges("C", "A"), "ladder.not_nearest"),
    "one who is busy": ((challenges("C", "B"),), challenges("D", "C"), "ladder.busy"),
    "while he is busy himself": (
        (challenges("D", "C"),),
        challenges("D", "B"),
        "ladder.busy",
    ),
    "a rematch the next day": (DRAWN, challenges("D", "C", on=later(1)), "ladder.rematch"),
    "a rematch a day too early": (
        DRAWN,
        challenges("D", "C", on=dt.date(2010, 9, 9)),
        "ladder.rematch",
    ),
    "four hundred points": (
        (joins("E"), leaves("D"), leaves("C")),
        challenges("E", "B"),
        "ladder.too_far",
    ),
    "an override where none is needed": (
        (),
        challenges("B", "A", override="the board"),
        "ladder.no_override_needed",
    ),
    "without a rating": (
        (),
        challenges("B", "A", ratings=(None, 2000)),
        "ladder.unrated",
    ),
    "a challenge of tomorrow": (
        (),
        challenges("B", "A", on=dt.date(2026, 1, 2)),
        "pairing.in_future",
    ),
    "a challenge before the ladder": (
        (),
        challenges("B", "A", on=later(-1)),
        "ladder.before_opened",
    ),
    "a match of an id that is taken": (
        (challenges("D", "C", tournament="T"),),
        challenges("B", "A", tournament="T"),
        "tournament.open_already",
    ),
    "a second game where the higher rated won the first": (
        WON_BY_HIGHER,
        plays("DC", 2, "1-0"),
        "ladder.match_over",
    ),
    "a second game before the first": (
        (challenges("D", "C"),),
        plays("DC", 2, "1-0"),
        "ladder.first_game_missing",
    ),
    "the first game twice": (
        (challenges("D", "C"), plays("DC", 1, "1-0")),
        plays("DC", 1, "1-0"),
        "pairing.recorded",
    ),
    "the second game twice": (DRAWN, plays("DC", 2, "0-1"), "tournament.closed"),
    "a game of a match that was never made": ((), plays("DC", 1, "1-0"), "ladder.no_match"),
    "a game of a challenge given up": (
        (challenges("D", "C"), withdraws("DC")),
        plays("DC", 1, "1-0"),
        "ladder.withdrawn",
    ),
    "a game before the challenge": (
        (challenges("D", "C"),),
        plays("DC", 1, "1-0", on=later(-1)),
        "pairing.outside_dates",
    ),
    "giving up what is over": (DRAWN, withdraws("DC"), "ladder.settled"),
    "giving up before the challenge": (
        (challenges("D", "C"),),
        withdraws("DC", on=later(-1)),
        "ladder.before_challenge",
    ),
    "settling what is not over": (
        (challenges("D", "C"), plays("DC", 1, "1-0")),
        settles("DC"),
        "ladder.not_over",
    ),
    "settling what is settled so": (DRAWN, settles("DC"), "ladder.settled"),
    "settling otherwise without saying so": (
        (*DRAWN, corrects("DC", 2, "1-0")),
        settles("DC"),
        "ladder.settled_otherwise",
    ),
    "joining twice": ((), joins("A"), "ladder.on_already"),
    "joining below the bottom": ((), joins("E", 6), "ladder.no_such_place"),
    "joining without a rating": ((), joins("X"), "ladder.unrated"),
    "leaving where he is not": ((), leaves("E"), "ladder.not_on"),
    "leaving in the middle of a match": (
        (challenges("D", "C"),),
        leaves("C"),
        "ladder.busy",
    ),
    "merging away one who stands on it": (
        (),
        c.MergePlayers(player="D", into="X", on=DAY),
        "ladder.leave_first",
    ),
    "a ladder that is not there": (
        (),
        c.LeaveLadder(ladder="Otro", player="A", on=DAY),
        "ladder.unknown",
    ),
}


@pytest.mark.parametrize(("given", "when", "key"), REFUSED.values(), ids=REFUSED)
def test_refused(ledger: Ledger, given: Given, when: c.Command, key: str) -> None:
    for command in given:
        do(ledger, command)
    before = ledger.journal.head()
    with pytest.raises(LedgerError) as refusal:
        do(ledger, when)
    assert refusal.value.message.key == key
    assert ledger.journal.head() == before


GAMES: dict[str, tuple[tuple[str, ...], str, str]] = {
    # games (the challenger, who is lower rated, is White), outcome, places after it
    "the higher rated wins the first": (("0-1",), "challenged", "ABCD"),
    "the lower rated wins both": (("1-0", "1-0"), "challenger", "ABDC"),
    "the lower rated wins and draws": (("1-0", "1/2-1/2"), "challenger", "ABDC"),
    "one each is a drawn match": (("1-0", "0-1"), "drawn", "ABCD"),
    "after a draw the second decides, for the lower": (("1/2-1/2", "1-0"), "challenger", "ABDC"),
    "after a draw the second decides, for the higher": (("1/2-1/2", "0-1"), "challenged", "ABCD"),
    "two draws are a drawn match": (("1/2-1/2", "1/2-1/2"), "drawn", "ABCD"),
    "a forfeit is a win": (("-/+",), "challenged", "ABCD"),
    "a double forfeit wins for nobody": (("-/-", "1-0"), "challenger", "ABDC"),
}


@pytest.mark.parametrize(("results", "outcome", "after"), GAMES.values(), ids=GAMES)
def test_the_protocol(ledger: Ledger, results: tuple[str, ...], outcome: str, after: str) -> None:
    do(ledger, challenges("D", "C"))
    for number, result in enumerate(results, start=1):
        assert ledger.facts().ladders["Club"].known().running("C") is not None
        do(ledger, plays("DC", number, result, on=later(number)))
    ladder = ledger.facts().ladders["Club"].known()
    (made,) = ladder.challenges.values()
    assert made.state == outcome
    assert made.ended_on == later(len(results))
    assert places(ledger) == after
    version = ledger.register(["tournament:DC"], ledger.journal.head().seq).tournaments["DC"]
    assert (version.closed, version.version.rounds) == (True, len(results))
    assert version.version.ends_on == later(len(results))


def test_colours_do_not_matter(ledger: Ledger) -> None:
    do(ledger, challenges("D", "C"))
    do(ledger, plays("DC", 1, "0-1", reverse=True))
    do(ledger, plays("DC", 2, "1/2-1/2"))
    assert places(ledger) == "ABDC"


def test_the_protocol_asks_for_ratings_and_not_for_places(ledger: Ledger) -> None:
    do(ledger, challenges("D", "C", ratings=(1810, 1800)))
    do(ledger, plays("DC", 1, "1-0"))
    assert places(ledger) == "ABDC"


def test_a_challenge_opens_its_match_in_the_same_transaction(ledger: Ledger) -> None:
    receipt = do(ledger, challenges("D", "C"))
    assert types(receipt) == [
        "challenge.made", "tournament.opened", "player.entered", "player.entered",
    ]  # fmt: skip
    assert types(do(ledger, plays("DC", 1, "1-0", on=later(3)))) == ["result.recorded"]
    assert types(do(ledger, plays("DC", 2, "1-0", on=later(40)))) == [
        "tournament.corrected", "result.recorded", "challenge.decided", "tournament.closed",
    ]  # fmt: skip


ACCEPTED: dict[str, tuple[Given, c.Command]] = {
    "a nearer one, where the next is busy": ((challenges("B", "A"), withdraws("BA"),
        challenges("C", "B")), challenges("D", "A", tournament="DA", ratings=(1700, 2000))),
    "a rematch after two months": (
        DRAWN,
        challenges("D", "C", on=dt.date(2010, 9, 10), tournament="T"),
    ),
    "another one before two months are over": (
        DRAWN,
        challenges("D", "B", on=later(1)),
    ),
    "the same again, where the first was given up": (
        (challenges("D", "C"), withdraws("DC")),
        challenges("D", "C", tournament="T"),
    ),
    "four hundred points, where somebody authorizes it": (
        (joins("E"), leaves("D"), leaves("C")),
        challenges("E", "B", override="the board, 10 July"),
    ),
    "three hundred and ninety-nine points": (
        (joins("E"),),
        challenges("E", "D", ratings=(1301, 1700)),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("given", "when"), ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(ledger: Ledger, given: Given, when: c.Command) -> None:
    for command in given:
        do(ledger, command)
    assert types(do(ledger, when))[0] == "challenge.made"


def test_a_corrected_game_corrects_the_exchange_where_it_happened(ledger: Ledger) -> None:
    for command in (
        challenges("D", "C"),
        plays("DC", 1, "1-0"),
        plays("DC", 2, "1-0"),
        challenges("D", "B", on=later(1)),
        plays("DB", 1, "1-0", on=later(1)),
        plays("DB", 2, "1-0", on=later(2)),
    ):
        do(ledger, command)
    then = ledger.journal.head().seq
    assert places(ledger) == "ADBC"
    do(ledger, corrects("DC", 1, "0-1"))
    assert types(do(ledger, settles("DC", on=later(5), as_correction=True))) == [
        "challenge.decided"
    ]
    # D had not passed C, so he was still fourth when he beat the second.
    assert places(ledger) == "ADCB"
    ladder = ledger.facts().ladders["Club"]
    assert [(e.from_place, e.to_place) for e in ladder.known().exchanges] == [(4, 2)]
    assert [(e.from_place, e.to_place) for e in ladder.known(then).exchanges] == [(4, 3), (3, 2)]


def test_a_correction_can_make_the_second_game_necessary(ledger: Ledger) -> None:
    for command in (*WON_BY_HIGHER, corrects("DC", 1, "1-0")):
        do(ledger, command)
    second = plays("DC", 2, "1/2-1/2", on=later(9), as_correction=True)
    receipt = do(ledger, second)
    assert types(receipt) == ["tournament.corrected", "result.recorded", "challenge.decided"]
    assert places(ledger) == "ABDC"


def test_games_recorded_elsewhere_are_settled(ledger: Ledger) -> None:
    game = c.RecordGame(
        tournament="DC", round=1, white="C", black="D", result=Result.parse("1-0"), played_on=DAY
    )
    do(ledger, challenges("D", "C"), game)
    assert types(do(ledger, settles("DC"))) == ["challenge.decided", "tournament.closed"]


def test_since_when_somebody_has_his_place(ledger: Ledger) -> None:
    do(ledger, joins("E", 1, on=later(3)))
    do(ledger, leaves("C", on=later(5)))
    ladder = ledger.facts().ladders["Club"].known()
    assert ladder.places == ["E", "A", "B", "D"]
    assert ladder.since == {"E": later(3), "A": later(3), "B": later(3), "D": later(5)}


class TestTheApplication:
    def test_it_orders_by_the_ratings_of_the_list(self, ledger: Ledger) -> None:
        assert places(ledger) == "ABCD"
        given = {"list_": "ENF", "players": "DBCA", "on": DAY, "request": request()}
        open_ladder(ledger, "Otro", as_given=True, **given)  # type: ignore[arg-type]
        assert ledger.facts().ladders["Otro"].known().places == list("DBCA")

    def test_a_player_without_a_rating_opens_none(self, ledger: Ledger) -> None:
        with pytest.raises(InputRefused) as refusal:
            open_ladder(
                ledger, "Otro", list_="ENF", players="AX", on=DAY, as_given=False,
                request=request(),
            )  # fmt: skip
        assert refusal.value.message.key == "ladder.unrated"

    def test_it_asks_the_list_and_numbers_the_match(self, ledger: Ledger) -> None:
        made = make_challenge(
            ledger, "Club", ("D", "C"), on=DAY, ends_on=later(30), rate_of_play=Rate.RAPID,
            tournament=None, title=None, override=None, request=request(),
        )  # fmt: skip
        assert made.events[0].event.model_dump(exclude_none=True) == {
            "challenged": "C",
            "challenged_rating": 1800,
            "challenger": "D",
            "challenger_rating": 1700,
            "ladder": "Club",
            "tournament": "Club-1",
        }
        assert match_of(ledger, "Club", "C", "D") == "Club-1"
        with pytest.raises(InputRefused):
            match_of(ledger, "Club", "A", "D")

    def test_overtaken_by_another_challenge_it_takes_the_next_number(
        self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def challenge_(by: Ledger, challenger: str, challenged: str) -> Receipt:
            return make_challenge(
                by, "Club", (challenger, challenged), on=DAY, ends_on=later(30),
                rate_of_play=Rate.RAPID, tournament=None, title=None, override=None,
                request=request(),
            )  # fmt: skip

        journal = ledger.journal
        append = journal.append

        def overtaken(draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
            monkeypatch.setattr(journal, "append", append)
            challenge_(empty_ledger(journal), "B", "A")
            return append(draft, expected_seq=expected_seq, recorded_at=recorded_at)

        monkeypatch.setattr(journal, "append", overtaken)
        assert challenge_(ledger, "D", "C").commit_id is not None
        assert match_of(ledger, "Club", "B", "A") == "Club-1"
        assert match_of(ledger, "Club", "D", "C") == "Club-2"

    def test_the_list_is_replayed_once_for_a_challenge(
        self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = []

        def counted(*args: Any) -> dict[str, int]:
            asked.append(args)
            return rating_on(*args)

        monkeypatch.setattr("ledger.service.ladders.rating_on", counted)
        make_challenge(
            ledger, "Club", ("D", "C"), on=DAY, ends_on=later(30), rate_of_play=Rate.RAPID,
            tournament=None, title=None, override=None, request=request(),
        )  # fmt: skip
        assert len(asked) == 1

    def test_it_shows_the_ladder_as_it_was_known(self, ledger: Ledger) -> None:
        opened = ledger.journal.head().seq
        for command in (challenges("D", "C"), plays("DC", 1, "1-0"), plays("DC", 2, "1-0")):
            do(ledger, command)
        now = show_ladder(ledger, "Club", on=DAY).data()
        assert [row["id"] for row in now["places"]] == list("ABDC")
        assert now["challenges"][0]["games"] == ["1: D - C 1-0", "2: D - C 1-0"]
        assert now["exchanges"] == [
            {"on": "2010-07-10", "match": "DC", "winner": "D", "loser": "C", "from": 4, "to": 3}
        ]
        then = show_ladder(PastLedger(ledger, opened), "Club", on=DAY).data()
        assert [(row["id"], row["rating"]) for row in then["places"]] == list(RATINGS.items())[:4]
        assert then["challenges"] == then["exchanges"] == []
        running = show_ladder(PastLedger(ledger, Seq(opened + 5)), "Club", on=DAY).data()
        assert [row["match"] for row in running["places"]] == [None, None, "DC", "DC"]
        with pytest.raises(NotFound):
            show_ladder(PastLedger(ledger, Seq(opened - 1)), "Club", on=DAY)

    def test_its_games_are_rated_as_any_others(self, ledger: Ledger) -> None:
        for command in (challenges("D", "C"), plays("DC", 1, "1-0"), plays("DC", 2, "1-0")):
            do(ledger, command)
        after = show_ladder(ledger, "Club", on=dt.date(2010, 8, 1)).data()
        ratings = {row["id"]: row["rating"] for row in after["places"]}
        assert ratings["D"] > RATINGS["D"]
        assert ratings["C"] < RATINGS["C"]


SCORES = st.tuples(st.integers(0, 2), st.integers(0, 2))


@holds_for(first=SCORES, second=SCORES)
def test_a_match_of_two_games_is_always_over(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    assert challenge.outcome(first, second) is not None
    early = challenge.outcome(first)
    assert early in (None, challenge.MatchOutcome.HIGHER)
    assert early is None or challenge.outcome(first, second) is early


@examples(25)
@holds_for(data=st.data())
def test_whatever_happens_places_are_a_permutation(data: st.DataObject) -> None:
    ledger = empty_ledger()
    define(ledger)
    do(ledger, *(register(player) for player in "ABCDE"), *seeds())
    open_ladder(
        ledger, "Club", list_="ENF", players="ABCD", on=DAY, as_given=False, request=request()
    )
    players = st.sampled_from("ABCDE")
    result = st.sampled_from(["1-0", "0-1", "1/2-1/2"])
    on_it = set("ABCD")
    for step in range(20):
        facts = ledger.facts().ladders["Club"].known()
        matches: list[str] = [each.made.tournament for each in facts.challenges.values()]
        match = data.draw(st.sampled_from(matches or ["none"]))
        pair = facts.of_match(match)
        white, black = (pair.made.challenger, pair.made.challenged) if pair else ("A", "B")
        one = data.draw(players)
        nearest = facts.nearest(one, later(step)) if one in facts.places else None
        other = nearest or data.draw(players)
        commands: list[c.Command] = [
            joins(one, data.draw(st.integers(1, 5)), on=later(step)),
            leaves(one, on=later(step)),
            challenges(one, other, on=later(step), tournament=f"M{step}", ratings=(1500, 1500)),
            c.RecordChallengeGame(
                ladder="Club", tournament=match, game=data.draw(st.integers(1, 2)), white=white,
                black=black, result=Result.parse(data.draw(result)), played_on=later(step),
            ),
            withdraws(match, on=later(step)),
            c.CorrectResult(
                tournament=match, round=1, white=white, black=black,
                result=Result.parse(data.draw(result)),
            ),
            settles(match, on=later(step), as_correction=True),
        ]  # fmt: skip
        command = data.draw(st.sampled_from(commands))
        try:
            do(ledger, command)
        except (InputRefused, NotFound):
            continue
        match command:
            case c.JoinLadder():
                on_it.add(one)
            case c.LeaveLadder():
                on_it.remove(one)
            case _:
                pass
    for seq in range(ledger.facts().ladders["Club"].seq, ledger.journal.head().seq + 1):
        known = ledger.facts().ladders["Club"].known(Seq(seq))
        assert len(set(known.places)) == len(known.places)
        assert known.since.keys() == set(known.places)
        busy = [p for made in known.challenges.values() if made.state == "running"
                for p in made.players]  # fmt: skip
        assert len(busy) == len(set(busy))
    assert set(known.places) == on_it


def by_games(ledger: Ledger) -> tuple[str, str | None]:
    (made,) = show_ladder(ledger, "Club", on=DAY).challenges
    return made.state, made.by_games


def test_a_decision_is_held_against_the_games_as_they_are_now(ledger: Ledger) -> None:
    do(ledger, challenges("D", "C"))
    assert by_games(ledger) == ("running", "running")
    for command in (plays("DC", 1, "1-0"), plays("DC", 2, "1-0")):
        do(ledger, command)
    assert by_games(ledger) == ("challenger", "challenger")
    do(ledger, corrects("DC", 2, "0-1"))
    assert by_games(ledger) == ("challenger", "drawn")
    do(ledger, settles("DC", as_correction=True))
    assert by_games(ledger) == ("drawn", "drawn")
    do(ledger, c.AnnulResult(tournament="DC", round=2, white="D", black="C"))
    assert by_games(ledger) == ("drawn", "running")
    do(ledger, c.RuleOnTournament(tournament="DC", ruling="annul", on=DAY))
    assert by_games(ledger) == ("drawn", "annulled")


def test_what_was_given_up_is_held_against_nothing(ledger: Ledger) -> None:
    for command in (challenges("D", "C"), plays("DC", 1, "1-0"), withdraws("DC")):
        do(ledger, command)
    assert by_games(ledger) == ("withdrawn", None)
