"""A regulation that uses every rule few texts have: recorded, replayed, explained, published."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from ledger.answers.lists import regenerate, show
from ledger.answers.player_questions import explain
from ledger.errors import InputRefused
from ledger.events.tournaments import TournamentFlagged
from ledger.journal.batch import of_type
from ledger.operations.commands import DescribePlayer, FlagTournament
from ledger.rating.postings import Reason
from ledger.regulations import registry
from ledger.service.ledger import Ledger
from tests.cli.running import run_here
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)
from tests.outside.test_outside import entry_point

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ID = "club-lago.lago-2025"
JANUARY = dt.date(2025, 1, 1)
PLAYERS = """\
A,Ana,CHI,w,,1500,,
B,Beto,CHI,m,,1500,,
G,Gusa,ARG,m,,1700,,
L,Lalo,CHI,m,,1001,,
N,Nico,CHI,m,,,,
"""


def row(tournament: str, month: int, round_: int, white: str, black: str, result: str) -> str:
    day = f"2025-{month:02}-10"
    head = f"{tournament},{tournament},{day},{day},swiss,classical,"
    return f"{head},{round_},,{white},{black},{result}\n"


GAMES = (
    row("open", 1, 1, "A", "B", "1-0"),
    row("open", 1, 2, "A", "G", "1-0"),
    row("open", 1, 3, "N", "A", "1/2-1/2"),
    row("open", 1, 4, "N", "B", "1/2-1/2"),
    row("tea", 1, 1, "A", "B", "0-1"),
    row("ladies", 1, 1, "A", "B", "1-0"),
    row("last", 1, 1, "L", "A", "0-1"),
    row("last", 1, 2, "L", "B", "0-1"),
    row("spring", 2, 1, "N", "A", "1-0"),
    row("spring", 2, 2, "N", "B", "1-0"),
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it, as if installed."""
    site = tmp_path_factory.mktemp("club") / "site"
    shutil.copytree(HERE / "club" / "club_lago", site / "club_lago")
    return entry_point(site, "club-lago", "lago = club_lago:Lago2025")


