"""A folder with modules that nobody should import: each writes its name into a file when it is."""

from __future__ import annotations

from pathlib import Path

MODULES = (
    "dask", "distributed", "encodings", "json", "ledger", "multiprocessing", "numpy", "pickle",
    "random", "sitecustomize", "socket", "struct", "threading", "typing", "usercustomize",
)  # fmt: skip
_CANARY = """import os, sys
with open({song!r}, "a") as song:
    song.write(__name__ + " " + str(os.getpid()) + "\\n")
"""


class Canaries:
    """Modules in a folder of their own, and what was imported of them."""

    def __init__(self, folder: Path, *names: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._song = folder / "song.txt"
        for name in names or MODULES:
            (folder / f"{name}.py").write_text(_CANARY.format(song=str(self._song)))

    @property
    def heard(self) -> list[str]:
        """The modules that were imported, with the processes that did."""
        return self._song.read_text().splitlines() if self._song.exists() else []
