"""The code behind a regulation: whose it is, of which version, and the digest of its sources.

The digest of a regulation covers its text: id, parameters, tables. What computes is code, which a
repair can change without a word in the text; so an adoption records it too. It is the module of the
regulation and what that imports, by way of others or not: of this project the modules of
``ledger.regulations`` and of ``ledger.rating``, where articles are that several regulations share
(the all-play-all with newcomers, the roundings, the sums); of another package all its modules, not
what it takes from this project. C beside a module (``game_sums.c``) is part of the module.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import resolve_name
from pathlib import Path

from ledger.regulations.interface import Regulation
from ledger.regulations.registry import OWN, outside

DISTRIBUTION = "rating-ledger"
_OWN_PACKAGES = ("ledger.regulations", "ledger.rating")
_SHOWN = 12  # digits of a digest that people compare


@dataclass(frozen=True, slots=True)
class CodeOrigin:
    """A distribution by its normalized name and version, and the digest of a regulation's sources.

    ``version`` is None where the distribution is not installed, only there to be imported.
    """

    distribution: str
    version: str | None
    sha256: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version or '?'} ({self.sha256[:_SHOWN]}…)"


@cache
def code_of(regulation: type[Regulation]) -> CodeOrigin | None:
    """Returns the code of a usable regulation; None where it has no sources to be read."""
    own = OWN.get(regulation.ID) is regulation
    distribution = DISTRIBUTION if own else outside().packages[regulation.ID]
    module = regulation.__module__
    sources = _sources(module, *(_OWN_PACKAGES if own else (module.partition(".")[0],)))
    if sources is None:
        return None
    content = json.dumps(sorted(sources.items())).encode()
    return CodeOrigin(distribution, _version(distribution), hashlib.sha256(content).hexdigest())


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _sources(module: str, *within: str) -> dict[str, str] | None:
    """Returns the digests of a module and of what it imports of packages, by module name."""
    found: dict[str, str] = {}
    left = [module]
    while left:
        name = left.pop()
        if name in found:
            continue
        file = Path(sys.modules[name].__file__ or "")
        try:
            source = file.read_bytes()
            left += _imported(name, ast.parse(source), within)
            beside = file.with_suffix(".c")
            compiled = beside.read_bytes() if beside.is_file() else b""
        except (OSError, SyntaxError, ValueError):
            return None  # a packed or compiled one
        found[name] = hashlib.sha256(source + compiled).hexdigest()
    return found


def _imported(module: str, tree: ast.Module, within: Sequence[str]) -> Iterator[str]:
    """Yields the modules of packages that a module imports when it is loaded."""
    packages = tuple(f"{package}." for package in within)
    package = sys.modules[module].__package__
    for statement in tree.body:
        names: list[str] = []
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            base = resolve_name("." * statement.level + (statement.module or ""), package)
            names = [base, *(f"{base}.{alias.name}" for alias in statement.names)]
        for name in names:
            if name in sys.modules and f"{name}.".startswith(packages):
                yield name
