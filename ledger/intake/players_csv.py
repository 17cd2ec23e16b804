"""Reads players: ``id,name,federation,sex,birth_date,rating,k,games,published_k``.

Only id and name are required; a blank rating is unrated; ``games`` are rated games before it, and
``published_k`` was published with it. ``k`` is assigned: it holds whatever the regulation says. The
columns may be headed otherwise (see ``headings``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from ledger.events.personal import Identity
from ledger.intake.csv_table import DocumentRow, Problems, rows
from ledger.intake.documents import PlayerSaid
from ledger.intake.headings import PLAYERS, Headings

_SEXES = {"m": "m", "w": "w", "f": "w"}


def read_players(
    lines: Iterable[str], problems: Problems, headings: Headings = PLAYERS
) -> Iterator[PlayerSaid]:
    """Yields what the document says of each player; what cannot be read is noted and left out.

    Args:
        lines: the document, line by line with their ends.
        problems: takes what is wrong.
        headings: what the columns are called.

    Raises:
        InputRefused: the header itself cannot be used.
    """
    seen: dict[str, int] = {}
    for row in rows(lines, headings, problems):
        said = _player(row)
        if said is None:
            continue
        if said.player in seen:
            row.refuse("id", "csv.player_twice", player=said.player, line=seen[said.player])
            continue
        seen[said.player] = row.line
        yield said


def _player(row: DocumentRow) -> PlayerSaid | None:
    id_, name = row.required("id"), row.required("name")
    sex, born, federation = row.text("sex"), row.date_or_year("birth_date"), row.text("federation")
    if sex is not None and sex.lower() not in _SEXES:
        row.refuse("sex", "csv.no_sex", value=sex)
        return None
    if federation is not None and not re.fullmatch(r"[A-Za-z]{3}", federation):
        row.refuse("federation", "csv.no_federation", value=federation)
        return None
    rating = row.integer("rating", least=0, most=4000)
    k, published_k = (row.integer(name, least=0, most=200) for name in ("k", "published_k"))
    games = row.integer("games", least=0, most=100_000)
    if id_ is None or name is None:
        return None
    try:
        identity = Identity.model_validate(
            {"name": name, "birth_date": born, "sex": _SEXES[sex.lower()] if sex else None}
        )
    except ValidationError as error:
        row.refuse("name", "csv.bad_identity", value=name, why=error.errors()[0]["msg"])
        return None
    return PlayerSaid(
        place=row.place("id"),
        player=id_,
        identity=identity,
        federation=federation.upper() if federation else None,
        rating=rating or None,
        k=k,
        games=games,
        published_k=published_k,
    )
