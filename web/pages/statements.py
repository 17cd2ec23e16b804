"""Why a rating is what it is: the statement of a period, and what moved it between two lists."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Annotated, Final

from fastapi import Query, Request, Response

from ledger.answers.claims import claim_deadline
from ledger.answers.corrections import correcting_seqs
from ledger.answers.directory import candidates, first_day_in_force, player_known
from ledger.answers.forecasts import MOST_GAMES, forecast_of, tournaments_to_come
from ledger.answers.player_questions import why_between
from ledger.answers.regulations import regulation_sheet
from ledger.answers.tournaments import names_of_tournaments
from ledger.errors import InputRefused, NotFound, Problem
from ledger.operations.kinds import number_from
from ledger.pictures.statement import statement_picture
from ledger.pictures.why import why_picture
from ledger.questions.kinds import HIGHEST_RATING
from ledger.reports.balance import AS_READ, Figures, balance, beginning, told_order
from ledger.reports.forecast import Wanted
from ledger.reports.regulations import RegulationSheet
from ledger.reports.statement import CreditLine, PostingLine, Statement
from ledger.reports.summaries import summary
from ledger.typed_values import MOST_EDITIONS
from ledger.views.list_editions import (
    editions_by_period,
    lists_in_turn,
    lists_to_compare,
    source_of,
    with_edition,
)
from ledger.views.view import LedgerView
from ledger.wording import Message
from ledger.wording.dates import period_in_words
from web.access import PUBLIC, Routes
from web.asked_view import Asked, site_of
from web.calculations import replayed
from web.fields import Recalculated
from web.language import language_of
from web.read_models.answers import edition_asked, people_meant, recalculation_of, statement_of
from web.read_models.model_store import store_of
from web.rendering import render
from web.site import View

routes = Routes()
_OTHERS = 12  # pairs of lists that are offered to be compared
_CANDIDATES = 10
_LONGEST = 4_000  # signs of opponents
_FORECAST = frozenset({"opponents", "ratings", "tournament", "rating", "gain"})
_RATING = number_from(1, HIGHEST_RATING)
_BETWEEN: Final = re.compile("[,;]")  # ratings


@routes.get("/players/{player}/{name}/why", PUBLIC)
def why(
    request: Request,
    view: Asked,
    player: str,
    name: str,
    from_: Annotated[str, Query(alias="from")] = "",
    to: str = "",
) -> Response:
    """Shows what moved a rating between two lists, by cause."""
    causes = replayed(request, view, name, why_between, player, name, from_, to)
    split = causes.why
    known = view.ask(player_known, player)
    title = Message.of(
        "why.title", player=known.name or player, before=split.before or "-",
        after=split.after or "-",
    )  # fmt: skip
    language = language_of(request)
    pictures = [
        why_picture(split, title=title.within(language), language=language, is_narrow=narrow)
        for narrow in (False, True)
    ]
    return render(
        request, "why.html", made=split, summary=causes.summary, title=title, pictures=pictures,
        known=known, name=name, before=view.ask(with_edition, name, causes.since),
        after=view.ask(with_edition, name, causes.until),
        events=view.ask(names_of_tournaments, {p.tournament for p in split.parts if p.tournament}),
        corrected=view.ask(correcting_seqs, {seq for part in split.parts for seq in part.seqs}),
        others=view.ask(lists_in_turn, name, _OTHERS),
        lists=view.ask(lists_to_compare, name),
    )  # fmt: skip


@routes.get("/players/{player}/{name}/forecast", PUBLIC)
def forecast(
    request: Request,
    view: Asked,
    player: str,
    name: str,
    opponents: Annotated[str, Query(max_length=_LONGEST)] = "",
    ratings: Annotated[str, Query(max_length=_LONGEST)] = "",
    tournament: str = "",
    rating: str = "",
    gain: str = "",
) -> Response:
    """Shows what games to come would do to a rating; what cannot be read is said above the form."""
    offered = view.ask(tournaments_to_come, player, name)
    is_asked = bool({*request.query_params} & _FORECAST)
    if not is_asked and offered:
        tournament = offered[0].id
    answer, refused = None, None
    if is_asked or offered:
        try:
            answer = replayed(
                request, view, name, forecast_of, player, name,
                _ids(request, view, opponents),
                tuple(map(_RATING, _BETWEEN.sub(" ", ratings).split())),
                tournament=tournament or None,
                wanted=Wanted(*map(_number, (rating, gain))),
            )  # fmt: skip
        except (InputRefused, NotFound) as error:
            if not is_asked:  # nobody is to be met in the tournament that was offered
                tournament = ""
            else:
                refused = error
    typed = {"opponents": opponents, "ratings": ratings, "rating": rating, "gain": gain}
    return render(
        request, "forecast.html", known=view.ask(player_known, player), name=name, answer=answer,
        refused=refused, typed=typed, tournament=tournament, offered=offered,
        figures=AS_READ, status=422 if refused else 200,
    )  # fmt: skip


def _ids(request: Request, view: View, text: str) -> tuple[str, ...]:
    """Returns the ids of the players whom the lines of a text mean, by id or by name."""
    known = view.ask(LedgerView.facts).player_index
    lines = filter(None, map(str.strip, text.splitlines()[: MOST_GAMES + 1]))
    return tuple(line if line in known else _named(request, view, line) for line in lines)


def _named(request: Request, view: View, text: str) -> str:
    meant = people_meant(store_of(request), view, text, _CANDIDATES)
    if len(meant) == 1:
        return meant[0].id
    if not meant:
        hint = Problem(Message.of("forecast.rating_alone"))
        raise NotFound("player.not_found", hint, player=text)
    raise InputRefused("player.several_fit", *candidates(meant), text=text, count=len(meant))


def _number(text: str) -> int | None:
    return _RATING(text) if text.strip() else None


@routes.get("/players/{player}/{name}/{period}", PUBLIC)
def statement(
    request: Request,
    view: Asked,
    player: str,
    name: str,
    period: str,
    *,
    edition: Annotated[int | None, Query(ge=1, le=MOST_EDITIONS)] = None,
    recalculated: Recalculated = False,
    exactly: Annotated[bool, Query(alias="exact")] = False,
) -> Response:
    """Shows a player's statement of a period as published, by default in the newest edition.

    A period without an edition, or its recalculation, is shown as known.
    """
    edition = edition_asked(view, name, period, edition, recalculated=recalculated)
    statement_ = statement_of(store_of(request), view, player, name, period, edition)
    figures = Figures(exactly=exactly)
    return render(
        request, "statement.html", made=statement_, summary=summary(statement_),
        pictures=_pictures(request, statement_),
        events=view.ask(names_of_tournaments, statement_.tournaments),
        figures=figures, edition=edition, source=view.recall(source_of, name, period, edition),
        recalculation=recalculation_of(request, view, name, period),
        lines=statement_.lines, balance=balance(statement_, figures),
        beginning=beginning(statement_),
        has_balance=_has_balance(statement_),
        orders=[(told_order(each), each.seq) for each in statement_.orders], exactly=exactly,
        comes_on=None if period in view.recall(editions_by_period, name)
        else view.recall(first_day_in_force, name, period),
        own=any(line.rating != statement_.opening for line in statement_.postings),
        caps=caps_of(statement_.postings), caps_of_credit=caps_of_credit,
        anchor_of=_sheet(statement_.basis.regulation).anchor_of,
        proves=site_of(request).settings.checkpoint is not None,
        corrected=view.ask(correcting_seqs, statement_.seqs),
        deadline=view.ask(
            claim_deadline, name, period, site_of(request).settings.federation.claim_days
        ),
    )  # fmt: skip


def _pictures(request: Request, statement_: Statement) -> list[str]:
    """Returns the drawings of a statement, for a page and for a phone; none where nothing is."""
    language = language_of(request)
    title = Message.of(
        "browse.why_changed", player=statement_.player.name or statement_.player.id,
        period=period_in_words(statement_.period, language),
    ).within(language)  # fmt: skip
    draw = partial(statement_picture, statement_, title=title, language=language)
    return [each for each in (draw(), draw(is_narrow=True)) if each]


@cache
def _sheet(regulation: str) -> RegulationSheet:
    return regulation_sheet(regulation)


def _has_balance(statement: Statement) -> bool:
    """Whether there is more to be summed than a first rating, or none."""
    return statement.opening is not None or bool(statement.postings or statement.steps)


def caps_of(lines: tuple[PostingLine, ...]) -> str:
    """Returns the differences that count instead of greater ones; "" where none does."""
    return ", ".join(map(str, sorted({abs(line.difference) for line in lines if line.capped})))


def caps_of_credit(credit: CreditLine) -> str:
    """Returns the same of the games that an earlier list owed."""
    return caps_of(tuple(game.line for game in credit.games))
