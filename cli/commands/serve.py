"""``serve``: the ledger as a site."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import settings
from cli.command import command
from cli.commands.init import DEFAULT_FOLDER, main_job
from cli.demonstration import FEDERATION_FOLDER, FEDERATION_KEY, FEDERATION_PAGE, made_federation
from cli.options import Db
from cli.output import note, say, write
from cli.settings import FLAGS
from ledger.derived.private_folders import cache_to_write
from ledger.errors import DatabaseError, InputRefused
from ledger.wording import Message
from ledger.wording.masking import masked

if TYPE_CHECKING:
    from web.settings import WebSettings

_SHORTEST_TOKEN = 16  # characters

Host = Annotated[str, typer.Option("--host", help="Address to listen on.")]
Port = Annotated[
    int, typer.Option("--port", help="Port to listen on; 0: any that is free.", min=0, max=65535)
]
Origin = Annotated[
    str | None,
    typer.Option(
        "--origin",
        help="How browsers call the site, as https://ratings.example.org; needed behind a proxy.",
    ),
]
Proxy = Annotated[
    list[str] | None,
    typer.Option(
        "--proxy",
        help="Address or network of a proxy that is believed when it says whose request it is.",
    ),
]
Workers = Annotated[int, typer.Option("--workers", help="Processes that answer.", min=1, max=64)]
OfficeUrl = Annotated[
    str | None,
    typer.Option(
        "--office",
        help="Database of accounts, submissions and jobs (default: beside the ledger); none: "
        "nobody signs in.",
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache", help="Folder for what can be made again at any time (default: the user's)."
    ),
]
Insecure = Annotated[
    bool,
    typer.Option("--insecure", help="Listen to others without HTTPS: only in a network of yours."),
]
SignedPage = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        help="The signed page to which the site's proofs lead (see 'checkpoint'); read each time.",
    ),
]
OpenData = Annotated[
    Path | None,
    typer.Option(
        "--data",
        help="The folder of open data that /data gives (see 'export data'; default: the site makes "
        "them after each publication); none: it gives none.",
    ),
]
Demo = Annotated[
    bool,
    typer.Option(
        "--demo",
        help="Serve what 'demo' makes (in rating-ledger-demo, unless --db names it), with a page "
        "for each of its steps.",
    ),
]
DemoFederation = Annotated[
    bool,
    typer.Option(
        "--demo-federation",
        help="Serve a made-up federation of 2,000 people and three years; it is made in "
        "rating-ledger-federation, once.",
    ),
]


_NONE: Final = Path("none")


@dataclass(frozen=True, kw_only=True)
class SiteFiles:
    """What a site reads and writes beside the ledger."""

    office: OfficeUrl = None
    cache: Cache = None
    checkpoint: SignedPage = None
    data: OpenData = None

    @property
    def written_data(self) -> Path | None:
        """The folder of open data that the site does not make itself."""
        return None if self.data == _NONE else self.data


@command("serve")
def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    origin: Origin = None,
    proxy: Proxy = None,
    workers: Workers = 1,
    insecure: Insecure = False,
    demo: Demo = False,
    demo_federation: DemoFederation = False,
    db: Db = None,
    *,
    files: SiteFiles,
) -> None:
    """Serve pages and an API for browsers and programs, until it is stopped."""
    if find_spec("fastapi") is None:
        raise InputRefused("web.not_installed")
    from ledger.service.archives import open_ledger
    from web.server import serve as answer
    from web.settings import (
        OidcSettings,
        WebSettings,
        address_of,
        listen,
        origin_for,
        proxy_of,
    )
    from web.submissions.examples import FACE, hand_over_examples

    federation = _federation(host, port) if demo_federation else None
    ledger = federation or (_demonstrated(db) if demo else settings.db(db))
    open_ledger(ledger).close()  # there is one, before anything is made beside it
    _note_missing({"--checkpoint": files.checkpoint, "--data": files.written_data})
    with (
        closing(listen(host, port)) as bound,
        cache_to_write(files.cache, _say_elsewhere) as cache,
    ):
        site_settings = WebSettings(
            ledger=ledger,
            time_zone=settings.time_zone(),
            days_back=_days_since_federation() if demo_federation else 0,
            federation=settings.federation(),
            webhooks_anywhere=settings.webhooks_anywhere(),
            face=FACE if demo_federation else settings.face(),
            origin=origin_for(bound, host, origin, insecure=insecure),
            cache=cache,
            office=_office(ledger, files.office),
            oidc=OidcSettings.of(os.environ),
            proxies=tuple(proxy_of(each) for each in proxy or ()),
            metrics_token=_metrics_token(),
            demo=demo,
            checkpoint=files.checkpoint or federation_page(federation),
            data=files.written_data,
            data_licence=settings.data_licence(),
            has_data=files.data != _NONE,
        )
        links = hand_over_examples(site_settings) if demo_federation else {}
        answer(
            site_settings, bound, workers=workers,
            notice=lambda: _say_where(site_settings, address_of(bound), links),
        )  # fmt: skip


def _federation(host: str, port: int) -> str:
    """Returns the database of the made-up federation, which takes a minute where there is none."""
    from web.settings import listen

    listen(host, port).close()  # it can be served there
    return str(made_federation(Path(FEDERATION_FOLDER)))


def _days_since_federation() -> int:
    """Returns how many days ago the history of the made-up federation ended."""
    from ledger.examples.federation import LAST_ON

    return (settings.clock()().date() - LAST_ON).days


def _metrics_token() -> str | None:
    """Returns what opens the metrics to others; raises ``InputRefused`` where it can be guessed."""
    token = os.environ.get("RATING_LEDGER_METRICS_TOKEN") or None
    if token is not None and len(token) < _SHORTEST_TOKEN:
        raise InputRefused("serve.short_token", signs=len(token), least=_SHORTEST_TOKEN)
    return token


def _note_missing(named: Mapping[str, Path | None]) -> None:
    """Notes what options name and is not there; it may be put there while the site runs."""
    for option, path in named.items():
        if path is not None and not path.exists():
            note("serve.not_there", option=option, path=path)


def _say_elsewhere(folder: Path, why: Message | str) -> None:
    note("serve.cache_elsewhere", folder=folder, why=why)


def federation_page(ledger: str | None) -> Path | None:
    """Returns the signed page of the made-up federation, if that is served and has one."""
    page = None if ledger is None else Path(ledger).with_name(FEDERATION_PAGE)
    return page if page and page.exists() else None


def _say_where(settings_: WebSettings, here: str, links: Mapping[str, str]) -> None:
    if settings_.origin == here:
        write(say("web.serving", origin=settings_.origin))
    else:
        write(say("serve.behind", origin=settings_.origin, here=here))
    if settings_.demo:
        write(say("serve.demo", page=f"{settings_.origin}/demo"))
    if settings_.checkpoint and (key := settings_.checkpoint.with_name(FEDERATION_KEY)).exists():
        write(say("serve.demo_key", file=key))
    for account, link in links.items():
        write(say("serve.demo_account", account=account, link=link))
    sys.stdout.flush()


def _demonstrated(db: str | None) -> str:
    """Returns the ledger of the demonstration, which is made where it is missing.

    Only an option names another: the settings name a ledger that people work on.
    """
    url = db or FLAGS.db
    if url is not None:
        return url
    named = settings.db(None)
    if named != settings.DEFAULT_DB:
        note("serve.demo_only", db=masked(named))
    return str(main_job().made(Path(DEFAULT_FOLDER)))


def _office(ledger: str, text: str | None) -> str | None:
    """Returns the URL of the office, which is made; None where nobody is to sign in.

    Raises:
        DatabaseError: the one that was said cannot be opened.
    """
    from web.office.store import office_beside, open_office

    url = text or office_beside(ledger)
    if url is None or text == "none":
        return None
    try:
        open_office(url).close()
    except DatabaseError as error:
        if text is not None:
            raise
        note("serve.read_only", why=error.message)
        return None
    return url
