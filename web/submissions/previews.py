"""What a submission would record and whom it would move, as it was seen at a seq of the ledger.

A preview is a dry run: the same function that records it when it is accepted. It
is made once for each state of the ledger and kept, so that a page can say what has changed since
somebody looked. Its digest covers everything it says, but the digests of names, which are salted
anew each time.

Why a step of a submission is not taken though nothing is wrong with it: what came between.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from ledger.errors import Conflict, InputRefused, LedgerError, NotFound, Problem
from ledger.events.players import PlayerRegistered
from ledger.events.tournaments import (
    ForfeitRecorded,
    PlayerEntered,
    ResultRecorded,
    TournamentCorrected,
    TournamentOpened,
)
from ledger.identifiers import Seq
from ledger.intake.table_columns import seen_table
from ledger.journal.batch import of_type, pages_of
from ledger.journal.signatures import lines_of
from ledger.pictures.cascade import cascade_picture
from ledger.privacy import NOBODY, OWNER, read_by
from ledger.reports.cascade import cascade
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.people_meant import PeopleMeant
from ledger.service.receipts import notes_of_kinds, receipt_data
from ledger.wording import LANGUAGES, Message
from web.language import for_site, problem_for_site
from web.office.jobs import Job
from web.office.submissions import KeptPreview, Submission, SubmissionState
from web.submissions.contents import AnyContent, DocumentContent, Names, read_content
from web.submissions.names import words_of


class SubmissionMoved(Exception):
    """Somebody took a step before; ``submission`` is as it stands now."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(submission.id)
        self.submission = submission


class PreviewMoved(Exception):
    """Accepting would come to something else than what was seen; nothing was recorded."""

    def __init__(self, before: SubmissionPreview | None, now: SubmissionPreview) -> None:
        super().__init__()
        self.before = before
        self.now = now


