"""What awaits its decision and names somebody who is to be erased: no erasure reaches it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.application.erasures import SoughtNames, names_of
from ledger.errors import InputRefused
from ledger.intake.document_copy import Copy
from ledger.registrar.commands import ErasePlayer
from ledger.wording import Message
from web.office.erasures import undecided
from web.office.store import Office
from web.site import Site


def undecided_with(office: Office, site: Site, player: str) -> tuple[Message, ...]:
    """Returns, for each submission that seems to name a person, what is to be done with it.

    Files that are no text, workbooks above all, are not searched: each is told.

    Raises:
        InputRefused: there is no such player.
    """
    names = site.record(lambda of: names_of(of, ErasePlayer(player=player, on=of.today)))
    return tuple(_told(office, names)) if names.words else ()


def _told(office: Office, names: SoughtNames) -> Iterator[Message]:
    with office.reading() as connection:
        for submission, data in undecided(connection):
            of = {"submission": submission.id, "account": submission.account}
            text = _text(data)
            if names.are_in(f"{submission.content}\n{text or ''}"):
                yield Message.of("erasure.in_submission", **of)
            elif text is None:
                yield Message.of("erasure.in_workbook", **of)


def _text(data: bytes) -> str | None:
    """Returns the text of a file; None where it is none."""
    with Copy(data) as copy:
        if copy.is_workbook:
            return None
        try:
            copy.decode(None)
        except InputRefused:
            return None
        return copy.text()
