"""Erasure × history: whatever became of an event, an erasure destroys the document it named.

Every way in which a name enters the ledger is combined with everything that can happen to the
event afterwards. Each name is a word of its own, so that one that is left tells where it stood.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from ledger.answers.directory import directory_of, player_known
from ledger.errors import InputRefused, NotFound
from ledger.events.catalogue import CATALOGUE
from ledger.events.personal import Identity, IssuedId, PrintedName
from ledger.events.players import (
    PlayerErased,
    PlayerIdentityCorrected,
    PlayerRegistered,
    PlayerVersion,
)
from ledger.identifiers import NO_EVENT, Seq
from ledger.intake.imports import Document, import_document
from ledger.journal.records import PersonalDocument
from ledger.journal.stores.database import open_journal
from ledger.operations import commands as c
from ledger.operations.operation import Command
from ledger.registrar.deciders import DECIDERS
from ledger.service.archives import export_archive, import_archive
from ledger.service.backups import back_up
from ledger.service.erasures import documents_of_erased, erase_player
from ledger.service.ledger import Ledger
from ledger.service.retractions import split_player, undo_commit
from ledger.trust.verification import verify
from ledger.views.past import PastLedger
from tests.cli.running import run
from tests.hidden_names import NAME, files_with
from tests.intake.trf.writing import file, player
from tests.journal.databases import as_superuser
from tests.journal.drafts import draft
from tests.ledgers import (
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
)
from tests.postgres import PostgresServer
from tests.service.test_erased_bytes import folder_of
from tests.web.submitting import staffed

DAY = dt.date(2026, 1, 1)
STEM: Final = NAME[:5]
"""How every name begins: ``files_with`` looks for it in every form."""
_LETTERS: Final = str.maketrans("0123456789", "ghijklmnop")
_salts = count(1)


@dataclass
class Story:
    """A person in a ledger: how the name came in, and what happened to the event.

    Attributes:
        ledger: where it is recorded.
        title: names the way and the history.
        player: the id.
        another: a second id, for merges.
        way: how the name comes in.
        commit: the number of the commit by which it came in.
        seq: the last seq of that commit.
        ids: those that are erased; of merged ids the one that stays.
    """

    ledger: Ledger
    title: str
    player: str
    another: str
    way: Way
    commit: int = 0
    seq: Seq = NO_EVENT
    ids: list[str] = field(default_factory=list)
    turn: int = 0

    def name(self, place: str) -> str:
        """Return a name for a place, whose first word resembles no other."""
        digest = hashlib.sha256(f"{self.title} {self.turn} {place}".encode()).hexdigest()
        letters = digest.translate(_LETTERS)
        return f"{STEM}{letters[:14]}, {letters[14:20].title()}"

    def about(self, player: str, place: str, identity: Identity | None = None) -> dict[str, Any]:
        """Return the fields of a command that says who a player is."""
        identity = identity or Identity(name=self.name(place), birth_date="1985-03-04")
        salt = f"{next(_salts):032x}"
        return {
            "player": player, "identity": identity, "salt": salt, "federation": "CHI", "on": DAY
        }  # fmt: skip

    def undo(self, commit: int) -> None:
        """Take a commit back."""
        undo_commit(self.ledger, c.UndoCommit(commit=commit), request())

    def undo_last(self) -> None:
        """Take the newest commit back."""
        self.undo(self.ledger.journal.head().commit_id)

    def correct(self, place: str) -> None:
        """Correct who the player is."""
        do(self.ledger, c.CorrectIdentity(**self.about(self.player, place)))

    def merge(self, player: str, into: str) -> None:
        """Register the second id and say that two ids are one person."""
        do(self.ledger, c.RegisterPlayer(**self.about(self.another, "another")))
        do(self.ledger, c.MergePlayers(player=player, into=into, seeds_of=None, on=DAY))


Way = Callable[[Story], None]
History = Callable[[Story], None]


# How a name comes in: the last commit has the event that names the document


def by_command(story: Story) -> None:
    do(story.ledger, c.RegisterPlayer(**story.about(story.player, "registered")))


def by_table(story: Story) -> None:
    line = f'{story.player},"{story.name("table")}",CHI,w,1985-03-04,1800,40,50\n'
    import_text(
        story.ledger, PLAYERS_HEADER + line, list_="ENF", name=f"{story.turn}.csv",
        as_correction=story.turn > 0,
    )  # fmt: skip


def by_report(story: Story) -> None:
    tournament = f"012 T{story.player}"
    number = player(1, story.name("report"), "   2 w 1", fide=story.player, points="1.0")
    text = file(
        tournament, "022 Quetzaltenango", "032 GUA", "042 2010/07/04", "052 2010/07/06",
        "092 Individual: Swiss-System", "122 90 min + 30 sec", "XXR 1", number,
        player(2, "Bo, Bo", "   1 b 0", fide="990001", points="0.0"),
    )  # fmt: skip
    import_document(story.ledger, Document(name=f"{story.turn}.trf", data=text), request())


def by_correction(story: Story) -> None:
    by_command(story)
    story.correct("corrected")


def by_link(story: Story) -> None:
    by_command(story)
    issued = IssuedId(id=story.name("issued").partition(",")[0], issuer="club")
    identity = Identity(name=story.name("linked"), ids=(issued,))
    do(story.ledger, c.IdentifyPlayer(**story.about(story.player, "linked", identity)))


def by_decision(story: Story) -> None:
    by_command(story)
    printed = PrintedName(
        name=story.name("printed"), sender=story.name("sender"), birth_date="1985",
        id=story.name("printed id").partition(",")[0],
    )  # fmt: skip
    identity = Identity(name=story.name("decided"), sex="w").with_printed(printed)
    identity = identity.apart_from(["990001"])
    do(story.ledger, c.IdentifyPlayer(**story.about(story.player, "decided", identity)))


WAYS: Final[dict[Way, tuple[type[Command], type[PlayerVersion], set[str]]]] = {
    by_command: (c.RegisterPlayer, PlayerRegistered, {"name", "birth_date"}),
    by_table: (c.RegisterPlayer, PlayerRegistered, {"name", "sex"}),
    by_report: (c.RegisterPlayer, PlayerRegistered, {"name"}),
    by_correction: (c.CorrectIdentity, PlayerIdentityCorrected, {"name"}),
    by_link: (c.IdentifyPlayer, PlayerIdentityCorrected, {"name", "ids"}),
    by_decision: (c.IdentifyPlayer, PlayerIdentityCorrected, {"name", "printed", "apart"}),
}
"""Each with the command, the event and the fields of an identity that it stands for."""


# What happens to the event afterwards


def held(_story: Story) -> None:
    pass


def undone(story: Story) -> None:
    story.undo(story.commit)


def redone(story: Story) -> None:
    undone(story)
    story.undo_last()


def undone_again(story: Story) -> None:
    redone(story)
    story.undo_last()


def replaced(story: Story) -> None:
    story.correct("replaced")


def replacement_undone(story: Story) -> None:
    story.correct("replaced")
    story.undo_last()


def merged(story: Story) -> None:
    story.merge(story.player, story.another)
    story.ids = [story.another]


def taken_in(story: Story) -> None:
    story.merge(story.another, story.player)


def split(story: Story) -> None:
    merged(story)
    split_player(story.ledger, c.SplitPlayer(player=story.player), request())
    story.ids = [story.player, story.another]


def brought_in_again(story: Story) -> None:
    undone(story)
    story.turn += 1
    if WAYS[story.way][0] is c.RegisterPlayer:
        story.way(story)
    else:
        story.correct("again")


def erased_by_an_earlier_version(story: Story) -> None:
    """Erase as earlier versions did: the documents of what was taken back stayed."""
    replacement_undone(story)
    ledger = story.ledger
    digests = tuple(ledger.people(ledger.facts()).identities([story.player]))
    erasure = draft(PlayerErased(documents=digests, player=story.player), key=story.title)
    ledger.journal.append(erasure, expected_seq=ledger.journal.head().seq, recorded_at=DAY_TIME)


def undone_after_the_erasure(story: Story) -> None:
    erase_player(story.ledger, c.ErasePlayer(player=story.player, on=DAY), request("a letter"))
    undone(story)


HISTORIES: Final[Sequence[History]] = (
    held, undone, redone, undone_again, replaced, replacement_undone, merged, taken_in, split,
    brought_in_again, erased_by_an_earlier_version, undone_after_the_erasure,
)  # fmt: skip
DAY_TIME: Final = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)


def told(ledger: Ledger, pairs: Sequence[tuple[Way, History]]) -> list[Story]:
    """Record a story for each way and history: first how all names came in, then what happened."""
    define(ledger)
    import_text(ledger, f'{PLAYERS_HEADER}990001,"Bo, Bo",GUA,,,1700,40,50\n', list_="ENF")
    stories = []
    for number, (way, history) in enumerate(pairs):
        title = f"{way.__name__} {history.__name__}"
        story = Story(ledger, title, f"34{number:05}", f"35{number:05}", way)
        way(story)
        head = ledger.journal.head()
        story.commit, story.seq, story.ids = head.commit_id, head.seq, [story.player]
        stories.append(story)
    publish_period(ledger, "2010-07")
    for story, (_, history) in zip(stories, pairs, strict=True):
        history(story)
    return stories


ALL: Final = [(way, history) for way in WAYS for history in HISTORIES]


def test_every_digest_of_an_event_is_known() -> None:
    """A new event with an identity document needs a way of its own above."""
    found = {
        (model.TYPE, name)
        for model in CATALOGUE.models()
        for name, field_ in model.model_json_schema()["properties"].items()
        if "[0-9a-f]{" in json.dumps(field_)
    }
    others = {
        ("list.published", "output_sha256"), ("list.published", "ratings_sha256"),
        ("list.published", "regulation_digest"), ("list.published", "rows_root"),
        ("regulation.adopted", "code"), ("regulation.adopted", "digest"),
        ("round.published", "input_sha256"), ("standings.published", "rows_sha256"),
        ("player.erased", "documents"),
    }  # fmt: skip
    identifying = {(event.TYPE, "identity") for _, event, _ in WAYS.values()}
    assert found - others == identifying


def test_every_command_and_field_of_an_identity_is_covered() -> None:
    bringing = {command for command in DECIDERS if command.personal is not Command.personal}
    assert {command for command, _, _ in WAYS.values()} == bringing
    fields = set[str]().union(*(fields for _, _, fields in WAYS.values()))
    assert fields == {*Identity.model_fields}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where all files of the program are: database, office, cache, archive, backup."""
    return tmp_path


