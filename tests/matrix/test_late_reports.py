"""An event that was reported too late for its last list: every face says so, and what to do.

Whether it was too late is what the replay excludes; nothing is said of events in time.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from ledger.answers.corrections import correction_report, corrections
from ledger.answers.event_results import event_summary
from ledger.answers.player_questions import explain
from ledger.answers.publication_checks import check_publication
from ledger.facts.as_of import AsOf
from ledger.identifiers import Seq
from ledger.operations import commands as c
from ledger.operations.commands import RatedIn
from ledger.rating.postings import Reason
from ledger.reports.late_reports import late_reports
from ledger.results import Result
from ledger.service.ledger import Ledger, Receipt
from ledger.terms import Rate, System
from tests.cli.running import run
from tests.ledgers import (
    GAMES_HEADER,
    do,
    empty_ledger,
    publish_period,
    request,
    with_officers,
)
from tests.regulations.test_fide import event, fide_list, players
from tests.web.submitting import Staffed, staffed
from tests.web.support import text_of

MONTHS = ("2024-01", "2024-02", "2024-03", "2024-04")
SAYS = "will not be rated in FIDE"
DOES = "rated in 2024-"
LATE = event("T", "2024-01-02", "2024-01-03", "1,B,A,1-0", "2,A,B,1-0")


def published(count: int, within: int = 3) -> Ledger:
    """Returns a ledger whose first ``count`` months were published."""
    ledger = empty_ledger()
    fide_list(ledger, "2024-01-01", report_within_lists=within)
    players(ledger, "A,Ana,,,,2100,,100", "B,Ben,,,,2000,,100")
    for period in MONTHS[:count]:
        publish_period(ledger, period, "FIDE")
    return ledger


def report_of(ledger: Ledger, rows: str = LATE, *, dry_run: bool = False) -> Receipt:
    from ledger.intake.imports import Document, import_document  # noqa: PLC0415

    document = Document(name="games.csv", data=(GAMES_HEADER + rows).encode())
    return import_document(ledger, document, request(dry_run=dry_run))


def told(receipt: Receipt) -> list[str]:
    return [
        note.message.within("en") for note in receipt.notes if SAYS in note.message.within("en")
    ]


@pytest.mark.parametrize(
    ("count", "within", "ended"), [*product(range(5), (0, 1, 2, 3), ("2024-01-03", "2024-02-03"))]
)
def test_it_is_said_where_and_only_where_the_replay_excludes_it(
    count: int, within: int, ended: str
) -> None:
    ledger = published(count, within)
    rows = event("T", ended, ended, "1,B,A,1-0", "2,A,B,1-0")
    is_told = [
        bool(told(report_of(ledger, rows, dry_run=True))),
        bool(told(report_of(ledger, rows))),
    ]
    excluded = explain(ledger, "A", "FIDE", ended[:7]).excluded
    is_late = {line.reason for line in excluded} == {Reason.LATE_REPORT}
    assert is_told == [is_late, is_late]
    assert is_late is (within > 0 and count >= int(ended[5:7]) + within - 1)
    facts = ledger.facts()
    found = [*late_reports(AsOf(facts, facts.seq), Seq(0))]
    assert [(each.tournament, each.games) for each in found] == [("T", 2)] * is_late


def test_facts_are_read_for_it_only_of_a_new_tournament_with_games() -> None:
    ledger = published(3)
    day = dt.date(2024, 1, 2)
    opened = c.OpenTournament(
        tournament="T", name="T", starts_on=day, ends_on=day, system=System.MATCH,
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    before = ledger.times_asked
    do(ledger, opened)
    assert ledger.times_asked == before
    report_of(ledger, LATE.replace("T,", "U,"))
    assert ledger.times_asked > before


def test_the_way_that_it_names_has_the_games_rated() -> None:
    ledger = published(3)
    (sentence,) = told(report_of(ledger))
    assert "2 games of T" in sentence
    assert "FIDE B.02 9.1" in sentence
    assert "--rated-in FIDE:2024-04" in sentence
    ruling = c.RuleOnTournament(
        tournament="T", ruling="accept", on=dt.date(2024, 4, 1),
        rated_in=RatedIn(list="FIDE", period="2024-04"),
    )  # fmt: skip
    do(ledger, ruling)
    assert not explain(ledger, "A", "FIDE", "2024-04").excluded
    facts = ledger.facts()
    assert not [*late_reports(AsOf(facts, facts.seq), Seq(0))]
    (state,) = event_summary(ledger, "T").lists
    assert (state.state, state.late_report) == ("waiting", None)


@pytest.mark.parametrize("is_late", [True, False])
def test_answers_say_it(*, is_late: bool) -> None:
    ledger = published(3 if is_late else 2)
    report_of(ledger)
    (state,) = event_summary(ledger, "T").lists
    assert (state.state == "late", state.late_report is not None) == (is_late, is_late)
    check = check_publication(ledger, "FIDE", "2024-04" if is_late else "2024-03")
    assert [each.tournament for each in check.late_reports] == ["T"] * is_late
    do(ledger, c.CorrectResult(
        tournament="T", round=1, white="B", black="A", result=Result.parse("0-1")
    ))  # fmt: skip
    report = correction_report(ledger, corrections(ledger)[0].seq)
    assert [each.tournament for each in report.late_reports] == ["T"] * is_late


def test_what_was_said_before_is_not_said_of_the_next_publication() -> None:
    ledger = published(3)
    report_of(ledger)
    publish_period(ledger, "2024-04", "FIDE")
    assert check_publication(ledger, "FIDE", "2024-05").late_reports == ()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    with staffed(with_officers(published(3), "ana", "luis"), tmp_path) as opened:
        yield opened


def test_pages_say_it_before_and_after(site: Staffed) -> None:
    page = site.eva.upload(GAMES_HEADER + LATE)
    id_ = page.url.path.rpartition("/")[2]
    seen = [page, site.eva.step(id_, "hand-in"), site.luis.get(f"/submissions/{id_}")]
    done = site.luis.step(id_, "accept")
    assert "It is recorded" in done.text
    seen += [site.luis.get("/tournaments/T"), site.luis.get("/lists/FIDE/2024-04/publish")]
    turned = c.CorrectResult(
        tournament="T", round=1, white="B", black="A", result=Result.parse("0-1")
    )
    site.ledger.execute([turned], replace(request(), actor="ana", second="luis"))
    seen.append(site.luis.get(f"/corrections/{corrections(site.ledger)[0].seq}"))
    for page in seen:
        assert page.status_code == 200, page.url
        words = text_of(page.text)
        assert "2 games of T will not be rated in FIDE" in words, page.url
        assert "An officer can rule that they are rated in 2024-04" in words
        assert "rating-ledger" not in words.partition(SAYS)[2][:300]
        assert "waits for its next edition" not in words


def test_the_command_line_says_it(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,name,rating,games\nA,Ana,2100,100\nB,Ben,2000,100\n")
    (tmp_path / "g.csv").write_text(GAMES_HEADER + LATE)
    defined = ("--regulation", "fide-standard", "--calendar", "fide", "--first", "2024-01-01")
    run("init", cwd=tmp_path)
    run("list", "define", "FIDE", *defined, cwd=tmp_path)
    run("import", "p.csv", "--list", "FIDE", cwd=tmp_path)
    for period in MONTHS[:3]:
        assert run("publish", "FIDE", period, cwd=tmp_path).code == 0
    for words in (("--dry-run",), ()):
        done = run("import", "g.csv", *words, cwd=tmp_path)
        assert done.code == 0
        assert SAYS in " ".join(done.err.split())
    for command in ("tournament results T", "publish FIDE 2024-04 --check"):
        done = run(*command.split(), cwd=tmp_path)
        assert done.code == 0
        assert SAYS in " ".join(done.out.split()), command
    data = json.loads(
        run("publish", "FIDE", "2024-04", "--check", "--format", "json", cwd=tmp_path).out
    )
    assert [each["games"] for each in data["late_reports"]] == [2]
