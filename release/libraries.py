"""Holds the compiled loop of wheels against what their platforms promise.

``python -m release.libraries WHEEL…``, where ``lief`` is installed. The loop needs nothing of any
system: no C library, so none that is too new (``manylinux_2_17`` promises glibc 2.17, musl none of
it), and gives two functions. macOS links its own library to everything; from 11.0 on it has it.
"""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

import lief

_FUNCTIONS = {"find_others", "sum_plain"}
_OLDEST_MAC = [11, 0, 0]
# What the linker puts into every library for macOS; the last is the library's own name.
_OF_EVERY_MAC = {
    "__dso_handle", "_mh_dylib_header", "dyld_stub_binder",
    "/usr/lib/libSystem.B.dylib", "game_sums.so",
}  # fmt: skip
_MACHINES = {  # the end of a wheel's name to the format of its library, and its machine
    "linux_2_17_x86_64": ("ELF", "X86_64"),
    "linux_2_17_aarch64": ("ELF", "AARCH64"),
    "linux_1_1_x86_64": ("ELF", "X86_64"),
    "linux_1_1_aarch64": ("ELF", "AARCH64"),
    "macosx_11_0_x86_64": ("MACHO", "X86_64"),
    "macosx_11_0_arm64": ("MACHO", "ARM64"),
    "win_amd64": ("PE", "AMD64"),
}


def complaints(wheel: Path) -> list[str]:
    """Returns what is wrong with the library in a wheel; nothing, where all is well."""
    with zipfile.ZipFile(wheel) as packed:
        names = [name for name in packed.namelist() if name.endswith(".so")]
        if len(names) != 1:
            return [f"it has the libraries {names}"]
        content = packed.read(names[0])
    binary = lief.parse(list(content))
    found = []
    mac = _OF_EVERY_MAC if binary.format.name == "MACHO" else set[str]()
    functions = {symbol.name.removeprefix("_") for symbol in binary.exported_functions} - mac
    if functions != _FUNCTIONS:
        found.append(f"it gives {sorted(functions)}")
    needed = {function.name for function in binary.imported_functions} - mac
    libraries = {str(getattr(each, "name", each)) for each in binary.libraries} - mac
    if needed or libraries:
        found.append(f"it needs {sorted(needed)} of {sorted(libraries)}")
    wanted = next(value for end, value in _MACHINES.items() if wheel.stem.endswith(end))
    if (machine := (binary.format.name, _machine(binary))) != wanted:
        found.append(f"it is for {machine}, not for {wanted}")
    if binary.format.name == "MACHO" and binary.build_version.minos != _OLDEST_MAC:
        found.append(f"it needs macOS {binary.build_version.minos}")
    newest = re.findall(rb"GLIBC_[0-9.]+", content)
    return found + [f"it needs {name.decode()}" for name in newest]


def _machine(binary: lief.Binary) -> str:
    """Returns the machine that a library is for; each format calls it by another name."""
    header = binary.header
    for name in ("machine_type", "cpu_type", "machine"):
        if hasattr(header, name):
            return str(getattr(header, name).name)
    raise ValueError(f"{binary.format} names no machine")


def main(wheels: list[str]) -> None:
    """Ends with what is wrong, if anything is."""
    lief.logging.disable()  # it notes that a library imports nothing
    wrong = [f"{name}: {text}" for name in wheels for text in complaints(Path(name))]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
