"""Publications of rating lists: what went out, which period is next, and in which edition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from ledger.answers.lists import digest_failure, is_nameless, regenerated
from ledger.answers.open_events import open_events
from ledger.answers.period_states import period_states
from ledger.answers.publication_bounds import require_acknowledged
from ledger.calendar import Period, period_at
from ledger.errors import Conflict, InputRefused, Problem, VerificationFailed
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.lists.committed_rows import rows_root
from ledger.lists.publications import calculated, publications
from ledger.lists.rating_list import Move, RatingList, difference, rating_list
from ledger.operations.commands import PublishList
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.trust.verification import verify
from ledger.views.list_editions import editions_of, require_period
from ledger.views.view import LedgerView
from ledger.wording import Message

Answer = TypeVar("Answer")
_ATTEMPTS = 5
_NAMED = 6  # periods in a sentence


@dataclass(frozen=True, slots=True)
class PublishedList:
    """The answer to a publication: the list, and the receipt (None: nothing had changed).

    ``unfinished`` says what events lack that it rates (see ``open_events``), ``moves`` what a dry
    run would change of the last edition.
    """

    list: RatingList
    receipt: Receipt | None
    unfinished: Sequence[Problem] = ()
    moves: Sequence[Move] = ()

    def after(self, events: int) -> PublishedList:
        """Returns the answer of a dry run where so many events would be recorded before."""
        if self.receipt is None:
            return self
        first = Seq(self.receipt.first_seq + events)
        last = Seq(self.receipt.last_seq + events)
        return replace(self, receipt=replace(self.receipt, first_seq=first, last_seq=last))


def publish(
    ledger: Ledger,
    name: str,
    period_name: str,
    request: Request,
    *,
    anyway: bool = False,
    acknowledged: Collection[str] = (),
) -> PublishedList:
    """Publishes a period: edition 1, or the next one when its rows are not those of the last.

    The next one also goes out when the last does not replay to what was published, though the
    events are as they were recorded: it was published wrongly. It remains, and the ledger's
    ``notice`` is told which it is. ``anyway``: also with events that are not over at the desk.
    ``acknowledged`` are the bounds that may be exceeded (see ``publication_bounds``).

    Raises:
        NotFound: no such list or period.
        InputRefused: the period has not ended, or it is published for the first time and an earlier
            one is not, or an event is not over, or a bound is exceeded; a dry run says the last two
            instead.
        VerificationFailed: the last edition does not replay, and the list's policy lets it stand,
            or the journal was changed.
    """
    earlier = unpublished_before(ledger, name, period_name)
    if earlier:
        raise InputRefused(
            "list.passed_over",
            list=name,
            period=period_name,
            count=len(earlier),
            periods=_enumerated(earlier),
        )
    if not request.dry_run and ledger.repeated(request) is None:
        require_acknowledged(ledger, name, period_name, acknowledged)
    return _publish_at_head(ledger, name, period_name, request, anyway=anyway)


def publish_with_earlier(
    ledger: Ledger,
    name: str,
    period_name: str,
    request: Request,
    *,
    anyway: bool = False,
    acknowledged: Collection[str] = (),
) -> Iterator[PublishedList]:
    """Publishes a period, and first those before it that are not published, in their order.

    Each is a commit of its own, and yielded when it is made; the request's key is that of the last.
    Raises as ``publish`` does; bounds are those of the period itself, not of the earlier ones. What
    is wrong with the period itself is found before anything is published; what is found later, or
    others who are faster, leave those before it published.
    """
    if not request.dry_run and ledger.repeated(request) is None:
        require_acknowledged(ledger, name, period_name, acknowledged)
    without_key = replace(request, idempotency_key="")
    periods = [(earlier, without_key) for earlier in unpublished_before(ledger, name, period_name)]
    if periods and not anyway and not request.dry_run:
        for each, _ in (*periods, (period_name, request)):
            _require_finished(ledger, ledger.facts(), name, each)
    unrecorded = 0
    for each, request_ in (*periods, (period_name, request)):
        published = _publish_at_head(ledger, name, each, request_, anyway=anyway)
        yield published.after(unrecorded)
        if request.dry_run and published.receipt is not None:
            unrecorded += len(published.receipt.events)


def publish_restated(
    ledger: Ledger, name: str, request: Request, *, anyway: bool = False
) -> Sequence[PublishedList]:
    """Publishes the next edition of each period that is another list by now, in their order.

    They are one commit, all or none; where nothing is another list nothing is recorded. Raises as
    ``publish`` does.
    """
    return _at_head(partial(_publish_restated, ledger, name, request, anyway=anyway))


def restated_periods(view: LedgerView, name: str) -> list[str]:
    """Returns the periods of which the list as known now is another one than the last edition."""
    return [each.period.name for each in period_states(view, name) if each.state == "restated"]


def unpublished_before(view: LedgerView, name: str, period_name: str) -> list[str]:
    """Returns the periods without a list before one that is published for the first time.

    Raises:
        NotFound: no such list or period.
        InputRefused: the period has not ended.
    """
    facts = view.facts()
    period = require_period(facts, name, period_name)
    today = view.today
    if not period.is_over(today):
        values = {"period": period_name, "closes_on": period.closes_on, "today": today}
        raise InputRefused("list.not_ended", list=name, **values)
    published = {publication.period for publication in publications(facts, name)}
    if period_name in published:
        return []
    segments = AsOf(facts, facts.seq).list(name).segments
    before = (period_at(segments, index).name for index in range(period.index))
    return [each for each in before if each not in published]


def _enumerated(periods: Sequence[str]) -> str:
    """Returns the names of some periods; of many the first and the last."""
    if len(periods) <= _NAMED:
        return ", ".join(periods)
    return f"{periods[0]}, {periods[1]} … {periods[-1]}"


def _require_finished(view: LedgerView, facts: Facts, name: str, period_name: str) -> None:
    """Raises ``InputRefused`` where the period rates events that are not over at the desk."""
    found = open_events(view, facts, name, require_period(facts, name, period_name))
    if found:
        raise InputRefused("list.unfinished", *found, list=name, period=period_name)


def _publish_at_head(
    ledger: Ledger, name: str, period_name: str, request: Request, *, anyway: bool
) -> PublishedList:
    return _at_head(partial(_publish, ledger, name, period_name, request, anyway=anyway))


def _at_head(publishing: Callable[[], Answer]) -> Answer:
    """Publishes what is calculated at the head; again, where others were faster."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return publishing()
        except Conflict as conflict:
            if conflict.message.key != "list.overtaken":
                raise
    return publishing()


