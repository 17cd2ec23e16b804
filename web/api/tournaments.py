"""Tournaments: what is recorded of them, standings with their reasons, and what they brought."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from typing import Annotated

from fastapi import Depends, Query, Request, Response

from ledger.answers.rounds import tournament_cards
from ledger.answers.tournaments import (
    StandingsAsked,
    TournamentsWanted,
    matching,
    placed,
    tournament_standings,
)
from ledger.intake.report_file import tournament_report
from ledger.questions import tournaments as questions
from ledger.reports.pairing_cards import PairingCards
from ledger.reports.standings import ExplainedStandings, Standings
from ledger.reports.tournaments import State, TournamentLines, tournament_lines
from ledger.terms import Rate, TrfVersion
from web.access import PUBLIC
from web.api.questions import add_question
from web.api.routing import (
    USUAL,
    AfterRound,
    ApiRoutes,
    Limit,
    OfList,
    PlayerId,
    Search,
    TournamentId,
    name_next,
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
    year: Annotated[int | None, Query(ge=1, le=9999, description="Begun in this year.")] = None,
    rate: Annotated[
        Rate | None, Query(alias="rate-of-play", description="Only of this rate of play.")
    ] = None,
) -> TournamentsWanted:
    return TournamentsWanted(
        search=search, state=state, since=since, until=until, year=year, rate=rate
    )


def _standings_asked(
    after: AfterRound = None, tie_breaks: TieBreaks = None, list_: OfList = None
) -> StandingsAsked:
    return {"after": after, "tie_breaks": tie_breaks, "list_": list_}


StandingsWords = Annotated[StandingsAsked, Depends(_standings_asked)]


@routes.reads("/tournaments", PUBLIC)
def tournaments(
    request: Request,
    view: Asked,
    wanted: Annotated[TournamentsWanted, Depends(_tournaments_wanted)],
    place: Annotated[
        str, Query(max_length=200, description="Played where the place has these words.")
    ] = "",
    after: Annotated[str, Query(description="The id of the last one that is known.")] = "",
    limit: Limit = USUAL,
) -> TournamentLines:
    """The tournaments, by id. Each word of `search` begins a word of the name or the id."""
    lines = matching(view.ask(lambda ledger: tournament_lines(ledger.facts())), wanted)
    lines = view.ask(placed, lines, place) if place.strip() else lines
    begin = bisect_right(lines, after, key=lambda line: line.tournament)
    if len(lines) > begin + limit:
        name_next(request, lines[begin + limit - 1].tournament, known_at=view.seq)
    return TournamentLines(lines[begin : begin + limit])


add_question(routes, questions.calendar)
add_question(routes, questions.tournament_recorded)


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


add_question(routes, questions.results)
add_question(routes, questions.progress)
add_question(routes, questions.prizes)
add_question(routes, questions.seats)
add_question(routes, questions.crosstable)
add_question(routes, questions.score_sheet)


@routes.reads("/tournaments/{tournament}/cards", PUBLIC)
def pairing_cards(
    view: Asked, tournament: TournamentId, after: AfterRound = None, list_: OfList = None
) -> PairingCards:
    """Each participant's rounds, colours, opponents and points."""
    cards = view.ask(tournament_cards, tournament, after=after, list_=list_)
    return PairingCards(tournament, cards)


add_question(routes, questions.published_round)
add_question(routes, questions.team_results)
add_question(routes, questions.gains)
add_question(routes, questions.titles_of_tournament)
add_question(routes, questions.worksheet)
add_question(routes, questions.certificate)
add_question(routes, questions.report_form)


@routes.reads("/tournaments/{tournament}/trf", PUBLIC, media_type="text/plain")
def report_file(
    view: Asked,
    tournament: TournamentId,
    list_: OfList = None,
    version: Annotated[
        TrfVersion | None, Query(description="Edition (default: what the records need).")
    ] = None,
    rounds: Annotated[
        str | None, Query(description="Only these, as 1-4: a part of an event over 30 days.")
    ] = None,
) -> Response:
    """The tournament as a report file (TRF16 or TRF26)."""
    text = view.ask(tournament_report, tournament, list_, version, rounds)
    return Response(text, media_type="text/plain; charset=utf-8")
