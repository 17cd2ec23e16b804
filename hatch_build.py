"""Compiles ``ledger/rating/game_sums.c`` while the project is built, where there is a C compiler.

Without one, or where it fails, the project is built without it: it works the same, only slower.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ("-O3", "-fPIC", "-shared")
_SECONDS = 300
# Where compilers would look for headers, libraries and programs besides their own folders, and
# what they would write besides what is asked for.
_LEFT_OUT = (
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
    "COMPILER_PATH", "GCC_EXEC_PREFIX", "LIBRARY_PATH", "LD_RUN_PATH",
    "CCC_OVERRIDE_OPTIONS", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES",
)  # fmt: skip


class CompiledKernel(BuildHookInterface):
    """Puts the compiled kernel beside its source, and into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles it before the wheel is filled."""
        del version
        source = Path(self.root) / "ledger" / "rating" / "game_sums.c"
        made = compiled(source)
        if made is None:
            self.app.display_info("no C compiler: the kernel is built without game_sums.c")
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(made)] = made.relative_to(self.root).as_posix()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"


def compiled(source: Path) -> Path | None:
    """Compiles the source.

    The library's name has the digests of its source and of its own bytes, so that neither one of
    another source nor a damaged one is ever loaded.
    """
    try:
        library = _compiled(source)
        for other in source.parent.glob("game_sums-*.so"):
            if other != library:
                other.unlink()
    except OSError:  # the folder cannot be written to
        return None
    return library


def _compiled(source: Path) -> Path | None:
    environment = _environment()
    compiler = _compiler(environment)
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "game_sums.so"
        try:
            subprocess.run(
                [*compiler, *FLAGS, "-o", made, source.resolve()],
                cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, check=True, timeout=_SECONDS,
            )  # fmt: skip
            contents = source.read_bytes(), made.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return None
    digests = (hashlib.sha256(content).hexdigest()[:16] for content in contents)
    library = source.with_name("-".join(("game_sums", *digests)) + ".so")
    unfinished = library.with_suffix(".unfinished")
    unfinished.write_bytes(contents[1])
    return unfinished.replace(library)


def _compiler(environment: dict[str, str]) -> list[str] | None:
    """Returns the compiler as an absolute path, and the options that CC gives it; None for none."""
    try:
        name, *options = shlex.split(os.environ.get("CC") or "cc")
    except ValueError:  # quotes that do not match, or nothing but spaces
        return None
    found = shutil.which(name, path=environment["PATH"])
    return [str(Path(found).absolute()), *options] if found else None


def _environment() -> dict[str, str]:
    """Returns the environment of the compiler: no folder in it depends on the current one."""
    kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return kept | {"PATH": os.pathsep.join(f for f in folders if Path(f).is_absolute())}