@pytest.fixture
def ledger(sqlite_url: str) -> Iterator[Ledger]:
    """A new ledger in a file."""
    opened = empty_ledger(open_journal(sqlite_url))
    yield opened
    opened.journal.close()


@pytest.fixture(scope="module")
def all_stories(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[Story]]:
    """The file of a ledger with every way and history, and the stories in it."""
    place = tmp_path_factory.mktemp("told") / "ledger.db"
    shutil.copy(sqlite_template, place)
    opened = empty_ledger(open_journal(f"sqlite:///{place}"))
    stories = told(opened, ALL)
    opened.journal.close()
    return place, stories


@pytest.fixture
def stories(all_stories: tuple[Path, list[Story]], folder: Path) -> Iterator[list[Story]]:
    """Every way and history, in a copy of that ledger."""
    place, told_ = all_stories
    shutil.copy(place, folder / "ledger.db")
    opened = empty_ledger(open_journal(f"sqlite:///{folder / 'ledger.db'}"))
    yield [replace(story, ledger=opened) for story in told_]
    opened.journal.close()


def documents_by_player(ledger: Ledger) -> dict[str, list[PersonalDocument]]:
    """Return the documents that are stored, by the player whom they are about."""
    documents: dict[str, list[PersonalDocument]] = {}
    for document in ledger.journal.personal():
        documents.setdefault(document.player, []).append(document)
    return documents


