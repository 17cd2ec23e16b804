"""What the events of a ledger say that an archive must agree with: who, and what was published."""

from __future__ import annotations

from ledger.archive.manifest import ManifestBasis, ManifestList
from ledger.events.catalogue import CATALOGUE
from ledger.events.lists import ListPublished
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered
from ledger.journal.merkle import CompactRange
from ledger.journal.records import StoredEvent

_TELLING = {ListPublished.TYPE, PlayerIdentityCorrected.TYPE, PlayerRegistered.TYPE}


class ManifestFacts:
    """Is shown every event, in order (see ``ledger.journal.verify.rehash``).

    ``identities`` are the digests of all identity documents that events refer to, with the player.
    """

    def __init__(self) -> None:
        self.identities: dict[str, str] = {}
        self.lists: list[ManifestList] = []

    def __call__(self, event: StoredEvent, tree: CompactRange) -> None:
        """Looks at an event; the tree is that after it."""
        del tree
        if event.type not in _TELLING:
            return
        match CATALOGUE.decode(event.type, event.version, event.payload):
            case PlayerRegistered(identity=digest, player=player):
                self.identities[digest] = player
            case PlayerIdentityCorrected(identity=digest, player=player):
                self.identities[digest] = player
            case ListPublished() as publication:
                self.lists.append(_published(event.seq, publication))
            case _:
                pass


def _published(seq: int, publication: ListPublished) -> ManifestList:
    return ManifestList(
        seq=seq,
        list=publication.list,
        period=publication.period,
        edition=publication.edition,
        published_on=publication.published_on.isoformat(),
        basis=ManifestBasis(
            seq=publication.basis_seq,
            regulation=publication.regulation,
            regulation_digest=publication.regulation_digest,
        ),
        row_count=publication.row_count,
        output_sha256=publication.output_sha256,
        ratings_sha256=publication.ratings_sha256,
    )
