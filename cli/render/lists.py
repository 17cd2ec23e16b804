"""How a rating list looks, and what is said of its publication, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cli.options import Format, ReasonedWriteOptions
from cli.output import (
    SHOWN,
    console,
    emit,
    excerpt,
    note,
    print_rest,
    print_rows,
    say,
    table,
    told,
    write,
)
from cli.questions import Look
from cli.render.receipts import print_receipt
from cli.settings import language
from ledger.forms.page import change_text, rating_text
from ledger.rating.decimal_text import signed

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.answers.publication_checks import ListedPlayer, PublicationCheck, RatingMove
    from ledger.lists.rating_list import ListRow, ListRows, Move, RatingList
    from ledger.service.publications import PublishedList


def emit_list(rating_list: RatingList, chosen: ListRows, as_: Format, *, everything: bool) -> None:
    """Writes a list, or what was chosen of its rows."""

    def cells(row: ListRow) -> Iterator[object]:
        yield from (row.rank, row.id, row.name, row.federation)
        yield rating_text(row.rating, say, lost=row.id in rating_list.lost)
        yield from (row.games, change_text(row.rating, row.change, say), row.k)

    def render(out: Console) -> None:
        title = say(
            "cli.list_title",
            list=rating_list.list,
            period=rating_list.period,
            on=rating_list.published_on,
            edition=say("cli.edition", edition=rating_list.edition)
            if rating_list.edition
            else say(f"player.state_{rating_list.state}", on=rating_list.published_on),
            seq=rating_list.basis.seq,
            regulation=rating_list.basis.regulation,
        )
        columns = ("rank", "id", "name", "federation", "rating", "games", "change", "k")
        print_rows(out, table(*columns, title=title), chosen, cells, everything=everything)
        if not chosen:
            out.print(say("list.no_row" if rating_list.rows else "list.empty"))

    text = chosen.sheet if chosen else None
    emit(as_, rating_list.shown(chosen).data, chosen.data, render, text)


def print_moves(out: Console, moves: Sequence[Move], *, everything: bool) -> None:
    """Print who entered, who left and who moved between two lists."""

    def cells(move: Move) -> Iterator[object]:
        yield from (say(f"move.{move.kind}"), move.id, move.name)
        yield from (move.before, move.after, signed(move.points))

    if not moves:
        out.print(say("list.no_difference"))
        return
    table_ = table("what", "id", "name", "before", "after", "change")
    print_rows(out, table_, moves, cells, everything=everything)


def publication_data(published: PublishedList) -> dict[str, Any]:
    """Returns the receipt of a publication as JSON data."""
    from ledger.service.receipts import receipt_data

    if published.receipt is None:
        return {"first_seq": None, "last_seq": None, "edition": published.list.edition}
    return receipt_data(published.receipt, language())


def tell_published(
    published: PublishedList, to: ReasonedWriteOptions, *, with_receipt: bool = True
) -> None:
    """Says what was published, or that nothing has changed; first its receipt, if that is wanted.

    Lists that one commit published have the same receipt.
    """
    rating_list = published.list
    values = {
        "list": rating_list.list,
        "period": rating_list.period,
        "edition": rating_list.edition,
    }
    if published.receipt is None:
        note("cli.unchanged", **values)
        return
    if with_receipt:
        print_receipt(replace(published.receipt, shifts=None), to)
    if published.moves:
        print_moves(console(), published.moves, everything=False)
    if not rating_list.rows:
        note("cli.published_empty", **values)
    key = "cli.would_publish" if to.dry_run else "cli.published"
    write(say(key, count=len(rating_list.rows), **values))
    if to.verbose and not to.dry_run:
        write(f"sha256 {rating_list.output_sha256()}")


def print_check(check: PublicationCheck, out: Console) -> None:
    """Writes what a period brings: what must be acknowledged first, then the rest by sections."""
    values = {"list": check.list, "period": check.period, "edition": check.edition}
    out.print(say("publication.title", **values, players=check.players, before=check.before))
    for each in check.exceeded:
        out.print("! " + told(each.message) + f" ({each.bound})")
    for sentence in check.unfinished:
        out.print("? " + told(sentence))
    for report in check.late_reports:
        out.print("? " + told(report.message))
    if check.restated:
        out.print("? " + say("publication.restated", periods=", ".join(check.restated)))
    tournaments = table("tournament", "name", "games", "late", title=say("publication.tournaments"))
    for each_ in excerpt(check.tournaments, everything=False):
        late = say("column.late") if each_.late else None
        tournaments.add(each_.tournament, each_.name, each_.games, late)
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
