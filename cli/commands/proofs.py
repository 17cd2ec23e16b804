"""``prove`` and ``check``: proofs for others, and whether one is right."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.command import command
from cli.files import writing
from cli.options import As, Db, Edition, Format, OutputFile, SignNow
from cli.output import emit, say
from cli.session import opened, player_of
from cli.signing_keys import bytes_of, key_text, policy_of, signed_page_of, text_of
from ledger.errors import InputRefused
from ledger.identifiers import Seq

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.journal.checkpoint import Checkpoint
    from ledger.proofs.consistency import ConsistencyProof
    from ledger.proofs.tlog_proof import TlogProof
    from ledger.trust.proofs import CheckedProof
    from ledger.views.view import LedgerView

_HOLDS = {
    "event": "proof.holds_event",
    "list": "proof.holds_list",
    "row": "proof.holds_row",
}
_MOST_BYTES = 1 << 30  # of the file that a proof is about


@dataclass(frozen=True, kw_only=True)
class ProofOptions:
    """What a proof leads to, and where it is written."""

    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", help="The signed page that it leads to, made earlier by 'checkpoint'."
        ),
    ] = None
    key: SignNow = None
    origin: Annotated[
        str | None, typer.Option("--origin", help="Names this ledger (default: the key's name).")
    ] = None
    output: OutputFile = None
    db: Db = None


@command("prove event")
def prove_event(
    seq: Annotated[int, typer.Argument(help="The event's seq.", min=1)], *, to: ProofOptions
) -> None:
    """Write the proof that an event is in the ledger, for whoever trusts only a key."""
    from ledger.trust import proofs

    with opened(to.db) as ledger:
        _write(proofs.prove_event(ledger, Seq(seq), _page(ledger, to)), to)


@command("prove list")
def prove_list(
    name: Annotated[str, typer.Argument(help="The list's name.")],
    period: Annotated[str, typer.Argument(help="The period, as 2011-01.")],
    edition: Edition = None,
    *,
    to: ProofOptions,
) -> None:
    """Write the proof of a published list; 'check' holds the list's file against it."""
    from ledger.trust import proofs

    with opened(to.db) as ledger:
        _write(proofs.prove_list(ledger, name, period, edition, _page(ledger, to)), to)


@command("prove player")
def prove_player(
    player: Annotated[str, typer.Argument(help="The player's id, or the name.")],
    list_: Annotated[str, typer.Option("--list", help="The rating list.")],
    period: Annotated[str, typer.Option("--period", help="The period, as 2011-01.")],
    edition: Edition = None,
    *,
    to: ProofOptions,
) -> None:
    """Write the proof of one player's row of a published list; it names nobody."""
    from ledger.trust import proofs

    with opened(to.db) as ledger:
        page = _page(ledger, to)
        publication = proofs.edition_named(ledger, list_, period, edition, page)
        _write(proofs.prove_player(ledger, player_of(ledger, player), publication, page), to)


@command("prove consistency")
def prove_consistency(
    old: Annotated[str, typer.Argument(help="The earlier checkpoint's file, or its size.")],
    new: Annotated[
        str | None, typer.Argument(help="The later checkpoint's file, or its size (default: now).")
    ] = None,
    *,
    to: ProofOptions,
) -> None:
    """Write the proof that a later checkpoint continues an earlier one."""
    from ledger.trust import proofs

    with opened(to.db) as ledger:
        earlier = _named_page(old)
        named = None if new is None else _named_page(new)
        _require_one_page(to, named)
        later = _page(ledger, to, named) if named is None or isinstance(named, int) else named
        _write(proofs.prove_consistency(ledger, earlier, later), to)


@command("check")
def check(
    proof: Annotated[Path, typer.Argument(help="The file of a proof (see 'prove').")],
    file: Annotated[
        Path | None,
        typer.Argument(help="What it is about: the published list, or the earlier checkpoint."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", help="The key that must have signed: its file, or its text."),
    ] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", help="Whose signatures count: a C2SP tlog-policy.")
    ] = None,
    as_: As = Format.TABLE,
) -> None:
    """Check a proof; no database is needed. Exit 3, if it does not hold."""
    from ledger.trust.proofs import checked

    document = None if file is None else bytes_of(file, _MOST_BYTES)
    now = dt.datetime.now(dt.UTC)
    found = checked(text_of(proof), policy_of(key, policy), now, document)
    data = found.data()
    emit(as_, data, [data], lambda out: _render(found, out))


def _render(found: CheckedProof, out: Console) -> None:
    """Says what a proof has shown."""
    for sentence in _sentences(found):
        out.print(sentence, soft_wrap=True)
    out.print(say("proof.holds"), style="green")


def _sentences(found: CheckedProof) -> Iterator[str]:
    if found.kind == "consistency":
        yield say("proof.holds_consistency", size=found.continues, later=found.size)
    else:
        payload = found.payload or {}
        values = {name: payload.get(name) for name in ("list", "period", "edition")}
        if found.row is not None:
            values |= {name: found.row[name] for name in ("id", "rating")}
        yield say(_HOLDS[found.kind], seq=found.seq, type=found.type, **values)
    if found.document:
        yield say("proof.holds_document")
    if found.commit is not None:
        who = {name: found.commit.get(name) for name in ("actor", "recorded_at", "reason")}
        yield say("proof.recorded" if who["reason"] else "proof.recorded_silently", **who)
    yield say("proof.signed", name=found.signed_by, origin=found.origin, size=found.size)
    for each in found.cosigned:
        yield say("proof.cosigned", name=each.witness, at=each.at)


def _write(proof: TlogProof | ConsistencyProof, to: ProofOptions) -> None:
    with writing(to.output) as out:
        out.write(proof.text().encode())


def _page(view: LedgerView, to: ProofOptions, size: int | None = None) -> Checkpoint:
    """Returns the checkpoint that a proof leads to: as named, or signed now at a size."""
    from ledger.journal.checkpoint import Signer
    from ledger.trust.proofs import signed_now

    _require_one_page(to)
    if to.checkpoint is not None:
        return signed_page_of(to.checkpoint)
    if to.key is None:
        raise InputRefused("proof.needs_signer")
    return signed_now(view, Signer.parse(key_text(to.key)), to.origin, size)


def _require_one_page(to: ProofOptions, later: Checkpoint | int | None = None) -> None:
    """Raises ``InputRefused`` where two checkpoints are named; a size is of one signed now."""
    is_size = isinstance(later, int)
    is_signed_now = is_size or to.key is not None or to.origin is not None
    is_file = later is not None and not is_size
    if sum((to.checkpoint is not None, is_signed_now, is_file)) > 1:
        raise InputRefused("proof.one_page")


def _named_page(text: str) -> Checkpoint | int:
    """Returns the checkpoint in a file, or the size that was said."""
    return int(text) if text.isascii() and text.isdigit() else signed_page_of(Path(text))
