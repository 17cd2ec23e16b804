"""What can be asked of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.questions.kinds import (
    DayAsked,
    FinalsOf,
    ListMeant,
    PerformanceTableAsked,
    PlayerId,
    TournamentOption,
)
from ledger.questions.question import question
from ledger.terms import PerformanceTable

if TYPE_CHECKING:
    from ledger.answers.titles import PlayerTitles
    from ledger.reports.categories import Clubs
    from ledger.reports.performance import PerformanceReport
    from ledger.views.view import LedgerView


@question(
    "player titles",
    "/players/{player}/titles",
    answer_in="ledger.answers.titles",
    rows="results",
    replays=True,
    es=(
        "Muestra los resultados de un jugador para los títulos GM e IM, y lo que suman en tres"
        " años."
    ),
)
def titles_of_player(
    view: LedgerView, player: PlayerId, list_: ListMeant, finals: FinalsOf = ()
) -> PlayerTitles:
    """Show a player's results for the titles GM and IM, and what they come to in three years."""
    from ledger.answers.titles import player_titles

    return player_titles(view, player, list_, dict(finals))


@question(
    "player clubs",
    "/clubs",
    answer_in="ledger.reports.categories",
    rows="clubs",
    es="Enumera los clubes y regiones con sus jugadores, como son un día.",
)
def clubs(view: LedgerView, on: DayAsked = None) -> Clubs:
    """List the clubs and regions with their players, as they are on a day."""
    from ledger.answers.directory import clubs_of

    return clubs_of(view, on)


@question(
    "performance",
    "/players/{player}/{list}/performance/{tournament}",
    answer_in="ledger.reports.performance",
    rows="rounds",
    es="Dice cuánto vale el resultado de un jugador en un torneo: Rp = Rc + D(p), paso a paso.",
)
def performance(
    view: LedgerView,
    player: PlayerId,
    tournament: TournamentOption,
    list_: ListMeant,
    table: PerformanceTableAsked = PerformanceTable.OF_2022,
) -> PerformanceReport:
    """Say what a player's result in a tournament is worth: Rp = Rc + D(p), with its steps."""
    from ledger.answers.list_figures import performance_of

    return performance_of(view, player, tournament, list_, table)
