"""What waits at the desk of the made-up federation: its accounts, and what was handed in.

The ledger of it is made by ``ledger.examples.federation``, this is its office.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

from ledger.examples.federation import ACCOUNTS, ARBITERS, GAMES_HEADER, LAST_ON, OFFICERS
from ledger.service.archives import open_ledger
from ledger.service.boards import RecordedBoard, recorded_tournament
from ledger.service.ledger import Ledger
from ledger.views.federation import FederationFace
from ledger.wording import Wording
from web.office.accounts import exists, hand_over
from web.office.store import Office, open_office
from web.office.submissions import SubmittedFile
from web.settings import WebSettings
from web.site import Site
from web.submissions.contents import AnyContent, OperationContent
from web.submissions.decisions import SubmissionDesk
from web.submissions.forms import document_of, new_id
from web.submissions.life import StepName

FACE: Final = FederationFace(
    Wording("National Chess Federation", "Federación Nacional de Ajedrez"),
)
"""How the made-up federation is called."""
_SHOWN: Final = (OFFICERS[0], OFFICERS[1], ARBITERS[0])
"""The accounts whose links are said: two officers and an arbiter."""
_DISPUTED: Final = {
    "patria-2026": "the players signed 1-0",
    "bristol-2026": "the result was typed at the wrong board",
    "puerto-2026": "Black's flag had fallen",
}
"""The tournaments of which a drawn game is said to be won, with the reasons."""
_ROUND: Final = 2


def hand_over_examples(settings: WebSettings) -> dict[str, str]:
    """Hands over the accounts of the made-up federation and hands in what waits, once.

    Returns:
        The links by which some accounts are taken into possession; none where it was done before,
        or there is no office.
    """
    if settings.office is None:
        return {}
    with closing(open_office(settings.office)) as office:
        with office.writing() as connection:
            if exists(connection, OFFICERS[0]):
                return {}
            now = office.now()
            links = {
                account: hand_over(connection, account, settings.origin, now)
                for account in ACCOUNTS
            }
        with closing(open_ledger(settings.ledger)) as journal:
            site = Site(Ledger(journal, settings.clock), settings)
            _hand_in(office, site)
    return {account: links[account] for account in _SHOWN}


def _hand_in(office: Office, site: Site) -> None:
    """Hands in what waits, and hands one of it back."""
    desk = SubmissionDesk(office, site)
    for nth, (account, content, file) in enumerate(_contents(site)):
        draft = desk.draft(new_id(), account, content, file)
        desk.take(StepName.HAND_IN, draft, draft.turn, account)
        if nth == 0:
            waiting = desk.found(draft.id)
            why = "Which board was it? The score sheet shows another name."
            desk.take(StepName.HAND_BACK, waiting, waiting.turn, OFFICERS[0], why)


def _contents(site: Site) -> Iterator[tuple[str, AnyContent, SubmittedFile | None]]:
    """Yields who hands in what."""
    for arbiter, (tournament, reason) in zip(ARBITERS, _DISPUTED.items(), strict=True):
        game = next(each for each in _boards(site, tournament) if each.result == "1/2-1/2")
        words = {
            "tournament": tournament,
            "round": str(game.pairing.round),
            "white": game.pairing.white,
            "black": game.pairing.black or "",
            "result": "1-0",
        }
        yield arbiter, OperationContent(what="correct-result", words=words, reason=reason), None
    name = f"tuesday-{LAST_ON:%Y-%m}"
    about = f"{name},Harbour Tuesday Rapid,{LAST_ON},{LAST_ON},swiss,rapid,"
    games = [each for each in _boards(site, "rapido-2026") if each.pairing.black]
    lines = (f"{about},1,,{game.pairing.black},{game.pairing.white},1-0\n" for game in games[:8])
    text = GAMES_HEADER + "".join(lines)
    yield ARBITERS[2], document_of({}, f"{name}.csv", 8), SubmittedFile.of(text.encode())


def _boards(site: Site, tournament: str) -> Sequence[RecordedBoard]:
    return site.newest().ask(recorded_tournament, tournament, _ROUND).boards
