"""Events of teams for tests, folded from their events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.results import Result, Termination
from ledger.terms import PairingMethod, Rate, System

DAY = dt.date(1974, 11, 17)
_RESULTS = {"1": "1-0", "½": "1/2-1/2", "0": "0-1", "+": "+/-", "-": "-/+", "#": "-/-"}
_OF_BLACK = {"1": "0", "0": "1", "+": "-", "-": "+"}


class TeamEvent:
    """Builds the record of an event of teams; a team is called A, its players A1, A2, …"""

    def __init__(
        self,
        teams: Sequence[str],
        *,
        boards: int = 4,
        reserves: int = 1,
        rounds: int = 5,
        bye_halves: int | None = None,
    ) -> None:
        self.boards = boards
        self.record = TournamentRecord(
            to.TournamentOpened(
                tournament="T",
                name="Torneo por equipos",
                starts_on=DAY,
                ends_on=DAY,
                system=System.TEAM_SWISS,
                rate_of_play=Rate.CLASSICAL,
                rounds=rounds,
            )
        )
        self._seq = 1
        self.take(
            de.RulesAnnounced(
                tournament="T",
                pairing=PairingMethod.TEAM_1975,
                tie_breaks=(),
                first_colour="white",
                team_boards=boards,
                team_reserves=reserves,
                bye_halves=bye_halves,
            )
        )
        for number, team in enumerate(teams, start=1):
            players = tuple(f"{team}{board}" for board in range(1, boards + reserves + 1))
            first = len(self.record.entries) + 1
            for place, player in enumerate(players, start=first):
                self.take(to.PlayerEntered(tournament="T", player=player, starting_number=place))
            self.take(
                de.TeamEntered(
                    tournament="T",
                    team=team,
                    name=f"Team {team}",
                    participants=players,
                    starting_number=number,
                )
            )

    def take(self, event: to.AnyTournamentEvent | de.AnyDeskEvent) -> None:
        """Takes the next event."""
        self._seq += 1
        self.record.take(Seq(self._seq), event, DAY)

    def round(
        self,
        *matches: str,
        bye: str | None = None,
        lineups: Mapping[str, Sequence[str | None]] | None = None,
    ) -> None:
        """Publishes and plays the next round.

        A match is ``A-B 1½01``: the results of the boards for A, which has White on board 1; ``+``
        and ``-`` by default, ``#`` lost by both, ``.`` none yet.
        """
        round_ = self.record.desk.last_round + 1
        read = [match.partition(" ") for match in matches]
        pairs = tuple(_two(teams) for teams, _, _ in read)
        self.take(
            de.RoundPublished(
                tournament="T",
                round=round_,
                boards=pairs,
                bye=bye,
                engine="test",
                input_sha256="0" * 64,
                pairing=PairingMethod.TEAM_1975,
            )
        )
        for team, players in (lineups or {}).items():
            self.take(
                de.LineupHandedIn(
                    tournament="T", round=round_, team=team, participants=tuple(players)
                )
            )
        for (white, black), (_, _, results) in zip(pairs, read, strict=True):
            self._play(round_, (white, black), results, lineups or {})

    def _play(
        self,
        round_: int,
        teams: tuple[str, str],
        results: str,
        lineups: Mapping[str, Sequence[str | None]],
    ) -> None:
        usual = range(1, self.boards + 1)
        one, other = (lineups.get(team, [f"{team}{n}" for n in usual]) for team in teams)
        for board, said in enumerate(results, start=1):
            pair, sign = (one[board - 1], other[board - 1]), said
            if board % 2 == 0:
                pair, sign = pair[::-1], _OF_BLACK.get(said, said)
            white, black = pair
            if said == "." or white is None or black is None:
                continue
            result = Result.parse(_RESULTS[sign])
            forfeit = result.termination is Termination.FORFEIT
            model = to.ForfeitRecorded if forfeit else to.ResultRecorded
            self.take(
                model(tournament="T", round=round_, white=white, black=black, result=str(result))
            )


def _two(teams: str) -> tuple[str, str]:
    one, _, other = teams.partition("-")
    return one, other
