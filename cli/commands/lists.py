"""``list``, ``period`` and ``publish``: rating lists."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.command import command
from cli.files import not_written
from cli.operations import offer
from cli.options import (
    All,
    Control,
    Db,
    Edition,
    Federations,
    Format,
    Full,
    ListingOptions,
    NameOfList,
    QuestionOptions,
    RatedCategoryOptions,
    Recalculated,
    ReceiptFormat,
    Search,
    WriteOptions,
)
from cli.output import (
    console,
    emit,
    note,
    say,
    write,
    write_bytes,
    write_json,
)
from cli.questions import ask
from cli.render.lists import emit_list, print_check, print_moves, publication_data, tell_published
from cli.session import (
    carry_out,
    list_and,
    list_of,
    needed,
    opened,
    opened_to_record,
    request,
    viewed,
)
from cli.settings import language
from cli.values import codes_of, share_of
from ledger.errors import InputRefused
from ledger.operations.lists import (
    AdjustList,
    NewList,
    NewRegulation,
    SetCalendar,
    SetTwoPersons,
)
from ledger.questions import lists as questions

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.answers.directory import Selection
    from ledger.reports.categories import Category

Name = Annotated[str, typer.Argument(help="The list's name.")]
RegulationId = Annotated[str, typer.Option("--regulation", help="Its id; see: regulation list.")]
PeriodName = Annotated[str | None, typer.Argument(help="The period: 2011-01, 2011-Q1, 2011 …")]
ShownPeriod = Annotated[
    str | None, typer.Argument(help="The period (default: the last one published).")
]
PeriodEdition = Annotated[str | None, typer.Argument(help="PERIOD@EDITION (edition: the last)")]


@dataclass(frozen=True, kw_only=True)
class SelectionOptions:
    """Which rows of a list are asked for."""

    top: Annotated[int | None, typer.Option("--top", help="Only so many, the highest.", min=1)] = (
        None
    )
    federation: Federations = None
    active: Annotated[bool, typer.Option("--active", help="Only the active.")] = False
    search: Search = None

    def selection(self, category: Category) -> Selection:
        """Returns it as answers ask for it."""
        from ledger.answers.directory import Selection

        codes = codes_of(self.federation)
        return Selection(codes, category, self.search, active=self.active, top=self.top)


offer("define-list", NewList)
offer("adopt-regulation", NewRegulation)
offer("set-calendar", SetCalendar)
offer("set-two-persons", SetTwoPersons)


@command("list adjust")
def adjust(
    below: Annotated[int, typer.Option("--below", help="Ratings below this one.", min=1)],
    pivot: Annotated[int, typer.Option("--pivot", help="They move towards it.", min=0)],
    share: Annotated[str, typer.Option("--share", help="By this share of the way, 2/5.")],
    name: NameOfList = None,
    period: PeriodName = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Even where the period is closed.")
    ] = False,
    *,
    to: WriteOptions,
) -> None:
    """Order a list-wide step after the calculation of a period."""
    way = share_of(share)
    with opened(to.db) as ledger:
        name, (period,) = list_and(ledger, name, period)
    command_ = AdjustList(
        list=name,
        period=needed(period, "PERIOD"),
        below=below,
        pivot=pivot,
        numerator=way.numerator,
        denominator=way.denominator,
        as_correction=as_correction,
    )
    carry_out(to, command_)


ask(questions.agenda)
ask(questions.publication_check, "lists")
ask(questions.list_letters, "letters")


@command("list emails")
def emails(
    name: Annotated[
        str, typer.Argument(help="The list's name; it may be left out.", metavar="NAME")
    ],
    period: Annotated[str, typer.Argument(help="The period, 2010-07.", metavar="PERIOD")],
    folder: Annotated[str | None, typer.Argument(help="A new folder.", metavar="DIR")] = None,
    former_list: Annotated[str | None, typer.Option("--list", hidden=True)] = None,
    club: Annotated[str | None, typer.Option("--club", help="Only to this club.")] = None,
    players: Annotated[
        bool, typer.Option("--players", help="One to each player who has news, not to clubs.")
    ] = False,
    site: Annotated[
        str | None,
        typer.Option("--site", help="The site to whose statements names lead.", metavar="URL"),
    ] = None,
    *,
    db: Db = None,
) -> None:
    """Keep the letters of a published list as e-mails, which mail programs open as drafts."""
    from ledger.answers.letters import letters_of
    from ledger.forms.letters import letter_email

    if site is not None and not site.startswith(("https://", "http://")):
        raise InputRefused("letter.no_site", site=site)
    named, of, place = (name, period, folder) if folder else (former_list, name, period)
    new = Path(place)
    with opened(db) as view:
        letters = letters_of(view, list_of(view, named), of, club=club)
    if players:
        letters = letters.by_player()
    try:
        new.mkdir()
        for number, letter in enumerate(letters.letters, start=1):
            email = letter_email(letters, letter, language(), site and site.rstrip("/"))
            (new / f"{number:03}.eml").write_bytes(email.as_bytes())
    except OSError as error:
        raise not_written(new, error, "cli.cannot_write") from error
    write(say("letter.emails", count=len(letters.letters), folder=new))


ask(questions.lists)


@command("list show")
def show(
    name: NameOfList = None,
    period: ShownPeriod = None,
    *,
    wanted: SelectionOptions,
    of: RatedCategoryOptions,
    everything: All = False,
    edition: Edition = None,
    recalculated: Recalculated = False,
    options: QuestionOptions,
) -> None:
    """Show a list as published: an edition, by default the newest.

    A period without an edition is shown as known now, and any period with --recalculated or
    --as-known-at as it is or was known.

    Who is left out by --top, --federation … leaves the others their rank. Clubs, regions, licences
    and age groups are those of the last day on which the list is in force.
    """
    from ledger.answers import lists
    from ledger.answers.directory import selected
    from ledger.views.list_editions import edition_shown, newest_period, state_as_known

    if edition is not None and options.as_known_at is not None:
        raise typer.BadParameter(say("cli.edition_or_known"))
    with viewed(options) as view:
        selection = wanted.selection(of.category(view))
        name, (period,) = list_and(view, name, period)
        period = period or newest_period(view, name)
        as_known = recalculated or options.as_known_at is not None
        shown = edition_shown(view, name, period, edition, recalculated=as_known)
        rating_list = lists.show(view, name, period, edition=shown)
        rows = selected(view, rating_list, selection)
        is_newest = edition is None and shown is not None
        is_other = is_newest and state_as_known(view, name, period) == "recalculated"
    emit_list(rating_list, rows, options.format, everything=everything)
    if is_other:
        note("cli.recalculation_differs", list=name, period=period)


@command("list regenerate")
def regenerate(
    name: NameOfList = None,
    period: ShownPeriod = None,
    edition: Edition = None,
    everything: All = False,
    db: Db = None,
    as_: Annotated[
        Format | None, typer.Option("--format", help="Default: the published bytes.")
    ] = None,
) -> None:
    """Replay a published list to its basis and write its bytes; exit 3 unless they are the same."""
    from ledger.answers import lists
    from ledger.views.list_editions import newest_period, require_edition

    with opened(db) as ledger:
        name, (period,) = list_and(ledger, name, period)
        newest = period or newest_period(ledger, name)
        regenerated, failure = lists.regenerate(ledger, name, newest, edition)
        published = require_edition(ledger.facts(), name, newest, edition).output_sha256
    if as_ is None:
        write_bytes(regenerated.document())
    else:
        emit_list(regenerated, regenerated.rows, as_, everything=everything)
    if failure is not None:
        raise failure
    if erased := regenerated.rows.published.name.count(""):
        values = {"published": published, "digest": regenerated.output_sha256()}
        note(
            "cli.regenerated_nameless", count=erased, ratings=regenerated.ratings_sha256(), **values
        )
    else:
        note("cli.regenerated", digest=regenerated.output_sha256())


@command("list diff")
def diff(
    name: NameOfList = None,
    before: PeriodEdition = None,
    after: PeriodEdition = None,
    *,
    options: ListingOptions,
) -> None:
    """Compare two published lists: who entered, who left, who moved."""
    from ledger.answers.lists import compare

    with viewed(options) as view:
        name, (before, after) = list_and(view, name, before, after)
        found = compare(view, name, needed(before, "BEFORE"), needed(after, "AFTER"))

    def render(out: Console) -> None:
        print_moves(out, found.moves, everything=options.everything)

    data = found.data()
    emit(options.format, data, data["moves"], render)


@command("list monitor")
def monitor(
    name: NameOfList = None,
    from_: Annotated[
        str | None, typer.Option("--from", help="The first period (default: the list's first).")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="The last period (default: the last one with games).")
    ] = None,
    control: Control = None,
    active_only: Annotated[
        bool, typer.Option("--active-only", help="The pool is the active players only.")
    ] = False,
    full: Full = False,
    *,
    options: QuestionOptions,
) -> None:
    """Watch a list: its control group's mean, and where its points come from and go, exactly."""
    from cli.render.studies import render_monitor
    from ledger.answers.list_figures import monitor_of

    with viewed(options) as view:
        name = list_of(view, name)
        monitor_ = monitor_of(
            view, name, since=from_, until=to, control=control or (), active_only=active_only
        )
    emit(
        options.format,
        monitor_.data,
        lambda: [line.row() for line in monitor_.lines],
        lambda out: render_monitor(monitor_, out, full=full),
    )


