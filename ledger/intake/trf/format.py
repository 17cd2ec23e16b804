"""Writes a report back: the inverse of ``parse``, byte for byte."""

from __future__ import annotations

from dataclasses import replace

from ledger.intake.trf.report import TrfReport


def format(report: TrfReport) -> bytes:  # noqa: A001 - the law reads format(parse(file)) == file
    """Returns the file: its records by their columns, in its encoding, with its line ends."""
    lines = "".join(record.written() for record in report.records)
    return replace(report.text, text=lines).encoded()
