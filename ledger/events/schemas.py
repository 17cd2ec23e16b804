"""JSON Schemas of every event type and version, for those who read the ledger without it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ledger.events.catalogue import CATALOGUE
from ledger.events.model import Event


def schema_text(model: type[Event]) -> str:
    """Returns the JSON Schema of one event type, formatted, with a last newline."""
    schema = model.model_json_schema()
    schema["$id"] = f"{model.TYPE}/{model.VERSION}"
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def schemas() -> Iterator[tuple[str, str]]:
    """Yields file name and text for every type and version of the catalogue."""
    for model in CATALOGUE.models():
        yield f"{model.TYPE}.v{model.VERSION}.json", schema_text(model)
