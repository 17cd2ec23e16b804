"""How answers are written: data to stdout in the asked format, everything else to stderr."""

from __future__ import annotations

import csv
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO, TypeVar

from cli import settings
from cli.help import misuse
from cli.options import (
    Format,
    FormFormat,
    FormListingOptions,
    FormOptions,
    ListingOptions,
    QuestionOptions,
    ReadOptions,
)
from cli.settings import language
from ledger.children import environment
from ledger.errors import LedgerError, Problem
from ledger.exports.columns import as_text
from ledger.wording import Message, Wording, visible

if TYPE_CHECKING:
    from rich.console import Console

    from cli.tables import Column, Kind, Table
    from ledger.forms.page import PrintedPage

_PAGER = "less"
# Colours as they are, the screen left as it was, no waiting where all fits: as git has it.
_LESS = "FRX"
_WIDE = 200  # a pipe has no width, unless COLUMNS says one
SHOWN: Final = 50
"""Rows of a table that nobody asked for in full."""

Row = TypeVar("Row")


class Report(Protocol):
    """What has a JSON form, with its sentences in a language."""

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data."""


Made = TypeVar("Made", bound=Report)
_ABOUT_ENCODING: Final = {"text.other_encoding", "text.undecodable", "text.wrong_byte"}


def say(key: str, **values: object) -> str:
    """Returns a sentence in the user's language."""
    return Message.of(key, **values).within(language())


def told(message: Message | Wording | Problem) -> str:
    """Returns a sentence that something brings with it, in the user's language."""
    return message.within(language())


def console(*, stderr: bool = False) -> Console:
    """Returns a console: colours and the width of the screen only on a terminal."""
    from rich.console import Console

    class Ours(Console):
        """Leaves a closed pipe to ``main``, which knows the exit code for it."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

        def print(self, *objects: Any, **settings: Any) -> None:
            fitting: Iterable[Any] = objects
            if not settings.setdefault("soft_wrap", is_log):
                fitting = (
                    _folded(each, self.width) if isinstance(each, str) else each for each in objects
                )
            super().print(*fitting, **settings)

    stream = sys.stderr if stderr else sys.stdout
    is_log = stderr and not stream.isatty()
    return Ours(
        file=stream, width=_screen(stream) or _WIDE, highlight=False, markup=False, emoji=False
    )


def _screen(stream: TextIO) -> int | None:
    """Returns how wide lines may be; None where nobody says it."""
    text = os.environ.get("COLUMNS", "")
    if text.isdecimal() and int(text):
        return int(text)
    with suppress(OSError):  # it is no terminal
        return os.get_terminal_size(stream.fileno()).columns or None
    return None


def _told(text: str) -> str:
    """Returns a message as it is written on stderr: in lines that fit a terminal.

    Messages are for logs too: there nobody looks for a sentence in two lines.
    """
    return _folded(text, _screen(sys.stderr) or _WIDE) if sys.stderr.isatty() else text


def _folded(text: str, width: int) -> str:
    """Breaks lines that are too wide between words; what follows stands under what it begins."""
    return "\n".join(
        "\n".join(_lines(line, width)) if len(line) > width else line for line in text.split("\n")
    )


def _lines(line: str, width: int) -> list[str]:
    before = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line, width, subsequent_indent=before, break_long_words=False, break_on_hyphens=False
    )


def note(key: str, **values: object) -> None:
    """Tells something on stderr."""
    print(_told(say(key, **values)), file=sys.stderr)  # noqa: T201 - this is the place that prints


def write(text: str) -> None:
    """Writes a line of data."""
    print(text)  # noqa: T201 - this is the place that prints


def write_json(data: object) -> None:
    """Writes data as JSON for people and programs, over several lines.

    ``json`` writes them on one line in C; it would lay them out in Python, four times as slowly.
    """
    import msgspec  # what is not answered in JSON does not wait for it

    text = json.dumps(data, ensure_ascii=False).encode(errors="replace")
    write_bytes(msgspec.json.format(text, indent=2) + b"\n")


def write_bytes(data: bytes) -> None:
    """Writes data as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def emit(
    as_: Format,
    data: Any,
    rows: Sequence[Mapping[str, Any]] | Callable[[], Sequence[Mapping[str, Any]]],
    render: Callable[[Console], None],
    text: Callable[[], str] | None = None,
) -> None:
    """Writes an answer.

    Args:
        as_: the format.
        data: the whole of it, for JSON; or what makes it, if that takes long.
        rows: its rows, for JSON lines and CSV; or what makes them.
        render: writes it for people.
        text: makes the CSV, if that is written faster than from the rows; like these, without a
            cell that a spreadsheet would execute (see ``ledger.exports.columns``).
    """
    match as_:
        case Format.TABLE:
            _paged(render)
        case Format.JSON:
            write_json(data() if callable(data) else data)
        case Format.JSONL:
            for row in rows() if callable(rows) else rows:
                write(json.dumps(row, ensure_ascii=False))
        case Format.CSV if text is not None:
            sys.stdout.write(text())
        case Format.CSV:
            _csv(rows() if callable(rows) else rows)


