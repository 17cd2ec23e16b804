"""``tournament``: open, show, titles, worksheet, accept, reject, close, correct."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from cli.command import command
from cli.event_rules import AnnouncementOptions
from cli.operations import offer
from cli.options import (
    Db,
    ListingOptions,
    RatingsOf,
    ReasonedWriteOptions,
    Tournament,
    WriteOptions,
)
from cli.output import emit_table, write_bytes
from cli.questions import ask
from cli.session import carry_out, opened, viewed
from ledger.operations.tournaments import (
    AnnouncePrizes,
    AnnounceTournament,
    CancelTournament,
    CloseTournament,
    CorrectTournament,
    FlagTournament,
    OpenTournament,
    RuleOnTournament,
)
from ledger.questions import tournaments as questions
from ledger.terms import Rate, System, TrfVersion
from ledger.typed_values import day, merit_of

if TYPE_CHECKING:
    from ledger.events.tournaments import ReportDetails


@dataclass(frozen=True, kw_only=True)
class PlaceOptions:
    """Where a tournament is played, and what only its report needs."""

    place: Annotated[str | None, typer.Option("--place", help="Where it is played.")] = None
    federation: Annotated[
        str | None, typer.Option("--federation", help="Its federation, three letters.")
    ] = None
    arbiter: Annotated[
        str | None, typer.Option("--arbiter", help="Its chief arbiter, for reports.")
    ] = None
    deputy: Annotated[
        list[str] | None,
        typer.Option("--deputy", help="A deputy arbiter, for reports; give it for each."),
    ] = None
    time_control: Annotated[
        str | None, typer.Option("--time-control", help="The time control in words, for reports.")
    ] = None

    def report(self, old: ReportDetails | None) -> ReportDetails | None:
        """Returns what is known for reports, with what is said now."""
        from ledger.events.tournaments import ReportDetails

        values = {
            "chief_arbiter": self.arbiter,
            "deputies": tuple(self.deputy) if self.deputy else None,
            "time_control": self.time_control,
        }
        values = {name: value for name, value in values.items() if value}
        if not values:
            return old
        # The registrar validates it, and refuses what cannot be recorded in the user's language.
        return ReportDetails.model_construct(**(old.model_dump() if old else {}) | values)


@dataclass(frozen=True, kw_only=True)
class DaysOptions:
    """When a tournament is played."""

    start: Annotated[str | None, typer.Option("--start", help="First day, YYYY-MM-DD.")] = None
    end: Annotated[str | None, typer.Option("--end", help="Last day, YYYY-MM-DD.")] = None


Merit = Annotated[
    str | None, typer.Option("--merit", help="Merit coefficient (default: the regulation's).")
]


offer("announce-tournament", AnnounceTournament)
offer("cancel-tournament", CancelTournament)
ask(questions.calendar, "tournaments")


@command("tournament open")
def open_(
    tournament: Tournament,
    name: Annotated[str | None, typer.Option("--name", help="Its name.")] = None,
    rate_of_play: Annotated[Rate | None, typer.Option("--rate-of-play")] = None,
    system: Annotated[System | None, typer.Option("--system")] = None,
    merit: Merit = None,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1)] = None,
    *,
    days: DaysOptions,
    at: PlaceOptions,
    rules: AnnouncementOptions,
    to: WriteOptions,
) -> None:
    """Open a tournament, and announce its rules; what is not said is as it was announced."""
    command_ = OpenTournament(
        tournament=tournament,
        name=name,
        starts_on=day(days.start) if days.start else None,
        ends_on=day(days.end) if days.end else None,
        system=system,
        rate_of_play=rate_of_play,
        merit_hundredths=merit_of(merit),
        rounds=rounds,
        place=at.place,
        federation=at.federation,
        report=at.report(None),
    )
    carry_out(to, command_, *rules.announcement(tournament))


@command("tournament correct")
def correct(
    tournament: Tournament,
    name: Annotated[str | None, typer.Option("--name")] = None,
    start: Annotated[str | None, typer.Option("--start")] = None,
    end: Annotated[str | None, typer.Option("--end")] = None,
    rate_of_play: Annotated[Rate | None, typer.Option("--rate-of-play")] = None,
    system: Annotated[System | None, typer.Option("--system")] = None,
    merit: Merit = None,
    *,
    at: PlaceOptions,
    to: ReasonedWriteOptions,
) -> None:
    """Correct what was said of a tournament itself; what is not said stays."""
    from ledger.answers.tournaments import require_tournament

    with opened(to.db) as ledger:
        old = require_tournament(ledger, tournament, ledger.journal.head().seq).version
    command_ = CorrectTournament(
        tournament=tournament,
        name=name or old.name,
        starts_on=day(start) if start else old.starts_on,
        ends_on=day(end) if end else old.ends_on,
        system=system or old.system,
        rate_of_play=rate_of_play or old.rate_of_play,
        merit_hundredths=merit_of(merit) if merit else old.merit_hundredths,
        rounds=old.rounds,
        place=at.place or old.place,
        federation=at.federation or old.federation,
        report=at.report(old.report),
    )
    carry_out(to, command_)


offer("accept-tournament", RuleOnTournament)


offer("reject-tournament", RuleOnTournament)
offer("flag-tournament", FlagTournament)
offer("announce-prizes", AnnouncePrizes)
offer("close-tournament", CloseTournament)
offer("reopen-tournament", RuleOnTournament)


@dataclass(frozen=True, kw_only=True)
class WantedOptions:
    """Which tournaments are listed; nothing that is not said is asked."""

    search: Annotated[
        str | None, typer.Option("--search", help="Words that begin words of the name or the id.")
    ] = None
    year: Annotated[
        int | None, typer.Option("--year", min=1, max=9999, help="Begun in this year.")
    ] = None
    rate: Annotated[
        Rate | None, typer.Option("--rate-of-play", help="Only of this rate of play.")
    ] = None
    place: Annotated[
        str | None, typer.Option("--place", help="Played where the place has these words.")
    ] = None


@command("tournament list")
def list_tournaments(*, wanted: WantedOptions, options: ListingOptions) -> None:
    """List the tournaments."""
    from ledger.answers.tournaments import TournamentsWanted, matching, placed
    from ledger.reports.tournaments import tournament_lines

    with viewed(options) as view:
        asked_for = TournamentsWanted(search=wanted.search, year=wanted.year, rate=wanted.rate)
        lines = matching(tournament_lines(view.facts()), asked_for)
        lines = placed(view, lines, wanted.place) if wanted.place else lines
        rows = [line.data() for line in lines]
    columns = (
        "tournament", "name", "start", "end", "system", "rate_of_play", "players", "pairings",
        "state",
    )  # fmt: skip
    emit_table(options, {"tournaments": rows}, rows, columns)


ask(questions.tournament_recorded, "tournaments")
ask(questions.titles_of_tournament, "tournaments")
ask(questions.gains, "tournaments")
ask(questions.worksheet, "tournaments")
ask(questions.certificate, "title_forms")
ask(questions.report_form, "title_forms")


@command("tournament trf")
def trf(
    tournament: Tournament,
    list_: RatingsOf = None,
    version: Annotated[
        TrfVersion | None,
        typer.Option("--version", help="Edition of the format (default: what the records need)."),
    ] = None,
    rounds: Annotated[
        str | None,
        typer.Option(
            "--rounds",
            help="Only these, as 1-4: of an event over 30 days FIDE wants a report of each month.",
            metavar="FROM-TO",
        ),
    ] = None,
    *,
    db: Db = None,
) -> None:
    """Write a tournament as a report file (TRF16 or TRF26) to stdout."""
    from ledger.intake.report_file import tournament_report

    with opened(db) as ledger:
        write_bytes(tournament_report(ledger, tournament, list_, version, rounds))