class PreviewAwaited(Exception):
    """A preview takes long: ``job`` is making it, or was to and was given up."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.id)
        self.job = job


SHOWN: Final = 300
"""So many shifts, or problems, are kept of a preview; the rest is counted."""
_NAMED: Final = 20  # tournaments
_TEXT_COLUMN: Final = 5  # of a record about a tournament
_DAYS: Final = ("starts_on", "ends_on")
_NEEDED: Final[Mapping[str, str]] = {
    "name": "name",
    "start": "starts_on",
    "end": "ends_on",
    "system": "system",
    "rate_of_play": "rate_of_play",
}
"""The fields of what a tournament cannot be opened without, by the name of its column."""
_PUT_RIGHT: Final[Mapping[str, Sequence[str]]] = {
    "csv.tournament_missing": ("tournament", *_NEEDED.values()),  # as if it were a new one
    "import.needs_tournament": ("name",),
    "list.closed": ("on",),
    "import.unknown_kind": ("document_kind",),
    "import.unknown_table": ("document_kind",),
    "import.unread_time_control": ("rate_of_play",),
    "pairing.in_future": _DAYS,
    "pairing.outside_dates": _DAYS,
    "tournament.ends_before_start": _DAYS,
    "trf.ambiguous_date": _DAYS,
    "trf.ends_before_start": _DAYS,
    "trf.no_date": _DAYS,
    "trf.no_short_date": _DAYS,
}
"""In which fields of a form a problem is put right, by its key."""


@dataclass(frozen=True, slots=True)
class SubmissionPreview:
    """What was seen of a submission at a seq.

    ``data`` is what the page shows, as JSON: ``counts`` of events, ``tournaments``, ``players``,
    ``notes`` (sentences, or problems with their places), ``doubtful`` people, ``refusal``
    and the fields that it is ``lacking``,
    ``twice`` in it and who is ``clear``, its ``table``, ``impact``, ``moved`` (ratings) and
    ``movers`` (players), the ``picture``. Sentences and pictures are in every language.
    """

    version: int
    seq: Seq
    digest: str
    data: Mapping[str, Any]

    @classmethod
    def of(cls, kept: KeptPreview) -> SubmissionPreview:
        """Returns a preview that was kept."""
        return cls(kept.version, kept.seq, kept.digest, json.loads(kept.data))

    @property
    def kept(self) -> KeptPreview:
        """What is to be kept of it."""
        return KeptPreview(self.version, self.seq, self.digest, json.dumps(self.data))

    def noted(self, notes: Sequence[Message], undecided: Sequence[str]) -> SubmissionPreview:
        """Returns the preview with more notes, which are no part of what is recorded.

        ``undecided`` are the ids of the submissions of which they tell.
        """
        by_language = {
            language: [*notes_, *(note.within(language) for note in notes)]
            for language, notes_ in self.data["notes"].items()
        }
        return replace(self, data={**self.data, "notes": by_language, "undecided": undecided})

    @property
    def can_be_recorded(self) -> bool:
        """Whether it can be recorded as it is."""
        return self.data["refusal"] is None and not (self.doubtful or self.twice)

    @property
    def doubtful(self) -> Sequence[Mapping[str, Any]]:
        """The people in a file of whom it is to be decided who they are."""
        found: Sequence[Mapping[str, Any]] = self.data.get("doubtful", ())
        return found

    @property
    def twice(self) -> Sequence[Mapping[str, Any]]:
        """The people in a table who seem to stand in two lines."""
        found: Sequence[Mapping[str, Any]] = self.data.get("twice", ())
        return found

    @property
    def table(self) -> Mapping[str, Any] | None:
        """The columns of a table, as they are read; None of anything else."""
        found: Mapping[str, Any] | None = self.data.get("table")
        return found

    @property
    def records_nothing(self) -> bool:
        """Whether all it says is recorded already."""
        return self.can_be_recorded and not self.data["counts"]

    @property
    def reaches_published(self) -> bool:
        """Whether ratings of published periods move."""
        return bool(self.data["published"])


def dry_run(
    ledger: Ledger, submission: Submission, data: bytes, at_seq: Seq | None = None
) -> Receipt:
    """Returns what accepting a submission would record, and whom that would move.

    Raises:
        InputRefused, Conflict, NotFound: it cannot be recorded, and why; or the head is another
            one than the one that was asked for.
    """
    content = read_content(submission.content)
    request_ = Request(
        actor=submission.account,
        reason=content.reason,
        idempotency_key=f"preview:{uuid.uuid4()}",
        body="",
        dry_run=True,
        at_seq=at_seq,
    )
    return content.carried_out(ledger, data, request_)


def preview_data(
    ledger: Ledger, submission: Submission, data: bytes, language: str
) -> dict[str, Any]:
    """Returns a preview as the command line's ``--dry-run --format json`` says it.

    Raises:
        NotFound: its file was thrown away.
        Conflict: it takes long, and the site would stand while it is made.
    """
    if submission.sha256 is not None and not data:
        raise NotFound("submission.no_file_kept")
    content = read_content(submission.content)
    if content.is_large:
        raise Conflict("submission.not_at_once")
    return receipt_data(dry_run(ledger, submission, data), language)


def made_preview(ledger: Ledger, submission: Submission, data: bytes) -> SubmissionPreview:
    """Make a preview at the ledger's head; a refusal is one, too.

    Others than who asks for it read it later, and it is compared: its sentences say what everybody
    may read, its fields are kept whole and masked when they are shown.
    """
    with read_by(NOBODY):
        return _made_preview(ledger, submission, data)


def _made_preview(ledger: Ledger, submission: Submission, data: bytes) -> SubmissionPreview:
    seq = ledger.journal.head().seq
    try:
        receipt = dry_run(ledger, submission, data, seq)
    except (InputRefused, Conflict, NotFound) as error:
        if error.message.key == "database.moved_on":
            return _made_preview(ledger, submission, data)
        content_ = _refused(error)
        digest = _digest(["refused", str(error)])
    else:
        content_ = _accepted(receipt, read_content(submission.content))
        digest = _receipt_digest(receipt)
    content_["table"] = _table(read_content(submission.content), data)
    return SubmissionPreview(submission.version, seq, digest, content_)


def _table(content: AnyContent, data: bytes) -> dict[str, Any] | None:
    """Returns the columns of a table that is handed in, as they are read.

    None where what is said of the file cannot be read: the preview is refused then, and says why.
    """
    try:
        table = seen_table(content.document(data)) if isinstance(content, DocumentContent) else None
    except InputRefused:
        return None
    return None if table is None else table.data()


def _refused(error: LedgerError) -> dict[str, Any]:
    refusal = {
        language: {
            "message": for_site(error.message).within(language),
            "details": [problem_for_site(each).data(language) for each in error.details[:SHOWN]],
        }
        for language in LANGUAGES
    }
    problems = len(error.details)
    return {
        "refusal": refusal,
        "problems": problems,
        "lacking": [*dict.fromkeys(chain.from_iterable(map(_lacking, _problems(error))))],
        "counts": {},
        "published": 0,
        "moved": 0,
        "movers": 0,
        "impact": [],
    }


def _problems(error: LedgerError) -> Sequence[Problem]:
    return error.details or [Problem(error.message)]


def _lacking(problem: Problem) -> Sequence[str]:
    """Returns the fields of a form in which a problem of a file can be put right."""
    message = problem.message
    values = dict(message.values)
    match message.key:
        case "import.incomplete":
            missing = {each.key.removeprefix("column.") for each in _messages(values["missing"])}
            return [field for column, field in _NEEDED.items() if column in missing]
        case "trf.no_date" if problem.column > _TEXT_COLUMN:
            return ()  # of a birth
        case "registrar.bad_value" if values["code"] not in DocumentContent.model_fields:
            return ()
        case "registrar.bad_value":
            return (str(values["code"]),)
    return _PUT_RIGHT.get(message.key, ())


def _messages(value: object) -> Sequence[Message]:
    return [each for each in value if isinstance(each, Message)] if isinstance(value, tuple) else []


def _accepted(receipt: Receipt, content: AnyContent) -> dict[str, Any]:
    shifts = receipt.shifts if receipt.shifts is not None else ()
    impact = []
    published = 0
    for place, shift in enumerate(shifts):
        published += shift.published
        if place < SHOWN:
            impact.append(shift.data())
    drawn = None
    if receipt.shifts:
        moved = cascade(receipt.shifts)
        drawn = {language: cascade_picture(moved, language) for language in LANGUAGES}
    counts, people = dict(receipt.counts), receipt.people
    questions = people.questions if people else set()
    with read_by(OWNER):
        doubtful = [each.data() for each in people.doubtful] if people else []
        twice = [each.data() for each in people.twice] if people else []
    notes = notes_of_kinds(each for each in receipt.notes if each.message not in questions)
    return {
        "refusal": None,
        "kind": content.kind,
        "counts": counts,
        "tournaments": _tournaments(receipt),
        "players": {
            "new": counts.get(PlayerRegistered.TYPE, 0),
            "entered": counts.get(PlayerEntered.TYPE, 0),
        },
        "notes": {
            language: [problem_for_site(note).data(language) for note in notes]
            for language in LANGUAGES
        },
        "doubtful": doubtful,
        "twice": twice,
        "clear": _clear(people) if people else None,
        "moved": len(shifts),
        "movers": receipt.shifts.players if receipt.shifts is not None else 0,
        "published": published,
        "impact": impact,
        "picture": drawn,
    }


def _clear(people: PeopleMeant) -> dict[str, Any]:
    """Returns the first of those of whom nothing is to be decided, and how many they are."""
    return {
        "members": [each.data() for each in people.members[:SHOWN]],
        "new": [each.data() for each in people.new[:SHOWN]],
        "counts": [len(people.members), len(people.new)],
    }


def _tournaments(receipt: Receipt) -> list[dict[str, str]]:
    """Returns the tournaments that are opened or corrected, the first ones of many."""
    found: list[dict[str, str]] = []
    for type_ in (TournamentOpened, TournamentCorrected):
        for _, event in of_type(receipt.events, type_):
            if len(found) < _NAMED:
                ends_on = event.ends_on.isoformat()
                found.append({"id": event.tournament, "name": event.name, "ends_on": ends_on})
    return found


def _receipt_digest(receipt: Receipt) -> str:
    notes = [note.within(LANGUAGES[0]) for note in receipt.notes]
    digest = hashlib.sha256(json.dumps(notes).encode(errors="surrogatepass"))
    for page in pages_of(receipt.events):
        for line in lines_of(page):
            digest.update(line)
    for shift in receipt.shifts if receipt.shifts is not None else ():
        digest.update(json.dumps(shift.data(), sort_keys=True).encode(errors="surrogatepass"))
    return digest.hexdigest()


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ShiftChange:
    """A rating that a preview moves otherwise than the one before; None: it did, or does, not."""

    list: str
    period: str
    id: str
    name: str
    before: str | None
    now: str | None


def changes(before: SubmissionPreview, now: SubmissionPreview) -> list[ShiftChange]:
    """Returns what a later preview says otherwise of whom is moved, of the shifts that are kept."""
    was, is_ = _by_player(before.data["impact"]), _by_player(now.data["impact"])
    found = []
    for key in sorted(was.keys() | is_.keys()):
        if _shift(was.get(key)) != _shift(is_.get(key)):
            name = (is_.get(key) or was[key])["name"]
            found.append(ShiftChange(*key, name, _shift(was.get(key)), _shift(is_.get(key))))
    return found


def _by_player(
    impact: Iterable[Mapping[str, Any]],
) -> dict[tuple[str, str, str], Mapping[str, Any]]:
    return {(row["list"], row["period"], row["id"]): row for row in impact}


def _shift(row: Mapping[str, Any] | None) -> str | None:
    return None if row is None else f"{row['before'] or '–'} → {row['after'] or '–'}"


def title_of(content: AnyContent, seen: SubmissionPreview | None, names: Names) -> Message:
    """Says what is asked for; of a file that was looked at, to what it comes."""
    if not isinstance(content, DocumentContent) or seen is None or not seen.data.get("counts"):
        return content.in_words(names)
    counts, tournaments = seen.data["counts"], seen.data["tournaments"]
    games = sum(counts.get(type_, 0) for type_ in (ResultRecorded.TYPE, ForfeitRecorded.TYPE))
    players, entries = counts.get(PlayerRegistered.TYPE, 0), counts.get(PlayerEntered.TYPE, 0)
    if len(tournaments) == 1 and games:
        return Message.of("submission.bring_tournament", name=tournaments[0]["name"], games=games)
    if players and not tournaments:
        return Message.of("submission.bring_players", players=players, file=content.file)
    if entries and not games:
        return Message.of("submission.bring_entries", entries=entries, file=content.file)
    return content.in_words(names)


def summary(now: SubmissionPreview, state: SubmissionState) -> Message:
    """Says in a sentence to what a preview comes, or came, by the state of its submission."""
    words = words_of(state)
    if not now.can_be_recorded:
        return Message.of(words.cannot)
    if now.records_nothing:
        return Message.of("submission.nothing_new")
    events = sum(now.data["counts"].values())
    if not now.data["moved"]:
        return Message.of(words.moves_nobody, events=events)
    moved = {"players": now.data["movers"], "shifts": now.data["moved"]}
    return Message.of(words.moves, events=events, **moved)
