"""``demo-tournament``: an arbiter's days, from the entry list to the rating list.

A made-up open of 27 players under the Mexican manual of 1975 (its rules and tie-breaks), rated as
FENAMAC did from 1973.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.command import command
from cli.demonstration import Demonstration
from cli.output import note
from ledger.examples.steps import DemoStep

EXAMPLE: Final = "monterrey_1975"
FILES: Final = ("players.csv", "entries.csv")
DEFAULT_FOLDER: Final = "rating-ledger-tournament"
EVENT, LIST, PERIOD = "abierto", "NL", "1975-11"
LATE, AWAY, LEAVES, MISSED = "M27", "M05", "M20", "M13"
ADJOURNED = (EVENT, "3", "M07", "M04")
PROTESTED = (EVENT, "5", "M02", "M08")
TIED = "M07"
RESULTS: Final = {
    1: "1-0 0-1 0-1 0-1 1-0 1-0 1-0 0-1 1/2-1/2 0-1 1-0 0-1 1/2-1/2",
    2: "0-1 1/2-1/2 1-0 0-1 0-1 1/2-1/2 -/+ 0-1 1-0 1-0 0-1 0-1 1-0",
    3: "0-1 … 0-1 1-0 0-1 0-1 0-1 0-1 0-1 0-1 1-0 1/2-1/2 1-0",
    4: "0-1 1-0 1-0 0-1 0-1 0-1 1-0 1-0 1-0 1/2-1/2 0-1 1/2-1/2 1/2-1/2",
    5: "1/2-1/2 1-0 1-0 1/2-1/2 1-0 0-1 0-1 1-0 1-0 1-0 1-0 1-0 1-0",
    6: "0-1 1/2-1/2 1-0 1/2-1/2 1-0 0-1 0-1 0-1 0-1 0-1 1-0 0-1 1-0",
    7: "0-1 1/2-1/2 1-0 1-0 1-0 0-1 0-1 1/2-1/2 0-1 1-0 0-1 1-0 0-1",
}
"""By round, in the order of the boards; a game that is not over has none."""
_NEXT: Final = (
    f"tournament round {EVENT} 6 {{db}}",
    f"tournament crosstable {EVENT} --format html {{db}} > {{folder}}/crosstable.html",
    f"tournament cards {EVENT} --format html {{db}} > {{folder}}/cards.html",
    f"tournament trf {EVENT} {{db}} > {{folder}}/abierto.trf",
    f"explain {TIED} --list {LIST} --period {PERIOD} {{db}}",
    f"log --tournament {EVENT} {{db}}",
)


@command("demo-tournament")
def demo_tournament(
    folder: Annotated[
        Path | None, typer.Argument(help="A new folder (default: rating-ledger-tournament).")
    ] = None,
) -> None:
    """Run a tournament of 27 players and 7 rounds, from the entry list to the rating list."""
    note("cli.demo_begins")
    Demonstration(EXAMPLE, FILES, DEFAULT_FOLDER, tuple(_steps()), _NEXT).run(folder)


def _steps() -> Iterator[DemoStep]:
    yield from _before()
    yield from _first_rounds()
    yield from _adjourned_game()
    yield from _protest()
    yield from _last_rounds()
    yield from _list()


def _before() -> Iterator[DemoStep]:
    yield DemoStep("demo.init", ("init",))
    yield DemoStep(
        "demo.list_of_event",
        ("list", "define", LIST, "--regulation", "fenamac-1973", "--calendar", "monthly",
         "--first", "1975-11-01"),
    )  # fmt: skip
    yield DemoStep("", ("import", "players.csv", "--list", LIST))
    yield DemoStep(
        "demo.open",
        ("tournament", "open", EVENT, "--name", "Abierto Regiomontano", "--place", "Monterrey",
         "--start", "1975-11-15", "--end", "1975-11-21", "--rate-of-play", "classical",
         "--rounds", "7", "--pairing", "fenamac-1975", "--tie-breaks",
         "median,solkoff,sonneborn-berger", "--prizes", "3000,2000,1500,1000"),
    )  # fmt: skip
    yield DemoStep("demo.entries", ("tournament", "enter", EVENT, "--file", "entries.csv"))


def _first_rounds() -> Iterator[DemoStep]:
    yield DemoStep("demo.first_round", ("tournament", "pair", EVENT))
    yield _results("demo.results", 1)
    yield DemoStep("demo.late_entry", ("tournament", "enter", EVENT, LATE, "--from-round", "2"))
    yield DemoStep("demo.reasons", ("tournament", "pair", EVENT, "--explain"))
    yield _results("demo.unannounced", 2)
    yield DemoStep("demo.announced", ("tournament", "absent", EVENT, AWAY, "3"))
    yield DemoStep(
        "demo.excused",
        ("tournament", "excuse", EVENT, MISSED, "--from-round", "3",
         "--reason", "the bus from Saltillo broke down"),
    )  # fmt: skip
    yield DemoStep("demo.third_round", ("tournament", "pair", EVENT))
    yield _results("", 3)


def _adjourned_game() -> Iterator[DemoStep]:
    yield DemoStep("demo.adjourned", ("record", "adjournment", *ADJOURNED))
    yield DemoStep("demo.incomplete", ("tournament", "pair", EVENT), refused=True)
    yield DemoStep("demo.temporary", ("record", "adjudication", *ADJOURNED, "1-1", "--temporary"))
    yield DemoStep("", ("tournament", "pair", EVENT))
    yield DemoStep("demo.resumed", ("record", "result", *ADJOURNED, "1-0"))
    yield _results("", 4)
    yield DemoStep("demo.withdrawal", ("record", "withdrawal", EVENT, LEAVES, "5"))
    yield DemoStep("", ("tournament", "pair", EVENT))
    yield _results("", 5)


def _protest() -> Iterator[DemoStep]:
    yield DemoStep("demo.sixth_round", ("tournament", "pair", EVENT))
    yield DemoStep(
        "demo.protest",
        ("correct", "result", *PROTESTED, "1-0",
         "--reason", "the protest is upheld: Black's flag had fallen"),
    )  # fmt: skip
    yield DemoStep("demo.sixth_stands", ("tournament", "pair", EVENT, "--round", "6"), refused=True)
    yield DemoStep(
        "demo.sixth_withdrawn",
        ("tournament", "withdraw-round", EVENT, "6",
         "--reason", "paired before the protest was decided"),
    )  # fmt: skip
    yield DemoStep("", ("tournament", "pair", EVENT))


def _last_rounds() -> Iterator[DemoStep]:
    yield _results("demo.last_rounds", 6)
    yield DemoStep("", ("tournament", "pair", EVENT))
    yield _results("", 7)
    yield DemoStep("demo.standings", ("tournament", "standings", EVENT, "--publish"))
    yield DemoStep("demo.tie", ("tournament", "standings", EVENT, "--explain", TIED))
    yield DemoStep("demo.card", ("tournament", "cards", EVENT, AWAY))
    yield DemoStep("demo.check", ("tournament", "check", EVENT))


def _list() -> Iterator[DemoStep]:
    yield DemoStep("demo.close", ("tournament", "close", EVENT))
    yield DemoStep("demo.rated", ("publish", LIST, PERIOD))
    yield DemoStep("", ("list", "show", LIST, PERIOD))
    yield DemoStep("demo.verify", ("verify",))


def _results(heading: str, round_: int) -> DemoStep:
    """Returns the step that records the results of a round, board by board."""
    boards = enumerate(RESULTS[round_].split(), start=1)
    over = [(str(board), result) for board, result in boards if result != "…"]
    words = (word for board in over for word in board)
    return DemoStep(heading, ("tournament", "result", EVENT, str(round_), *words))
