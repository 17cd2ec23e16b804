"""Runs the installed command as a person would: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = str(Path(sys.executable).with_name("rating-ledger"))


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Reads stdout as JSON."""
        return json.loads(self.out)


def run(*words: str, cwd: Path, **environment: str) -> Ran:
    """Runs the command in a folder, with English messages unless the environment says otherwise."""
    inherited = {
        name: v
        for name, v in os.environ.items()
        if not name.startswith("RATING_LEDGER") or name == "RATING_LEDGER_STATE"
    }
    env = {**inherited, "LC_ALL": "C.UTF-8", **environment}
    done = subprocess.run(
        [COMMAND, *words],
        cwd=cwd,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=env,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
