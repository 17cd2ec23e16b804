"""The standings of an event as a report: places, tie-breaks, prizes, and each value explained."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Final

from ledger.desk.score_sheet import (
    ScoreSheet,
    coming_withdrawals,
    games_played,
    scheduled_games,
    without_temporary,
)
from ledger.desk.standings import StandingsRow, awarded, standings
from ledger.desk.teams import participants_sheet
from ledger.desk.tie_breaks.tie_break import Part, TieBreak, Value
from ledger.errors import NotFound
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq, TournamentId
from ledger.json_form import HIDDEN, PARTS, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.reports.desk_changes import DeskChange, began_at, desk_changes
from ledger.reports.tournaments import Participants, is_final, require_entered
from ledger.wording import Message

_OF_RESULTS = ("rank", "number", "points", "tie_breaks")
"""What the digest of standings is made of."""

_NOT_ASKED: Final = Value(None, why=Message.of("standings.not_asked"))


@dataclass(frozen=True, slots=True)
class Place(JsonForm):
    """Who has a place, as every form made of standings says it.

    ``tie_breaks`` has the amounts by code, None where there is none: a tie-break among the tied has
    one where it was asked.
    """

    number: int
    id: str
    name: str
    points: Fraction
    tie_breaks: Mapping[str, Fraction | None]
    rank: int
    cancelled: bool


@dataclass(frozen=True, slots=True)
class StandingsLine(Place):
    """A participant's row of the standings.

    ``decided_by`` is what put the row below the one above it: ``points``, a
    code, or None for the first row and for who shares the place above. ``prize`` is None where no
    prizes were said. ``temporary``: a game is not over, and its points are for the pairing only;
    they are in ``points`` where the standings are not final.
    """

    rank: Annotated[int, After("")]
    rating: Annotated[int | None, After("name")]
    decided_by: Annotated[str | None, After("tie_breaks")]
    federation: Annotated[str | None, After("decided_by")]
    withdrew_from: Annotated[int | None, After("federation")]
    expelled: Annotated[bool, After("withdrew_from")]
    temporary: bool
    prize: int | None


@dataclass(frozen=True, slots=True)
class ExplainedPart(JsonForm):
    """What a round gave to a value; ``opponent`` is a starting number, ``name`` the opponent's."""

    part: Annotated[Part, PARTS]
    id: Annotated[str | None, After("opponent")]
    name: Annotated[str | None, After("id")]

    @property
    @derived
    def adjusted(self) -> Message | None:
        """From what to what the opponent's score was adjusted, and by which rule."""
        return self.part.adjusted.message if self.part.adjusted else None

    @property
    @derived
    def round(self) -> int | None:
        """The round; None for a game that was never played and is of no round."""
        return self.part.round or None


@dataclass(frozen=True, slots=True)
class ExplainedValue(JsonForm):
    """A tie-break's value for a participant with its parts, and where its rule stands.

    ``again`` says that it is the value of a tie-break that was asked again among fewer.
    """

    tie_break: TieBreak
    value: Annotated[Value, HIDDEN]
    parts: tuple[ExplainedPart, ...]
    again: Annotated[bool, After("article")] = False

    @property
    @derived
    def article(self) -> Annotated[str, After("tie_break")]:
        """Where the rule stands."""
        return self.tie_break.article

    @property
    @derived
    def amount(self) -> Annotated[Fraction | None, Key("value"), After("again")]:
        """The value itself."""
        return self.value.amount

    @property
    @derived
    def how(self) -> Message | None:
        """How it comes from its parts, where it is not their sum."""
        return self.value.how

    @property
    @derived
    def why(self) -> Message | None:
        """Why it decides nothing, if so."""
        return self.value.why


@dataclass(frozen=True, slots=True)
class ExplainedStandings(JsonForm):
    """A participant's row, and each value that it has in the standings."""

    tournament: TournamentId
    after: int
    player: StandingsLine
    values: tuple[ExplainedValue, ...]


@dataclass(frozen=True, slots=True)
class ReplacedTieBreaks(JsonForm):
    """Tie-breaks that were announced, and the seq of the rules that replaced them."""

    seq: Seq
    tie_breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Award(JsonForm):
    """The prizes of a category: its conditions, empty of those by place, and what who gets.

    ``amounts`` are in the smallest unit of the currency, by starting number.
    """

    category: str
    amounts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class OfferedPrizes:
    """The prizes of a category from the first place in it; ``members`` are ids, None: everybody."""

    category: str
    members: frozenset[str] | None
    amounts: Sequence[int]


