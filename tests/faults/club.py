"""A small ledger to let things fail on, the commands that fail, and what each of them must make."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from ledger.journal.stores.database import open_journal
from tests.cli.running import begin_ledger, run_here

DATABASE, NEW = "rating-ledger.db", "new.db"
ERASED, NAME = "3404510", "Ruiz Zenteno"
"""A player who is erased, and what then stands nowhere."""


@dataclass(frozen=True, slots=True)
class Job:
    """A command.

    Attributes:
        name: how it is called in reports.
        words: the command line.
        checked: command lines that end with 0 when the work is done.
        fails: how the command may end that fails: the database, or the named file, cannot be
            written.
        erases: whether lists lose a name by it.
    """

    name: str
    words: tuple[str, ...]
    checked: tuple[tuple[str, ...], ...] = ()
    fails: tuple[int, ...] = (6,)
    erases: bool = False

    @property
    def names_new(self) -> bool:
        """Whether it fills a new ledger."""
        return NEW in self.words

    def on(self, db: str, new: str) -> Job:
        """Returns the same job on another ledger, with another name of a new one."""
        names = {DATABASE: db, NEW: new}
        words, *checked = (
            tuple(names.get(word, word) for word in words) for words in (self.words, *self.checked)
        )
        return replace(self, words=words, checked=tuple(checked))

    def missing(self) -> Iterator[str]:
        """Yields what the work should have made in the current folder and has not."""
        for words in self.checked:
            done = run_here(*words)
            if done.code:
                yield f"{' '.join(words)}: {done.code} {done.err}"


JOBS = (
    Job("import", ("import", "september.csv")),
    Job("publish", ("publish", "ENF", "2010-08"), (("list", "regenerate", "ENF", "2010-08"),)),
    Job("erase", ("player", "erase", ERASED, "--reason", "asked for"), erases=True),
    Job("first backup", ("backup", "C"), (("restore", "C", "--dry-run"),)),
    Job("next backup", ("backup", "B"), (("restore", "B", "--dry-run"),)),
    Job("archive", ("export", "archive", "A"), (("verify", "--db", "archive:A"),)),
    Job("table", ("export", "games", "-o", "games.csv"), (("import", "games.csv", "--dry-run"),),
        fails=(4, 6)),
    Job("restore", ("restore", "B", "--db", NEW), (("verify", "--db", NEW),)),
    Job("copy", ("copy", DATABASE, NEW), (("verify", "--db", NEW),)),
    Job("init", ("init", "--db", NEW), (("verify", "--db", NEW),)),
)  # fmt: skip


def make(folder: Path, db: str = DATABASE) -> None:
    """Makes the ledger: July published, a backup of that, August imported, September at hand."""
    folder.mkdir()
    (folder / "state").mkdir(mode=0o700)
    (folder / "tmp").mkdir()
    examples = resources.files("ledger.examples").joinpath("enf_2010")
    for name in "players.csv", "ymca.csv", "agosto.csv":
        (folder / name).write_bytes(examples.joinpath(name).read_bytes())
    text = (folder / "agosto.csv").read_text().replace("agosto", "sept").replace("-08-", "-09-")
    (folder / "september.csv").write_text(text)
    begin_ledger(
        folder,
        ("import", "ymca.csv"),
        ("publish", "ENF", "2010-07"),
        ("backup", "B"),
        ("import", "agosto.csv"),
        RATING_LEDGER_STATE=str(folder / "state"),
        RATING_LEDGER_DB=db,
    )


def state_of(db: str) -> int:
    """Returns the seq at which a ledger ends."""
    with closing(open_journal(db)) as journal:
        return journal.head().seq


def lists_in(db: str) -> bytes:
    """Returns the list of July as it went out, made again."""
    done = run_here("list", "regenerate", "ENF", "2010-07", "--db", db)
    assert done.code == 0, done.err
    return done.out.encode()
