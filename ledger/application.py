"""The ledger as a library: what programs of others may call, wherever it is made.

These names stay as ``docs/api.md`` says; the modules that they come from may be rearranged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from pydantic import ValidationError

from ledger.answers.lists import regenerate, show
from ledger.answers.player_questions import explain, history_of
from ledger.errors import InputRefused
from ledger.events.model import wrong_fields
from ledger.intake.imports import Document, import_document
from ledger.intake.tables import Export, table_of
from ledger.json_form import JsonForm
from ledger.operations.programs import COMMANDS
from ledger.questions import corrections, lists, players, tournaments  # noqa: F401 - declare them
from ledger.questions.question import QUESTIONS
from ledger.service import archives
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.operations import carry_out
from ledger.service.time_zone import clock_of
from ledger.trust.verification import verify
from ledger.views.list_editions import only_list

__all__ = ["Export", "OpenLedger", "Receipt", "open_ledger"]


class OpenLedger(Ledger):
    """A ledger that is open: ``ask`` and ``record`` take the declared questions and operations."""

    explain = explain
    history_of = history_of
    regenerate = regenerate
    show = show
    table_of = table_of
    verify = verify

    def record(
        self, operation: str, *, actor: str, reason: str = "", key: str = "",
        dry_run: bool = False, second: str | None = None, **fields: object,
    ) -> Receipt:  # fmt: skip
        """Carries out an operation by its name, as ``correct-result``; raises ``LedgerError``.

        Args:
            operation: its name, as in the API.
            actor: who asks.
            reason: why, in a sentence.
            key: the same key again is the same request, carried out once (default: a new one).
            dry_run: whether only what it would come to is said.
            second: the officer who agrees, where two must.
            fields: what it is about; days also as ``2010-07-31``, results as ``1-0``.
        """
        command = _named(operation, {each.operation.name: each for each in COMMANDS})
        words = json.loads(json.dumps(fields | {"reason": reason}, default=str))
        _require_known(words, command.body.model_fields)
        try:
            body = command.body.model_validate(words)
        except ValidationError as error:
            raise InputRefused("web.bad_request", *wrong_fields(error.errors())) from error
        request = Request(
            actor, reason, key or f"program:{uuid4()}", "", dry_run=dry_run, second=second
        )
        return carry_out(self, command.made(body, self.today), request)

    def ask(self, question: str, **words: Any) -> JsonForm:
        """Answers a question by its name, as ``crosstable``; raises ``LedgerError``."""
        question_ = _named(question, {each.name: each for each in QUESTIONS})
        given = {
            f"{name}_" if f"{name}_" in question_.kinds else name: words[name] for name in words
        }
        _require_known(given, question_.kinds)
        for name, kind in question_.kinds.items():
            if name in given and kind.several:
                values = [given[name]] if isinstance(given[name], str) else given[name]
                given[name] = tuple(kind.read(str(value)) for value in values)
            elif name in given:
                given[name] = kind.read(str(given[name]))
            elif question_.means_only_list(name):
                given[name] = only_list(self.facts())
            elif question_.is_needed(name):
                raise InputRefused("value.lacking", name=name.rstrip("_"))
        answer: JsonForm = question_(self, **given)
        return answer

    def import_file(
        self, file: str | Path, *, actor: str, reason: str = "", dry_run: bool = False, **about: Any
    ) -> Receipt:
        """Imports a file, all of it or nothing; ``about`` is as in ``Document``."""
        document = Document(name=Path(file).name, data=Path(file).read_bytes(), **about)
        return import_document(self, document, Request(actor, reason, "", "", dry_run=dry_run))

    def close(self) -> None:
        """Closes what the ledger is kept in."""
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_ledger(url: str | Path, *, create: bool = False, time_zone: str = "UTC") -> OpenLedger:
    """Opens a ledger: a SQLite file, a URL of PostgreSQL, or an archive to be read.

    Args:
        url: what ``--db`` names.
        create: whether it is made, or brought up to date, first.
        time_zone: where a day, and with it a period, is over.
    """
    if create:
        archives.make_ledger(str(url))
    return OpenLedger(archives.open_ledger(str(url)), clock_of(time_zone))


def _named(name: str, known: Mapping[str, Any]) -> Any:
    _require_known([name], known)
    return known[name]


def _require_known(names: Any, known: Mapping[str, Any]) -> None:
    for name in names:
        if name not in known:
            names_known = ", ".join(each.rstrip("_") for each in known)
            raise InputRefused("value.not_there", name=name.rstrip("_"), known=names_known)
