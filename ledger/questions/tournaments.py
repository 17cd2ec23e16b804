"""What can be asked of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.questions.kinds import (
    AfterRound,
    FederationAsked,
    FinalsFrom,
    FromDay,
    ListMeant,
    OwnList,
    PlayerId,
    RatingsOf,
    RegionAsked,
    RoundShown,
    SameK,
    StateAsked,
    TieBreaks,
    ToDay,
    TournamentId,
)
from ledger.questions.question import question

if TYPE_CHECKING:
    from ledger.reports.crosstable import Crosstable, ScoreForm
    from ledger.reports.event_preview import EventPreview
    from ledger.reports.event_results import EventProgress, EventResults
    from ledger.reports.prizes import PrizeTable
    from ledger.reports.round_sheet import RoundSheet, SeatList
    from ledger.reports.team_tables import TeamTables
    from ledger.reports.title_forms import Certificate, EventForm
    from ledger.reports.titles import TitleReport
    from ledger.reports.tournament_calendar import TournamentCalendar
    from ledger.reports.tournaments import TournamentSheet
    from ledger.reports.worksheet import Worksheet
    from ledger.views.view import LedgerView


@question(
    "tournament calendar",
    "/calendar",
    answer_in="ledger.reports.tournament_calendar",
    rows="tournaments",
    es=(
        "Muestra el calendario: torneos anunciados y abiertos, y hasta dónde llegó cada uno.\n\n"
        "Los estados son announced, registration (hay inscritos), playing, played (se espera el"
        " informe), late (desde hace más de una semana), reported, rated, rejected y cancelled."
    ),
)
def calendar(
    view: LedgerView,
    since: FromDay = None,
    until: ToDay = None,
    state: StateAsked = None,
    federation: FederationAsked = None,
    region: RegionAsked = None,
) -> TournamentCalendar:
    """Show the calendar: tournaments announced and opened, and how far each has come.

    States are announced, registration (players are entered), playing, played (the report is waited
    for), late (for more than a week), reported, rated, rejected and cancelled.
    """
    from ledger.answers.tournament_calendar import tournament_calendar

    return tournament_calendar(view, since, until, state, federation, region)


@question(
    "tournament show",
    "/tournaments/{tournament}",
    answer_in="ledger.reports.tournaments",
    rows="players",
    es="Muestra un torneo: jugadores por número inicial, ronda por ronda.",
)
def tournament_recorded(view: LedgerView, tournament: TournamentId) -> TournamentSheet:
    """Show a tournament: players by starting number, round by round."""
    from ledger.answers.tournaments import show_tournament

    return show_tournament(view, tournament)


@question(
    "tournament results",
    "/tournaments/{tournament}/results",
    answer_in="ledger.reports.event_results",
    rows="rows",
    es=(
        "Muestra a qué llegó un torneo: lugares con título, club, rendimiento y variación.\n\n"
        "También dice qué listas lo evalúan, y quién es el primero de cada grupo con premios."
    ),
)
def results(
    view: LedgerView,
    tournament: TournamentId,
    after: AfterRound = None,
    tie_breaks: TieBreaks = None,
    list_: RatingsOf = None,
) -> EventResults:
    """Show what an event came to: places with title, club, performance and gain.

    It also says which lists rate it, and who is the first of each group that has prizes.
    """
    from ledger.answers.event_results import event_results

    return event_results(view, tournament, after, tie_breaks, list_)


@question(
    "tournament progress",
    "/tournaments/{tournament}/progress",
    answer_in="ledger.reports.event_results",
    rows="rows",
    es="Muestra cómo fue un torneo: el lugar de cada uno al comienzo y tras cada ronda.",
)
def progress(
    view: LedgerView,
    tournament: TournamentId,
    after: AfterRound = None,
    tie_breaks: TieBreaks = None,
    list_: RatingsOf = None,
) -> EventProgress:
    """Show how an event went: everybody's place at the start and after each round."""
    from ledger.answers.event_results import progress_of_event

    return progress_of_event(view, tournament, after, tie_breaks, list_)


@question(
    "tournament crosstable",
    "/tournaments/{tournament}/crosstable",
    answer_in="ledger.reports.crosstable",
    rows="rows",
    is_form=True,
    es="Muestra el cuadro cruzado: los resultados por rival, o por ronda, puntos y lugar.",
)
def crosstable(
    view: LedgerView,
    tournament: TournamentId,
    after: AfterRound = None,
    tie_breaks: TieBreaks = None,
    list_: RatingsOf = None,
) -> Crosstable:
    """Show the crosstable: everybody's results by opponent, or by round, points and place."""
    from ledger.answers.tournaments import tournament_crosstable

    return tournament_crosstable(view, tournament, after=after, tie_breaks=tie_breaks, list_=list_)


@question(
    "tournament prizes",
    "/tournaments/{tournament}/prizes",
    answer_in="ledger.reports.prizes",
    rows="prizes",
    es="Muestra quién recibe qué premio, por lugar y por categoría; nadie recibe dos.",
)
def prizes(
    view: LedgerView,
    tournament: TournamentId,
    after: AfterRound = None,
    tie_breaks: TieBreaks = None,
    list_: RatingsOf = None,
) -> PrizeTable:
    """Show who gets which prize, by place and by category; nobody gets two."""
    from ledger.answers.tournaments import tournament_prizes

    return tournament_prizes(view, tournament, after=after, tie_breaks=tie_breaks, list_=list_)


