"""The compiled kernel under the address and undefined behaviour sanitizers, where there are any.

Columns from a seed, which a failure prints, are refused at the door or summed as by numpy. Without
a compiler that has sanitizers the same columns go to numpy's kernel, behind the same door.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ledger.rating import c_kernel
from tests.profile import count

ROOT = Path(__file__).parents[2]
CASES = count(4_000, 800)
SANITIZED = (
    "-O1", "-g", "-fPIC", "-shared",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Build:
    """A library to be driven, ``-`` for none, and the environment in which Python can load it."""

    library: str
    environment: dict[str, str]

    @property
    def sanitized(self) -> bool:
        return self.library != "-"

    def driven(self, mode: str, seed: int = 0, cases: int = 0) -> subprocess.CompletedProcess[str]:
        """Drives the kernel in a process of its own."""
        words = ("-m", "tests.rating.kernel_columns", self.library, mode, str(seed), str(cases))
        return subprocess.run(
            [sys.executable, *words],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip


def built(folder: Path) -> Build:
    """Compiles the kernel with sanitizers into a folder, if the compiler has any."""
    none = Build("-", dict(os.environ))
    compiler = shutil.which(os.environ.get("CC") or "cc")
    if compiler is None:
        return none
    library = folder / "game_sums.so"
    made = subprocess.run(
        [compiler, *SANITIZED, "-o", library, c_kernel.SOURCE], capture_output=True, check=False
    )
    asan = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=False
    )
    runtime = asan.stdout.strip()
    if made.returncode or not library.exists() or not Path(runtime).is_absolute():
        return none
    sanitizers = {"LD_PRELOAD": os.path.realpath(runtime), "ASAN_OPTIONS": "detect_leaks=0"}
    return Build(str(library), os.environ | sanitizers)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return built(tmp_path_factory.mktemp("sanitized"))


def test_hostile_columns_are_refused_and_valid_ones_summed(build: Build) -> None:
    seed = random.SystemRandom().randrange(2**32)
    done = build.driven("door", seed, CASES)
    assert (done.returncode, done.stdout) == (0, f"{CASES // 2} refused, {CASES // 2} right\n"), (
        f"seed {seed}: {done.stderr}"
    )
    assert "Sanitizer" not in done.stderr
    assert "runtime error" not in done.stderr


def test_the_largest_of_everything_is_summed(build: Build) -> None:
    done = build.driven("behind")
    assert (done.returncode, done.stdout) == (0, "13 right\n"), done.stderr
    assert "Sanitizer" not in done.stderr
    assert "runtime error" not in done.stderr


def test_the_sanitizer_would_have_said_so(build: Build) -> None:
    """An index beyond the columns, behind the door, ends the process with a report."""
    done = build.driven("control")
    assert done.returncode != 0
    report = "AddressSanitizer" if build.sanitized else "AssertionError: it was compiled"
    assert report in done.stderr


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler"])
def test_without_sanitizers_numpy_refuses_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str
) -> None:
    monkeypatch.setenv("CC", compiler)
    build = built(tmp_path)
    assert not build.sanitized
    done = build.driven("door", 7, 400)
    assert (done.returncode, done.stdout) == (0, "200 refused, 200 right\n"), done.stderr
