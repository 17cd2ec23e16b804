"""The keys of small order, calculated on the curve (RFC 8032): every one of them is refused."""

from __future__ import annotations

import pytest

from ledger.errors import VerificationFailed
from ledger.journal.checkpoint import Verifier
from tests.proofs.forgeries import FITS_ALL, SMALL

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]


def add(a: Point, b: Point) -> Point:
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, P)
    return x % P, y % P


def eight_times(a: Point) -> Point:
    for _ in range(3):
        a = add(a, a)
    return a


def x_of(y: int) -> int | None:
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return None if (x * x - square) % P else x


def small_order() -> set[Point]:
    """All eight: an eighth root is what is left of a point whose other part is taken away."""
    order = 2**252 + 27742317777372353535851937790883648493
    found: set[Point] = set()
    for y in range(2, 12):
        x = x_of(y)
        if x is None:
            continue
        left, power, factor = (0, 1), (x, y), order
        while factor:
            if factor & 1:
                left = add(left, power)
            power, factor = add(power, power), factor >> 1
        each = (0, 1)
        for _ in range(8):
            each = add(each, left)
            found.add(each)
    return found


def test_there_are_eight_and_each_is_refused_in_every_spelling() -> None:
    points = small_order()
    assert len(points) == 8
    assert {eight_times(point) for point in points} == {(0, 1)}
    spellings = {
        spelt | sign << 255
        for _, y in points
        for spelt in (y, y + P)
        for sign in (0, 1)
        if spelt < 2**255
    }
    for spelt in spellings:
        key = Verifier("small.example", spelt.to_bytes(32, "little"))
        with pytest.raises(VerificationFailed, match="small order"):
            Verifier.parse(str(key))


def test_with_one_of_them_anybody_signs_everything() -> None:
    """This is why: the signature below fits every text."""
    assert SMALL.verify(FITS_ALL, "any text\n")
