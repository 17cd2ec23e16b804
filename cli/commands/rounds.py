"""``tournament``: rounds paired, published, shown and taken back; results by board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, TypeAlias

import typer

from cli.command import command
from cli.files import reading
from cli.operations import offer
from cli.options import (
    AfterRound,
    FormOptions,
    RatingsOf,
    Round,
    Tournament,
    WriteOptions,
)
from cli.output import console, emit_form, write_json
from cli.questions import ask
from cli.render.receipts import print_receipt
from cli.session import (
    opened_to_record,
    participant_of,
    recording,
    typed_request,
    viewed,
)
from cli.settings import language
from ledger.operations.tournaments import PairRound, WithdrawRound
from ledger.questions import tournaments as questions
from ledger.typed_values import board_of, result_of

WhichRound: TypeAlias = Annotated[
    int | None, typer.Option("--round", help="The round (default: the next).", min=1)
]


@command("tournament pair")
def pair(
    tournament: Tournament,
    round_: WhichRound = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say why the boards are as they are.")
    ] = False,
    by_hand: Annotated[
        str | None,
        typer.Option(
            "--by-hand",
            metavar="FILE",
            help="Publish these boards instead: a CSV with white and black, by id.",
        ),
    ] = None,
    list_: RatingsOf = None,
    *,
    to: WriteOptions,
) -> None:
    """Pair the next round and publish it; with --dry-run it is only shown."""
    from cli.render.desk import render_round
    from ledger.intake.desk_csv import read_boards
    from ledger.service.desk import publish_round
    from ledger.service.receipts import receipt_data

    with opened_to_record(to) as ledger:
        boards, bye = None, None
        if by_hand is not None:
            with reading(by_hand) as source:
                boards, bye = read_boards(source, by_hand)
        command_ = PairRound(
            tournament=tournament, round=round_, boards=boards, bye=bye, list=list_
        )
        receipt, sheet = publish_round(ledger, command_, typed_request(to))
    if to.format.value == "json":
        write_json({"receipt": receipt_data(receipt, language()), "round": sheet.data(language())})
        return
    render_round(sheet, console(), explain=explain)
    print_receipt(receipt, to)


ask(questions.published_round, "desk")
ask(questions.seats, "desk")
offer("withdraw-round", WithdrawRound)


@command("tournament result", results=True)
def result(
    tournament: Tournament,
    round_: Round,
    board: Annotated[
        str,
        typer.Argument(metavar="BOARD", help="The board, from 1; of teams 3.2, match and board."),
    ],
    result_: Annotated[str, typer.Argument(metavar="RESULT", help="1-0, 0-1, 1/2-1/2, +/- …")],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BOARD RESULT]...", help="Further boards with their results."),
    ] = None,
    *,
    to: WriteOptions,
) -> None:
    """Record the results of boards of a published round, all or none.

    One that was mistyped is typed anew by the same person: before the round is complete, or within
    ten minutes. After that it is corrected (see correct result).
    """
    from ledger.service.boards import typed_boards
    from ledger.service.ledger import body_of

    results_ = [(board, result_), *_boards(more or ())]
    results = [(board_of(place), result_of(text)) for place, text in results_]
    with recording(to) as at:
        games = typed_boards(at.ledger, tournament, round_, results, at.request.actor)
        at.receipt = at.ledger.execute(games, replace(at.request, body=body_of(games)))


def _boards(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields boards and results of which the words are."""
    if len(words) % 2:
        raise typer.BadParameter(words[-1], param_hint="BOARD RESULT")
    yield from zip(words[::2], words[1::2], strict=True)


@command("tournament cards")
def cards(
    tournament: Tournament,
    player: Annotated[
        str | None,
        typer.Argument(
            metavar="PLAYER", help="Only this card: an id, else a starting number, else a name."
        ),
    ] = None,
    after: AfterRound = None,
    list_: RatingsOf = None,
    *,
    options: FormOptions,
) -> None:
    """Show the pairing cards: each player's rounds, colours, opponents and points."""
    from cli.render.desk import render_cards
    from ledger.answers.rounds import tournament_cards
    from ledger.answers.tournaments import tournament_name
    from ledger.forms.cards import cards_page

    with viewed(options) as view:
        sheets = tournament_cards(view, tournament, after=after, list_=list_)
        called = tournament_name(view, tournament)
        if player is not None:
            meant = participant_of(view, sheets, tournament, player)
            sheets = [card for card in sheets if card.id == meant]
    data = [card.data() for card in sheets]
    rows = [
        {"number": card["number"], "id": card["id"], **line}
        for card in data
        for line in card["lines"]
    ]
    about, show = {"tournament": tournament, "cards": data}, partial(render_cards, sheets)
    emit_form(options, about, rows, show, partial(cards_page, called, sheets))
