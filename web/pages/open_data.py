"""Open data: what a federation gives to everybody as files, and how to take and cite it."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request, Response
from fastapi.responses import FileResponse
from markupsafe import Markup

from ledger.errors import NotFound
from ledger.intake.data_package import DESCRIPTION, DataPackage, read_data_package
from ledger.views.past import PastLedger, is_erased_since, whole_of
from ledger.wording.dates import day_in_words
from web.access import PUBLIC, Routes
from web.asked_view import site_of
from web.language import language_of
from web.rendering import name_of_site, render

routes = Routes("/data")


@routes.get("", PUBLIC)
def open_data(request: Request) -> Response:
    """Shows the files, under which licence, what is not in them, and how they are cited."""
    package = _package(request)
    if package is None:
        return render(request, "open_data.html", package=None)
    day = day_in_words(package.created[:10], language_of(request))
    page = site_of(request).settings.checkpoint
    return render(
        request, "open_data.html", package=package, day=day, address=_address(request),
        dataset=_dataset(request, package), proves=page is not None and page.exists(),
    )  # fmt: skip


@routes.get("/{file}", PUBLIC)
def data_file(request: Request, file: str) -> Response:
    """Answers with a file, or with the part of it that is asked for."""
    folder, package = site_of(request).settings.data, _package(request)
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
    """Returns the package of the site; None where there is none, or it names who is erased now."""
    folder = site_of(request).settings.data
    package = None if folder is None else read_data_package(folder)
    if package is None or site_of(request).public().ask(_names_erased, package):
        return None
    return package


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
        "description": "Published rating lists and all games of a chess federation.",
        "url": address,
        "version": package.version,
        "dateModified": package.created,
        "license": package.licenses[0].path or package.licenses[0].name,
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
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return Markup(text)  # noqa: S704 - nothing in it ends the element
