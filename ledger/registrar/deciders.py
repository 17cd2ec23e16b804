"""Which function decides a command: what events it comes to, or why it is refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from ledger.events.model import Dated
from ledger.operations.operation import Command
from ledger.registrar.register import Register

C = TypeVar("C", bound=Command)
Decider: TypeAlias = Callable[[C, Register, dt.date], Sequence[Dated]]
DECIDERS: Final = dict[type[Command], Decider[Any]]()
"""The function that decides, by the type of command."""


def decides(*commands: type[C]) -> Callable[[Decider[C]], Decider[C]]:
    """Registers the function that decides commands of these types.

    It returns the events that a command comes to on a day; the register knows its streams. It
    raises ``InputRefused`` where it cannot be recorded, ``Conflict`` where it was recorded before,
    differently.
    """

    def register(decide: Decider[C]) -> Decider[C]:
        DECIDERS.update(dict.fromkeys(commands, decide))
        return decide

    return register


def decided(command: Command, register: Register, today: dt.date) -> Sequence[Dated]:
    """Returns the events that a command comes to on a day; raises as its decider does."""
    return DECIDERS[type(command)](command, register, today)
