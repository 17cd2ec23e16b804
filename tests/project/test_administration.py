"""The page of administration is walked as one shell, from nothing to an upgrade.

Paths of the machine lie below a folder; ``apt``, ``useradd``, ``systemctl``, ``sudo``, ``curl`` and
``python3 -m venv`` are stand-ins that ask for what the real ones need. The program is the real one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import COMMAND

ROOT = Path(__file__).parents[2]
STEPS = 7
"""The headings that are walked; PostgreSQL is another way to the second of them."""
MACHINE = ("etc/systemd/system", "etc/caddy", "opt", "usr/local/src", "var/lib", "var/backups")
STAND_INS = {
    "apt": '[ "$1 $2" = "install --yes" ]; touch "$ROOT/etc/caddy/Caddyfile"',
    "useradd": '[ "$3" = "$ROOT/var/lib/rating-ledger" ]',
    "curl": "echo ready",
    "sudo": '[ "$1 $2" = "-u rating-ledger" ]; shift 2; exec "$@"',
    "install": """
words=()
while [ $# -gt 0 ]; do
    case "$1" in -o) shift 2;; *) words+=("$1"); shift;; esac
done
exec /usr/bin/install "${words[@]}"
""",
    "python3": """
[ "$1 $2" = "-m venv" ]
mkdir -p "$3/bin"
cp "$STAND_INS/pip" "$3/bin/pip"
ln -s "$COMMAND" "$3/bin/rating-ledger"
""",
    "pip": """
[ "$1" = install ]; shift
while [ $# -gt 0 ]; do
    case "$1" in
        -r) test -s "$2"; shift 2;;
        .) test -s pyproject.toml; git rev-parse HEAD >> "$ROOT/installed"; shift;;
        *) shift;;
    esac
done
""",
    # A unit that is started is there, with its program and its folders; a backup is really made.
    "systemctl": """
words=(); for word in "$@"; do [ "$word" = --now ] || words+=("$word"); done
case "${words[0]}" in
    daemon-reload) exit;;
    reload) test -s "$ROOT/etc/caddy/Caddyfile"; exit;;
esac
unit="$ROOT/etc/systemd/system/${words[1]}"
[ -e "$unit" ] || unit="$unit.service"
test -s "$unit"
sed -E "s#(^|[ =:-])/(opt|var|etc)/#\\\\1$ROOT/\\\\2/#g" "$unit" > "$ROOT/unit"
if grep -q ^WorkingDirectory "$ROOT/unit"; then
    cd "$(sed -n 's/^WorkingDirectory=//p' "$ROOT/unit")"
    command=$(sed -e ':a' -e '/\\\\$/N; s/\\\\\\n//; ta' "$ROOT/unit" | sed -n 's/^ExecStart=//p')
    test -x "${command%% *}"
    case "${words[*]}" in "start rating-ledger-backup") $command;; esac
fi
""",
    "release": """
cd "$ORIGIN"
git -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m "Next version"
""",
}


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """A machine in a folder, with the origin of the clone; returns the environment of the shell."""
    for folder in MACHINE:
        (tmp_path / "root" / folder).mkdir(parents=True)
    stand_ins = tmp_path / "stand-ins"
    stand_ins.mkdir()
    for name, text in STAND_INS.items():
        (stand_ins / name).write_text(f"#!/bin/bash\nset -euo pipefail\n{text}\n", encoding="utf-8")
        (stand_ins / name).chmod(0o755)
    origin = tmp_path / "origin"
    words = ["git", "clone", "--quiet", str(ROOT), str(origin)]
    subprocess.run(words, check=True)
    return os.environ | {
        "PATH": f"{stand_ins}:{Path(sys.executable).parent}:/usr/bin:/bin",
        "ROOT": str(tmp_path / "root"), "STAND_INS": str(stand_ins), "ORIGIN": str(origin),
        "COMMAND": COMMAND, "RATING_LEDGER_ACTOR": "root", "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{origin}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://git.example.org/rating-ledger",
    }  # fmt: skip


def blocks_of(page: str) -> list[str]:
    """Returns the command lines of each step of a page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    steps = [part for part in text.split("\n## ")[1:] if part[0].isdigit()]
    return ["\n".join(re.findall(r"```sh\n(.*?)```", step, re.DOTALL)) for step in steps]


def test_the_page_is_walked_as_one_shell(machine: dict[str, str]) -> None:
    blocks = blocks_of("administration.md")
    assert blocks == blocks_of("es/administration.md")
    assert len(blocks) == STEPS
    assert "git pull" in blocks[-1]
    script = "\n".join([*blocks[:-1], "release", blocks[-1]])
    root = machine["ROOT"]
    walked = re.sub(r"(?<![\w/.])/(opt|var|etc|usr/local)/", rf"{root}/\1/", script)
    done = subprocess.run(
        ["/bin/bash", "-euo", "pipefail", "-c", walked], env=machine, cwd="/", check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    installed = Path(root, "installed").read_text().split()
    assert len(installed) == len(set(installed)) == 2, "the upgrade installs a newer commit"
    for file in (
        "rating-ledger.service",
        "rating-ledger-backup.service",
        "rating-ledger-backup.timer",
    ):
        assert Path(root, "etc/systemd/system", file).is_file()
    for file in ("systemd/system/rating-ledger.service", "caddy/Caddyfile"):
        assert "ratings.example.org" not in re.sub(
            r"^ *#.*", "", Path(root, "etc", file).read_text(), flags=re.MULTILINE
        )
    assert Path(root, "var/lib/rating-ledger/rating-ledger.db").is_file()
    assert Path(root, "var/lib/rating-ledger/rating-ledger.toml").is_file()
    assert Path(root, "var/backups/before/ledger").is_dir()
    assert "https://ratings.my-federation.org" in done.stdout, "the first account's link"
