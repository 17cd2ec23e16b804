"""The documentation as a site: no warning, every link leads, nothing is asked of others."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
LANGUAGES = {"en": "Start here", "es": "Por dónde empezar"}
LOADS = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page links, what it loads, and where it can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places = {""}
        self.language: str | None = None
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.places.add(said.get("id", ""))
        if tag == "html":
            self.language = said.get("lang")
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        if tag in LOADS and LOADS[tag] in said:
            self.loads.append(said[LOADS[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, made as ``dev.py site`` makes it; a warning would be an error."""
    out = tmp_path_factory.mktemp("site")
    build = [sys.executable, str(ROOT / "docs" / "website" / "build.py"), str(out)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return out


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Every page of the site by its file."""
    return {
        path: Page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts
    }


def test_every_link_leads_to_a_page_and_a_place_on_it(pages: dict[Path, Page]) -> None:
    lost = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("data:"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = target in pages and unquote(parts.fragment) in pages[target].places
            if not there and not (target.is_file() and target not in pages):
                lost.append(f"{path.name}: {link}")
    assert not lost


def test_what_the_repository_links_is_there_too(pages: dict[Path, Page]) -> None:
    """A page, one of its sections, a file of code and a folder."""
    links = {link for page in pages.values() for link in page.links}
    for name in ("guide.html#running-a-tournament", "events/index.html"):
        assert name in links
    assert any(link.endswith("/fide_1972.py") for link in links)


def test_a_page_in_another_language_says_so(site: Path) -> None:
    said = "Esta página está en inglés."
    home = (site / "es" / "index.html").read_text(encoding="utf-8")
    assert 'href="performance.html">Performance (en inglés)<' in home
    assert 'href="proofs.html">Pruebas, y cómo comprobarlas<' in home
    assert said in (site / "es" / "performance.html").read_text(encoding="utf-8")
    assert said not in (site / "es" / "readme.html").read_text(encoding="utf-8")


def test_nothing_is_asked_of_another_site(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        assert not [load for load in page.loads if urlsplit(load).netloc], path.name
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", text), style.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_site_is_searched_and_printed_dark_or_light(
    site: Path, pages: dict[Path, Page], language: str
) -> None:
    home = site / language
    title = json.dumps(LANGUAGES[language])
    assert title in (home / "searchindex.js").read_text(encoding="utf-8")
    style = (home / "_static" / "styles" / "furo.css").read_text(encoding="utf-8")
    assert "@media print" in style
    assert "prefers-color-scheme:dark" in style.replace(" ", "")
    made = {path: page for path, page in pages.items() if home in path.parents}
    said = {page.language for path, page in made.items() if "_downloads" not in path.parts}
    assert said == {language}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_reached_from_the_start(
    site: Path, pages: dict[Path, Page], language: str
) -> None:
    home = site / language
    made = {path for path in pages if home in path.parents}
    made -= {home / "search.html", home / "genindex.html"}
    assert made
    reached, new = set(), {home / "index.html"}
    while new:
        reached |= new
        links = {
            (path.parent / urlsplit(link).path).resolve()
            for path in new
            for link in pages[path].links
        }
        new = (links & made) - reached
    assert reached == made
