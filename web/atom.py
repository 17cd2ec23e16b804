"""Feeds as readers know them: Atom (RFC 4287), written by the standard library.

An id stays whatever the site is called and in whichever language an entry is told: it is made of
the ledger, by its first commit, and of what the entry is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import NAMESPACE_OID, uuid5
from xml.etree import ElementTree as ET

MEDIA_TYPE: Final = "application/atom+xml; charset=utf-8"
_NAMESPACE: Final = "http://www.w3.org/2005/Atom"
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """Something that happened: ``key`` names it for ever, ``updated`` is an instant as recorded."""

    key: str
    title: str
    address: str
    updated: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """What is told of something, the newest first.

    ``ledger`` is the root of the first commit, ``since`` its instant; ``own`` is the address of the
    feed, ``page`` that of the page of the same. Addresses are whole.
    """

    ledger: str
    since: str
    key: str
    title: str
    author: str
    language: str
    own: str
    page: str
    entries: Sequence[FeedEntry]

    def document(self) -> bytes:
        """Returns it as a document in UTF-8."""
        root = ET.Element("feed", {"xmlns": _NAMESPACE, "xml:lang": self.language})
        _text(root, "id", self._id(f"{self.key} {self.language}"))
        _text(root, "title", self.title)
        _text(root, "updated", max((each.updated for each in self.entries), default=self.since))
        _text(ET.SubElement(root, "author"), "name", self.author)
        ET.SubElement(root, "link", {"rel": "self", "href": self.own})
        ET.SubElement(root, "link", {"rel": "alternate", "href": self.page})
        for each in self.entries:
            entry = ET.SubElement(root, "entry")
            _text(entry, "id", self._id(each.key))
            _text(entry, "title", each.title)
            _text(entry, "updated", each.updated)
            ET.SubElement(entry, "link", {"rel": "alternate", "href": each.address})
            if each.summary:
                _text(entry, "summary", each.summary)
        document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
        return document

    def _id(self, key: str) -> str:
        return uuid5(NAMESPACE_OID, f"{self.ledger} {key}").urn


def _text(parent: ET.Element, name: str, text: str) -> None:
    """Adds an element with a text; what XML cannot hold is left out."""
    ET.SubElement(parent, name).text = _NO_XML.sub("", text)