def emit_table(
    options: ReadOptions | QuestionOptions | ListingOptions,
    data: Any,
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    *,
    last: bool = False,
) -> None:
    """Writes an answer whose rows are a table: their values are in the order of its columns.

    A ``state`` and a rate of play are written in the user's language; ``last`` as for
    ``print_rows``.
    """

    def cells(row: Mapping[str, Any]) -> Iterator[object]:
        for name, value in row.items():
            key = value and {"state": "state", "rate_of_play": "rate"}.get(name)
            yield say(f"{key}.{value}") if key else value

    def render(out: Console) -> None:
        print_rows(out, table(*columns), rows, cells, everything=options.everything, last=last)

    emit(options.format, data, rows, render)


def emit_report(
    options: QuestionOptions | ListingOptions,
    report: Made,
    rows: str,
    render: Callable[[Made, Console], None],
) -> None:
    """Writes a report; ``rows`` names its rows in its JSON form, ``render`` is for people."""
    data = report.data(language())
    emit(options.format, data, data[rows], lambda out: render(report, out))


def emit_form(
    options: FormOptions | FormListingOptions,
    data: Any,
    rows: Sequence[Mapping[str, Any]],
    render: Callable[[Console], None],
    page: Callable[[str], PrintedPage],
) -> None:
    """Writes a form: as a page to print, which ``page`` makes in a language, or as ``emit``."""
    if options.format is FormFormat.HTML:
        write(page(language()).html())
    else:
        emit(Format(options.format.value), data, rows, render)


def _paged(render: Callable[[Console], None]) -> None:
    """Writes for people; on a terminal in a pager, if it is more than the screen holds."""
    out = console()
    viewer = _pager()
    if not viewer:
        render(out)
        return
    with out.capture() as captured:
        render(out)
    text = captured.get()
    if text.count("\n") < out.height:
        sys.stdout.write(text)
    else:
        _show(text, viewer)


def _pager() -> list[str]:
    """Returns the pager as words of a command line; empty where none is wanted or there is none.

    None is wanted with ``--no-pager``, with ``NO_PAGER``, where ``PAGER`` is empty or ``cat``, and
    where nobody sits before a terminal.
    """
    if not settings.FLAGS.pager or os.environ.get("NO_PAGER") or not sys.stdout.isatty():
        return []
    try:
        words = shlex.split(os.environ.get("PAGER", _PAGER))
    except ValueError:  # a quotation that does not end
        return []
    usable = words and words[0] != "cat" and shutil.which(words[0])
    return words if usable else []


def _show(text: str, pager: list[str]) -> None:
    """Shows a text in a pager, until the reader leaves it; without one that starts, plainly."""
    sys.stdout.flush()
    variables = {"LESS": _LESS} | environment()
    try:
        process = subprocess.Popen(pager, stdin=subprocess.PIPE, env=variables)  # noqa: S603
    except OSError:
        sys.stdout.write(text)
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the pager's to answer
    try:
        with suppress(BrokenPipeError):  # the reader has seen enough
            process.communicate(text.encode())
        process.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def print_rows(
    out: Console,
    table_: Table,
    rows: Sequence[Row],
    cells: Callable[[Row], Iterable[object]],
    *,
    everything: bool,
    last: bool = False,
    count: int | None = None,
) -> None:
    """Writes a table of rows, and below it how many of how many it shows.

    ``rows`` are all of them, or the last; then ``count`` says how many there are. Shown are the
    first 50, or with ``last`` the last, or with ``everything`` all.
    """
    shown = excerpt(rows, everything=everything, last=last)
    for row in shown:
        table_.add(*cells(row))
    out.print(table_)
    print_rest(out, len(shown), len(rows) if count is None else count, last=last)


