"""Tournaments: found by name, state and day; each with standings, rounds, and what it brought.

An id may hold a slash: the paths of single pages stand before that of the tournament itself.

The forms of a tournament, to be printed: ``/tournaments/ID/forms/NAME``; a round on a
second screen: ``/t/ID/live``.
"""

from __future__ import annotations

import datetime as dt
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final, Generic, Literal, TypeVar
from urllib.parse import quote

from fastapi import Depends, Path, Query, Request, Response
from markupsafe import Markup
from starlette.exceptions import HTTPException

from ledger.answers.event_results import (
    before_round,
    event_results,
    event_summary,
    progress_of,
    results_of,
)
from ledger.answers.forms import FormAsked, FormName, tournament_form
from ledger.answers.front_page import player_marks, winners_of
from ledger.answers.rounds import round_as_known, round_sheet, team_tables_of
from ledger.answers.titles import certificate_of, event_form_of, rating_list_of, tournament_preview
from ledger.answers.tournaments import (
    TournamentOrder,
    TournamentsWanted,
    all_tournaments,
    chosen,
    lists_of_tournament,
    placed,
    places_of,
    require_tournament,
    standings_of_category,
    tournament_crosstable,
    tournament_standings,
)
from ledger.errors import InputRefused
from ledger.exports.files import FileFormat
from ledger.facts.tournament import TournamentRecord
from ledger.forms.grid import coming_notes
from ledger.forms.page import Circled, PrintedPage, saying
from ledger.forms.results import (
    cross_columns,
    cross_rows,
    days_in_words,
    list_sentence,
    short_days,
    standings_heading,
    write_results,
)
from ledger.forms.round_sheet import below_boards, match_cells
from ledger.forms.standings import (
    code_name,
    standings_notes,
    standings_ratings,
)
from ledger.forms.team_tables import team_tables_page
from ledger.forms.title_forms import certificate_page, report_form_page
from ledger.pictures.progress import progress_picture
from ledger.reports.balance import AS_READ
from ledger.reports.categories import EVERYBODY
from ledger.reports.event_results import PODIUM
from ledger.reports.prizes import PrizeRow, prize_table
from ledger.reports.round_sheet import RoundSheet
from ledger.reports.standings import Standings
from ledger.spelling import spoken
from ledger.terms import Rate
from ledger.typed_values import day
from ledger.views.view import LedgerView
from ledger.wording import Message
from web.access import PUBLIC, Routes
from web.asked_view import Asked, RatedCategoryAsked, groups_offered, last_commits, site_of
from web.caching import tells_the_hour
from web.calculations import replayed
from web.language import instant_in_words, language_of
from web.paths import path_of
from web.rendering import picture, render
from web.site import View

