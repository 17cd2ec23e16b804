"""What licence each package is under, as an SPDX identifier, by the package's own word."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata

# Of other systems, so that they are not installed here.
ELSEWHERE = {
    "colorama": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
    "tzdata": "Apache-2.0",
}
# Packages that name their licence in words only.
SPELLED = {
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}


def licences(package: str) -> set[str]:
    """Returns the licences that an installed package names; none, if it names none."""
    try:
        its = metadata(package)
    except PackageNotFoundError:
        return {ELSEWHERE[package]} if package in ELSEWHERE else set()
    expressions = its.get_all("License-Expression")
    if expressions:
        return set(re.findall(r"[\w.-]+", expressions[0])) - {"AND", "OR", "WITH"}
    last = (line.split(" :: ") for line in its.get_all("Classifier") or ())
    words = {parts[-1] for parts in last if parts[0] == "License"} or {*its.get_all("License", [])}
    return {SPELLED.get(word, word) for word in words}
