"""Lock files that include others: a package is pinned once, in the smallest file that has it.

``-r run.txt`` stands where pip reads another file. Of a package that an included file pins a larger
one notes only who else needs it, as a comment (``# numpy==2.4.0``, ``    # via dask``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

INCLUDED = {
    "archive": ("run",),
    "desk": ("run",),
    "postgresql": ("run",),
    "dask": ("run",),
    "web": ("archive", "desk", "postgresql"),
    "release": ("build",),
    "dev": ("web", "dask", "build"),
}
"""The files that a lock file includes; others include none."""

_INCLUDE = re.compile(r"^-r ([a-z]+)\.txt$")
_PIN = re.compile(r"^(?:# )?([a-z0-9._-]+)==([^\s;]+)(?: ; [^\\]+?)?(?= \\$|$)", re.MULTILINE)
_VIA = re.compile(r"^ +#(?: via |   )(\S.*)$", re.MULTILINE)


class NoCommonVersion(Exception):
    """A lock file and one that it is to include pin another version of a package."""


def text_of(folder: Path, name: str) -> str:
    """Returns a lock file with those that it includes in their places, each once."""
    return "".join(_lines(folder, name, set()))


def _lines(folder: Path, name: str, read: set[str]) -> Iterator[str]:
    read.add(name)
    for line in (folder / f"{name}.txt").read_text("utf-8").splitlines(keepends=True):
        included = _INCLUDE.match(line.rstrip())
        if included is None:
            yield line
        elif included[1] not in read:
            yield from _lines(folder, included[1], read)


def shortened(text: str, folder: Path, included: tuple[str, ...]) -> str:
    """Returns a lock file that includes others, without what these pin.

    Args:
        text: the lock file as it was resolved, whole.
        folder: where the others are.
        included: their names.

    Raises:
        NoCommonVersion: both cannot be installed together.
    """
    if not included:
        return text
    before = "".join(text_of(folder, name) for name in included)
    known = {heading: _VIA.findall(block) for heading, block in _blocks(before)}
    versions = set(_versions(before)) - set(_versions(text))
    if versions:
        raise NoCommonVersion(f"{', '.join(map('=='.join, sorted(versions)))} are not in both")
    kept = [text[: _start(text)], *(f"-r {name}.txt\n" for name in included)]
    for heading, block in _blocks(text):
        others = [who for who in _VIA.findall(block) if who not in known.get(heading, ())]
        if heading not in known:
            kept.append(block)
        elif others:
            kept.append(f"# {heading}\n" + "".join(f"    # via {who}\n" for who in others))
    return "".join(kept)


def lock_of(text: str, package: str) -> str:
    """Returns a lock file with one package of another, which needs nothing else."""
    return "".join(block for pin, block in _blocks(text) if pin.startswith(f"{package}=="))


def _start(text: str) -> int:
    """Returns where the first package begins."""
    found = re.search(r"^[a-z0-9]", text, re.MULTILINE)
    return found.start() if found else len(text)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yields the package, version and systems that are pinned, and all that is said of them."""
    begins = [found.start() for found in _PIN.finditer(text)]
    for start, end in zip(begins, [*begins[1:], len(text)], strict=True):
        block = text[start:end]
        found = _PIN.match(block)
        assert found is not None, "it was found there"
        yield found[0].removeprefix("# "), block


def _versions(text: str) -> Iterator[tuple[str, str]]:
    for found in _PIN.finditer(text):
        yield found[1], found[2]
