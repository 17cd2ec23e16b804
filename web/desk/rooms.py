"""All routes of the desk."""

from __future__ import annotations

from web.access import Routes
from web.desk import boards, entries, events, rounds

ROOMS: tuple[Routes, ...] = (events.routes, entries.routes, rounds.routes, boards.routes)
