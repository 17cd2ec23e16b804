"""All routes of the API."""

from __future__ import annotations

from typing import Final

from web.api import (
    command_routes,
    jobs,
    journal,
    lists,
    players,
    regulations,
    submission_intake,
    submissions,
    tournaments,
)
from web.api.routing import ApiRoutes

ROOMS: Final[tuple[ApiRoutes, ...]] = (
    lists.routes,
    players.routes,
    tournaments.routes,
    regulations.routes,
    regulations.ladder_routes,
    journal.correction_routes,
    journal.routes,
    command_routes.routes,
    command_routes.previews,
    submissions.routes,
    submission_intake.routes,
    jobs.routes,
    jobs.account_routes,
)
