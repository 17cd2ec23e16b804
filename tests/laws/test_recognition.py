"""Names never join: whoever a report is of, a member by name alone is one that a person named."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Conflict
from ledger.intake.imports import Document, Supplied, import_document
from ledger.service.ledger import Ledger, Request
from ledger.terms import Rate
from tests.intake.trf.writing import file, player
from tests.ledgers import PLAYERS_HEADER, empty_ledger, import_text
from tests.profile import examples
from tests.reports.population import Human, Population

MEMBERS = 40


def _register(population: Population) -> tuple[Ledger, list[Human]]:
    ledger = empty_ledger()
    humans = [population.human() for _ in range(MEMBERS)]
    rows = (
        f'M{at},"{each.name}",{each.federation},{each.sex},{each.year},,,\n'
        for at, each in enumerate(humans)
    )
    import_text(ledger, PLAYERS_HEADER + "".join(rows))
    return ledger, humans


def _report(names: list[tuple[str, Human]]) -> bytes:
    lines = [
        player(at, name[:33], sex=each.sex, federation=each.federation, birth=f"{each.year}/00/00")
        for at, (name, each) in enumerate(names, 1)
    ]
    return file("012 Open", "042 2025/01/02", "052 2025/01/02", "092 Swiss", *lines)


@examples(30)
@given(seed=st.integers(0, 10**6), members=st.lists(st.integers(0, MEMBERS - 1), max_size=5))
def test_nobody_is_joined_by_a_name_and_what_is_decided_is_remembered(
    seed: int, members: list[int]
) -> None:
    population = Population(seed)
    ledger, humans = _register(population)
    meant = [*dict.fromkeys(members)]
    printed = [(population.reprinted(humans[at])[1], humans[at]) for at in meant]
    printed += [(each.name, each) for each in [population.human(), population.human()]]
    data = _report(printed)

    def take(
        *decisions: tuple[str, str], dry_run: bool = False, name: str = "Open"
    ) -> dict[str, str]:
        supplied = Supplied(rate_of_play=Rate.CLASSICAL, name=name, tournament=name)
        document = Document(name="r.trf", data=data, decisions=decisions, supplied=supplied)
        receipt = import_document(ledger, document, Request("c", "", "", "", dry_run=dry_run))
        people = receipt.people
        assert people is not None
        resolved = {each.who for each in people.members} | {each.who for each in people.new}
        assert resolved.isdisjoint({each.who for each in people.doubtful})
        assert decisions or not [each for each in people.members if each.by == "decision"]
        return {each.who: each.id for each in people.members}

    head = ledger.journal.head()
    assert take(dry_run=True) == {}
    try:
        take()
    except Conflict:
        assert ledger.journal.head() == head
    decisions = [(str(at), f"M{place}") for at, place in enumerate(meant, 1)]
    others = [(str(at), "") for at in (len(meant) + 1, len(meant) + 2)]
    if ledger.journal.head() == head:
        known = take(*decisions, *others)
        assert known == dict(decisions)
        again = take(name="Second", dry_run=True)
        assert {who: again.get(who) for who in known} == known
