"""Makes the documentation as a site: ``python docs/website/build.py OUT``, in each language.

The Markdown files stay as they are read in the repository. Here they are put into a folder in the
order of the site, links turned to where each file went, and given to Sphinx, for which a warning is
an error. What is linked and is no page is given with the site. A page that has no translation in
``docs/es`` (see ``translation.py``) is given in English, and says so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from translation import english, sections, translated

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SPANISH = DOCS / "es"
LANGUAGES = {"en": "English", "es": "Español"}
# The pages as they stand in the margin; what is not named comes last.
CHAPTERS = (
    (
        "readme", "first-list", "tournament", "questions", "administration", "guide", "web", "cli",
        "glossary", "release-notes",
    ),
    (
        "proofs", "witnesses", "signatures", "archive", "keeping", "erasure", "faults", "security",
        "versions",
    ),
    ("regulations/index", "api", "events/index", "architecture", "adr/index"),
)  # fmt: skip
TITLES = {
    "en": ("For everybody", "Trust", "Reference"),
    "es": ("Para todos", "Confianza", "Referencia"),
}
_ONLY_ENGLISH = "\n```{note}\nEsta página está en inglés.\n```\n"
_IN_ENGLISH = " (en inglés)"
_HOME = {"docs/start.md": "index.md", "README.md": "readme.md"}
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^```", re.MULTILINE)


class Stage:
    """A folder for Sphinx: the pages of a language, and the files that they link."""

    def __init__(self, folder: Path, language: str) -> None:
        self.folder = folder
        self.language = language
        found = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "benchmarks" / "README.md"]
        pages = sorted(path for path in found if SPANISH not in path.parents)
        self._pages = {self._name(path): path for path in pages}
        self._listed: dict[str, str] = {}

    def fill(self) -> None:
        """Writes every page, and what they link."""
        for name, path in self._pages.items():
            self._write(name, self._linked(path))
        self._write_contents()

    def _name(self, page: Path) -> str:
        """Returns where a page of the repository goes."""
        path = page.relative_to(ROOT).as_posix()
        if path in _HOME:
            return _HOME[path]
        name = path.removeprefix("docs/")
        if "/" not in path:
            return name.lower()
        if name == "benchmarks/README.md":
            return "benchmarks.md"
        return name.replace("README.md", "index.md")

    def _write(self, name: str, text: str) -> None:
        to = self.folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")

    def _linked(self, page: Path) -> str:
        """Returns a page's text in the language, its links turned; blocks of code have none."""
        source = page
        if self.language == "es" and translated(page).exists():
            source = translated(page)

        def turned(found: re.Match[str]) -> str:
            words, target, anchor = found.groups()
            to = (source.parent / target).resolve()
            if SPANISH in to.parents:
                to = english(to)
                if self.language == "en":
                    place = f"../es/{self._name(to).removesuffix('.md')}.html"
                    return f'<a href="{place}" hreflang="es">{words}</a>'
            return f"[{words}]({self._place(to, page)}{self._anchor(to, anchor or '')})"

        parts = _FENCE.split(source.read_text(encoding="utf-8"))
        parts[::2] = [_LINK.sub(turned, part) for part in parts[::2]]
        if self.language == "es" and source == page:
            heading, end, rest = parts[0].partition("\n")
            parts[0] = heading + end + _ONLY_ENGLISH + rest
        return "```".join(parts)

    def _anchor(self, page: Path, anchor: str) -> str:
        """Returns how the page's own language calls a section that is named in English."""
        there = translated(page)
        if self.language == "en" or not anchor or there == page or not there.exists():
            return anchor
        pairs = zip(sections(page), sections(there), strict=True)
        names = {f"#{theirs.anchor}": f"#{ours.anchor}" for theirs, ours in pairs}
        return names.get(anchor, anchor)

    def _place(self, target: Path, page: Path) -> str:
        """Returns how a staged page names what it links, after it was put there."""
        if target.is_dir():
            readme = target / "README.md"
            name = self._name(readme) if readme.exists() else self._listing(target)
        elif target in self._pages.values():
            name = self._name(target)
        else:
            name = self._given(target)
        return os.path.relpath(name, Path(self._name(page)).parent)

    def _given(self, file: Path) -> str:
        name = f"files/{file.relative_to(ROOT).as_posix()}"
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, self.folder / name)
        return name

    def _listing(self, folder: Path) -> str:
        """Returns the page that lists the files of a folder."""
        name = f"{folder.relative_to(DOCS).as_posix()}/index.md"
        files = sorted(path for path in folder.iterdir() if path.is_file())
        lines = [f"- [{file.name}](../{self._given(file)})" for file in files]
        top = ["---", "orphan: true", "---", f"# {folder.name.capitalize()}", ""]
        self._write(name, "\n".join([*top, *lines, ""]))
        self._listed[name] = folder.name.capitalize()
        return name

    def _write_contents(self) -> None:
        """Adds what stands in the margin: chapters at the start, a folder's pages at its own."""
        names = {name.removesuffix(".md") for name in self._pages} - {"index"}
        of_folders = {name for name in names if "/" in name and not name.endswith("/index")}
        named = {name for chapter in CHAPTERS for name in chapter}
        *first, last = CHAPTERS
        chapters = [*first, (*last, *sorted(names - of_folders - named))]
        titles = TITLES[self.language]
        self._add("index", [
            _tree([self._entry(page) for page in pages], title)
            for title, pages in zip(titles, chapters, strict=True)
        ])  # fmt: skip
        for folder in sorted({name.rpartition("/")[0] for name in of_folders}):
            pages = sorted(name for name in of_folders if name.startswith(f"{folder}/"))
            self._add(f"{folder}/index", [_tree([page.rpartition("/")[2] for page in pages])])

    def _entry(self, name: str) -> str:
        """Returns a page's line in the margin; in Spanish it says which pages are in English."""
        page = self._pages.get(f"{name}.md")
        if self.language == "en" or (
            page and translated(page).exists() and page != translated(page)
        ):
            return name
        title = self._listed[f"{name}.md"] if page is None else sections(page)[0].heading[2:]
        return f"{title}{_IN_ENGLISH} <{name}>"

    def _add(self, name: str, trees: list[str]) -> None:
        with (self.folder / f"{name}.md").open("a", encoding="utf-8") as page:
            page.write("".join(trees))


def _tree(pages: list[str], title: str = "") -> str:
    caption = [f":caption: {title}"] if title else []
    lines = ["", "```{toctree}", ":hidden:", *caption, "", *pages, "```", ""]
    return "\n".join(lines)


def build(out: Path) -> None:
    """Makes the site in a folder: a subfolder for each language, and a page to choose one."""
    out.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as work:
            Stage(Path(work) / "pages", language).fill()
            shutil.rmtree(out / language, ignore_errors=True)
            words = ("-W", "--keep-going", "-q", "-b", "html", "-D", f"language={language}")
            places = ("-c", str(DOCS / "website"), "-d", f"{work}/trees", f"{work}/pages")
            subprocess.run(
                [sys.executable, "-m", "sphinx", *words, *places, str(out / language)], check=True
            )
            (out / language / ".buildinfo").unlink()
    choices = "".join(
        f'<li><a href="{language}/index.html" lang="{language}">{name}</a></li>'
        for language, name in LANGUAGES.items()
    )
    (out / "index.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>rating-ledger</title>'
        '<meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark">'
        f"<h1>rating-ledger</h1><ul>{choices}</ul></html>\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]))
