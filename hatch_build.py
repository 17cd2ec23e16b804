"""Compiles ``ledger/rating/game_sums.c`` while the project is built, where there is a C compiler.

Without one, or where it fails, the project is built without it: it works the same, only slower.

``RATING_LEDGER_TARGET`` names another platform to build for, as a wheel names it; Zig, from the
package ``ziglang``, compiles for it, or the build fails. ``any`` stands for a wheel without it.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ("-O3", "-fPIC", "-shared")
TARGETS = {
    "manylinux_2_17_x86_64": ("x86_64-linux-gnu.2.17",),
    "manylinux_2_17_aarch64": ("aarch64-linux-gnu.2.17",),
    "musllinux_1_1_x86_64": ("x86_64-linux-musl",),
    "musllinux_1_1_aarch64": ("aarch64-linux-musl",),
    "macosx_11_0_x86_64": ("x86_64-macos.11.0", "-Wl,-install_name,game_sums.so"),
    "macosx_11_0_arm64": ("aarch64-macos.11.0", "-Wl,-install_name,game_sums.so"),
    "win_amd64": ("x86_64-windows-gnu", "-Wl,--no-entry"),
}
"""Platforms, as wheels name them, to what Zig calls them, and what their linker is told besides."""
NO_PLATFORM = "any"
# The same bytes wherever it is compiled, and nothing of any system: no C library, no symbols.
_ZIG_FLAGS = (*FLAGS, "-g0", "-s", "-nostdlib")
_SECONDS = 900
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
        target = os.environ.get("RATING_LEDGER_TARGET")
        if target == NO_PLATFORM:
            return
        made = compiled(source) if target is None else compiled_for(target, source)
        if made is None:
            self.app.display_info("no C compiler: the kernel is built without game_sums.c")
            return
        platform = target or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(made)] = made.relative_to(self.root).as_posix()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"


def compiled(source: Path) -> Path | None:
    """Compiles the source.

    The library's name has the digests of its source and of its own bytes, so that neither one of
    another source nor a damaged one is ever loaded.
    """
    compiler, library = _compiler(_environment()), None
    if compiler is not None:
        with suppress(OSError, subprocess.SubprocessError):
            library = _compiled(source, [*compiler, *FLAGS])
    try:
        for other in source.parent.glob("game_sums-*.so"):
            if other != library:
                other.unlink()
    except OSError:  # the folder cannot be written to
        return None
    return library


def compiled_for(target: str, source: Path) -> Path:
    """Compiles the source for another platform.

    Raises:
        KeyError: it is none of ``TARGETS``.
        SubprocessError: Zig is not installed, or cannot compile it.
    """
    zig_target, *flags = TARGETS[target]
    zig = (sys.executable, "-m", "ziglang", "cc", "-target", zig_target)
    return _compiled(source, [*zig, *_ZIG_FLAGS, *flags])


def _compiled(source: Path, command: list[str]) -> Path:
    environment = _environment()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "game_sums.so"
        subprocess.run(
            [*command, "-o", made, source.resolve()],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, check=True, timeout=_SECONDS,
        )  # fmt: skip
        contents = source.read_bytes(), made.read_bytes()
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
