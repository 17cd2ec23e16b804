"""Types commands on a machine whose clock is wrong: ``python -m tests.faults.typist FOLDER``.

It is a process with the shim. Each line that it reads is the words of a command, as JSON; a child
carries it out in the folder, and the line that comes back is what it did.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

from ledger.intake import imports
from ledger.service import backups, erasures, publications
from ledger.trust import verification
from tests.cli.running import run_here
from tests.faults.driver import in_child

# Here, once, and not in every child.
LOADED = (backups, erasures, imports, publications, verification)


def main() -> None:
    _, folder = sys.argv
    for line in sys.stdin:
        done = in_child(Path(folder), partial(run_here, *json.loads(line)))
        assert not isinstance(done, int), f"{line} ended with {done}"
        sys.stdout.write(f"{json.dumps(asdict(done))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
