"""A list that was published once gives the same bytes on every backend, in every later version."""

from __future__ import annotations

from importlib import resources

from ledger.answers.lists import regenerate, show
from ledger.journal.interface import Journal
from ledger.operations.commands import CorrectResult
from ledger.results import Result
from ledger.trust.verification import verify
from tests.ledgers import define, do, empty_ledger, import_text, publish_period

# Pinned: these digests have been published. A change of them is a change of history.
DIGESTS = {
    ("2010-07", 1): "dd327edc18495170ba718707f19674cd337fd7bad2d74c0b01f000ef035ebcad",
    ("2010-08", 1): "319403bea3065d1548634ba6e85b2d863add8bdab52473c5a64091fc4aed0161",
    ("2010-07", 2): "4f2b2e43eb51fb97941f09af930f44560947ce918cbbe4a1e5003b795247becc",
    ("2010-08", 2): "f6ef70367ea1ff81f08458e538a8e9e2562525ad1a95975902f6651a0fce73b9",
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
