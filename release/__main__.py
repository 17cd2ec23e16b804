"""``python -m release TOOLS OUT``: makes all of a release in a new folder.

``TOOLS`` is the Python of the environment that ``requirements/release.txt`` was installed in; this
script runs in that of ``requirements/dev.txt``, where every package says its licence.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hatch_build import NO_PLATFORM, TARGETS
from release.components import bill_of_materials
from release.wheels import Copies

ROOT = Path(__file__).parents[1]


def main(tools: Path, out: Path) -> None:
    """Makes the release in a folder that is not there yet; all of it, or nothing."""
    if out.exists():
        sys.exit(f"{out} is there already: a release goes into a new folder")
    if subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, check=True
    ).stdout:
        sys.exit("a release is made of a commit: commit or stash what was changed")
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(ROOT, Path(folder), tools)
        made = Path(folder) / "release"
        made.mkdir()
        source = copies.source(made)
        copies.wheel(made, NO_PLATFORM)
        wheels = [copies.wheel(made, target) for target in TARGETS]
        looked: list[Path | str] = [tools, "-m", "release.libraries", *wheels]
        if subprocess.run(looked, cwd=ROOT, check=False).returncode:
            sys.exit("there is no release")
        bill = made / f"{source.name.removesuffix('.tar.gz')}.cdx.json"
        bill.write_text(bill_of_materials(ROOT), encoding="utf-8")
        (made / "SHA256SUMS").write_text("".join(_digests(made)), encoding="utf-8")
        beside = out.with_name(f".{out.name}.partial")
        shutil.rmtree(beside, ignore_errors=True)  # of whoever was killed
        shutil.copytree(made, beside)
        beside.rename(out)


def _digests(folder: Path) -> list[str]:
    """Returns a line for each file in a folder, as ``sha256sum`` writes and checks it."""
    return [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    ]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
