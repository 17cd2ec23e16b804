"""How it looks what a period brings before it is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.output import SHOWN, excerpt, print_rest, say, table, told
from cli.questions import Look
from ledger.rating.decimal_text import signed

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.answers.publication_checks import ListedPlayer, PublicationCheck, RatingMove


def print_check(check: PublicationCheck, out: Console) -> None:
    """Writes what a period brings: what must be acknowledged first, then the rest by sections."""
    values = {"list": check.list, "period": check.period, "edition": check.edition}
    out.print(say("publication.title", **values, players=check.players, before=check.before))
    for each in check.exceeded:
        out.print("! " + told(each.message) + f" ({each.bound})")
    for sentence in check.unfinished:
        out.print("? " + told(sentence))
    if check.restated:
        out.print("? " + say("publication.restated", periods=", ".join(check.restated)))
    tournaments = table("tournament", "name", "games", "late", title=say("publication.tournaments"))
    for each_ in excerpt(check.tournaments, everything=False):
        tournaments.add(each_.tournament, each_.name, each_.games, each_.late)
    out.print(tournaments)
    print_rest(out, min(len(check.tournaments), SHOWN), len(check.tournaments))
    for title, players in (("publication.new", check.new), ("publication.gone", check.gone)):
        _print_players(out, say(title, count=len(players)), players)
    for title, moves in (("publication.up", check.up), ("publication.down", check.down)):
        _print_moves(out, say(title), moves)
    if check.federations:
        shares = (f"{each.federation or '-'} {each.players}" for each in check.federations)
        out.print(say("publication.federations", shares=", ".join(shares)))


def _print_players(out: Console, title: str, players: Sequence[ListedPlayer]) -> None:
    if players:
        table_ = table("id", "name", "rating", title=title)
        for each in excerpt(players, everything=False):
            table_.add(each.id, each.name, each.rating or None)
        out.print(table_)
        print_rest(out, min(len(players), SHOWN), len(players))


def _print_moves(out: Console, title: str, moves: Sequence[RatingMove]) -> None:
    if moves:
        table_ = table("id", "name", "before", "after", "change", title=title)
        for each in moves:
            table_.add(each.id, each.name, each.before, each.after, signed(each.change))
        out.print(table_)


LOOKS: Final[Mapping[str, Look[Any]]] = {"period check": Look(print_check)}
