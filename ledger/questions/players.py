"""What can be asked of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.questions.kinds import (
    DayAsked,
    FinalsOf,
    GainWanted,
    ListMeant,
    OpponentId,
    OpponentRatings,
    OpponentsAsked,
    PerformanceTableAsked,
    PlayerId,
    RatingWanted,
    TournamentMeant,
    TournamentOption,
)
from ledger.questions.question import question
from ledger.terms import PerformanceTable

if TYPE_CHECKING:
    from ledger.answers.titles import PlayerTitles
    from ledger.reports.careers import Meetings, PlayerCareer
    from ledger.reports.categories import Clubs
    from ledger.reports.forecast import RatingForecast
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
    "player career",
    "/players/{player}/{list}/career",
    answer_in="ledger.reports.careers",
    rows="tournaments",
    replays=True,
    es=(
        "Muestra la trayectoria de un jugador en una lista: torneos, partidas, rivales y récords."
        "\n\nLa tabla tiene los torneos; JSON también las partidas desde la lista más nueva y todos"
        " los rivales."
    ),
)
def career(view: LedgerView, player: PlayerId, list_: ListMeant) -> PlayerCareer:
    """Show a player's career in a list: tournaments, games, opponents and records.

    The table has the tournaments; JSON the games since the newest list and all opponents, too.
    """
    from ledger.answers.careers import player_career

    return player_career(view, player, list_)


@question(
    "player against",
    "/players/{player}/{list}/against/{opponent}",
    answer_in="ledger.reports.careers",
    rows="games",
    replays=True,
    es="Muestra las partidas de un jugador contra un rival en una lista, y qué sumaron.",
)
def against(view: LedgerView, player: PlayerId, opponent: OpponentId, list_: ListMeant) -> Meetings:
    """Show the games of a player against an opponent in a list, and what they came to."""
    from ledger.answers.careers import meetings_of

    return meetings_of(view, player, opponent, list_)


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


@question(
    "forecast",
    "/players/{player}/{list}/forecast",
    answer_in="ledger.reports.forecast",
    rows="scores",
    replays=True,
    es=(
        "Dice qué harían partidas por jugar con el rating, puntaje por puntaje, y cuánto hay que"
        " hacer.\n\nCalcula el próximo período de la lista como si se hubieran jugado, con las que"
        " ya esperan en él."
    ),
)
def forecast(
    view: LedgerView,
    player: PlayerId,
    list_: ListMeant,
    opponents: OpponentsAsked = (),
    ratings: OpponentRatings = (),
    tournament: TournamentMeant = None,
    rating: RatingWanted = None,
    gain: GainWanted = None,
) -> RatingForecast:
    """Say what games to come would do to a rating, score by score, and how much must be scored.

    The next period of the list is calculated as if they were played, with those that wait in it.
    """
    from ledger.answers.forecasts import forecast_of
    from ledger.reports.forecast import Wanted

    wanted = Wanted(rating, gain)
    return forecast_of(
        view, player, list_, opponents, ratings, tournament=tournament, wanted=wanted
    )
