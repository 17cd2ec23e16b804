"""Compiles ``ledger/rating/plain.c`` while the project is built, where there is a C compiler.

Without one, or where it fails, the project is built without it: it works the same, only slower.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ("-O3", "-fPIC", "-shared")


class CompiledKernel(BuildHookInterface):
    """Puts the compiled kernel beside its source, and into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles it before the wheel is filled."""
        del version
        source = Path(self.root) / "ledger" / "rating" / "plain.c"
        made = compiled(source)
        if made is None:
            self.app.display_info("no C compiler: the kernel is built without plain.c")
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(made)] = made.relative_to(self.root).as_posix()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"


def compiled(source: Path) -> Path | None:
    """Compiles the source, if that was not done yet; the library has its digest in its name."""
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    library = source.with_name(f"plain-{digest[:16]}.so")
    if library.exists():
        return library
    for stale in source.parent.glob("plain-*.so"):
        stale.unlink()
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        made = Path(folder) / library.name
        try:
            subprocess.run([*compiler, *FLAGS, "-o", made, source], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return made.replace(library)
