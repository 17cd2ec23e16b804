"""The command lines of the documentation, and what the pages show of their answers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTED = "<!-- not run: "
_BLOCK = re.compile(
    r"(?:<!-- not run: (?P<why>[^>]+) -->\n)?^```sh\n(?P<lines>.*?)^```$"
    r"(?:\n+```text\n(?P<answer>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A line of a page, as a shell would take it; ``answer`` is what the page shows below it."""

    page: str
    words: tuple[str, ...]
    why_not: str | None
    answer: str | None = None

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"


def command_lines(page: str) -> Iterator[CommandLine]:
    """Yields the command lines of a page of the repository, in their order."""
    for block in _BLOCK.finditer((ROOT / page).read_text(encoding="utf-8")):
        whole = list(_statements(block["lines"]))
        for at, words in enumerate(whole, 1):
            answer = block["answer"] if at == len(whole) else None
            yield CommandLine(page, words, block["why"], answer)


def blocks_not_run(page: str) -> int:
    """Returns how many blocks of a page say why they are not run."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return sum(block["why"] is not None for block in _BLOCK.finditer(text))


def _statements(block: str) -> Iterator[tuple[str, ...]]:
    """Yields the words of each statement; one goes on while a quotation is open."""
    text = ""
    for line in block.replace("\\\n", " ").splitlines():
        text += line
        try:
            words = shlex.split(text, comments=True)
        except ValueError:
            text += "\n"
            continue
        text = ""
        if words:
            yield tuple(words)


def pages() -> list[str]:
    """Returns every page that has command lines, by its path in the repository.

    Translations are left out: another test holds their lines against those of the English pages.
    """
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("benchmarks/*.md")]
    spanish = ROOT / "docs" / "es"
    named = (path.relative_to(ROOT).as_posix() for path in found if spanish not in path.parents)
    return [name for name in sorted(named) if any(command_lines(name))]
