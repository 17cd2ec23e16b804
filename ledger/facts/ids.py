"""Ids and names, in order of appearance, and which id stays of several that were merged into one.

Few questions need them, so they are read when asked for. Packed, they are lines of UTF-8: no text
of an event holds a line break, and none is empty, so that an empty line stands for no text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import RLock
from typing import Generic, Self, TypeAlias, TypeVar, cast

import numpy as np

from ledger.facts.arrays import Column


class Texts:
    """Texts that are only ever added to, by one thread; others may read them meanwhile."""

    def __init__(self) -> None:
        self._lock = RLock()  # of what is made when it is first asked for
        self._packed: list[bytes] = []
        self._read: list[str] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, text: str | None) -> None:
        """Adds a text."""
        self.read().append(text or "")
        self._count += 1

    def extend(self, packed: bytes, count: int) -> None:
        """Adds texts that are packed; how many they are is known."""
        if count:
            with self._lock:
                self._packed.append(packed)
                self._count += count

    def read(self) -> list[str]:
        """Returns all texts; the list is this one's own."""
        if self._packed:
            with self._lock:
                for packed in self._packed:
                    self._read += packed.decode().split("\n")
                self._packed.clear()
        return self._read

    def packed(self, places: slice) -> bytes:
        """Returns some of the texts, packed."""
        return "\n".join(self.read()[places]).encode()

    def fork(self) -> Self:
        """Returns one that grows on its own."""
        made = type(self)()
        with self._lock:
            made._packed, made._read = list(self._packed), list(self._read)  # noqa: SLF001 - its own
        made._count = self._count  # noqa: SLF001 - its own
        return made


Place = TypeVar("Place", bound=int)


class Ids(Texts, Generic[Place]):
    """Ids, and the index of each: its place among them."""

    def __init__(self) -> None:
        super().__init__()
        self._index: dict[str, Place] = {}
        # Whether a fork has the same dictionary: then it is copied before it grows.
        self._shared = False
        self._checked = 0

    def extend(self, packed: bytes, count: int) -> None:
        """Adds ids that are packed; that no two of them are the same is known."""
        if self._checked == self._count:
            self._checked += count
        super().extend(packed, count)

    @property
    def index(self) -> dict[str, Place]:
        """The index of every id; the dictionary is not the caller's to change."""
        if len(self._index) < self._count:
            with self._lock:
                if self._shared:
                    self._index, self._shared = dict(self._index), False
                known = len(self._index)
                new = self.read()[known:]
                places = cast(Iterable[Place], range(known, known + len(new)))
                self._index.update(zip(new, places, strict=True))
        return self._index

    def repeated(self) -> int | None:
        """Returns the place of an id that was added a second time since this was last asked."""
        if self._checked == self._count:
            return None
        self._checked = self._count
        ids = self.read()
        if len(self.index) == len(ids):
            return None
        first = {id_: place for place, id_ in reversed(list(enumerate(ids)))}
        return next(place for place, id_ in enumerate(ids) if first[id_] != place)

    def fork(self) -> Self:
        """Returns one that grows on its own; what there is by now is looked up once for both."""
        made = super().fork()
        made._index = self.index  # noqa: SLF001 - its own
        made._shared = self._shared = True  # noqa: SLF001 - its own
        made._checked = self._checked  # noqa: SLF001 - its own
        return made


class Index(Mapping[str, Place]):
    """The index of each of the first so many ids."""

    def __init__(self, ids: Ids[Place], count: int) -> None:
        self._ids = ids
        self._count = count

    def __getitem__(self, id_: str) -> Place:
        index = self._ids.index[id_]
        if index >= self._count:
            raise KeyError(id_)
        return index

    def of(self, ids: Iterable[str]) -> list[Place]:
        """Returns the index of each of many ids; raises ``KeyError`` as for one."""
        found = list(map(self._ids.index.__getitem__, ids))
        if found and max(found) >= self._count:
            raise KeyError
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids.read()[: self._count])

    def __len__(self) -> int:
        return self._count


def alphabetical(ids: Sequence[str]) -> Column:
    """Returns the place of each id among all of them by code point."""
    order = np.empty(len(ids), dtype=np.int64)
    order[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
    return order


Stays: TypeAlias = Callable[[str], str]
"""Returns the id that stays of one that may have been given up."""


class Survivors:
    """The ids that were given up, each with the one it was given up for.

    An event keeps the id that it was recorded with. Whoever reads a register sees, in every record,
    the id that stays; a question may name either.

    >>> survivors = Survivors({"7": "12"})
    >>> survivors.merge("12", "3404510")
    >>> survivors("7"), survivors("5")
    ('3404510', '5')
    """

    def __init__(self, into: Mapping[str, str] | None = None) -> None:
        self._into: dict[str, str] = {}
        for player, stays in (into or {}).items():
            self.merge(player, stays)

    def __bool__(self) -> bool:
        """Whether anybody was merged."""
        return bool(self._into)

    def __call__(self, player: str) -> str:
        """Returns the id that stays, through any number of merges; the same one without any."""
        while player in self._into:
            player = self._into[player]
        return player

    def merge(self, player: str, into: str) -> None:
        """Takes it that ``player`` is given up for ``into``.

        Raises:
            ValueError: an id would be given up for itself, by way of others or not.
        """
        stays: str | None = into
        while stays is not None:
            if stays == player:
                raise ValueError(f"{player} and {into} are one already")
            stays = self._into.get(stays)
        self._into[player] = into

    def same_person(self, player: str) -> set[str]:
        """Returns every id of the person with this one."""
        stays = self(player)
        return {stays, *(given_up for given_up in self._into if self(given_up) == stays)}
