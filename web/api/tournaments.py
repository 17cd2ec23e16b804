"""Tournaments: what is recorded of them, standings with their reasons, and what they brought."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from ledger.application.desk import round_sheet, team_tables_of, tournament_cards
from ledger.application.list_editions import only_list
from ledger.application.report_file import tournament_report
from ledger.application.titles import tournament_preview, tournament_titles
from ledger.application.tournaments import (
    StandingsAsked,
    TournamentsWanted,
    matching,
    show_tournament,
    tournament_crosstable,
    tournament_score_form,
    tournament_standings,
    tournament_worksheet,
)
from ledger.reports.crosstable import Crosstable
from ledger.reports.event_preview import EventPreview
from ledger.reports.pairing_cards import PairingCards
from ledger.reports.round_sheet import RoundSheet
from ledger.reports.score_form import ScoreForm
from ledger.reports.standings import ExplainedStandings, Standings
from ledger.reports.team_tables import TeamTables
from ledger.reports.titles import TitleReport
from ledger.reports.tournaments import State, TournamentLines, TournamentSheet, tournament_lines
from ledger.reports.worksheet import Worksheet
from ledger.terms import TrfVersion
from web.access import PUBLIC
from web.api.routing import ApiRoutes, name_next
from web.api.words import (
    USUAL,
    AfterRound,
    InList,
    Limit,
    ListName,
    OfList,
    PlayerId,
    Search,
    TournamentId,
)
from web.asked_view import Asked

routes = ApiRoutes("tournaments")
TieBreaks = Annotated[
    str | None, Query(alias="tie-breaks", description="Codes in order (default: as announced).")
]


def _tournaments_wanted(
    search: Search = None,
    state: Annotated[State | None, Query(description="How they stand.")] = None,
    since: Annotated[dt.date | None, Query(description="Not over before this day.")] = None,
    until: Annotated[dt.date | None, Query(description="Begun by this day.")] = None,
) -> TournamentsWanted:
    return TournamentsWanted(search=search, state=state, since=since, until=until)


def _standings_asked(
    after: AfterRound = None, tie_breaks: TieBreaks = None, list_: OfList = None
) -> StandingsAsked:
    return {"after": after, "tie_breaks": tie_breaks, "list_": list_}


StandingsWords = Annotated[StandingsAsked, Depends(_standings_asked)]
RoundNumber = Annotated[int, Path(alias="round", ge=1, le=999, description="The round, from 1.")]


@routes.reads("/tournaments", PUBLIC)
def tournaments(
    request: Request,
    view: Asked,
    wanted: Annotated[TournamentsWanted, Depends(_tournaments_wanted)],
    after: Annotated[str, Query(description="The id of the last one that is known.")] = "",
    limit: Limit = USUAL,
) -> TournamentLines:
    """The tournaments, by id. Each word of `search` begins a word of the name or the id."""
    lines = matching(view.ask(lambda ledger: tournament_lines(ledger.facts())), wanted)
    place = bisect_right(lines, after, key=lambda line: line.tournament)
    if len(lines) > place + limit:
        name_next(request, lines[place + limit - 1].tournament, known_at=view.seq)
    return TournamentLines(lines[place : place + limit])


@routes.reads("/tournaments/{tournament}", PUBLIC)
def tournament_recorded(view: Asked, tournament: TournamentId) -> TournamentSheet:
    """A tournament: its players by starting number, round by round."""
    return view.ask(show_tournament, tournament)


@routes.reads("/tournaments/{tournament}/standings", PUBLIC)
def standings(
    view: Asked,
    tournament: TournamentId,
    wanted: StandingsWords,
) -> Standings:
    """Points, tie-breaks, and which of them decided."""
    return view.ask(tournament_standings, tournament, **wanted)


@routes.reads("/tournaments/{tournament}/standings/{player}", PUBLIC)
def standings_explained(
    view: Asked,
    tournament: TournamentId,
    player: PlayerId,
    wanted: StandingsWords,
) -> ExplainedStandings:
    """Each tie-break's value of a participant, opponent by opponent."""
    standings_ = view.ask(tournament_standings, tournament, **wanted)
    return standings_.explanation(player)


@routes.reads("/tournaments/{tournament}/crosstable", PUBLIC)
def crosstable(
    view: Asked,
    tournament: TournamentId,
    wanted: StandingsWords,
) -> Crosstable:
    """Everybody's results by opponent or by round, points and place."""
    return view.ask(tournament_crosstable, tournament, **wanted)


@routes.reads("/tournaments/{tournament}/score-sheet", PUBLIC)
def score_sheet(
    view: Asked,
    tournament: TournamentId,
    wanted: StandingsWords,
) -> ScoreForm:
    """Everybody's total after each round, tie-breaks and place."""
    return view.ask(tournament_score_form, tournament, **wanted)


@routes.reads("/tournaments/{tournament}/cards", PUBLIC)
def pairing_cards(
    view: Asked, tournament: TournamentId, after: AfterRound = None, list_: OfList = None
) -> PairingCards:
    """Each participant's rounds, colours, opponents and points."""
    cards = view.ask(tournament_cards, tournament, after=after, list_=list_)
    return PairingCards(tournament, cards)


@routes.reads("/tournaments/{tournament}/rounds/{round}", PUBLIC)
def published_round(
    view: Asked,
    tournament: TournamentId,
    number: RoundNumber,
    list_: OfList = None,
) -> RoundSheet:
    """The sheet of a published round: boards, points before it, results."""
    return view.ask(round_sheet, tournament, number, list_=list_)


@routes.reads("/tournaments/{tournament}/teams", PUBLIC)
def team_results(view: Asked, tournament: TournamentId, after: AfterRound = None) -> TeamTables:
    """The tables of an event of teams: teams, players, board prizes."""
    return view.ask(team_tables_of, tournament, after=after)


@routes.reads("/tournaments/{tournament}/gains", PUBLIC)
def gains(view: Asked, tournament: TournamentId, list_: InList = None) -> EventPreview:
    """What each player has gained so far, and which norm is still possible."""
    return view.ask(tournament_preview, tournament, list_)


@routes.reads("/tournaments/{tournament}/titles", PUBLIC)
def titles_of_tournament(
    view: Asked, tournament: TournamentId, list_: InList = None
) -> TitleReport:
    """What each participant needed and made for the titles GM and IM, and what fails."""
    name = list_ or view.ask(lambda ledger: only_list(ledger.facts()))
    return view.ask(tournament_titles, tournament, name)


@routes.reads("/tournaments/{tournament}/worksheet/{list}", PUBLIC)
def worksheet(view: Asked, tournament: TournamentId, name: ListName) -> Worksheet:
    """The worksheet of an all-play-all, as FIDE gave it in 1972."""
    return view.ask(tournament_worksheet, tournament, name)


@routes.reads("/tournaments/{tournament}/trf", PUBLIC, media_type="text/plain")
def report_file(
    view: Asked,
    tournament: TournamentId,
    list_: OfList = None,
    version: Annotated[
        TrfVersion | None, Query(description="Edition (default: what the records need).")
    ] = None,
) -> Response:
    """The tournament as a report file (TRF16 or TRF26)."""
    text = view.ask(tournament_report, tournament, list_, version)
    return Response(text, media_type="text/plain; charset=utf-8")
