"""Which id stays, of several that were merged into one.

An event keeps the id that it was recorded with. Whoever reads a register sees, in every record, the
id that stays; a question may name either.
"""

from __future__ import annotations

from collections.abc import Mapping


class Survivors:
    """The ids that were given up, each with the one it was given up for.

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
