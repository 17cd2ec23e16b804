"""Who stands at the desk: an account with its tournaments, what it asks and what it records."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Concatenate, Final, ParamSpec, TypeVar

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse

from ledger.answers.commits import commit_of
from ledger.answers.event_desk import event_desk
from ledger.errors import LedgerError, NotFound
from ledger.identifiers import Seq
from ledger.operations.commands import Command
from ledger.rating.decimal_text import score_text
from ledger.service.commit_outlooks import CommitOutlook, outlook_of
from ledger.service.ledger import Ledger, Receipt, body_of
from ledger.service.ledger import Request as Asking
from ledger.terms import Role
from ledger.typed_values import integer_in
from web.access import Account, only, required_account, required_rights
from web.asked_view import site_of
from web.desk.participant_names import named
from web.forms import NOTHING, FormOutcome, TypedForm
from web.kept_forms import waiting_form
from web.language import error_for_site
from web.paths import path_of
from web.problems import status_of
from web.refusals import Forbidden, fitting_reason
from web.rendering import render
from web.signature_requests import owner_of
from web.site import Site

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
ARBITERS: Final = only(Role.ARBITER, Role.OFFICER)
"""Who may use the desk; an arbiter who is limited to tournaments stands at these only."""
OPEN: Final = only(Role.ARBITER, Role.OFFICER, everywhere=True)
"""Who may open a tournament."""


Show = Callable[[FormOutcome], Response]
"""Shows the page of a form, with what came of it."""


def address(tournament: str, *parts: object) -> str:
    """Returns the address of a page about a tournament."""
    return path_of("desk", tournament, *parts)


@dataclass(frozen=True, slots=True)
class ArbitersDesk:
    """The desk as one account has it in one request: at a tournament, or at none yet."""

    request: Request
    account: Account
    tournament: str | None = None

    @property
    def site(self) -> Site:
        """The site that is asked."""
        return site_of(self.request)

    @property
    def is_officer(self) -> bool:
        """Whether the account may work at every tournament, and rule on it."""
        return Role.OFFICER in self.account.roles

    def ask(
        self, question: Callable[Concatenate[Any, Given], Answer], *arguments: Given.args,
        **named: Given.kwargs,
    ) -> Answer:  # fmt: skip
        """Asks a function of ``ledger.answers`` about the newest state; raises as it does."""
        return self.site.newest().ask(question, *arguments, **named)

    def tournaments(self) -> frozenset[str] | None:
        """Returns the tournaments to which the account is limited; None: to none."""
        return None if self.is_officer else self.account.tournaments

    @property
    def opens(self) -> bool:
        """Whether the account may open a tournament."""
        return OPEN.allows(self.account)

    def asking(self, typed: TypedForm, body: str, reason: str = "") -> Asking:
        """Returns what accompanies a request to record something.

        The same form sent again is the same request; filled in otherwise, it is another one.
        """
        content = f"{typed.value('key')}\n{body}"
        digest = hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()
        key = f"desk:{self.account.name}:{digest}"
        return Asking(
            actor=self.account.name, reason=fitting_reason(reason), idempotency_key=key, body=body,
            owner=owner_of(self.request), rights=required_rights(self.request, self.tournament),
        )  # fmt: skip

    def execute(self, typed: TypedForm, *commands: Command, reason: str = "") -> Receipt:
        """Records commands, all or none; raises as ``Ledger.execute`` and ``record`` do."""
        content: Sequence[Command] = commands
        request = self.asking(typed, body_of(content), reason)
        return self.record(request, lambda ledger: ledger.execute(content, request))

    def record(self, request: Asking, command: Callable[[Ledger], Answer]) -> Answer:
        """Calls a function of ``ledger.service`` that records what a request asks for.

        A form that was carried out may come again, also that by which the report was handed in.

        Raises:
            Forbidden: the report of the tournament was handed in: then an officer decides.
            LedgerError: as the function does.
        """

        def allowed(ledger: Ledger) -> Answer:
            if self.tournament is not None and ledger.repeated(request) is None:
                self.account.check_open(ledger, self.tournament)
            return command(ledger)

        return self.site.record(allowed)

    def preview(self, body: str) -> Asking:
        """Returns what accompanies a proposal: nothing is recorded, and no rating calculated."""
        asking = self.asking(NOTHING, body, "-")
        return replace(asking, dry_run=True, with_impact=False, rights=None)

    @property
    def unsent(self) -> FormOutcome:
        """A form of the page that nobody has sent yet, or that had to wait for a sign-in."""
        return FormOutcome(waiting_form(self.request))

    def page(self, template: str, outcome: FormOutcome | None = None, **values: Any) -> Response:
        """Returns a page of the desk; templates know ``typed``, ``key`` and what came of a form."""
        outcome = outcome or self.unsent
        if outcome.problem is not None:
            outcome = replace(outcome, problem=error_for_site(outcome.problem))
        return render(
            self.request, template, status_of(outcome.problem), outcome.typed,
            key=secrets.token_urlsafe(12), desk=self, outcome=outcome, typed=outcome.typed,
            recorded=self._recorded(), points=score_text, outlook=self._outlook(outcome.receipt),
            named=lambda message: named(message, values.get("event")), **values,
        )  # fmt: skip

    def event_page(
        self,
        template: str,
        tournament: str,
        outcome: FormOutcome | None = None,
        *,
        rated: bool = False,
        **values: Any,
    ) -> Response:
        """Returns a page about a tournament, which templates know as ``event``.

        ``rated``: its entries have the ratings of the list. ``frozen`` is known to templates as
        whether the account may record nothing more, ``namesakes`` as whose id stands beside a name.
        """
        event = self.ask(event_desk, tournament, rated=rated)
        frozen = event.closed and not self.is_officer
        return self.page(
            template, outcome, event=event, frozen=frozen, namesakes=event.namesakes, **values
        )

    def carried_out(
        self, typed: TypedForm, record: Callable[[], Receipt], show: Show, to: str
    ) -> Response:
        """Records something and goes on to a page.

        The form is shown again, as it was filled in, where it is refused; and where something is to
        be told of what was recorded.
        """
        try:
            receipt = record()
        except LedgerError as error:
            return show(FormOutcome(typed, problem=error))
        if receipt.notes:
            return show(FormOutcome(receipt=receipt, to=to))
        recorded = f"{receipt.first_seq}-{receipt.last_seq}{'-again' if receipt.repeated else ''}"
        path, _, anchor = to.partition("#")
        more = f"{'&' if '?' in path else '?'}recorded={recorded}"
        return RedirectResponse(f"{path}{more}{'#' if anchor else ''}{anchor}", 303)

    def _recorded(self) -> tuple[int, int, bool] | None:
        """Returns the seqs that the address says were recorded, and whether it was before."""
        words = self.request.query_params.get("recorded", "").split("-")
        first, last = (integer_in(word, least=1, most=10**15) for word in (*words, "", "")[:2])
        return None if first is None or last is None else (first, last, words[2:] == ["again"])

    def _outlook(self, receipt: Receipt | None) -> CommitOutlook | None:
        """Returns what is said of the commit that the account has just recorded.

        An address may name any seqs: of those that are none, or somebody else's, nothing is said.
        """
        recorded = self._recorded()
        seq = recorded[1] if receipt is None and recorded is not None else None
        number = None if receipt is None else receipt.commit_id
        try:
            if seq is not None:
                commit = self.ask(commit_of, Seq(seq))
                number = commit.commit_id if commit.actor == self.account.name else None
            return None if number is None else self.ask(outlook_of, number)
        except NotFound:
            return None


def _desk(request: Request) -> ArbitersDesk:
    return ArbitersDesk(request, required_account(request))


def _desk_at(request: Request, tournament: str) -> ArbitersDesk:
    desk = _desk(request)
    own = desk.tournaments()
    if own is not None and tournament not in own:
        raise Forbidden
    return replace(desk, tournament=tournament)


Desk = Annotated[ArbitersDesk, Depends(_desk)]
"""The desk of whoever asks."""
DeskAt = Annotated[ArbitersDesk, Depends(_desk_at)]
"""The desk of whoever asks, at the tournament of the address; raises ``Forbidden``."""