ask(questions.periods)


def _check(to: WriteOptions, name: str | None, period: str | None, *, restated: bool) -> None:
    """Shows what to look at before a period goes out, or each whose list would be different."""
    from ledger.answers.publication_checks import check_publication
    from ledger.service.publications import restated_periods

    with opened(to.db) as view:
        name, (period,) = list_and(view, name, period)
        if restated and period is not None:
            raise _restated_alone()
        periods = restated_periods(view, name) if restated else [needed(period, "PERIOD")]
        found = [check_publication(view, name, each, with_earlier=not restated) for each in periods]
    if to.format is ReceiptFormat.JSON:
        data = [each.data(language()) for each in found]
        write_json(data if restated else data[0])
        return
    if not found:
        note("cli.none_restated", list=name)
    for each in found:
        print_check(each, console())


def _publish_restated(
    to: WriteOptions, name: str | None, period: str | None, *, anyway: bool
) -> None:
    """Publishes again each period whose list would be different, and writes one receipt."""
    from ledger.service.publications import publish_restated

    with opened_to_record(to) as ledger:
        name, (period,) = list_and(ledger, name, period)
        if period is not None:
            raise _restated_alone()
        found = publish_restated(ledger, name, request(to), anyway=anyway)
    if to.format is ReceiptFormat.JSON:
        write_json(publication_data(found[0]) if found else {"first_seq": None, "last_seq": None})
        return
    if not found:
        note("cli.none_restated", list=name)
    for place, each in enumerate(found):
        tell_published(each, to, with_receipt=place == 0)
    if to.dry_run and not anyway and any(each.unfinished for each in found):
        note("cli.needs_anyway")


