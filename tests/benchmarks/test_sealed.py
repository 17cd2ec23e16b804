from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks.histories import GAMES_HEADER, _players_csv, _rows, made_players, tournaments
from benchmarks.plan import SIZES
from benchmarks.sealed import write_sealed
from benchmarks.works import LIST, NOW
from ledger.facts.columns import Facts
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.database import open_journal
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.service.ledger import Ledger, Request
from tests.ledgers import define, empty_ledger

SIZE = SIZES["tiny-sealed"]


def _ratings(facts: Facts) -> list[list[int]]:
    outcomes = replay(Timeline.at_head(facts, LIST), last_period(facts, LIST))
    return [outcome.closing.rating.tolist() for outcome in outcomes]


def test_segments_without_events_say_what_their_events_would_say(tmp_path: Path) -> None:
    history = write_sealed(SIZE, 1, tmp_path)
    with closing(open_journal(str(tmp_path / "ledgers" / "enf-2010.db"))) as journal:
        sealed = Ledger(journal, clock=lambda: NOW).facts()
        found = _ratings(sealed)
        assert journal.head().seq == sealed.seq > history.games
    random = np.random.default_rng(1)
    players = made_players(SIZE, random)
    played = list(tournaments(SIZE, players, random))
    assert history.games == sum(len(each.code) for each in played)
    ledger = empty_ledger()
    define(ledger, LIST, first_on=history.day)
    asked = Request("tester", "test", "", "")
    text = _players_csv(players)
    import_document(ledger, Document(name="p.csv", data=text.encode(), list=LIST), asked)
    text = GAMES_HEADER + "".join(line for each in played for line in _rows(each))
    import_document(ledger, Document(name="games.csv", data=text.encode()), asked)
    facts = ledger.facts()
    assert found == _ratings(facts)
    assert sealed.effects.earliest(0, sealed.seq) == facts.effects.earliest(0, facts.seq)
