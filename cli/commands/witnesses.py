"""``witness``: others who say that they saw a checkpoint, and that the ledger only grew."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import settings
from cli.command import command
from cli.files import writing
from cli.options import As, Db, Format
from cli.output import emit, say, table, told, write
from cli.session import opened
from cli.signing_keys import key_text, signed_page_of, text_of
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.proofs.policy import Policy
    from ledger.trust.witnesses import WitnessAnswer

PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        help="The file that names the witnesses, a C2SP tlog-policy (default: "
        "rating-ledger.policy).",
    ),
]


@command("witness add")
def add(
    key: Annotated[str, typer.Argument(help="Its public key: name+hash+base64, or a file.")],
    url: Annotated[str, typer.Argument(help="Its address; 'add-checkpoint' comes behind it.")],
    policy: PolicyFile = None,
) -> None:
    """Name a witness; groups and the quorum are written into the file by hand."""
    from ledger.proofs.cosignatures import Witness
    from ledger.proofs.policy import BEGUN, with_witness
    from ledger.trust.witnesses import check_address

    check_address(url)
    witness, file = Witness.parse(key_text(key)), settings.policy(policy)
    text = text_of(file) if file.exists() else BEGUN
    _rewrite(file, with_witness(text, witness, url))
    write(say("witness.added", name=witness.name, file=file))


@command("witness list")
def list_(policy: PolicyFile = None, as_: As = Format.TABLE) -> None:
    """List the witnesses, and how many of them must cosign."""
    named = _policy(settings.policy(policy))
    _, least = named.count(named.quorum, set())
    rows = [
        {"witness": name, "url": named.addresses.get(name), "key": str(witness)}
        for name, witness in named.witnesses.items()
    ]

    def render(out: Console) -> None:
        table_ = table("witness", "url", "key")
        for row in rows:
            table_.add(*(row[name] or "-" for name in ("witness", "url", "key")))
        out.print(table_)
        if named.has_quorum(set()):
            out.print(say("witness.no_quorum"))
        else:
            out.print(say("witness.quorum", quorum=named.quorum, least=least))

    emit(as_, {"quorum": named.quorum, "witnesses": rows}, rows, render)


@command("witness remove", destroys=True)
def remove(
    name: Annotated[str, typer.Argument(help="Its name in the file.")], policy: PolicyFile = None
) -> None:
    """Name a witness no more; one that a group or the quorum names has to leave these first."""
    from ledger.proofs.policy import without_witness

    file = settings.policy(policy)
    _rewrite(file, without_witness(text_of(file), name))
    write(say("witness.removed", name=name, file=file))


@command("witness ask")
def ask(
    page: Annotated[
        Path, typer.Argument(help="The signed page; cosignatures are put into it.", metavar="PAGE")
    ],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            help="Sign a new page first with this secret key; it takes the place of PAGE when "
            "enough have cosigned.",
        ),
    ] = None,
    policy: PolicyFile = None,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Ask every witness to cosign a checkpoint. Exit 3, if fewer than the policy wants did."""
    from ledger.journal.checkpoint import Signer
    from ledger.proofs.check import check_witnesses
    from ledger.trust.proofs import signed_now
    from ledger.trust.witnesses import ask_witnesses

    now = int(dt.datetime.now(dt.UTC).timestamp())
    with opened(db) as ledger:
        named = _policy(settings.policy(policy))
        if key is None:
            signed = signed_page_of(page)
        else:
            signed = signed_now(ledger, Signer.parse(key_text(key)), None)
        cosigned, answers = ask_witnesses(ledger, signed, named, now)
    failure: LedgerError | None = None
    try:
        check_witnesses(cosigned, named, now)
    except LedgerError as too_few:
        failure = too_few
    # An older page that enough have cosigned is worth more than a newer one with too few.
    if failure is None or key is None:
        _rewrite(page, cosigned.note())
    rows = [each.data(settings.language()) for each in answers]
    data = {"size": cosigned.size, "root": cosigned.root.hex(), "witnesses": rows}
    emit(as_, data, rows, lambda out: _render(answers, out))
    if failure is not None:
        raise failure


def _render(answers: tuple[WitnessAnswer, ...], out: Console) -> None:
    for each in answers:
        if each.time is not None:
            out.print(say("proof.cosigned", name=each.witness, at=each.cosigned_at))
        elif each.trouble is not None:
            why = told(each.trouble)
            out.print(say("witness.refused", name=each.witness, why=why), style="red")


def _policy(file: Path) -> Policy:
    from ledger.proofs.policy import parse_policy

    return parse_policy(text_of(file))


def _rewrite(file: Path, text: str) -> None:
    with writing(file) as out:
        out.write(text.encode())
