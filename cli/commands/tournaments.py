"""``tournament``: open, show, titles, worksheet, accept, reject, close, correct."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional

import typer

from cli.commands.record import Tournament
from cli.names import list_of
from cli.options import (
    Actor,
    All,
    As,
    Db,
    DryRun,
    Format,
    ListName,
    NeededReason,
    RatedIn,
    Reason,
    ReceiptFormat,
    Receipts,
    day,
)
from cli.output import emit, excerpt, print_rest, say, table
from cli.session import carry_out, opened
from cli.settings import language
from ledger.errors import InputRefused, NotFound
from ledger.terms import Rate, System, TrfVersion

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.events.tournaments import ReportDetails

app = typer.Typer(no_args_is_help=True)

Start = Annotated[str, typer.Option("--start", help="First day, YYYY-MM-DD.")]
End = Annotated[str, typer.Option("--end", help="Last day, YYYY-MM-DD.")]
Merit = Annotated[
    Optional[str],  # noqa: UP045 - Typer evaluates it at run time
    typer.Option("--merit", help="Merit coefficient (default: the regulation's)."),
]


Town = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--place", help="Where it is played."),
]
FederationCode = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--federation", help="Its federation, three letters."),
]
Arbiter = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--arbiter", help="Its chief arbiter, for reports."),
]
Deputies = Annotated[
    Optional[list[str]],  # noqa: UP045 - the same
    typer.Option("--deputy", help="A deputy arbiter, for reports; give it for each."),
]
TimeControl = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--time-control", help="The time control in words, for reports."),
]


def _report(
    old: ReportDetails | None,
    arbiter: str | None,
    deputies: list[str] | None,
    time_control: str | None,
) -> ReportDetails | None:
    """Returns what is known for reports, with what is said now."""
    from ledger.events.tournaments import ReportDetails

    said = {
        "chief_arbiter": arbiter,
        "deputies": tuple(deputies) if deputies else None,
        "time_control": time_control,
    }
    told = {name: value for name, value in said.items() if value}
    if not told:
        return old
    # The registrar validates it, and refuses what cannot be recorded in the user's language.
    return ReportDetails.model_construct(**(old.model_dump() if old else {}) | told)


def merit_hundredths(text: str | None) -> int | None:
    """Reads a merit coefficient; raises ``InputRefused`` that quotes it."""
    from ledger.intake.csv_table import number_in

    if text is None:
        return None
    number = number_in(text)
    if number is None or (number * 100).denominator != 1:
        raise InputRefused("csv.no_hundredths", column="merit", value=text)
    return int(number * 100)


@app.command("open")
def open_(
    tournament: Tournament,
    name: Annotated[str, typer.Option("--name", help="Its name.")],
    start: Start,
    end: End,
    rate_of_play: Annotated[Rate, typer.Option("--rate-of-play")],
    system: Annotated[System, typer.Option("--system")] = System.SWISS,
    merit: Merit = None,
    rounds: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option("--rounds", min=1),
    ] = None,
    place: Town = None,
    federation: FederationCode = None,
    arbiter: Arbiter = None,
    deputy: Deputies = None,
    time_control: TimeControl = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Open a tournament."""
    from ledger.registrar.commands import OpenTournament

    command = OpenTournament(
        tournament=tournament,
        name=name,
        starts_on=day(start),
        ends_on=day(end),
        system=system,
        rate_of_play=rate_of_play,
        merit_hundredths=merit_hundredths(merit),
        rounds=rounds,
        place=place,
        federation=federation,
        report=_report(None, arbiter, deputy, time_control),
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("correct")
def correct(
    tournament: Tournament,
    reason: NeededReason,
    name: Annotated[Optional[str], typer.Option("--name")] = None,  # noqa: UP045 - the same
    start: Annotated[Optional[str], typer.Option("--start")] = None,  # noqa: UP045 - the same
    end: Annotated[Optional[str], typer.Option("--end")] = None,  # noqa: UP045 - the same
    rate_of_play: Annotated[
        Optional[Rate],  # noqa: UP045 - the same
        typer.Option("--rate-of-play"),
    ] = None,
    system: Annotated[
        Optional[System],  # noqa: UP045 - the same
        typer.Option("--system"),
    ] = None,
    merit: Merit = None,
    place: Town = None,
    federation: FederationCode = None,
    arbiter: Arbiter = None,
    deputy: Deputies = None,
    time_control: TimeControl = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
) -> None:
    """Correct what was said of a tournament itself; what is not said stays."""
    from ledger.registrar.commands import CorrectTournament

    with opened(db) as ledger:
        register = ledger.register([f"tournament:{tournament}"], ledger.journal.head().seq)
    record = register.tournaments.get(tournament)
    if record is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    old = record.version
    command = CorrectTournament(
        tournament=tournament,
        name=name or old.name,
        starts_on=day(start) if start else old.starts_on,
        ends_on=day(end) if end else old.ends_on,
        system=system or old.system,
        rate_of_play=rate_of_play or old.rate_of_play,
        merit_hundredths=merit_hundredths(merit) if merit else old.merit_hundredths,
        rounds=old.rounds,
        place=place or old.place,
        federation=federation or old.federation,
        report=_report(old.report, arbiter, deputy, time_control),
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


def _rule(
    ruling: Literal["close", "accept", "reject"],
    tournament: str,
    db: str | None,
    *,
    dry_run: bool,
    actor: str | None,
    reason: str,
    as_: ReceiptFormat,
) -> None:
    from ledger.registrar.commands import RuleOnTournament

    today = dt.datetime.now(dt.UTC).date()
    command = RuleOnTournament(tournament=tournament, ruling=ruling, on=today)
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("accept")
def accept(
    tournament: Tournament,
    rated_in: RatedIn = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Also where that period is published.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Rate a tournament again that was rejected, or in another period than it ended in."""
    if rated_in is None and not as_correction:
        _rule("accept", tournament, db, dry_run=dry_run, actor=actor, reason=reason, as_=as_)
        return
    from ledger.application.rating_periods import rated_in as period_said
    from ledger.registrar.commands import RuleOnTournament

    with opened(db) as ledger:
        command = RuleOnTournament(
            tournament=tournament,
            ruling="accept",
            on=ledger.today,
            rated_in=period_said(ledger, rated_in) if rated_in is not None else None,
            as_correction=as_correction,
        )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("reject")
def reject(
    tournament: Tournament,
    reason: NeededReason,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
) -> None:
    """Do not rate a tournament; its results stand."""
    _rule("reject", tournament, db, dry_run=dry_run, actor=actor, reason=reason, as_=as_)


@app.command("close")
def close(
    tournament: Tournament,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Say that the report is complete: later results are corrections."""
    _rule("close", tournament, db, dry_run=dry_run, actor=actor, reason=reason, as_=as_)


@app.command("list")
def list_(everything: All = False, db: Db = None, as_: As = Format.TABLE) -> None:
    """List the tournaments."""
    from ledger.reports.tournaments import tournament_lines

    with opened(db) as ledger:
        rows = [line.data() for line in tournament_lines(ledger.facts())]

    def render(out: Console) -> None:
        made = table(
            "tournament", "name", "start", "end", "system", "rate_of_play", "players",
            "pairings", "state", right=("players", "pairings"),
        )  # fmt: skip
        shown = excerpt(rows, everything=everything)
        for row in shown:
            values = [str(value) for value in row.values()]
            made.add_row(*values[:-1], say(f"state.{row['state']}"))
        out.print(made)
        print_rest(out, len(shown), len(rows))

    emit(as_, {"tournaments": rows}, rows, render)


@app.command("show")
def show(tournament: Tournament, db: Db = None, as_: As = Format.TABLE) -> None:
    """Show a tournament: players by starting number, round by round."""
    with opened(db) as ledger:
        from ledger.reports.crosstable import crosstable

        facts = ledger.facts()
        register = ledger.register([f"tournament:{tournament}"], facts.seq)
        record = register.tournaments.get(tournament)
        if record is None:
            raise NotFound("tournament.unknown", tournament=tournament)
        people = ledger.people(facts)
        data: dict[str, Any] = crosstable(record, facts, people)

    def render(out: Console) -> None:
        about = data["tournament"]
        out.print(f"{about['name']} · {about['start']} – {about['end']}", markup=False)
        if about["annulled"]:
            out.print(say("state.annulled"), style="bold red", markup=False)
        for list_, period in about["rated_in"].items():
            out.print(say("cli.rated_in", list=list_, period=period), markup=False)
        rounds = [str(number) for number in range(1, data["rounds"] + 1)]
        made = table("number", "id", "name", right=("number",))
        for number in rounds:
            made.add_column(number)
        made.add_column(say("column.points"), right=True)
        for row in data["players"]:
            made.add_row(
                str(row["number"]),
                row["id"],
                _named(row),
                *(row["rounds"].get(number, "") for number in rounds),
                row["points"],
            )
        out.print(made)
        if won := [
            f"{row['number']} +{row['awarded']}" for row in data["players"] if row["awarded"]
        ]:
            out.print(say("cli.awarded", players=", ".join(won)), markup=False)

    emit(as_, data, data["players"], render)


def _named(row: dict[str, Any]) -> str:
    """Returns a participant's name in the crosstable, and that he withdrew."""
    if row["withdrew_from"] is None:
        return str(row["name"])
    key = "cli.cancelled" if row["cancelled"] else "cli.withdrew"
    return say(key, name=row["name"], round=row["withdrew_from"])


@app.command("titles")
def titles(
    tournament: Tournament, list_: ListName = None, db: Db = None, as_: As = Format.TABLE
) -> None:
    """Show what each participant needed and made for the titles GM and IM, and what fails."""
    from cli.titles import render_event
    from ledger.application.titles import tournament_titles

    with opened(db) as ledger:
        name = list_of(ledger, list_)
        found = tournament_titles(ledger, tournament, name)
    rows = [row.data(language()) for row in found]
    data = {"tournament": tournament, "list": name, "results": rows}
    emit(as_, data, rows, lambda out: render_event(found, out))


@app.command("worksheet")
def worksheet(
    tournament: Tournament,
    list_: ListName = None,
    k: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option(
            "--k", min=0, max=200, help="Everybody's K (default: k_established of the list, or 20)."
        ),
    ] = None,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Show the worksheet of an all-play-all, as FIDE gave it in 1972: 16 steps, 14 columns."""
    from cli.worksheet import render_worksheet
    from ledger.application.worksheets import tournament_worksheet

    with opened(db) as ledger:
        found = tournament_worksheet(ledger, tournament, list_of(ledger, list_), k)
    data = found.data()
    emit(as_, data, data["rows"], lambda out: render_worksheet(found, out))


@app.command("trf")
def trf(
    tournament: Tournament,
    list_: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--list", help="Ratings of this list, in force on the first day."),
    ] = None,
    version: Annotated[
        Optional[TrfVersion],  # noqa: UP045 - the same
        typer.Option("--version", help="Edition of the format (default: what the records need)."),
    ] = None,
    db: Db = None,
) -> None:
    """Write a tournament as a report file (TRF16 or TRF26) to stdout."""
    from cli.output import write_bytes
    from ledger.application.tournament_report import tournament_report

    with opened(db) as ledger:
        write_bytes(tournament_report(ledger, tournament, list_, version))
