"""What can be asked of the rating lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.questions.kinds import (
    ClubAsked,
    DayAsked,
    ListArgument,
    PeriodArgument,
    PlayerOption,
)
from ledger.questions.question import question

if TYPE_CHECKING:
    from ledger.answers.agenda import Agenda
    from ledger.answers.lists import ListDescriptions
    from ledger.answers.period_states import Periods
    from ledger.answers.publication_checks import PublicationCheck
    from ledger.reports.letters import Letters
    from ledger.reports.live_list import LiveList
    from ledger.views.view import LedgerView


@question(
    "list list",
    "/lists",
    answer_in="ledger.answers.lists",
    rows="lists",
    es="Enumera las listas de ratings.",
)
def lists(view: LedgerView) -> ListDescriptions:
    """List the rating lists."""
    from ledger.answers.lists import described_lists

    return described_lists(view)


@question(
    "agenda",
    "/agenda",
    answer_in="ledger.answers.agenda",
    rows="due",
    es="Muestra lo que está pendiente: listas por publicar, y torneos terminados sin entregar.",
)
def agenda(view: LedgerView, on: DayAsked = None) -> Agenda:
    """Show what is due: lists to be published, and tournaments that are over and not handed in."""
    from ledger.answers.agenda import agenda_of

    return agenda_of(view, on or view.today)


@question(
    "period list",
    "/lists/{list}/periods",
    answer_in="ledger.answers.period_states",
    rows="periods",
    excerpt="last",
    es="Enumera los períodos con su estado: abierto, cerrado, publicado, recalculado.",
)
def periods(view: LedgerView, name: ListArgument) -> Periods:
    """List the periods with their state: open, closed, published, restated."""
    from ledger.answers.period_states import Periods, period_states

    return Periods(name, period_states(view, name))


@question(
    "period check",
    "/lists/{list}/periods/{period}/check",
    answer_in="ledger.answers.publication_checks",
    rows="tournaments",
    replays=True,
    es="Muestra qué trae un período de una lista, y qué hay que mirar antes de publicarlo.",
)
def publication_check(
    view: LedgerView, period: PeriodArgument, list_: ListArgument
) -> PublicationCheck:
    """Show what a period of a list brings, and what to look at before it is published."""
    from ledger.answers.publication_checks import check_publication

    return check_publication(view, list_, period)


@question(
    "list letters",
    "/lists/{list}/periods/{period}/letters",
    answer_in="ledger.reports.letters",
    rows="letters",
    is_form=True,
    replays=True,
    es=(
        "Escribe las cartas de una lista que se publicó: a cada club, qué trajo a sus jugadores."
        "\n\nCon --format html son páginas para imprimir; list emails las guarda como correos."
    ),
)
def list_letters(
    view: LedgerView,
    period: PeriodArgument,
    list_: ListArgument,
    club: ClubAsked = None,
    player: PlayerOption = None,
) -> Letters:
    """Write the letters of a list that was published: to each club what it brought to its players.

    With --format html they are pages to print; list emails keeps them as e-mails.
    """
    from ledger.answers.letters import letters_of

    return letters_of(view, list_, period, club=club, player=player)


@question(
    "live",
    "/lists/{list}/live",
    answer_in="ledger.reports.live_list",
    rows="rows",
    excerpt="first",
    replays=True,
    es=(
        "Muestra los ratings como si el período actual cerrara ahora, junto a los últimos"
        " publicados."
    ),
)
def live_ratings(view: LedgerView, name: ListArgument) -> LiveList:
    """Show the ratings as if the current period closed now, beside those published last."""
    from ledger.answers import list_figures

    return list_figures.live(view, name)