@dataclass(frozen=True, slots=True)
class IssuedStandings(JsonForm):
    """Standings that were published: by which event, and whether they are still the same."""

    seq: Seq
    same: bool


@dataclass(frozen=True, slots=True)
class StandingsHeading(JsonForm):
    """What every form made of standings says of them; ``tie_breaks`` are told by their codes.

    ``final`` says that nothing is to come: then temporary points count no more.
    """

    tournament: TournamentId
    name: str
    after: int
    rounds: int
    final: bool
    tie_breaks: tuple[TieBreak, ...]


@dataclass(frozen=True, slots=True)
class Standings(StandingsHeading):
    """The standings of an event after a round.

    ``list`` is the one
    whose ratings are shown, None for those of the event's report. ``announced`` are the codes of
    the rules in force, None where there are none; ``replaced`` those of rules that were replaced
    after the event had begun, with the seq that did so. ``changes`` are all that the arbiter
    changed or decided out of turn, ``issued`` the standings that were published after this round.
    ``coming`` says what becomes of the scores of those who leave an all-play-all after it.
    """

    list: Annotated[str | None, After("final")]
    announced: tuple[str, ...] | None
    replaced: tuple[ReplacedTieBreaks, ...]
    changes: tuple[DeskChange, ...]
    issued: tuple[IssuedStandings, ...]
    rows: tuple[StandingsLine, ...]
    places: Annotated[Mapping[str, StandingsRow], HIDDEN]
    """By id."""
    awards: Annotated[tuple[Award, ...], HIDDEN] = ()
    annulled: Annotated[bool, HIDDEN] = False
    coming: Annotated[tuple[Message, ...], HIDDEN] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the tie-breaks, in order."""
        return tuple(tie_break.code for tie_break in self.tie_breaks)

    @property
    def not_used(self) -> tuple[tuple[str, Message], ...]:
        """The codes of tie-breaks that cannot be used in this event, each with the reason."""
        found: dict[str, Message] = {}
        used = set()
        for code, value in (item for row in self.places.values() for item in row.values.items()):
            if value.amount is not None:
                used.add(code)
            elif value.why is not None:
                found.setdefault(code, value.why)
        return tuple((code, why) for code, why in found.items() if code not in used)

    def row(self, player: str) -> StandingsLine:
        """Returns a participant's row, by id."""
        return next(row for row in self.rows if row.id == player)

    def explanation(self, player: str) -> ExplainedStandings:
        """Returns a participant's row, by id, with each value; raises ``NotFound``."""
        if player not in self.places:
            raise NotFound("tournament.not_entered", player=player, tournament=self.tournament)
        values = tuple(self.explained(player))
        return ExplainedStandings(self.tournament, self.after, self.row(player), values)

    def explained(self, player: str) -> Iterator[ExplainedValue]:
        """Yields each value of a participant, by id, with its parts."""
        values = self.places[player].values
        for tie_break in self.tie_breaks:
            value: Value | None = values.get(tie_break.code) or _NOT_ASKED
            again = False
            while value:
                yield ExplainedValue(tie_break, value, self._parts(value), again)
                value, again = value.again, True

    def _parts(self, value: Value) -> tuple[ExplainedPart, ...]:
        people = {row.number: (row.id, row.name) for row in self.rows}
        return tuple(
            ExplainedPart(part, *people.get(part.opponent or 0, (None, None)))
            for part in value.parts
        )


def standings_report(
    record: TournamentRecord,
    facts: Facts,
    people: People,
    tie_breaks: Sequence[TieBreak],
    *,
    after: int | None = None,
    ratings: tuple[str, Mapping[str, int]] | None = None,
    prizes: Sequence[OfferedPrizes] = (),
) -> Standings:
    """Makes the standings of a tournament.

    Args:
        record: the tournament.
        facts: what is known.
        people: names, as known then.
        tie_breaks: in the order in which they are asked.
        after: the last round that counts (default: all).
        ratings: the name of a list and its ratings on the first day, by player (default: the
            report's).
        prizes: by place and of categories, of which nobody gets two.

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    list_, of_list = ratings or (None, reported_ratings(record))
    sheet, final, places = ranked(record, tie_breaks, of_list, after=after)
    participants = Participants(record, facts, people)
    awards = tuple(_awards(places, prizes))
    money = {place.card.number: 0 for place in places} if awards else {}
    for award in awards:
        money |= award.amounts
    rows = tuple(_line(place, participants, money, tie_breaks) for place in places)
    return Standings(
        tournament=record.version.tournament,
        name=record.version.name,
        after=sheet.played,
        rounds=sheet.rounds,
        final=final,
        list=list_,
        tie_breaks=tuple(tie_breaks),
        announced=rules.tie_breaks if (rules := record.desk.rules) else None,
        replaced=tuple(_replaced(record)),
        rows=rows,
        places={place.card.player: place for place in places},
        awards=awards,
        changes=desk_changes(record),
        issued=tuple(_issued(record, sheet.played, tie_breaks, rows)),
        annulled=record.annulled,
        coming=() if after is None else tuple(_coming(participants, sheet.played)),
    )


def ranked(
    record: TournamentRecord,
    tie_breaks: Sequence[TieBreak],
    ratings: Mapping[str, int],
    *,
    after: int | None = None,
) -> tuple[ScoreSheet, bool, list[StandingsRow]]:
    """Returns the score sheet of a tournament, whether its standings are final, and their rows.

    ``ratings`` are by player; ``after`` is the last round that counts (default: all).

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    require_entered(record)
    sheet = participants_sheet(record, ratings, after=after)
    final = is_final(record, sheet.played)
    return sheet, final, standings(without_temporary(sheet) if final else sheet, tie_breaks)


