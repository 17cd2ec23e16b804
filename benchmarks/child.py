"""The process of one measurement.

``python -m benchmarks.child WORK HISTORY REGULATION LEDGERS [DEFINED]``, where ``DEFINED`` is the
regulation that the ledger's list has, if it is another one. Its last line of output is the
measurement as JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import NotInstalledError, Place, Watch
from benchmarks.peers import PEERS


def measure(name: str, place: Place) -> dict[str, object]:
    """Runs one work and returns the measurement; what is not installed says so."""
    watch = Watch()
    try:
        if name in PEERS:
            PEERS[name](place, watch)
        else:
            from benchmarks.works import WORKS  # a peer's memory is not the ledger's

            WORKS[name](place, watch)
    except NotInstalledError as error:
        return {"not_measured": f"not installed: {error}"}
    return watch.data()


def main() -> None:
    """Measures what the arguments say."""
    name, history, regulation, ledgers, *defined = sys.argv[1:]
    with tempfile.TemporaryDirectory(dir=ledgers) as scratch:
        place = Place(Path(history), regulation, Path(ledgers), Path(scratch), *defined)
        print(json.dumps(measure(name, place)))


if __name__ == "__main__":
    main()
