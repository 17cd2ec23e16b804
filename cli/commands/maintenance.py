"""``verify``, ``checkpoint``, ``doctor``: keeping a ledger trustworthy."""

from __future__ import annotations

import datetime as dt
import os
import platform
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import settings
from cli.command import command
from cli.files import not_read, not_written
from cli.options import Db, ReadOptions
from cli.output import emit, emit_table, note, say, table, write
from cli.session import opened
from cli.signing_keys import key_text, policy_of
from ledger.derived.private_folders import trouble_with
from ledger.derived.store import EntryPlace, store_of_user
from ledger.disk import system_said
from ledger.errors import DatabaseError, InputRefused, LedgerError
from ledger.journal.stores.permissions import PRIVATE, open_new

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.intake.earlier_faults import EarlierFault
    from ledger.journal.checkpoint import Checkpoint
    from ledger.journal.interface import Journal


@command("verify")
def verify(
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="A page made earlier by 'checkpoint'.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", help="The key that must have signed it: its file, or its text."),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option("--policy", help="Who must have signed and cosigned it: a C2SP tlog-policy."),
    ] = None,
    *,
    options: ReadOptions,
) -> None:
    """Verify everything: hashes, density, roots, triggers, published lists; exit 3 if not."""
    from ledger.service.archives import prove_archive
    from ledger.trust.verification import failure_of
    from ledger.trust.verification import verify as check

    against = None if checkpoint is None else _page(checkpoint)
    signature = _signature(against, key, policy)
    with opened(options.db) as ledger:
        prove_archive(ledger)
        found = check(ledger, against)
    data = found.data(settings.language()) | {"signature": signature}

    def render(out: Console) -> None:
        seen = found.integrity
        out.print(say("cli.verified", commits=seen.commits, events=seen.events, lists=found.lists))
        out.print(say("cli.root", root=seen.root))
        if found.left_out:
            sentence = say("cli.people_left_out", count=found.left_out)
            out.print(sentence, style="yellow")
        if seen.erased:
            counts = {"count": seen.erased, "lists": found.nameless}
            out.print(say("cli.lists_without_names", **counts), style="yellow")
        if found.signed:
            out.print(say("cli.signed", count=found.signed))
        if found.findings:
            for finding in found.findings:
                place = f"seq {finding.seq}: " if finding.seq else ""
                text = finding.message.within(settings.language())
                out.print(f"  {place}{text}", style="red")
        else:
            out.print(say("cli.all_well"), style="green")
            if against is None:
                out.print(say("cli.only_a_checkpoint"), style="dim")
            else:
                out.print(say("cli.checkpoint_holds", size=against.size))

    emit(options.format, data, data["findings"], render)
    failure = failure_of(found)
    if failure is not None:
        raise failure


