"""Private fields × faces: each role reads every route of a ledger and an office full of canaries.

A canary is found where its row of ``SEEN`` allows it, and nowhere else; where a row names a place
it must be found there, so that no page of errors passes. Routes come from the site itself, fields
from the event models, the identity document and the tables of the office: a new one that nobody
placed here makes the test fail.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, update

from ledger.events.catalogue import CATALOGUE
from ledger.events.personal import Identity, PrintedName
from ledger.intake.data_package import write_data_package
from ledger.journal.checkpoint import Signer
from ledger.operations import commands as c
from ledger.privacy import FIELDS
from ledger.service.accounts import create_account
from ledger.service.ledger import Ledger
from ledger.terms import Role
from ledger.trust.proofs import signed_now
from ledger.views.federation import FederationRules
from ledger.views.past import newest_of
from tests.intake.trf.writing import file, player
from tests.ledgers import NOW, do, request, with_july_published
from tests.web.access_table import routes, rows
from tests.web.offices import new_office
from tests.web.submitting import ORIGIN, ROLES, Staffed, named
from tests.web.test_access import is_let_in
from tests.web.test_claims import game_of, id_of
from web.access import Account
from web.app import create_app
from web.assets import asset_path
from web.office import accounts, player_ties, sessions, tokens
from web.office.claims import ClaimAnswer, keep_answer
from web.office.jobs import start
from web.office.schema import IDENTITIES, METADATA, PASSWORDS, WEBHOOKS
from web.office.store import new_secret
from web.office.webhooks import Subject, announce
from web.settings import WebSettings
from web.site import Site

READERS: Final[Mapping[str, str]] = {
    "nobody": "", "player account": "pia", "arbiter": "eva", "officer": "ana", "auditor": "aud",
    "administrator": "adm",
}  # fmt: skip
BIRTH: Final = dt.date(1987, 11, 23)
DESCRIBED: Final = dt.date(1987, 10, 27)
PRINTED: Final = dt.date(1987, 8, 29)


def day_in_any_form(day: dt.date) -> str:
    """Return a pattern for a day as figures in either order, or in words."""
    year, month, number = day.year, f"{day.month:02}", f"{day.day:02}"
    return (
        f"{year}[-/.]?{month}[-/.]?{number}|{number}[-/. ]{month}[-/. ]{year}"
        f"|{month}[-/. ]{number}[-/. ]{year}|\\b{number} (?:de )?{day:%b}|{day:%B} {number}"
    )


class Seen(NamedTuple):
    """Who may find a canary, in the paths that match, and where each of them must find it."""

    canary: str
    readers: frozenset[str]
    paths: str = ""
    must: tuple[str, ...] = ()
    also: str = "-"


STAFF: Final = frozenset({"arbiter", "officer", "auditor"})
DECIDERS: Final = frozenset({"arbiter", "officer"})
OWN: Final = frozenset({"player account"})
ADMINISTRATOR: Final = frozenset({"administrator"})
BOARD: Final = frozenset({"officer", "auditor"})
SEEN: Final[Mapping[str, Seen]] = {
    "birth_date": Seen(
        day_in_any_form(BIRTH), BOARD,
        must=("/api/v1/players/{player}", "/api/v1/players", "/submissions/{id_}/preview.json",
              "/api/v1/tournaments/{tournament}/trf"),
    ),
    "born_on": Seen(
        day_in_any_form(DESCRIBED), BOARD,
        must=("/api/v1/players/{player}", "/api/v1/events", "/api/v1/events/{seq}", "/audit/log",
              "/audit/commits/{number}", "/audit/events/{seq}", "/tile/{path:path}"),
    ),
    "printed": Seen(day_in_any_form(PRINTED), BOARD),
    "claims.email": Seen("canary@mail", frozenset({"officer"}), must=("/claims/{id_}",)),
    "claims.words": Seen(
        "WordsCanary", DECIDERS, "/claims|/api/v1/claims", ("/claims/{id_}", "/api/v1/claims"),
        also="/claim/{secret}",
    ),
    "claim_answers.words": Seen(
        "AnswerCanary", DECIDERS, "/claims|/api/v1/claims", ("/claims/{id_}", "/api/v1/claims"),
        also="/claim/{secret}",
    ),
    "submissions.content": Seen(
        "ReasonCanary", STAFF, "/submissions|/api/v1/submissions", ("/submissions/{id_}",),
        also="/previews/{secret}",
    ),
    "submission_files.data": Seen(
        "FileCanary", STAFF, "/submissions|/api/v1/submissions", ("/submissions/{id_}/file",),
        also="/previews/{secret}",
    ),
    "sessions.agent": Seen("AgentCanary", OWN, "/account", ("/account",)),
    "tokens.name": Seen("TokenCanary", OWN, "/account", ("/account",)),
    "identities.subject": Seen(
        "SubjectCanary", ADMINISTRATOR, "/accounts/", ("/accounts/{account}",)
    ),
    "webhooks.url": Seen(
        "hook-canary", ADMINISTRATOR, "/webhooks|/api/v1/webhooks",
        ("/webhooks", "/api/v1/webhooks"),
    ),
    "player_ties": Seen(
        "tie-canary", frozenset({"officer", "administrator"}), "/player-accounts",
        ("/player-accounts",), also="/accounts",
    ),
    "secrets": Seen("SecretCanary", frozenset()),
}  # fmt: skip
"""By what is private. ``paths`` is a pattern of the routes, all by default; ``also`` is a route by
whose secret address everybody sees it who was given that."""

# The fields that there are

PUBLIC_FIELDS: Final = frozenset(
    [
        "acceleration",
        "account",
        "after",
        "algorithm",
        "announced_by",
        "announcement",
        "basis",
        "basis_seq",
        "below",
        "birth_year",
        "black",
        "boards",
        "by_hand",
        "bye",
        "bye_by_lot",
        "bye_halves",
        "calendar",
        "challenge",
        "challenged",
        "challenged_rating",
        "challenger",
        "challenger_rating",
        "chief_arbiter",
        "closes_days_before",
        "club",
        "code",
        "cycles",
        "denominator",
        "despite",
        "deviations",
        "digest",
        "distribution",
        "documents",
        "edition",
        "ends_on",
        "engine",
        "exchange_last_rounds",
        "federation",
        "first_colour",
        "first_on",
        "flags",
        "forbidden",
        "from_round",
        "games",
        "identity",
        "input_sha256",
        "into",
        "joined_on",
        "k",
        "key",
        "kind",
        "ladder",
        "licensed_until",
        "list",
        "lot_seed",
        "merit_hundredths",
        "name",
        "not_paired",
        "numerator",
        "outcome",
        "output_sha256",
        "override",
        "pairing",
        "pairing_rating",
        "parameters",
        "participants",
        "period",
        "pivot",
        "place",
        "player",
        "players",
        "points",
        "policy",
        "prizes",
        "published_on",
        "rate_of_play",
        "rating",
        "ratings_sha256",
        "region",
        "regulation",
        "regulation_digest",
        "relying_party",
        "report",
        "required",
        "result",
        "role",
        "round",
        "rounds",
        "row_count",
        "rows_root",
        "rows_sha256",
        "ruling",
        "seed",
        "sex",
        "source",
        "sources",
        "starting_number",
        "starts_on",
        "supersedes",
        "system",
        "team",
        "team_boards",
        "team_reserves",
        "tie_breaks",
        "time_control",
        "title",
        "tournament",
        "undoes",
        "version",
        "way",
        "what",
        "white",
    ]
)
"""What events say that everybody sees: of people names of bodies, sex and years, never a day."""
OF_IDENTITY: Final[Mapping[str, str]] = {
    "apart": "public", "birth_date": "private", "ids": "public", "name": "public",
    "printed": "never shown", "sex": "public",
}  # fmt: skip
OFFICE: Final = {
    f"{table}.{column}": how
    for how, tables in {
        # What lets somebody in, or is a digest of it: no page shows it.
        "never shown": """
            accounts user_handle; attempts key; ceremonies hash data; claims hash; devices hash;
            enrolments hash; passkeys credential public_key; passwords hash secret last_step;
            recovery_codes hash; sessions hash; submission_links hash; tokens hash;
            webhooks secret; submission_signatures key assertion""",
        # A canary of ``SEEN``, or what stands beside it and is shown with it alone.
        "private": """
            claims words email account content title about reason; claim_answers words account
            confirms; submissions content title; submission_steps comment; submission_files data;
            submission_previews data; sessions agent; tokens name; identities issuer subject;
            passkeys name; webhooks url; webhook_deliveries problem; player_ties account player;
            jobs parameters result problem what""",
        # Handles, ids, digests, states, counts and instants: on pages of who may use them.
        "plain": """
            accounts account created_at; attempts count ends_at; ceremonies kind expires_at;
            claims id player list period tournament state decided_by commit_id made_at changed_at;
            erasures gone; jobs job number kind key account state cancelled runner claims done
            total created_at beat_at ended_at; submission_files sha256; submissions id kind state
            account turn version sha256 made_at changed_at decided_by commit_id; unfinished_copies
            source; webhook_deliveries number webhook delivery seq subject tried_at code; webhooks
            webhook subjects seq created_at created_by tries next_at failing_since disabled_at;
            claim_answers claim at; devices account expires_at; enrolments account created_at
            expires_at; identities account created_at; passkeys account sign_count created_at
            used_at copied_at; passwords account changed_at; player_ties tied_at; recovery_codes
            account; sessions account seq created_at seen_at fresh_at; submission_links submission
            expires_at; submission_previews submission version seq digest; submission_signatures
            submission version account; submission_steps submission number at account what; tokens
            account seq scopes created_at expires_at used_at""",
    }.items()
    for line in tables.split(";")
    for table, *columns in [line.split()]
    for column in columns
}
"""How each column of the office is treated."""


def test_every_field_of_an_event_is_public_or_declared_private() -> None:
    names = {name for model in CATALOGUE.models() for name in model.model_fields}
    assert names - FIELDS.keys() - PUBLIC_FIELDS == set(), "declare it in ledger/privacy.py or here"
    assert PUBLIC_FIELDS - names == set()
    assert PUBLIC_FIELDS.isdisjoint(FIELDS)


def test_every_field_of_an_identity_document_is_placed() -> None:
    assert Identity.model_fields.keys() == OF_IDENTITY.keys()
    assert {name for name, how in OF_IDENTITY.items() if how == "private"} <= FIELDS.keys()


def test_every_column_of_the_office_is_placed() -> None:
    columns = {f"{table.name}.{column.name}" for table in METADATA.sorted_tables
               for column in table.columns}  # fmt: skip
    assert columns == OFFICE.keys()


# The site of canaries

REPORT: Final = file(
    "012 FileCanary Open", "042 2010/09/02", "052 2010/09/02", "092 Swiss",
    player(1, "Canary, Kim", "   2 w 1", federation="CHI", birth="1987/00/00"),
    player(2, "Other, Olga", "   1 b 0", federation="CHI", birth="1990/00/00"),
)  # fmt: skip
ALWAYS: Final = FederationRules(claim_days=0)
SIGNER: Final = Signer("chess.example/ratings", bytes(32))


def ledger_of_canaries() -> Ledger:
    """Return a ledger in which A has a day of birth in every place that takes one."""
    ledger = with_july_published()
    day = dt.date(2010, 7, 1)
    printed = PrintedName(sender="eva", name="Canary, K.", birth_date=str(PRINTED))
    person = Identity(name="Canary, Kim Lee", birth_date=str(BIRTH), printed=(printed,))
    do(
        ledger,
        c.CorrectIdentity(player="A", identity=person, salt="0" * 32, federation="CHI", on=day),
        c.DescribePlayer(player="A", born_on=DESCRIBED, joined_on=None, sex="m", on=day),
    )  # fmt: skip
    for name, role in ROLES.items():
        create_account(ledger, name, role, request=request())
    return ledger


@dataclass(frozen=True)
class CanarySite:
    """The site, and an address for every route of it."""

    site: Staffed
    addresses: Mapping[str, str]

    def read(self, path: str, reader: str) -> httpx.Response:
        """Read the address of a route as one of ``READERS``."""
        headers = {"x-account": READERS[reader], "accept-language": "en"}
        answer: httpx.Response = self.site.client.get(
            self.addresses[path], headers=headers, follow_redirects=False
        )
        return answer

    def forbids(self, path: str, reader: str) -> bool:
        """Return whether the table of access keeps a reader out of a route."""
        name = READERS[reader]
        roles = frozenset({ROLES[name]}) if name in ROLES else frozenset[Role]()
        return not is_let_in(Account(name, roles) if name else None, rows()["GET", path])


@pytest.fixture(scope="module")
def canaries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CanarySite]:
    folder = tmp_path_factory.mktemp("canaries")
    ledger, office = ledger_of_canaries(), new_office(folder, lambda: NOW)
    page = folder / "page"
    page.write_text(signed_now(ledger, SIGNER, None).note())
    settings = WebSettings(
        ledger="", origin=ORIGIN, cache=folder, federation=ALWAYS, checkpoint=page,
        webhooks_anywhere=True, demo=True,
    )  # fmt: skip
    client = TestClient(
        create_app(Site(ledger, settings), office, named), ORIGIN, raise_server_exceptions=False
    )
    site = Staffed(client, ledger, office, folder)
    yield CanarySite(site, dict(addresses_of(site)))
    office.close()


def addresses_of(site: Staffed) -> Iterator[tuple[str, str]]:
    """Fill the office with canaries; yield an address of each route that reads."""
    now, facts = site.office.now(), site.ledger.facts()
    hook = fill_accounts(site, now)
    secret = new_secret()
    words = {
        "player": "A", "list": "ENF", "period": "2010-07", "game": game_of(site.ledger),
        "wrong": "result", "result": "0-1", "words": "WordsCanary", "email": "canary@mail.example",
        "key": secret,
    }  # fmt: skip
    assert site.pia.post("/claims/new", words).status_code == 200
    claim = id_of(site, secret)
    said = ClaimAnswer("bea", confirms=False, words="AnswerCanary", at=now)
    with site.office.writing() as connection:
        keep_answer(connection, claim, said)
    submission = site.eva.drafted(REPORT, rate_of_play="classical", reason="ReasonCanary")
    shared = site.eva.post(f"/submissions/{submission}/share")
    preview = re.findall(r"/previews/([\w-]+)", shared.text)[0]
    described = next(e for e in site.ledger.journal.events() if e.type == "player.described")
    values = {
        "player": "A", "opponent": "B", "list": "ENF", "name": "ENF", "period": "2010-07@1",
        "tournament": "T1", "seq": described.seq, "number": 1, "round": 1, "commit": 1,
        "regulation": "enf-2010", "ladder": "none", "account": "luis", "webhook": hook,
        "job": start(site.office, "verification", {}, account="ana"), "submission": submission,
        "id_": submission, "key": "player.not_found", "form": "crosstable", "team": "none",
        "code": "none", "page": 1, "what": "players", "file": "none", "secret": "none",
        "digest": "none", "path": "none",
    }  # fmt: skip
    special = {
        "/static/{digest}/{name}": asset_path("style.css"),
        "/claims/{id_}": f"/claims/{claim}",
        "/claim/{secret}": f"/claim/{secret}",
        "/claims/new": "/claims/new?player=A&list=ENF&period=2010-07",
        "/previews/{secret}": f"/previews/{preview}?all=true",
        "/audit/commits/{number}": f"/audit/commits/{described.commit_id}",
        "/audit/log": "/audit/log?player=A",
        "/api/v1/events": "/api/v1/events?player=A",
        "/tile/{path:path}": f"/tile/entries/000.p/{facts.seq}",
        "/lists/{name}/diff": "/lists/ENF/diff?before=2010-07@1&after=2010-07@1",
        "/lists/{name}/{period}/letters": "/lists/ENF/2010-07/letters?player=A",
        "/lists/{name}/{period}/email": "/lists/ENF/2010-07/email",
        "/lists/{name}/{period}/publish": "/lists/ENF/2010-08/publish",
        "/players/{player}/titles": "/players/A/titles?list=ENF",
        "/players/{player}/{name}/why": "/players/A/ENF/why?from=2010-07&to=2010-08",
        "/players/{player}/{name}/{period}": "/players/A/ENF/2010-07",
        "/players/{player}/against": "/players/A/against?q=b",
        "/compare/{name}/{regulation}": "/compare/ENF/elo-linear",
        "/suggestions": "/suggestions?q=canary",
        "/players": "/players?search=canary",
        "/corrections/new": "/corrections/new?what=merge-players&player=B&into=A",
        "/tournaments/{tournament:path}/standings.{form}": "/tournaments/T1/standings.csv",
        "/desk/{tournament:path}/found": "/desk/T1/found?q=canary",
        "/submissions/{id_}": f"/submissions/{submission}?all=true",
    } | {
        f"/api/v1{path}": f"/api/v1{address}"
        for path, address in {
            "/lists/{list}/diff": "/lists/ENF/diff?before=2010-07@1&after=2010-07@1",
            "/lists/{list}/comparison": "/lists/ENF/comparison?with=elo-linear",
            "/lists/{list}/periods/{period}/check": "/lists/ENF/periods/2010-08/check",
            "/lists/{list}/periods/{period}/letters": "/lists/ENF/periods/2010-07/letters",
            "/players/{player}/{list}/why": "/players/A/ENF/why?from=2010-07&to=2010-08",
            "/players/{player}/{list}/forecast": "/players/A/ENF/forecast?opponent=B",
        }.items()
    }  # fmt: skip
    for method, path in routes():
        if method == "GET":  # a parameter of no known value is a ``KeyError``
            yield path, special.get(path) or path.replace(":path", "").format_map(values)


def fill_accounts(site: Staffed, now: int) -> str:
    """Make accounts with a canary in each private column; return the id of a webhook."""
    seq = site.ledger.facts().seq
    with site.office.writing() as connection:
        for account in ("pia", "bea", "tie-canary", "luis"):
            accounts.add(connection, account, now)
        player_ties.tie_player(connection, "pia", "A", {"A"}, now)
        player_ties.tie_player(connection, "bea", "B", {"B"}, now)
        player_ties.tie_player(connection, "tie-canary", "C", {"C"}, now)
        sessions.begin(connection, "pia", seq=seq, agent="AgentCanary", now=now)
        scopes = frozenset({"jobs"})
        tokens.add(connection, "pia", "TokenCanary", scopes, seq=seq, now=now, expires_at=now + 99)
        for table, row in (
            (IDENTITIES, {"issuer": "https://id.example", "subject": "SubjectCanary",
                          "account": "luis", "created_at": now}),
            (PASSWORDS, {"account": "pia", "hash": "SecretCanary", "secret": b"SecretCanary",
                         "last_step": 0, "changed_at": now}),
        ):  # fmt: skip
            connection.execute(insert(table).values(row))
        hook = announce(
            connection, "https://hook-canary.example/", frozenset(Subject), seq=seq, now=now,
            account="adm", anywhere=True,
        )  # fmt: skip
        connection.execute(update(WEBHOOKS).values({"secret": "SecretCanary"}))
    return hook.id


# What each reader finds

STATUS: Final[Mapping[str, int]] = {
    "/favicon.ico": 307, "/players/{player}/{name}": 307,
    **dict.fromkeys(
        ("/logo", "/players/{player}/card.png", "/data/{file}", "/again/{secret}", "/sign/{secret}",
         "/enrol/{code}", "/ladders/{ladder}", "/api/v1/ladders/{ladder}", "/api/v1/verification",
         "/desk/{tournament:path}/rounds/{number}", "/api/v1/tournaments/{tournament}/seats",
         "/api/v1/tournaments/{tournament}/rounds/{round}"),
        404,
    ),
    **dict.fromkeys(
        ("/desk/{tournament:path}/numbers", "/desk/{tournament:path}/pair",
         "/sign-in/oidc",
         "/sign-in/oidc/callback", "/api/v1/tournaments/{tournament}/teams",
         "/api/v1/tournaments/{tournament}/worksheet/{list}",
         "/tournaments/{tournament:path}/teams"),
        422,
    ),
}  # fmt: skip
"""What a route answers that has nothing to show of this ledger; all others answer 200."""
NOT_THEIRS: Final[Mapping[str, frozenset[str]]] = {
    "/account/claims": frozenset(READERS) - OWN,
    "/jobs/{job}": frozenset({"player account", "arbiter"}),
    "/api/v1/jobs/{job}": frozenset({"player account", "arbiter"}),
}
"""Who is told of a route that there is nothing, since it is another account's."""
WHOLE: Final = ("/proofs/events/{seq}", "/tile/{path:path}")
"""Proofs of whole events: refused to who may not see all of an event."""


