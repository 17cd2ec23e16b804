"""``tournament``: standings, crosstable and score sheet of an event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.options import (
    Actor,
    AfterRound,
    DryRun,
    Format,
    FormFormat,
    FormListingOptions,
    RatedCategoryOptions,
    RatingsOf,
    Reason,
    Second,
    SignWith,
    Tournament,
    Verbose,
    WriteOptions,
)
from cli.output import emit, emit_form, say
from cli.questions import ask
from cli.render.receipts import print_receipt
from cli.session import opened_to_record, participant_of, typed_request, viewed
from cli.settings import language
from ledger.questions import tournaments as questions
from ledger.typed_values import amounts_of

if TYPE_CHECKING:
    from ledger.reports.standings import Standings
    from ledger.views.view import LedgerView


@dataclass(frozen=True, kw_only=True)
class StandingsOptions:
    """Which standings are asked for; the fields have the names of ``StandingsAsked``."""

    after: AfterRound = None
    tie_breaks: Annotated[
        str | None,
        typer.Option(
            "--tie-breaks",
            help="Tie-breaks in their order: median,solkoff; of FIDE BH/C1,SB (default: habit).",
        ),
    ] = None
    list_: RatingsOf = None


@dataclass(frozen=True, kw_only=True)
class PublishOptions:
    """Whether standings are recorded as published, and what accompanies that."""

    publish: Annotated[
        bool, typer.Option("--publish", help="Record that they went out, by their digest.")
    ] = False
    dry_run: DryRun = False
    actor: Actor = None
    second: Second = None
    sign_with: SignWith = None
    verbose: Verbose = False
    reason: Reason = ""

    def to(self, db: str | None) -> WriteOptions:
        """Returns the same for a ledger, as a command takes it that only records."""
        values = {name: value for name, value in vars(self).items() if name != "publish"}
        return WriteOptions(db=db, **values)


@command("tournament standings")
def standings(
    tournament: Tournament,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            metavar="PLAYER",
            help="Each value, opponent by opponent, of an id, else a starting number, else a name.",
        ),
    ] = None,
    prizes: Annotated[
        str | None,
        typer.Option(
            "--prizes", help="Prizes by place, 1000,500,300, whole units; equal points share."
        ),
    ] = None,
    *,
    wanted: StandingsOptions,
    of: RatedCategoryOptions,
    out: PublishOptions,
    options: FormListingOptions,
) -> None:
    """Show the standings: points, tie-breaks, and which of them decided.

    Who is left out by --group, --club … leaves the others their place; groups, clubs and regions
    are those of the first day.
    """
    from cli.render.desk import render_standings
    from ledger.answers.tournaments import standings_of_category
    from ledger.forms.standings import standings_page
    from ledger.service.tournaments import publish_standings

    if options.format is FormFormat.HTML and explain is not None:
        raise typer.BadParameter(say("standings.no_page"), param_hint="--explain")
    if out.publish and options.as_known_at is not None:
        raise typer.BadParameter(say("standings.published_now"), param_hint="--as-known-at")
    to = out.to(options.db)
    with viewed(options) as view:
        standings_, player = _asked_for(view, tournament, explain, prizes, wanted)
        standings_ = standings_of_category(view, standings_, of.category(view))
    if out.publish:
        with opened_to_record(to) as ledger:
            receipt, _ = publish_standings(
                ledger, tournament, typed_request(to), prizes=amounts_of(prizes), **vars(wanted)
            )
            if options.format is FormFormat.TABLE:
                print_receipt(receipt, to)
            standings_, _ = _asked_for(ledger, tournament, None, prizes, wanted)
            standings_ = standings_of_category(ledger, standings_, of.category(ledger))
    if player is not None:
        _explain(Format(options.format.value), standings_, player)
        return
    data = standings_.data()
    if options.format is FormFormat.CSV:
        for row in data["rows"]:
            row.update(row.pop("tie_breaks"))
    show = partial(render_standings, standings_, everything=options.everything)
    emit_form(options, data, data["rows"], show, partial(standings_page, standings_))


def _asked_for(
    view: LedgerView,
    tournament: str,
    explain: str | None,
    prizes: str | None,
    wanted: StandingsOptions,
) -> tuple[Standings, str | None]:
    """Returns the standings, and the id of the participant who is explained."""
    from ledger.answers.tournaments import tournament_standings

    standings_ = tournament_standings(view, tournament, prizes=amounts_of(prizes), **vars(wanted))
    if explain is None:
        return standings_, None
    return standings_, participant_of(view, standings_.rows, tournament, explain)


def _explain(as_: Format, standings: Standings, player: str) -> None:
    """Writes each value of a participant, by id."""
    from cli.render.desk import render_explained

    about = standings.explanation(player).data(language())
    rows = list(_parts(about["values"]))
    emit(as_, about, rows, lambda out: render_explained(about, out))


ask(questions.results, "results")
ask(questions.progress, "results")
ask(questions.prizes)
ask(questions.crosstable, "desk")
ask(questions.score_sheet, "desk")


def _parts(values: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields a row for each round of each value."""
    for value in values:
        of_value = {"tie_break": value["tie_break"], "again": value["again"]}
        yield from (of_value | part for part in value["parts"])