def _page(file: Path) -> Checkpoint:
    from ledger.journal.checkpoint import parse

    try:
        return parse(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise not_read(file, error) from error


def _signature(page: Checkpoint | None, key: str | None, policy: Path | None) -> str | None:
    """Checks who signed a page, if a key or a policy is given, and warns where that is left out.

    Returns:
        "checked"; "not checked", because no key was given; "unsigned"; None without a page.

    Raises:
        InputRefused: a policy is given, and no page.
        VerificationFailed: the page is not signed with the key, or not as the policy wants it.
    """
    from ledger.journal.checkpoint import Verifier, check_signature
    from ledger.proofs.check import check_checkpoint

    if page is None:
        if policy is not None:
            raise InputRefused("witness.needs_page")
        if key is not None:
            note("cli.key_without_checkpoint")
        return None
    if policy is not None:
        now = int(dt.datetime.now(dt.UTC).timestamp())
        check_checkpoint(page, policy_of(key, policy), now)
        return "checked"
    if key is not None:
        check_signature(page, Verifier.parse(key_text(key)))
        return "checked"
    if not page.signatures:
        return "unsigned"
    note("cli.signature_not_checked")
    return "not checked"


@command("checkpoint")
def checkpoint(
    origin: Annotated[
        str | None,
        typer.Option(
            "--origin",
            help="Names this ledger (default: the key's name, without a key rating-ledger).",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", help="Sign it with this secret key (see 'key'): its file, or text."),
    ] = None,
    db: Db = None,
) -> None:
    """Write a checkpoint; kept elsewhere, it can tell a journal that was cut or rewritten."""
    from ledger.journal.checkpoint import Signer, make_checkpoint

    signer = None if key is None else Signer.parse(key_text(key))
    if origin is None:
        origin = "rating-ledger" if signer is None else signer.name
    with opened(db) as ledger:
        write(make_checkpoint(ledger.journal, origin, signer).note().rstrip("\n"))


@command("key")
def key(
    name: Annotated[str, typer.Argument(help="Who signs: a name without blanks.")],
    file: Annotated[Path, typer.Argument(help="Where the secret key goes; a new file.")],
) -> None:
    """Make a key to sign with, commits or checkpoints; writes the public one, no secret."""
    from ledger.journal.checkpoint import Signer

    signer = Signer.generate(name)
    try:
        with os.fdopen(open_new(file, PRIVATE), "w", encoding="utf-8") as out:
            out.write(f"{signer.secret()}\n")
    except OSError as error:
        raise not_written(file, error) from error
    write(str(signer.verifier))


@command("segments")
def segments(
    drop: Annotated[
        bool, typer.Option("--drop", help="Throw them and all snapshots away; they are made again.")
    ] = False,
    *,
    options: ReadOptions,
) -> None:
    """Show what is sealed: events packed into columns, from which questions are answered fast."""
    with opened(options.db) as ledger:
        if drop:
            _refuse_archive(options.db)
            note(_dropped(ledger.journal))
        rows = [
            {
                "first_seq": segment.first_seq,
                "last_seq": segment.last_seq,
                "bytes": len(segment.heading) + len(segment.rows),
                "root": segment.root,
            }
            for segment in ledger.journal.segments()
        ]
    columns = ("first_seq", "last_seq", "bytes", "root")
    emit_table(options, {"segments": rows}, rows, columns)


def _dropped(journal: Journal) -> str:
    """Throws segments and snapshots away; returns the key of what is to be said of it."""
    from ledger.derived.segments import anything_kept

    if not anything_kept(journal):
        return "cli.segments_none"
    dropped = journal.drop_segments() and journal.drop_snapshots()
    return "cli.segments_dropped" if dropped else "cli.segments_busy"


def _refuse_archive(db: str | None) -> None:
    from ledger.service.archives import archive_at

    folder = archive_at(settings.db(db))
    if folder is not None:
        raise DatabaseError("archive.read_only", archive=folder)


@command("doctor")
def doctor(*, options: ReadOptions) -> None:
    """Look at the environment, the database and the recorded facts without changing anything.

    Faults that earlier versions recorded are listed, each with the commands that mend it.
    """
    from importlib.metadata import version

    from cli.tables import Kind
    from ledger.rating import c_kernel
    from ledger.service.archives import look_at

    found, trouble = look_at(settings.db(options.db))
    facts = {
        "rating-ledger": version("rating-ledger"),
        "Python": platform.python_version(),
        "platform": platform.platform(),
        **{name: version(name) for name in ("sqlalchemy", "alembic", "pydantic", "numpy")},
        "pyarrow": version("pyarrow") if find_spec("pyarrow") else say("cli.not_installed"),
        "kernel": say("cli.kernel_compiled" if c_kernel.kernel() else "cli.kernel_numpy"),
        "language": settings.language(),
        "vouchers": _vouchers(),
        **found,
    }
    faults: list[EarlierFault] = []
    can_read = found.get("backend") != "archive" or find_spec("pyarrow") is not None
    if trouble is None and can_read:
        try:
            faults = _recorded_faults(options.db)
        except LedgerError as error:  # what is damaged cannot be looked into
            trouble = error
    listed = [fault.data(settings.language()) for fault in faults]
    data = {"ok": trouble is None, **facts, "recorded_faults": listed}

    def render(out: Console) -> None:
        table_ = table("what", "value", value=Kind.TEXT)
        for name, value in facts.items():
            table_.add(name, value)
        out.print(table_)
        if faults:
            out.print(say("doctor.faults", count=len(faults)), style="yellow")
        for fault in faults:
            out.print(f"- {fault.message.within(settings.language())}", style="yellow")
            for line in fault.commands:
                out.print(f"    {line}", soft_wrap=True)

    emit(options.format, data, [data], render)
    if (may := found.get("others_may", "-")) != "-":
        key = "cli.others_write" if "write" in may else "cli.others_read"
        note(key, url=found["url"])
    if trouble is not None:
        raise trouble


def _recorded_faults(db: str | None) -> list[EarlierFault]:
    """Return the faults that earlier versions recorded.

    Raises a ``LedgerError`` where the ledger cannot be opened or is damaged.
    """
    from ledger.intake.earlier_faults import earlier_faults

    with opened(db) as ledger:
        return list(earlier_faults(ledger))


def _vouchers() -> str:
    """Returns where this user's vouchers are, or why they are not used."""
    folder = store_of_user().folder(EntryPlace.DATABASE)
    if folder is None:
        return say("cli.vouchers_nowhere")
    try:
        trouble = trouble_with(folder)
    except FileNotFoundError:
        return str(folder)  # made with the first of them
    except OSError as error:
        return say("cli.vouchers_unused", folder=folder, why=system_said(error))
    return say("cli.vouchers_unused", folder=folder, why=trouble) if trouble else str(folder)
