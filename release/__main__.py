"""``python -m release TOOLS OUT``: makes all of a release in a new folder.

``TOOLS`` is the Python of the environment that ``requirements/release.txt`` was installed in; this
script runs in that of ``requirements/dev.txt``, where every package says its licence.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from hatch_build import NO_PLATFORM, TARGETS
from release.components import bill_of_materials
from release.wheels import Copies

ROOT = Path(__file__).parents[1]


def main(tools: Path, out: Path) -> None:
    """Makes the release; ends with a sentence where that cannot be."""
    if subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, check=True
    ).stdout:
        sys.exit("a release is made of a commit: commit or stash what was changed")
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(ROOT, Path(folder), tools)
        made = [copies.source(out)]
        for target in (NO_PLATFORM, *TARGETS):
            made.append(copies.wheel(out, target))
            sys.stdout.write(f"{made[-1].name}\n")
    subprocess.run([tools, "-m", "release.libraries", *made[2:]], cwd=ROOT, check=True)
    bill = out / f"{made[0].name.removesuffix('.tar.gz')}.cdx.json"
    bill.write_text(bill_of_materials(ROOT), encoding="utf-8")
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted([*made, bill])
    ]
    (out / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
