"""How a rating list looks, and what is said of its publication."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cli.options import Format, ReceiptFormat
from cli.output import emit, note, print_rows, say, table, write
from cli.render.receipts import print_receipt
from cli.settings import language
from ledger.forms.ratings import change_text, rating_text

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.lists.rating_list import ListRow, ListRows, RatingList
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
            edition=rating_list.edition or say("cli.unpublished"),
            seq=rating_list.basis.seq,
            regulation=rating_list.basis.regulation,
        )
        columns = ("rank", "id", "name", "federation", "rating", "games", "change", "k")
        print_rows(out, table(*columns, title=title), chosen, cells, everything=everything)
        if not chosen:
            out.print(say("list.no_row" if rating_list.rows else "list.empty"))

    text = chosen.sheet if chosen else None
    emit(as_, rating_list.shown(chosen).data, chosen.data, render, text)


def publication_data(published: PublishedList) -> dict[str, Any]:
    """Returns the receipt of a publication as JSON data."""
    from ledger.service.receipts import receipt_data

    if published.receipt is None:
        return {"first_seq": None, "last_seq": None, "edition": published.list.edition}
    return receipt_data(published.receipt, language())


def tell_published(published: PublishedList, *, dry_run: bool) -> None:
    """Says what was published, or that nothing has changed."""
    rating_list = published.list
    values = {
        "list": rating_list.list,
        "period": rating_list.period,
        "edition": rating_list.edition,
    }
    if published.receipt is None:
        note("cli.unchanged", **values)
        return
    print_receipt(published.receipt, ReceiptFormat.TABLE)
    if not rating_list.rows:
        note("cli.published_empty", **values)
    if dry_run:
        write(say("cli.would_publish", count=len(rating_list.rows), **values))
    else:
        write(
            say(
                "cli.published",
                count=len(rating_list.rows),
                digest=rating_list.output_sha256(),
                **values,
            )
        )
