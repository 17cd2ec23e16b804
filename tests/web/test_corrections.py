"""What was corrected, and whom each correction moved: the same as its preview said."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ledger.answers.corrections import MOST, correction_report, corrections
from ledger.errors import NotFound
from ledger.events.players import PlayerIdentityCorrected
from ledger.identifiers import Seq
from ledger.operations.commands import (
    AdjournGame,
    AnnulResult,
    Command,
    CorrectResult,
    MergePlayers,
    RecordGame,
    RuleOnTournament,
    UndoCommit,
)
from ledger.reports.cascade import cascade
from ledger.reports.correction_words import deeds_of
from ledger.results import Result
from ledger.service.accounts import grant_role
from ledger.service.ledger import Ledger
from ledger.service.retractions import undo_commit
from ledger.terms import Role
from tests.ledgers import NOW, do, games, import_text, ledger_of, publish_period, request
from tests.web.conftest import Browse
from tests.web.support import links_on, pages_from, read, text_of

DAY = NOW.date()
TURNED = CorrectResult(tournament="T0", round=1, white="A", black="B", result=Result.parse("0-1"))
FOR_RATING = replace(TURNED, result=None, rating_only=True)
STRUCK = AnnulResult(tournament="T0", round=1, white="A", black="B")


@pytest.fixture
def ledger() -> Ledger:
    """A chain of games over three published months."""
    ledger = ledger_of("A,1800,,50", "B,1800,,50", "C,1800,,50", "A2,,,")
    for number, (month, pair) in enumerate((("07", "A,B"), ("08", "B,C"), ("09", "C,A"))):
        import_text(ledger, games(f"T{number}", f"1,,{pair},1-0", day=f"2010-{month}-10"))
        publish_period(ledger, f"2010-{month}")
    return ledger


def newest(ledger: Ledger) -> Seq:
    return corrections(ledger)[0].seq


def test_what_was_right_at_once_is_no_correction(browse: Browse, ledger: Ledger) -> None:
    assert corrections(ledger) == []
    assert "Nothing was corrected" in read(browse(ledger), "/corrections")


def test_whom_a_correction_moved_is_what_its_preview_said(ledger: Ledger) -> None:
    preview = do(ledger, TURNED, dry_run=True)
    assert preview.shifts is not None
    do(ledger, TURNED)
    later = games("T9", "1,,A,C,0-1", day="2010-07-20")
    import_text(ledger, later)  # what comes later changes nothing of it
    made = correction_report(ledger, newest(ledger))
    assert made.cascade == cascade(preview.shifts)
    assert made.cascade.shifts == len(preview.shifts) > 0


@pytest.mark.parametrize(
    ("command", "type_", "said"),
    [
        (TURNED, "result.corrected", "1–0 → 0–1"),
        (
            CorrectResult(
                tournament="T0", round=1, white="A", black="B", result=None, rating_only=True
            ),
            "result.corrected-for-rating",
            "1–0 → –",
        ),
        (
            AnnulResult(tournament="T0", round=1, white="A", black="B"),
            "result.annulled",
            "1–0 → –",
        ),
        (RuleOnTournament(tournament="T1", ruling="reject", on=DAY), "tournament.rejected", "T1"),
        (RuleOnTournament(tournament="T1", ruling="annul", on=DAY), "tournament.annulled", "T1"),
        (MergePlayers(player="A2", into="A", on=DAY), "players.merged", "A2 → A"),
    ],
)
def test_each_kind_of_correction_is_told(
    browse: Browse, ledger: Ledger, command: Command, type_: str, said: str
) -> None:
    do(ledger, command)
    (found,) = corrections(ledger)
    assert [item.type for item in found.items] == [type_]
    assert (found.actor, found.reason, found.events) == ("tester", "test", 1)
    site = browse(ledger)
    assert said in read(site, "/corrections")
    printed = said.replace("1-0 → 0-1", "1–0 → 0–1")
    assert printed in read(site, f"/corrections/{found.seq}")


def test_who_somebody_is_decided_at_an_import_is_no_correction(
    browse: Browse, ledger: Ledger
) -> None:
    """Only the print of a sender is added; a name that is corrected is told."""
    import_text(ledger, 'id,name,sex,birth_date\nN,"Soto Pérez, Ana",w,1990\n')
    import_text(ledger, 'name,sex,birth_date\n"Soto, Ana",w,1990\n', decisions=(("2", "N"),))
    (event,) = ledger.facts().recorded(PlayerIdentityCorrected)
    assert corrections(ledger) == []
    assert "Nothing was corrected" in read(browse(ledger), "/corrections")
    with pytest.raises(NotFound):
        correction_report(ledger, event.seq)
    renamed = 'id,name,sex,birth_date\nN,"Soto Rojas, Ana",w,1990\n'
    import_text(ledger, renamed, as_correction=True)
    import_text(ledger, 'name,sex,birth_date\n"Soto R., A.",w,1990\n', decisions=(("2", "N"),))
    (found,) = corrections(ledger)
    assert [item.type for item in found.items] == ["player.identity-corrected"]


def test_the_picture_and_the_table_have_the_same_figures(browse: Browse, ledger: Ledger) -> None:
    do(ledger, TURNED)
    page = browse(ledger).get(f"/corrections/{newest(ledger)}")
    wide, narrow, table = page.text.split("</svg>")
    made = correction_report(ledger, newest(ledger))
    for of_list in made.cascade.lists:
        for row in of_list.rows:
            for place, cell in enumerate(row.cells):
                if cell is not None:
                    drawn = place in (0, 1, len(row.cells) - 1)
                    said = f"{cell.before} → {cell.after}"
                    assert all(
                        said in part for part in ((wide, narrow, table) if drawn else (table,))
                    )


def test_a_correction_is_told_as_a_story(browse: Browse, ledger: Ledger) -> None:
    before = ledger.journal.head().seq
    do(ledger, TURNED)
    publish_period(ledger, "2010-07")
    page = read(browse(ledger), f"/corrections/{newest(ledger)}")
    for said in (
        "A win for White was a win for Black: A – B", "As entered on", "10 July 2010",
        "Decided by tester", "2nd edition of ENF, July 2010",
    ):  # fmt: skip
        assert said in page, page
    assert "seq" not in page.partition("For auditors")[0].replace("known", "")
    html = browse(ledger).get(f"/corrections/{newest(ledger)}").text
    ways = {each for each in links_on(html, "/players/A/") if "as-known-at" in each}
    at = newest(ledger)
    there = "/players/A/ENF/2010-07?as-known-at="
    assert ways == {f"{there}{before}", f"{there}{at}"}
    spanish = read(browse(ledger), f"/corrections/{at}?lang=es")
    assert "Era una victoria de las negras, no una victoria de las blancas: A – B" in spanish


def test_who_asked_and_who_agreed_are_told_apart(ledger: Ledger) -> None:
    do(ledger, TURNED)
    (found,) = corrections(ledger)
    assert (found.asked_by, found.decided_by) == (None, "tester")
    assert (found.items[0].played_on, found.items[0].entered_by) == (dt.date(2010, 7, 10), "tester")


def test_who_decided_is_said_by_their_roles(browse: Browse, ledger: Ledger) -> None:
    """Of somebody whose role is newer than the correction only the name is said."""
    for account in ("ana", "luz"):
        grant_role(ledger, account, Role.OFFICER, request=request())
    grant_role(ledger, "hugo", Role.ARBITER, tournament="T0", request=request())
    ledger.execute([TURNED], replace(request(), actor="ana", second="luz"))
    (found,) = corrections(ledger)
    accounts = ledger.facts().accounts

    def words(asked: str | None, decided: str) -> list[tuple[str, tuple[str, ...]]]:
        deeds = deeds_of(replace(found, asked_by=asked, decided_by=decided), accounts)
        return [(deed.words.within("en"), deed.accounts) for deed in deeds]

    assert words("ana", "luz") == [("Decided by two rating officers.", ("ana", "luz"))]
    assert words("hugo", "ana") == [
        ("Asked for by the arbiter of the tournament.", ("hugo",)),
        ("Decided by a rating officer.", ("ana",)),
    ]
    grant_role(ledger, "tester", Role.ADMINISTRATOR, request=request())
    assert words(None, "tester") == [("Decided by tester.", ())]
    page = read(browse(ledger), f"/corrections/{found.seq}")
    assert "Entered as 1–0 by tester." in page
    assert "Decided by two rating officers. ana, luz" in page


def test_a_tournament_that_was_taken_back_keeps_its_name(browse: Browse, ledger: Ledger) -> None:
    import_text(ledger, games("T8", "1,,A,C,0-1", day="2010-10-20").replace("T8,T8,", "T8,Cup,"))
    undo_commit(ledger, UndoCommit(commit=ledger.journal.head().commit_id), request())
    assert "Taken back: Cup" in read(browse(ledger), "/corrections")


def test_who_is_moved_through_an_opponent_is_told_so(ledger: Ledger) -> None:
    do(ledger, TURNED)
    report = correction_report(ledger, newest(ledger))
    through = {
        row.id: row.through and row.through.id for of in report.cascade.lists for row in of.rows
    }
    assert through == {"A": None, "B": None, "C": "B"}


def test_lists_that_go_out_later_do_not_lengthen_a_correction(ledger: Ledger) -> None:
    do(ledger, TURNED)
    seq = newest(ledger)
    before = correction_report(ledger, seq)
    for month in ("10", "11", "12"):
        publish_period(ledger, f"2010-{month}")
    after = correction_report(ledger, seq)
    assert after.cascade == before.cascade
    assert [each.period for each in after.editions] == ["2010-10"]


def test_corrections_are_turned_page_by_page(browse: Browse, ledger: Ledger) -> None:
    for number in range(60):
        result = Result.parse("1-0" if number % 2 else "0-1")
        turned = CorrectResult(tournament="T0", round=1, white="A", black="B", result=result)
        do(ledger, turned)
    pages = pages_from(browse(ledger), "/corrections")
    seen = [each for page in pages for each in links_on(page, "/corrections/")]
    assert len(seen) == len(set(seen)) == 60
    assert seen == sorted(seen, key=lambda each: -int(each.rpartition("/")[2]))


def test_a_commit_of_many_corrections_is_one(ledger: Ledger) -> None:
    pairs = [f"{round_},,A,B,1-0" for round_ in range(1, MOST + 21)]
    import_text(ledger, games("long", *pairs, day="2010-09-20"))
    others = [pair.replace("1-0", "0-1") for pair in pairs]
    import_text(ledger, games("long", *others, day="2010-09-20"), as_correction=True)
    (found,) = corrections(ledger)
    assert found.events == MOST + 20
    assert len(found.items) == 3
    assert len(correction_report(ledger, found.seq).correction.items) == MOST


def test_what_was_not_known_yet_is_not_shown(browse: Browse, ledger: Ledger) -> None:
    before = ledger.journal.head().seq
    do(ledger, TURNED)
    site = browse(ledger)
    assert "Nothing was corrected" in read(site, f"/corrections?as-known-at={before}")
    seq = newest(ledger)
    assert site.get(f"/corrections/{seq}?as-known-at={before}").status_code == 404


@pytest.mark.parametrize("command", [TURNED, FOR_RATING, STRUCK], ids=["now", "rating", "struck"])
def test_what_was_corrected_leads_to_its_correction_wherever_it_stands(
    browse: Browse, ledger: Ledger, command: Command
) -> None:
    before = ledger.journal.head().seq
    site = browse(ledger)
    addresses = ["/players/A", "/players/B/ENF/2010-07", "/tournaments/T0/rounds/1",
                 "/tournaments/T0/crosstable"]  # fmt: skip
    if command is STRUCK:
        del addresses[2:]  # there is no such round any more
    for address in addresses:
        assert marks(site, address) == []
    do(ledger, command)
    seq = newest(ledger)
    publish_period(ledger, "2010-07")
    why = "/players/A/ENF/why"
    ways = (f"{why}?from=2010-07@1&to=2010-07@2", f"{why}?from=2010-07@2&to=2010-07@1")
    for address in (*addresses, *ways):
        assert marks(site, address) == [f"/corrections/{seq}"], address
        spanish = f"{address}{'&' if '?' in address else '?'}lang=es"
        assert "corregido" in read(site, spanish)
    for address in addresses:
        assert marks(site, f"{address}?as-known-at={before}") == []
    for address in ("/players/C", "/tournaments/T1/rounds/1"):
        assert marks(site, address) == []
    # August is another list by now: why, its page and its statements say.
    for address in ("/players/B/ENF/2010-08", "/lists/ENF/2010-08"):
        assert marks(site, address) == [f"/corrections/{seq}"]


def test_the_end_of_an_adjourned_game_is_no_correction(browse: Browse, ledger: Ledger) -> None:
    import_text(ledger, games("late", "1,,A,A2,1-0", "1,,B,C,1-0"))
    about: dict[str, Any] = {"tournament": "late", "round": 2, "white": "A", "black": "B"}
    do(ledger, AdjournGame(**about), RecordGame(**about, result=Result.parse("1-0")))
    site = browse(ledger)
    for address in ("/players/A", "/tournaments/late/rounds/2", "/tournaments/late/crosstable"):
        assert "/tournaments/late" in site.get(address).text
        assert marks(site, address) == []


def marks(site: TestClient, address: str) -> list[str]:
    """Returns the addresses of the corrections to which a page leads."""
    answer = site.get(address)
    assert answer.status_code == 200, (address, text_of(answer.text))
    return [each.partition("?")[0] for each in links_on(answer.text, "/corrections/")]


@pytest.mark.parametrize("seq", [1, 5, 10**9, 2**53])
def test_what_corrects_nothing_has_no_page(browse: Browse, ledger: Ledger, seq: int) -> None:
    assert browse(ledger).get(f"/corrections/{seq}").status_code == 404
    with pytest.raises(NotFound):
        correction_report(ledger, Seq(seq))


@pytest.mark.parametrize("address", ["/corrections/0", "/corrections/x", "/corrections?before=-1"])
def test_what_is_no_seq_is_refused(browse: Browse, ledger: Ledger, address: str) -> None:
    assert browse(ledger).get(address).status_code == 422
