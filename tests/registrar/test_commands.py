"""Every command has a decision, and says what must be known for it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from ledger.operations import commands
from ledger.operations.commands import Command
from ledger.registrar.deciders import DECIDERS
from ledger.registrar.registrar import Registrar  # noqa: F401 - it loads all decisions

EVERY = {
    name: each
    for name, each in vars(commands).items()
    if isinstance(each, type) and issubclass(each, Command) and each is not Command
}


def test_whoever_loads_the_registrar_has_the_decision_of_every_command() -> None:
    assert set(EVERY.values()) == DECIDERS.keys()


@pytest.mark.parametrize("name", EVERY)
def test_a_command_names_fields_that_it_has(name: str) -> None:
    command = EVERY[name]
    assert set(command.NAMES) <= {field.name for field in fields(command)}
    assert command.NAMES or command.streams is not Command.streams
