"""Exact quantities as text: decimals where they end, fractions where they do not."""

from __future__ import annotations

from fractions import Fraction


def exact(value: Fraction | int) -> str:
    """Writes a number exactly.

    >>> exact(Fraction(237, 40)), exact(Fraction(8531, 6)), exact(-4)
    ('5.925', '8531/6', '-4')
    """
    value = Fraction(value)
    places = _places(value.denominator)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    return (
        decimal(value.numerator * 10**places // value.denominator, places) if places else str(value)
    )


def decimal(scaled: int, places: int) -> str:
    """Writes ``scaled / 10**places`` with exactly that many decimals.

    >>> decimal(-68, 2), decimal(50, 2)
    ('-0.68', '0.50')
    """
    sign = "-" if scaled < 0 else ""
    whole, rest = divmod(abs(scaled), 10**places)
    return f"{sign}{whole}.{rest:0{places}}" if places else f"{sign}{whole}"


def signed(value: object) -> str:
    """Writes a change with its sign; nothing for an absent one.

    >>> signed("5.925"), signed(-4), signed(0), signed(None)
    ('+5.925', '-4', '0', '')
    """
    if value is None:
        return ""
    text = str(value)
    return text if text.startswith("-") or not text.strip("0.") else f"+{text}"


def true_minus(figure: object) -> str:
    """Writes a figure as it is printed and drawn: with a minus, not a hyphen.

    >>> true_minus(-4), true_minus("0.5")
    ('−4', '0.5')
    """
    return str(figure).replace("-", "−")


def with_sign(value: object) -> str:
    """Writes a change as it is printed and drawn, with its sign; nothing for an absent one.

    >>> with_sign(-29), with_sign("5.5"), with_sign(None)
    ('−29', '+5.5', '')
    """
    return true_minus(signed(value))


def points(halves: int) -> str:
    """Writes a score given in half points; ``"4.5"``, ``"3"``."""
    return exact(Fraction(halves, 2))


def halves_text(halves: int) -> str:
    """Writes a score given in half points as forms do.

    >>> halves_text(5), halves_text(1), halves_text(0)
    ('2½', '½', '0')
    """
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def score_text(score: Fraction) -> str:
    """Writes a score as people do; one that is not of half points exactly.

    >>> score_text(Fraction(7, 2)), score_text(Fraction(3)), score_text(Fraction(1, 4))
    ('3½', '3', '0.25')
    """
    halves = 2 * score
    return halves_text(int(halves)) if halves.denominator == 1 else exact(score)


def _places(denominator: int) -> int | None:
    """Returns how many decimals 1/denominator needs, or None when it never ends."""
    places = 0
    while 10**places % denominator:
        places += 1
        if places > denominator.bit_length():
            return None
    return places
