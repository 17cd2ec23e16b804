"""A list that was published once gives the same bytes on every backend, in every later version."""

from __future__ import annotations

from importlib import resources

from ledger.application.lists import regenerate, show
from ledger.application.verification import verify
from ledger.journal.entries import Journal
from ledger.registrar.commands import CorrectResult
from ledger.results import Result
from tests.ledgers import define, do, empty_ledger, import_text, publish_period

# Pinned: these digests have been published. A change of them is a change of history.
DIGESTS = {
    ("2010-07", 1): "8d21602f04db22770d75b14e3ab907dc24d11acd445a649b94322a21d9f0c927",
    ("2010-08", 1): "dfe3af9bace27ac1452ea94b2fce71c81fb26823be4be2380dfe604e6c1af956",
    ("2010-07", 2): "2f6454132e9affc6f95d3c4aade39461469568b83e2e3913dbde5ab7cae8808a",
    ("2010-08", 2): "fb1a38aa5fd9b2189190fac813f2ab7a3477aed9ce7124ae699d058d2d200973",
}


def test_the_example_is_published_byte_for_byte(journal: Journal) -> None:
    ledger = empty_ledger(journal)
    examples = resources.files("ledger.examples").joinpath("enf_2010")
    define(ledger)
    for name, list_ in (("players.csv", "ENF"), ("ymca.csv", None)):
        import_text(ledger, examples.joinpath(name).read_text(encoding="utf-8"), list_=list_)
    publish_period(ledger, "2010-07")
    import_text(ledger, examples.joinpath("agosto.csv").read_text(encoding="utf-8"))
    publish_period(ledger, "2010-08")
    do(
        ledger,
        CorrectResult(
            tournament="ymca-2010",
            round=2,
            white="3405958",
            black="3404510",
            result=Result.parse("1-0"),
        ),
    )
    publish_period(ledger, "2010-07")
    publish_period(ledger, "2010-08")
    found = {}
    for period, edition in DIGESTS:
        made, failure = regenerate(ledger, "ENF", period, edition)
        assert failure is None
        found[period, edition] = made.output_sha256()
    assert found == DIGESTS
    assert not verify(ledger).findings
    assert show(ledger, "ENF", "2010-07").edition == 2
