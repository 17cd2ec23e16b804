"""All routes of the desk."""

from __future__ import annotations

from web.access import Routes
from web.desk import boards, entries, events, rounds

ROOMS: tuple[Routes, ...] = (boards.routes, rounds.routes, entries.routes, events.routes)
"""The pages of a tournament itself come last: its id may hold a slash."""
