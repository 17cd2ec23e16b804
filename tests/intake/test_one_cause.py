"""One cause, said once: what follows from a wrong field is no further problem."""

from __future__ import annotations

import pytest

from ledger.errors import InputRefused
from ledger.intake.imports import Document, Supplied, import_document
from ledger.service.ledger import Request
from ledger.terms import Rate
from tests.intake.trf.writing import file, player
from tests.ledgers import GAMES_HEADER, empty_ledger, import_text

NAMES = tuple(f"Soto, N{at}" for at in range(1, 61))
HEAD = ("012 Open", "042 2025/01/02", "052 2025/01/04", "092 Swiss", "142 3")


def report(*head: str, births: str = "1990/00/00") -> bytes:
    lines = (
        player(
            at, name, *(f"{at + 1 if at % 2 else at - 1:4} {'w' if at % 2 else 'b'} =",) * 3,
            birth=births,
        )
        for at, name in enumerate(NAMES, 1)
    )  # fmt: skip
    return file(*head, *lines)


def problems(data: bytes, **supplied: object) -> list[tuple[str, int]]:
    document = Document(
        name="r.trf", data=data,
        supplied=Supplied(**{"rate_of_play": Rate.CLASSICAL, **supplied}),  # type: ignore[arg-type]
    )  # fmt: skip
    with pytest.raises(InputRefused) as refusal:
        import_document(empty_ledger(), document, Request("club", "", "", ""))
    return [(each.message.key, each.line) for each in refusal.value.details]


@pytest.mark.parametrize(
    ("head", "births", "problem"),
    [
        (("012 Open", "092 Swiss"), "1990/00/00", ("import.incomplete", 1)),
        ((*HEAD[:4], "142 1"), "1990/00/00", ("trf.rounds_beyond", 6)),
        ((HEAD[0], "042 2035/01/02", "052 2035/01/04"), "1990/00/00", ("pairing.in_future", 4)),
        ((HEAD[0], "042 01/02/2025", "052 03/04/2025"), "1990/00/00", ("trf.ambiguous_date", 2)),
        ((HEAD[0], "042 2025/13/45", "052 03/04/2025"), "1990/00/00", ("trf.no_date", 2)),
        (HEAD, "01/02/03", ("trf.ambiguous_birth", 6)),
    ],
)
def test_a_report(head: tuple[str, ...], births: str, problem: tuple[str, int]) -> None:
    assert problems(report(*head, births=births)) == [problem]


def test_an_id_of_a_tournament_that_is_none() -> None:
    assert problems(report(*HEAD), tournament="x" * 200) == [("registrar.bad_value", 1)]


def test_a_long_name_makes_an_id_that_is_one() -> None:
    long = report("012 " + "Open " * 40, *HEAD[1:])
    document = Document(name="r.trf", data=long, supplied=Supplied(rate_of_play=Rate.CLASSICAL))
    made = empty_ledger()
    import_document(made, document, Request("club", "", "", ""))
    (tournament,) = made.facts().tournament_ids
    assert len(tournament) <= 120
    assert tournament.endswith("-2025-01-02")


@pytest.mark.parametrize(
    ("days", "day", "key"),
    [
        ("01/02/2025,03/04/2025", "02/03/2025", "csv.ambiguous_date"),
        ("2025-01-02,2025-01-04", "2025-02-03", "pairing.outside_dates"),
        ("2035-01-02,2035-01-04", "2035-01-02", "pairing.in_future"),
    ],
)
def test_a_table(days: str, day: str, key: str) -> None:
    made = empty_ledger()
    import_text(made, "id,name\n" + "".join(f"N{at},Soto {at}\n" for at in range(60)))
    rows = (f"T,T,{days},swiss,classical,,1,{day},N{at},N{at + 1},1-0\n" for at in range(0, 60, 2))
    with pytest.raises(InputRefused) as refusal:
        import_text(made, GAMES_HEADER + "".join(rows))
    assert [each.message.key for each in refusal.value.details] == [key]
