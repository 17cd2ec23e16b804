"""The title report of an event, and what a player's events come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import pytest

from ledger.answers.titles import player_titles, tournament_titles
from ledger.errors import InputRefused, NotFound
from ledger.events.personal import Identity
from ledger.operations.commands import (
    AwardTitle,
    GiveBye,
    MergePlayers,
    RegisterPlayer,
    RuleOnTournament,
    WithdrawPlayer,
)
from ledger.reports.titles import TitleRow
from ledger.results import Bye
from ledger.service.ledger import Ledger
from ledger.terms import RecordedTitle
from ledger.titles.fide_1972 import Title
from tests.ledgers import PLAYERS_HEADER, define, do, empty_ledger, import_text
from tests.titles.events import FEDERATIONS, NAMES, event, schedule

GM, IM = Title.GRANDMASTER, Title.INTERNATIONAL_MASTER


def ledger_of(
    *events: str,
    ratings: Mapping[str, int | str] | None = None,
    titles: Mapping[str, RecordedTitle] | None = None,
    federations: Mapping[str, str] | None = None,
) -> Ledger:
    """Eleven players at 2490 (category 10: 60 % and 47 %), three of them grandmasters, K 0."""
    ledger = empty_ledger()
    define(ledger)
    of = FEDERATIONS | dict(federations or {})
    known = dict.fromkeys(NAMES, "2490,0,100") | {
        p: f"{rating},0,100" if rating else ",," for p, rating in (ratings or {}).items()
    }
    rows = [f"{p},Player {p},{of[p]},,,{known[p]}\n" for p in NAMES]
    import_text(ledger, PLAYERS_HEADER + "".join(rows), list_="ENF")
    held: Mapping[str, RecordedTitle]
    held = {"I": "GM", "J": "GM", "K": "GM", "H": "IM"} if titles is None else titles
    day = dt.date(2010, 7, 1)
    for player, title in held.items():
        do(ledger, AwardTitle(player=player, title=title, on=day))
    for text in events:
        import_text(ledger, text)
    return ledger


def row(ledger: Ledger, player: str, title: Title, tournament: str = "t") -> TitleRow:
    rows = tournament_titles(ledger, tournament, "ENF").rows
    return next(r for r in rows if (r.id, r.result.title) == (player, title))


def fails(ledger: Ledger, player: str, title: Title, tournament: str = "t") -> list[str]:
    return [f.condition for f in row(ledger, player, title, tournament).result.fails]


class TestAllPlayAll:
    def test_the_percentage_exactly_met(self) -> None:
        ledger = ledger_of(event())
        data = row(ledger, "A", GM).data("en")
        assert data == {
            "number": 11, "id": "A", "name": "Player A", "titles": [], "rating": 2490,
            "participants": 11, "mean": "2490", "mean_counted": 2490, "category": 10, "for": "GM",
            "percent": 60, "games": 10, "needed": "6", "points": "6", "made": True, "fails": [],
            "why": "",
        }  # fmt: skip
        assert row(ledger, "A", IM).data("en")["needed"] == "5"

    def test_half_a_point_less(self) -> None:
        less = row(ledger_of(event(wins=["AJ"])), "A", GM)
        assert [f.condition for f in less.result.fails] == ["score"]
        assert less.data("en")["why"] == "5.5 points: 6 are needed"
        assert less.data("es")["why"] == "5.5 puntos: se necesitan 6"

    def test_everybody_has_a_row_for_each_title(self) -> None:
        rows = tournament_titles(ledger_of(event()), "t", "ENF").rows
        assert len(rows) == 22
        made = {r.id for r in rows if r.result.title is IM and r.result.made}
        assert made == set(NAMES) - {"J", "K"}

    def test_an_unrated_participant_lowers_the_mean(self) -> None:
        ledger = ledger_of(event(), ratings={"H": ""})
        assert row(ledger, "A", GM).data("en")["mean_counted"] == 2464  # 27100 / 11
        assert row(ledger, "A", GM).data("en")["category"] == 9
        assert row(ledger, "H", GM).rating is None

    def test_four_fifths_must_be_rated(self) -> None:
        two, three = {"G": "", "H": ""}, {"F": "", "G": "", "H": ""}
        assert "rated" not in fails(ledger_of(event(), ratings=two), "A", IM)
        assert "rated" in fails(ledger_of(event(), ratings=three), "A", IM)

    def test_three_grandmasters_and_a_third_with_titles(self) -> None:
        three = ledger_of(event(), titles={"I": "GM", "J": "GM", "K": "GM"})
        assert fails(three, "A", GM) == ["titled"]
        two = ledger_of(event(), titles={"I": "GM", "J": "GM", "K": "IM", "H": "NM"})
        assert fails(two, "A", GM) == ["grandmasters"]
        assert fails(two, "A", IM) == []

    def test_a_title_counts_from_its_day_on(self) -> None:
        ledger = ledger_of(event(), titles={"I": "GM", "J": "GM", "H": "IM"})
        do(ledger, AwardTitle(player="K", title="GM", on=dt.date(2010, 8, 3)))
        assert fails(ledger, "A", GM) == ["titled", "grandmasters"]

    def test_the_category_may_be_too_low_or_missing(self) -> None:
        low = ledger_of(event(), ratings=dict.fromkeys(NAMES, 2260))
        assert fails(low, "A", GM) == ["category"]
        assert row(low, "A", IM).result.percent == 76
        for rating in (2250, 2626):
            outside = ledger_of(event(), ratings=dict.fromkeys(NAMES, rating))
            assert fails(outside, "A", IM) == ["category"]

    def test_fewer_than_ten_players(self) -> None:
        ledger = ledger_of(event(players="ABCDEHIJK", wins=("AJ", "AK", "AI", "AH")))
        assert fails(ledger, "A", GM) == ["players"]

    def test_one_federation(self) -> None:
        six = dict.fromkeys("ABCDEF", "CHI")
        assert fails(ledger_of(event(), federations=six), "A", GM) == []
        seven = ledger_of(event(), federations=six | {"G": "CHI"})
        assert fails(seven, "A", GM) == ["federation"]
        assert "7 participants come from CHI: at most 6" in row(seven, "A", GM).data("en")["why"]
        unknown = ledger_of(event(), federations=six | {"G": ""})
        assert fails(unknown, "A", GM) == ["federation-unknown"]

    def test_without_the_title_of_international_master_a_place_is_needed(self) -> None:
        wins = [w + p for w in "ABCD" for p in "JK"]  # four share the first place
        ledger = ledger_of(event(wins=wins))
        assert fails(ledger, "A", GM) == ["place"]
        told = row(ledger, "A", GM).told("en")
        assert told.startswith("shared place 1 among 4 players: who does not hold the title")
        assert fails(ledger, "A", IM) == []
        do(ledger, AwardTitle(player="A", title="IM", on=dt.date(2010, 7, 1)))
        assert fails(ledger, "A", GM) == []

    def test_a_report_that_is_not_complete(self) -> None:
        ledger = ledger_of(event(leave_out=["AB"]))
        assert fails(ledger, "A", IM) == ["unfinished"]
        assert row(ledger, "C", IM).result.made

    def test_who_withdrew_early_is_no_participant(self) -> None:
        met = [p for r, w, b in schedule(NAMES) if r > 3 and "G" in (w, b) for p in [w + b]]
        ledger = ledger_of(event(leave_out=met))
        do(ledger, WithdrawPlayer(tournament="t", player="G", from_round=4))
        assert row(ledger, "A", GM).field.size == 10
        assert row(ledger, "A", GM).data("en")["points"] == "5.5"
        assert fails(ledger, "G", IM) == ["cancelled"]

    def test_a_bye_is_no_point(self) -> None:
        ledger = ledger_of(event(wins=["AJ"]))
        (free,) = {*range(1, 12)} - {r for r, *pair in schedule(NAMES) if "A" in pair}
        do(ledger, GiveBye(tournament="t", round=free, player="A", kind=Bye.FULL))
        assert row(ledger, "A", GM).data("en")["points"] == "5.5"
        assert fails(ledger, "A", GM) == ["score"]

    def test_an_annulled_event(self) -> None:
        ledger = ledger_of(event())
        do(ledger, RuleOnTournament(tournament="t", ruling="annul", on=dt.date(2010, 8, 3)))
        assert fails(ledger, "A", GM) == ["annulled"]


def double(players: str) -> str:
    """An all-play-all in two cycles, all drawn."""
    header, *once = event(players=players, wins=()).splitlines(keepends=True)
    rows = [row.split(",") for row in once]
    rows += [[*row[:7], str(int(row[7]) + len(players) - 1), *row[8:]] for row in rows]
    return header + "".join(map(",".join, rows))


class TestTwoCycles:
    def test_everybody_is_one_participant(self) -> None:
        ledger = ledger_of(double("AHIJKB"), ratings={"K": 2500, "H": 2480, "B": 2460})
        found = row(ledger, "A", IM)
        data = found.data("en")
        assert (data["participants"], data["mean"], data["games"]) == (6, "2485", 10)
        assert data["points"] == "5"
        assert fails(ledger, "A", IM) == ["players"]
        assert "at least 10 are needed" in found.data("en")["why"]

    def test_ten_are_enough(self) -> None:
        ledger = ledger_of(double("ABCDEFHIJK"))
        found = row(ledger, "A", IM)
        assert (found.field.size, found.done.games, found.done.played) == (10, 18, 18)
        assert fails(ledger, "A", IM) == []

    def test_a_game_that_is_not_there_is_due(self) -> None:
        rows = double("ABCDEFHIJK").splitlines(keepends=True)
        rows.remove(next(line for line in rows if ",A,K," in line))
        ledger = ledger_of("".join(rows))
        assert fails(ledger, "A", IM) == ["unfinished"]
        assert row(ledger, "A", IM).done.unfinished == 1

    def test_a_game_to_break_a_tie_is_one_more_game_and_no_more_participant(self) -> None:
        found = row(ledger_of(event() + "t,,,,,,,12,,A,B,1-0\n"), "A", IM)
        assert (found.field.size, found.done.games, found.data("en")["points"]) == (11, 11, "7")


class TestOtherEvents:
    def test_in_a_team_event_everybody_has_a_tournament_of_his_own(self) -> None:
        ledger = ledger_of(event(system="team-swiss"))
        found = row(ledger, "A", GM)
        assert (found.field.size, found.done.games, found.result.needed) == (11, 10, 12)
        assert fails(ledger, "A", GM) == ["place"]
        do(ledger, AwardTitle(player="A", title="IM", on=dt.date(2010, 7, 1)))
        assert fails(ledger, "A", GM) == []

    def test_two_games_against_one_opponent_count_as_two_opponents(self) -> None:
        again = event(system="team-swiss", leave_out=["BC"])
        again += "t,,,,,,,12,,A,K,1-0\nt,,,,,,,13,,A,J,1/2-1/2\n"
        found = row(ledger_of(again), "A", IM)
        assert (found.field.size, found.done.games) == (13, 12)
        assert found.field.with_title("GM") == 5
        assert found.data("en")["points"] == "7.5"

    def test_forfeits_and_byes_are_no_part_of_it(self) -> None:
        text = event(system="swiss").replace("A,K,1-0", "A,K,+/-")
        found = row(ledger_of(text + "t,,,,,,,12,,A,,F\n"), "A", IM)
        assert (found.field.size, found.done.games, found.data("en")["points"]) == (10, 9, "5")

    def test_who_faced_nobody(self) -> None:
        text = event(players="BCDEFGHIJK", system="swiss") + "t,,,,,,,1,,A,,F\n"
        found = row(ledger_of(text), "A", IM)
        assert (found.done.games, found.result.needed, found.result.made) == (0, None, False)


def olympiad() -> Ledger:
    """A team event: A meets ten opponents in rounds 1 to 11, and K to B again from 12 on."""
    final = "".join(
        f"t,,,,,,,{round_},,A,{other},1/2-1/2\n" for round_, other in enumerate("KJIHGFEDCB", 12)
    )
    return ledger_of(event(system="team-swiss") + final)


class TestFinalsOnly:
    def test_the_games_of_the_final_make_the_tournament(self) -> None:
        """Games + 1 participants: of both groups, or of the final alone."""
        both = row(olympiad(), "A", IM)
        assert (both.field.size, both.data("en")["points"]) == (21, "11")
        rows = tournament_titles(olympiad(), "t", "ENF", finals_from=12).rows
        final = next(r for r in rows if (r.id, r.result.title) == ("A", IM))
        assert (final.field.size, final.done.games, final.data("en")["points"]) == (11, 10, "5")

    def test_a_players_results_with_the_finals_of_one_event(self) -> None:
        found = player_titles(olympiad(), "A", "ENF", {"t": 12})
        assert found.progress[1].games == 10
        assert player_titles(olympiad(), "A", "ENF").progress[1].games == 20

    def test_an_all_play_all_has_no_finals(self) -> None:
        ledger = ledger_of(event())
        with pytest.raises(InputRefused, match="section III"):
            tournament_titles(ledger, "t", "ENF", finals_from=2)
        with pytest.raises(InputRefused, match="section III"):
            player_titles(ledger, "A", "ENF", {"t": 2})
        with pytest.raises(InputRefused, match="did not play"):
            player_titles(ledger, "A", "ENF", {"u": 2})


class TestPlayer:
    def test_results_are_put_together_over_three_years(self) -> None:
        ledger = ledger_of(event("a", "2010-08-02"), event("b", "2011-08-02"))
        found = player_titles(ledger, "A", "ENF")
        assert [(r.tournament, r.row.is_made) for r in found.results] == [
            ("a", True), ("a", True), ("b", True), ("b", True),
        ]  # fmt: skip
        assert found.progress[0].data() == {
            "for": "GM", "held_from": None, "fulfilled": False, "fulfilled_on": None,
            "results": 2, "games": 20, "tournaments": ["a", "b"], "stage": None,
        }  # fmt: skip
        import_text(ledger, event("c", "2013-08-01"))
        made = player_titles(ledger, "A", "ENF").progress[0].data()
        assert made["fulfilled"]
        assert made["fulfilled_on"] == "2013-08-01"

    def test_a_day_later_is_too_late(self) -> None:
        days = ("2010-08-02", "2011-08-02", "2013-08-02")
        ledger = ledger_of(*(event(f"t{n}", day) for n, day in enumerate(days)))
        assert not player_titles(ledger, "A", "ENF").progress[0].fulfilled

    def test_a_title_held_is_told(self) -> None:
        ledger = ledger_of(event())
        assert player_titles(ledger, "K", "ENF").progress[0].data()["held_from"] == "2010-07-01"

    def test_another_id_of_the_same_person_brings_its_results(self) -> None:
        ledger = ledger_of(event("a"), event("b", "2010-09-01"))
        do(ledger, _registered("A2"))
        do(ledger, MergePlayers(player="A", into="A2", on=dt.date(2010, 10, 1)))
        for asked in "A", "A2":
            found = player_titles(ledger, asked, "ENF")
            assert {r.id for r in (each.row for each in found.results)} == {"A2"}
            assert found.progress[1].games == 20

    def test_nobody(self) -> None:
        ledger = ledger_of(event())
        with pytest.raises(NotFound):
            player_titles(ledger, "Z", "ENF")
        with pytest.raises(NotFound):
            tournament_titles(ledger, "z", "ENF")
        with pytest.raises(NotFound):
            tournament_titles(ledger, "t", "XXX")


def _registered(player: str) -> RegisterPlayer:
    return RegisterPlayer(
        player=player,
        identity=Identity(name=f"Player {player}"),
        salt="0" * 32,
        federation="CHI",
        on=dt.date(2010, 7, 1),
    )
