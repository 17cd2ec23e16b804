"""A question is answered from as little as it takes, and says what all that there is would say."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given

from ledger.answers.period_states import period_states
from ledger.answers.player_questions import history_of, log_of, why_of
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts, Snapshots
from ledger.identifiers import PlayerIndex, Seq
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.people import People
from ledger.lists.publications import beside_published, period_of, publications, recalculated
from ledger.lists.rating_list import RatingList, rating_list
from ledger.rating.postings import PostingColumns
from ledger.regulations import registry
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.reports.explanation import statement
from ledger.reports.tournaments import tournament_lines
from ledger.reports.why import why
from ledger.views.registers import survivors_at
from tests.differential.support import LIST, publish_month
from tests.laws.histories import PLAYERS, History
from tests.laws.support import law
from tests.laws.test_shortcuts import SEEDS, UNDER_EACH, closing, full

PLAIN = [each for each in registry.regulations() if registry.adopted(each, {}).plain]


def published(regulation: str, seed: int) -> History:
    """A history of which some months were published, before and after things became known."""
    history = History.begun(MemoryJournal(), regulation, seed)
    facts = history.ledger.facts()
    months = [each.period.name for each in full(facts, facts.seq)]
    for month in months:
        history.learn()
        if history.chance.random() < 1 / 2:
            publish_month(history.ledger, month)
    publish_month(history.ledger, history.chance.choice(months))
    return history


def bare(facts: Facts) -> Facts:
    return replace(facts, snapshots=Snapshots())


def listed(outcome: PeriodOutcome) -> RatingList:
    known = outcome.timeline.known
    return rating_list(outcome, People(known, lambda _: {}), seq=known.facts.seq, edition=None)


def rows_of(player: int, table: PostingColumns) -> list[tuple[int, ...]]:
    """A player's rows of a table, in order."""
    mine = table.rows(getattr(table, "player") == player)  # noqa: B009 - of any such table
    columns = (getattr(mine, name).tolist() for name in mine.__slots__)
    return sorted(zip(*columns, strict=True))


@pytest.mark.parametrize("regulation", PLAIN)
@law(2)
@given(seed=SEEDS)
def test_one_player_is_calculated_as_all_are(regulation: str, seed: int) -> None:
    history = History.begun(MemoryJournal(), "enf-2010", seed)
    facts = history.ledger.facts()
    under = registry.adopted(regulation, {})
    timeline = Timeline.at_head(bare(facts), LIST, under)
    for outcome in replay(timeline, timeline.last_period):
        whole = outcome.calculation
        for player in range(len(facts.players)):
            his = outcome.rated.calculation_of(PlayerIndex(player))
            assert (his.units, his.scale) == (whole.units, whole.scale)
            for name in ("postings", "exclusions"):
                assert rows_of(player, getattr(his, name)) == rows_of(player, getattr(whole, name))
            for one, other in ((his, whole), (whole, his)):
                steps = {step for step in one.steps if step.player == player}
                assert steps <= set(other.steps)
            assert outcome.k_of(PlayerIndex(player)) == outcome.k[player]


@UNDER_EACH
@law(3)
@given(seed=SEEDS)
def test_what_was_published_is_calculated_from_what_it_shares(regulation: str, seed: int) -> None:
    facts = published(regulation, seed).ledger.facts()
    wanted = publications(facts, LIST)
    found = dict(recalculated(facts, LIST, wanted))
    assert set(found) == set(wanted)
    for publication, outcome in found.items():
        period = period_of(facts, LIST, publication.period, publication.basis_seq)
        assert period is not None
        *_, alone = replay(Timeline(AsOf(bare(facts), publication.basis_seq), LIST), period)
        assert closing(outcome) == closing(alone)
        assert listed(outcome).rows == listed(alone).rows
    walked = [now for now, _ in beside_published(facts, LIST, wanted, last_period(facts, LIST))]
    assert list(map(closing, walked)) == list(map(closing, full(facts, facts.seq)))


@UNDER_EACH
@law(3)
@given(seed=SEEDS)
def test_why_is_the_same_from_the_first_period_on(regulation: str, seed: int) -> None:
    history = published(regulation, seed)
    ledger = history.ledger
    facts = ledger.facts()
    lists: list[tuple[str, int | None, int]] = [
        (e.period, e.edition, e.basis_seq) for e in publications(facts, LIST)
    ]
    open_ = {s.period.name for s in period_states(ledger, LIST) if not s.editions}
    lists += [(name, None, facts.seq) for name in sorted(open_)]
    for _ in range(12):
        before, after = sorted(history.chance.choices(lists, k=2), key=lambda each: each[0])
        player = history.chance.randrange(len(facts.players))
        said = why_of(ledger, facts.player_ids[player], LIST, before[:2], after[:2])
        first, second = (_up_to(facts, name, basis) for name, _, basis in (before, after))
        stays = survivors_at(facts, facts.seq)
        assert said == why(first, second, PlayerIndex(player), ledger.people(facts), stays)


def _up_to(facts: Facts, name: str, basis: int) -> list[PeriodOutcome]:
    period = period_of(facts, LIST, name, Seq(basis))
    assert period is not None
    return list(replay(Timeline(AsOf(bare(facts), Seq(basis)), LIST), period))


@UNDER_EACH
@law(2)
@given(seed=SEEDS)
def test_the_history_of_a_player_is_that_of_his_statements(regulation: str, seed: int) -> None:
    ledger = published(regulation, seed).ledger
    facts = ledger.facts()
    people = ledger.people(facts)
    outcomes = full(facts, facts.seq)
    for player, id_ in enumerate(facts.player_ids):
        lines = {line.period: line for line in history_of(ledger, id_, LIST)}
        for outcome in outcomes:
            into = int(outcome.timeline.known.merged_into[player])
            said = statement(outcome, PlayerIndex(into), people, seq=facts.seq)
            line = lines.get(outcome.period.name)
            assert (line.restated if line else None) == (
                (said.closing or 0) if outcome.closing.listed[into] else None
            )
            assert line is None or line.games == said.games


@UNDER_EACH
@law(3)
@given(seed=SEEDS)
def test_tournaments_are_those_of_the_register(regulation: str, seed: int) -> None:
    ledger = published(regulation, seed).ledger
    facts = ledger.facts()
    records = ledger.register(["tournament:*"], facts.seq).tournaments
    lines = tournament_lines(facts)
    assert [line.tournament for line in lines] == sorted(records)
    for line in lines:
        record = records[line.tournament]
        about = record.version
        assert (line.name, line.starts_on, line.ends_on) == (
            about.name, about.starts_on, about.ends_on,
        )  # fmt: skip
        assert (line.system, line.rate_of_play) == (about.system, about.rate_of_play)
        assert line.players == len(record.entries)
        assert line.pairings == len({pairing.seq for pairing in record.pairings.values()})
        assert (line.state == "annulled", line.state == "rejected") == (
            record.annulled, record.rejected and not record.annulled,
        )  # fmt: skip


@UNDER_EACH
@law(3)
@given(seed=SEEDS)
def test_the_log_of_a_player_has_every_event_that_names_him(regulation: str, seed: int) -> None:
    ledger = published(regulation, seed).ledger
    events = list(ledger.journal.events())
    named = [_texts(event.payload) for event in events]
    for id_ in PLAYERS:
        expected = [e.seq for e, names in zip(events, named, strict=True) if id_ in names]
        said = log_of(ledger, player=id_, tournament=None, since=1)
        assert [line.seq for line in said] == expected


def _texts(payload: str) -> set[object]:
    return {value for value in json.loads(payload).values() if isinstance(value, str)}
