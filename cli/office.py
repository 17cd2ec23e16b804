"""The office of a site beside its ledger, for the commands that look into it or write to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from cli import settings
from cli.session import opened
from ledger.errors import NotFound

if TYPE_CHECKING:
    from web.office.store import Office


def office_url(db: str | None, text: str | None) -> str:
    """Returns where the office is: as it was said (``text``), or beside the ledger.

    Raises:
        NotFound: the ledger has none.
    """
    from web.office.store import office_beside

    url = text or office_beside(settings.db(db))
    if url is None:
        raise NotFound("access.no_office")
    return url


@contextmanager
def office_of(db: str | None, text: str | None) -> Iterator[Office]:
    """Opens the office of a ledger.

    Raises:
        NotFound: the ledger has none.
        DatabaseError: one of them cannot be opened.
    """
    from web.office.store import open_office

    url = office_url(db, text)
    with opened(db):  # a ledger that is not there has no office
        pass
    with closing(open_office(url)) as office:
        yield office
