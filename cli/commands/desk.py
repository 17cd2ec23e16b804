"""``tournament``: check an event against its rules, and simulate one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli.command import command
from cli.files import not_written, reading
from cli.options import QuestionOptions, RatingsOf
from cli.output import emit_report, note, say
from cli.session import viewed
from cli.settings import language
from cli.values import thousandths, today
from ledger.terms import Colour, PairingMethod, TrfVersion

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.intake.event_check import CheckedEvent
    from ledger.intake.fide_check import FideCheck, ReportPlace


_REPORTS: Final = (".trf", ".trfx", ".txt")


@command("tournament check")
def check(
    event: Annotated[
        str, typer.Argument(metavar="FILE|ID", help="A report file (TRF), or a tournament's id.")
    ],
    pairing: Annotated[
        PairingMethod | None,
        typer.Option("--pairing", help="The pairing system (default: the announced one)."),
    ] = None,
    *,
    fide: Annotated[
        bool,
        typer.Option("--fide", help="Would FIDE's rating server take the report? No pairing."),
    ] = False,
    list_: RatingsOf = None,
    options: QuestionOptions,
) -> None:
    """Pair every round of an event again, and add up points and places; exit 3 on a difference.

    Where no round could be paired again, for want of a pairing system or of rounds, it is exit 8.
    With --fide nothing is paired: each reason why FIDE's server would refuse the report is named,
    and exit 3.
    """
    from ledger.intake.event_check import check_file, check_tournament

    if fide:
        _check_for_fide(event, list_, options)
        return
    if _is_file_name(event):
        with reading(event) as source:
            found = check_file(source, event, pairing)
    else:
        with viewed(options) as view:
            found = check_tournament(view, event, pairing)
    emit_report(options, found, "differences", _render)
    failure = found.failure()
    if failure is not None:
        raise failure


def _check_for_fide(event: str, list_: str | None, options: QuestionOptions) -> None:
    from ledger.intake.fide_check import fide_check_of_file, fide_check_of_tournament

    if _is_file_name(event):
        with reading(event) as source:
            found = fide_check_of_file(source, event, today())
    else:
        with viewed(options) as view:
            found = fide_check_of_tournament(view, event, list_)
    emit_report(options, found, "refusals", _render_for_fide)
    failure = found.failure()
    if failure is not None:
        raise failure


def _render_for_fide(found: FideCheck, out: Console) -> None:
    for remark in found.remarks:
        out.print(_placed(remark), style="yellow")
    if not found.refusals:
        out.print(say("check.fide_taken"), style="green")
    for refusal in found.refusals:
        out.print(_placed(refusal))


def _placed(place: ReportPlace) -> str:
    where = ":".join(str(each) for each in (place.line, place.column) if each)
    sentence = place.sentence.within(language())
    return f"{where}: {sentence}" if where else sentence


def _is_file_name(text: str) -> bool:
    """Whether a file is meant: there is one, or it is written as one."""
    path = Path(text)
    return path.is_file() or len(path.parts) > 1 or path.suffix.lower() in _REPORTS


def _render(found: CheckedEvent, out: Console) -> None:
    for remark in found.remarks:
        out.print(remark.within(language()), style="yellow")
    if not found.differences and found.rounds:
        out.print(say(_held(found), rounds=found.rounds), style="green")
    for difference in found.differences:
        out.print(difference.message.within(language()))


def _held(found: CheckedEvent) -> str:
    """Returns the key of what was found in order: rounds are paired again by a known system."""
    if found.pairing is None:
        return "check.meetings_hold"
    return "check.no_difference" if found.declares_points else "check.rounds_hold"


@dataclass(frozen=True, kw_only=True)
class ChanceOptions:
    """How often something happens that an engine may stumble over."""

    forfeits: Annotated[
        str, typer.Option("--forfeits", help="Share of the boards that are forfeited, 0 to 1.")
    ] = "0"
    byes: Annotated[
        str, typer.Option("--byes", help="Share of the players a round who ask for a bye, 0 to 1.")
    ] = "0"
    unusual: Annotated[
        str, typer.Option("--unusual", help="Share of the boards with less than a point, 0 to 1.")
    ] = "0"


@command("tournament simulate")
def simulate(
    players: Annotated[int, typer.Option("--players", min=2, max=9_999)],
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=99)],
    seed: Annotated[str, typer.Option("--seed", help="Any text; the same one, the same event.")],
    pairing: Annotated[PairingMethod, typer.Option("--pairing", help="The pairing system.")],
    output: Annotated[Path, typer.Option("--output", help="The report file; it must not exist.")],
    first_colour: Annotated[
        Literal["white", "black"],
        typer.Option("--first-colour", help="The colour of number 1 in round 1."),
    ] = "white",
    acceleration: Annotated[
        Literal["baku"] | None, typer.Option("--acceleration", help="Points for the pairing.")
    ] = None,
    version: Annotated[
        TrfVersion, typer.Option("--version", help="Edition of the format.")
    ] = TrfVersion.TRF26,
    *,
    chances: ChanceOptions,
) -> None:
    """Write a random event as a report file: the same seed, the same event on every machine."""
    from ledger.answers.simulation import simulated_report, system_of
    from ledger.desk.pairing.proposal import PairingRules
    from ledger.desk.simulator import Plan

    plan = Plan(
        players=players,
        rounds=rounds,
        seed=seed,
        system=system_of(pairing),
        forfeits=thousandths(chances.forfeits),
        byes=thousandths(chances.byes),
        unusual=thousandths(chances.unusual),
        rules=PairingRules(first_colour=Colour[first_colour.upper()]),
        baku=acceleration == "baku",
    )
    report = simulated_report(plan, pairing, version)
    if report.rounds < rounds:
        note("simulation.ended_early", rounds=report.rounds, asked=rounds)
    try:
        with output.open("xb") as out:
            out.write(report.text.encode())
    except OSError as error:
        raise not_written(output, error) from error
    note("simulation.written", file=output, rounds=report.rounds, players=players)