def _awards(places: Sequence[StandingsRow], prizes: Sequence[OfferedPrizes]) -> Iterator[Award]:
    everybody = frozenset(place.card.player for place in places)
    offered = [
        (everybody if each.members is None else each.members, each.amounts) for each in prizes
    ]
    for each, amounts in zip(prizes, awarded(places, offered), strict=True):
        yield Award(each.category, amounts)


def rows_sha256(rows: Sequence[StandingsLine]) -> str:
    """Returns the digest of standings: places, numbers, points and tie-breaks as canonical JSON.

    What may change later without another result is not in it: names, ratings, who left.
    """
    content = [{key: row.data()[key] for key in _OF_RESULTS} for row in rows]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _issued(
    record: TournamentRecord,
    after: int,
    tie_breaks: Sequence[TieBreak],
    rows: Sequence[StandingsLine],
) -> Iterator[IssuedStandings]:
    """Yields the standings that went out after a round."""
    out = [(seq, said) for seq, said in record.desk.standings if said.after == after]
    if out:
        now = (tuple(each.code for each in tie_breaks), rows_sha256(rows))
        for seq, said in out:
            yield IssuedStandings(seq, (said.tie_breaks, said.rows_sha256) == now)


def _coming(participants: Participants, after: int) -> Iterator[Message]:
    """Yields what a withdrawal after this round comes to, by the games that are played so far."""
    record = participants.record
    played, scheduled = games_played(record), scheduled_games(record)
    for player, from_ in coming_withdrawals(record, after).items():
        games = played[player]
        key = "standings.to_be_cancelled" if games * 2 < scheduled else "standings.to_be_awarded"
        name = participants.name(player) or player
        yield Message.of(key, name=name, round=from_, games=games, scheduled=scheduled)


def _replaced(record: TournamentRecord) -> Iterator[ReplacedTieBreaks]:
    """Yields the tie-breaks that were replaced after a round was published or played."""
    begun = began_at(record)
    for before, after in pairwise(record.desk.announcements):
        changed = before.rules.tie_breaks != after.rules.tie_breaks
        if changed and begun is not None and after.seq > begun:
            yield ReplacedTieBreaks(after.seq, before.rules.tie_breaks)


def _line(
    place: StandingsRow,
    participants: Participants,
    money: Mapping[int, int],
    tie_breaks: Sequence[TieBreak],
) -> StandingsLine:
    card = place.card
    values = {each.code: place.values.get(each.code) for each in tie_breaks}
    return StandingsLine(
        rank=place.rank,
        number=card.number,
        id=card.player,
        name=participants.name(card.player),
        rating=card.rating,
        points=Fraction(card.halves, 2),
        tie_breaks={code: each.amount if each else None for code, each in values.items()},
        decided_by=place.decided_by,
        federation=participants.federation(card.player),
        withdrew_from=card.withdrawn_from,
        expelled=card.expelled,
        cancelled=card.cancelled,
        temporary=any(line.temporary for line in card.lines),
        prize=money.get(card.number),
    )


def reported_ratings(record: TournamentRecord) -> dict[str, int]:
    """Returns the ratings that the tournament's report gave, by id; 0 is none."""
    report = record.version.report
    by_number = dict(enumerate(report.ratings if report and report.ratings else (), start=1))
    found = ((player, by_number.get(number, 0)) for player, number in record.entries.items())
    return {player: rating for player, rating in found if rating}
