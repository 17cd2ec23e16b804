"""The bill of materials of a release: CycloneDX 1.6 as JSON, made of the lock files.

It names every package that an installation can have, with its licences, the SHA-256 of each file
that may be installed of it, who needs it, and the extras that bring it. It has no time and no
number of its own: the same lock files give the same bytes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from release.licences import licences
from release.lock_files import text_of

LOCKS = ("run", "archive", "dask", "desk", "postgresql", "web")
"""The lock files of what is installed; the first is of what everybody has."""

_INDEX = "https://pypi.org/simple/"
_ALWAYS = "run"
_PINNED = re.compile(r"^(?:# )?([a-z0-9._-]+)==([^\s;\\]+)(?: ; ([^\\]+?))?(?: \\)?$")
_NEEDED_BY = re.compile(r"^ +#(?: via |   )([a-z0-9._-]+)")
_VENDORED = {"htmx.min.js": ("htmx.org", "0BSD", re.compile(r'version:"([0-9.]+)"'))}


@dataclass(slots=True)
class LockedPackage:
    """A package of a lock file: its version, on which systems, its files' SHA-256, who needs it."""

    name: str
    version: str
    where: str = ""
    digests: list[str] = field(default_factory=list)
    needed_by: list[str] = field(default_factory=list)

    @property
    def purl(self) -> str:
        """The name by which registries and scanners know it."""
        return f"pkg:pypi/{self.name}@{self.version}"


def locked(text: str) -> Iterator[LockedPackage]:
    """Yields the packages of a lock file; one again where more is said of who needs it."""
    package = None
    for line in text.splitlines():
        if found := _PINNED.match(line):
            if package is not None:
                yield package
            package = LockedPackage(found[1], found[2], found[3] or "")
        elif package is not None and (found := re.search(r"--hash=sha256:([0-9a-f]{64})", line)):
            package.digests.append(found[1])
        elif package is not None and (found := _NEEDED_BY.match(line)):
            package.needed_by.append(found[1])
    if package is not None:
        yield package


def bill_of_materials(root: Path) -> str:
    """Returns the bill of a clone, as text.

    Raises:
        ValueError: a package names no licence.
    """
    about = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    own = f"pkg:pypi/{about['name']}@{about['version']}"
    packages: dict[str, LockedPackage] = {}
    brought: dict[str, dict[str, None]] = {}
    needs: dict[str, set[str]] = {own: set()}
    for lock in LOCKS:
        listed = list(locked(text_of(root / "requirements", lock)))
        of_name: dict[str, list[str]] = {about["name"]: [own]}
        for each in listed:
            packages.setdefault(each.purl, each)
            brought.setdefault(each.purl, {})[lock] = None
            of_name.setdefault(each.name, []).append(each.purl)
        for each in listed:
            for purl in (purl for name in each.needed_by for purl in of_name[name]):
                needs.setdefault(purl, set()).add(each.purl)
    vendored = [_vendored(root, name) for name in _VENDORED]
    needs[own] |= {each["bom-ref"] for each in vendored}
    components = [_component(each, [*brought[purl]]) for purl, each in sorted(packages.items())]
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": about["name"],
                "version": about["version"],
                "description": about["description"],
                "licenses": [{"license": {"id": about["license"]}}],
                "purl": own,
            }
        },
        "components": components + vendored,
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(needs.get(ref, ()))}
            for ref in sorted([own, *packages, *(each["bom-ref"] for each in vendored)])
        ],
    }
    return json.dumps(bill, indent=1) + "\n"


def _component(package: LockedPackage, locks: list[str]) -> dict[str, Any]:
    named = sorted(licences(package.name))
    if not named:
        raise ValueError(f"{package.name} names no licence")
    properties = [
        *({"name": "rating-ledger:extra", "value": lock} for lock in locks if lock != _ALWAYS),
        *({"name": "rating-ledger:where", "value": where} for where in [package.where] if where),
    ]
    return {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "scope": "required" if _ALWAYS in locks else "optional",
        "licenses": [{"license": {"id": name}} for name in named],
        "purl": package.purl,
        "externalReferences": [
            {
                "type": "distribution",
                "url": f"{_INDEX}{package.name}/",
                "hashes": [{"alg": "SHA-256", "content": each} for each in package.digests],
            }
        ],
        "properties": properties,
    }


def _vendored(root: Path, file: str) -> dict[str, Any]:
    """Returns what lies in the project itself and is somebody else's."""
    name, licence, version = _VENDORED[file]
    found = version.search((root / "web" / "static" / file).read_text("utf-8"))
    if found is None:
        raise ValueError(f"{file} does not say its version")
    purl = f"pkg:npm/{name}@{found[1]}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": found[1],
        "scope": "optional",
        "licenses": [{"license": {"id": licence}}],
        "purl": purl,
    }
