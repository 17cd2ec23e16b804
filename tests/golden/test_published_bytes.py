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
    ("2010-07", 1): "354ef676d143b299aae5f05d1792c789ac9dd7ae322b8e072783df1dca7dda50",
    ("2010-08", 1): "50379c37865d1e4d6730cde2aaa090f20aa0f03057c9437a41a4a04af3e1dc82",
    ("2010-07", 2): "0a46f1cf183c1349605c5622f3b3d712dc8207de196a1114a5804d4ce0a28e50",
    ("2010-08", 2): "88ab629030b1e4c52ee6a2ce7d9658df7493360d1ad46f53bc5c8c153c737cc9",
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
