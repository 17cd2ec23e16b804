"""What a federation learns later, by chance: everything that facts keep beside games."""

from __future__ import annotations

import datetime as dt
from itertools import count

from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.events.personal import Identity
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger, Request, body_of
from ledger.terms import Rate, System
from tests.differential.strategies import MONTHS, Federation
from tests.differential.support import LIST

_keys = count(1)


@st.composite
def later_words(draw: st.DrawFn, federation: Federation, most: int = 8) -> list[c.Command]:
    """Returns commands; some of them make no sense after others."""
    players = st.sampled_from([person.id for person in federation.people])
    tournaments = st.sampled_from([event.id for event in federation.events])
    days = st.sampled_from([dt.date(year, month, day) for year, month in MONTHS for day in (1, 20)])

    def corrected(tournament: str, days: tuple[dt.date, dt.date], rate: Rate) -> c.Command:
        return c.CorrectTournament(
            tournament=tournament, name=f"New {tournament}", starts_on=min(days),
            ends_on=max(days), system=System.SWISS,
            rate_of_play=rate, place="Elsewhere",
        )  # fmt: skip

    def announced(tournament: str, days: tuple[dt.date, dt.date]) -> c.Command:
        return c.AnnounceTournament(
            tournament=tournament, name=f"New {tournament}", starts_on=min(days),
            ends_on=max(days), rate_of_play=Rate.RAPID,
        )  # fmt: skip

    def opened(tournament: str, days: tuple[dt.date, dt.date]) -> c.Command:
        return c.OpenTournament(tournament=tournament, starts_on=min(days), ends_on=max(days))

    def identified(player: str, year: int, on: dt.date) -> c.Command:
        who = Identity(name=f"Other {player}", birth_date=str(year))
        return c.CorrectIdentity(
            player=player, identity=who, salt="1" * 32, federation="ARG", on=on
        )

    one = st.one_of(
        st.builds(corrected, tournaments, st.tuples(days, days), st.sampled_from(Rate)),
        st.builds(identified, players, st.sampled_from((1950, 2000)), days),
        st.builds(
            c.RuleOnTournament,
            tournament=tournaments,
            ruling=st.sampled_from(("reopen", "accept", "reject", "annul")),
            on=days,
        ),
        st.builds(c.CloseTournament, tournament=tournaments, on=days, anyway=st.just(value=True)),
        st.builds(
            c.AssignK,
            player=players, k=st.sampled_from((10, 30)), list=st.sampled_from((None, LIST)),
            on=days, as_correction=st.just(value=True),
        ),
        st.builds(
            c.SeedRating,
            player=players, list=st.just(LIST), rating=st.integers(1200, 2400),
            games=st.integers(0, 50), source=st.none(), on=days,
            as_correction=st.booleans(),
        ),
        st.builds(
            c.AffiliatePlayer,
            player=players, club=st.sampled_from((None, "", "Norte", "Sur")),
            region=st.sampled_from((None, "Sur")), licensed_until=st.none() | days, on=days,
        ),
        st.builds(announced, st.sampled_from(("N1", "N2")), st.tuples(days, days)),
        st.builds(c.CancelTournament, tournament=st.sampled_from(("N1", "N2"))),
        st.builds(opened, st.sampled_from(("N1", "N2")), st.tuples(days, days)),
        st.builds(c.MergePlayers, player=players, into=players, on=days),
        st.builds(c.AwardTitle, player=players, title=st.sampled_from(("IM", "FM")), on=days),
        st.builds(
            c.AdjustRating, player=players, list=st.just(LIST), points=st.integers(-50, 50),
            on=days,
        ),
    )  # fmt: skip
    return draw(st.lists(one, max_size=most))


def corrections(federation: Federation) -> list[c.Command]:
    """Returns the federation's own corrections of results."""
    found: list[c.Command] = []
    for place, number, result in federation.corrections:
        event = federation.events[place]
        game = event.games[number]
        assert game.black is not None, "a bye has no result to correct"
        found.append(
            c.CorrectResult(
                tournament=event.id, round=game.round, white=game.white, black=game.black,
                result=Result.parse(result),
            )
        )  # fmt: skip
    return found


def learn(ledger: Ledger, words: list[c.Command], *, dry_run: bool = False) -> int:
    """Records what makes sense; returns how much that is."""
    done = 0
    for word in words:
        asked = Request("tester", "test", f"learnt:{next(_keys)}", body_of([word]), dry_run=dry_run)
        try:
            ledger.execute([word], asked)
        except LedgerError:
            continue
        done += 1
    return done
