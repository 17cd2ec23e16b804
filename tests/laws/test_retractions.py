"""What is taken back never was: a ledger equals one in which only the rest was ever recorded."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from itertools import count

from hypothesis import given

from ledger.answers.lists import show
from ledger.answers.tournaments import show_tournament, tournament_standings
from ledger.errors import LedgerError
from ledger.events.personal import Identity
from ledger.facts.builder import FactsBuilder
from ledger.facts.segment import pack
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger, Request
from ledger.service.operations import carry_out
from ledger.terms import Rate, System
from tests.ledgers import define, do, empty_ledger, import_text
from tests.profile import CHANCES, examples

DAY = dt.date(2010, 7, 1)
PLAYERS = "id;name;rating\n" + "".join(
    f"{n};Player {n};{2100 - 50 * k}\n" for k, n in enumerate("ABCDEF")
)
_keys = count()


def base() -> Ledger:
    """Six players with ratings, and a tournament without games."""
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS, list_="ENF")
    import_text(
        ledger,
        "tournament,name,start,end,system,rate_of_play,round,date,white,black,result\n"
        "t,T,2010-07-03,2010-07-05,swiss,classical,1,2010-07-03,A,B,1-0\n"
        "t,,,,,,1,2010-07-03,C,D,1/2-1/2\n",
    )
    return ledger


def _pair(chance: random.Random) -> dict[str, object]:
    white, black = chance.sample("ABCDEF", 2)
    return {"tournament": "t", "round": chance.randint(1, 4), "white": white, "black": black}


def _result(chance: random.Random) -> Result:
    return Result.parse(chance.choice(["1-0", "0-1", "1/2-1/2", "+/-"]))


ACTS: tuple[Callable[[random.Random], c.Command], ...] = (
    lambda chance: c.RecordGame(**_pair(chance), result=_result(chance)),  # type: ignore[arg-type]
    lambda chance: c.CorrectResult(**_pair(chance), result=_result(chance)),  # type: ignore[arg-type]
    lambda chance: c.AnnulResult(**_pair(chance)),  # type: ignore[arg-type]
    lambda _: c.EnterPlayer(tournament="t", player="E", starting_number=5),
    lambda _: c.EnterPlayer(tournament="t", player="F", starting_number=6),
    lambda chance: c.AssignK(
        player=chance.choice("ABCDEF"), k=chance.choice([10, 20, 40]), list="ENF", on=DAY
    ),
    lambda chance: c.AdjustRating(
        player=chance.choice("ABCDEF"), list="ENF", on=DAY, points=chance.choice([-40, 25])
    ),
    lambda chance: c.WithdrawPlayer(
        tournament="t", player=chance.choice("ABCD"), from_round=chance.randint(3, 5)
    ),
    lambda chance: c.RuleOnTournament(
        tournament="t", ruling=chance.choice(["reject", "accept"]), on=DAY
    ),
    lambda chance: c.CorrectTournament(
        tournament="t", name="T", starts_on=dt.date(2010, 7, 3),
        ends_on=dt.date(2010, chance.choice([7, 8, 9]), 5), system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    ),
    lambda chance: c.CorrectIdentity(
        player=chance.choice("ABCDEF"), federation=None, salt="0" * 32, on=DAY,
        identity=Identity(name="Another", birth_date=chance.choice(["1990", "1950"])),
    ),
)  # fmt: skip


def merge(_: random.Random) -> c.Command:
    """What came since under the id that stays is not moved when it is split: the rest differs."""
    return c.MergePlayers(player="F", into="E", on=DAY, seeds_of="E")


MONTHS = ("2010-07", "2010-08", "2010-09")


def figures(ledger: Ledger) -> list[object]:
    """Returns what is shown of a ledger, but for seqs."""
    rows = [
        (row.id, row.rating, row.games, row.k)
        for month in MONTHS
        for row in show(ledger, "ENF", month).rows
    ]
    sheet = show_tournament(ledger, "t")
    places = [(row.id, row.points, row.rank) for row in tournament_standings(ledger, "t").rows]
    players = [(each.id, each.number, each.rounds, each.points) for each in sheet.players]
    return [rows, players, places]


def tried(ledger: Ledger, command: c.Command) -> int | None:
    """Records a command; returns its commit, None where it is refused."""
    try:
        return do(ledger, command).commit_id
    except LedgerError:
        return None


def taken_back(ledger: Ledger, commit: int) -> int | None:
    """Takes a commit back; returns the commit that does, None where it is refused."""
    request = Request("officer", "by mistake", f"law:{next(_keys)}", "")
    try:
        return carry_out(ledger, c.UndoCommit(commit=commit), request).commit_id
    except LedgerError:
        return None


@given(CHANCES)
@examples(40)
def test_a_ledger_is_what_is_left_of_it(chance: random.Random) -> None:
    ledger = base()
    standing: dict[int, c.Command] = {}
    for _ in range(chance.randint(3, 14)):
        if standing and chance.random() < 0.3:
            commit = chance.choice([*standing])
            if taken_back(ledger, commit) is not None:
                del standing[commit]
            continue
        command = chance.choice(ACTS)(chance)
        recorded = tried(ledger, command)
        if recorded is not None:
            standing[recorded] = command
        if chance.random() < 0.3:  # what was calculated before is used where it still holds
            assert figures(ledger) == figures(Ledger(ledger.journal, ledger.clock))
    rest = base()
    for command in standing.values():
        tried(rest, command)  # refused where it says nothing new without what is taken back
    assert figures(ledger) == figures(rest)
    assert figures(Ledger(ledger.journal, ledger.clock)) == figures(rest)
    rows = [row for page in ledger.journal.pages() for row in page]
    at_once, *others = (
        FactsBuilder().take_pages([rows[at : at + size] for at in range(0, len(rows), size)])
        for size in (len(rows), 1, 3)
    )
    for other in others:
        assert pack(other.sealed(1, len(rows))[0]) == pack(at_once.sealed(1, len(rows))[0]), (
            "a segment is the same however its events were read"
        )


@given(CHANCES)
@examples(40)
def test_taken_back_and_brought_back_is_nothing(chance: random.Random) -> None:
    ledger = base()
    acts = [*ACTS, merge]
    commits = [tried(ledger, chance.choice(acts)(chance)) for _ in range(chance.randint(2, 8))]
    before = figures(ledger)
    undoing = [
        number
        for commit in reversed(commits)
        if commit is not None and (number := taken_back(ledger, commit)) is not None
    ]
    for number in reversed(undoing):
        assert taken_back(ledger, number) is not None
    assert figures(ledger) == before