@question(
    "tournament score-sheet",
    "/tournaments/{tournament}/score-sheet",
    answer_in="ledger.reports.crosstable",
    rows="rows",
    is_form=True,
    es="Muestra la hoja de puntuación: el total de cada uno tras cada ronda, desempates y lugar.",
)
def score_sheet(
    view: LedgerView,
    tournament: TournamentId,
    after: AfterRound = None,
    tie_breaks: TieBreaks = None,
    list_: RatingsOf = None,
) -> ScoreForm:
    """Show the score sheet: everybody's total after each round, tie-breaks and place."""
    from ledger.answers.tournaments import tournament_score_form

    return tournament_score_form(view, tournament, after=after, tie_breaks=tie_breaks, list_=list_)


@question(
    "tournament round",
    "/tournaments/{tournament}/rounds/{round}",
    answer_in="ledger.reports.round_sheet",
    rows="boards",
    is_form=True,
    es="Muestra la hoja de una ronda publicada: tableros, puntos previos, resultados.",
)
def published_round(
    view: LedgerView, tournament: TournamentId, number: RoundShown = None, list_: RatingsOf = None
) -> RoundSheet:
    """Show the sheet of a published round: boards, points before it, results."""
    from ledger.answers.rounds import round_sheet

    return round_sheet(view, tournament, number, list_=list_)


@question(
    "tournament seats",
    "/tournaments/{tournament}/seats",
    answer_in="ledger.reports.round_sheet",
    rows="seats",
    is_form=True,
    es="Muestra dónde se sienta cada uno en una ronda publicada, por nombre.",
)
def seats(view: LedgerView, tournament: TournamentId, number: RoundShown = None) -> SeatList:
    """Show where everybody sits in a published round, by name."""
    from ledger.answers.rounds import seats_of_round

    return seats_of_round(view, tournament, number)


@question(
    "tournament team-tables",
    "/tournaments/{tournament}/teams",
    answer_in="ledger.reports.team_tables",
    rows="teams",
    is_form=True,
    es="Muestra el cuadro de equipos, los jugadores por tablero y los mejores de cada tablero.",
)
def team_results(
    view: LedgerView, tournament: TournamentId, after: AfterRound = None
) -> TeamTables:
    """Show the team table, the players by board, and the best of each board."""
    from ledger.answers.rounds import team_tables_of

    return team_tables_of(view, tournament, after=after)


@question(
    "tournament live",
    "/tournaments/{tournament}/gains",
    answer_in="ledger.reports.event_preview",
    rows="players",
    es="Muestra lo que cada jugador lleva ganado, y qué norma es aún posible: un adelanto.",
)
def gains(view: LedgerView, tournament: TournamentId, list_: OwnList = None) -> EventPreview:
    """Show what each player has gained so far, and which norm is still possible: a preview."""
    from ledger.answers.titles import tournament_preview

    return tournament_preview(view, tournament, list_)


@question(
    "tournament titles",
    "/tournaments/{tournament}/titles",
    answer_in="ledger.reports.titles",
    rows="results",
    excerpt="first",
    es=(
        "Muestra qué necesitaba e hizo cada participante para los títulos GM e IM, y qué falta.\n\n"
        "De una etapa de los campeonatos mundiales, también los títulos que da (véase tournament"
        " flag).\n\n"
        "La tabla tiene los resultados que se lograron o fallan por una condición; con --all, los"
        " de todos."
    ),
)
def titles_of_tournament(
    view: LedgerView, tournament: TournamentId, list_: ListMeant, finals_from: FinalsFrom = None
) -> TitleReport:
    """Show what each participant needed and made for the titles GM and IM, and what fails.

    Of a stage of the world championships also the titles that come of it (see tournament flag).

    The table has the results that were made or fail by one condition; with --all everybody's.
    """
    from ledger.answers.titles import tournament_titles

    return tournament_titles(view, tournament, list_, finals_from)


@question(
    "tournament worksheet",
    "/tournaments/{tournament}/worksheet/{list}",
    answer_in="ledger.reports.worksheet",
    rows="rows",
    es=(
        "Muestra la hoja de cálculo de un todos contra todos, como la dio la FIDE en 1972: 16"
        " pasos, 14 columnas."
    ),
)
def worksheet(
    view: LedgerView, tournament: TournamentId, list_: ListMeant, k: SameK = None
) -> Worksheet:
    """Show the worksheet of an all-play-all, as FIDE gave it in 1972: 16 steps, 14 columns."""
    from ledger.answers.tournaments import tournament_worksheet

    return tournament_worksheet(view, tournament, list_, k)


@question(
    "tournament certificate",
    "/tournaments/{tournament}/certificates/{player}",
    answer_in="ledger.reports.title_forms",
    rows="games",
    is_form=True,
    es=(
        "Muestra los datos del certificado de resultado para un título (IT1) de un jugador: sus"
        " partidas, las federaciones y los títulos de sus rivales."
    ),
)
def certificate(
    view: LedgerView, tournament: TournamentId, player: PlayerId, list_: ListMeant
) -> Certificate:
    """Show the data for a player's certificate of title result (IT1): games, opponents, sums."""
    from ledger.answers.titles import certificate_of

    return certificate_of(view, tournament, player, list_)


@question(
    "tournament report-form",
    "/tournaments/{tournament}/report-form",
    answer_in="ledger.reports.title_forms",
    rows="federations",
    is_form=True,
    es=(
        "Muestra los datos del formulario de informe de un torneo (IT3): sus jugadores por"
        " federación, título y rating."
    ),
)
def report_form(view: LedgerView, tournament: TournamentId, list_: ListMeant) -> EventForm:
    """Show the data for a tournament report form (IT3): players by federation, title and rating."""
    from ledger.answers.titles import event_form_of

    return event_form_of(view, tournament, list_)
