"""What the tests of the API share: a ledger of which everything can be asked, and its addresses."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.cli.running import run_here
from tests.golden.test_report_json import reported
from web.api.description import description
from web.api.routing import PREFIX

_DAY = ("--start", "2010-10-01", "--end", "2010-10-01", "--rate-of-play", "classical")
_DESK = (
    ("tournament", "announce", "summer", "--name", "Summer", "--start", "2027-01-04", "--end",
     "2027-01-05", "--rate-of-play", "rapid", "--region", "Maule", "--by", "Club Talca"),
    ("tournament", "open", "pairs", "--name", "Pairs", *_DAY, "--rounds", "3"),
    ("tournament", "rules", "pairs", "--pairing", "fenamac-1975"),
    ("tournament", "enter", "pairs", "3404510", "3400190", "3407128", "3405958", "11209"),
    ("tournament", "numbers", "pairs", "--list", "ENF"),
    ("tournament", "pair", "pairs"),
    ("tournament", "result", "pairs", "1", "1", "1-0"),
    ("tournament", "open", "teams", "--name", "Teams", *_DAY, "--rounds", "2",
     "--system", "team-swiss"),
    ("tournament", "rules", "teams", "--pairing", "team-1975", "--team-boards", "2",
     "--tie-breaks", "solkoff"),
    ("tournament", "team", "teams", "X", "--name", "X", "3404510", "3400190"),
    ("tournament", "team", "teams", "Y", "--name", "Y", "3407128", "3405958"),
    ("tournament", "pair", "teams"),
    ("tournament", "result", "teams", "1", "1.1", "1-0"),
)  # fmt: skip

_TIE_BREAKS = "direct,blacks,kashdan,lots:x,BH/C1"
ASKED: Final[dict[str, str]] = {
    "/lists": "list list",
    "/lists/ENF/periods": "period list ENF",
    "/lists/ENF/2010-08": "list show ENF 2010-08",
    "/lists/ENF/2010-07@1": "list show ENF 2010-07 --edition 1",
    "/lists/ENF/2010-08?search=ruiz": "list show ENF 2010-08 --search ruiz",
    "/lists/ENF/2010-08?federation=CHI&active=true": (
        "list show ENF 2010-08 --federation CHI --active"
    ),
    "/lists/ENF/2010-07?as-known-at=175": "list show ENF 2010-07 --as-known-at 175",
    "/lists/ENF/diff?before=2010-07@1&after=2010-08": "list diff ENF 2010-07@1 2010-08",
    "/lists/ENF/live": "live ENF",
    "/corrections/175": "correction show 175",
    "/corrections/175?most=1": "correction show 175 --most 1",
    "/lists/ENF/monitor": "list monitor ENF",
    "/lists/NEXT/monitor?active=true": "list monitor NEXT --active-only",
    "/lists/ENF/comparison?with=elo-linear&from=2010-07&to=2010-10": (
        "regulation compare ENF --with elo-linear --from 2010-07 --to 2010-10"
    ),
    "/lists/ENF/comparison?with=elo-linear&param=constant=20": (
        "regulation compare ENF --with elo-linear --param constant=20 --from 2010-07 --to 2010-10"
    ),
    "/players": "player list",
    "/calendar?from=2010-01-01&to=2010-12-31": (
        "tournament calendar --from 2010-01-01 --to 2010-12-31"
    ),
    "/calendar?from=2027-01-01": "tournament calendar --from 2027-01-01",
    "/tournaments/ymca-2010/prizes": "tournament prizes ymca-2010",
    "/tournaments/ymca-2010/results": "tournament results ymca-2010",
    "/tournaments/ymca-2010/progress?round=3": "tournament progress ymca-2010 --after 3",
    "/players?sex=w": "player list --sex w",
    "/players?search=ruiz": "player find ruiz",
    "/players/3404510": "player show 3404510",
    "/players/A/titles?list=ENF": "player titles A --list ENF",
    "/players/3404510/ENF/career": "player career 3404510 --list ENF",
    "/players/E-0009/NEXT/career": "player career E-0009 --list NEXT",
    "/players/3404510/ENF/against/3405958": "player against 3404510 3405958 --list ENF",
    "/players/3404510/NEXT/history": "history 3404510 --list NEXT",
    "/players/3404510/ENF/why": "why 3404510 --list ENF",
    "/players/3404510/ENF/why?from=2010-07@1&to=2010-08": (
        "why 3404510 --list ENF --from 2010-07@1 --to 2010-08"
    ),
    **{
        f"/players/{player}/{name}/2010-08": (f"explain {player} --list {name} --period 2010-08")
        for player in ("3404510", "E-0009", "11209", "40529")
        for name in ("ENF", "NEXT", "OLD")
    },
    "/players/3404510/ENF/2010-07@1": ("explain 3404510 --list ENF --period 2010-07 --edition 1"),
    "/players/A/ENF/2010-10": "explain A --list ENF --period 2010-10",
    "/players/3404510/ENF/performance/ymca-2010": (
        "performance 3404510 --tournament ymca-2010 --list ENF"
    ),
    "/players/3404510/ENF/forecast?opponent=3405958&opponent-rating=2000&rating=1900": (
        "forecast 3404510 --list ENF --opponent 3405958 --opponent-rating 2000 --rating 1900"
    ),
    "/players/K/ENF/performance/u": "performance K --tournament u --list ENF",
    "/tournaments": "tournament list",
    "/tournaments?year=2010&rate-of-play=rapid&search=agosto": (
        "tournament list --year 2010 --rate-of-play rapid --search agosto"
    ),
    "/tournaments?place=nowhere": "tournament list --place nowhere",
    **{f"/tournaments/{name}": f"tournament show {name}" for name in ("ymca-2010", "u", "Club-1")},
    "/tournaments/u/standings?list=ENF": "tournament standings u --list ENF",
    f"/tournaments/ymca-2010/standings?round=3&tie-breaks={_TIE_BREAKS}&list=ENF": (
        f"tournament standings ymca-2010 --after 3 --tie-breaks {_TIE_BREAKS} --list ENF"
    ),
    "/tournaments/ymca-2010/standings/3407128?list=ENF": (
        "tournament standings ymca-2010 --explain 3407128 --list ENF"
    ),
    "/tournaments/t/prizes?list=ENF": "tournament prizes t --list ENF",
    "/clubs?on=2010-07-01": "player clubs --on 2010-07-01",
    "/agenda?on=2010-09-02": "agenda --on 2010-09-02",
    "/lists/ENF/periods/2010-08/check": "period check 2010-08 --list ENF",
    "/lists/ENF/periods/2010-07/letters": "list letters 2010-07 --list ENF",
    "/tournaments/t/crosstable?list=ENF": "tournament crosstable t --list ENF",
    "/tournaments/ymca-2010/crosstable?list=ENF": "tournament crosstable ymca-2010 --list ENF",
    "/tournaments/ymca-2010/score-sheet?list=ENF": "tournament score-sheet ymca-2010 --list ENF",
    "/tournaments/ymca-2010/cards?list=ENF": "tournament cards ymca-2010 --list ENF",
    "/tournaments/pairs/rounds/1": "tournament round pairs 1",
    "/tournaments/pairs/seats?round=1": "tournament seats pairs 1",
    "/tournaments/teams/teams": "tournament team-tables teams",
    "/tournaments/t/gains?list=ENF": "tournament live t --list ENF",
    "/tournaments/u/titles?list=ENF": "tournament titles u --list ENF",
    "/tournaments/t/worksheet/ENF": "tournament worksheet t --list ENF",
    "/tournaments/t/certificates/A?list=ENF": "tournament certificate t A --list ENF",
    "/tournaments/t/report-form?list=ENF": "tournament report-form t --list ENF",
    "/regulations": "regulation list",
    "/regulations/enf-2010": "regulation show enf-2010",
    "/regulations/enf-2010/lists/ENF": "regulation show enf-2010 --list ENF",
    "/ladders/Club?on=2010-09-02": "ladder show Club --on 2010-09-02",
    "/events?limit=1000": "log",
    "/events?player=3404510": "log --player 3404510",
    "/events?tournament=t": "log --tournament t",
}
"""Addresses of the API with the commands that say the same."""
BYTES: Final[dict[str, str]] = {
    "/lists/ENF/2010-07@1/bytes": "list regenerate ENF 2010-07 --edition 1",
    "/tournaments/ymca-2010/trf": "tournament trf ymca-2010",
    "/checkpoint": "checkpoint",
}
"""Addresses whose answers are no JSON, with the commands that write the same."""
OWN: Final = (
    "/players/3404510/tournaments",
    "/corrections",
    "/events/3/proof",
    "/lists/ENF",
    "/head",
    "/commits",
    "/commits/3",
    "/events/3",
    "/ladders",
    "/ladders/Club",
    "/lists/ENF/2010-08?sort=gain&state=rated",
)
"""Addresses that no command says."""
OF_OFFICE: Final = ("/verification",)
"""Addresses of a site with an office."""


def make_ledger(folder: Path) -> Path:
    """Makes a ledger that has something of everything; returns its file."""
    with reported(folder):
        for step in _DESK:
            done = run_here(*step)
            assert done.code == 0, (step, done.err)
    return folder / "rating-ledger.db"


def address(path: str) -> str:
    """Returns an address of the API."""
    return f"{PREFIX}{path}"


@cache
def components() -> dict[str, Any]:
    """Returns the schemas of the API's description, to be read only, as a schema may name them."""
    return {"components": description()["components"]}


def words(command: str) -> list[str]:
    """Returns the words of a command."""
    return shlex.split(command)
