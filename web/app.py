"""Puts the site together."""

from __future__ import annotations

from functools import partial

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from web import assets, kept_forms
from web.access import Identify, Routes
from web.accounts import (
    administration,
    enrolment,
    oidc,
    own_account,
    player_accounts,
    sign_in,
    signature_pages,
)
from web.accounts.identity import identify as identify_by_office
from web.api import description
from web.api.cross_origin import CrossOrigin
from web.assets import asset_path
from web.caching import software
from web.calculations import Calculations
from web.desk import announcements, boards, entries, events, rounds
from web.destinations import page_before
from web.headers import Guard
from web.jobs import pages as jobs
from web.office.erasures import forget_names
from web.office.store import Office
from web.pages import (
    about,
    audit,
    calendar,
    claims,
    erasure,
    feeds,
    home,
    lists,
    officer,
    open_data,
    players,
    proofs,
    regulations,
    restated_lists,
    statements,
    studies,
    tournaments,
    webhooks,
)
from web.problems import answer_failures
from web.read_models.model_store import ModelStore
from web.rendering import templates
from web.signature_requests import send_to_sign
from web.site import Site
from web.submissions import drafts
from web.submissions import pages as submissions

ROOMS: tuple[Routes, ...] = (
    assets.routes,
    home.routes,
    feeds.routes,
    lists.routes,  # what is asked for most comes first: routes are tried one after the other
    restated_lists.routes,  # before what has a period in its place
    lists.publication_routes,
    players.routes,
    erasure.routes,
    officer.routes,
    tournaments.live_routes,
    claims.routes,
    statements.routes,
    drafts.routes,  # before what has names in its place
    submissions.routes,
    home.demonstration_routes,
    about.routes,
    tournaments.form_routes,
    calendar.routes,
    calendar.file_routes,
    open_data.routes,
    announcements.routes,
    kept_forms.routes,
    jobs.routes,
    boards.routes,
    rounds.routes,
    entries.routes,
    events.routes,  # the pages of a tournament itself come last: its id may hold a slash
    *description.ROOMS,
    description.routes,
    description.manual_routes,
    sign_in.routes,
    sign_in.sign_out_routes,
    oidc.routes,
    enrolment.routes,
    own_account.routes,
    own_account.key_routes,
    signature_pages.routes,
    administration.routes,
    player_accounts.routes,
    webhooks.routes,
    audit.correction_routes,
    audit.routes,
    proofs.routes,
    proofs.tile_routes,
    regulations.routes,
    regulations.ladder_routes,
    studies.routes,
    tournaments.routes,  # last: the id of a tournament may hold a slash
)
_WORTH_PACKING = 1_000  # bytes
_PACKED = 5  # a third of the work of the highest level, for a twentieth more bytes


def create_app(
    site: Site, office: Office | None = None, identify: Identify = identify_by_office
) -> FastAPI:
    """Returns the application of a site.

    Args:
        site: the ledger.
        office: where accounts are; without one nobody can sign in.
        identify: tells whose request it is, by default what the office knows.
    """
    app = FastAPI(title="rating-ledger", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.state.office = office
    app.state.identify = identify
    app.state.waiting_form = kept_forms.waiting_form
    app.state.page_before = page_before
    app.state.models = ModelStore(site.settings)
    app.state.calculations = calculations = Calculations()
    site.when_erased(lambda _gone: calculations.forget())
    if office is not None:
        site.when_erased(partial(forget_names, office))
    for room in ROOMS:  # not ``include_router``: every app would build all its routes anew
        app.router.routes.extend(room.router.routes)
    for read in (templates, software, partial(asset_path, "style.css")):
        read()  # now: another version that is installed meanwhile changes nothing by halves
    answer_failures(app)
    send_to_sign(app)
    app.add_middleware(CrossOrigin)
    app.add_middleware(Guard, settings=site.settings)
    app.add_middleware(GZipMiddleware, minimum_size=_WORTH_PACKING, compresslevel=_PACKED)
    return app