@dataclass(frozen=True, slots=True)
class _Edition:
    """The next edition of a period, and what records it; None where the last one is the same."""

    list: RatingList
    command: PublishList | None = None
    unfinished: Sequence[Problem] = ()
    moves: Sequence[Move] = ()
    failure: VerificationFailed | None = None

    def published(self, ledger: Ledger, receipt: Receipt) -> PublishedList:
        """Returns the answer; says which edition takes the place of one that does not replay."""
        if self.failure is not None:
            values = dict(self.failure.message.values) | {"next": self.list.edition}
            ledger.notice(Message.of("list.does_not_replay", **values))
        noted = receipt.noted(self.unfinished)
        return PublishedList(self.list, noted, self.unfinished, self.moves)


def _publish(
    ledger: Ledger, name: str, period_name: str, request: Request, *, anyway: bool
) -> PublishedList:
    facts = ledger.facts()
    edition = _edition(ledger, facts, name, period_name, request, anyway=anyway)
    if edition.command is None:
        return PublishedList(edition.list, None)
    key = f"publish:{name}:{period_name}:{edition.command.edition}:{facts.seq}"
    keyed = replace(request, idempotency_key=request.idempotency_key or key)
    return edition.published(ledger, ledger.execute([edition.command], keyed))


def _publish_restated(
    ledger: Ledger, name: str, request: Request, *, anyway: bool
) -> Sequence[PublishedList]:
    facts = ledger.facts()
    found = (
        _edition(ledger, facts, name, period, request, anyway=anyway)
        for period in restated_periods(ledger, name)
    )
    editions = [(each, each.command) for each in found if each.command is not None]
    if not editions:
        return ()
    key = f"publish:{name}:restated:{facts.seq}"
    keyed = replace(request, idempotency_key=request.idempotency_key or key)
    receipt = ledger.execute([command for _, command in editions], keyed)
    return [edition.published(ledger, receipt) for edition, _ in editions]


def _edition(
    ledger: Ledger, facts: Facts, name: str, period_name: str, request: Request, *, anyway: bool
) -> _Edition:
    """Returns the next edition of a period; raises as ``publish`` does."""
    period = require_period(facts, name, period_name)
    stands = facts.lists[name].defined.policy == "next-list"
    editions = editions_of(facts, name, period_name)
    published, last, failure = _last_and_next(ledger, facts, period, editions, name)
    if failure is not None and (stands or not _intact(ledger)):
        raise failure
    if (
        failure is None
        and last is not None
        and (stands or last.rows.published == published.rows.published)
    ):
        return _Edition(last)
    open_ = open_events(ledger, facts, name, period)
    if open_ and not anyway and not request.dry_run and ledger.repeated(request) is None:
        raise InputRefused("list.unfinished", *open_, list=name, period=period_name)
    command = PublishList(
        list=name,
        period=period_name,
        edition=len(editions) + 1,
        basis_seq=facts.seq,
        regulation=published.basis.regulation,
        regulation_digest=published.basis.regulation_digest,
        row_count=len(published.rows),
        output_sha256=published.output_sha256(),
        ratings_sha256=published.ratings_sha256(),
        rows_root=rows_root(published.rows.published, ledger.people(facts)),
    )
    moves = difference(last, published) if last is not None and request.dry_run else ()
    return _Edition(published, command, open_, moves, failure)


def _intact(view: LedgerView) -> bool:
    """Whether all is as it was recorded; lists may not replay, and names may be missing."""
    known = {"verify.list_digest", "verify.personal_gone"}
    return all(finding.message.key in known for finding in verify(view).findings)


def _last_and_next(
    view: LedgerView, facts: Facts, period: Period, editions: Sequence[ListPublished], name: str
) -> tuple[RatingList, RatingList | None, VerificationFailed | None]:
    """Returns a period's next edition; the last one, and why that is not what was published.

    Where names are missing, bytes cannot be the same: the ratings tell.
    """
    outcome = calculated(facts, name, facts.seq, period)
    rating_list_ = rating_list(
        outcome, view.people(facts), seq=facts.seq, edition=len(editions) + 1
    )
    if not editions:
        return rating_list_, None, None
    last = regenerated(view, facts, name, editions[-1], now=outcome, verified=False)
    if is_nameless(last, editions[-1]):
        return rating_list_, last, None
    return rating_list_, last, digest_failure(last, editions[-1])
