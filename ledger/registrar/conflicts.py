"""What may hold in no state of a ledger: two games in one place, two holders of what is unique.

The registrar refuses each command that would bring a conflict about. Who changes a state in another
way, as by taking back what was recorded, compares the conflicts before and after; of a ledger that
an earlier version wrote they tell what is wrong. Each function looks at the state alone, whatever
led to it. (Ids that others gave are compared in ``reports.directory``, which reads the documents.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np

from ledger.calendar import CalendarSegment, period_named
from ledger.desk.teams import matches
from ledger.events.players import PlayerErased
from ledger.facts.as_of import AsOf
from ledger.facts.ids import Survivors
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.results import Result, Termination
from ledger.terms import PairingMethod, System
from ledger.wording import Message

_PAIRED_BY: Final = {
    System.ROUND_ROBIN: PairingMethod.BERGER,
    System.TEAM_SWISS: PairingMethod.TEAM_1975,
}
"""What pairs an event of a system that one method alone pairs."""

IsRegistered: TypeAlias = Callable[[str], bool]
AS_NOBODY_CAN_TELL: Final = "conflict.given_up_twice"
"""With this conflict nothing else can be asked: which id stays is not known."""


def tournament_conflicts(
    record: TournamentRecord, is_registered: IsRegistered
) -> Iterator[Message]:
    """Yield what contradicts itself in a tournament.

    ``is_registered`` tells whether an id is that of a player who is registered.
    """
    tournament = record.version.tournament
    for message in (
        *pairing_conflicts(record),
        *entry_conflicts(record, is_registered),
        *team_conflicts(record),
        *round_conflicts(record),
    ):
        yield Message.of(message.key, tournament=tournament, **dict(message.values))


def pairing_conflicts(record: TournamentRecord) -> Iterator[Message]:
    """Yield the players with two pairings in a round, and pairings of a player with himself."""
    for one in record.displaced.values():
        seqs = {one.seq}
        for player in one.players:
            other = record.pairings.get((one.round, player))
            if other is not None and other.seq not in seqs:
                seqs.add(other.seq)
                values = {"player": player, "one": one.described(), "other": other.described()}
                yield Message.of("conflict.two_pairings", round=one.round, **values)
    for pairing in record.each_pairing:
        if pairing.white == pairing.black:
            yield Message.of("conflict.of_himself", round=pairing.round, player=pairing.white)
        result = pairing.result
        if isinstance(result, Result) and result.termination is Termination.PLAYED:
            for player in pairing.players:
                if record.withdrawn.get(player, pairing.round + 1) <= pairing.round:
                    values = {"player": player, "pairing": pairing.described()}
                    yield Message.of("conflict.withdrawn", round=pairing.round, **values)


def entry_conflicts(record: TournamentRecord, is_registered: IsRegistered) -> Iterator[Message]:
    """Yield players entered twice or not at all, numbers of two, and players nobody registered."""
    entries, teams = record.entries, record.desk.teams
    for player, count in record.entered.items():
        if count > 1:
            yield Message.of("conflict.entered_twice", player=player)
    named = {*_players_named(record), *(entries.keys() - record.entered.keys())}
    known = {*(entries.keys() & record.entered.keys()), *teams}
    for player in sorted(named - known):
        yield Message.of("conflict.not_entered", player=player)
    yield from _numbers_twice(entries)
    yield from _numbers_twice({id_: team.number for id_, team in teams.items()})
    for player in sorted(entries):
        if not is_registered(player):
            yield Message.of("conflict.not_registered", player=player)


def _players_named(record: TournamentRecord) -> Iterator[str]:
    """Yield everybody of whom something is recorded, but for an entry."""
    desk = record.desk
    yield from (player for _, player in record.pairings)
    yield from (player for one in record.displaced.values() for player in one.players)
    yield from (*record.withdrawn, *desk.expelled, *desk.excused, *desk.descriptions)
    yield from (player for _, player in desk.absences)
    for published in desk.rounds.values():
        yield from (player for board in published.boards for player in board)
        yield from () if published.bye is None else (published.bye,)
    for pair in (desk.rules.forbidden or ()) if desk.rules else ():
        yield from map(record.stays, pair)


def _numbers_twice(numbers: Mapping[str, int]) -> Iterator[Message]:
    holders: dict[int, str] = {}
    for participant, number in numbers.items():
        other = holders.setdefault(number, participant)
        if other != participant:
            values = {"player": participant, "other": other}
            yield Message.of("conflict.two_numbers", number=number, **values)


def team_conflicts(record: TournamentRecord) -> Iterator[Message]:
    """Yield players of two teams or of none in a line-up, and games at no board of a match."""
    teams = record.desk.teams
    team_of: dict[str, str] = {}
    for id_, team in teams.items():
        for player in team.players:
            other = team_of.setdefault(player, id_)
            if other != id_ or team.players.count(player) > 1:
                yield Message.of("conflict.two_teams", player=player, one=other, other=id_)
            if player not in record.entries:
                yield Message.of("conflict.not_entered", player=player)
    for (round_, id_), lineup in record.desk.lineups.items():
        for member in lineup:
            if member is not None and team_of.get(member) != id_:
                values = {"player": member, "team": id_}
                yield Message.of("conflict.not_of_team", round=round_, **values)
    for round_, published in record.desk.rounds.items() if teams else ():
        if not {id_ for board in published.boards for id_ in board} <= teams.keys():
            continue  # it is named as not entered
        seats = {board.seats for match in matches(record, round_) for board in match.boards}
        for pairing in record.each_pairing:
            sides = (pairing.white, pairing.black or "")
            if pairing.round == round_ and seats.isdisjoint((sides, sides[::-1])):
                yield Message.of("conflict.no_board", round=round_, pairing=pairing.described())


def round_conflicts(record: TournamentRecord) -> Iterator[Message]:
    """Yield what is announced of the rounds and does not fit those that are published."""
    about, desk = record.version, record.desk
    if about.rounds is not None and about.rounds < desk.last_round:
        values = {"rounds": about.rounds, "last": desk.last_round}
        yield Message.of("conflict.rounds", **values)
    if desk.rounds and desk.rules and not pairs_system(desk.rules.pairing, about.system):
        yield Message.of("conflict.system", system=about.system.value)


def pairs_system(pairing: PairingMethod, system: System) -> bool:
    """Returns whether a pairing method pairs the events of a system."""
    if system in _PAIRED_BY:
        return pairing is _PAIRED_BY[system]
    return pairing not in _PAIRED_BY.values()


def people_conflicts(known: AsOf) -> Iterator[Message]:
    """Yield what contradicts that several ids are one person."""
    facts, ids = known.facts, known.facts.player_ids
    survivors, given_up = Survivors(), dict[str, Seq]()
    for merge in (each for each in facts.merges if known.holds(each.seq)):
        player, into = str(ids[merge.player]), str(ids[merge.into])
        values = {"player": player, "into": into}
        if player in given_up or survivors(into) == player:
            yield Message.of(AS_NOBODY_CAN_TELL, **values)
            continue
        given_up[player] = merge.seq
        survivors.merge(player, into)
        if not known.is_registered[merge.into]:
            yield Message.of("conflict.into_nobody", **values)
    if not given_up:
        return
    erased = {ids[each.index] for each in facts.recorded(PlayerErased) if known.holds(each.seq)}
    for player in sorted(given_up):
        if (player in erased) != (survivors(player) in erased):
            yield Message.of("conflict.erased_in_part", player=player, into=survivors(player))
    for name, ladder in facts.ladders.items():
        for player in given_up.keys() & {*ladder.known(known.seq).places}:
            into = survivors(player)
            yield Message.of("conflict.on_ladder", ladder=name, player=player, into=into)
    yield from _seeds_of_two(known, survivors, given_up)


def _seeds_of_two(
    known: AsOf, survivors: Survivors, merged_at: Mapping[str, Seq]
) -> Iterator[Message]:
    """Yield the lists into which ratings of two ids were brought before they were one person."""
    facts, seeds = known.facts, known.facts.seeds
    people = facts.player_index.of({*merged_at, *map(survivors, merged_at)})
    rows = seeds.rows(np.isin(seeds.player, people) & known.holding(seeds.seq))
    first: dict[tuple[str, int], str] = {}
    for seq, player, list_ in zip(rows.seq, rows.player, rows.list, strict=True):
        id_ = facts.player_ids[player]
        other = first.setdefault((survivors(id_), list_), id_)
        if other != id_ and seq < max(merged_at.get(id_, 0), merged_at.get(other, 0)):
            values = {"player": id_, "other": other, "list": facts.names[list_]}
            yield Message.of("conflict.two_ratings", **values)


def list_conflicts(known: AsOf, name: str) -> Iterator[Message]:
    """Yield what a list lacks: its first regulation, whole periods, and those that are named.

    Nothing for a list that is not defined.
    """
    list_, facts = known.list(name), known.facts
    if not known.holds(facts.lists[name].seq):
        return
    first_on = list_.defined.first_on
    if not any(adoption.from_on <= first_on for adoption in list_.adoptions):
        yield Message.of("conflict.no_regulation", list=name)
    for segment in segments_that_cut(list_.segments):
        yield Message.of("conflict.period_cut", list=name, on=segment.from_on)
    named = [publication.period for _, publication in facts.lists[name].publications]
    named += [adjustment.period for _, adjustment in list_.adjustments]
    rulings = (each for each in facts.rulings if each.list == name and known.holds(each.seq))
    named += [ruling.period or "" for ruling in rulings]
    for period in sorted(set(named)):
        if period_named(list_.segments, period) is None:
            yield Message.of("conflict.no_period", list=name, period=period)


def segments_that_cut(segments: Sequence[CalendarSegment]) -> Iterator[CalendarSegment]:
    """Yield the segments of a calendar that begin within a period of the one before."""
    for before, after in pairwise(segments):
        if not before.calendar.starts(after.from_on):
            yield after
