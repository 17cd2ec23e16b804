"""What submissions name somebody who is to be erased: files go with the decision."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Final

from ledger.answers.people_pages import ids_recorded_for
from ledger.errors import DatabaseError, InputRefused
from ledger.intake.document_copy import Copy
from ledger.operations.commands import ErasePlayer
from ledger.service.erasures import SoughtNames, last_erased_at, names_of, names_to_erase
from ledger.service.ledger import Ledger, Request
from ledger.wording import Message
from web.language import cause_of
from web.office.erasures import end_sweep, mask_files, undecided, words
from web.office.player_ties import untie_players
from web.office.store import Office
from web.office.submissions import Submission
from web.site import Site

_DAY: Final = 86_400
_log = logging.getLogger("rating_ledger.web")


def submissions_naming(office: Office, site: Site, player: str) -> tuple[Message, ...]:
    """Returns, for each submission that seems to name a person, what becomes of it.

    What awaits its decision is to be decided. What was written of it stays until an officer takes
    it away: its title, its reason, the comments. Files that are no text, workbooks above all, are
    not searched: each is told.

    Raises:
        NotFound: there is no such player.
        InputRefused: merged into another id.
    """
    names = names_at(site, player)
    return tuple(_told(office, names)) if names else ()


def names_at(site: Site, player: str) -> SoughtNames:
    """Returns the names of a person who is to be erased; none where that was done.

    Raises:
        NotFound: there is no such player.
        InputRefused: merged into another id.
    """
    return site.newest().ask(lambda of: names_of(of, ErasePlayer(player=player, on=of.today)))


def mask_before(office: Office, site: Site, player: str, request_: Request) -> None:
    """Masks files that are named after somebody whom a request is about to erase.

    A title that is masked for nothing does no harm; one that is left, nobody could find again.

    Raises:
        InputRefused, Conflict: it cannot be recorded.
        Forbidden: the account that asks may not do it any more.
        DatabaseError: the office cannot be written; nothing is recorded yet.
    """

    def sought(ledger: Ledger) -> SoughtNames:
        return names_to_erase(ledger, ErasePlayer(player=player, on=ledger.today), request_)

    mask_files(office, site.preview(sought).are_in)


def untie_erased(office: Office, site: Site, player: str) -> None:
    """Forgets which account was that of a person who has been erased.

    Raises:
        DatabaseError: the office cannot be written; a tie to who was erased says nothing.
    """
    ids = site.newest().ask(ids_recorded_for, player)
    with office.writing() as connection:
        untie_players(connection, ids)


def named_in(messages: Sequence[Message]) -> list[str]:
    """Returns the ids of the submissions that are told of."""
    values = (dict(message.values) for message in messages)
    return [str(value_["submission"]) for value_ in values if "submission" in value_]


def is_spared(site: Site, submission: Submission) -> bool:
    """Whether a file was there already when somebody was erased, and was spared for its decision.

    What it names nobody can tell any more. The clocks of the site and of the machine that erased
    may differ: what came a day later counts as well, which costs no more than previews.
    """
    at = site.newest().ask(last_erased_at) if submission.sha256 else None
    return at is not None and submission.made_at <= at.timestamp() + _DAY


def forget_spared(office: Office) -> None:
    """Throws away what was spared and is decided now (see ``begin_sweep``)."""
    try:
        end_sweep(office)
    except DatabaseError as error:  # the decision is taken: whoever opens the site next does it
        _log.warning("names are not forgotten yet: %s", cause_of(error))


def _told(office: Office, names: SoughtNames) -> Iterator[Message]:
    with office.reading() as connection:
        for submission, data in undecided(connection):
            of = {"submission": submission.id, "account": submission.account}
            text = _text(data)
            if names.are_in(f"{submission.content}\n{text or ''}"):
                yield Message.of("erasure.in_submission", **of)
            elif text is None:
                yield Message.of("erasure.in_workbook", **of)
        for id_, account, written in words(connection):
            if names.are_in(written):
                yield Message.of("erasure.in_words", submission=id_, account=account)


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
