"""Who players are: what is known of them corrected, and the ids by which others know them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ledger.answers.directory import directory_of
from ledger.answers.people_pages import surviving_id
from ledger.errors import InputRefused, Problem
from ledger.events.personal import Identity, identity_in
from ledger.identifiers import Seq
from ledger.journal.records import Head
from ledger.operations.operation import Command
from ledger.operations.players import (
    AboutPlayer,
    CorrectIdentity,
    IdentifyPlayer,
    LinkPlayer,
    RegisterPlayer,
    TellApart,
)
from ledger.registrar.registrar import Registrar
from ledger.reports.directory import PlayerDirectory
from ledger.service.decisions import Decided, Dependencies
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.views.id_rule import unused_ids
from ledger.views.view import LedgerView
from ledger.wording import Message

_SALT_BYTES = 16
_NOBODY = "?"  # stands where an id is nobody's, until that is refused


def register_player(ledger: Ledger, command: RegisterPlayer, request: Request) -> Receipt:
    """Registers a player; where no id is given, under the next one by the federation's rule.

    Raises:
        InputRefused: others know somebody else under an id; there is no rule.
    """
    if command.player:
        return _recorded(ledger, command, request)
    if not ledger.federation.new_ids:
        raise InputRefused("player.needs_id", name=command.identity.name)
    issued = {each.issuer: each.id for each in command.identity.ids or ()}
    if issued:
        require_own(ledger, "", issued)

    def decide(head: Head) -> Decided:
        new = replace(command, player=next(unused_ids(ledger)))
        registrar = Registrar(ledger.register(new.streams, head.seq), head.seq, ledger.today)
        registrar.take(new)
        note = Message.of("player.newcomer", id=new.player, name=new.identity.name)
        return Decided.by(registrar, Dependencies.on(new.streams), [Problem(note)])

    body = request.body or body_of([command])
    return ledger.append_decided(decide, replace(request, body=body))


def correct_player(ledger: Ledger, command: CorrectIdentity, request: Request) -> Receipt:
    """Corrects who a player is; what is not said stays as it is."""
    known, federation = _known(ledger, command.player)
    if known is not None:
        values = {name: value for name, value in command.identity if value is not None}
        ids = {each.issuer: each.id for each in command.identity.ids or ()}
        identity = Identity.model_construct(**dict(known) | values | {"ids": known.ids})
        command = replace(
            command,
            identity=identity.with_ids(ids),
            federation=command.federation or federation,
        )
    return _recorded(ledger, command, request)


def link_player(ledger: Ledger, link: LinkPlayer, request: Request) -> Receipt:
    """Says under which ids others know a player.

    Raises:
        NotFound: nobody has the id.
        InputRefused: somebody else is known so, or it is recorded already.
    """
    ids = dict(word.split("=", 1) for word in link.ids)
    same = identified(ledger, link.player, secrets.token_hex(_SALT_BYTES))
    command = replace(same, identity=same.identity.with_ids(ids))
    if command.identity == same.identity:
        raise InputRefused("player.linked_so", player=link.player)
    request = replace(request, body=request.body or f"link {link.player}")
    return _recorded(ledger, command, request)


def tell_apart(ledger: Ledger, pair: TellApart, request: Request) -> Receipt:
    """Says that two ids are two people; raises as ``kept_apart``."""
    request = replace(request, body=request.body or f"apart {pair.player} {pair.other}")
    return ledger.execute(kept_apart(ledger, [(pair.player, pair.other)]), request)


def kept_apart(view: LedgerView, pairs: Iterable[tuple[str, str]]) -> list[IdentifyPlayer]:
    """Returns the commands that keep with the first of each pair that the other is somebody else.

    Raises:
        NotFound: an id is nobody's.
        InputRefused: two are one person's, or that they are two people is recorded already.
    """
    commands: dict[str, IdentifyPlayer] = {}
    for player, other in pairs:
        one, another = (surviving_id(view, id_) for id_ in (player, other))
        if one == another:
            raise InputRefused("player.one_person", player=player, other=other)
        same = commands.get(one) or identified(view, one, secrets.token_hex(_SALT_BYTES))
        commands[one] = replace(same, identity=same.identity.apart_from([another]))
        if commands[one].identity == same.identity:
            raise InputRefused("player.apart_already", player=player, other=other)
    return [*commands.values()]


def identified(view: LedgerView, player: str, salt: str) -> IdentifyPlayer:
    """Returns the command that says again who a player is; who is not there is refused by it."""
    known, federation = _known(view, player)
    return IdentifyPlayer(
        player=player,
        identity=known or Identity(name=_NOBODY),
        salt=salt,
        federation=federation,
        on=view.today,
    )


def _known(view: LedgerView, player: str) -> tuple[Identity | None, str | None]:
    """Returns what is known of a player, with the federation."""
    register = view.register([f"player:{player}"], view.journal.head().seq)
    record = register.players.get(player)
    if record is None:
        return None, None
    digest = record.version.identity
    text = view.journal.personal_documents([digest]).get(digest)
    return identity_in(text) if text else None, record.version.federation


def _recorded(ledger: Ledger, command: AboutPlayer, request: Request) -> Receipt:
    issued = {each.issuer: each.id for each in command.identity.ids or ()}
    if issued:
        require_own(ledger, command.player, issued)
    return ledger.execute([command], replace(request, body=request.body or body_of([command])))


def require_own(view: LedgerView, player: str, issued: Mapping[str, str]) -> None:
    """Raises ``InputRefused`` where somebody else is known by one of the ids."""
    IssuedIds(view).require_own(player, issued)


class IssuedIds:
    """The ids that others gave, and the holder of each: in the ledger, and in one document."""

    def __init__(self, view: LedgerView) -> None:
        self._view = view
        self._seq: Seq | None = None  # of the directory
        self._directory: PlayerDirectory | None = None
        self._holders = dict[tuple[str, str], str]()  # by issuer and id, of the document

    @property
    def directory(self) -> PlayerDirectory:
        """The players; read when it is first asked for, and again after ``refresh``."""
        if self._directory is None:
            self._seq, self._directory = self._view.facts().seq, directory_of(self._view)
        return self._directory

    def refresh(self) -> None:
        """Let go of the directory if something was recorded after it was read."""
        if self._seq != self._view.journal.head().seq:
            self._directory = None

    def require_own(self, player: str, issued: Mapping[str, str]) -> None:
        """Raises ``InputRefused`` where somebody else is known by one of the ids."""
        for issuer, id_ in issued.items():
            places = self.directory.issued.get(id_, ())
            holders = [self.directory[place].id for by, place in places if by == issuer]
            for other in (*holders, self._holders.get((issuer, id_), player)):
                if other != player:
                    values = {"player": player, "id": f"{issuer}={id_}", "other": other}
                    raise InputRefused("player.id_of_other", **values)

    def check(self, command: Command) -> None:
        """Note the ids that a command of the document gives a player.

        Raises:
            InputRefused: another player of the ledger, or of the document, has one of them.
        """
        if isinstance(command, AboutPlayer) and command.identity.ids:
            issued = {each.issuer: each.id for each in command.identity.ids}
            self.require_own(command.player, issued)
            self._holders |= dict.fromkeys(issued.items(), command.player)
