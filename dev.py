#!/usr/bin/env python3
"""From a fresh clone to a working ledger: ``python3 dev.py demo``, ``python3 dev.py test``.

It knows only the standard library. It makes ``.venv``, installs the locked dependencies (hashes
checked) and this project in it, once for each state of what they depend on, and then runs what was
asked:

* ``demo [DIR]``: the main job on the shipped example, on SQLite;
* ``demo-tournament [DIR]``: an arbiter's days, from the entry list to the rating list;
* ``test [--quick] [PYTEST ARGUMENTS]``: every check: style, types, architecture, then the tests, of
  those that take long a fifth by chance, or what takes a minute together (``-m "not slow"``);
  ``RATING_LEDGER_TESTS=thorough``, as for a release, runs all of them, and tries each property on
  more examples; Chromium, which the pages are tried in, is installed where it is missing and
  Debian's ``apt-get`` may do it;
* ``serve``: the site of the shipped example, with a page for each step of ``demo``;
  ``serve --demo big``: that of a made-up federation of 2,000 people, which is made once;
* ``docs``: writes the generated pages anew;
* ``site [OUT]``: makes the documentation as a site (``build/site``);
* ``release OUT``: makes a release in a new folder (see ``release``);
* ``lock [--upgrade]``: writes ``requirements/`` for ``pyproject.toml``; pins that fit stay, unless
  all are to be the newest;
* ``run …``: the ``rating-ledger`` command from the environment, in the current folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import venv
from contextlib import suppress
from pathlib import Path

from release.lock_files import INCLUDED, lock_of, shortened, text_of

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
BIN = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
LOCKS = ROOT / "requirements"
LOCK, WITNESS = LOCKS / "dev.txt", LOCKS / "witness.txt"
STAMP = ENVIRONMENT / "installed.sha256"
OLDEST_PYTHON = (3, 11)
RELEASE_TOOLS = ROOT / ".venv-release"  # compilers for every platform: half a gigabyte
BROWSERS = (  # as in tests/web/browser.py
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
NOT_KEPT = "PYTHONDONTWRITEBYTECODE"  # has every process of the tests compile every module anew

CHECKS: tuple[tuple[str, ...], ...] = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("lint-imports",),
    ("mypy",),
)


def call(program: str, *arguments: str, cwd: Path = ROOT) -> None:
    """Runs a program of the environment; its failure is this script's failure."""
    call_all((program, *arguments), cwd=cwd)


def call_all(*commands: tuple[str, ...], cwd: Path = ROOT) -> None:
    """Runs programs of the environment side by side; a failure is this script's failure."""
    keeping = {name: value for name, value in os.environ.items() if name != NOT_KEPT}
    running = [
        subprocess.Popen([BIN / program, *arguments], cwd=cwd, env=keeping)
        for program, *arguments in commands
    ]
    try:
        codes = [each.wait() for each in running]
    except SystemExit:  # SIGTERM: nobody is left behind
        for each in running:
            each.terminate()
        for each in running:
            each.wait()
        raise
    failed = [(each, code) for (each, *_), code in zip(commands, codes, strict=True) if code]
    if failed:
        names = ", ".join(name for name, _ in failed)
        sys.stderr.write(f"{names} failed: nothing after it was run\n")
        sys.exit(failed[0][1])


