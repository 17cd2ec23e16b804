"""The forms of an event to print: crosstable, standings, score sheet, cards, round, teams."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from ledger.answers.rounds import round_sheet, seats_of_round, team_tables_of, tournament_cards
from ledger.answers.tournaments import (
    StandingsAsked,
    tournament_crosstable,
    tournament_name,
    tournament_score_form,
    tournament_standings,
)
from ledger.forms.cards import cards_page
from ledger.forms.grid import crosstable_page, score_form_page
from ledger.forms.page import PrintedPage
from ledger.forms.round_sheet import round_page, seats_page
from ledger.forms.standings import standings_page
from ledger.forms.team_tables import team_tables_page
from ledger.views.view import LedgerView


class FormName(StrEnum):
    """A form to print, by the name of its command."""

    CROSSTABLE = "crosstable"
    STANDINGS = "standings"
    SCORE_SHEET = "score-sheet"
    CARDS = "cards"
    ROUND = "round"
    SEATS = "seats"
    TEAM_TABLES = "team-tables"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormAsked:
    """Which form is asked for.

    ``round`` is that of a round's sheet (default: the last one). ``after``, ``tie_breaks`` and
    ``list`` are those of ``StandingsAsked``; a form takes no notice of what it does not show.
    """

    tournament: str
    form: FormName
    round: int | None = None
    after: int | None = None
    tie_breaks: str | None = None
    list: str | None = None


def tournament_form(view: LedgerView, form: FormAsked, language: str) -> PrintedPage:
    """Returns a form of a tournament in a language.

    Raises:
        NotFound: no such tournament, list or published round.
        InputRefused: no such tie-break, no event of teams, or players who were never entered.
    """
    event = form.tournament
    words: StandingsAsked = {
        "after": form.after,
        "tie_breaks": form.tie_breaks,
        "list_": form.list,
    }
    match form.form:
        case FormName.CROSSTABLE:
            return crosstable_page(tournament_crosstable(view, event, **words), language)
        case FormName.STANDINGS:
            return standings_page(tournament_standings(view, event, **words), language)
        case FormName.SCORE_SHEET:
            return score_form_page(tournament_score_form(view, event, **words), language)
        case FormName.CARDS:
            cards = tournament_cards(view, event, after=form.after, list_=form.list)
            return cards_page(tournament_name(view, event), cards, language)
        case FormName.ROUND:
            return round_page(round_sheet(view, event, form.round, list_=form.list), language)
        case FormName.SEATS:
            return seats_page(seats_of_round(view, event, form.round), language)
        case FormName.TEAM_TABLES:
            return team_tables_page(team_tables_of(view, event, after=form.after), language)
    assert_never(form.form)
