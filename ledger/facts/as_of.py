"""What was known at a ``seq``: the facts cut there, with the last row of every pairing.

This is where the second axis of time lives. Nothing downstream needs to know of supersession,
versions or merges any more.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from ledger.calendar import CalendarSegment
from ledger.events.lists import ListAdjusted, ListDefined, RegulationAdopted
from ledger.events.model import Event
from ledger.events.players import (
    PlayerDescribed,
    PlayerIdentityCorrected,
    PlayerVersion,
    TitleAwarded,
)
from ledger.events.tournaments import TournamentCorrected, TournamentFlagged, TournamentVersion
from ledger.facts.blocks import BlockRows
from ledger.facts.columns import NOBODY, Acceptance, Column, Facts, ListFacts, Mask
from ledger.facts.game_rows import GameRows, gathered
from ledger.facts.tables import (
    EVERY_LIST,
    NO_YEAR,
    NOT_TOLD,
    Affiliations,
    AssignedKs,
    RecordedEvent,
    Seeds,
    tournament_row,
)
from ledger.identifiers import PlayerIndex, Seq, TournamentIndex

E = TypeVar("E", bound=Event)
Dated = TypeVar("Dated", Seeds, AssignedKs, Affiliations)


@dataclass(frozen=True, slots=True)
class TournamentColumns:
    """One row for each tournament, by its index.

    ``starts_on`` and ``ends_on`` are ordinals of chess dates, ``rate`` and ``system`` positions in
    ``RATES`` and ``SYSTEMS``, ``merit`` hundredths (``NO_MERIT``: the regulation's own),
    ``acceptance`` as in ``Acceptance``.
    """

    starts_on: Column
    ends_on: Column
    rate: Column
    system: Column
    merit: Column
    acceptance: Column


SEXES = (None, "m", "w")


@dataclass(frozen=True, slots=True)
class DescriptionColumns:
    """One row for each player: days as ordinals (0: not known), ``sex`` a position in ``SEXES``."""

    born_on: Column
    joined_on: Column
    sex: Column

    @classmethod
    def unknown(cls, players: int) -> DescriptionColumns:
        """Nothing is known of so many players."""
        return cls(*(np.zeros(players, dtype=np.int32) for _ in range(3)))


@dataclass(frozen=True, slots=True)
class AffiliationColumns:
    """One row for each player: ``club`` and ``region`` are positions among the names of bodies.

    ``licensed_until`` is the last day (ordinal) of the licence. All are ``NOT_TOLD`` where nothing
    was said.
    """

    club: Column
    region: Column
    licensed_until: Column


@dataclass(frozen=True, slots=True)
class ListAsOf:
    """One rating list as it was defined at the basis."""

    defined: ListDefined
    segments: tuple[CalendarSegment, ...]
    adoptions: tuple[RecordedEvent[RegulationAdopted], ...]
    adjustments: tuple[tuple[Seq, ListAdjusted], ...]


class AsOf:
    """The facts as they were known at a seq; everything in it is final for that basis."""

    def __init__(self, facts: Facts, seq: Seq) -> None:
        self.facts = facts
        self.seq = seq
        self._affiliations: dict[dt.date, AffiliationColumns] = {}

    @cached_property
    def undone(self) -> Mapping[Seq, Seq]:
        """Which events are taken back by then, each with the seq of the event that does."""
        return self.facts.undone_at(self.seq)

    def holds(self, seq: Seq) -> bool:
        """Whether an event was known, and not taken back."""
        return seq <= self.seq and seq not in self.undone

    def holding(self, seqs: Column) -> Mask:
        """Returns which events, by their seqs, were known and not taken back."""
        known: Mask = seqs <= self.seq
        return known & ~np.isin(seqs, self._undone_seqs) if self.undone else known

    @cached_property
    def _undone_seqs(self) -> Column:
        return np.array([*self.undone], dtype=np.int64)

    @cached_property
    def is_open(self) -> Mask:
        """Which tournaments were opened by then."""
        return self.holding(self.facts.tournaments.seq)

    @cached_property
    def is_registered(self) -> Mask:
        """Which players were registered by then."""
        return self.holding(self.facts.players.seq)

    def counts_as(self, player: PlayerIndex) -> PlayerIndex:
        """Returns the index under which a player's games count: after merges, another one's."""
        return PlayerIndex(int(self.merged_into[player]))

    @cached_property
    def merged_into(self) -> Column:
        """For each player of the facts, the index under which his games count."""
        into: Column = np.arange(len(self.facts.players), dtype=np.int32)
        for merge in self.facts.merges:
            if self.holds(merge.seq):
                into[into == merge.player] = into[merge.into]
        return into

    # Games

    @cached_property
    def places(self) -> Column:
        """The places in the facts' directory of games of which something is known."""
        directory = self.facts.directory
        known = directory.seq <= self.seq
        if self.undone:  # of what never was nothing is known
            known &= self.is_open[directory.tournament]
        return np.flatnonzero(known).astype(np.int32)

    @cached_property
    def with_games(self) -> Mask:
        """Of which tournaments a game is known."""
        found = np.zeros(len(self.facts.tournaments), dtype=np.bool_)
        found[self.facts.directory.tournament[self.places]] = True
        return found

    def games(
        self, places: Column | None = None, fetch: Callable[[int], BlockRows] | None = None
    ) -> GameRows:
        """Returns the last row of every pairing of some places (default: of all), players merged.

        Args:
            places: in the facts' directory, in order.
            fetch: brings the rows of a block by its position, where a cache keeps them.
        """
        made = gathered(
            self.facts,
            self.seq,
            self.places if places is None else places,
            fetch or self._fetch,
            self._superseded,
        )
        return made if self._into is None else made.merged(self._into)

    def games_of_tournament(self, tournament: TournamentIndex) -> GameRows:
        """Returns the last row of every pairing of a tournament."""
        its = self.facts.directory.tournament[self.places] == tournament
        return self.games(self.places[its])

    def tournaments_of_player(self, player: PlayerIndex) -> Column:
        """Returns the tournaments in which a player has games, by the index that counts."""
        found = [np.zeros(0, dtype=np.int64)]
        for games in self.games_by_block():
            his = (games.white == player) | (games.black == player)
            found.append(np.unique(games.tournament[his]))
        return np.unique(np.concatenate(found))

    def games_by_block(self) -> Iterator[GameRows]:
        """Yields the last row of every pairing, a block at a time."""
        block = self.facts.directory.block[self.places]
        for one in np.unique(block).tolist():
            yield self.games(self.places[block == one])

    def _fetch(self, block: int) -> BlockRows:
        return self.facts.blocks[block].fetch()

    @cached_property
    def _superseded(self) -> Column:
        """The seqs of the rows that others supersede, or that are taken back; sorted."""
        pairs = self.facts.supersession
        earlier = pairs.earlier[self.holding(pairs.seq)]
        return np.sort(np.append(earlier, self._undone_seqs))

    @cached_property
    def _into(self) -> Column | None:
        """The index under which each player counts, and nobody; None where nobody was merged."""
        if not any(self.holds(merge.seq) for merge in self.facts.merges):
            return None
        return np.append(self.merged_into, np.int32(NOBODY))

    # Tournaments and players

    @cached_property
    def tournaments(self) -> TournamentColumns:
        """The tournaments, as last corrected by then; those not yet opened are void."""
        table = self.facts.tournaments
        names = ("starts_on", "ends_on", "rate", "system", "merit")
        unknown = ~self.is_open
        made = {name: getattr(table, name).copy() for name in names}
        made["acceptance"] = np.full(len(table), Acceptance.ACCEPTED, dtype=np.int8)
        for column in made.values():
            column[unknown] = 0
        made["acceptance"][unknown] = Acceptance.ANNULLED
        for index, event in self._corrected_tournaments.items():
            for name, value in zip(names, tournament_row(event), strict=False):
                made[name][index] = value
        for ruling in self.facts.rulings:
            if self.holds(ruling.seq):
                made["acceptance"][ruling.tournament] = ruling.acceptance
        return TournamentColumns(**made)

    def tournament(self, index: int) -> TournamentVersion | None:
        """Returns what was last said of a tournament by then, or None before it was opened."""
        facts = self.facts
        if not self.holds(Seq(int(facts.tournaments.seq[index]))):
            return None
        texts = (
            facts.tournament_ids[index],
            facts.tournament_names.read()[index],
            facts.tournament_places.read()[index],
        )
        corrected = self._corrected_tournaments.get(index)
        return corrected or facts.tournaments.event(index, texts)

    @cached_property
    def tournament_names(self) -> Sequence[str]:
        """The names of all tournaments, as last corrected by then."""
        names = list(self.facts.tournament_names.read()[: len(self.facts.tournaments)])
        for index, event in self._corrected_tournaments.items():
            names[index] = event.name
        return names

    def player(self, index: int) -> PlayerVersion | None:
        """Returns what was last said of a player by then, or None before he was registered."""
        facts = self.facts
        if not self.holds(Seq(int(facts.players.seq[index]))):
            return None
        corrected = self._corrected_players.get(index)
        return corrected or facts.players.event(index, facts.player_ids[index])

    def identity(self, player: PlayerIndex) -> str | None:
        """Returns the digest of a player's identity; None before he was registered."""
        version = self.player(player)
        return None if version is None else version.identity

    def identities(self, players: Column) -> list[str]:
        """Returns the digests of many players' identities; "" before they were registered."""
        table = self.facts.players
        digests = table.identity[players].tobytes().hex()
        size = 2 * table.identity.itemsize
        found = [digests[at : at + size] for at in range(0, len(digests), size)]
        for place in np.flatnonzero(~self.holding(table.seq[players])).tolist():
            found[place] = ""
        corrected = np.array([*self._corrected_players], dtype=np.int64)
        for place in np.flatnonzero(np.isin(players, corrected)).tolist():
            found[place] = self._corrected_players[int(players[place])].identity
        return found

    def federations(self, players: Column) -> list[str | None]:
        """Returns the federations of many players, where they are known."""
        codes = self.federation_codes[players].tolist()
        names = {code: code.decode() or None for code in set(codes)}
        return [names[code] for code in codes]

    def federation(self, player: PlayerIndex) -> str | None:
        """Returns a player's federation, where it is known."""
        version = self.player(player)
        return None if version is None else version.federation

    @cached_property
    def _corrected_tournaments(self) -> dict[int, TournamentCorrected]:
        return self._last(TournamentCorrected)

    @cached_property
    def _corrected_players(self) -> dict[int, PlayerIdentityCorrected]:
        return self._last(PlayerIdentityCorrected)

    @cached_property
    def identity_seqs(self) -> Column:
        """The seq of what was last said of who each player is; 0 before he was registered."""
        seqs: Column = np.where(self.is_registered, self.facts.players.seq, 0)
        for correction in self.facts.recorded(PlayerIdentityCorrected):
            if self.holds(correction.seq):
                seqs[correction.index] = correction.seq
        return seqs

    @cached_property
    def birth_years(self) -> Column:
        """The year in which each player was born, as last said by then; 0 where it is not known."""
        players = self.facts.players
        years: Column = players.birth_year.copy()
        years[~self.is_registered] = NO_YEAR
        for index, event in self._corrected_players.items():
            years[index] = event.birth_year or NO_YEAR
        return years

    @cached_property
    def federation_codes(self) -> Column:
        """The federation of each player as last said by then, as bytes; empty: not known."""
        players = self.facts.players
        codes = players.federation.copy()
        codes[~self.is_registered] = b""
        for index, event in self._corrected_players.items():
            codes[index] = (event.federation or "").encode()
        return codes

    @cached_property
    def descriptions(self) -> DescriptionColumns:
        """What rules may ask of the players beyond a year of birth, as last said by then."""
        made = DescriptionColumns.unknown(len(self.facts.players))
        for said in self.facts.recorded(PlayerDescribed):
            if self.holds(said.seq):
                player, event = int(self.merged_into[said.index]), said.event
                made.born_on[player] = event.born_on.toordinal() if event.born_on else 0
                made.joined_on[player] = event.joined_on.toordinal() if event.joined_on else 0
                made.sex[player] = SEXES.index(event.sex)
        return made

    def affiliations(self, day: dt.date) -> AffiliationColumns:
        """Of which club and region the players are on a day, and until when they have a licence."""
        if day not in self._affiliations:
            self._affiliations[day] = self._affiliated_on(day)
        return self._affiliations[day]

    def _affiliated_on(self, day: dt.date) -> AffiliationColumns:
        table = self.facts.affiliations
        holding = self._in_order(table, table.from_on <= day.toordinal())
        players = self.merged_into[holding.player]
        columns = np.full((3, len(self.facts.players)), NOT_TOLD, dtype=np.int32)
        rows = holding.club, holding.region, holding.licensed_until
        for column, values in zip(columns, rows, strict=True):
            is_told = values != NOT_TOLD
            column[players[is_told]] = values[is_told]  # where a player is twice, the last holds
        return AffiliationColumns(*columns)

    @cached_property
    def flags(self) -> dict[str, Column]:
        """The tournaments (indexes, ascending) that have each flag, as last said by then."""
        flagged: dict[str, list[int]] = {}
        for index, event in sorted(self._last(TournamentFlagged).items()):
            for flag in event.flags:
                flagged.setdefault(flag, []).append(index)
        return {flag: np.array(flagged[flag], dtype=np.int64) for flag in sorted(flagged)}

    # Ratings brought in, Ks, titles

    def seeds(self, name: str) -> Seeds:
        """Returns the ratings brought into a list, in the order in which they hold: by day, seq."""
        names = self.facts.names
        seeds = self.facts.seeds
        if name not in names:
            return seeds.rows(slice(0, 0))
        return self._in_order(seeds, seeds.list == names.index(name))

    def assigned_ks(self, name: str) -> AssignedKs:
        """Returns the Ks that hold in a list, in the order in which they hold: by day, seq."""
        ks = self.facts.ks
        names = self.facts.names
        its = ks.list == EVERY_LIST
        if name in names:
            its |= ks.list == names.index(name)
        return self._in_order(ks, its)

    def _in_order(self, table: Dated, chosen: Mask) -> Dated:
        chosen &= self.holding(table.seq)
        known = table if chosen.all() else table.rows(chosen)
        if (known.from_on[1:] >= known.from_on[:-1]).all():
            return known
        return known.rows(np.argsort(known.from_on, kind="stable"))

    @cached_property
    def titles(self) -> list[RecordedEvent[TitleAwarded]]:
        """Titles awarded, in the order in which they hold: by day, then by seq."""
        awarded = self.facts.recorded(TitleAwarded)
        known = (title for title in awarded if self.holds(title.seq))
        return sorted(known, key=lambda title: (title.from_on, title.seq))

    def list(self, name: str) -> ListAsOf:
        """Returns a list as it was defined by then; the caller knows that it was."""
        facts: ListFacts = self.facts.lists[name]
        return ListAsOf(
            defined=facts.defined,
            segments=tuple(
                sorted(
                    (segment for seq, segment in facts.segments if self.holds(seq)),
                    key=lambda segment: segment.from_on,
                )
            ),
            adoptions=tuple(
                sorted(
                    (adoption for adoption in facts.adoptions if self.holds(adoption.seq)),
                    key=lambda adoption: (adoption.from_on, adoption.seq),
                )
            ),
            adjustments=tuple(pair for pair in facts.adjustments if self.holds(pair[0])),
        )

    def _last(self, type_: type[E]) -> dict[int, E]:
        """Returns the last event of a type that holds, by the index of what it is about."""
        recorded = self.facts.recorded(type_)
        return {said.index: said.event for said in recorded if self.holds(said.seq)}
