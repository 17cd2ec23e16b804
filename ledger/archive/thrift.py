"""Reads structures in Thrift's compact protocol, as Parquet's footers and page headers are written.

Only the fields that are asked for are kept, so that what is read takes as much memory as there are
bytes of them. What other readers might understand in another way is refused: fields that are there
twice or in another order, and fields of another type than the one declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

_TRUE, _FALSE, _BYTE, _I16, I32, I64, _DOUBLE, BINARY, LIST, _SET, _MAP, STRUCT = range(1, 13)
_DEEPEST = 16
_LONGEST_VARINT = 10
_LAST_FIELD = 2**15 - 1
_LONG_LIST = 15
_MORE = 128

Kind: TypeAlias = "int | Fields | list[Kind]"
"""``I32``, ``I64`` or ``BINARY``; a structure's fields; or a list with the kind of its items."""
Fields: TypeAlias = "Mapping[int, tuple[str, Kind]]"
"""The fields that are wanted of a structure: by number, the name and the kind."""


class Malformed(ValueError):
    """The bytes are no structure as it was declared, or end before it does."""


class CompactReader:
    """Reads from bytes; ``at`` is the place of the next one.

    A list of more than ``most`` items is refused before it is made.
    """

    def __init__(self, data: bytes, most: int) -> None:
        self._data = data
        self._most = most
        self.at = 0

    def struct(self, fields: Fields, depth: int = 0) -> dict[str, Any]:
        """Reads a structure; returns the wanted fields that it has, by name.

        Raises:
            Malformed: there is none.
        """
        found: dict[str, Any] = {}
        last = 0
        while head := self._byte():
            number = last + (head >> 4) if head >> 4 else self._signed()
            if not last < number <= _LAST_FIELD:
                raise Malformed("fields out of order")
            last = number
            if number in fields:
                name, kind = fields[number]
                found[name] = self._value(head & 15, kind, depth + 1)
            else:
                self._skip(head & 15, depth + 1)
        return found

    def _value(self, type_: int, kind: Kind, depth: int) -> Any:
        """Reads what must be of a kind."""
        if type_ != (kind if isinstance(kind, int) else LIST if isinstance(kind, list) else STRUCT):
            raise Malformed("a field of another type")
        if isinstance(kind, list):
            item, length = self._list()
            if length > self._most:
                raise Malformed("too long a list")
            return [self._value(item, kind[0], depth + 1) for _ in range(length)]
        if isinstance(kind, int):
            return self._bytes() if kind == BINARY else self._signed()
        return self.struct(kind, depth)

    def _skip(self, type_: int, depth: int) -> None:
        if depth > _DEEPEST:
            raise Malformed("too deep")
        if type_ in {_TRUE, _FALSE}:
            return
        if type_ in {_BYTE, _DOUBLE}:
            self._pass(1 if type_ == _BYTE else 8)
        elif type_ in {_I16, I32, I64}:
            self._unsigned()
        elif type_ == BINARY:
            self._pass(self._unsigned())
        elif type_ in {LIST, _SET}:
            item, length = self._list()
            for _ in range(length):
                self._skip(_BYTE if item in {_TRUE, _FALSE} else item, depth + 1)
        elif type_ == STRUCT:
            self.struct({}, depth)
        else:  # Parquet has no maps
            raise Malformed("an unknown type")

    def _list(self) -> tuple[int, int]:
        """Reads the head of a list; returns the type and the number of its items.

        Each item has a byte at least, so that there are no more of them than bytes.
        """
        head = self._byte()
        length = self._unsigned() if head >> 4 == _LONG_LIST else head >> 4
        if length > len(self._data) - self.at:
            raise Malformed("too long a list")
        return head & 15, length

    def _signed(self) -> int:
        number = self._unsigned()
        return (number >> 1) ^ -(number & 1)

    def _unsigned(self) -> int:
        number = 0
        for place in range(_LONGEST_VARINT):
            byte = self._byte()
            number |= (byte & 127) << 7 * place
            if not byte & _MORE:
                return number
        raise Malformed("too long a number")

    def _bytes(self) -> bytes:
        length = self._unsigned()
        self._pass(length)
        return self._data[self.at - length : self.at]

    def _pass(self, length: int) -> None:
        if length > len(self._data) - self.at:
            raise Malformed("it is cut off")
        self.at += length

    def _byte(self) -> int:
        if self.at >= len(self._data):
            raise Malformed("it is cut off")
        self.at += 1
        return self._data[self.at - 1]
