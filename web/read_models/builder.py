"""Makes read models: here, or in a process of its own where there are many players.

The process is started as ``python -m web.read_models.builder``. The first line of its standard
input says what to make, as JSON: a ledger's URL may hold a password, which has no place in a
command line. It ends when its input ends: then the site stops, or has died.

Makes read models before somebody asks for them: lists, the register and careers.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from ledger.answers.lists import show as show_list
from ledger.children import give_way
from ledger.derived.store import DerivedStore, EntryKey, EntryKind, NotWritten
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NEVER, Facts
from ledger.identifiers import NO_EVENT, Seq
from ledger.journal.records import Progress
from ledger.lists.publications import has_its_names, last_deciding, said_of_people, untouched
from ledger.reports.directory import PlayerDirectory
from ledger.reports.list_marks import list_marks
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.trust.proofs import require_root, rows_of
from ledger.views.list_editions import (
    editions_of,
    newest_editions,
    newest_period,
    require_edition,
    require_period,
    root_with,
)
from ledger.views.past import PastLedger, documents_gone, newest_of
from ledger.views.view import LedgerView
from web.read_models.career_writer import FormerCareers, write_careers
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
    store = store_of_site(settings, gone)
    wanted = list(_wanted(newest))
    count = 0
    for place, key in enumerate(wanted):
        progress("models", place, len(wanted))
        if store.find(key) is None:
            keep(newest, key, store)
            count += 1
    progress("models", len(wanted), len(wanted))
    now = documents_gone(newest) or 0
    if now > gone:  # somebody was erased meanwhile: these have the name
        store_of_site(settings, now).forget_names()
    return count


def _wanted(ledger: PastLedger) -> Iterator[EntryKey]:
    """Yields what is asked for first: the register, the newest edition of each list, careers."""
    yield people_key(ledger)
    for name, edition in sorted(newest_editions(ledger).items()):
        which = edition.period, edition.edition
        yield list_key(ledger, name, *which)
        if has_many_players(ledger):
            yield statements_key(ledger, name, *which)
    yield careers_key(ledger)


_AT_ONCE: Final = 5_000  # players; a model of so many is made while somebody waits
_LOOKED_BACK: Final = 1_000  # commits, of which former careers may be

# Which model


def list_key(view: LedgerView, name: str, period: str | None, edition: int | None) -> EntryKey:
    """Returns the key of a list as ``ledger.answers.lists.show`` finds it; raises as that does.

    What is asked for as known now is the last edition, where nothing later can change a row of it.
    Its parameters are list, period and edition.
    """
    facts = view.facts_of(name)
    period = newest_period(view, name) if period is None else period
    if edition is not None:
        return _key_of(view, require_edition(facts, name, period, edition))
    period_ = require_period(facts, name, period)
    editions = editions_of(facts, name, period)
    if editions and has_its_names(facts, editions[-1]) and untouched(facts, editions[-1], period_):
        return _key_of(view, editions[-1])
    root = view.journal.head().root
    return EntryKey(EntryKind.LIST, root, (name, period, None), is_settled=False)


def statements_key(
    view: LedgerView, name: str, period: str | None, edition: int | None
) -> EntryKey:
    """Returns the key of the statements that a list is explained by; raises as ``list_key``.

    Those of a period as known stay what they are until something decides on it, or a name is
    another: their basis is the last commit that can change one of them.
    Who is registered later is not among them.
    """
    key = replace(list_key(view, name, period, edition), kind=EntryKind.STATEMENTS)
    if key.is_settled:
        return key
    facts = view.facts()
    period_ = require_period(facts, name, str(key.parameters[1]))
    last = max([last_deciding(facts, name, period_), *said_of_people(facts)])
    return replace(key, basis=root_with(view.journal, last))


def rows_key(edition: ListPublished) -> EntryKey:
    """Returns the key of an edition's leaves; raises ``InputRefused`` where it has no root."""
    return EntryKey(EntryKind.ROWS, require_root(edition), _parameters_of(edition))


def _key_of(view: LedgerView, edition: ListPublished) -> EntryKey:
    root = view.journal.root_at(edition.basis_seq)
    basis = f"{edition.output_sha256} {root}"
    return EntryKey(EntryKind.LIST, basis, _parameters_of(edition))


def _parameters_of(edition: ListPublished) -> tuple[str, str, int]:
    return edition.list, edition.period, edition.edition


def people_key(view: LedgerView) -> EntryKey:
    """Returns the key of the register; its basis is the last event that says anything of it."""
    facts = view.facts()
    seqs = facts.players.seq
    last = max([int(seqs[-1]) if len(seqs) else 0, *said_of_people(facts)])
    leaves = [event.leaf_hash for event in view.journal.events(after=last - 1, upto=last)]
    return EntryKey(EntryKind.PEOPLE, " ".join([str(last), *leaves]))


