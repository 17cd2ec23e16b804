"""People who take their accounts at a real site and sign in, as a person does it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import httpx2 as httpx
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from tests.cli.running import run
from tests.web.accounts.conftest import PASSWORD, ceremony_in, secret_in
from tests.web.submitting import Person
from web.office.credentials import STEP_SECONDS

_LINK = re.compile(r"/enrol/([\w-]+)")
_DIGITS = 6


def enrolled(
    account: str, role: str, folder: Path, origin: str, visitor: Callable[[], httpx.Client],
    *words: str,
) -> Person:  # fmt: skip
    """Makes an account by the command line; its owner takes it and signs in anew.

    Args:
        account: its name.
        role: what it may do.
        folder: where the command is run.
        origin: that of the site.
        visitor: gives a browser.
        words: options of the command, as ``--db`` and the ledger's URL.
    """
    made = run("account", "create", account, "--role", role, "--reason", "tests", "--actor", "root",
               "--origin", origin, *words, cwd=folder)  # fmt: skip
    assert made.code == 0, made.err
    link = _LINK.search(made.out)
    assert link, made.out
    client = visitor()
    page = client.post(f"/enrol/{link[1]}/password", data={"password": PASSWORD}).text
    codes = TOTP(secret_in(page), _DIGITS, SHA1(), STEP_SECONDS)  # noqa: S303 - telephones
    first = codes.generate(int(time.time())).decode()
    typed = {"ceremony": ceremony_in(page), "first": first}
    assert client.post(f"/enrol/{link[1]}/codes", data=typed).status_code == 200
    client.cookies.clear()
    typed = {"account": account, "password": PASSWORD,
             "code": codes.generate(int(time.time()) + STEP_SECONDS).decode()}  # fmt: skip
    assert client.post("/sign-in", data=typed).status_code == 303
    return Person(client, account)
