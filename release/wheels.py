"""Builds source and wheels, each twice: of the clone, and of the source that was made of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

_LONG_AGO = 1_000_000_000  # seconds: when the files of the second copy were written, they say
_OWN = ("RATING_LEDGER_TARGET", "SOURCE_DATE_EPOCH", "ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")


class NotReproducible(Exception):
    """What was built twice is not the same."""


class Copies:
    """Two copies of a project, in folders that have nothing in common, to build everything in.

    The second is the unpacked source distribution of the first, with other times and permissions.
    So what comes out of both also proves that the source is complete.

    Args:
        root: a clone; what git does not know of is left out.
        folder: an empty one, for whoever makes the copies.
        tools: the Python that has Hatchling, and Zig for other platforms.
    """

    def __init__(self, root: Path, folder: Path, tools: Path) -> None:
        self._tools = tools
        self._first, unpacked = folder / "clone", folder / "some" / "where" / "else"
        for name in _tracked(root):
            (self._first / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, self._first / name)
        self._source = self._built(self._first, folder / "made", "sdist", {})
        with tarfile.open(self._source) as packed:
            # Python before 3.11.4 knows no filter; the archive is our own.
            packed.extraction_filter = getattr(tarfile, "data_filter", None)
            packed.extractall(unpacked)  # noqa: S202 - see above
        (self._second,) = unpacked.iterdir()
        for path in self._second.rglob("*"):
            path.chmod(path.stat().st_mode & 0o700)
            os.utime(path, (_LONG_AGO, _LONG_AGO))

    def source(self, out: Path) -> Path:
        """Puts the source distribution into a folder; returns where it is."""
        return self._twice(out, "sdist", {})

    def wheel(self, out: Path, target: str | None) -> Path:
        """Puts a wheel for a platform into a folder, None for this one; returns where it is."""
        return self._twice(out, "wheel", {} if target is None else {"RATING_LEDGER_TARGET": target})

    def _twice(self, out: Path, kind: str, told: dict[str, str]) -> Path:
        one, other = (
            self._built(copy, copy.parent / "made", kind, told)
            for copy in (self._first, self._second)
        )
        if one.name != other.name or one.read_bytes() != other.read_bytes():
            raise NotReproducible(f"{one} and {other} differ")
        return Path(shutil.copy(one, out))

    def _built(self, copy: Path, out: Path, kind: str, told: dict[str, str]) -> Path:
        """Builds in one of the copies; nothing that was compiled in another is used."""
        made = out / (told.get("RATING_LEDGER_TARGET") or kind)
        shutil.rmtree(made, ignore_errors=True)
        kept = {name: value for name, value in os.environ.items() if name not in _OWN}
        caches = {name: str(out / name) for name in _OWN if name.startswith("ZIG")}
        subprocess.run(
            [self._tools, "-m", "hatchling", "build", "-t", kind, "-d", made],
            cwd=copy, env=kept | caches | told, check=True, capture_output=True,
        )  # fmt: skip
        (built,) = made.iterdir()
        return built


def _tracked(root: Path) -> list[str]:
    """Returns the files of a clone that git knows of and that are there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True
    )
    return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
