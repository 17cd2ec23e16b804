"""Makes read models: here, or in a process of its own where there are many players.

The process is started as ``python -m web.read_models.builder``. The first line of its standard
input says what to make, as JSON: a ledger's URL may hold a password, which has no place in a
command line. It ends when its input ends: then the site stops, or has died.

Makes read models before somebody asks for them: lists, the register and careers.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final, TypeAlias, assert_never

import numpy as np

from ledger.answers.lists import show as show_list
from ledger.children import give_way
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf
from ledger.journal.records import Progress
from ledger.lists.publications import has_its_names, last_deciding, said_of_people, untouched
from ledger.reports.directory import PlayerDirectory
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.trust.proofs import require_root, rows_of
from ledger.views.list_editions import (
    editions_of,
    newest_period,
    require_edition,
    require_period,
    root_with,
)
from ledger.views.past import PastLedger, documents_gone, newest_of
from ledger.views.view import LedgerView
from web.read_models.career_model import write_careers
from web.read_models.folder import ModelFolder, NotWritten, models_of
from web.read_models.list_model import write_list
from web.read_models.people_model import write_people
from web.read_models.rows_model import write_rows
from web.read_models.statement_model import write_statements
from web.settings import WebSettings


def make_missing(ledger: Ledger, settings: WebSettings, progress: Progress) -> int:
    """Makes the models that are missing; returns how many.

    Args:
        ledger: of which; as it is now.
        settings: of the site that they are for.
        progress: is told how many there are, and how many of them were looked at.

    Raises:
        VerificationFailed: an edition does not come back as it was published.
    """
    newest = newest_of(ledger)
    gone = documents_gone(newest) or 0
    folder = ModelFolder(models_of(settings.cache, settings.ledger) / str(gone))
    wanted = list(_wanted(newest))
    count = 0
    for place, key in enumerate(wanted):
        progress("models", place, len(wanted))
        if folder.find(file_key(key)) is None:
            keep(newest, key, folder)
            count += 1
    progress("models", len(wanted), len(wanted))
    if (documents_gone(newest) or 0) > gone:  # somebody was erased meanwhile: these have the name
        shutil.rmtree(folder.path, ignore_errors=True)
    return count


def _wanted(ledger: PastLedger) -> Iterator[ModelKey]:
    """Yields what is asked for first: the register, the newest state of each list, careers."""
    yield people_key(ledger)
    facts = ledger.facts()
    for name in sorted(facts.lists):
        if editions_of(facts, name, newest_period(ledger, name)):
            yield list_key(ledger, name, None, None)
            if has_many_players(ledger):
                yield statements_key(ledger, name, None, None)
    yield careers_key(ledger)


SCHEMA: Final = 6
"""The version of the files; those of another one are not looked for."""
_AT_ONCE: Final = 5_000  # players; a model of so many is made while somebody waits
_KNOWN_KEYS: Final = 256  # of as many models the names of the files are known

# Which model


@dataclass(frozen=True, slots=True)
class ListKey:
    """A list: an edition, or (None) a period as known at a seq.

    ``content`` is settled by what the model is made from: the digest of an edition's bytes, or the
    root of the journal at the seq.
    """

    list: str
    period: str
    edition: int | None
    content: str

    @property
    def is_settled(self) -> bool:
        """Whether it stays as it is, whatever is recorded later that does not concern it."""
        return self.edition is not None


@dataclass(frozen=True, slots=True)
class StatementsKey(ListKey):
    """The statements of a list, as its ``ListKey``.

    Of a period as known ``content`` is the root after the last commit that can change one of them.
    """


@dataclass(frozen=True, slots=True)
class RowsKey(ListKey):
    """The leaves of an edition; ``content`` is the root over them."""


@dataclass(frozen=True, slots=True)
class PeopleKey:
    """The register; ``content`` is the last event that says anything of it."""

    is_settled: ClassVar = True

    content: str


@dataclass(frozen=True, slots=True)
class CareersKey:
    """Everybody's career as known at a seq; ``content`` is the root of the journal there."""

    is_settled: ClassVar = False

    content: str


ModelKey: TypeAlias = ListKey | PeopleKey | CareersKey
_KINDS: Final = {
    kind.__name__: kind for kind in (ListKey, StatementsKey, RowsKey, PeopleKey, CareersKey)
}


@lru_cache(_KNOWN_KEYS)
def file_key(key: ModelKey) -> str:
    """Returns a key as letters and digits."""
    text = json.dumps([SCHEMA, type(key).__name__, *asdict(key).values()])
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def list_key(view: LedgerView, name: str, period: str | None, edition: int | None) -> ListKey:
    """Returns the key of a list as ``ledger.answers.lists.show`` finds it; raises as that does.

    What is asked for as known now is the last edition, where nothing later can change a row of it.
    """
    facts = view.facts_of(name)
    period = newest_period(view, name) if period is None else period
    if edition is not None:
        return _key_of(view, require_edition(facts, name, period, edition))
    period_ = require_period(facts, name, period)
    editions = editions_of(facts, name, period)
    if editions and has_its_names(facts, editions[-1]) and untouched(facts, editions[-1], period_):
        return _key_of(view, editions[-1])
    return ListKey(name, period, None, view.journal.head().root)


