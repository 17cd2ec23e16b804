"""``backup``, ``restore`` and ``copy``: the ledger, and the office beside it, kept elsewhere."""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import settings
from cli.command import command
from cli.options import Db, OfficeUrl, ReceiptFormat, Receipts, Upto
from cli.output import note, progress, say, write, write_json
from cli.render.receipts import restored_key
from cli.session import opened
from ledger.errors import Conflict
from ledger.journal.spool import scratch_folder

if TYPE_CHECKING:
    from ledger.service.archives import Archived
    from ledger.service.backups import LedgerCopy
    from ledger.service.ledger import Ledger
    from ledger.views.view import LedgerView
    from web.office.copies import OfficeCopy
    from web.office.store import Office

Folder = Annotated[Path, typer.Argument(help="The folder of the backup.", metavar="DIR")]
From = Annotated[
    str, typer.Argument(help="The ledger: a database, or archive:DIR.", metavar="FROM")
]
To = Annotated[str, typer.Argument(help="An empty database, or none yet.", metavar="TO")]
_NO_OFFICE = "none"


@command("backup")
def backup(
    folder: Folder,
    office: OfficeUrl = None,
    db: Db = None,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Keep the ledger and its office in a folder, while others write: only what is new since then.

    The folder is for its owner alone. Its ledger is an archive: archive:DIR/ledger.
    """
    from ledger.service.backups import back_up
    from web.office.copies import copy_to_file
    from web.office.store import office_beside

    url = settings.db(db)
    beside = None if office == _NO_OFFICE else office or office_beside(url)
    kept: list[OfficeCopy] = []

    def copied(file: Path) -> bool:
        office_copy = copy_to_file(beside, file) if beside else None
        kept.extend([office_copy] if office_copy else [])
        return bool(office_copy)

    with opened(url) as ledger:
        archived = back_up(ledger, folder, copied)
    key = "cli.backed_up" if archived.done else "cli.backed_up_before"
    _tell(key, archived, kept[0] if kept else None, as_, folder)
    if as_ is not ReceiptFormat.JSON:
        note("cli.backup_is_secret")


@command("restore")
def restore(
    folder: Folder,
    upto: Upto = None,
    office: OfficeUrl = None,
    db: Db = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Prove that it could be restored; no database needed.")
    ] = False,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Restore a backup into an empty ledger, every hash computed anew; a missing file is made.

    With --upto the office's accounts are restored, its submissions and tokens are not.
    """
    from ledger.service.archives import import_archive
    from ledger.service.backups import make_where_missing, open_backup, prove_backup
    from web.office.store import office_beside

    backup_ = open_backup(folder, upto)
    copied: OfficeCopy | None = None
    if dry_run:
        with progress() as tell:
            restored = prove_backup(backup_, upto, tell)
    else:
        url = settings.db(db)
        make_where_missing(url)
        with opened(url) as ledger, ExitStack() as stack:
            target = None
            if office == _NO_OFFICE:
                _give_up(office_beside(url))
            elif backup_.office is not None:
                office_url = office or office_beside(url)
                target = _office_for(stack, ledger, office_url, str(folder.absolute()))
            restored = import_archive(ledger, backup_.ledger, upto=upto)
            if target is not None and backup_.office is not None:
                from web.office.copies import copy_from_file

                copied = copy_from_file(backup_.office, target, is_whole=upto is None)
    _tell(restored_key(dry_run=dry_run, is_done=restored.done), restored, copied, as_, folder)


@command("copy")
def copy(
    source: From,
    target: To,
    as_: Receipts = ReceiptFormat.TABLE,
) -> None:
    """Copy a ledger and the office beside it into another database, every hash computed anew.

    FROM is not changed; what is recorded there meanwhile is not copied. TO gets all of it or
    nothing.
    """
    from ledger.journal.stores.database import dialect_of
    from ledger.service.backups import copy_ledger, make_where_missing
    from web.office.copies import copy_from_file, copy_to_file
    from web.office.store import has_office, office_beside

    copied: OfficeCopy | None = None
    with opened(source) as first:
        make_where_missing(target)
        with opened(target) as second, ExitStack() as stack:
            beside = office_beside(source)
            office = None
            if beside is not None and has_office(beside):
                shown = dialect_of(source).shown
                office = _office_for(stack, second, office_beside(target), shown)
            file = stack.enter_context(scratch_folder()) / "office.db"
            if office is not None and beside is not None:
                # Before the ledger, so that it never speaks of a commit that is lacking.
                copy_to_file(beside, file)
            copied_ledger = copy_ledger(first, second)
            if office is not None:
                copied = copy_from_file(file, office, is_whole=True)
    _tell("cli.copied" if copied_ledger.done else "cli.copied_before", copied_ledger, copied, as_)


def _office_for(stack: ExitStack, ledger: Ledger, url: str | None, source: str) -> Office | None:
    """Opens the empty office of a ledger; None, with a note, where both were there before.

    Where the ledger is empty, too, the office says until it is filled that it is not; unless the
    ledger was not filled either, for a reason that is told.

    Raises:
        Conflict: the office is not empty, and the ledger is: its accounts are those of another.
    """
    from web.office.copies import begin_copy, is_empty
    from web.office.store import open_office

    assert url is not None, "a ledger that is written to may have an office"
    office = stack.enter_context(closing(open_office(url, is_copied=True)))
    is_first = not ledger.journal.head().seq
    if is_empty(office):
        if is_first:
            begin_copy(office, source)
            stack.push(partial(_failed, ledger, office))
        return office
    if is_first:
        raise Conflict("keeping.office_not_empty")
    note("cli.office_stays")
    return None


def _failed(
    view: LedgerView, office: Office, error: type[BaseException] | None, *_: object
) -> None:
    """Lets an office be used as it is, where nothing was copied into the ledger either."""
    from web.office.copies import give_up_copy

    if error is not None and not view.journal.head().seq:
        give_up_copy(office)


def _give_up(url: str | None) -> None:
    """Lets an office that was not filled be used as it is, if there is one."""
    from web.office.copies import give_up_copy
    from web.office.store import has_office, open_office

    if url is not None and has_office(url):
        with closing(open_office(url, is_copied=True)) as office:
            give_up_copy(office)


def _tell(
    key: str,
    archive: Archived | LedgerCopy,
    copied: OfficeCopy | None,
    as_: ReceiptFormat,
    folder: Path | None = None,
) -> None:
    """Says what was copied, of the ledger and of its office, and from or to which folder."""
    data = archive.data() | {"office": copied.data() if copied else None}
    if as_ is ReceiptFormat.JSON:
        write_json(({"backup": str(folder)} if folder else {}) | data)
        return
    counts = {"commits": data["commits"], "events": data["events"]}
    write(say(key, backup=folder, archive=folder, **counts))
    if copied is not None:
        write(say("cli.office_copied", **copied.data()))
    write(say("cli.root", root=data["root"]))
