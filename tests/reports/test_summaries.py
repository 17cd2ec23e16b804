"""What a statement comes to in a few sentences, chosen by rule."""

from __future__ import annotations

import pytest

from ledger.reports.summaries import StatementReport, summary
from ledger.service.ledger import Ledger
from ledger.views.list_editions import source_of
from tests.ledgers import define, empty_ledger, games, import_text, ledger_of, statements_of


def said(ledger: Ledger, player: str, period: str = "2010-07", language: str = "en") -> str:
    """Returns the sentences about a player."""
    made = statements_of(ledger, "ENF", period)[player]
    return " ".join(each.within(language) for each in summary(made))


@pytest.fixture(scope="module")
def july() -> Ledger:
    """A is weaker than b, and b than c; N has no rating."""
    ledger = ledger_of("a,1500,,50", "b,1600,,50", "c,1700,,50", "n,,,", "q,1500,,50")
    import_text(
        ledger,
        games("t", "1,,a,b,1-0", "1,,c,n,1-0", "2,,b,c,1/2-1/2", "2,,a,n,0-1", "3,,a,c,+/-"),
    )
    return ledger


def test_programs_get_it_in_their_language(july: Ledger) -> None:
    source = source_of(july, "ENF", "2010-07")
    report = StatementReport(statements_of(july, "ENF", "2010-07")["a"], source)
    for language in ("en", "es"):
        data = report.data(language)
        assert data.pop("summary") == said(july, "a", language=language)
        assert (data.pop("edition"), data.pop("state")) == (None, "preview")
        assert data.pop("in_force_on") == "2010-08-01"
        assert data == report.statement.data(language)


def test_who_gained_beat_the_stronger(july: Ledger) -> None:
    assert said(july, "a") == (
        "+10: 1 of 1 point, where 0.36 were expected. Against the odds: beat 1 stronger player."
        " Not rated: 1 game, because: the opponent has no rating."
        " Not rated: 1 game, because: forfeit, not played."
    )
    assert said(july, "a", language="es").startswith(
        "+10: 1 de 1 punto, donde se esperaban 0.36. Contra el pronóstico: ganó a 1 rival más"
        " fuerte. Sin evaluar: 1 partida, porque: "
    )


def test_who_lost_points_met_the_weaker(july: Ledger) -> None:
    assert "Against the odds: drew with 1 stronger player, lost to 1 weaker player." in said(
        july, "b"
    )
    assert "Against the odds: drew with 1 weaker player." in said(july, "c")


def test_who_did_not_play_is_told_so(july: Ledger) -> None:
    assert said(july, "q") == "±0: no game of this period is rated."


def test_a_newcomer_is_told_what_is_missing(july: Ledger) -> None:
    assert said(july, "n").startswith(
        "No rating yet: 0 games count, 9 more are needed for a first rating."
        " Not rated: 2 games, because: too few games against rated opponents."
    )
    assert said(july, "n", language="es").startswith(
        "Sin rating todavía: 0 partidas cuentan y para el primero se necesitan 9 más."
    )


def test_a_first_rating_says_of_how_many_games() -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50", "n,,,")
    rounds = [f"{round_},,n,{'ab'[round_ % 2]},1-0" for round_ in range(1, 10)]
    import_text(ledger, games("t", *rounds))
    sentence = said(ledger, "n")
    assert sentence.startswith("First rating: ")
    assert sentence.endswith(", from 9 games.")


def test_a_rating_below_the_floor_is_lost() -> None:
    ledger = empty_ledger()
    define(ledger, regulation="fide-standard", parameters={"floor": 1400})
    header = "id,name,federation,sex,birth_date,rating,k,games\n"
    import_text(ledger, header + "A,A,,,,1402,16,50\nB,B,,,,1500,16,50\n", list_="ENF")
    import_text(ledger, games("T", "1,,A,B,0-1"))
    assert said(ledger, "A").startswith("The rating of 1402 was lost.")