def erase_all(ledger: Ledger, stories: Sequence[Story]) -> None:
    """Erase the people of all stories; each erasure says truly how much it destroyed."""
    stored = documents_by_player(ledger)
    for story in stories:
        for id_ in story.ids:
            erasure = erase_player(ledger, c.ErasePlayer(player=id_, on=DAY), request("a letter"))
            there = sum(len(stored.get(player_, ())) for player_ in erasure.players)
            assert (erasure.documents, erasure.trouble) == (there, None), story.title
    for id_ in [id_ for story in stories[-1:] for id_ in story.ids]:
        again = erase_player(ledger, c.ErasePlayer(player=id_, on=DAY), request("a letter"))
        assert (again.documents, again.receipt.events) == (0, ())


def test_no_file_holds_a_name_after_the_erasure(stories: list[Story], folder: Path) -> None:
    ledger = stories[0].ledger
    erased = {story.player for story in stories if "after_the_erasure" in story.title}
    assert {story.player for story in stories} - erased <= documents_by_player(ledger).keys()
    export_archive(ledger, folder / "archive")
    assert {"ledger.db", "000001.parquet"} <= {Path(path).name for path in files_with(folder)}
    earlier = [story.player for story in stories if "earlier_version" in story.title]
    assert [*documents_of_erased(ledger)] == sorted(earlier)
    assert run("verify", "--db", "ledger.db", cwd=folder).code == 3
    with staffed(ledger, folder) as site:
        pages = ["/players", f"/players?q={STEM}", "/lists/ENF/2010-07@1", "/api/v1/players"]
        for page in pages:
            assert site.aud.get(page).status_code == 200, page
        erase_all(ledger, stories)
        for page in (*pages, f"/players?as-known-at={stories[-1].seq}"):
            answer = site.aud.get(page.replace(f"?q={STEM}", ""))
            assert (answer.status_code, STEM in answer.text) == (200, False), page
    for story in stories:  # as known when the name had just come in
        past = PastLedger.upto(ledger, story.seq)
        assert player_known(past, story.player).name is None, story.title
    assert documents_of_erased(ledger) == {}
    export_archive(ledger, folder / "archive")
    export_archive(ledger, folder / "new archive")
    back_up(ledger, folder / "backup")
    assert files_with(folder) == {}
    assert run("verify", "--db", "ledger.db", cwd=folder).code == 0


