"""The states of a ledger in which every page is looked at: one history, cut at its turning points.

Each part of the history is recorded on a day of its own, so that a day is a state as well.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from ledger.events.personal import Identity
from ledger.identifiers import Seq
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.desk import board_results, publish_round
from ledger.service.erasures import erase_player
from ledger.service.ladders import make_challenge, open_ladder
from ledger.service.ledger import Ledger
from ledger.service.publications import publish_restated
from ledger.service.retractions import undo_commit
from ledger.terms import PairingMethod, Rate, System
from tests.ledgers import NOW, copied, do, publish_period, request, with_july_published

DAY: Final = dt.date(2010, 9, 4)
PEOPLE: Final = {"M": "Merged Mary", "X": "Xavier Erased", "U": "Undone Una", "V": "Victor"}


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> dt.datetime:
        return self.now


@dataclass(frozen=True)
class History:
    """The journals after each part of a history, with what the last one holds.

    ``heads`` are the last seqs of the parts; ``born`` says from which seq on there is what an
    address may name. ``retracted`` is a correction that was taken back by the event ``retraction``,
    ``undone_at`` the seq by which the registration of U was. ``published`` are the publications.
    """

    parts: dict[str, MemoryJournal]
    heads: dict[str, int]
    clock: Clock
    born: dict[str, int]
    first_day: dt.date
    correction: Seq
    retracted: Seq
    retraction: Seq
    undone_at: Seq
    published: tuple[Seq, ...]


def make_history() -> History:
    """Records the history."""
    clock = Clock()
    ledger = Ledger(with_july_published().journal, clock=clock)
    journal = ledger.journal
    assert isinstance(journal, MemoryJournal)
    parts, heads = {"empty": MemoryJournal()}, {"empty": 0}
    born = {"always": 0, "never": 10**9, "name": 1, "list": 1}
    born |= dict.fromkeys(("player", "opponent", "tournament", "number", "round", "commit"), 20)

    def next_part(name: str) -> None:
        parts[name], heads[name] = copied(journal), ledger.facts().seq
        clock.now += dt.timedelta(days=1)

    def note(*names: str) -> None:
        born.update(dict.fromkeys(names, ledger.facts().seq))

    next_part("first day")
    undone = do(ledger, *people("U"))
    do(ledger, *people("M", "X", "V"))
    note(*PEOPLE)
    events_of_the_desk(ledger)
    note("desk", "teams")
    ladder(ledger)
    note("ladder")
    do(ledger, c.AffiliatePlayer(player="A", club="Club", region="R", licensed_until=None, on=DAY))
    publish_period(ledger, "2010-08")
    next_part("second list published")
    correction = do(ledger, corrected("T1")).last_seq
    assert correction is not None
    born["seq"] = correction
    mistaken = do(ledger, corrected("T2"))
    retraction = undo_commit(ledger, c.UndoCommit(commit=mistaken.commit_id or 0), request())
    next_part("corrected")
    publish_restated(ledger, "ENF", request())
    next_part("published again")
    undo_commit(ledger, c.UndoCommit(commit=undone.commit_id or 0), request())
    undone_at = ledger.facts().seq
    do(ledger, c.MergePlayers(player="M", into="V", on=DAY))
    erase_player(ledger, c.ErasePlayer(player="X", on=clock.now.date()), request("asked for it"))
    next_part("erased, merged and undone people")
    published = tuple(seq for seq, _ in ledger.facts().lists["ENF"].publications)
    born |= {"first list": published[0], "period": published[0], "second list": published[1]}
    assert mistaken.last_seq is not None
    assert retraction.last_seq is not None
    return History(
        parts, heads, clock, born, NOW.date(), correction, mistaken.last_seq, retraction.last_seq,
        undone_at, (*published[:2], published[-1]),
    )  # fmt: skip


def corrected(tournament: str) -> c.CorrectResult:
    return c.CorrectResult(
        tournament=tournament, round=1, white="A", black="B", result=Result.parse("0-1")
    )


def people(*ids: str) -> list[c.RegisterPlayer]:
    return [
        c.RegisterPlayer(
            player=id_, identity=Identity(name=PEOPLE[id_]), salt="0" * 32, federation="CHI", on=DAY
        )
        for id_ in ids
    ]


def events_of_the_desk(ledger: Ledger) -> None:
    """Records two events of the desk, one of players and one of teams, and announces a third."""
    about: dict[str, Any] = {
        "starts_on": DAY,
        "ends_on": DAY,
        "rate_of_play": Rate.CLASSICAL,
        "rounds": 2,
    }
    do(
        ledger,
        c.OpenTournament(tournament="desk", name="Desk", system=System.SWISS, **about),
        c.AnnounceRules(tournament="desk", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="desk", player=player) for player in ("A", "B", "M", "X")),
        c.OpenTournament(tournament="teams", name="Teams", system=System.TEAM_SWISS, **about),
        c.AnnounceRules(tournament="teams", pairing=PairingMethod.TEAM_1975, team_boards=2),
        c.EnterTeam(tournament="teams", team="P", name="P", participants=("A", "B")),
        c.EnterTeam(tournament="teams", team="Q", name="Q", participants=("C", "D")),
        c.AnnounceTournament(
            tournament="later", name="Later", starts_on=NOW.date(), ends_on=NOW.date(),
            rate_of_play=Rate.RAPID, announced_by="Club",
        ),
    )  # fmt: skip
    for name, board in (("desk", 1), ("teams", (1, 1))):
        publish_round(ledger, c.PairRound(tournament=name), request())
        do(ledger, *board_results(ledger, name, 1, [(board, Result.parse("1-0"))]))


def ladder(ledger: Ledger) -> None:
    """Opens a ladder with a challenge."""
    open_ladder(
        ledger, "Club", list_="ENF", players="ABCD", on=DAY, as_given=True, request=request()
    )
    make_challenge(
        ledger, "Club", ("B", "A"), on=DAY, ends_on=DAY + dt.timedelta(days=20),
        rate_of_play=Rate.CLASSICAL, tournament=None, title=None, override=None, request=request(),
    )  # fmt: skip