def _restated_alone() -> typer.BadParameter:
    return typer.BadParameter(say("cli.restated_alone"), param_hint="--restated")


@command("publish")
def publish_list(
    name: NameOfList = None,
    period: PeriodName = None,
    restated: Annotated[
        bool,
        typer.Option(
            "--restated", help="Every period whose list would be different by now, in one commit."
        ),
    ] = False,
    also_earlier: Annotated[
        bool, typer.Option("--also-earlier", help="Earlier periods without a list too, in order.")
    ] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also with events that are not over at the desk.")
    ] = False,
    acknowledge: Annotated[
        list[str] | None,
        typer.Option("--acknowledge", help="It may be so: new, gone or moves; may be repeated."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only show what to look at before; record nothing.")
    ] = False,
    *,
    to: WriteOptions,
) -> None:
    """Publish a period's list: edition 1, or the next one when facts have changed since.

    A period is not passed over: those before it are published first, or with --also-earlier. An
    event that is not over at the desk is named, and the period goes out with --anyway only. So are
    bounds: more than 5 % of the players new or gone, a rating that moves by more than 200.
    """
    from ledger.service.publications import publish, publish_with_earlier

    if restated and (also_earlier or acknowledge):
        raise _restated_alone()
    if check:
        _check(to, name, period, restated=restated)
        return
    if restated:
        _publish_restated(to, name, period, anyway=anyway)
        return
    request_ = request(to)
    publish_ = partial(publish, anyway=anyway, acknowledged=acknowledge or ())
    publish_all = partial(publish_with_earlier, anyway=anyway, acknowledged=acknowledge or ())
    data = []
    with opened_to_record(to) as ledger:
        name, (period,) = list_and(ledger, name, period)
        last = needed(period, "PERIOD")
        several = publish_all(ledger, name, last, request_)
        alone = () if also_earlier else [publish_(ledger, name, last, request_)]
        for published_list in alone or several:
            if to.format is ReceiptFormat.JSON:
                data.append(publication_data(published_list))
            else:
                tell_published(published_list, to)
                if to.dry_run and published_list.unfinished and not anyway:
                    note("cli.needs_anyway")
    if data:
        write_json(data if also_earlier else data[0])