def install() -> None:
    """Brings ``.venv`` to the state of the lock file; does nothing when it is there already."""
    import tomllib  # noqa: PLC0415 - an older Python is told what it is too old for

    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    built = [about["build-system"], about["project"], about["tool"]["hatch"]]
    decisive = (WITNESS, ROOT / "hatch_build.py", ROOT / "ledger" / "rating" / "game_sums.c")
    contents = (json.dumps(built) + text_of(LOCKS, "dev")).encode()
    contents += b"".join(path.read_bytes() for path in decisive)
    contents += str(shutil.which(os.environ.get("CC") or "cc")).encode()  # compiles the kernel
    wanted = hashlib.sha256(contents + sys.version.encode()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    print(f"setting up {ENVIRONMENT} (a minute, once)", file=sys.stderr)
    try:
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
    except subprocess.CalledProcessError:
        sys.exit("this Python cannot make virtual environments: install its venv package first")
    install_locked()
    STAMP.write_text(wanted)


def install_locked() -> None:
    """Installs the dependencies and this project; a lock names all that is needed.

    uv does in seconds what pip does in most of a minute, and knows none of pip's settings, such as
    a mirror: where it fails, pip does it. Like pip it believes the certificates of the machine, a
    proxy's among them. pip would compile on one core, and their tests too.
    """
    pip = ("python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install")
    locked = ("--no-deps", "--require-hashes", "-r")
    uv_lock = ENVIRONMENT / "uv.txt"
    uv_lock.write_text(lock_of(text_of(LOCKS, "dev"), "uv"), "utf-8")
    call(*pip, *locked, str(uv_lock))
    uv = (BIN / "uv", "pip", "install", "--quiet", "--system-certs", "--python", ENVIRONMENT)
    if subprocess.run([*uv, *locked, LOCK], check=False).returncode != 0:
        call(*pip, "--no-compile", *locked, str(LOCK))
    call(*pip, "--ignore-requires-python", *locked, str(WITNESS))
    call(*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    compiling = ("-m", "compileall", "-qq", "-j", "0", "-x", r"[\\/]tests[\\/]", ENVIRONMENT)
    subprocess.run([BIN / "python", *compiling], check=False)  # some files are for other Pythons


def ledger(*arguments: str) -> None:
    """Runs the ``rating-ledger`` command, in the folder that is the user's current one."""
    install()
    call("rating-ledger", *arguments, cwd=Path.cwd())


def release(out: str) -> None:
    """Makes a release in a folder; its tools are installed in an environment of their own."""
    wanted = LOCKS / "release.txt"
    contents = text_of(LOCKS, "release") + sys.version
    digest = hashlib.sha256(contents.encode()).hexdigest()
    stamp, python = RELEASE_TOOLS / STAMP.name, RELEASE_TOOLS / BIN.name / "python"
    if not stamp.exists() or stamp.read_text() != digest:
        venv.create(RELEASE_TOOLS, clear=True, with_pip=True)
        pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install")
        subprocess.run([*pip, "--require-hashes", "-r", wanted], check=True)
        stamp.write_text(digest)
    call("python", "-m", "release", str(python), str(Path(out).absolute()))


def has_browser() -> bool:
    """Whether there is a browser that the pages can be tried in."""
    return any(map(shutil.which, BROWSERS))


def begin_browser() -> subprocess.Popen[bytes] | None:
    """Begins to install a browser, if there is none and it may be done here."""
    if has_browser() or shutil.which("apt-get") is None or os.geteuid() != 0:
        return None
    print("installing Chromium for the tests of the pages (once)", file=sys.stderr)
    apt = "apt-get -qq install --yes --no-install-recommends"
    wanted = f"apt-get -qq update; {apt} chromium-headless-shell || {apt} chromium"
    quietly = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.Popen(["/bin/sh", "-c", wanted], env=quietly)


def test(arguments: list[str]) -> None:
    """Runs the static checks, then the tests, on every core the machine has."""
    is_quick = "--quick" in arguments
    browser = None if is_quick else begin_browser()  # beside all that follows
    install()
    call_all(*CHECKS)
    if browser is not None:
        browser.wait()
    if not is_quick and not has_browser():
        print("the pages are tried in Chromium or Chrome: apt install chromium", file=sys.stderr)
    chosen = ("-m", "not slow") if is_quick else ()
    others = (word for word in arguments if word != "--quick")
    call("python", "-m", "pytest", "-n", "auto", "--dist", "worksteal", *chosen, *others)


def lock(*options: str) -> None:
    """Writes the lock files, each after those that it includes."""
    compile_ = (
        "pip", "compile", "--quiet", "--universal", "--python-version", "3.11",
        "--generate-hashes", "--no-emit-index-url", *options,
    )  # fmt: skip
    site = ("archive", "desk", "oidc", "postgresql", "web")
    for name, extras, groups in (
        ("run", (), ()),
        ("archive", ("archive",), ()),
        ("postgresql", ("postgresql",), ()),
        ("desk", ("desk",), ()),
        ("web", site, ()),
        ("dask", ("dask",), ()),
        ("build", None, ("build",)),
        ("release", None, ("release",)),
        ("dev", (*site, "dask"), ("dev",)),
    ):
        wanted = [f"--group={group}" for group in groups]
        if extras is not None:
            wanted = ["pyproject.toml", *(f"--extra={extra}" for extra in extras), *wanted]
        file = LOCKS / f"{name}.txt"
        call("uv", *compile_, *wanted, "--output-file", f"requirements/{name}.txt")
        whole = file.read_text("utf-8")
        file.write_text(shortened(whole, LOCKS, INCLUDED.get(name, ())), encoding="utf-8")


def main() -> None:
    """Dispatches on the first word."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Python 3.11 or newer is needed, this is {sys.version}")
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    match sys.argv[1:]:
        case ["demo" | "demo-tournament" as demo, *arguments]:
            ledger(demo, *arguments)
        case ["serve", "--demo", "big", *arguments]:
            with suppress(KeyboardInterrupt):
                ledger("serve", "--demo-federation", *arguments)
        case ["serve", *arguments]:
            with suppress(KeyboardInterrupt):  # the site hears it too, and ends
                ledger("serve", "--demo", *arguments)
        case ["test", *arguments]:
            test(arguments)
        case ["run", *arguments]:
            ledger(*arguments)
        case ["docs"]:
            install()
            call("python", "docs/generate.py")
        case ["site", *out] if len(out) <= 1:
            install()
            call("python", "docs/website/build.py", str(Path(*out or ("build/site",)).absolute()))
        case ["release", out]:
            install()
            release(out)
        case ["lock"] | ["lock", "--upgrade"]:
            install()
            lock(*sys.argv[2:])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