def excerpt(rows: Sequence[Row], *, everything: bool, last: bool = False) -> Sequence[Row]:
    """Returns the rows that a table shows: the first of them, or the last, or with --all all."""
    if everything or len(rows) <= SHOWN:
        return rows
    return rows[-SHOWN:] if last else rows[:SHOWN]


def print_rest(out: Console, shown: int, count: int, *, last: bool = False) -> None:
    """Says below a table how many rows of how many it shows, where it does not show all."""
    if shown < count:
        key = "cli.last_rows" if last else "cli.first_rows"
        out.print(say(key, shown=shown, count=count), style="dim")


def print_notes(out: Console, notes: Sequence[str]) -> None:
    """Writes sentences below a table, and an empty line behind them."""
    if notes:
        out.print("\n".join((*notes, "")))


def _csv(rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        return
    people = {
        name
        for row in rows
        for name, value in row.items()
        if isinstance(value, dict) and value.keys() == {"id", "name"}
    }
    flat = [dict(_cells(row, people)) for row in rows]
    writer = csv.DictWriter(sys.stdout, list(flat[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)


def _cells(row: Mapping[str, Any], people: set[str]) -> Iterator[tuple[str, object]]:
    """Yields a row's cells; a person is his id, and his name in a column of its own."""
    for name, value in row.items():
        if name in people:
            person = value or {}
            yield name, _flat(person.get("id"))
            yield f"{name}_name", _flat(person.get("name"))
        else:
            yield name, _flat(value)


def _flat(value: object) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case dict() | list():
            return json.dumps(value, ensure_ascii=False)
        case str():
            return as_text(visible(value))
        case _:
            return value


def table(*columns: str | Column, title: str = "", **kinds: Kind) -> Table:
    """Returns an empty table; columns are keys of ``column.*``, or made already.

    What a column holds its cells say, or its name (``cli.tables.KINDS``), but for those in
    ``kinds``. In the place of a name that was erased it says so.
    """
    from cli.tables import KINDS, Table

    known = KINDS | kinds
    pieces = (_column(each, known.get(each)) if isinstance(each, str) else each
            for each in columns)  # fmt: skip
    return Table(*pieces, title=title)


def _column(key: str, kind: Kind | None) -> Column:
    from cli.tables import Column, Kind

    return Column(say(f"column.{key}"), kind, named("") if kind is Kind.NAME else "")


def named(name: str | None) -> str:
    """Returns a person's name, or what stands in its place: it was erased, or left out."""
    return name or say("cli.left_out" if settings.FLAGS.lacks_people else "cli.name_erased")


def misused(error: Any) -> None:
    """Writes on stderr how a command is used and what is wrong; what is quoted is escaped."""
    lines = (line.split("\t") for line in misuse(error).split("\n"))
    text = "\n".join("\t".join(map(visible, line)) for line in lines)
    sys.stderr.write(_told(text))


def failed(error: LedgerError, *, as_json: bool) -> None:
    """Writes a failure on stderr: as sentences, or as one JSON object."""
    lang = language()
    if as_json:
        answer = {
            "error": error.message.key,
            "message": error.within(lang),
            "details": [detail.data(lang) for detail in error.details],
        }
        print(json.dumps(answer, ensure_ascii=False), file=sys.stderr)  # noqa: T201 - as above
        return
    out = console(stderr=True)
    out.print(error.within(lang), style="bold red")
    if error.details:  # at once: of a large file there may be thousands
        out.print("\n".join(f"  {detail.within(lang)}" for detail in error.details))
    if error.message.key in _ABOUT_ENCODING:
        out.print(say("cli.name_encoding"))


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Gives a function that shows how far a long work has come; silent without a terminal."""
    if not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(say(f"progress.{what}"), total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield tell
