"""An event of teams from the entries to the tables: entered, lined up, paired, played."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.answers.forms import FormAsked, FormName, tournament_form
from ledger.answers.rounds import round_sheet, team_tables_of, tournament_cards
from ledger.answers.tournaments import (
    require_tournament,
    tournament_crosstable,
    tournament_standings,
)
from ledger.desk.score_sheet import How
from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.events.personal import Identity
from ledger.intake.event_check import check_tournament
from ledger.intake.report_file import tournament_report
from ledger.intake.trf.parse import parse
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.reports.round_sheet import RoundSheet
from ledger.results import Result
from ledger.service.desk import board_results, publish_round
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System, TrfVersion
from tests.ledgers import do, empty_ledger, request

DAY = dt.date(2025, 6, 1)


def event(teams: str = "DCBA", **rules: object) -> Ledger:
    """Four teams, A the strongest, of four boards and a reserve: A1 to A5."""
    ledger = empty_ledger()
    players = [f"{team}{board}" for team in teams for board in range(1, 6)]
    registered = [
        c.RegisterPlayer(
            player=player,
            identity=Identity(name=f"Player, {player}"),
            salt="0" * 32,
            federation="MEX",
            on=DAY,
        )
        for player in (*players, "Z1")
    ]
    opening = c.OpenTournament(
        tournament="T",
        name="Torneo",
        starts_on=DAY,
        ends_on=DAY,
        system=System.TEAM_SWISS,
        rate_of_play=Rate.CLASSICAL,
        rounds=3,
    )
    announced = c.AnnounceRules(
        tournament="T",
        pairing=PairingMethod.TEAM_1975,
        **rules,  # type: ignore[arg-type]
    )
    entered = [entry(team) for team in teams]
    rated = [
        c.DescribeEntry(tournament="T", player=player, pairing_rating=2700 - 10 * ord(player[0]))
        for player in players
        if not player.endswith("5")
    ]
    do(ledger, *registered)
    do(ledger, opening, announced, *entered, *rated)
    return ledger


def entry(team: str, *players: str) -> c.EnterTeam:
    own = players or tuple(f"{team}{board}" for board in range(1, 6))
    return c.EnterTeam(tournament="T", team=team, name=f"Team {team}", participants=own)


def lineup(team: str, *players: str | None, round_: int = 1) -> c.HandInLineup:
    return c.HandInLineup(tournament="T", team=team, round=round_, participants=players)


def matches(sheet: RoundSheet) -> list[tuple[str, str]]:
    return [(board.white.id, board.black.id) for board in sheet.boards]


def play(ledger: Ledger, round_: int, match: int, results: str) -> None:
    """Records the boards of a match: the results of White of each board."""
    for board, result in enumerate(results.split(), start=1):
        read = Result.parse(result)
        do(ledger, *board_results(ledger, "T", round_, [((match, board), read)]))


def refused(ledger: Ledger, *said: c.Command) -> str:
    with pytest.raises(LedgerError) as refusal:
        do(ledger, *said)
    return refusal.value.message.key


def test_an_event_from_the_entries_to_the_tables() -> None:
    ledger = event()
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    # The strongest has number 1; halves, and colours in turn.
    assert matches(sheet) == [("A", "C"), ("D", "B")]
    play(ledger, 1, 1, "1-0 0-1 1/2-1/2 0-1")
    play(ledger, 1, 2, "0-1 1/2-1/2 1/2-1/2 1/2-1/2")
    shown = round_sheet(ledger, "T")
    assert [board.result for board in shown.boards] == ["3.5-0.5", "1.5-2.5"]
    _, second = publish_round(ledger, PairRound(tournament="T"), request())
    assert matches(second) == [("B", "A"), ("C", "D")]
    play(ledger, 2, 1, "1-0 1-0 1-0 1-0")
    play(ledger, 2, 2, "1/2-1/2 1/2-1/2 1/2-1/2 1/2-1/2")
    made = tournament_standings(ledger, "T")
    assert [(row.id, row.points) for row in made.rows] == [
        ("A", Fraction(3, 2)),
        ("B", Fraction(3, 2)),
        ("C", Fraction(1, 2)),
        ("D", Fraction(1, 2)),
    ]
    tables = team_tables_of(ledger, "T")
    assert [row.name for row in tables.teams] == ["Team A", "Team B", "Team C", "Team D"]
    assert tables.teams[0].board_points == Fraction(11, 2)
    best = next(prize for prize in tables.prizes if prize.board == 1)
    assert (best.id, best.points) == ("B1", Fraction(2))
    cards = tournament_cards(ledger, "T")
    assert [(line.opponent, line.total) for line in cards[0].lines] == [(3, 1), (2, Fraction(3, 2))]
    crosstable = tournament_crosstable(ledger, "T")
    assert crosstable.rows[0].squares == {"1": ("3w1",), "2": ("2b½",)}


def test_who_was_erased_stands_by_the_id_in_the_tables() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, 1, 1, "1-0 0-1 1/2-1/2 0-1")
    play(ledger, 1, 2, "0-1 1/2-1/2 1/2-1/2 1/2-1/2")
    asked = FormAsked(tournament="T", form=FormName.TEAM_TABLES)
    name = next(prize.name for prize in team_tables_of(ledger, "T").prizes if prize.id == "A1")
    before = tournament_form(ledger, asked, "en").body
    erase_player(ledger, c.ErasePlayer(player="A1", on=ledger.today), request("a letter"))
    after = tournament_form(ledger, asked, "en").body
    assert after == before.replace(f">{name}<", ">A1<") != before


def test_a_result_is_of_a_board_of_a_match() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    win = Result.parse("1-0")
    for match, board in ((3, 1), (1, 5)):
        with pytest.raises(NotFound):
            board_results(ledger, "T", 1, [((match, board), win)])
    with pytest.raises(InputRefused) as refusal:
        board_results(ledger, "T", 1, [(1, win)])
    assert refusal.value.message.key == "team.no_match_named"
    crossed = c.RecordGame(
        tournament="T", round=1, white="A1", black="C2", result=win, anyway=False
    )
    assert refused(ledger, crossed) == "team.not_lined_up"
    wrong_colour = c.RecordGame(
        tournament="T", round=1, white="C1", black="A1", result=win, anyway=False
    )
    assert refused(ledger, wrong_colour) == "team.not_lined_up"


def test_who_is_missing_makes_the_others_move_up() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    do(ledger, lineup("C", "C2", "C3", "C4", "C5"))
    [said] = board_results(ledger, "T", 1, [((1, 1), Result.parse("1-0"))])
    assert (said.white, said.black) == ("A1", "C2")
    do(ledger, said)
    assert refused(ledger, lineup("C", "C1", "C2", "C3", "C4")) == "team.results_there"
    assert refused(ledger, lineup("A", "A1", "A2", "A3", "A5")) == "team.results_there"


def test_a_board_at_which_somebody_is_missing_needs_no_result() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    do(ledger, lineup("C", "C1", "C2", "C3"))
    with pytest.raises(InputRefused) as refusal:
        board_results(ledger, "T", 1, [((1, 4), Result.parse("1-0"))])
    assert refusal.value.message.key == "team.lost_by_default"
    play(ledger, 1, 1, "0-1 1-0 1/2-1/2")
    play(ledger, 1, 2, "1/2-1/2 1/2-1/2 1/2-1/2 1/2-1/2")
    assert round_sheet(ledger, "T").boards[0].result == "1.5-2.5"
    publish_round(ledger, PairRound(tournament="T"), request())


def test_a_round_waits_for_every_board() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, 1, 1, "1-0 1-0 1-0 1-0")
    with pytest.raises(InputRefused) as refusal:
        publish_round(ledger, PairRound(tournament="T"), request())
    assert refusal.value.message.key == "desk.round_incomplete"
    assert len(refusal.value.details) == 4


def test_teams_that_cannot_be_entered() -> None:
    ledger = event()
    assert refused(ledger, entry("A", "Z1")) == "team.entered"
    assert refused(ledger, entry("Z", "A1", "Z1")) == "team.of_other_team"
    assert refused(ledger, entry("Z", "Z1", "Z1")) == "team.player_twice"
    assert refused(ledger, entry("A1", "Z1")) == "team.id_of_player"
    assert refused(ledger, entry("Z", "nobody")) == "player.unknown"
    assert refused(ledger, entry("Z", *(f"X{n}" for n in range(6)))) == "team.too_many_players"


def test_line_ups_that_cannot_be_handed_in() -> None:
    ledger = event()
    assert refused(ledger, lineup("Z", "Z1")) == "team.unknown"
    assert refused(ledger, lineup("A", "A2", "A1", "A3", "A4")) == "team.no_lineup"
    assert refused(ledger, lineup("A", "A1", round_=4)) == "pairing.no_such_round"
    do(ledger, lineup("A", "A1", "A2", "A3", "A5"))
    assert refused(ledger, lineup("A", "A1", "A2", "A3", "A5")) == "team.lineup_known"


def test_teams_are_of_one_system() -> None:
    ledger = event()
    for system in (System.SWISS, System.ROUND_ROBIN):
        opening = c.OpenTournament(
            tournament=system.value,
            name="Otro",
            starts_on=DAY,
            ends_on=DAY,
            system=system,
            rate_of_play=Rate.CLASSICAL,
        )
        do(ledger, opening)
        team = c.EnterTeam(tournament=system.value, team="Z", name="Z", participants=("Z1",))
        assert refused(ledger, team) == "team.other_system"
        rules = c.AnnounceRules(tournament=system.value, pairing=PairingMethod.TEAM_1975)
        assert refused(ledger, rules) == "desk.other_system"
    rules = c.ChangeRules(tournament="T", pairing=PairingMethod.BERGER)
    assert refused(ledger, rules) == "desk.other_system"


def test_a_team_is_absent_withdraws_and_is_expelled_as_a_player_is() -> None:
    ledger = event("EDCBA")
    do(ledger, c.AnnounceAbsence(tournament="T", player="E", round=1))
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert [(away.id, away.name, away.why) for away in sheet.not_paired] == [
        ("E", "Team E", "announced")
    ]
    for match in (1, 2):
        play(ledger, 1, match, "1-0 1-0 1-0 1-0")
    do(ledger, c.WithdrawPlayer(tournament="T", player="D", from_round=2))
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert [away.why for away in sheet.not_paired] == ["withdrawn"]
    assert sheet.bye is None
    played = c.WithdrawPlayer(tournament="T", player="A", from_round=1)
    assert refused(ledger, played) == "tournament.played_after_withdrawal"


def test_every_board_is_recorded_as_a_game_and_a_published_round_stays() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, 1, 1, "1-0 +/- 1-0 1-0")
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    assert len(record.each_pairing) == 4
    assert sum(pairing.is_forfeit for pairing in record.each_pairing) == 1
    withdrawal = c.WithdrawRound(tournament="T", round=1)
    assert refused(ledger, withdrawal) == "desk.results_there"


def test_numbers_of_teams_are_drawn_or_given_by_hand() -> None:
    ledger = event()
    do(ledger, c.AssignNumbers(tournament="T", participants=tuple("DABC"), basis="hand"))
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert matches(sheet) == [("D", "B"), ("C", "A")]


def test_an_event_without_teams_has_no_tables() -> None:
    ledger = event("")
    with pytest.raises(InputRefused) as refusal:
        team_tables_of(ledger, "T")
    assert refusal.value.message.key == "team.none"


@pytest.mark.parametrize("merged_first", [True, False])
def test_a_team_with_the_id_of_a_merged_player_stays(merged_first: bool) -> None:  # noqa: FBT001
    ledger = event()
    extra = [
        c.RegisterPlayer(
            player=player,
            identity=Identity(name=f"Elsewhere, {player}"),
            salt="0" * 32,
            federation="MEX",
            on=DAY,
        )
        for player in "AY"
    ]
    do(ledger, *extra)
    merge = c.MergePlayers(player="A", into="Y", on=DAY)
    if merged_first:
        do(ledger, merge)
    publish_round(ledger, PairRound(tournament="T"), request())
    if not merged_first:
        do(ledger, merge)
    assert matches(round_sheet(ledger, "T")) == [("A", "C"), ("D", "B")]
    do(ledger, c.AnnounceAbsence(tournament="T", player="A", round=2))
    record = require_tournament(ledger, "T", ledger.journal.head().seq)
    assert list(record.desk.absences) == [(2, "A")]


class TestReportFile:
    """The records of teams, as another program reads them."""

    def played(self) -> Ledger:
        ledger = event("EDCBA", bye_halves=1)
        publish_round(ledger, PairRound(tournament="T"), request())
        play(ledger, 1, 1, "1-0 0-1 1/2-1/2 0-1")
        play(ledger, 1, 2, "+/- -/+ +/- -/+")
        return ledger

    def test_trf26_has_their_points_byes_and_forfeits(self) -> None:
        text = tournament_report(self.played(), "T", None, TrfVersion.TRF26).decode()
        lines = [line for line in text.splitlines() if line[:3] in ("310", "320", "330", "362")]
        assert lines[0] == "362  W 1.0    D 0.5    L 0.0"
        assert lines[-2:] == ["320  0.5  2.0 005", "330 +-   1   4   2"]
        first = parse(text).teams[0]
        assert (first.number, first.name) == (1, "Team A")
        assert lines[1].split()[:6] == ["310", "1", "Team", "A", "2050", "1.0"]

    def test_trf16_has_who_plays_for_whom(self) -> None:
        text = tournament_report(self.played(), "T", None, TrfVersion.TRF16).decode()
        teams = parse(text).teams
        assert [team.name for team in teams] == [f"Team {team}" for team in "ABCDE"]
        assert len(teams[0].players) == 5
        assert "310" not in {line[:3] for line in text.splitlines()}

    def test_without_teams_there_are_no_records(self) -> None:
        text = tournament_report(event(""), "T", None, TrfVersion.TRF26).decode()
        assert not {"310", "362"} & {line[:3] for line in text.splitlines()}


def test_a_bye_of_half_a_match_is_a_bye_of_the_pairing() -> None:
    ledger = event("EDCBA", bye_halves=1)
    publish_round(ledger, PairRound(tournament="T"), request())
    for match in (1, 2):
        play(ledger, 1, match, "1-0 1-0 1-0 1-0")
    cards = tournament_cards(ledger, "T")
    assert [(line.how, line.total) for line in cards[4].lines] == [
        (How.ALLOCATED_BYE, Fraction(1, 2))
    ]
    # Nobody gets a second one (I III).
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert sheet.bye is not None
    assert sheet.bye.id != "E"


def test_a_team_that_comes_late_is_shown_on_the_standings() -> None:
    ledger = event("DCBA")
    publish_round(ledger, PairRound(tournament="T"), request())
    for match in (1, 2):
        play(ledger, 1, match, "1-0 1-0 1-0 1-0")
    late = c.DescribeEntry(tournament="T", player="Z", from_round=2)
    do(ledger, entry("Z", "Z1"), late)
    _, sheet = publish_round(ledger, PairRound(tournament="T"), request())
    assert sheet.bye is not None
    assert sheet.bye.id == "Z"
    changes = tournament_standings(ledger, "T").changes
    assert [(change.kind, change.number) for change in changes] == [("late-entry", 5)]


def test_a_published_round_of_teams_is_paired_again_as_it_was() -> None:
    ledger = event()
    publish_round(ledger, PairRound(tournament="T"), request())
    assert check_tournament(ledger, "T").differences == ()


def test_a_dry_run_and_boards_by_hand() -> None:
    ledger = event()
    seq = ledger.journal.head().seq
    publish_round(ledger, PairRound(tournament="T"), request(dry_run=True))
    assert ledger.journal.head().seq == seq
    asked = PairRound(tournament="T", boards=[("B", "A"), ("C", "D")])
    _, sheet = publish_round(ledger, asked, request(reason="the captains agreed"))
    assert (sheet.by_hand, matches(sheet)) == (True, [("B", "A"), ("C", "D")])
    strangers = PairRound(tournament="T", boards=[("A1", "B1")])
    with pytest.raises(InputRefused):
        publish_round(ledger, strangers, request(reason="no teams"))
