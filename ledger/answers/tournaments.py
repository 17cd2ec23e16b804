"""Questions about tournaments: crosstable, standings, worksheet, the list one meets.

Tournaments as people look for them: by words of the name, how they stand, and when they were.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, TypedDict, Unpack

import numpy as np

from ledger.answers.categories import participants_of_category, prizes_of_categories
from ledger.answers.lists import rating_on
from ledger.calendar import Period
from ledger.desk.rounds import last_complete_round
from ledger.desk.teams import participants_of
from ledger.desk.tie_breaks.registry import announced, habitual, is_of_ratings, of_rules
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.errors import InputRefused, NotFound
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq, TournamentId, TournamentIndex
from ledger.lists.publications import calculated
from ledger.replay.timeline import Timeline
from ledger.reports.categories import EVERYBODY, Category
from ledger.reports.crosstable import Crosstable, ScoreForm, crosstable_report, score_form
from ledger.reports.desk_changes import DeskChange, desk_changes
from ledger.reports.prizes import PrizeTable, prize_table
from ledger.reports.standings import (
    OfferedPrizes,
    Standings,
    ranked,
    reported_ratings,
    standings_report,
)
from ledger.reports.tournaments import (
    State,
    TournamentLine,
    TournamentSheet,
    tournament_lines,
    tournament_sheet,
)
from ledger.reports.worksheet import Worksheet, worksheet
from ledger.spelling import folded
from ledger.terms import Rate
from ledger.views.list_editions import state_as_known
from ledger.views.view import LedgerView

PAGE: Final = 50
TournamentOrder: TypeAlias = Literal["newest", "oldest", "name", "players"]
_ORDERS: Final[Mapping[TournamentOrder, Callable[[TournamentLine], Any]]] = {
    "newest": lambda line: -line.starts_on.toordinal(),
    "oldest": lambda line: line.starts_on.toordinal(),
    "name": lambda line: folded(line.name),
    "players": lambda line: -line.players,
}


@dataclass(frozen=True, slots=True)
class TournamentsWanted:
    """Which tournaments are asked for; None asks for none in particular.

    ``search`` are words, each of which begins a word of the name or the id. ``since`` and ``until``
    are days: of those that went on in between, ``year`` that in which they began. ``order``
    is that of a page. ``after`` is the id of the last one that is
    known.
    """

    search: str | None = None
    state: State | None = None
    since: dt.date | None = None
    until: dt.date | None = None
    year: int | None = None
    rate: Rate | None = None
    order: TournamentOrder = "newest"
    after: str | None = None
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class TournamentsPage:
    """Tournaments in the order that is asked for; ``count`` is of all that are asked for.

    ``after`` is the id after which the next page begins, None after the last.
    """

    lines: Sequence[TournamentLine]
    count: int
    after: str | None


def all_tournaments(view: LedgerView) -> list[TournamentLine]:
    """Returns all tournaments, the last one that began first, by id where they began together."""
    lines = tournament_lines(view.facts())  # by id
    return sorted(lines, key=lambda line: line.starts_on, reverse=True)


def places_of(view: LedgerView, tournaments: Iterable[str]) -> dict[str, str | None]:
    """Returns where some tournaments are played, by id; it stands beside their columns."""
    facts = view.facts()
    known, index = AsOf(facts, facts.seq), facts.tournament_index
    versions = {each: known.tournament(index[TournamentId(each)]) for each in tournaments}
    return {each: version.place if version else None for each, version in versions.items()}


def placed(view: LedgerView, lines: Sequence[TournamentLine], place: str) -> list[TournamentLine]:
    """Returns the tournaments whose place has all the words, in the order of the lines."""
    words = folded(place).split()
    places = places_of(view, (line.tournament for line in lines))
    found = {each: folded(name or "") for each, name in places.items()}
    return [line for line in lines if all(word in found[line.tournament] for word in words)]


def matching(lines: Sequence[TournamentLine], wanted: TournamentsWanted) -> list[TournamentLine]:
    """Returns all tournaments that are asked for, in the order of the lines."""
    words = folded(wanted.search or "").split()
    return [line for line in lines if _fits(line, wanted, words)]


def chosen(lines: Sequence[TournamentLine], wanted: TournamentsWanted) -> TournamentsPage:
    """Returns a page of tournaments; an unknown ``after`` is the first page's.

    Those that are equal in the order that is asked for keep that of the lines.
    """
    fitting = sorted(matching(lines, wanted), key=_ORDERS[wanted.order])
    ids: list[str] = [line.tournament for line in fitting]
    begin = ids.index(wanted.after) + 1 if wanted.after in ids else 0
    page = fitting[begin : begin + wanted.limit]
    is_last = begin + wanted.limit >= len(fitting)
    return TournamentsPage(page, len(fitting), None if is_last else page[-1].tournament)


def _fits(line: TournamentLine, wanted: TournamentsWanted, words: Sequence[str]) -> bool:
    if wanted.state not in (None, line.state) or wanted.rate not in (None, line.rate_of_play):
        return False
    if wanted.year not in (None, line.starts_on.year):
        return False
    if wanted.since is not None and line.ends_on < wanted.since:
        return False
    if wanted.until is not None and line.starts_on > wanted.until:
        return False
    if not wanted.search or wanted.search == line.tournament:
        return True
    return has_words(f"{line.name} {line.tournament}", words)


def has_words(text: str, words: Sequence[str]) -> bool:
    """Whether each of some folded words begins a word of a text; without words, False."""
    of_text = folded(text).split()
    return bool(words) and all(any(each.startswith(word) for each in of_text) for word in words)


def show_tournament(view: LedgerView, tournament: str) -> TournamentSheet:
    """Returns a tournament round by round.

    Raises:
        NotFound: no such tournament, or it was not open yet.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    changes = with_reasons(view, desk_changes(record))
    return tournament_sheet(record, facts, view.people(facts), changes)