def careers_key(view: LedgerView) -> EntryKey:
    """Returns the key of everybody's career; its basis is the last commit that can change one."""
    return _careers_at(root_with(view.journal, _last_said_of_careers(view.facts())))


def _careers_at(root: str) -> EntryKey:
    return EntryKey(EntryKind.CAREERS, root, is_settled=False)


def _last_said_of_careers(facts: Facts) -> Seq:
    """Returns the seq of the last event that says anything of a career, a list or a ladder.

    Of tournaments that is what can move a rating, which every pairing can.
    """
    found = [NO_EVENT, facts.last_effect_upto(NEVER - 1), *said_of_people(facts)]
    tables = (facts.players.seq, facts.tournaments.seq, facts.affiliations.seq)
    found += [Seq(int(seqs[-1])) for seqs in tables if len(seqs)]
    for list_ in facts.lists.values():
        found += [list_.seq, *(seq for seq, _ in list_.publications[-1:])]
    for ladder in facts.ladders.values():
        found += [ladder.seq, *(entry.seq for entry in ladder.entries[-1:])]
    return max(found)


def former_careers(view: LedgerView, store: DerivedStore) -> FormerCareers | None:
    """Returns the newest careers that are kept of one of the last commits of this past."""
    head = view.journal.head()
    last = range(max(head.commit_id - _LOOKED_BACK, 0) + 1, head.commit_id + 1)
    commits = reversed(view.journal.commits_at(last))
    seqs = {_careers_at(commit.root): commit.last_seq for commit in commits}
    found = store.first(seqs)
    return None if found is None else FormerCareers(found[1], seqs[found[0]])


def has_many_players(ledger: PastLedger) -> bool:
    """Whether so many were registered by now that nobody waits for a model of them."""
    _, documents = ledger.whole.documents_recorded()
    return documents > _AT_ONCE


# Making

Write: TypeAlias = Callable[[Path], None]


def keep(view: LedgerView, key: EntryKey, store: DerivedStore) -> Path:
    """Makes a model; returns where it is.

    Raises:
        NotFound: there is no such list, period or edition.
        NotWritten: the store cannot be written to.
        VerificationFailed: an edition does not come back as it was published.
    """
    if key.kind is EntryKind.CAREERS:
        return store.keep(key, _careers(view, store))
    return store.keep(key, _MODELS[key.kind](view, *key.parameters))


def _list(view: LedgerView, name: str, period: str, edition: int | None) -> Write:
    rating_list = show_list(view, name, period, edition=edition)
    facts = view.facts()
    marks = list_marks(facts, rating_list, view.people(facts, rating_list.basis.seq))
    return lambda path: write_list(path, rating_list, marks)


def _statements(view: LedgerView, name: str, period: str, edition: int | None) -> Write:
    return lambda path: write_statements(path, view, name, period, edition)


def _rows(view: LedgerView, name: str, period: str, edition: int) -> Write:
    rows = rows_of(view, require_edition(view.facts(), name, period, edition))
    return lambda path: write_rows(path, rows)


def _people(view: LedgerView) -> Write:
    facts = view.facts()
    directory = PlayerDirectory.of(AsOf(facts, facts.seq), view.people(facts))
    return lambda path: write_people(path, directory)


def _careers(view: LedgerView, store: DerivedStore) -> Write:
    former = former_careers(view, store)
    return lambda path: write_careers(path, view, former)


_MODELS: Final[Mapping[EntryKind, Callable[..., Write]]] = {
    EntryKind.LIST: _list,
    EntryKind.STATEMENTS: _statements,
    EntryKind.ROWS: _rows,
    EntryKind.PEOPLE: _people,
}


def store_of_site(settings: WebSettings, gone: int) -> DerivedStore:
    """Returns the store of a site's ledger, by its URL, when so many documents are gone."""
    return DerivedStore(settings.folder_of("models"), gone)


def order_for(url: str, seq: Seq, key: EntryKey, store: DerivedStore) -> str:
    """Returns the line that tells a process of its own what to make."""
    content = {
        "ledger": url, "seq": seq, "kind": key.kind.name, "basis": key.basis,
        "parameters": key.parameters, "root": str(store.root), "erased": store.erased,
    }  # fmt: skip
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
        key = EntryKey(EntryKind[content["kind"]], content["basis"], tuple(content["parameters"]))
        keep(past, key, DerivedStore(Path(content["root"]), content["erased"]))
    except NotWritten as error:
        sys.exit(str(error))
    finally:
        journal.close()


if __name__ == "__main__":
    main()
