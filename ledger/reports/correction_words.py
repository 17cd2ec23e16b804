"""A correction in words: what was wrong, whom it moved, and who decided it.

Names of players stand as people say them. Accounts stand by their roles, their names behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ledger.facts.accounts import AccountFacts, Grant
from ledger.identifiers import Seq
from ledger.reports.cascade import (
    CascadeRow,
    CorrectedItem,
    Correction,
    CorrectionReport,
)
from ledger.results import Result, Termination, result_in_words
from ledger.spelling import spoken
from ledger.terms import Role
from ledger.wording import Message

_NAMED: Final = 2  # of those who are moved


def title_of(correction: Correction) -> Message:
    """Return what was wrong, and whether that was taken back; of several things the first."""
    title = _title(correction.items[0])
    if correction.events > 1:
        title = Message.of("story.several", count=correction.events, first=title)
    return Message.of("story.no_longer", title=title) if correction.taken_back else title


def _title(item: CorrectedItem) -> Message:
    players = list(dict.fromkeys(each.surname for each in item.players))
    about = " – ".join(players) or item.title or item.tournament or ""
    was, now = _ending(item.was), _ending(item.now)
    if item.type == "result.corrected" and was and now and was != now:
        return Message.of("story.was_now", was=was, now=now, about=about)
    kind = Message.of(f"correction.{item.type.replace('.', '_').replace('-', '_')}")
    return Message.of("story.of_kind", kind=kind, about=about) if about else kind


def _ending(result: str | None) -> Message | None:
    """Returns how a game ended; None for what is no result of a game."""
    try:
        read = Result.parse(result or "")
    except ValueError:
        return None
    if read.termination is Termination.FORFEIT:
        return Message.of("story.forfeit", result=str(read))
    if not read.standard:
        return Message.of("story.ruled", result=str(read))
    white, black = read.halves
    if white == black:
        return Message.of("story.draw")
    return Message.of("story.white" if white > black else "story.black")


def lead_of(report: CorrectionReport) -> Message:
    """Returns whom it moved, and by how much: two of them by name, the others counted."""
    if not report.cascade.lists:
        return Message.of("picture.nothing_moves")
    of_list = max(report.cascade.lists, key=lambda each: each.players)
    parties = [each.id for each in report.correction.items[0].players]
    direct = [row for row in of_list.rows if row.id in parties]
    named = sorted(direct, key=lambda row: parties.index(row.id)) or of_list.rows[:_NAMED]
    moves = tuple(map(_move, named))
    others = [row for row in of_list.rows if row not in named]
    if not others:
        return Message.of("story.moved", list=of_list.list, moves=moves)
    more = {"list": of_list.list, "moves": moves, "count": of_list.players - len(named)}
    points = [abs(cell.points) for row in others for cell in row.cells if cell and cell.points]
    if not points:  # ratings only came, or went
        return Message.of("story.moved_others", **more)
    return Message.of("story.moved_more", **more, most=max(points))


def _move(row: CascadeRow) -> Message:
    cells = [cell for cell in row.cells if cell is not None]
    largest = max(cells, key=lambda cell: abs(cell.points or 0))
    points, name = largest.points, spoken(row.name or row.id)
    if not points:
        between = f"{largest.before or '–'} → {largest.after or '–'}"
        return Message.of("story.shifts", name=name, between=between)
    return Message.of("story.gains" if points > 0 else "story.loses", name=name, count=abs(points))


# Who asked for it, who decided it


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that somebody did about a correction, by their roles.

    ``accounts`` did it; none where the sentence says their names, since no role of theirs is known.
    """

    words: Message
    accounts: tuple[str, ...] = ()


def deeds_of(correction: Correction, accounts: Mapping[str, AccountFacts]) -> list[Deed]:
    """Returns who asked for a correction and who decided it, as far as that was somebody else."""
    seq, tournament = correction.seq, correction.items[0].tournament
    decider, asker = correction.decided_by, correction.asked_by
    decider_role = _role(accounts.get(decider), seq, tournament)
    if asker is None:
        return [_deed("story.decided", decider, decider_role)]
    asker_role = _role(accounts.get(asker), seq, tournament)
    if asker_role == decider_role == _OFFICER:
        return [Deed(Message.of("story.decided_by_two"), (asker, decider))]
    return [_deed("story.asked", asker, asker_role), _deed("story.decided", decider, decider_role)]


def entry_of(item: CorrectedItem, accounts: Mapping[str, AccountFacts]) -> Deed:
    """Returns who entered what was corrected; something was."""
    assert item.entered_by is not None
    role = _role(accounts.get(item.entered_by), item.seq, item.tournament)
    return _deed("story.entered", item.entered_by, role, was=result_in_words(item.was))


def _deed(key: str, account: str, role: Message | None, **values: str) -> Deed:
    if role is None:
        return Deed(Message.of(key, by=account, **values))
    return Deed(Message.of(key, by=role, **values), (account,))


_OFFICER: Final = Message.of("story.officer")
_ROLES: Final = {
    Grant(Role.OFFICER): _OFFICER,
    Grant(Role.ARBITER): Message.of("story.arbiter"),
    Grant(Role.ADMINISTRATOR): Message.of("story.administrator"),
}


def _role(account: AccountFacts | None, seq: Seq, tournament: str | None) -> Message | None:
    """Returns what an account is and already was at a seq; None: that is not known."""
    grants = {} if account is None else account.grants
    held = {grant for grant, (since, _) in grants.items() if since < seq}
    if tournament is not None and Grant(Role.ARBITER, tournament) in held:
        return Message.of("story.own_arbiter")
    return next((words for grant, words in _ROLES.items() if grant in held), None)
