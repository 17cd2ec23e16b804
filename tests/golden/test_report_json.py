"""What the command line says of every report, as JSON and as CSV, is pinned byte for byte.

Programs read this JSON: a change of it is a change of the interface, and a line in the changelog.
``python -m tests.golden.test_report_json`` pins the answers as they are now and names those that
changed; with ``REPORT_JSON=DIR`` it writes them into a folder as well, to be compared.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path

from tests.cli.running import run_here
from tests.ledgers import PLAYERS_HEADER
from tests.titles.events import FEDERATIONS, event

PINNED = Path(__file__).parent / "data" / "report_json.json"
WHY = ("--reason", "score sheet")
PLAYERS = ("3404510", "E-0009", "11209", "40529")
FIRST = ("--calendar", "monthly", "--first", "2010-07-01")
LADDER_ON = ("--on", "2010-09-02")
STEPS = (
    ("init",),
    ("list", "define", "ENF", "--regulation", "enf-2010", *FIRST),
    ("list", "define", "NEXT", "--regulation", "enf-2010", "--policy", "next-list", *FIRST),
    ("list", "define", "OLD", "--regulation", "fide-1972", *FIRST),
    *(("import", "players.csv", "--list", name) for name in ("ENF", "NEXT", "OLD")),
    ("import", "ymca.csv"),
    ("publish", "ENF", "2010-07"),
    ("publish", "NEXT", "2010-07"),
    ("import", "agosto.csv"),
    ("k", "assign", "3404510", "20", "--on", "2010-08-01", "--list", "ENF", "--as-correction",
     *WHY),
    ("player", "adjust", "3400190", "--points=-12", "--on", "2010-08-01", "--list", "ENF", *WHY),
    ("list", "adjust", "ENF", "2010-08", "--below", "1900", "--pivot", "2000", "--share", "1/5",
     "--reason", "order"),
    ("correct", "result", "ymca-2010", "2", "3405958", "3404510", "1-0", *WHY),
    ("annul", "result", "agosto-2010", "4", "3400190", "11209", *WHY),
    ("record", "withdrawal", "agosto-2010", "11209", "4"),
    ("publish", "ENF", "2010-07", "--reason", "corrected"),
    ("publish", "ENF", "2010-08"),
    ("publish", "NEXT", "2010-08"),
    ("import", "titled.csv", "--list", "ENF", "--on", "2010-09-01"),
    *(("player", "title", player, "GM", "--on", "2010-07-01") for player in "IJK"),
    ("import", "t.csv"),
    ("import", "u.csv"),
    ("record", "withdrawal", "u", "K", "9"),
    ("tournament", "accept", "t", "--rated-in", "ENF:2010-10", *WHY),
    ("ladder", "open", "Club", "3407128", "3405958", "3400190", "3404510", "--list", "ENF",
     "--on", "2010-09-01"),
    ("ladder", "challenge", "Club", "3404510", "3400190", "--on", "2010-09-01"),
    ("ladder", "result", "Club", "1", "3404510", "3400190", "1-0", *LADDER_ON),
    ("ladder", "result", "Club", "2", "3400190", "3404510", "0-1", *LADDER_ON),
)  # fmt: skip
COMPARE = ("regulation", "compare", "ENF", "--with", "elo-linear", "--from", "2010-07",
           "--to", "2010-10")  # fmt: skip
QUESTIONS: dict[str, tuple[str, ...]] = {
    **{
        f"explain {player} {name} {period}": (
            "explain", player, "--list", name, "--period", period
        )
        for player in PLAYERS
        for name in ("ENF", "NEXT", "OLD")
        for period in ("2010-07", "2010-08")
    },
    "explain in another period": ("explain", "A", "--list", "ENF", "--period", "2010-10"),
    "explain an edition": ("explain", "3404510", "--list", "ENF", "--period", "2010-07",
                           "--edition", "1"),
    **{
        f"{word} {player} {name}": (word, player, "--list", name)
        for player in PLAYERS
        for name in ("ENF", "NEXT")
        for word in ("history", "why")
    },
    "why across editions": ("why", "3404510", "--list", "ENF", "--from", "2010-07@1",
                            "--to", "2010-08"),
    "compare": COMPARE,
    **{f"compare {rows}": (*COMPARE, "--rows", rows)
       for rows in ("distribution", "inflation", "quality", "calibration")},
    "monitor": ("list", "monitor", "ENF"),
    "monitor of the active": ("list", "monitor", "ENF", "--active-only"),
    "monitor of the next list": ("list", "monitor", "NEXT"),
    "performance": ("performance", "3404510", "--tournament", "ymca-2010", "--list", "ENF"),
    "performance of none": ("performance", "K", "--tournament", "u", "--list", "ENF"),
    "live": ("live", "ENF"),
    "live next": ("live", "NEXT"),
    "list show": ("list", "show", "ENF", "2010-08"),
    "list diff": ("list", "diff", "ENF", "2010-07", "2010-08"),
    "list list": ("list", "list"),
    "periods": ("period", "list", "ENF"),
    "players": ("player", "list"),
    "player find": ("player", "find", "Ruiz"),
    "player duplicates": ("player", "duplicates"),
    "player show": ("player", "show", "3404510"),
    "player titles": ("player", "titles", "A", "--list", "ENF"),
    "tournaments": ("tournament", "list"),
    **{f"tournament {name}": ("tournament", "show", name)
       for name in ("ymca-2010", "agosto-2010", "t", "u", "Club-1")},
    **{f"standings of {name}": ("tournament", "standings", name, "--list", "ENF")
       for name in ("ymca-2010", "agosto-2010", "t", "u")},
    "standings after a round": ("tournament", "standings", "ymca-2010", "--after", "3",
                                "--tie-breaks", "direct,blacks,kashdan,lots:x,BH/C1",
                                "--prizes", "1000,500,250", "--list", "ENF"),
    "standings explained": ("tournament", "standings", "ymca-2010", "--explain", "6",
                            "--list", "ENF"),
    **{f"crosstable of {name}": ("tournament", "crosstable", name, "--list", "ENF")
       for name in ("ymca-2010", "t", "u")},
    "tournament live": ("tournament", "live", "t", "--list", "ENF"),
    "tournament titles": ("tournament", "titles", "t", "--list", "ENF"),
    "tournament titles after a withdrawal": ("tournament", "titles", "u", "--list", "ENF"),
    "titles of a Swiss": ("tournament", "titles", "agosto-2010", "--list", "ENF"),
    "worksheet": ("tournament", "worksheet", "t", "--list", "ENF"),
    "ladder": ("ladder", "show", "Club", *LADDER_ON),
    "replay": ("replay", "ENF"),
    "impact": ("correct", "result", "ymca-2010", "1", "3407128", "3413446", "0-1", "--dry-run",
               *WHY),
}  # fmt: skip
TEXTS = {
    "trf": ("tournament", "trf", "ymca-2010"),
    "trf with ratings": ("tournament", "trf", "t", "--list", "ENF"),
    "export games": ("export", "games"),
    "export players": ("export", "players", "--list", "ENF"),
    "export ratings": ("export", "ratings", "ENF"),
    "export postings": ("export", "postings", "ENF"),
    "export lists": ("export", "lists", "ENF"),
}


@contextlib.contextmanager
def reported(folder: Path) -> Iterator[None]:
    """Goes into a folder with a ledger of which everything is asked."""
    examples = resources.files("ledger.examples").joinpath("enf_2010")
    for name in "players.csv", "ymca.csv", "agosto.csv":
        (folder / name).write_bytes(examples.joinpath(name).read_bytes())
    rows = [f"{p},Player {p},{fed},,,2490,0,100\n" for p, fed in FEDERATIONS.items()]
    (folder / "titled.csv").write_text(PLAYERS_HEADER + "".join(rows))
    (folder / "t.csv").write_text(event(start="2010-09-06"))
    (folder / "u.csv").write_text(event("u", "2010-09-20", leave_out=("HK", "FK", "DK")))
    with contextlib.chdir(folder):
        for words in STEPS:
            done = run_here(*words)
            assert done.code == 0, (words, done.err)
        yield


def _said(words: Sequence[str]) -> str:
    done = run_here(*words)
    assert done.code == 0, (words, done.err)
    return done.out


def digests() -> dict[str, str]:
    """Returns the digest of every answer."""
    texts = {
        name: "".join(_said((*words, "--format", as_)) for as_ in formats)
        for name, words in QUESTIONS.items()
        for formats in [("json",) if name == "impact" else ("json", "csv")]
    }
    texts |= {name: _said(words) for name, words in TEXTS.items()}
    if folder := os.environ.get("REPORT_JSON"):
        for name, text in texts.items():
            Path(folder, name.replace(" ", "-")).write_text(text, encoding="utf-8")
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def test_reports_say_the_same_as_ever(tmp_path: Path) -> None:
    with reported(tmp_path):
        same = digests() == json.loads(PINNED.read_text(encoding="utf-8"))
    assert same, "python -m tests.golden.test_report_json pins the answers and names the other ones"


def pin() -> None:
    """Pins the answers as they are, and prints the names of those that were others."""
    before = json.loads(PINNED.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder, reported(Path(folder)):
        made = digests()
    PINNED.write_text(json.dumps(made, indent=0) + "\n", encoding="utf-8")
    changed = [name for name in made.keys() | before.keys() if made.get(name) != before.get(name)]
    sys.stdout.write("".join(f"{name}\n" for name in sorted(changed)))


if __name__ == "__main__":
    pin()
