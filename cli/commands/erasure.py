"""``player erase``: a person's right to be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from cli import settings
from cli.command import command
from cli.options import Player, ReasonedWriteOptions, ReceiptFormat
from cli.output import note, say, write, write_json
from cli.render.receipts import print_receipt
from cli.session import opened, player_of, typed_request
from cli.settings import language
from cli.values import today
from ledger.errors import DatabaseError
from ledger.operations.players import ErasePlayer

if TYPE_CHECKING:
    from ledger.service.erasures import Erasure, SoughtNames
    from web.office.store import Office


@command("player erase", destroys=True)
def erase(player: Player, *, to: ReasonedWriteOptions) -> None:
    """Erase a person: destroy name, sex and birth date for good, and say what is beyond reach.

    The id stays with its games, every hash still verifies, and nothing brings the name back. Given
    again, it destroys what an interrupted erasure has left. The reason is kept: name nobody in it.
    """
    from ledger.service.erasures import erase_player, names_to_erase
    from ledger.views.past import documents_gone, newest_of

    with opened(to.db) as ledger:
        meant = ErasePlayer(player=player_of(ledger, player), on=today())
        request_ = typed_request(to)
        if not to.dry_run:
            _mask_in_office(to.db, names_to_erase(ledger, meant, request_))
        erasure = erase_player(ledger, meant, request_)
        gone = documents_gone(newest_of(ledger))
    if not erasure.receipt.dry_run:
        _untie_in_office(to.db, erasure.players)
    if to.format is ReceiptFormat.JSON:
        write_json(erasure.data(language()))
    else:
        _print(erasure, to)
    if not erasure.receipt.dry_run:
        _forget_in_office(to.db, gone)
    if erasure.trouble is not None:
        raise DatabaseError("cli.erasure_unfinished", why=erasure.trouble)


def _mask_in_office(ledger: str | None, names: SoughtNames) -> None:
    """Masks files that are named after who is to be erased, while the name is known."""
    from web.office.erasures import mask_files

    with _office_of(ledger) as office:
        if office is not None:
            mask_files(office, names.are_in)


def _untie_in_office(ledger: str | None, players: tuple[str, ...]) -> None:
    """Forgets which account was the person's."""
    from web.office.player_ties import untie_players

    with _office_of(ledger) as office:
        if office is not None:
            with office.writing() as connection:
                untie_players(connection, players)


def _forget_in_office(ledger: str | None, gone: int | None) -> None:
    """Throws away what a site keeps beside the ledger; it may not run any more."""
    from web.office.erasures import forget_names

    with _office_of(ledger) as office:
        if office is not None and gone is not None:
            forget_names(office, gone)


@contextmanager
def _office_of(ledger: str | None) -> Iterator[Office | None]:
    """Opens the office of a ledger; gives None where it has none."""
    from web.office.store import has_office, office_beside, open_office

    place = office_beside(settings.db(ledger))
    if place is None or not has_office(place):
        yield None
        return
    with closing(open_office(place)) as office:
        yield office


def _print(erasure: Erasure, to: ReasonedWriteOptions) -> None:
    if erasure.receipt.events:
        print_receipt(erasure.receipt, to)
        key = "cli.would_erase" if erasure.receipt.dry_run else "cli.erased"
        if erasure.trouble is None:
            write(say(key, count=erasure.documents, player=", ".join(erasure.players)))
    elif erasure.trouble is None:
        write(say("cli.erased_before", player=erasure.player))
    note("cli.beyond_reach")
    for message in erasure.beyond_reach():
        note("cli.item", text=message)