@pytest.fixture
def ledger(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """A ledger whose list follows the regulation, with two months of games."""
    monkeypatch.syspath_prepend(str(site))
    registry.outside.cache_clear()
    yield recorded()
    registry.outside.cache_clear()


def recorded(*, described: bool = True) -> Ledger:
    made = empty_ledger()
    define(made, "LAGO", regulation=ID, first_on=JANUARY)
    import_text(made, PLAYERS_HEADER + PLAYERS, list_="LAGO")
    import_text(made, GAMES_HEADER + "".join(GAMES))
    do(made, FlagTournament(tournament="tea", flags=("friendly",)))
    do(made, FlagTournament(tournament="ladies", flags=("women",)))
    if described:
        born, joined = dt.date(2007, 6, 1), dt.date(2024, 6, 1)
        describe(made, "A", born_on=born, joined_on=joined, sex="w")
        describe(made, "B", sex="m")
    return made


def describe(
    ledger: Ledger,
    player: str,
    *,
    born_on: dt.date | None = None,
    joined_on: dt.date | None = None,
    sex: str | None = None,
) -> None:
    command = DescribePlayer(
        player=player, born_on=born_on, joined_on=joined_on, sex=sex, on=JANUARY
    )
    do(ledger, command)


def ratings(ledger: Ledger, period: str) -> dict[str, int | None]:
    return {row.id: row.rating for row in show(ledger, "LAGO", period).rows}


class TestRules:
    def test_a_guest_counts_as_opponent_and_keeps_his_rating(self, ledger: Ledger) -> None:
        assert ratings(ledger, "2025-01")["G"] == 1700
        his = explain(ledger, "G", "LAGO", "2025-01")
        assert [(line.reason, line.clause) for line in his.excluded] == [
            (Reason.FIXED_RATING, "art. 1")
        ]
        hers = explain(ledger, "A", "LAGO", "2025-01")
        assert "G" in {line.opponent.id for line in hers.postings}

    def test_reasons_of_its_own_are_shown_with_its_wording(self, ledger: Ledger) -> None:
        made = explain(ledger, "B", "LAGO", "2025-01")
        told: dict[str, tuple[str, ...]] = {
            line.tournament: (
                line.reason.code, line.clause, line.reason.message.within("en"),
                line.reason.message.within("es"),
            )
            for line in made.excluded
        }  # fmt: skip
        assert told["tea"] == ("friendly", "art. 2", "a friendly tournament", "un torneo amistoso")
        assert told["ladies"][:3] == ("no-woman", "art. 3", "a women's tournament")
        assert "ladies" in {
            line.tournament for line in explain(ledger, "A", "LAGO", "2025-01").postings
        }

    def test_k_goes_by_the_day_of_birth(self, ledger: Ledger) -> None:
        assert explain(ledger, "A", "LAGO", "2025-01").k == 40
        assert explain(ledger, "B", "LAGO", "2025-01").k == 20
        again = explain(ledger, "A", "LAGO", "2025-02")
        assert again.k == 40  # 18 in June

    def test_a_step_of_its_own(self, ledger: Ledger) -> None:
        made = explain(ledger, "A", "LAGO", "2025-01")
        told = {line.tournament: (line.kind.code, line.clause, line.points) for line in made.steps}
        assert told == dict.fromkeys(("open", "ladies", "last"), ("welcome", "art. 5", Fraction(1)))
        assert not explain(ledger, "B", "LAGO", "2025-01").steps

    def test_results_are_valued_with_the_ratings_of_today(self, ledger: Ledger) -> None:
        before = explain(ledger, "N", "LAGO", "2025-01")
        assert before.closing is None
        assert before.bucket is not None
        assert [line.opponents_mean for line in before.bucket] == [1500]
        now, his = ratings(ledger, "2025-01"), explain(ledger, "N", "LAGO", "2025-02")
        assert now["A"] is not None
        assert now["B"] is not None
        assert his.bucket is not None
        mean = (now["A"] + now["B"]) / 2
        assert [float(line.opponents_mean) for line in his.bucket] == [mean, mean]
        assert his.closing == his.first_rating == round(mean + 200 + 0.25)

    def test_who_falls_is_unrated_and_starts_anew(self, ledger: Ledger) -> None:
        made = explain(ledger, "L", "LAGO", "2025-01")
        assert made.opening == 1001
        assert made.closing is None
        assert made.removed == -(1001 + round(made.change_exact))
        assert explain(ledger, "L", "LAGO", "2025-02").opening is None


def test_it_is_published_and_comes_back(ledger: Ledger) -> None:
    publish_period(ledger, "2025-02", "LAGO")
    for period in ("2025-01", "2025-02"):
        _, failure = regenerate(ledger, "LAGO", period, None)
        assert failure is None


def test_what_is_recorded_later_changes_what_was_calculated(ledger: Ledger) -> None:
    late = recorded(described=False)
    assert explain(late, "A", "LAGO", "2025-01").k == 20
    describe(late, "A", born_on=dt.date(2007, 6, 1), joined_on=dt.date(2024, 6, 1), sex="w")
    describe(late, "B", sex="m")
    assert ratings(late, "2025-02") == ratings(ledger, "2025-02")
    do(late, FlagTournament(tournament="tea", flags=()))
    assert ratings(late, "2025-01") != ratings(ledger, "2025-01")


class TestCommands:
    def test_what_is_recorded_already_is_refused(self, ledger: Ledger) -> None:
        with pytest.raises(InputRefused, match="flags of tournament tea"):
            do(ledger, FlagTournament(tournament="tea", flags=("friendly",)))
        with pytest.raises(InputRefused, match="recorded already"):
            describe(ledger, "B", sex="m")

    def test_days_are_in_order(self, ledger: Ledger) -> None:
        with pytest.raises(InputRefused, match="in this order"):
            describe(ledger, "B", born_on=dt.date(2000, 1, 1), joined_on=dt.date(1999, 1, 1))

    def test_flags_stand_in_order(self, ledger: Ledger) -> None:
        receipt = do(ledger, FlagTournament(tournament="open", flags=("b", "a", "b")))
        ((_, event),) = of_type(receipt.events, TournamentFlagged)
        assert event.flags == ("a", "b")

    def test_flags_that_no_rules_ask_for_are_noted(self, ledger: Ledger) -> None:
        flags = ("friendly", "interzonal", "qualifying-12", "frendly", "qualifying-some")
        notes = do(ledger, FlagTournament(tournament="open", flags=flags)).notes
        said = [note.message.within("en") for note in notes]
        assert [text.split("'")[1] for text in said] == ["frendly", "qualifying-some"]
        assert "friendly, interzonal" in said[0]


class TestCommandLine:
    @pytest.fixture
    def folder(self, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """A ledger in a file, in the current folder."""
        monkeypatch.syspath_prepend(str(site))
        monkeypatch.chdir(tmp_path)
        registry.outside.cache_clear()
        (tmp_path / "players.csv").write_text(PLAYERS_HEADER + PLAYERS, encoding="utf-8")
        (tmp_path / "games.csv").write_text(GAMES_HEADER + "".join(GAMES), encoding="utf-8")
        define_list = ("list", "define", "LAGO", "--regulation", ID, "--calendar", "monthly",
                       "--first", "2025-01-01")  # fmt: skip
        for words in (
            ("init",),
            define_list,
            ("import", "players.csv", "--list", "LAGO"),
            ("import", "games.csv"),
        ):
            done = run_here(*words)
            assert done.code == 0, done.err
        yield
        registry.outside.cache_clear()

    @pytest.mark.usefixtures("folder")
    def test_what_rules_ask_for_is_recorded_and_told(self) -> None:
        for words in (
            ("tournament", "flag", "tea", "friendly"),
            ("player", "describe", "A", "--born", "2007-06-01", "--sex", "w"),
        ):
            assert run_here(*words).code == 2, "a reason must be said"
            assert run_here(*words, "--reason", "art. 2 and 4").code == 0
        shown = run_here("player", "show", "A", "--format", "json").json()
        assert shown["described"] == {"born_on": "2007-06-01", "joined_on": None, "sex": "w"}
        assert "born 2007-06-01, sex w, joined -" in run_here("player", "show", "A").out
        assert "flags: friendly" in run_here("tournament", "show", "tea").out
        question = ("explain", "A", "--list", "LAGO", "--period", "2025-01")
        assert "a friendly tournament" in run_here(*question).out
        assert "un torneo amistoso" in run_here("--lang", "es", *question).out
        his = run_here("explain", "L", "--list", "LAGO", "--period", "2025-01")
        assert "starts anew" in his.out
        assert run_here("publish", "LAGO", "2025-01").code == 0
        assert run_here("list", "regenerate", "LAGO", "2025-01").code == 0
        assert run_here("verify").code == 0

    @pytest.mark.usefixtures("folder")
    def test_what_cannot_be_is_refused(self) -> None:
        for words, code in (
            (("player", "describe", "A", "--born", "2100-01-01"), 4),
            (("player", "describe", "Z", "--sex", "w"), 7),
            (("tournament", "flag", "tea", "Not a word"), 4),
        ):
            done = run_here(*words, "--reason", "test")
            assert done.code == code, done


def test_the_laws_hold_for_it(site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
         "tests/laws/test_every_regulation.py", "-k", ID],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