def with_reasons(view: LedgerView, changes: Iterable[DeskChange]) -> tuple[DeskChange, ...]:
    """Returns changes at the desk with the reasons of the commits that they came by."""
    check = view.event_check()
    return tuple(replace(each, reason=check.read(each.seq)[1].reason) for each in changes)


def require_tournament(view: LedgerView, tournament: str, seq: Seq) -> TournamentRecord:
    """Returns a tournament as known at a seq; raises ``NotFound`` where it was not open yet."""
    record = view.tournament(tournament, seq)
    if record is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    return record


def require_round(record: TournamentRecord, round_: int | None) -> None:
    """Refuses what is asked after a round of which nothing is known; None asks after the last one.

    Raises:
        NotFound: there is no such round yet.
    """
    if round_ is not None and round_ > record.known_rounds:
        raise no_round(record, round_)


def no_round(record: TournamentRecord, round_: int) -> NotFound:
    """Returns the refusal of a round of which nothing is known."""
    tournament, rounds = record.version.tournament, record.known_rounds
    return NotFound("tournament.no_round", tournament=tournament, round=round_, rounds=rounds)


def tournament_name(view: LedgerView, tournament: str) -> str:
    """Returns how a tournament is called by now; raises ``NotFound``."""
    return require_tournament(view, tournament, view.facts().seq).version.name


def names_of_tournaments(view: LedgerView, ids: Iterable[str]) -> dict[str, str]:
    """Returns how some tournaments are called by now, by id."""
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    found = ((id_, known.tournament(facts.tournament_index[id_])) for id_ in ids)
    return {id_: version.name for id_, version in found if version is not None}


# Standings


class StandingsAsked(TypedDict, total=False):
    """Which standings of a tournament are asked for; None as if it were not there.

    ``after`` is the last round that counts (default: all; of published rounds, as far as all their
    games have a result). ``tie_breaks`` are codes, as they are announced (default: those that were
    announced, else the habit of its system). ``list_`` is the list whose ratings on the first day
    count (default: the one that rates it, else the ratings of its report).
    """

    after: int | None
    tie_breaks: str | None
    list_: str | None


