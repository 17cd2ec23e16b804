"""Ladders of clubs: opened, joined, challenged on, shown, with the ratings of their list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.answers.lists import rating_on
from ledger.errors import InputRefused, NotFound
from ledger.facts.columns import Facts
from ledger.facts.ladder import LadderFacts
from ledger.journal.records import Head
from ledger.json_form import JsonForm
from ledger.operations.commands import Command, JoinLadder, MakeChallenge, OpenLadder
from ledger.registrar.registrar import Registrar
from ledger.reports.ladder import LadderReport, ladder_report
from ledger.service.decisions import Decided
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Rate
from ledger.views.view import LedgerView
from ledger.wording import Message


def open_ladder(
    ledger: Ledger,
    name: str,
    *,
    list_: str,
    players: Sequence[str],
    on: dt.date,
    as_given: bool,
    request: Request,
) -> Receipt:
    """Opens a ladder: its players by their ratings in the list on the day, or as given."""
    return _carry_out(
        ledger,
        lambda: OpenLadder(
            ladder=name,
            list=list_,
            players=tuple(players),
            ratings=rating_on(ledger, list_, on),
            on=on,
            as_given=as_given,
        ),
        request,
    )


def join_ladder(
    ledger: Ledger, name: str, player: str, *, place: int | None, on: dt.date, request: Request
) -> Receipt:
    """Puts a rated player on a ladder, at the bottom or on a place."""
    list_ = require_ladder(ledger.facts(), name).opened.list
    return _carry_out(
        ledger,
        lambda: JoinLadder(
            ladder=name,
            player=player,
            rating=rating_on(ledger, list_, on).get(player),
            place=place,
            on=on,
        ),
        request,
    )


def make_challenge(
    ledger: Ledger,
    name: str,
    players: tuple[str, str],
    *,
    on: dt.date,
    ends_on: dt.date,
    rate_of_play: Rate,
    tournament: str | None,
    title: str | None,
    override: str | None,
    request: Request,
) -> Receipt:
    """Makes a challenge and opens its match, by default under the ladder's name and a number.

    ``players`` are the challenger and the challenged.
    """
    challenger, challenged = players

    def command() -> MakeChallenge:
        ladder = require_ladder(ledger.facts(), name)
        number = len(ladder.known().challenges) + 1
        ratings = rating_on(ledger, ladder.opened.list, on)
        return MakeChallenge(
            ladder=name,
            challenger=challenger,
            challenged=challenged,
            challenger_rating=ratings.get(challenger),
            challenged_rating=ratings.get(challenged),
            tournament=tournament or f"{name}-{number}",
            name=title or f"{name}: {challenger} - {challenged}",
            on=on,
            ends_on=ends_on,
            rate_of_play=rate_of_play,
            override=override,
        )

    return _carry_out(ledger, command, request)


def _carry_out(ledger: Ledger, command_: Callable[[], Command], request: Request) -> Receipt:
    """Carries out a command that holds ratings; decided again, it is made again with those then."""

    def decide(head: Head) -> Decided:
        command = command_()
        registrar = Registrar(ledger.register(command.streams, head.seq), head.seq, ledger.today)
        registrar.take(command)
        return Decided(tuple(registrar.events), tuple(registrar.personal))

    return ledger.append_decided(decide, request)


def match_of(view: LedgerView, name: str, one: str, other: str) -> str:
    """Returns the match of the last challenge of two players, but for those withdrawn.

    Raises:
        NotFound: there is no such ladder.
        InputRefused: neither of the two has challenged the other.
    """
    challenge = require_ladder(view.facts(), name).known().between(one, other)
    if challenge is None:
        raise InputRefused("ladder.no_challenge", player=one, opponent=other, ladder=name)
    return challenge.made.tournament


def require_ladder(facts: Facts, name: str) -> LadderFacts:
    """Returns what is recorded of a ladder; raises ``NotFound``."""
    ladder = facts.ladders.get(name)
    if ladder is None:
        known = ", ".join(sorted(facts.ladders)) or Message.of("value.none")
        raise NotFound("ladder.not_found", ladder=name, known=known)
    return ladder


@dataclass(frozen=True, slots=True)
class LadderNames(JsonForm):
    """The ladders, by name."""

    ladders: Sequence[str]


def described_ladders(view: LedgerView) -> list[dict[str, Any]]:
    """Returns the ladders as JSON data, by name: their list, first day and number of places."""
    found = []
    for name, recorded in sorted(view.facts().ladders.items()):
        known = recorded.known()
        found.append(
            {
                "ladder": name,
                "list": recorded.opened.list,
                "opened_on": known.opened_on.isoformat(),
                "players": len(known.places),
                "challenges": len(known.challenges),
            }
        )
    return found


def show_ladder(view: LedgerView, name: str, *, on: dt.date) -> LadderReport:
    """Returns a ladder with the ratings of a day; raises ``NotFound`` where there is none."""
    facts = view.facts()
    recorded = require_ladder(facts, name)
    seq = facts.seq
    ladder = recorded.known(seq)
    matches = [challenge.made.tournament for challenge in ladder.challenges.values()]
    register = view.register((f"tournament:{match}" for match in matches), seq)
    return ladder_report(
        ladder,
        register.tournaments,
        facts,
        view.people(facts),
        rating_on(view, ladder.opened.list, on),
        seq=seq,
        on=on,
    )
