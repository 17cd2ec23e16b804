"""Who may play for a team, and on which boards.

Chavarría 1975, EL SISTEMA SUIZO EN TORNEOS POR EQUIPOS: each captain hands in the list of every
round. The order of the regular players does not change. Who is missing on one of the first boards
makes the others move up ("correr"), and the reserve comes in behind; on the last boards (3 and 4 of
four) a reserve may also take the place of who is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.desk.teams import boards_of
from ledger.facts.desk import DeskRecord
from ledger.wording import Message


def reserve_boards(boards: int) -> range:
    """Returns the boards on which reserves play: the last half of them, board 1 where it is alone.

    >>> list(reserve_boards(4)), list(reserve_boards(5)), list(reserve_boards(1))
    ([3, 4], [4, 5], [1])
    """
    return range(boards - max(1, boards // 2) + 1, boards + 1)


def against_rules(
    desk: DeskRecord, team: str, participants: Sequence[str | None]
) -> Message | None:
    """Says which rule a line-up breaks; None where it breaks none.

    ``desk`` has the rules and the team, ``participants`` those who play, from board 1; None where
    nobody does.
    """
    boards = boards_of(desk.rules)
    seated = [one for one in participants if one is not None]
    players = desk.teams[team].players
    if len(participants) > boards:
        return Message.of("team.too_many_boards", count=len(participants), boards=boards)
    for place, player in enumerate(seated):
        if player not in players:
            return Message.of("team.not_of_team", player=player, team=team)
        if player in seated[:place]:
            return Message.of("team.player_twice", player=player)
    if not seated:
        return Message.of("team.nobody_plays", team=team)
    return _out_of_order(participants, players[:boards], boards)


def _out_of_order(
    participants: Sequence[str | None], regulars: Sequence[str], boards: int
) -> Message | None:
    own = {player: board for board, player in enumerate(regulars, start=1)}
    last = 0
    for player in participants:
        if player in own:
            assert player is not None
            if own[player] < last:
                return Message.of("team.order_changed", player=player, before=regulars[last - 1])
            last = own[player]
    moved = any(own[p] != board for board, p in enumerate(participants, start=1) if p in own)
    for board, player in enumerate(participants, start=1):
        if player in own:
            continue
        behind = next((one for one in participants[board:] if one in own), None)
        if player is not None and board not in reserve_boards(boards):
            first = reserve_boards(boards).start
            return Message.of("team.reserve_too_high", player=player, board=board, first=first)
        if behind is not None and (moved or board not in reserve_boards(boards)):
            return Message.of("team.others_move_up", board=board, player=behind)
    return None
