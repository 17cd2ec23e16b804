"""Merged ids are one person, as if the id that stays had been written from the start."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.player_questions import explain, history_of
from ledger.identifiers import NO_EVENT
from ledger.intake.report_file import tournament_report
from ledger.operations.commands import AnnulResult, Command, CorrectResult, MergePlayers
from ledger.reports.tournaments import tournament_sheet
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.differential.independent import Event
from tests.differential.strategies import Federation, federations, games_csv
from tests.differential.support import LIST, PLAYERS_HEADER, do, new_ledger, take
from tests.laws.support import PERIODS, correct_all, filled, law, rows_of

Ids = Mapping[str, str]  # the one under which a person is written this time


@dataclass(frozen=True)
class Written:
    """A federation, and what its people were called in each document before it was sorted out.

    ``seeded`` are the ids that got the ratings and Ks, ``events`` those of each event,
    ``corrections`` those of each correction. ``merges`` are carried out before the event of their
    number.
    """

    federation: Federation
    aliases: Mapping[str, tuple[str, ...]]
    seeded: Ids
    events: tuple[Ids, ...]
    corrections: tuple[Ids, ...]
    again: Ids
    merges: tuple[tuple[int, str, str], ...]


@st.composite
def written(draw: st.DrawFn) -> Written:
    federation = draw(federations(most_players=8, most_events=3, corrections=(0, 3)))
    people = [person.id for person in federation.people]
    several = draw(st.sets(st.sampled_from(people), min_size=1, max_size=3))
    aliases = {
        person: tuple(f"{person}-{n}" for n in range(draw(st.integers(1, 2))))
        for person in sorted(several)
    }

    def ids() -> Ids:
        return {person: draw(st.sampled_from((person, *aliases[person]))) for person in aliases}

    merges = []
    for person, others in aliases.items():
        chain = (*draw(st.permutations(others)), person)
        at = draw(st.integers(0, len(federation.events)))
        for place, other in enumerate(chain[:-1]):
            into = draw(st.sampled_from((chain[place + 1], person)))
            merges.append((at, other, into))
    return Written(
        federation,
        aliases,
        ids(),
        tuple(ids() for _ in federation.events),
        tuple(ids() for _ in federation.corrections),
        ids(),
        tuple(merges),
    )


def named(event: Event, ids: Ids) -> Event:
    games = tuple(
        replace(
            game,
            white=ids.get(game.white, game.white),
            black=game.black and ids.get(game.black, game.black),
        )
        for game in event.games
    )
    return replace(event, games=games)


def recorded(how: Written) -> Ledger:
    """Returns the ledger of a federation that learnt of its double ids bit by bit."""
    federation = how.federation
    ledger = new_ledger(federation.rules)
    called = {p.id: how.seeded.get(p.id, p.id) for p in federation.people}
    people = {p.id: line for p, line in zip(federation.people, _rows(federation), strict=True)}
    others = {id_ for person, ids in how.aliases.items() for id_ in (person, *ids)}
    rows = [line.replace(f"{id_},", f"{called[id_]},", 1) for id_, line in people.items()]
    rows += [f"{id_},Player {id_[:3]},CHI,,,,," for id_ in sorted(others - {*called.values()})]
    take(ledger, PLAYERS_HEADER + "".join(f"{row}\n" for row in rows), seeds=True)
    for number, (event, ids) in enumerate(zip(federation.events, how.events, strict=True)):
        merged(ledger, how, number)
        take(ledger, games_csv(named(event, ids)))
    merged(ledger, how, len(federation.events))
    return ledger


def _rows(federation: Federation) -> list[str]:
    return federation.players_csv().splitlines()[1:]


def merged(ledger: Ledger, how: Written, before: int) -> None:
    """Carries out the merges that come before an event of this number."""
    for at, player, into in how.merges:
        if at == before:
            do(ledger, MergePlayers(player=player, into=into, on=dt.date(2010, 9, 30)))


def tables(ledger: Ledger, federation: Federation) -> list[dict[str, Any]]:
    """Returns the crosstables, without the seqs of corrections: a merge is an event more."""
    facts = ledger.facts()
    register = ledger.register(["tournament:*"], facts.seq)
    people = ledger.people(facts)
    known = register.tournaments
    made = [tournament_sheet(known[e.id], facts, people).data() for e in federation.events]
    for player in chain.from_iterable(each["players"] for each in made):
        player["corrected"] = set(player["corrected"])
    return made


def commands(how: Written) -> list[Command]:
    """Returns the federation's corrections, each under the ids of its own document."""
    found: list[Command] = []
    for (event, game, result), ids in zip(how.federation.corrections, how.corrections, strict=True):
        played = how.federation.events[event].games[game]
        assert played.black is not None, "a bye has no result to correct"
        if played.result != result:
            found.append(
                CorrectResult(
                    tournament=how.federation.events[event].id,
                    round=played.round,
                    white=ids.get(played.white, played.white),
                    black=ids.get(played.black, played.black),
                    result=Result.parse(result),
                )
            )
    return found


