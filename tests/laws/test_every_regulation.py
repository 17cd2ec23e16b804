"""What every regulation owes, whoever wrote it: tried on all that are registered here.

Those of packages outside that are installed beside this one are tried as well:
``pytest tests/laws/test_every_regulation.py -k <package>``.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.lists import show
from ledger.answers.player_questions import why_of
from ledger.errors import InputRefused
from ledger.lists.rating_list import ListRow
from ledger.operations.commands import CorrectResult
from ledger.rating.player_state import UNRATED, PlayerStates
from ledger.rating.postings import Calculation, Reason
from ledger.regulations import registry
from ledger.regulations.description import Parameters, read_parameters
from ledger.regulations.interface import Regulation
from ledger.replay.opening_ratings import filled as with_ratings
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.terms import Rate, System
from tests.differential.strategies import (
    Federation,
    federations,
    games_csv,
)
from tests.differential.support import LIST
from tests.laws.support import PERIODS, law
from tests.ledgers import define, do, empty_ledger, import_text, publish_period, statements_of
from tests.sheets import Game, calculated, particulars_of, sides_of_games, states_of

ROOT = Path(__file__).resolve().parents[2]
ALL = registry.regulations()
every = pytest.mark.parametrize("regulation", ALL.values(), ids=ALL)
# Asked for by nothing that a regulation decides: they exclude a side before it is asked.
GIVEN = st.sampled_from([Reason.NONE] * 8 + [Reason.SHORT, Reason.FORFEIT, Reason.ADJOURNED])
Settings = dict[str, int | str]
# Which article counts the difference of the same game otherwise for one of the two.
ASYMMETRIC = {"fide-standard": "8.3.1", "fide-rapid": "8.3.1", "fide-blitz": "8.3.1"}
# In force by these days: what the regulations by date and the old ones know.
DAYS = tuple(dt.date(year, 12, 1) for year in (1975, 2010, 2020, 2023, 2025))
UNDEFINED = -1
PAIRS_OF_LISTS = 7  # of the 21 that three periods in two editions are
MOST_GAMES = 40  # of a newcomer; where more are needed, or none will do, none is tried


# What there is to set


@cache
def properties(model: type[Parameters]) -> dict[str, Any]:
    """The schemas of all parameters."""
    found: dict[str, Any] = model.model_json_schema().get("properties", {})
    return found


def alternatives(model: type[Parameters], name: str) -> list[str]:
    """Other values than the default that a parameter may have."""
    schema = properties(model)[name]
    found: list[Any] = []
    for each in schema.get("anyOf", [schema]):
        if "enum" in each:
            found += each["enum"]
        elif each.get("type") == "boolean":
            found += ["true", "false"]
        elif each.get("type") == "integer":
            default = schema.get("default")
            middle = default if isinstance(default, int) else each["minimum"]
            found += [each["minimum"], middle - 1, middle + 1, each["maximum"]]
            found = [v for v in found if each["minimum"] <= v <= each["maximum"]]
        elif each.get("type") == "string":
            found += ["Another"]
    default = str(schema.get("default")).lower()
    return [str(value) for value in dict.fromkeys(found) if str(value).lower() != default]


def accepted(regulation: type[Regulation], given_: Settings) -> bool:
    try:
        read_parameters(regulation.PARAMETERS, given_)
    except InputRefused:
        return False
    return True


@cache
def settings_of(regulation: type[Regulation]) -> list[Settings]:
    """The defaults, and every choice among words (a method, a model) with the defaults beside."""
    found: list[Settings] = [{}]
    for name in regulation.PARAMETERS.model_fields:
        if "enum" in properties(regulation.PARAMETERS)[name]:
            found += [{name: value} for value in alternatives(regulation.PARAMETERS, name)]
    return [each for each in found if accepted(regulation, each)]


def set_up(regulation: type[Regulation], given_: Settings) -> Regulation:
    return registry.adopted(regulation.ID, given_)


def rate_of(regulation: type[Regulation]) -> Rate:
    """The rate of play whose games it rates, where it is for one only."""
    return regulation.RATE or Rate.CLASSICAL


# Sheets by chance


@st.composite
def sheets(
    draw: st.DrawFn, regulation: type[Regulation]
) -> tuple[Regulation, list[Game], PlayerStates, list[int]]:
    """A regulation as set, one tournament, where its players stand, and their Ks."""
    made = set_up(regulation, draw(st.sampled_from(settings_of(regulation))))
    players = draw(st.integers(2, 8))
    ratings = [
        draw(st.sampled_from((0, 1))) * draw(st.integers(1000, 2700)) for _ in range(players)
    ]
    pairs = st.sampled_from([(a, b) for a in range(players) for b in range(a)])
    system = draw(st.sampled_from(System))
    games = [
        Game(white, black, draw(st.integers(0, 2)), 0, number, system, rate_of(regulation))
        for number, (white, black) in enumerate(
            draw(st.lists(pairs, min_size=1, max_size=14)), start=1
        )
    ]
    known = states_of(ratings, games=draw(st.sampled_from((5, 29, 200))))
    ks = [draw(st.sampled_from((-1, 10, 20, 40))) for _ in range(players)]
    return made, games, known, ks


@every
def test_every_side_is_told_once_and_what_is_left_out_has_an_article(
    regulation: type[Regulation],
) -> None:
    @law(20)
    @given(sheets(regulation), st.data())
    def holds(
        drawn: tuple[Regulation, list[Game], PlayerStates, list[int]], data: st.DataObject
    ) -> None:
        made, games, states, ks = drawn
        sides = with_ratings(sides_of_games(games), states.rating)
        reasons = [data.draw(GIVEN) for _ in games]
        sides = sides.with_(reason=np.array(reasons, np.int64)[sides.game])
        known = particulars_of(len(ks), assigned_k=ks)
        out = made.calculate(sides, states, known, made.k(states, known))
        posted = Counter(zip(out.postings.game.tolist(), out.postings.player.tolist(), strict=True))
        excluded = Counter(
            zip(out.exclusions.game.tolist(), out.exclusions.player.tolist(), strict=True)
        )
        met = Counter((m.game, r.player) for r in out.newcomers for m in r.opponents)
        for side in zip(sides.game.tolist(), sides.player.tolist(), strict=True):
            assert max(posted[side], excluded[side], met[side]) == 1, f"{side} is lost or doubled"
            assert not (posted[side] and excluded[side]), f"{side} is rated and is not"
        assert len(posted) + len(excluded) <= len(sides)
        before = dict(zip(sides.game.tolist(), sides.reason.tolist(), strict=True))
        for game, code in zip(
            out.exclusions.game.tolist(), out.exclusions.reason.tolist(), strict=True
        ):
            reason = made.reason(code)
            assert reason is not Reason.NONE
            clause = made.clause_of(reason)
            own = before[game] == Reason.NONE
            assert clause
            assert not own or clause != "ledger", f"nobody else excludes for {reason.code}"
        for result in out.newcomers:
            assert result.computable or made.clause_of(made.reason(result.reason)) != "ledger"
        for step in out.steps:
            assert made.clause_of_step(step.kind)

    holds()


@every
def test_among_equals_in_k_what_one_gains_the_other_loses(regulation: type[Regulation]) -> None:
    """One game; where the difference is counted otherwise for one of the two, it says so itself."""

    @law(25)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        made = set_up(regulation, data.draw(st.sampled_from(settings_of(regulation))))
        first = data.draw(st.integers(1000, 2700))
        ratings = [first, first + data.draw(st.integers(-800, 800))]
        day = data.draw(st.sampled_from(DAYS))
        game = Game(
            0, 1, data.draw(st.integers(0, 2)), rate=rate_of(regulation), starts_on=day, ends_on=day
        )
        known = particulars_of(2, on=day, assigned_k=20)
        out, change = calculated(made, [game], states_of(ratings), known)
        mirrored(out)
        if not len(out.postings) and not out.steps:
            assert not change.any()

    def mirrored(out: Calculation) -> None:
        if len(out.postings) != 2:
            return
        one, other = (out.postings.rows(np.array([row])) for row in (0, 1))
        if int(one.k[0]) != int(other.k[0]):
            return  # its K heeds the rating more than what was assigned
        if int(one.difference[0]) != -int(other.difference[0]):
            articles = [clause.article for clause in regulation.COVERAGE]
            assert ASYMMETRIC.get(regulation.ID) in articles, "counted otherwise for one of the two"
            return
        assert int(one.contribution[0]) == -int(other.contribution[0])

    holds()


@every
def test_more_points_never_give_a_lower_rating(regulation: type[Regulation]) -> None:
    @law(25)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        made = set_up(regulation, data.draw(st.sampled_from(settings_of(regulation))))
        needed = made.games_for_first_rating(DAYS[0])
        rates_newcomers = 0 < needed <= MOST_GAMES
        newcomer = rates_newcomers and data.draw(st.booleans())
        least = needed if newcomer else 1
        count = data.draw(st.integers(least, max(9, least + 3)))
        own = UNRATED if newcomer else data.draw(st.integers(1000, 2700))
        ratings = [own, *(data.draw(st.integers(1000, 2700)) for _ in range(count))]
        halves = [data.draw(st.integers(0, 2)) for _ in range(count)]
        better = data.draw(st.integers(0, count - 1))
        if halves[better] == 2:
            halves[better] -= 1
        more = [*halves[:better], halves[better] + 1, *halves[better + 1 :]]
        before, after = (rating_after(made, regulation, ratings, each) for each in (halves, more))
        if UNDEFINED not in (before, after):
            assert (before or 0) <= (after or 0), f"{halves} gives {before}, {more} gives {after}"

    holds()


def rating_after(
    made: Regulation, regulation: type[Regulation], ratings: list[int], halves: list[int]
) -> int | None:
    """The first player's rating after a tournament against all the others, if he has one.

    ``UNDEFINED`` where the printed table has no difference for all points or none.
    """
    games = [
        Game(0, opponent, each, round=opponent, rate=rate_of(regulation))
        for opponent, each in enumerate(halves, start=1)
    ]
    known = particulars_of(len(ratings), assigned_k=20)
    out, change = calculated(made, games, states_of(ratings, games=50), known)
    if ratings[0] != UNRATED:
        return ratings[0] + int(change[0])
    results = [r for r in out.newcomers if r.player == 0]
    if any(r.reason is Reason.NO_DIFFERENCE for r in results):
        return UNDEFINED
    computable = [r for r in results if r.computable]
    if computable and all(r.performance is None for r in computable):
        return UNDEFINED
    return made.first_rating(computable, known.on) if computable else None


# Ledgers by chance


@st.composite
def worlds(
    draw: st.DrawFn,
    regulation: type[Regulation],
    *,
    players: int = 7,
    corrections: tuple[int, int] = (0, 0),
) -> tuple[Federation, Settings]:
    """A federation whose tournaments are of the rate of play that is rated, and a setting."""
    drawn = draw(federations(most_players=players, most_events=3, corrections=corrections))
    events = drawn.events
    if regulation.RATE is not None:
        events = tuple(replace(e, rate_of_play=rate_of(regulation).value) for e in events)
    return replace(drawn, events=events), draw(st.sampled_from(settings_of(regulation)))


def recorded(
    regulation: type[Regulation],
    federation: Federation,
    given_: Settings,
    documents: list[str] | None = None,
) -> Ledger:
    ledger = empty_ledger()
    define(ledger, LIST, regulation=regulation.ID, parameters=given_)
    import_text(ledger, federation.players_csv(), list_=LIST)
    for text in [games_csv(*federation.events)] if documents is None else documents:
        import_text(ledger, text)
    return ledger


def rows_of(ledger: Ledger) -> dict[str, Sequence[ListRow]]:
    return {period: show(ledger, LIST, period).rows for period in PERIODS}


@every
def test_statements_balance_and_open_where_the_last_one_closed(
    regulation: type[Regulation],
) -> None:
    @law(4)
    @given(worlds(regulation))
    def holds(world: tuple[Federation, Settings]) -> None:
        federation, given_ = world
        ledger = recorded(regulation, federation, given_)
        told = [statements_of(ledger, LIST, period) for period in PERIODS]
        for person in federation.people:
            last: int | None = None
            for place, of_period in enumerate(told):
                said = of_period[person.id]
                if place:
                    assert said.opening == last
                last = said.closing
                exact = sum((line.contribution for line in said.postings), Fraction(0))
                exact += sum((line.points for line in said.steps), Fraction(0))
                assert said.change_exact == exact
                total = (said.opening or said.first_rating or 0) + exact + said.rounding
                assert total + said.adjustment + said.removed == (said.closing or 0)
                assert all(line.clause for line in said.excluded)
                assert all(line.clause for line in said.steps)

    holds()


@every
def test_the_order_of_games_and_documents_does_not_matter(regulation: type[Regulation]) -> None:
    @law(4)
    @given(worlds(regulation), st.booleans(), st.randoms(use_true_random=False))
    def holds(world: tuple[Federation, Settings], same_days: bool, chance: Random) -> None:  # noqa: FBT001
        federation, given_ = world
        if same_days:
            first = federation.events[0]
            events = tuple(
                replace(e, starts_on=first.starts_on, ends_on=first.ends_on)
                for e in federation.events
            )
            federation = replace(federation, events=events)
        expected = rows_of(recorded(regulation, federation, given_))
        shuffled = [
            replace(e, games=tuple(chance.sample(e.games, len(e.games)))) for e in federation.events
        ]
        chance.shuffle(shuffled)
        documents = [games_csv(each) for each in shuffled]
        assert rows_of(recorded(regulation, federation, given_, documents)) == expected

    holds()


@every
def test_other_ids_change_nothing_but_the_ids(regulation: type[Regulation]) -> None:
    @law(4)
    @given(worlds(regulation), st.data())
    def holds(world: tuple[Federation, Settings], data: st.DataObject) -> None:
        federation, given_ = world
        ids = [person.id for person in federation.people]
        other = dict(zip(ids, data.draw(st.permutations(ids)), strict=True))
        renamed = replace(
            federation,
            people=tuple(replace(p, id=other[p.id]) for p in federation.people),
            events=tuple(
                replace(
                    e,
                    games=tuple(
                        replace(g, white=other[g.white], black=other.get(g.black or ""))
                        for g in e.games
                    ),
                )
                for e in federation.events
            ),
        )
        first, second = (figures(recorded(regulation, f, given_)) for f in (federation, renamed))
        assert second == {(p, other[who]): row for (p, who), row in first.items()}

    def figures(ledger: Ledger) -> dict[tuple[str, str], tuple[object, ...]]:
        return {
            (period, row.id): (row.rating, row.provisional, row.games, row.change, row.k)
            for period, rows in rows_of(ledger).items()
            for row in rows
        }

    holds()


@every
def test_restated_is_what_recording_it_right_at_first_gives(regulation: type[Regulation]) -> None:
    @law(4)
    @given(worlds(regulation, corrections=(1, 3)))
    def holds(world: tuple[Federation, Settings]) -> None:
        federation, given_ = world
        ledger = recorded(regulation, federation, given_)
        correct_all(ledger, federation)
        right = replace(federation, events=federation.corrected())
        assert rows_of(ledger) == rows_of(recorded(regulation, right, given_))

    holds()


def correct_all(ledger: Ledger, federation: Federation) -> None:
    for event, game, result in federation.corrections:
        tournament = federation.events[event]
        was = tournament.games[game]
        if was.result != result:
            assert was.black is not None
            command = CorrectResult(
                tournament=tournament.id,
                round=was.round,
                white=was.white,
                black=was.black,
                result=Result.parse(result),
            )
            do(ledger, command)


@every
def test_why_sums_over_any_two_periods(regulation: type[Regulation]) -> None:
    @law(3)
    @given(worlds(regulation, players=6, corrections=(1, 2)), st.randoms(use_true_random=False))
    def holds(world: tuple[Federation, Settings], chance: Random) -> None:
        federation, given_ = world
        ledger = recorded(regulation, federation, given_)
        ratings: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
        for edition in (1, 2):
            for period in PERIODS:
                publish_period(ledger, period, LIST)
                made = show(ledger, LIST, period)
                assert made.edition is not None
                ratings[period, made.edition] = {row.id: row.rating for row in made.rows}
            if edition == 1:
                correct_all(ledger, federation)
        any_two = list(combinations_with_replacement(sorted(ratings), 2))
        for before, after in chance.sample(any_two, min(len(any_two), PAIRS_OF_LISTS)):
            for person in federation.people:
                told = why_of(ledger, person.id, LIST, before, after)
                points = [ratings[which].get(person.id, 0) for which in (before, after)]
                assert [told.before, told.after] == points
                assert sum(told.totals().values()) == points[1] - points[0]

    holds()


# Digests


def differing(regulation: type[Regulation]) -> Iterator[Settings]:
    """The defaults, and for every parameter its other values, one at a time."""
    yield {}
    for name in regulation.PARAMETERS.model_fields:
        others: list[Settings] = [{name: v} for v in alternatives(regulation.PARAMETERS, name)]
        assert others, f"{name} has no other value than the default"
        yield from (each for each in others if accepted(regulation, each))


@every
def test_another_value_of_any_parameter_is_another_digest(regulation: type[Regulation]) -> None:
    found = [set_up(regulation, each).digest() for each in differing(regulation)]
    assert len(set(found)) == len(found)


@every
def test_a_default_that_is_said_is_the_default(regulation: type[Regulation]) -> None:
    defaults = regulation.PARAMETERS().model_dump()
    said = {name: value for name, value in defaults.items() if value not in (None, "")}
    assert set_up(regulation, said).digest() == set_up(regulation, {}).digest()


@every
def test_every_parameter_names_its_clause_and_its_bounds(regulation: type[Regulation]) -> None:
    schema = properties(regulation.PARAMETERS)
    for name, field in regulation.PARAMETERS.model_fields.items():
        assert field.description, f"{name} names no clause"
        for each in schema[name].get("anyOf", [schema[name]]):
            if each.get("type") == "integer":
                assert {"minimum", "maximum"} <= set(each), f"{name} has no bounds"
            if each.get("type") == "string" and "enum" not in each and "const" not in each:
                assert "maxLength" in each or "pattern" in each, f"{name} has no bounds"


def test_digests_are_the_same_in_another_process() -> None:
    code = (
        "import json, sys; from ledger.regulations.registry import adopted;"
        "print(json.dumps([adopted(i, p).digest() for i, p in json.load(sys.stdin)]))"
    )
    asked = [(name, each) for name, regulation in ALL.items() for each in differing(regulation)]
    strange = {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(asked),
        cwd=ROOT,
        env={**os.environ, **strange},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [registry.adopted(name, each).digest() for name, each in asked]
    assert json.loads(done.stdout) == here
