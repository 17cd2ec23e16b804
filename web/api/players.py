"""Players: who they are, and their ratings with every reason for them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from ledger.answers.directory import FoundPlayer, Players, PlayerSheet
from ledger.answers.people_pages import (
    PeopleAsked,
    TournamentsPlayed,
    surviving_id,
    tournaments_played,
)
from ledger.answers.player_questions import history_of, why_between
from ledger.questions import players as questions
from ledger.reports.histories import PlayerHistory
from ledger.reports.summaries import StatementReport
from ledger.reports.why import RatingCauses
from ledger.service.ledger import Ledger
from ledger.typed_values import edition_of
from ledger.views.list_editions import source_of
from web.access import PUBLIC
from web.api.questions import add_question
from web.api.routing import (
    USUAL,
    ApiRoutes,
    FromPeriod,
    Limit,
    ListName,
    OfFederations,
    PeriodWord,
    PlayerId,
    Search,
    ToPeriod,
    name_next,
)
from web.asked_view import Asked, CategoryAsked
from web.calculations import replayed
from web.fields import LARGEST, Recalculated
from web.read_models.answers import Careers, edition_asked, main_ratings, people_of, statement_of
from web.read_models.model_store import store_of

routes = ApiRoutes("players")


@routes.reads("/players", PUBLIC)
def players(
    request: Request,
    view: Asked,
    category: CategoryAsked,
    search: Search = None,
    federation: OfFederations = None,
    after: Annotated[
        int, Query(ge=0, le=LARGEST, description="The place of the last one known.")
    ] = 0,
    limit: Limit = USUAL,
) -> Players:
    """The players by name, or those whom words of a name find; with official ratings."""
    codes = tuple(code.upper() for code in federation or ())
    wanted = PeopleAsked(search, codes, category, after=after, limit=limit)
    page, _ = people_of(store_of(request), view, wanted)
    if page.after is not None:
        name_next(request, page.after, known_at=view.seq)
    official = main_ratings(store_of(request), view, [each.id for each in page.people])
    return Players([FoundPlayer(person, official.get(person.id)) for person in page.people])


@routes.reads("/players/{player}", PUBLIC)
def player_described(request: Request, view: Asked, player: PlayerId) -> PlayerSheet:
    """What is known of a player, with the official rating in every list.

    A rating that no edition has is of the state `preview`. Of the birth date officers and auditors
    see the day, everybody else the year.
    """
    return Careers(store_of(request), view).known(player)


add_question(routes, questions.clubs)
add_question(routes, questions.titles_of_player)


@routes.reads("/players/{player}/tournaments", PUBLIC)
def tournaments_of_player(view: Asked, player: PlayerId) -> TournamentsPlayed:
    """The tournaments in which a player has games, the last first."""
    return TournamentsPlayed(player, view.ask(tournaments_played, player))


@routes.reads("/players/{player}/{list}/history", PUBLIC)
def history(request: Request, view: Asked, player: PlayerId, name: ListName) -> PlayerHistory:
    """A player's ratings by period: of each edition, and as restated by what became known since."""
    view.ask(Ledger.facts_of, name)
    lines = None
    if view.ask(surviving_id, player) == player:
        lines = Careers(store_of(request), view).history(player, name)
    if lines is None:
        lines = replayed(request, view, name, history_of, player, name)
    return PlayerHistory(player, name, lines)


@routes.reads("/players/{player}/{list}/why", PUBLIC)
def why(
    request: Request, view: Asked, player: PlayerId, name: ListName, since: FromPeriod = None,
    until: ToPeriod = None,
) -> RatingCauses:  # fmt: skip
    """The difference between two lists split by cause; the causes sum to the difference.

    `from` and `to` are periods or `PERIOD@EDITION`: by default the newest and the one before.
    """
    return replayed(request, view, name, why_between, player, name, since, until)


add_question(routes, questions.performance)
add_question(routes, questions.forecast)
add_question(routes, questions.career)
add_question(routes, questions.against)


@routes.reads("/players/{player}/{list}/{period}", PUBLIC)
def statement(
    request: Request, view: Asked, player: PlayerId, name: ListName, period: PeriodWord,
    *, recalculated: Recalculated = False,
) -> StatementReport:  # fmt: skip
    """The statement of a period: every posting, what was excluded and why, the rounding.

    It is that of the newest edition, or with `@EDITION` of another; a period without an edition is
    a `preview`. With `recalculated` it is the period as known now.
    """
    which, edition = edition_of(period)
    edition = edition_asked(view, name, which, edition, recalculated=recalculated)
    statement_ = statement_of(store_of(request), view, player, name, which, edition)
    return StatementReport(statement_, view.recall(source_of, name, which, edition))
