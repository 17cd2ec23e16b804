"""The standings of an event: everybody, and what must be known of the points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ledger.desk.tie_breaks.registry import NAMED, USUAL
from ledger.forms.page import PageCell, PrintedPage, Say, row, saying, table
from ledger.identifiers import Seq
from ledger.reports.desk_changes import at_seq
from ledger.reports.standings import Standings, StandingsLine

STANDINGS_COLUMNS: Final = ("rank", "number", "name", "federation", "rating", "points")
_NAME: Final = STANDINGS_COLUMNS.index("name")
_WORDS = {"points", *NAMED}


def standings_page(standings: Standings, language: str) -> PrintedPage:
    """Returns the standings as a page to print."""
    say = saying(language)
    headings = [PageCell(say(f"column.{key}"), kind=key) for key in STANDINGS_COLUMNS]
    headings += (PageCell(code_name(code, say)) for code in standings.codes)
    headings += [PageCell(say(f"column.{key}")) for key in last_columns(standings)]
    lines = []
    below = False
    for line in standings.rows:
        apart = line.cancelled and not below
        below |= apart
        cells = (
            PageCell(cell or line.id, kind="name") if at == _NAME else PageCell(cell)
            for at, cell in enumerate(standings_cells(standings, line, say))
        )
        lines.append(row(cells, kind="apart" if apart else ""))
    ratings = standings_ratings(standings, say)
    above = [PageCell(ratings).html("p")] if ratings else []
    notes = [PageCell(note.text).html("p") for note in standings_notes(standings, language)]
    parts = [*above, *table(headings, lines), *notes]
    return PrintedPage(standings_title(standings, say), parts, language)


def standings_title(standings: Standings, say: Say) -> str:
    """Returns the heading of standings."""
    is_final = standings.final and not standings.annulled
    key = "standings.final" if is_final else "standings.after"
    name = name_in_title(standings.name, say, annulled=standings.annulled)
    return say(key, name=name, after=standings.after, rounds=standings.rounds)


def name_in_title(name: str, say: Say, *, annulled: bool) -> str:
    """Return the name of an event; one that was annulled says so."""
    return f"{name} ({say('state.annulled')})" if annulled else name


def standings_ratings(standings: Standings, say: Say) -> str | None:
    """Returns whose ratings are shown; None where there are none."""
    if not any(line.rating for line in standings.rows):
        return None
    return (
        say("standings.of_list", list=standings.list)
        if standings.list
        else say("standings.of_report")
    )


def last_columns(standings: Standings) -> tuple[str, ...]:
    """Returns the columns after the tie-breaks: prizes only where there are some."""
    return ("decided_by", "prize") if _has_prizes(standings) else ("decided_by",)


def standings_cells(standings: Standings, line: StandingsLine, say: Say) -> list[object]:
    """Returns a row: ``STANDINGS_COLUMNS``, the tie-breaks, ``last_columns``."""
    decided = line.decided_by and line.decided_by != "points"
    amounts = (line.tie_breaks[code] for code in standings.codes)
    return [
        None if line.cancelled else line.rank,
        line.number,
        _participant(line, say),
        line.federation,
        line.rating,
        line.points,
        *amounts,
        code_name(line.decided_by or "", say) if decided else None,
        *([line.prize or None] if _has_prizes(standings) else []),
    ]


def place_figures(standings: Standings, place: StandingsLine) -> Iterator[object]:
    """Yields points, tie-breaks and place of somebody, the last columns of other forms."""
    yield place.points
    yield from (place.tie_breaks[code] for code in standings.codes)
    yield None if place.cancelled else place.rank


@dataclass(frozen=True, slots=True)
class StandingsNote:
    """What must be known of standings; ``seq`` is that of the event that it tells of, if of one."""

    text: str
    seq: Seq | None = None


def standings_notes(
    standings: Standings, language: str, *, numbered: bool = False
) -> Iterator[StandingsNote]:
    """Yields what must be known of the points and the places; ``numbered``: with the seqs."""

    def note(key: str, seq: Seq | None = None, /, **values: object) -> StandingsNote:
        if seq is not None:
            values["at"] = at_seq(seq, numbered=numbered)
        return StandingsNote(say(key, **values), seq)

    say = saying(language)
    for code, why in standings.not_used:
        yield note("standings.not_used", code=code_name(code, say), why=why)
    if standings.announced and standings.announced != standings.codes:
        yield note("standings.not_announced", codes=_names(standings.announced, say))
    for replaced in standings.replaced:
        codes = _names(replaced.tie_breaks, say)
        yield note("standings.replaced", replaced.seq, codes=codes)
    yield from (StandingsNote(coming.within(language)) for coming in standings.coming)
    names = None if numbered else {line.number: line.name for line in standings.rows if line.name}
    for change in standings.changes:
        sentences = change.sentences(language, names)
        yield StandingsNote(" ".join(sentences), change.seq)
    for issued in standings.issued:
        yield note("standings.issued" if issued.same else "standings.issued_other", issued.seq)
    if waiting := [str(line.number) for line in standings.rows if line.temporary]:
        key = "standings.temporary_left_out" if standings.final else "standings.temporary"
        yield note(key, numbers=", ".join(waiting))


def code_name(code: str, say: Say) -> str:
    """Returns a tie-break's name; a code of FIDE is its own name."""
    return say(f"column.{code.replace('-', '_')}") if code in _WORDS else code


def choice_name(code: str, say: Say) -> str:
    """Returns what a tie-break of ``registry.USUAL`` is called to be chosen; else its code."""
    key = f"tie.{code.lower().replace('/', '_').replace('-', '_')}"
    known = any(code in codes for codes in USUAL.values())
    return say(key) if known else code


def _names(codes: Iterable[str], say: Say) -> str:
    return ", ".join(code_name(code, say) for code in codes) or "–"


def _has_prizes(standings: Standings) -> bool:
    return any(line.prize is not None for line in standings.rows)


def _participant(line: StandingsLine, say: Say) -> str:
    if line.expelled:
        return say("standings.expelled", name=line.name or line.id)
    if line.withdrew_from is None:
        return line.name
    key = "standings.cancelled" if line.cancelled else "standings.withdrew"
    return say(key, name=line.name or line.id, round=line.withdrew_from)
