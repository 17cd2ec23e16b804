"""Where servers lie that die."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def mortal_folder(run_folder: Path) -> Iterator[Path]:
    """A folder beside the run's, in memory where that is, which a server's own user may enter."""
    prefix = f"{run_folder.name}-mortal-"
    with tempfile.TemporaryDirectory(prefix=prefix, dir=run_folder.parent) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