routes = Routes("/tournaments")
MOST_ROUNDS: Final = 9_999
_PAGE: Final = 25  # tournaments of the overview, each with its winner
_ROWS: Final = 60  # of standings on a page, whose pictures weigh as much as they do
_GAINS: Final = 120
_SQUARES: Final = 860  # of a crosstable on a page
_MEDIA_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Tournament = Annotated[str, Path(max_length=200)]
Round = Annotated[int, Path(alias="number", ge=1, le=MOST_ROUNDS)]
AfterRound = Annotated[int | None, Query(ge=0, le=MOST_ROUNDS)]
PageNumber = Annotated[int, Query(ge=1, le=9_999)]
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class _PageOfRows(Generic[Row]):
    """The rows of a page of a long table, and which rows (first, last; from 1) each page has."""

    rows: Sequence[Row]
    number: int
    spans: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, rows: Sequence[Row], number: int, most: int) -> _PageOfRows[Row]:
        """Cuts a table into as few pages as hold so many rows each, and nearly equally many."""
        count = max(1, -(-len(rows) // most))
        size = -(-len(rows) // count)
        spans = [(at * size + 1, min((at + 1) * size, len(rows))) for at in range(count)]
        number = min(number, count)
        first, last = spans[number - 1]
        return cls(rows[first - 1 : last], number, spans)


@dataclass(frozen=True, slots=True)
class _OverviewAsked:
    """Which tournaments the overview is asked for, as it stands in the address."""

    q: Annotated[str, Query(max_length=200)] = ""
    state: Literal["", "open", "closed", "rejected", "annulled"] = ""
    since: str = ""
    until: str = ""
    year: Annotated[str, Query(pattern="^([0-9]{4})?$")] = ""
    rate: Literal["", "classical", "rapid", "blitz"] = ""
    place: Annotated[str, Query(max_length=200)] = ""
    order: TournamentOrder = "newest"
    after: Annotated[str, Query(max_length=200)] = ""

    @property
    def wanted(self) -> TournamentsWanted:
        """The same for the ledger."""
        return TournamentsWanted(
            search=self.q.strip() or None,
            state=self.state or None,
            since=_day("page.from_day", self.since),
            until=_day("page.to_day", self.until),
            year=int(self.year) if self.year else None,
            rate=Rate(self.rate) if self.rate else None,
            order=self.order,
            after=self.after or None,
            limit=_PAGE,
        )


@routes.get("", PUBLIC)
def tournaments(
    request: Request, view: Asked, words: Annotated[_OverviewAsked, Depends()]
) -> Response:
    """Lists the tournaments that are looked for, by default the newest first, with the winners."""
    everything = view.recall(all_tournaments)
    lines = view.ask(placed, everything, words.place) if words.place.strip() else everything
    page = chosen(lines, words.wanted)
    ids = [line.tournament for line in page.lines]
    return render(
        request, "tournaments.html", page=page, words=words, is_first=not words.after,
        everything=everything,
        venues=view.ask(places_of, ids),
        winners={tournament: view.recall(winners_of, tournament) for tournament in ids},
        years=sorted({line.starts_on.year for line in everything}, reverse=True),
        days=lambda line: short_days(line.starts_on, line.ends_on, language_of(request)),
    )  # fmt: skip


def _day(label: str, text: str) -> dt.date | None:
    if not text:
        return None
    try:
        return day(text.strip())
    except InputRefused as error:
        raise InputRefused("page.no_day", name=Message.of(label), value=text) from error


@routes.get("/{tournament:path}/crosstable", PUBLIC)
def crosstable(
    request: Request, view: Asked, tournament: Tournament, page: PageNumber = 1
) -> Response:
    """Shows everybody's results in one table; a large one in pages."""
    crosstable_ = view.ask(tournament_crosstable, tournament)
    say = saying(language_of(request))
    columns = cross_columns(crosstable_)
    most = max(1, _SQUARES // max(1, len(columns)))
    part = _PageOfRows.of([*cross_rows(crosstable_, say)], page, most)
    return _page(
        request, view, tournament, "crosstable", made=crosstable_, columns=columns, shown=part,
        titles=view.ask(_titles, tournament, [row.place.id for _, row, _ in part.rows]),
        coming=coming_notes(crosstable_.standings, say),
    )  # fmt: skip


def _titles(view: LedgerView, tournament: str, ids: Sequence[str]) -> Mapping[str, str | None]:
    """Returns the titles of some participants, by id; none of teams."""
    if _record(view, tournament).desk.teams:
        return {}
    return {id_: mark.title for id_, mark in player_marks(view, ids).items()}


@routes.get("/{tournament:path}/rounds/{number}", PUBLIC)
def one_round(request: Request, view: Asked, tournament: Tournament, number: Round) -> Response:
    """Shows a round: who met whom, with which result."""
    results = view.ask(round_as_known, tournament, number)
    before = view.ask(before_round, tournament, number)
    say = saying(language_of(request))
    if isinstance(results, RoundSheet):
        return _page(
            request, view, tournament, "round", sheet=results, number=number, before=before,
            below=below_boards(results, say),
            match_cells=lambda board, game: match_cells(board, game, Circled, say),
            is_circled=_is_circled,
        )  # fmt: skip
    return _page(
        request, view, tournament, "round", sheet=None, made=results, number=number, before=before
    )


@routes.get("/{tournament:path}/gains", PUBLIC)
def gains(
    request: Request, view: Asked, tournament: Tournament,
    list_: Annotated[str | None, Query(alias="list", max_length=100)] = None,
    page: PageNumber = 1,
) -> Response:  # fmt: skip
    """Shows what each player gained, and which norms were made or are still possible."""
    fit = view.ask(lists_of_tournament, tournament)
    name = list_ or (fit[0] if fit else None)
    preview = view.ask(tournament_preview, tournament, name)
    part = _PageOfRows.of(preview.data(language_of(request))["players"], page, _GAINS)
    return _page(request, view, tournament, "gains", made=preview, fit=fit, shown=part)


@routes.get("/{tournament:path}/standings.{form}", PUBLIC)
def standings_file(
    request: Request, view: Asked, tournament: Tournament, form: Literal["csv", "xlsx"],
    after: AfterRound = None,
) -> Response:  # fmt: skip
    """Gives the standings as a file for a spreadsheet."""
    results = view.ask(event_results, tournament, after)
    out = io.BytesIO()
    write_results(results, out, FileFormat(form), language_of(request))
    name = quote(f"{tournament}.{form}", safe="")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(out.getvalue(), media_type=_MEDIA_TYPES[form], headers=headers)


@routes.get("/{tournament:path}/report", PUBLIC)
def report(request: Request, view: Asked, tournament: Tournament) -> Response:
    """Shows what is recorded of a tournament itself, and where it is printed and taken along."""
    return _page(request, view, tournament, "report")


@routes.get("/{tournament:path}/teams", PUBLIC)
def teams(request: Request, view: Asked, tournament: Tournament) -> Response:
    """Shows the tables of an event of teams."""
    tables_ = view.ask(team_tables_of, tournament)
    body = team_tables_page(tables_, language_of(request)).body
    tables = Markup(body)  # noqa: S704 - the form escapes what it quotes
    return _page(request, view, tournament, "teams", tables=tables)


@routes.get("/{tournament:path}/places/{player:path}", PUBLIC)
def place(
    request: Request, view: Asked, tournament: Tournament,
    player: Annotated[str, Path(max_length=200)], after: AfterRound = None,
) -> Response:  # fmt: skip
    """Explains a participant's place: each tie-break, opponent by opponent."""
    standings = view.ask(tournament_standings, tournament, after=after)
    found = standings.explanation(player)
    values = found.data(language_of(request))["values"]
    return _page(
        request, view, tournament, "place", standings=standings, line=found.player, values=values
    )


@routes.get("/{tournament:path}", PUBLIC)
def standings(
    request: Request,
    view: Asked,
    tournament: Tournament,
    category: RatedCategoryAsked,
    after: AfterRound = None,
    page: PageNumber = 1,
) -> Response:
    """Shows a tournament with its standings, by default after its last complete round."""
    everybody = view.ask(tournament_standings, tournament, after=after)
    standings_ = view.ask(standings_of_category, everybody, category)
    results = view.ask(results_of, everybody)
    members = {line.id for line in standings_.rows}
    rows = [row for row in results.rows if row.id in members]
    language = language_of(request)
    say = saying(language)
    return _page(
        request, view, tournament, "standings", standings=standings_, asked_after=after,
        rows=rows, shown=_PageOfRows.of(rows, page, _ROWS),
        podium=rows[:PODIUM] if results.summary.podium else (),
        lines={line.id: line for line in standings_.rows},
        heading=standings_heading(standings_, say), ratings=standings_ratings(standings_, say),
        notes=list(standings_notes(standings_, language)), prizes=_of_categories(everybody),
        pictures=_pictures(view, everybody, language) if page == 1 else (),
        chosen=category, everybody=EVERYBODY, groups=groups_offered(request),
    )  # fmt: skip


def _pictures(view: View, standings: Standings, language: str) -> list[str]:
    """Returns the course of an event, for a page and for a phone; none before the first round."""
    draw = partial(progress_picture, view.ask(progress_of, standings), language=language)
    return [each for each in (draw(), draw(is_narrow=True)) if each]


def _of_categories(everybody: Standings) -> Sequence[PrizeRow]:
    """Returns who gets what, where there are prizes of categories; the others stand at the rows."""
    has_categories = any(award.category for award in everybody.awards)
    return prize_table(everybody).prizes if has_categories else ()


def _page(request: Request, view: View, tournament: str, page: str, **values: Any) -> Response:
    """Returns a page of a tournament: what it is and the way to its other pages are everywhere."""
    record = view.ask(_record, tournament)
    language = language_of(request)
    say, summary = saying(language), view.recall(event_summary, tournament)
    today = view.ask(lambda ledger: ledger.today)
    is_running = view.asked_for is None and summary.stage in {"not-begun", "running"}
    return render(
        request, f"tournament_{page}.html", record=record, about=record.version, part=page,
        summary=summary, days=days_in_words(summary.starts_on, summary.ends_on, language),
        list_sentence=lambda each: list_sentence(each, summary.games, language),
        is_running=is_running and summary.starts_on <= today <= summary.ends_on,
        rounds=range(1, record.known_rounds + 1), figures=AS_READ, spoken=spoken,
        lists=view.ask(lists_of_tournament, tournament),
        commits=last_commits(request, view, f"tournament:{tournament}"),
        code_name=lambda code: code_name(code, say), **values,
    )  # fmt: skip


def _record(view: LedgerView, tournament: str) -> TournamentRecord:
    return require_tournament(view, tournament, view.facts().seq)


def _is_circled(word: object) -> bool:
    """Whether it is a result without play."""
    return isinstance(word, Circled)


form_routes = Routes("/tournaments/{tournament:path}/forms")
_NAMES = {form.value: form for form in FormName}
_OF_ROUND = frozenset({FormName.ROUND, FormName.SEATS})


OfList = Annotated[str | None, Query(alias="list")]


@form_routes.get("/certificate/{player}", PUBLIC)
def certificate_to_print(
    request: Request, view: Asked, tournament: str, player: str, list_: OfList = None
) -> Response:
    """Shows the data for a player's certificate of title result, by the list that rates it."""
    name = list_ or view.ask(rating_list_of, tournament)
    found = replayed(request, view, name, certificate_of, tournament, player, name)
    return _to_print(request, view, certificate_page(found, language_of(request)), tournament)


@form_routes.get("/report-form", PUBLIC)
def report_form_to_print(
    request: Request, view: Asked, tournament: str, list_: OfList = None
) -> Response:
    """Shows the data for the form of an event, by the list that rates it."""
    name = list_ or view.ask(rating_list_of, tournament)
    found = replayed(request, view, name, event_form_of, tournament, name)
    return _to_print(request, view, report_form_page(found, language_of(request)), tournament)


@form_routes.get("/{form}", PUBLIC)
def form_to_print(
    request: Request,
    view: Asked,
    tournament: str,
    form: str,
    round_: Annotated[int | None, Query(alias="round", ge=1)] = None,
    after: Annotated[int | None, Query(ge=0)] = None,
    tie_breaks: Annotated[str | None, Query(alias="tie-breaks")] = None,
    list_: OfList = None,
) -> Response:
    """Shows a form of a tournament, by default after its last round."""
    name = _NAMES.get(form)
    if name is None:
        raise HTTPException(404)
    form_ = FormAsked(
        tournament=tournament, form=name, round=round_, after=after, tie_breaks=tie_breaks,
        list=list_,
    )  # fmt: skip
    page = view.ask(tournament_form, form_, language_of(request))
    live = _live(request, tournament) if name in _OF_ROUND else None
    return _to_print(request, view, page, tournament, live)


def _to_print(
    request: Request, view: View, page: PrintedPage, tournament: str, live: str | None = None
) -> Response:
    """Shows a page to print and the hour; ``live`` is the address of its second screen."""
    tells_the_hour(request)
    at = instant_in_words(view.now, language_of(request))
    body = Markup(page.body)  # noqa: S704 - the forms escape what they quote
    return render(
        request, "form.html", title=page.title, body=body, tournament=tournament, back=None,
        live=live, qr=None if live is None else picture(live, 2), printed_at=at,
    )  # fmt: skip


# A round on a second screen: boards and results as they come, turning by itself

live_routes = Routes("/t")
_BOARDS: Final = 20
"""Of a page: they fit a screen of 1280 by 720."""
_LEADERS: Final = 8
_SECONDS: Final = 15


@live_routes.get("/{tournament:path}/live", PUBLIC)
def live_round(
    request: Request, view: Asked, tournament: str, page: Annotated[int, Query(ge=1, le=999)] = 1
) -> Response:
    """Shows a page of the boards of the last round, and leads to the next one by itself."""
    sheet = view.ask(_last_round, tournament)
    boards = () if sheet is None else sheet.boards
    pages = max(1, -(-len(boards) // _BOARDS))
    page = min(page, pages)
    standings = view.ask(tournament_standings, tournament)
    surnames = Counter(row.name.partition(",")[0] for row in standings.rows if "," in row.name)
    return render(
        request, "live.html", namesakes={one for one, count in surnames.items() if count > 1},
        sheet=sheet, tournament=tournament, name=standings.name,
        boards=boards[(page - 1) * _BOARDS : page * _BOARDS], count=len(boards),
        done=sum(board.result is not None for board in boards), page=page, pages=pages,
        following=page % pages + 1, seconds=_SECONDS, after=standings.after,
        leaders=standings.rows[:_LEADERS], qr=picture(_live(request, tournament), 2),
    )  # fmt: skip


def _live(request: Request, tournament: str) -> str:
    """Returns the address of the second screen, for who is not on the site yet."""
    return f"{site_of(request).settings.origin}{path_of('t', tournament, 'live')}"


def _last_round(view: LedgerView, tournament: str) -> RoundSheet | None:
    """Returns the sheet of the last published round; None before the first."""
    record = require_tournament(view, tournament, view.facts().seq)
    return round_sheet(view, tournament) if record.desk.last_round else None
