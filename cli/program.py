"""The program ``rating-ledger``, which may be interrupted while it loads, too.

That takes longer than many a command: ``main`` of ``cli.main`` is the program once it is there.
"""

from __future__ import annotations

import sys
from typing import Final

_INTERRUPTED: Final = 130  # as ``ledger.errors`` has it, which may not be there yet


def main() -> None:
    """Loads the commands, runs the command line and exits."""
    try:
        from cli.main import main as run
    except KeyboardInterrupt:
        from cli.output import note

        note("cli.interrupted_before")
        sys.exit(_INTERRUPTED)
    run()