def test_verify_names_a_document_that_is_put_back(ledger: Ledger, folder: Path) -> None:
    stories = told(ledger, [(way, history) for way in WAYS for history in (held, undone)])
    stored = documents_by_player(ledger)
    erase_all(ledger, stories)
    put_back = [document for story in stories for document in stored[story.player]]
    with closing(sqlite3.connect(folder / "ledger.db")) as driver:
        rows = [(each.digest, each.player, each.document) for each in put_back]
        driver.executemany("INSERT INTO personal (digest, player, document) VALUES (?, ?, ?)", rows)
        driver.commit()
    found = run("verify", "--db", "ledger.db", cwd=folder)
    assert found.code == 3
    for document in put_back:
        assert document.digest in found.out + found.err
    left = documents_of_erased(ledger)
    assert {player_: {*digests} for player_, digests in left.items()} == {
        story.player: {each.digest for each in stored[story.player]} for story in stories
    }
    erase_all(ledger, stories)
    assert (documents_of_erased(ledger), verify(ledger).findings) == ({}, ())
    assert run("verify", "--db", "ledger.db", cwd=folder).code == 0


def test_what_an_earlier_version_left_is_not_restored(ledger: Ledger, folder: Path) -> None:
    (story,) = told(ledger, [(by_command, erased_by_an_earlier_version)])
    assert [*documents_of_erased(ledger)] == [story.player]
    export_archive(ledger, folder / "archive")
    restored = empty_ledger()
    import_archive(restored, folder / "archive")
    assert (documents_of_erased(restored), verify(restored).findings) == ({}, ())
    assert restored.journal.head() == ledger.journal.head()


