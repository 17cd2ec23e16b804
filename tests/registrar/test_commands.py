"""Every command is registered, and says what must be known to decide it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from inspect import isabstract

import pytest

from ledger.registrar import commands
from ledger.registrar.commands import Command


def concrete(kind: type[Command] = Command) -> Iterator[type[Command]]:
    for each in kind.__subclasses__():
        if not isabstract(each):
            yield each
        yield from concrete(each)


EVERY = {each.__name__: each for each in concrete()}


@pytest.mark.parametrize("name", EVERY)
def test_a_command_is_registered(name: str) -> None:
    assert hasattr(commands, name)


@pytest.mark.parametrize("name", EVERY)
def test_a_command_names_fields_that_it_has(name: str) -> None:
    command = EVERY[name]
    assert set(command.NAMES) <= {field.name for field in fields(command)}
    assert command.NAMES or "streams" in vars(command)