def status_for(canaries: CanarySite, path: str, reader: str) -> int:
    if canaries.forbids(path, reader):
        return 403 if READERS[reader] else 401 if path.startswith("/api/") else 303
    if path in WHOLE and reader not in BOARD:
        return 403
    return 404 if reader in NOT_THEIRS.get(path, ()) else STATUS.get(path, 200)


@pytest.mark.parametrize("reader", READERS)
def test_a_canary_is_found_where_it_may_be_and_nowhere_else(
    canaries: CanarySite, reader: str, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = []
    for path in canaries.addresses:
        answer = canaries.read(path, reader)
        if (status := status_for(canaries, path, reader)) != answer.status_code:
            wrong.append(f"{path}: {answer.status_code}, not {status}")
        text = f"{answer.text} {answer.headers}"
        for name, seen in SEEN.items():
            is_found = re.search(seen.canary, text) is not None
            may = path == seen.also or (reader in seen.readers and re.match(seen.paths, path))
            if is_found and not may:
                wrong.append(f"{path} shows {name}")
            if not is_found and reader in seen.readers and path in seen.must:
                wrong.append(f"{path} does not show {name}")
    assert wrong == []
    for name, seen in SEEN.items():
        assert not re.search(seen.canary, caplog.text), name


def test_open_data_hold_no_canary(canaries: CanarySite, tmp_path: Path) -> None:
    write_data_package(newest_of(canaries.site.ledger), tmp_path, "Open data", None)
    files = [each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()]
    assert any(b"Canary, Kim Lee" in each for each in files)
    for name, seen in SEEN.items():
        assert not any(re.search(seen.canary.encode(), each) for each in files), name


def test_templates_read_private_fields_by_attribute() -> None:
    """What is got by a method goes past the mask."""
    got = re.compile(
        rf"""\.get\(["'](?:{"|".join(FIELDS)})["']|attribute=["'](?:{"|".join(FIELDS)})"""
    )
    pages = files("web").joinpath("templates").iterdir()
    assert [page.name for page in pages if got.search(page.read_text("utf-8"))] == []
