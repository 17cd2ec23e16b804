"""Careers say of every game what the statements say, and files of careers what is calculated."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.careers import career_source, meetings_of, player_career
from ledger.answers.directory import listed_ratings
from ledger.facts.as_of import AsOf
from ledger.identifiers import PlayerId, PlayerIndex
from ledger.rating.postings import Reason
from ledger.regulations.interface import Regulation
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.reports.careers import STEP, CareerGames, games_rated, period_note
from ledger.reports.explanation import statement
from ledger.reports.headlines import headline
from ledger.reports.statement import PersonRef
from ledger.service.ledger import Ledger
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST, publish_month
from tests.laws.support import PERIODS, correct_one, filled, law
from tests.laws.test_every_regulation import Settings, every, recorded, worlds
from tests.web.test_read_models import store_of, view_of
from web.read_models.answers import Careers


def hold_games_against_statements(ledger: Ledger) -> None:
    """Compares everybody's games of each period, as columns, with the lines of the statement."""
    facts = ledger.facts()
    people = ledger.people(facts)
    for outcome in replay(Timeline.at_head(facts, LIST), last_period(facts, LIST)):
        everybody = games_rated(outcome)
        note = period_note(outcome, everybody, is_out=False)
        into = outcome.timeline.known.merged_into
        for player in {PlayerIndex(each) for each in into.tolist()}:
            games = everybody.rows(everybody.player == player)
            alone = games_rated(outcome, player)
            for name in CareerGames.__slots__:
                assert getattr(alone, name).tolist() == getattr(games, name).tolist()
            made = statement(outcome, player, people, seq=facts.seq)
            rated = games.rows(games.is_posted == 1)
            units = Fraction(int(rated.contribution.sum()), note.units)
            steps = games.rows(games.reason == STEP)
            assert units == sum(line.contribution for line in made.postings)
            met = sorted(line.opponent_rating for line in made.postings)
            assert sorted(rated.opponent_rating.tolist()) == met
            of_events = sum(line.points for line in made.steps if line.tournament)
            assert Fraction(int(steps.contribution.sum()), note.units) == of_events
            left_out = games.reason[games.reason > Reason.NONE].tolist()
            reasons = sorted(note.reasons[each].reason.code for each in left_out)
            told = {each.reason.code for each in made.not_computable}
            assert [each for each in reasons if each not in told] == sorted(
                line.reason.code for line in made.excluded if line.reason.code not in told
            )


def hold_files_against_the_application(ledger: Ledger) -> None:
    """Compares everybody's career, and head to head, with what is calculated without files."""
    facts = ledger.facts()
    known = AsOf(facts, facts.seq)
    with TemporaryDirectory() as folder:
        careers = Careers(store_of(Path(folder)), view_of(ledger))
        for player in facts.player_ids:
            if facts.player_ids[known.counts_as(facts.player_index[player])] != player:
                continue
            if not any(each.list == LIST for each in listed_ratings(ledger, player)):
                continue
            made = player_career(ledger, player, LIST)
            head = headline(careers.history(player, LIST) or [])
            person = PersonRef(PlayerId(player), made.player.name)
            official = head.official.rating if head.official else None
            found = careers.career(person, LIST, official, most=None)
            assert found is not None
            assert found.career == made
            for each in made.opponents[:2]:
                opponent = str(each.opponent.id)
                of_two = meetings_of(ledger, player, opponent, LIST)
                assert careers.meetings(person, opponent, LIST) == of_two
                assert (of_two.total.games, of_two.opponent) == (each.games, each.opponent)
            assert made.total.games == sum(each.games for each in made.opponents)
            assert len(career_source(ledger, player, LIST).games) >= made.total.games


@law(6)
@given(federations(most_players=9, corrections=(0, 2)), st.sampled_from(["restate", "next-list"]))
def test_a_career_is_what_the_statements_say(federation: Federation, policy: str) -> None:
    ledger = filled(federation, policy="restate" if policy == "restate" else "next-list")
    for place, period in enumerate(PERIODS):
        publish_month(ledger, period)
        if place < len(federation.corrections):
            correct_one(ledger, federation, place)
    hold_files_against_the_application(ledger)
    if policy == "restate":
        hold_games_against_statements(ledger)


@every
def test_of_every_regulation(regulation: type[Regulation]) -> None:
    @law(2)
    @given(worlds(regulation))
    def holds(world: tuple[Federation, Settings]) -> None:
        ledger = recorded(regulation, *world)
        hold_games_against_statements(ledger)
        publish_month(ledger, PERIODS[0])
        hold_files_against_the_application(ledger)

    holds()