def tournament_standings(
    view: LedgerView,
    tournament: str,
    *,
    prizes: Sequence[int] | None = None,
    **wanted: Unpack[StandingsAsked],
) -> Standings:
    """Returns the standings of a tournament.

    ``prizes`` are those of the places, in the smallest unit of the currency (default: as
    announced).

    Raises:
        NotFound: no such tournament or list, or no such round yet.
        InputRefused: no such tie-break, or players who were never entered.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    after, rules = wanted.get("after"), record.desk.rules
    require_round(record, after)
    if prizes is None and rules is not None:
        prizes = rules.prizes
    ratings = first_day_ratings(view, facts, record, wanted.get("list_"))
    offered = [] if prizes is None else [OfferedPrizes("", None, prizes)]
    offered += prizes_of_categories(view, record, ratings)
    if after is None and record.desk.last_round:
        after = last_complete_round(record)
    report = standings_report(
        record,
        facts,
        view.people(facts),
        _tie_breaks(record, wanted.get("tie_breaks")),
        after=after,
        ratings=ratings,
        prizes=offered,
    )
    return replace(report, changes=with_reasons(view, report.changes))


@dataclass(frozen=True, slots=True)
class EventPlaces:
    """The places of a tournament by the id of participants, of so many; equal ones are shared.

    Who was cancelled has none, and nobody before the first round is complete.
    """

    places: Mapping[str, int]
    count: int


def event_places(view: LedgerView, tournament: str) -> EventPlaces:
    """Returns the places of the standings of a tournament; raises as ``tournament_standings``.

    Nothing is calculated but what decides on them: ratings only where a tie-break is of ratings.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    tie_breaks = _tie_breaks(record, None)
    are_rated = any(map(is_of_ratings, tie_breaks))
    found = first_day_ratings(view, facts, record, None) if are_rated else None
    ratings = reported_ratings(record) if found is None else found[1]
    after = last_complete_round(record) if record.desk.last_round else None
    sheet, _, rows = ranked(record, tie_breaks, ratings, after=after)
    shown = [row for row in rows if sheet.played and not row.card.cancelled]
    return EventPlaces({row.card.player: row.rank for row in shown}, len(rows))


def standings_of_category(view: LedgerView, standings: Standings, category: Category) -> Standings:
    """Returns standings with the rows of those who are of a category; their places stay."""
    if category == EVERYBODY:
        return standings
    facts = view.facts()
    record = require_tournament(view, standings.tournament, facts.seq)
    shown = {line.id: line.rating or 0 for line in standings.rows}
    known, people = AsOf(facts, facts.seq), view.people(facts)
    members = participants_of_category(known, people, record, category, shown)
    return replace(standings, rows=tuple(row for row in standings.rows if row.id in members))


def tournament_prizes(
    view: LedgerView, tournament: str, **wanted: Unpack[StandingsAsked]
) -> PrizeTable:
    """Returns who gets which prize of a tournament; raises as ``tournament_standings`` does."""
    return prize_table(tournament_standings(view, tournament, **wanted))


def _tie_breaks(record: TournamentRecord, codes: str | None) -> tuple[TieBreak, ...]:
    """Returns the tie-breaks that are asked for, else those announced, else those of habit."""
    system, rules = record.version.system, record.desk.rules
    if codes is None and rules is not None and rules.tie_breaks:
        return of_rules(rules, record.version.starts_on, system)
    if codes is None:
        return habitual(system, record.version.rounds or record.last_round)
    return announced(codes, record.version.starts_on, system)


def tournament_crosstable(
    view: LedgerView, tournament: str, **wanted: Unpack[StandingsAsked]
) -> Crosstable:
    """Returns the crosstable of a tournament as it is printed; see ``tournament_standings``."""
    standings = tournament_standings(view, tournament, **wanted)
    record = require_tournament(view, tournament, view.facts().seq)
    return crosstable_report(participants_of(record), standings)


def tournament_score_form(
    view: LedgerView, tournament: str, **wanted: Unpack[StandingsAsked]
) -> ScoreForm:
    """Returns the score sheet of a tournament as it is printed; see ``tournament_standings``."""
    standings = tournament_standings(view, tournament, **wanted)
    record = require_tournament(view, tournament, view.facts().seq)
    return score_form(participants_of(record), standings)


