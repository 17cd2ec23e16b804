"""Which parts of a translation still say what the English says.

A translated page in ``docs/es`` has under each heading the digest of the English section that it
was translated from. A section whose English is another one by now is out of date: a test names it.
Who has brought a page up to date notes that: ``python docs/website/translation.py es/guide.md``.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = {"cli.md"}  # in both languages at once
_HEADING = re.compile(r"#{1,4} (.*)")
_NOTE = re.compile(r"^<!-- en: ([0-9a-f]{12}) -->\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it up to the next one, without the note of a digest."""

    heading: str
    text: str
    noted: str | None

    @property
    def digest(self) -> str:
        """The digest of the section as it stands."""
        return sha256(f"{self.heading}\n{self.text}".encode()).hexdigest()[:12]

    @property
    def anchor(self) -> str:
        """How links call the section, as GitHub and MyST make it."""
        words = _HEADING.sub(r"\1", self.heading).strip().lower().replace(" ", "-")
        return re.sub(r"[^\w-]", "", words)


def sections(page: Path) -> list[Section]:
    """Returns the sections of a page in their order; blocks of code have no headings."""
    parts: list[list[str]] = []
    code = False
    for line in page.read_text(encoding="utf-8").splitlines():
        code ^= line.startswith("```")
        if not parts or (not code and _HEADING.fullmatch(line)):
            parts.append([line])
        else:
            parts[-1].append(line)
    return [_section(heading, "\n".join(rest)) for heading, *rest in parts]


def _section(heading: str, text: str) -> Section:
    noted = _NOTE.match(f"{text}\n")
    return Section(heading, _NOTE.sub("", f"{text}\n").strip(), noted[1] if noted else None)


def english(page: Path) -> Path:
    """Returns the English page of a translated one."""
    name = page.relative_to(DOCS / "es")
    return ROOT / name if name.name == "README.md" else DOCS / name


def translated(page: Path) -> Path:
    """Returns where the translation of an English page is, if there is one."""
    if page == ROOT / "README.md":
        return DOCS / "es" / "README.md"
    return DOCS / "es" / page.relative_to(DOCS) if DOCS in page.parents else page


def translations() -> list[Path]:
    """Returns the pages that people translate."""
    return [page for page in sorted((DOCS / "es").glob("*.md")) if page.name not in GENERATED]


def out_of_date(page: Path) -> list[str]:
    """Returns the English headings that a translation lacks or has from another text."""
    theirs, ours = sections(english(page)), sections(page)
    noted = [section.noted for section in ours] + [None] * len(theirs)
    stale = [each.heading for each, note in zip(theirs, noted, strict=False) if each.digest != note]
    return stale + [section.heading for section in ours[len(theirs) :]]


def note(page: Path) -> None:
    """Writes under each heading of a translation the digest of the English section."""
    theirs, ours = sections(english(page)), sections(page)
    if len(theirs) != len(ours):
        sys.exit(f"{page.name}: {len(ours)} sections, the English page has {len(theirs)}")
    text = _NOTE.sub("", page.read_text(encoding="utf-8"))
    for mine, source in zip(ours, theirs, strict=True):
        said = f"{mine.heading}\n<!-- en: {source.digest} -->\n"
        text = re.sub(rf"^{re.escape(mine.heading)}\n", said, text, count=1, flags=re.MULTILINE)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        note(DOCS / name)