@law(25)
@given(written())
def test_a_ledger_with_merges_is_one_that_knew_the_person_from_the_start(how: Written) -> None:
    federation = how.federation
    ledger, plain = recorded(how), filled(federation)
    for command in commands(how):
        do(ledger, command)
    correct_all(plain, federation)
    assert rows_of(ledger) == rows_of(plain)
    assert tables(ledger, federation) == tables(plain, federation)
    for event in federation.events:
        assert tournament_report(ledger, event.id, LIST) == tournament_report(plain, event.id, LIST)
    for person, others in how.aliases.items():
        for id_ in (person, *others):
            assert _told(ledger, id_) == _told(plain, person)


def _told(ledger: Ledger, player: str) -> list[object]:
    """Returns a player's history and statements, but for the seqs of their games."""
    found: list[object] = [line.data() for line in history_of(ledger, player, LIST)]
    for period in PERIODS:
        made = explain(ledger, player, LIST, period)
        found += [made.player, made.opening, made.closing, made.rounding]
        found += [replace(line, seq=NO_EVENT) for line in made.postings]
        found += [replace(line, seq=NO_EVENT) for line in made.excluded]
    return found


@law(25)
@given(written())
def test_the_same_document_again_is_nothing_new_whatever_it_calls_them(how: Written) -> None:
    ledger = recorded(how)
    for ids in (*how.events, how.again, {}):
        text = games_csv(*(named(event, ids) for event in how.federation.events))
        assert take(ledger, text).events == ()
        assert take(ledger, text, as_correction=True).events == ()


@law(25)
@given(written(), st.data())
def test_what_is_annulled_under_any_id_is_gone(how: Written, data: st.DataObject) -> None:
    ledger, plain = recorded(how), filled(how.federation)
    event = data.draw(st.sampled_from(how.federation.events))
    game = data.draw(st.sampled_from(event.games))
    called = named(replace(event, games=(game,)), how.again).games[0]
    for into, pairing in ((ledger, called), (plain, game)):
        do(
            into,
            AnnulResult(
                tournament=event.id, round=game.round, white=pairing.white, black=pairing.black
            ),
        )
    assert rows_of(ledger) == rows_of(plain)
    assert tables(ledger, how.federation) == tables(plain, how.federation)
    back = games_csv(named(event, how.again))
    assert take(ledger, back, as_correction=True).counts == {
        "bye.given" if game.black is None else _type(game.result): 1
    }
    assert tables(ledger, how.federation) == tables(recorded(how), how.federation)


def _type(result: str) -> str:
    if result in ("+/-", "-/+", "-/-"):
        return "forfeit.recorded"
    return "game.adjudicated" if result.endswith("a") else "result.recorded"
