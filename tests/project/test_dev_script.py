"""What ``dev.py`` starts ends with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """#!/bin/sh
trap 'echo > ended; exit 0' TERM
echo $$ > started.partial && mv started.partial started
while :; do sleep 0.1; done
"""
SERVED = """
import dev, pathlib, sys
dev.BIN, dev.install, sys.argv = pathlib.Path.cwd(), lambda: None, ["dev.py", "serve"]
dev.main()
"""


def test_what_is_served_ends_with_the_script(tmp_path: Path) -> None:
    program = tmp_path / "rating-ledger"
    program.write_text(PROGRAM, encoding="utf-8")
    program.chmod(0o700)
    with subprocess.Popen(
        [sys.executable, "-c", SERVED], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}
    ) as script:
        until = time.monotonic() + 30
        while not (tmp_path / "started").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        script.send_signal(signal.SIGTERM)
        assert script.wait(30) == 128 + signal.SIGTERM
    assert (tmp_path / "ended").exists()
