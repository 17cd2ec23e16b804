"""The wheel has all that the command needs: migrations, tables, sentences, examples, its loop."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from ledger.rating.c_kernel import kernel

ROOT = Path(__file__).parents[2]


def test_the_wheel_runs_the_demonstration(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", tmp_path, ROOT], check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
        assert (
            "rating-ledger = cli.program:main"
            in archive.read(
                next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
            ).decode()
        )
    # Isolated from the clone: only the unpacked wheel and the installed libraries.
    code = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r}); "
        "import ledger, migrations; from cli.main import main; "
        f"assert ledger.__file__.startswith({str(unpacked)!r}); "
        f"assert migrations.__file__.startswith({str(unpacked)!r}); "
        "from ledger.rating.c_kernel import kernel; "
        f"assert (kernel() is not None) == {kernel() is not None}; main(['demo', 'there'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "there" / "rating-ledger.db").exists()
