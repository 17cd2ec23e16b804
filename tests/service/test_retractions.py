"""Whatever a commit recorded is taken back as a whole, and brought back in the same way."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from ledger.answers.corrections import corrections
from ledger.answers.directory import directory_of
from ledger.answers.lists import described_list, regenerate, show
from ledger.answers.tournaments import require_tournament, show_tournament
from ledger.errors import InputRefused, NotFound
from ledger.events.catalogue import CATALOGUE, UNDOING
from ledger.events.personal import Identity
from ledger.facts import columns, fold_state
from ledger.facts.as_of import AsOf
from ledger.intake.imports import Document, Supplied, import_document
from ledger.intake.report_file import tournament_report
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.results import Bye, Result
from ledger.service.boards import typed_boards
from ledger.service.commit_outlooks import outlook_of, outlooks_on
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import adopt_regulation
from ledger.service.operations import carry_out
from ledger.service.retractions import NEVER
from ledger.terms import PairingMethod, Rate, System
from ledger.views.past import PastLedger
from tests.ledgers import (
    define,
    do,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    publish_period,
    request,
)

DAY = dt.date(2010, 7, 10)
_keys = count()
PLAYERS = (
    "id;name;rating\nA;Soto, Ana;2000\nB;Rojas, Luis;1900\nC;Vera, Eva;1800\nD;Paz, Leo;1700\n"
    "E;Paz, L.;\n"
)
GAMES = (
    "tournament,name,start,end,system,rate_of_play,round,date,white,black,result\n"
    "open,Open,2010-07-03,2010-07-04,swiss,classical,1,2010-07-03,A,B,0-1\n"
    "open,,,,,,1,2010-07-03,C,D,1-0\n"
    "open,,,,,,2,2010-07-04,A,C,0-1\n"
)
SECOND = (
    "tournament,name,start,end,system,rate_of_play,round,date,white,black,result\n"
    "second,Second,2010-07-05,2010-07-05,swiss,classical,1,2010-07-05,E,A,1-0\n"
)


@pytest.fixture
def ledger() -> Ledger:
    """Five players with ratings in a list, a tournament of four and one of two."""
    made = empty_ledger()
    define(made)
    import_text(made, PLAYERS, list_="ENF")
    import_text(made, GAMES)
    import_text(made, SECOND)
    return made


def undo(ledger: Ledger, commit: int | None = None) -> int:
    """Takes a commit back, the last one by itself; returns the number of the new one."""
    number = ledger.journal.head().commit_id if commit is None else commit
    request = Request("officer", "by mistake", f"undo:{next(_keys)}", "")
    receipt = carry_out(ledger, c.UndoCommit(commit=number), request)
    assert receipt.commit_id is not None
    return receipt.commit_id


def refused(ledger: Ledger, commit: int | None = None) -> list[str]:
    """Returns what stands in the way of taking a commit back, by keys; nothing is recorded."""
    before = ledger.journal.head()
    with pytest.raises(InputRefused) as error:
        undo(ledger, commit)
    assert ledger.journal.head() == before
    return [problem.message.key for problem in error.value.details] or [error.value.message.key]


def rows(ledger: Ledger, period: str = "2010-07") -> list[tuple[str, int, int]]:
    """Returns a list as known now: id, rating and games."""
    return [(row.id, row.rating, row.games) for row in show(ledger, "ENF", period).rows]


def record_game(**others: object) -> c.Command:
    said = {"tournament": "open", "round": 3, "white": "B", "black": "D", "anyway": True}
    return c.RecordGame(**said | {"result": Result.parse("1-0")} | others)  # type: ignore[arg-type]


FACTS: dict[str, Callable[[], c.Command]] = {
    "a seed": lambda: c.SeedRating(
        player="D", rating=2300, list="ENF", on=dt.date(2010, 7, 2), games=None, k=None, source=None
    ),
    "a K": lambda: c.AssignK(player="A", k=40, list="ENF", on=dt.date(2010, 7, 1)),
    "a step": lambda: c.AdjustRating(player="A", list="ENF", on=dt.date(2010, 7, 1), points=50),
    "a description": lambda: c.DescribePlayer(
        player="A", born_on=dt.date(1990, 1, 1), joined_on=None, sex=None, on=DAY
    ),
    "a club": lambda: c.AffiliatePlayer(
        player="A", club="Norte", region=None, licensed_until=None, on=DAY
    ),
    "a game": record_game,
    "a correction": lambda: c.CorrectResult(
        tournament="open", round=1, white="A", black="B", result=Result.parse("1-0")
    ),
    "a correction for the rating": lambda: c.CorrectResult(
        tournament="open", round=1, white="A", black="B", result=None, rating_only=True
    ),
    "an annulled game": lambda: c.AnnulResult(tournament="open", round=1, white="A", black="B"),
    "a rejection": lambda: c.RuleOnTournament(tournament="open", ruling="reject", on=DAY),
    "an annulled tournament": lambda: c.RuleOnTournament(
        tournament="open", ruling="annul", on=DAY
    ),
    "a merge": lambda: c.MergePlayers(player="E", into="D", on=DAY),
}  # fmt: skip


@pytest.mark.parametrize("fact", FACTS)
def test_taken_back_it_never_was_and_brought_back_it_always_was(ledger: Ledger, fact: str) -> None:
    before, sheet = rows(ledger), show_tournament(ledger, "open").data()
    do(ledger, FACTS[fact]())
    with_it, seq = rows(ledger), ledger.journal.head().seq
    taken_back = undo(ledger)
    assert rows(ledger) == before
    assert {**show_tournament(ledger, "open").data(), "seq": 0} == {**sheet, "seq": 0}
    assert rows(reopened(ledger)) == before
    undo(ledger, taken_back)
    assert rows(ledger) == with_it
    assert rows(PastLedger(ledger, seq)) == with_it  # type: ignore[arg-type]  # it is asked only


def reopened(ledger: Ledger) -> Ledger:
    """Returns a ledger that reads everything anew."""
    return Ledger(ledger.journal, ledger.clock)


def test_a_wrong_file_leaves_nothing_of_it_in_any_list(ledger: Ledger) -> None:
    before = rows(ledger)
    people = len(directory_of(ledger))
    import_text(ledger, "id;name;rating\nX;Guest, One;2400\nY;Guest, Two;2300\n", list_="ENF")
    brought = ledger.journal.head().commit_id
    import_text(
        ledger,
        "tournament,name,start,end,system,rate_of_play,round,date,white,black,result\n"
        "foreign,Foreign,2010-07-03,2010-07-04,swiss,classical,1,2010-07-03,X,Y,1-0\n",
    )
    assert refused(ledger, brought) == ["undo.plays"]
    undo(ledger)
    with pytest.raises(NotFound):
        show_tournament(ledger, "foreign")
    undo(ledger, brought)
    assert rows(ledger) == before
    assert len(directory_of(ledger)) == people
    assert rows(reopened(ledger)) == before
    found = corrections(ledger)
    assert [each.reason for each in found][:2] == ["by mistake", "by mistake"]


def test_a_file_that_was_taken_back_is_taken_in_again_and_says_so(ledger: Ledger) -> None:
    before = rows(ledger)
    imported = ledger.journal.head().commit_id
    taken_back = undo(ledger, imported)
    assert rows(ledger) != before
    receipt = import_text(ledger, SECOND)
    assert not receipt.repeated
    assert [note.message.key for note in receipt.notes] == ["import.was_undone"]
    assert receipt.counts == {"tournament.fact-undone": 1}
    assert rows(ledger) == before
    assert import_text(ledger, SECOND).repeated
    assert refused(ledger, taken_back) == ["undo.already"]


@pytest.mark.parametrize("kind", ["csv", "trf"])
def test_what_was_taken_back_comes_again_as_another_file_says_it(kind: str) -> None:
    """With another day, another result and one game less, as if it had never been."""
    people = ("11,1800,,50", "12,1700,,50", "13,1600,,50")
    ledger = ledger_of(*people)
    import_text(ledger, games("T", "1,,11,12,1-0", "1,,13,,U", "2,,12,13,1-0", day="2010-07-10"))
    undo(ledger)
    mended = games("T", "1,,11,12,0-1", "1,,13,,U", day="2010-08-10").encode()
    if kind == "trf":
        other = ledger_of(*people)
        import_document(other, Document(name="t.csv", data=mended), request())
        mended = tournament_report(other, "T", None)
    document = Document(name=f"t.{kind}", data=mended, supplied=Supplied(tournament="T"))
    receipt = import_document(ledger, document, Request("officer", "", "again", ""))
    assert "import.was_undone" in {note.message.key for note in receipt.notes}
    sheet = show_tournament(ledger, "T")
    assert sheet.tournament.starts_on == dt.date(2010, 8, 10)
    assert {each.id: each.points for each in sheet.players} == {"11": 0, "12": 1, "13": 1}
    assert not any(each.corrected for each in sheet.players), "nothing held that was corrected"


def test_players_who_were_taken_back_are_taken_in_again() -> None:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS, list_="ENF")
    undo(ledger)
    with pytest.raises(InputRefused, match="there is no player"):
        import_text(ledger, SECOND)
    import_text(ledger, PLAYERS, list_="ENF")
    assert [id_ for id_, *_ in rows(ledger)] == ["A", "B", "C", "D"]
    import_text(ledger, SECOND)
    assert len(directory_of(ledger)) == 5
    assert rows(reopened(ledger)) == rows(ledger)


def test_what_later_facts_stand_on_is_named(ledger: Ledger) -> None:
    opened = ledger.journal.head().commit_id - 1
    do(ledger, record_game())
    assert refused(ledger, opened) == ["undo.later"]
    do(ledger, c.CorrectResult(
        tournament="open", round=3, white="B", black="D", result=Result.parse("0-1")
    ))  # fmt: skip
    assert refused(ledger, ledger.journal.head().commit_id - 1) == ["undo.later"]


def test_who_is_entered_somewhere_and_has_no_game_yet_is_seen(ledger: Ledger) -> None:
    import_text(ledger, "id;name\nF;New, Eli\nG;New, Ada\n")
    brought = ledger.journal.head().commit_id
    do(ledger, c.EnterPlayer(tournament="open", player="F"))
    assert refused(ledger, brought) == ["undo.plays"]
    undo(ledger)
    do(
        ledger,
        c.OpenLadder(
            ladder="club",
            list="ENF",
            players=("A", "G"),
            ratings={"A": 2000, "G": 1500},
            on=DAY,
            as_given=True,
        ),
    )
    assert refused(ledger, brought) == ["undo.plays"]
    assert refused(ledger) == ["undo.ladder_opened"]
    do(ledger, c.LeaveLadder(ladder="club", player="G", on=DAY))
    assert refused(ledger) == ["undo.ladder_left"]
    do(ledger, c.JoinLadder(ladder="club", player="G", place=2, on=DAY, rating=1500))
    assert refused(ledger) == ["undo.ladder_joined"]


def test_a_result_that_a_round_was_paired_from_is_corrected_instead(ledger: Ledger) -> None:
    do(
        ledger,
        c.OpenTournament(
            tournament="swiss", name="Swiss", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=3,
        ),
        *(c.EnterPlayer(tournament="swiss", player=player) for player in "ABCD"),
        c.AnnounceRules(tournament="swiss", pairing=PairingMethod.FENAMAC_1975, tie_breaks=()),
    )  # fmt: skip

    def pair() -> None:
        asked = Request("arbiter", "", f"pair:{next(_keys)}", "")
        carry_out(ledger, c.PairRound(tournament="swiss", round=None, list=None), asked)

    pair()
    paired = ledger.journal.head().commit_id
    typed = [(board, Result.parse("1-0")) for board in (1, 2)]
    do(ledger, *typed_boards(ledger, "swiss", 1, typed, "tester"))
    results = ledger.journal.head().commit_id
    assert refused(ledger, paired) == ["undo.round"]
    again = undo(ledger, results)
    undo(ledger, again)
    pair()
    assert set(refused(ledger, results)) == {"undo.paired_from"}


def test_an_entry_is_taken_back_until_somebody_plays(ledger: Ledger) -> None:
    import_text(ledger, "id;name\nF;New, Eli\n")
    do(ledger, c.EnterPlayer(tournament="open", player="F"))
    entered = ledger.journal.head().commit_id
    do(ledger, record_game(white="F"))
    assert refused(ledger, entered) == ["conflict.not_entered"]
    undo(ledger)
    undo(ledger, entered)
    record = require_tournament(ledger, "open", ledger.journal.head().seq)
    assert "F" not in record.entries
    assert ledger.facts().entry_counts.tolist() == [4, 2]


def test_a_published_edition_stays_as_it_was(ledger: Ledger) -> None:
    do(ledger, FACTS["a K"]())
    assigned = ledger.journal.head().commit_id
    publish_period(ledger, "2010-07")
    published = ledger.journal.head().commit_id
    edition, _ = regenerate(ledger, "ENF", "2010-07", None)
    document = edition.document()
    assert refused(ledger, published) == ["undo.published"]
    undo(ledger, assigned)
    again, failure = regenerate(ledger, "ENF", "2010-07", None)
    assert failure is None
    assert again.document() == document
    assert rows(ledger) != [(row.id, row.rating, row.games) for row in again.rows]


def test_a_regulation_is_no_more_adopted_but_never_the_first(ledger: Ledger) -> None:
    assert refused(ledger, 1)[0] == "undo.list_defined"
    carry = Request("officer", "a new text", f"adopt:{next(_keys)}", "")
    before = described_list(ledger, "ENF").regulation
    adopt_regulation(
        ledger, "ENF", regulation="elo-linear", parameters={}, on=dt.date(2010, 8, 1),
        as_correction=False, request=carry,
    )  # fmt: skip
    assert described_list(ledger, "ENF").regulation == "elo-linear"
    undo(ledger)
    assert described_list(ledger, "ENF").regulation == before


def test_a_merge_is_split_and_can_be_made_again(ledger: Ledger) -> None:
    before = rows(ledger)
    do(ledger, FACTS["a merge"]())
    merged = rows(ledger)
    request = Request("officer", "two people", f"split:{next(_keys)}", "")
    carry_out(ledger, c.SplitPlayer(player="E"), request)
    assert rows(ledger) == before
    again = Request("officer", "two people", f"split:{next(_keys)}", "")
    with pytest.raises(InputRefused, match="not given up"):
        carry_out(ledger, c.SplitPlayer(player="E"), again)
    do(ledger, FACTS["a merge"]())
    assert rows(ledger) == merged
    assert rows(reopened(ledger)) == merged


@pytest.mark.parametrize(("holds", "other"), [("B", "C"), ("C", "B")])
def test_two_rated_ids_are_one_with_the_rating_that_holds(holds: str, other: str) -> None:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS, list_="ENF")
    before = rows(ledger)
    merge = c.MergePlayers(player="C", into="B", on=DAY)
    with pytest.raises(InputRefused, match="--seeds-of"):
        do(ledger, merge)
    with pytest.raises(InputRefused, match="none of the two"):
        do(ledger, replace(merge, seeds_of="A"))
    do(ledger, replace(merge, seeds_of=holds))
    ratings = {id_: rating for id_, rating, _ in before}
    now = {id_: rating for id_, rating, _ in rows(ledger)}
    assert now == {"A": ratings["A"], "B": ratings[holds], "D": ratings["D"]}
    undo(ledger)
    assert rows(ledger) == before
    assert other in ratings
    do(ledger, replace(merge, seeds_of=holds))
    request = Request("officer", "two people", f"split:{next(_keys)}", "")
    carry_out(ledger, c.SplitPlayer(player="C"), request)
    assert rows(ledger) == before, "each has the rating back that came with the id"
    do(ledger, replace(merge, seeds_of=other))


def test_nothing_is_taken_back_twice_or_without_a_reason(ledger: Ledger) -> None:
    do(ledger, FACTS["a K"]())
    number = ledger.journal.head().commit_id
    with pytest.raises(InputRefused, match="why"):
        carry_out(ledger, c.UndoCommit(commit=number), Request("officer", " ", "u", ""))
    undo(ledger, number)
    assert refused(ledger, number) == ["undo.already"]
    with pytest.raises(NotFound):
        undo(ledger, 99)


def test_with_everything_taken_back_nothing_is_rated(ledger: Ledger) -> None:
    for fact in ("a K", "a step", "a game", "a rejection"):
        do(ledger, FACTS[fact]())
    before, last = rows(ledger), ledger.journal.head().commit_id
    for number in range(last, 1, -1):
        undo(ledger, number)
    assert rows(ledger) == []
    assert not len(directory_of(ledger))
    known = AsOf(ledger.facts(), ledger.facts().seq)
    assert not known.is_open.any()
    assert not known.is_registered.any()
    for number in range(ledger.journal.head().commit_id, last, -1):
        undo(ledger, number)
    assert rows(ledger) == before


def test_what_is_recorded_in_a_tournament_later_reaches_as_far_as_its_true_last_day(
    ledger: Ledger,
) -> None:
    correction = c.CorrectTournament(
        tournament="open", name="Open", starts_on=dt.date(2010, 7, 3),
        ends_on=dt.date(2010, 9, 4), system=System.SWISS, rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    do(ledger, correction)
    undo(ledger)
    before = ledger.journal.head().seq
    game = do(ledger, record_game())
    facts = ledger.facts()
    last_day = dt.date(2010, 7, 4).toordinal()
    assert facts.first_effect_between(before, facts.seq) == last_day
    do(ledger, replace(correction, starts_on=dt.date(2010, 7, 1), ends_on=dt.date(2010, 7, 2)))
    before = ledger.journal.head().seq
    undo(ledger, game.commit_id)
    facts = ledger.facts()
    assert facts.first_effect_between(before, facts.seq) == last_day - 2


def test_a_year_of_birth_that_is_said_again_after_it_was_taken_back_counts(ledger: Ledger) -> None:
    year = c.CorrectIdentity(
        player="A", identity=Identity(name="Soto, Ana", birth_date="1990"), federation=None,
        salt="0" * 32, on=DAY,
    )  # fmt: skip
    do(ledger, year)
    undo(ledger)
    before = ledger.journal.head().seq
    do(ledger, replace(year, salt="1" * 32))
    facts = ledger.facts()
    assert facts.first_effect_between(before, facts.seq) == dt.date.min.toordinal()


def test_much_is_taken_back_and_brought_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Counter[str]()

    def counted(module: object, name: str) -> None:
        true = getattr(module, name)

        def call(*given: object, **named: object) -> object:
            asked[name] += 1
            return true(*given, **named)

        monkeypatch.setattr(module, name, call)

    counted(columns, "undone_of")
    counted(fold_state, "undone_of")
    counted(MemoryJournal, "streams")
    counted(AsOf, "holding")
    found = []
    for size in (3, 300):
        made = empty_ledger()
        define(made)
        import_text(made, "id;name\n" + "".join(f"P{n};Player {n}\n" for n in range(size)))
        asked.clear()
        undo(made)
        undo(made)
        assert len(directory_of(made)) == size
        found.append(dict(asked))
    assert found[0] == found[1], "whether it is little or much"


def test_every_type_of_event_has_its_undo_or_its_reason() -> None:
    kinds = {model.TYPE: model.STREAM for model in CATALOGUE.models()}
    assert NEVER.keys() <= kinds.keys()
    left = {kind for type_, kind in kinds.items() if type_ not in NEVER}
    assert left == {"player", "tournament", "list"}
    assert UNDOING.isdisjoint(NEVER)
    assert len(UNDOING) == len(left)


def test_a_commit_that_opened_a_tournament_is_taken_back_once(ledger: Ledger) -> None:
    number = ledger.journal.head().commit_id
    undo(ledger, number)
    with pytest.raises(InputRefused) as refused:
        undo(ledger, number)
    assert refused.value.message.key == "undo.already"


def test_what_a_commit_recorded_is_said_in_words(ledger: Ledger) -> None:
    number = ledger.journal.head().commit_id
    by = undo(ledger, number)
    said = [str(outlook_of(ledger, each).recorded) for each in (2, number, by)]
    assert said == [
        "5 players, 4 first ratings",
        "1 tournament opened, 1 result recorded, 2 entries",
        "1 statement about a tournament undone",
    ]
    assert outlook_of(ledger, number).taken_back_by == [by]
    assert not outlook_of(ledger, 1).can_be_undone  # it defined the list
    assert outlook_of(ledger, by).is_undoing
    (first, second) = outlooks_on(ledger, "tournament:second")
    assert (first.commit.commit_id, second.commit.commit_id) == (by, number)


def test_an_undone_bye_comes_back_beside_a_later_correction_of_another_board() -> None:
    ledger = ledger_of("A,1800,15,30", "B,1800,15,30", "C,1800,15,30", "D,1800,15,30")
    import_text(ledger, games("T", "1,,A,B,1-0", "1,,D,C,1-0"))
    do(ledger, c.GiveBye(tournament="T", round=2, player="C", kind=Bye.FULL))
    undone = undo(ledger)
    corrected = c.CorrectResult(
        tournament="T", round=1, white="A", black="B", result=Result.parse("0-1")
    )
    do(ledger, corrected)
    undo(ledger, undone)
    record = ledger.tournament("T", ledger.facts().seq)
    assert record is not None
    assert record.pairings[2, "C"].result is Bye.FULL
    assert str(record.pairings[1, "A"].result) == "0-1"
