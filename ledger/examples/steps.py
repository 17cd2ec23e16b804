"""The steps of the demonstration on the shipped example, as commands of the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

EXAMPLE: Final = "enf_2010"
FILES: Final = ("players.csv", "ymca.csv", "agosto.csv")
RUIZ, VIZAMA, NEWCOMER = "3404510", "3405958", "E-0009"
_WHY = "the score sheet says 1-0"
_CORRECTION = ("correct", "result", "ymca-2010", "2", VIZAMA, RUIZ, "1-0", "--reason", _WHY)


@dataclass(frozen=True, slots=True)
class DemoStep:
    """A command of a demonstration: the key of its heading, and its words.

    ``heading`` is empty where it goes on from the one before. ``refused`` says that the ledger is
    expected to refuse it.
    """

    heading: str
    words: tuple[str, ...]
    refused: bool = False


STEPS: Final = (
    DemoStep("demo.init", ("init",)),
    DemoStep(
        "demo.define",
        ("list", "define", "ENF", "--regulation", "enf-2010", "--calendar", "monthly",
         "--first", "2010-07-01"),
    ),
    DemoStep("demo.players", ("import", "players.csv", "--list", "ENF")),
    DemoStep("demo.import", ("import", "ymca.csv")),
    DemoStep("demo.publish", ("publish", "ENF", "2010-07")),
    DemoStep("demo.show", ("list", "show", "ENF", "2010-07")),
    DemoStep("demo.explain", ("explain", RUIZ, "--list", "ENF", "--period", "2010-07")),
    DemoStep("demo.newcomer", ("explain", NEWCOMER, "--list", "ENF", "--period", "2010-07")),
    DemoStep("demo.second", ("import", "agosto.csv")),
    DemoStep("demo.second_list", ("publish", "ENF", "2010-08")),
    DemoStep("demo.first_rating", ("explain", NEWCOMER, "--list", "ENF", "--period", "2010-08")),
    DemoStep("demo.preview", (*_CORRECTION, "--dry-run")),
    DemoStep("demo.correct", _CORRECTION),
    DemoStep("demo.restated", ("period", "list", "ENF")),
    DemoStep("demo.edition", ("publish", "ENF", "2010-07")),
    DemoStep("demo.cascade", ("publish", "ENF", "2010-08")),
    DemoStep("demo.diff", ("list", "diff", "ENF", "2010-07@1", "2010-07@2")),
    DemoStep(
        "demo.why",
        ("why", RUIZ, "--list", "ENF", "--from", "2010-07@1", "--to", "2010-08@2"),
    ),
    DemoStep("demo.history", ("history", RUIZ, "--list", "ENF")),
    DemoStep("demo.regenerate", ("list", "regenerate", "ENF", "2010-07", "--edition", "1")),
    DemoStep("demo.regenerate_second", ("list", "regenerate", "ENF", "2010-07", "--edition", "2")),
    DemoStep("demo.verify", ("verify",)),
)  # fmt: skip
"""What ``demo`` does, in order."""