def first_day_ratings(
    view: LedgerView, facts: Facts, record: TournamentRecord, list_: str | None
) -> tuple[str, dict[str, int]] | None:
    """Returns a list and its ratings on a tournament's first day; None where there are none.

    Without a list it is the one that was ordered to rate the tournament, or the only one that rates
    its rate of play.
    """
    day = record.version.starts_on
    if list_ is not None:
        return list_, rating_on(view, list_, day)
    fit = rating_lists(facts, record)
    if len(fit) != 1:
        return None
    ratings = rating_on(view, fit[0], day)
    return (fit[0], ratings) if ratings else None


def pairing_ratings(
    view: LedgerView, facts: Facts, record: TournamentRecord, list_: str | None = None
) -> dict[str, int]:
    """Returns the ratings for the pairing, by id: the arbiter's, else those of the list.

    Raises:
        NotFound: no such list.
    """
    found = first_day_ratings(view, facts, record, list_)
    ratings = {} if found is None else dict(found[1])
    described = ((p, entry.said.pairing_rating) for p, entry in record.desk.descriptions.items())
    given = {player: rating for player, rating in described if rating is not None}
    return {p: r for p, r in (ratings | given).items() if p in record.entries}


def lists_of_tournament(view: LedgerView, tournament: str) -> list[str]:
    """Returns the lists that rate a tournament; raises ``NotFound``."""
    facts = view.facts()
    return rating_lists(facts, require_tournament(view, tournament, facts.seq))


def rating_lists(facts: Facts, record: TournamentRecord) -> list[str]:
    """Returns the lists that were ordered to rate a tournament, else those of its rate of play."""
    known = AsOf(facts, facts.seq)
    fit = [
        name
        for name in facts.lists
        if known.list(name).defined.rate_of_play in (None, record.version.rate_of_play)
    ]
    return [name for name in fit if name in record.rated_in] or fit


# Ratings


@dataclass(frozen=True, slots=True)
class ListedTournament:
    """A tournament by its index, and the period of a list in which it falls, as known now."""

    timeline: Timeline
    tournament: TournamentIndex
    period: Period

    @property
    def known(self) -> AsOf:
        """What is known."""
        return self.timeline.known

    def rating(self) -> Column:
        """Returns everybody's rating at the start of the period, under the id that counts now."""
        facts = self.known.facts
        opening = calculated(facts, self.timeline.name, facts.seq, self.period).opening
        return opening.carried(self.known.merged_into).rating


def listed_tournament(view: LedgerView, tournament: str, name: str) -> ListedTournament:
    """Finds a tournament in a list: in the period that rates it, else in that in which it ended.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: it ended before the list began, and no period of the list rates it.
    """
    facts = view.facts_of(name)
    known = AsOf(facts, facts.seq)
    index = facts.tournament_index.get(tournament)
    version = None if index is None else known.tournament(index)
    if index is None or version is None:
        raise NotFound("tournament.unknown", tournament=tournament)
    timeline = Timeline(known, name)
    rated_in = int(timeline.rated_in(np.array([index]))[0])
    if rated_in >= 0:
        return ListedTournament(timeline, index, timeline.period_at(rated_in))
    # The list rates none of its games: what counts is the list in which it ended.
    periods = timeline.periods(version.ends_on)
    if not periods:
        raise InputRefused(
            "list.tournament_before_first",
            tournament=tournament,
            on=version.ends_on,
            list=name,
            first=timeline.list.defined.first_on,
        )
    return ListedTournament(timeline, index, periods[-1])


_K = 20  # where the list's regulation has no K of the established


def tournament_worksheet(
    view: LedgerView, tournament: str, name: str, k: int | None = None
) -> Worksheet:
    """Returns the worksheet, by the ratings at the start of the period that rates the tournament.

    Without a K it is the one of the established in the regulation of that period.

    Raises:
        NotFound: no such tournament or list.
        InputRefused: it ended before the list began, does not count, not everybody played
            everybody, or too few players are rated for a mean.
    """
    of = listed_tournament(view, tournament, name)
    on = (name, of.period.name)
    if k is None:
        parameters = of.timeline.regulation(of.period).parameters
        k = int(getattr(parameters, "k_established", _K))
    people, state = view.people(of.known.facts), state_as_known(view, *on)
    return worksheet(of.known, of.tournament, of.rating(), people, on=on, k=k, state=state)
