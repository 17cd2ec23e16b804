"""Makes the read model of a list: here, or in a process of its own where the list is long.

The process is started as ``python -m web.read_models.builder`` and reads from its standard input
what to make, as JSON: a ledger's URL may hold a password, which has no place in a command line.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from ledger.application.archives import open_ledger
from ledger.application.ledger import Ledger
from ledger.application.lists import editions_of, newest_period, require_edition, require_period
from ledger.application.lists import show as show_list
from ledger.application.past import PastLedger
from ledger.events.lists import ListPublished
from ledger.events.players import PlayerIdentityCorrected
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.lists.publications import untouched
from ledger.lists.rating_list import RatingList
from web.read_models.folder import ModelFolder
from web.read_models.list_model import SCHEMA, write_list


@dataclass(frozen=True, slots=True)
class ListKey:
    """Which list a model is of: an edition, or (None) a period as known at a seq.

    ``content`` is settled by what the model is made from: the digest of an edition's bytes, or the
    root of the journal at the seq.
    """

    list: str
    period: str
    edition: int | None
    content: str

    def text(self) -> str:
        """Returns it as letters and digits; another version of the files has another one."""
        said = json.dumps([SCHEMA, *asdict(self).values()])
        return hashlib.sha256(said.encode()).hexdigest()[:40]


def list_key(ledger: Ledger, name: str, period: str | None, edition: int | None) -> ListKey:
    """Returns the key of a list as ``ledger.application.lists.show`` finds it; raises as that does.

    What is asked for as known now is the last edition, where nothing later can change a row of it.
    """
    facts = ledger.facts_of(name)
    period = newest_period(ledger, name) if period is None else period
    if edition is not None:
        return _key_of(ledger, require_edition(facts, name, period, edition))
    there = require_period(facts, name, period)
    editions = editions_of(facts, name, period)
    if editions and _stands(facts, editions[-1]) and untouched(facts, editions[-1], there):
        return _key_of(ledger, editions[-1])
    return ListKey(name, period, None, ledger.journal.head().root)


def _key_of(ledger: Ledger, edition: ListPublished) -> ListKey:
    root = ledger.journal.root_at(edition.basis_seq)
    content = f"{edition.output_sha256} {root}"
    return ListKey(edition.list, edition.period, edition.edition, content)


def _stands(facts: Facts, edition: ListPublished) -> bool:
    """Whether everybody has the name and the id that the edition shows."""
    said = [each.seq for each in facts.merges]
    said += [each.seq for each in facts.recorded(PlayerIdentityCorrected)]
    return all(seq <= edition.basis_seq for seq in said)


def keep_list(ledger: Ledger, key: ListKey, folder: ModelFolder) -> Path:
    """Makes the model of a list; returns where it is.

    Raises:
        NotFound: there is no such list, period or edition.
        VerificationFailed: an edition does not come back as it was published.
    """
    made = show_list(ledger, key.list, key.period, edition=key.edition)
    return keep_rows(ledger, made, key, folder)


def keep_rows(ledger: Ledger, made: RatingList, key: ListKey, folder: ModelFolder) -> Path:
    """Makes the model of a list that was calculated already; returns where it is."""
    facts = ledger.facts()
    players = np.array([facts.player_index[id_] for id_ in made.rows.column("id")], dtype=np.int32)
    people = ledger.people(facts, made.basis.seq)
    sexes = [each.sex for each in people.personal(players)]
    identities = AsOf(facts, made.basis.seq).identities(players)
    return folder.keep(key.text(), lambda path: write_list(path, made, sexes, identities))


def main() -> None:
    """Makes one model, as standard input says."""
    asked = json.load(sys.stdin)
    journal = open_ledger(asked["ledger"])
    try:
        ledger = Ledger(journal, lambda: dt.datetime.now(dt.UTC))
        past = PastLedger(ledger, asked["seq"])
        keep_list(past, ListKey(**asked["key"]), ModelFolder(Path(asked["folder"])))
    finally:
        journal.close()


if __name__ == "__main__":
    main()