def test_an_erased_id_is_never_given_again(ledger: Ledger) -> None:
    stories = told(ledger, [(by_command, undone), (by_report, undone), (by_command, held)])
    erase_all(ledger, stories)
    for story in stories:
        with pytest.raises(InputRefused) as refused:
            by_command(story)
        assert refused.value.message.key == "player.id_of_erased", story.title
    _, report, _ = stories
    by_report(report)  # whose games count for the id, without a name
    assert player_known(ledger, report.player).name is None
    with pytest.raises(NotFound):
        player_known(ledger, stories[0].player)
    assert verify(ledger).findings == ()


def test_other_ids_with_the_name_that_were_taken_back_are_told(ledger: Ledger) -> None:
    (story,) = told(ledger, [(by_command, undone)])
    same = {"identity": Identity(name=story.name("registered"))}
    do(ledger, c.RegisterPlayer(**story.about(story.another, "") | same))
    erasure = erase_player(ledger, c.ErasePlayer(player=story.another, on=DAY), request("letter"))
    assert erasure.voided_ids == (story.player,)
    assert story.player in " ".join(erasure.data("en")["beyond_reach"])


@pytest.mark.parametrize("is_erased", [False, True])
def test_exported_players_are_read_again(
    stories: list[Story], folder: Path, *, is_erased: bool
) -> None:
    """The export has exactly the people of the directory, and a new ledger takes all of them."""
    ledger = stories[0].ledger
    erase_all(ledger, stories[::2] if is_erased else ())
    directory = directory_of(ledger)
    listed = {str(directory[place].id) for place in range(len(directory))}
    for file_type in ("csv", "parquet"):
        for what in ("players", "games"):
            to = ("--db", "ledger.db", "--output", f"{what}.{file_type}")
            assert run("export", what, *to, cwd=folder).code == 0
    rated = ("--list", "ENF", "--db", "ledger.db", "--output", "rated.csv")
    assert run("export", "players", *rated, cwd=folder).code == 0
    exported = (folder / "players.csv").read_text(encoding="utf-8")
    ids = [line.partition(",")[0].strip('"') for line in exported.splitlines()[1:]]
    assert ({*ids}, len(ids)) == (listed, len(listed))
    new = folder / "new"
    new.mkdir()
    commands: tuple[tuple[str, ...], ...] = (
        ("init",),
        ("list", "define", "ENF", "--regulation", "enf-2010", "--calendar", "monthly",
         "--first", "2010-07-01"),
        ("import", "../rated.csv", "--list", "ENF"),
        ("import", "../games.csv"),
        ("export", "players", "--output", "players.csv"),
        ("export", "games", "--output", "games.csv"),
        ("verify",),
    )  # fmt: skip
    for words in commands:
        done = run(*words, cwd=new)
        assert done.code == 0, (words, done.err)
    for name in ("players.csv", "games.csv"):
        assert (new / name).read_bytes() == (folder / name).read_bytes(), name
    assert run("import", "players.csv", "--db", "ledger.db", cwd=folder).code == 0


def test_postgresql_destroys_them_too(postgres_url: str, postgres_server: PostgresServer) -> None:
    """Each way and each history at least once, as somebody who may only append."""
    pairs = [(way, HISTORIES[at]) for at, way in enumerate([*WAYS] * 2)]
    ledger = empty_ledger(open_journal(postgres_url))
    stories = told(ledger, pairs)
    place = folder_of(as_superuser(postgres_url), postgres_server)
    assert files_with(place), "it was there before"
    erase_all(ledger, stories)
    assert (documents_of_erased(ledger), verify(ledger).findings) == ({}, ())
    ledger.journal.close()
    assert files_with(folder_of(as_superuser(postgres_url), postgres_server)) == {}
