"""What waits for who signed in, as the first page begins with it: each is one link from its answer.

An officer decides and publishes, an arbiter runs tournaments, an administrator keeps the site, and
a player says whether claims about own games are so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlencode

from fastapi import Request

from ledger.answers.agenda import DueWork, agenda_of, coming_lists
from ledger.answers.event_desk import reopenings
from ledger.answers.front_page import RunningTournament, running_tournaments
from ledger.answers.tournaments import names_of_tournaments
from ledger.facts.columns import Facts
from ledger.terms import Role
from ledger.views.view import LedgerView
from ledger.wording import Message, Wording
from ledger.wording.dates import period_in_words
from web.access import Account, account_of
from web.accounts.own_player import own_player
from web.office import jobs, webhooks
from web.office.credentials import who_can_sign_in
from web.office.jobs import JobState
from web.office.store import Office, office_if_any
from web.office.submissions import SubmissionState, awaiting_count, listed
from web.paths import path_of
from web.site import View
from web.submissions.claim_answers import claims_asked
from web.submissions.claim_intake import claim_desk

_MOST_COUNTED: Final = 100
_FEW: Final = 4  # tournaments, and things that are due
_SOON: Final = 7  # days before a list goes out
_DAY: Final = 86_400  # seconds
_LATELY: Final = 7 * _DAY


@dataclass(frozen=True, slots=True)
class WaitingWork:
    """What waits for somebody: what it is, and the page where it is done.

    ``mark`` is ``stop`` where a publication waits for it, else ``look``.
    """

    message: Message
    page: str
    mark: Literal["look", "stop"] = "look"


def own_agenda(request: Request, view: View) -> Sequence[WaitingWork]:
    """Returns what waits for who signed in; nothing for others."""
    account, office = account_of(request), office_if_any(request)
    if account is None or office is None:
        return ()
    found: list[WaitingWork] = []
    if Role.OFFICER in account.roles:
        found += _lists_due(view)
    if not account.roles.isdisjoint((Role.OFFICER, Role.ARBITER)):
        found += _decisions(request, account, office)
        found += _tournaments(view, account)
    found += _asked(request)
    if Role.OFFICER in account.roles:
        found += _coming(view)
    if Role.ADMINISTRATOR in account.roles:
        found += _site(view, office)
    return found


def _lists_due(view: View) -> Iterator[WaitingWork]:
    for each in view.recall(_due):
        if each.kind == "list":
            words = Message.of("home.waits_list", list=each.id, period=_period(each.name))
            yield WaitingWork(words, path_of("lists", each.id, each.name, "publish"), "stop")


def _due(view: LedgerView) -> Sequence[DueWork]:
    return agenda_of(view, view.today).due


def _decisions(request: Request, account: Account, office: Office) -> Iterator[WaitingWork]:
    """Yields what is to be decided, and what somebody has to go on with."""
    with office.reading() as connection:
        begun = frozenset({SubmissionState.HANDED_BACK, SubmissionState.DRAFT})
        own = len(listed(connection, account=account.name, states=begun, limit=_MOST_COUNTED))
        reports = awaiting_count(connection) if Role.OFFICER in account.roles else 0
    if reports:
        yield WaitingWork(Message.of("home.waits_reports", count=reports), "/submissions")
    if claims := len(claim_desk(request).waiting(account)):
        yield WaitingWork(Message.of("home.waits_claims", count=claims), "/claims")
    if own:
        begun_page = "/submissions?begun=true" if Role.OFFICER in account.roles else "/submissions"
        yield WaitingWork(Message.of("home.waits_own", count=own), begun_page)


def _asked(request: Request) -> Iterator[WaitingWork]:
    """Yields the claims about games of the player who asks that wait for their word."""
    if own_player(request) is not None and (
        unanswered := sum(each.answer is None for each in claims_asked(request))
    ):
        yield WaitingWork(Message.of("home.waits_asked", count=unanswered), "/account/claims")


def _tournaments(view: View, account: Account) -> Iterator[WaitingWork]:
    """Yields the tournaments of an arbiter that are played, and reports that are due.

    An officer, who may run all of them, is told of the reports only.
    """
    among = None if Role.OFFICER in account.roles else account.tournaments
    if Role.ARBITER in account.roles:
        reopened = view.ask(_reopened, among)
        for id_, name in reopened.items():
            yield WaitingWork(Message.of("home.waits_reopened", name=name), path_of("desk", id_))
        for each in view.ask(running_tournaments, among, _FEW):
            if each.open_boards or each.tournament not in reopened:
                yield _round(each)
    due = [each for each in view.recall(_due) if each.kind == "report"]
    own = [each for each in due if among is None or each.id in among]
    for report in own[:_FEW]:
        page = path_of("desk", report.id) if report.opened else "/calendar"
        yield WaitingWork(Message.of("officer.report_due", name=report.name), page)
    if len(own) > _FEW:
        yield WaitingWork(Message.of("home.waits_reports_due", count=len(own)), "/calendar")


def _reopened(view: LedgerView, among: Collection[str] | None) -> dict[str, str]:
    """Returns the names of the tournaments whose report was handed back, by id."""
    back = [each for each in reopenings(view) if among is None or each in among]
    return names_of_tournaments(view, back)


def _round(running: RunningTournament) -> WaitingWork:
    name, round_ = running.name, running.round
    if not running.open_boards:
        words = Message.of("home.waits_next_round", name=name, round=round_)
        return WaitingWork(words, path_of("desk", running.tournament))
    words = Message.of("home.waits_boards", name=name, round=round_, count=running.open_boards)
    return WaitingWork(words, path_of("desk", running.tournament, "rounds", str(round_)))


def _coming(view: View) -> Iterator[WaitingWork]:
    """Yields the checklists of the lists that go out within days."""
    for each in view.ask(lambda ledger: coming_lists(ledger, ledger.today)):
        if 0 < each.days <= _SOON:
            words = Message.of(
                "home.waits_checklist", list=each.list, period=_period(each.period), count=each.days
            )
            yield WaitingWork(words, f"/office/next?{urlencode({'list': each.list})}")


def _period(name: str) -> Wording:
    return Wording(*(period_in_words(name, language) for language in ("en", "es")))


def _site(view: View, office: Office) -> Iterator[WaitingWork]:
    """Yields what an administrator looks at: accounts, webhooks, jobs, and the verification."""
    now = office.now()
    with office.reading() as connection:
        able, hooks = who_can_sign_in(connection), webhooks.webhooks(connection)
    if locked := len(_with_roles(view.ask(LedgerView.facts)) - able):
        yield WaitingWork(Message.of("home.waits_accounts", count=locked), "/accounts")
    if failing := sum(1 for each in hooks if each.tries or each.disabled_at is not None):
        yield WaitingWork(Message.of("home.waits_webhooks", count=failing), "/webhooks")
    lately = [each for each in jobs.jobs(office) if (each.ended_at or 0) > now - _LATELY]
    if failed := sum(1 for each in lately if each.state is JobState.FAILED):
        yield WaitingWork(Message.of("home.waits_jobs", count=failed), "/jobs")
    last = jobs.last_done(office, "verification")
    if last is None:
        yield WaitingWork(Message.of("home.never_verified"), "/jobs")
    elif (last.ended_at or 0) < now - _LATELY:
        days = (now - (last.ended_at or 0)) // _DAY
        yield WaitingWork(Message.of("home.verified_ago", count=days), "/jobs")


def _with_roles(facts: Facts) -> frozenset[str]:
    return frozenset(name for name, each in facts.accounts.items() if each.grants)