def statements_key(
    view: LedgerView, name: str, period: str | None, edition: int | None
) -> StatementsKey:
    """Returns the key of the statements that a list is explained by; raises as ``list_key``.

    Those of a period as known stay what they are until something decides on it, or a name is
    another.
    Who is registered later is not among them.
    """
    key = list_key(view, name, period, edition)
    content = key.content
    if key.edition is None:
        facts = view.facts()
        period_ = require_period(facts, name, key.period)
        last = max([last_deciding(facts, name, period_), *said_of_people(facts)])
        content = root_with(view.journal, last)
    return StatementsKey(key.list, key.period, key.edition, content)


def rows_key(edition: ListPublished) -> RowsKey:
    """Returns the key of an edition's leaves; raises ``InputRefused`` where it has no root."""
    return RowsKey(edition.list, edition.period, edition.edition, require_root(edition))


def _key_of(view: LedgerView, edition: ListPublished) -> ListKey:
    root = view.journal.root_at(edition.basis_seq)
    content = f"{edition.output_sha256} {root}"
    return ListKey(edition.list, edition.period, edition.edition, content)


def people_key(view: LedgerView) -> PeopleKey:
    """Returns the key of the register as it is known."""
    facts = view.facts()
    seqs = facts.players.seq
    last = max([int(seqs[-1]) if len(seqs) else 0, *said_of_people(facts)])
    leaves = [event.leaf_hash for event in view.journal.events(after=last - 1, upto=last)]
    return PeopleKey(" ".join([str(last), *leaves]))


def careers_key(view: LedgerView) -> CareersKey:
    """Returns the key of everybody's career as it is known."""
    return CareersKey(view.journal.head().root)


def has_many_players(ledger: PastLedger) -> bool:
    """Whether so many were registered by now that nobody waits for a model of them."""
    _, documents = ledger.whole.documents_recorded()
    return documents > _AT_ONCE


# Making


def keep(view: LedgerView, key: ModelKey, folder: ModelFolder) -> Path:
    """Makes a model; returns where it is.

    Raises:
        NotFound: there is no such list, period or edition.
        NotWritten: the folder cannot be written to.
        VerificationFailed: an edition does not come back as it was published.
    """
    match key:
        case StatementsKey():
            which = key.list, key.period, key.edition
            return folder.keep(file_key(key), lambda path: write_statements(path, view, *which))
        case RowsKey():
            edition = require_edition(view.facts(), key.list, key.period, key.edition)
            rows = rows_of(view, edition)
            return folder.keep(file_key(key), lambda path: write_rows(path, rows))
        case ListKey():
            return _keep_list(view, key, folder)
        case PeopleKey():
            return _keep_people(view, key, folder)
        case CareersKey():
            return folder.keep(file_key(key), lambda path: write_careers(path, view))
        case _:
            assert_never(key)


def _keep_list(view: LedgerView, key: ListKey, folder: ModelFolder) -> Path:
    rating_list = show_list(view, key.list, key.period, edition=key.edition)
    facts = view.facts()
    players = np.array(
        [facts.player_index[id_] for id_ in rating_list.rows.published.id], dtype=np.int32
    )
    sexes = [each.sex for each in view.people(facts, rating_list.basis.seq).personal(players)]
    return folder.keep(file_key(key), lambda path: write_list(path, rating_list, sexes))


def _keep_people(view: LedgerView, key: PeopleKey, folder: ModelFolder) -> Path:
    facts = view.facts()
    directory = PlayerDirectory.of(AsOf(facts, facts.seq), view.people(facts))
    return folder.keep(file_key(key), lambda path: write_people(path, directory))


def order_for(url: str, seq: int, key: ModelKey, folder: Path) -> str:
    """Returns the line that tells a process of its own what to make."""
    kind = type(key).__name__
    content = {"ledger": url, "seq": seq, "kind": kind, "key": asdict(key), "folder": str(folder)}
    return json.dumps(content)


def _end_with_site() -> None:
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    """Makes one model, as the first line of standard input says."""
    line = sys.stdin.readline()
    if not line:  # the site died before it said anything
        return
    content = json.loads(line)
    give_way()
    threading.Thread(target=_end_with_site, daemon=True).start()
    journal = open_ledger(content["ledger"])
    try:
        past = PastLedger(Ledger(journal, lambda: dt.datetime.now(dt.UTC)), content["seq"])
        keep(past, _KINDS[content["kind"]](**content["key"]), ModelFolder(Path(content["folder"])))
    except NotWritten as error:
        sys.exit(str(error))
    finally:
        journal.close()


if __name__ == "__main__":
    main()
