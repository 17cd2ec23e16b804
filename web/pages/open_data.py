"""Open data: what a federation gives to everybody as files, and how to take and cite it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import FileResponse
from markupsafe import Markup

from ledger.answers.lists import described_lists
from ledger.errors import InputRefused, NotFound
from ledger.intake.data_package import (
    DESCRIPTION,
    DataPackage,
    DataResource,
    forget_files,
    read_data_package,
)
from ledger.views.past import PastLedger, is_erased_since, whole_of
from ledger.wording import Message
from ledger.wording.dates import day_in_words
from web.access import PUBLIC, Routes
from web.asked_view import site_of
from web.language import language_of
from web.rendering import name_of_site, render

routes = Routes("/data")
_MEGABYTE: Final = 1_000_000


@routes.get("", PUBLIC)
def open_data(request: Request) -> Response:
    """Shows the files, under which licence, what is not in them, and how they are cited."""
    settings, package = site_of(request).settings, _package(request)
    if package is None or settings.data_folder is None:
        return render(request, "open_data.html", package=None, why=_why_none(request))
    tables: dict[str, dict[str, DataResource]] = {}
    for each in package.resources:
        tables.setdefault(each.title, {})[each.format] = each
    page = settings.checkpoint
    return render(
        request, "open_data.html", package=package, tables=tables, size=_size,
        day=day_in_words(package.created[:10], language_of(request)), address=_address(request),
        digest=sha256((settings.data_folder / DESCRIPTION).read_bytes()).hexdigest(),
        dataset=_dataset(request, package), proves=page is not None and page.exists(),
    )  # fmt: skip


@routes.get("/{file}", PUBLIC)
def data_file(request: Request, file: str) -> Response:
    """Answers with a file, or with the part of it that is asked for."""
    folder, package = site_of(request).settings.data_folder, _package(request)
    if folder is None or package is None:
        raise NotFound("package.none")
    request.state.account = None  # the same for everybody
    # A file is never packed on its way: a part that is asked for later must fit the first.
    headers = {"Access-Control-Allow-Origin": "*", "Content-Encoding": "identity"}
    if file == DESCRIPTION:
        return FileResponse(folder / file, headers=headers, media_type="application/json")
    resource = package.resource(file)
    if not (folder / file).is_file():  # another package is just being put there
        raise NotFound("package.no_file", file=file)
    headers["ETag"] = f'"{resource.sha256}"'
    return FileResponse(
        folder / file, headers=headers, media_type=resource.mediatype, filename=file
    )


def _package(request: Request) -> DataPackage | None:
    """Returns the package of the site; None where there is none, or it names who is erased now.

    Files of the site's own that do are thrown away: a job makes them anew.
    """
    settings = site_of(request).settings
    folder = settings.data_folder
    if folder is None:
        return None
    try:
        package = read_data_package(folder)
    except InputRefused:
        if settings.makes_data:
            return None
        raise
    if package is None:
        return None
    if site_of(request).public().ask(_names_erased, package):
        if settings.makes_data:
            forget_files(folder, package)
        return None
    return package


def _why_none(request: Request) -> Message:
    """Returns why there are no open data, and when there will be some."""
    settings = site_of(request).settings
    if not settings.makes_data or settings.office is None:
        return Message.of("package.none")
    lists = site_of(request).public().ask(described_lists).lists
    is_published = any(each.published for each in lists)
    return Message.of("package.being_made" if is_published else "package.after_first")


def _size(resource: DataResource) -> str:
    """Returns how large a file is, in kB or MB, rounded up."""
    unit, name = (1000, "kB") if resource.bytes < _MEGABYTE else (_MEGABYTE, "MB")
    return f"{-(-resource.bytes // unit)} {name}"


def _names_erased(ledger: PastLedger, package: DataPackage) -> bool:
    return is_erased_since(whole_of(ledger), package.seq)


def _address(request: Request) -> str:
    return f"{site_of(request).settings.origin}/data"


def _dataset(request: Request, package: DataPackage) -> Markup:
    """Returns the description for search engines (schema.org), as it stands in a page."""
    address = _address(request)
    data: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": package.title,
        "description": "Published rating lists, games and corrections of a chess federation.",
        "url": address,
        "version": package.version,
        "dateModified": package.created,
        "creator": {"@type": "Organization", "name": name_of_site(request, "en")},
        "isAccessibleForFree": True,
        "distribution": [
            {
                "@type": "DataDownload",
                "name": each.name,
                "encodingFormat": each.mediatype,
                "contentUrl": f"{address}/{each.path}",
                "contentSize": f"{each.bytes} B",
                "sha256": each.sha256,
            }
            for each in package.resources
        ],
    }
    if package.licenses:
        data["license"] = package.licenses[0].path or package.licenses[0].name
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return Markup(text)  # noqa: S704 - nothing in it ends the element
