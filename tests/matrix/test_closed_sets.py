"""Every field of every operation × every foreign value × every face: refused, nothing recorded.

A face reads what is given to it, and the ledger decides it in a dry run: that is asked of every
value. One value of each operation goes all the way through each face besides. A new operation or
field joins by its declaration; it needs a word of ``WORDS`` that the ledger below accepts.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import MISSING, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args, get_type_hints

import pytest
from pydantic import BaseModel, ValidationError

from ledger.errors import InputRefused, LedgerError
from ledger.events.model import wrong_fields
from ledger.operations import commands as c
from ledger.operations.commands import OPERATIONS
from ledger.operations.kinds import FieldKind, Given
from ledger.operations.operation import Input, Operation, closed_set, kinds_of, narrow_kind
from ledger.operations.programs import COMMANDS, ProgramCommand
from ledger.results import Bye, Result
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger, Request
from ledger.service.operations import carry_out
from ledger.terms import PairingMethod, Rate, System
from ledger.wording import visible
from tests.cli.running import run
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    do,
    import_text,
    with_july_published,
)
from tests.web.submitting import Staffed, staffed
from tests.web.support import text_of
from web.forms import HANDED_IN
from web.office import submissions as kept
from web.office.submissions import Submission, SubmissionState
from web.problems import status_of
from web.submissions.contents import (
    AnyContent,
    OperationContent,
    UnreadableContent,
    read_content,
)
from web.submissions.forms import operation_of

DAY: Final = dt.date(2026, 1, 2)
GAME: Final = {"tournament": "T2", "round": "1", "white": "A", "black": "B"}
WORDS: Final = {
    "tournament": "open", "player": "A", "round": "1", "from_round": "2", "white": "A",
    "black": "B", "result": "1-0", "kind": "half", "list": "ENF", "regulation": "enf-2010",
    "calendar": "monthly", "first_on": "2026-02-01", "on": "2026-02-01", "below": "1500",
    "pivot": "1500", "numerator": "1", "denominator": "2", "period": "2010-08", "required": "on",
    "name": "Xul", "federation": "CHI", "ids": "fide=1234567", "other": "B", "into": "B", "k": "20",
    "rating": "1500", "points": "5", "title": "FM", "commit": "3", "starts_on": "2026-02-01",
    "ends_on": "2026-02-02", "rate_of_play": "rapid", "ruling": "reject", "flags": "one",
    "rounds": "5", "prizes": "U14: 10", "team": "X", "participants": "A\nB",
}  # fmt: skip
"""What is typed into a needed field, so that the ledger below accepts it."""
OWN: Final[Mapping[str, Mapping[str, str]]] = {
    "accept-tournament": {"tournament": "T2"},
    "adopt-regulation": {"regulation": "elo-linear"},
    "affiliate-player": {"club": "Club"},
    "announce-rounds": {"rounds": "6"},
    "announce-tournament": {"tournament": "new"},
    "annul-bye": GAME | {"tournament": "begun", "white": "C"},
    "annul-result": GAME,
    "cancel-tournament": {"tournament": "later"},
    "change-rounds": {"rounds": "6"},
    "close-tournament": {"tournament": "T3"},
    "correct-colours": GAME,
    "correct-result": GAME | {"result": "0-1"},
    "define-list": {"list": "NEW"},
    "describe-player": {"sex": "F"},
    "enter-player": {"player": "N"},
    "enter-team": {"tournament": "teams", "team": "Z", "participants": "N"},
    "excuse-absence": {"tournament": "begun"},
    "flag-tournament": {"flags": "one"},
    "hand-in-lineup": {"tournament": "teams"},
    "merge-players": {"player": "O", "into": "P"},
    "record-forfeit": {"result": "+/-"},
    "register-player": {"player": "NEW"},
    "reopen-tournament": {"tournament": "T1"},
    "return-player": {"player": "D"},
    "set-two-persons": {"required": "off"},
    "split-player": {"player": "M"},
    "withdraw-round": {"tournament": "paired"},
}
"""Likewise where an operation needs other words."""
LONG: Final = "x" * 5_000
DATES: Final = ("2026-02-30", "9999-99-99", "0001-01-01", "9999-12-31", "yesterday", "hoy", LONG)
NUMBERS: Final = ("-1000000", "9" * 30, "1.5", "٣", "NaN", "1e3", LONG)
IDS: Final = ("nobody", "a@b", "a:b", "a/b", "a%b", "a\x07b", "Т2", LONG)
SIGNS: Final = ("a\x07b", "\u202eb", LONG)
RESULTS: Final = ("2-0", "1-1", "0", "won", "1-0z", "1-О", LONG)
LOOKALIKES: Final = str.maketrans("aeopcyxBHKMT", "аеорсухВНКМТ")
JSON_VALUES: Final[Sequence[Any]] = (None, [], [None], {"a": [1]}, True, 1.5, 10**30, "", LONG)
"""What is no value of most fields in JSON."""
DECIDED_BEFORE: Final = {("number-participants", "varma")}
"""Fields that are refused for what the tournament is, whatever stands in them."""
NEW_IDS: Final = {("announce-tournament", "tournament")}
"""Fields that name what is not there yet: any printable id may be new."""


def make_ledger(ledger: Ledger) -> Ledger:
    """Adds what every operation needs to a ledger in which July is published."""
    import_text(ledger, GAMES_HEADER + about("T3", "2025-12-01", "A,B,1-0"))
    people = "".join(f"{id_},Mora,CHI,,,,,\n" for id_ in "MOP")
    import_text(ledger, PLAYERS_HEADER + people)
    days: dict[str, Any] = {
        "starts_on": dt.date(2026, 1, 1), "ends_on": dt.date(2026, 1, 9),
        "rate_of_play": Rate.CLASSICAL, "rounds": 5,
    }  # fmt: skip
    for tournament in ("open", "begun", "paired"):
        rules = c.AnnounceRules(
            tournament=tournament, pairing=PairingMethod.DUTCH, tie_breaks=("BH",)
        )
        new = c.OpenTournament(tournament=tournament, name=tournament, system=System.SWISS, **days)
        entries = [c.EnterPlayer(tournament=tournament, player=player) for player in "ABCD"]
        do(ledger, new, *entries, rules)
    absent: dict[str, Any] = {"tournament": "begun", "round": 1}
    do(
        ledger,
        c.ExpelPlayer(tournament="open", player="D", from_round=1),
        c.RecordGame(white="A", black="B", result=Result.parse("-/+"), **absent),
        c.GiveBye(player="C", kind=Bye.HALF, **absent),
        c.OpenTournament(tournament="teams", name="teams", system=System.TEAM_SWISS, **days),
        c.AnnounceRules(
            tournament="teams", pairing=PairingMethod.TEAM_1975, team_boards=2,
            tie_breaks=("solkoff",),
        ),
        c.EnterTeam(tournament="teams", team="X", name="X", participants=("A", "B")),
        c.EnterTeam(tournament="teams", team="Y", name="Y", participants=("C", "D")),
        c.AnnounceTournament(
            tournament="later", name="Later", starts_on=DAY, ends_on=DAY, rate_of_play=Rate.RAPID
        ),
        c.CloseTournament(tournament="T1", on=DAY),
        c.MergePlayers(player="M", into="O", on=DAY),
        c.RuleOnTournament(tournament="T2", ruling="reject", on=DAY),
    )  # fmt: skip
    carry_out(ledger, c.PairRound(tournament="paired"), Request("t", "x", "pair", ""))
    return ledger


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    with staffed(make_ledger(with_july_published()), tmp_path_factory.mktemp("site")) as opened:
        yield opened


# What is typed, and what is foreign to it


def words_of(operation: Operation) -> dict[str, str]:
    """Return words with which the ledger accepts an operation: of its needed fields."""
    own = OWN.get(operation.name, {})
    needed = [name for name, kind in operation.kinds.items() if operation.is_needed(name, kind)]
    return {name: own.get(name, WORDS.get(name, "")) for name in needed} | {
        name: word for name, word in own.items() if name in operation.kinds
    }


def type_of(command: type[Any], name: str) -> Any:
    """Return the type of a field without None; that of a part of an identity is a text."""
    annotation = get_type_hints(command).get(name, str)
    types = [each for each in get_args(annotation) if each is not type(None)]
    return types[0] if type(None) in get_args(annotation) else annotation


def foreign_words(operation: Operation, name: str) -> tuple[str, ...]:
    """Return words that are foreign to a field, by its type and by what it names."""
    kind, type_ = operation.kinds[name], type_of(operation.command, name)
    if words := closed_set(type_) or (kind.offers if kind.is_choice else ()):
        valid = next(iter(words))
        tried = ("zzz", valid.swapcase(), valid.translate(LOOKALIKES), f"{valid}s", LONG)
        return tuple(word for word in tried if word not in words and not is_read(kind, word))
    if kind.is_flag:
        return ("zzz", "TRUE", LONG)
    if type_ is dt.date:
        return DATES
    if type_ is int:
        return NUMBERS
    if type_ is Result:
        return RESULTS
    if (operation.name, name) in NEW_IDS:
        return SIGNS
    if kind.names == "period":
        return tuple(word for word in IDS if ":" not in word)  # that divides it from its list
    return IDS if kind.names else SIGNS


def is_read(kind: FieldKind, word: str) -> bool:
    """Whether a kind takes a word for one of its own, as a bye's letter."""
    try:
        kind.read(word)
    except InputRefused:
        return False
    return True


def told(error: LedgerError) -> str:
    """Return all that a refusal says, in English."""
    return "\n".join([error.within("en"), *(each.within("en") for each in error.details)])


def check_told(said: str, operation: Operation, name: str, word: str) -> None:
    """Check that a refusal quotes a word, and names what is allowed where that is a closed set."""
    if (operation.name, name) not in DECIDED_BEFORE:
        assert visible(word)[:40].lower() in said.lower(), (operation.name, name, word[:40], said)
    for allowed in closed_set(type_of(operation.command, name)):
        assert allowed in said or operation.kinds[name].is_flag, (operation.name, name, said)


# The declarations


def test_no_closed_set_is_declared_as_free_text() -> None:
    for operation in OPERATIONS.values():
        for name, kind in kinds_of(operation.command).items():
            closed = closed_set(type_of(operation.command, name))
            if closed and isinstance(kind, FieldKind):
                assert kind.read is not str, (operation.name, name)


def test_a_kind_that_takes_any_text_fits_no_other_type() -> None:
    class Word(StrEnum):
        ONE = "one"

    closed: Sequence[Any] = (Literal["one"], Word)
    for type_ in closed:
        kind = narrow_kind(FieldKind(), type_ | None)
        assert isinstance(kind, FieldKind)
        assert (kind.offers, kind.is_choice, kind.read("one")) == (("one",), True, "one")
        with pytest.raises(InputRefused):
            kind.read("two")
    others: Sequence[Any] = (int, dt.date, Result, bool)
    for type_ in others:
        with pytest.raises(TypeError):
            narrow_kind(FieldKind(), type_)


# Words: forms, stored drafts


def form_content(ledger: Ledger, name: str, words: Mapping[str, str]) -> AnyContent:
    """Return what a form hands in."""
    return operation_of(ledger, {"what": name, "reason": "x", **words})


def kept_content(_ledger: Ledger, name: str, words: Mapping[str, str]) -> AnyContent:
    """Return what a stored draft says."""
    kept_words = {"kind": "correction", "what": name, "words": words, "reason": "x"}
    return read_content(json.dumps(kept_words))


def try_out(
    ledger: Ledger,
    reader: Callable[[Ledger, str, Mapping[str, str]], AnyContent],
    name: str,
    words: Mapping[str, str],
) -> None:
    """Read words and have the ledger decide them in a dry run."""
    content = reader(ledger, name, words)
    assert isinstance(content, OperationContent)
    decide(ledger, content.read(ledger.today))


_REFUSALS: Final = dict[str, LedgerError | None]()


def decide(ledger: Ledger, command: Input) -> None:
    """Have the ledger decide a command in a dry run; the same one of two faces once."""
    said = repr(command)
    if said not in _REFUSALS:
        try:
            carry_out(ledger, command, Request("eva", "x", "", "", dry_run=True))
            _REFUSALS[said] = None
        except LedgerError as error:
            _REFUSALS[said] = error
    refusal = _REFUSALS[said]
    if refusal is not None:
        raise refusal


@pytest.mark.parametrize("name", HANDED_IN)
def test_a_form_and_a_stored_draft_refuse_every_foreign_word(site: Staffed, name: str) -> None:
    operation, ledger, head = HANDED_IN[name], site.ledger, site.head
    usual = words_of(operation)
    try_out(ledger, form_content, name, usual)
    for field in operation.kinds:
        for word in foreign_words(operation, field):
            words = usual | {field: word}
            for reader in (form_content, kept_content):
                with pytest.raises(LedgerError) as refused:
                    try_out(ledger, reader, name, words)
                check_told(told(refused.value), operation, field, word)
    for field, kind in operation.kinds.items():
        if operation.is_needed(field, kind) and not kind.several:
            with pytest.raises(LedgerError) as refused:
                form_content(ledger, name, usual | {field: " "})
            assert kind.called.en in told(refused.value)
    assert site.head == head


def test_words_are_refused_by_every_form_page(site: Staffed) -> None:
    head = site.head
    for number, (name, field, word) in enumerate(one_of_each(HANDED_IN)):
        words = words_of(HANDED_IN[name]) | {field: word}
        sent = words | {"what": name, "reason": "x", "key": f"{number:016}"}
        answer = site.ana.post("/corrections/new", sent)
        said = text_of(answer.text)
        assert visible(word)[:40] in said or word in said, (name, field, said)
        if is_form_refused(site.ledger, name, words):
            assert answer.status_code == 422, (name, field, said)
            continue
        assert answer.status_code == 200, (name, field, said)  # a draft that cannot be handed in
        assert not site.ana.offers(answer, "hand-in"), (name, field)
        withdraw(site, "ana", id_of(answer))
    assert site.head == head


def is_form_refused(ledger: Ledger, name: str, words: Mapping[str, str]) -> bool:
    """Whether a form is refused as it is, before anything is looked for in the ledger."""
    try:
        form_content(ledger, name, words)
    except LedgerError:
        return True
    return False


def one_of_each(operations: Mapping[str, Operation]) -> Iterator[tuple[str, str, str]]:
    """Yield a foreign word for one field of each operation, a closed set where it has one."""
    for name, operation in operations.items():
        typed = [field for field, kind in operation.kinds.items() if not kind.is_flag]
        ordered = sorted(typed, key=lambda one: not closed_set(type_of(operation.command, one)))
        if ordered:
            yield name, ordered[0], foreign_words(operation, ordered[0])[0]


def id_of(page: Any) -> str:
    """Return the id of the submission that a page shows."""
    id_: str = page.url.path.rpartition("/")[2]
    return id_


# Stored drafts


def stored(site: Staffed, number: int, content: Mapping[str, Any] | str, state: str) -> str:
    """Keep a submission of eva as another version may have kept it; return its id."""
    id_ = f"stored-{number:09}"
    text = content if isinstance(content, str) else json.dumps(content)
    with site.office.writing() as connection:
        kept.add(
            connection,
            Submission(
                id=id_, kind="correction", state=SubmissionState(state), account="eva", turn=1,
                version=1, title="t", content=text, sha256=None, made_at=0, changed_at=number,
                decided_by=None, commit_id=None,
            ),
            None,
        )  # fmt: skip
    return id_


def withdraw(site: Staffed, account: str, id_: str) -> None:
    """Withdraw a draft as its page does."""
    headers = {"x-account": account, "sec-fetch-site": "same-origin"}
    path = f"/submissions/{id_}/withdraw"
    done = site.client.post(path, data={"turn": "1"}, headers=headers, follow_redirects=False)
    assert done.status_code == 303, text_of(done.text)
    with site.office.reading() as connection:
        submission = kept.find(connection, id_)
    assert submission is not None
    assert submission.state is SubmissionState.WITHDRAWN


UNREADABLE: Final[Mapping[str, Mapping[str, Any] | str]] = {
    "no JSON": "{",
    "no kind": {"reason": "x"},
    "another kind": {"kind": "petition", "reason": "x"},
    "another operation": {"kind": "correction", "what": "knight-player", "words": {}},
    "another field": {"kind": "correction", "what": "annul-result", "words": {"board": "3"}},
    "a field too many": {"kind": "correction", "what": "annul-result", "words": {}, "by": "eva"},
    "words that are none": {"kind": "correction", "what": "annul-result", "words": [1]},
    "a file of another kind": {"kind": "document", "file": "x.csv", "document_kind": "pgn"},
    "a file of another system": {"kind": "document", "file": "x.csv", "system": "scheveningen"},
}
"""What another version may have kept."""


def test_a_stored_draft_with_a_foreign_word_says_so_and_can_be_withdrawn(site: Staffed) -> None:
    head = site.head
    for number, (name, field, word) in enumerate(one_of_each(HANDED_IN)):
        words = words_of(HANDED_IN[name]) | {field: word}
        if not is_form_refused(site.ledger, name, words):
            continue  # the form keeps such a draft, too
        content = {"kind": "correction", "what": name, "words": words, "reason": "x"}
        id_ = stored(site, number, content, "draft")
        page = site.eva.get(f"/submissions/{id_}")
        said = text_of(page.text)
        assert page.status_code == 200, (name, field, said)
        assert visible(word)[:40] in said or word in said, (name, field, said)
        assert not site.eva.offers(page, "hand-in"), (name, field)
        late = site.eva.post(f"/submissions/{id_}/hand-in", {"turn": "1"})
        assert late.status_code == 422, (name, field, text_of(late.text))
        withdraw(site, "eva", id_)
    assert site.head == head


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_this_version_cannot_read_says_so_and_is_withdrawn(site: Staffed, what: str) -> None:
    content = UNREADABLE[what]
    text = content if isinstance(content, str) else json.dumps(content)
    assert isinstance(read_content(text), UnreadableContent)
    id_ = stored(site, 1_000 + [*UNREADABLE].index(what), content, "draft")
    page = site.eva.get(f"/submissions/{id_}")
    assert page.status_code == 200, text_of(page.text)
    assert "This version cannot read it" in page.text
    gone = site.eva.step(id_, "withdraw")
    assert (gone.status_code, "withdrawn" in gone.text) == (200, True)


@pytest.mark.parametrize(
    ("state", "account"), [("handed-in", "eva"), ("handed-in", "ana"), ("handed-back", "ana")]
)
def test_its_author_and_an_officer_withdraw_what_nobody_can_read(
    site: Staffed, state: str, account: str
) -> None:
    head, person = site.head, getattr(site, account)
    id_ = stored(
        site, 2_000 + sum(map(ord, state + account)), UNREADABLE["another operation"], state
    )
    for path in ("/submissions", "/submissions?begun=true", "/office"):
        assert site.ana.get(path).status_code == 200, path
    page = person.get(f"/submissions/{id_}")
    assert page.status_code == 200, text_of(page.text)
    assert not any(person.offers(page, step) for step in ("hand-in", "accept", "mend"))
    headers = {"x-account": account}
    assert site.client.get(f"/api/v1/submissions/{id_}", headers=headers).status_code == 200
    said = {"turn": "1", "digest": "0" * 64}
    statuses = {
        step: person.post(f"/submissions/{id_}/{step}", said).status_code
        for step in ("hand-in", "mend", "accept", "people", "columns")
    }
    assert all(400 <= status < 500 for status in statuses.values()), statuses
    gone = person.step(id_, "withdraw")
    assert (gone.status_code, "withdrawn" in gone.text) == (200, True)
    assert site.ana.step(id_, "blank").status_code == 200
    assert site.head == head


# JSON: the API


def body_of(command: ProgramCommand) -> dict[str, Any]:
    """Return a body with which the ledger accepts a command: its required fields."""
    operation = command.operation
    words, kinds = words_of(operation), kinds_of(operation.command)
    body: dict[str, Any] = {"reason": "x"}
    for field in fields(operation.command):
        name, kind = field.name, kinds.get(field.name)
        if name in operation.fixed or kind == Given("salt"):
            continue
        if name in words and isinstance(kind, FieldKind) and not kind.parts:
            body[name] = in_json(operation.kinds[name], words[name])
        elif field.default is MISSING and kind != Given("today"):
            body[name] = JSON_WORDS.get(name)
    return body


JSON_WORDS: Final[Mapping[str, Any]] = {
    "identity": {"name": "Xul"}, "ladder": "Club", "tournament": "open", "game": 1, "result": "1-0",
    "played_on": "2026-01-02", "name": "open", "starts_on": "2026-01-01", "ends_on": "2026-01-09",
    "system": "swiss", "rate_of_play": "classical", "pairing": "dutch", "results": {"1": "1-0"},
    "list": "ENF", "ruling": "definitive",
}  # fmt: skip
"""What a program says of needed fields that nobody types."""


def in_json(kind: FieldKind, words: str) -> Any:
    """Return typed words as a program says them."""
    if kind.several:
        return [in_json(kind.but(several=False), word) for word in words.splitlines()]
    value = kind.read(words)
    if isinstance(value, dt.date | Result):
        return str(value)
    return value


def foreign_values(
    command: ProgramCommand, model: type[BaseModel], usual: Mapping[str, Any], name: str
) -> list[Any]:
    """Return JSON that is foreign to a field of a command: of another type, or a foreign word."""
    kinds, type_ = command.operation.kinds, type_of(command.operation.command, name)
    values = [value for value in JSON_VALUES if not is_taken(model, {**usual, name: value})]
    if name in kinds and not kinds[name].is_flag:
        kind = kinds[name]
        words = foreign_words(command.operation, name)
        values += [[word] if kind.several else word for word in words]
    elif closed := closed_set(type_):
        values += [*{"zzz", next(iter(closed)).swapcase()} - closed.keys()]
    return values


def is_taken(model: type[BaseModel], body: Mapping[str, Any]) -> bool:
    """Whether JSON is of the types of a command's fields, so that the ledger decides about it."""
    try:
        model.model_validate_json(json.dumps(body))
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.operation.name)
def test_the_api_refuses_every_foreign_value(site: Staffed, command: ProgramCommand) -> None:
    operation, head = command.operation, site.head
    usual, model = body_of(command), command.body
    if operation.name in HANDED_IN:
        assert refusal_of(site.ledger, command, model, usual) is None
    for name in model.model_fields:
        for value in foreign_values(command, model, usual, name):
            refusal = refusal_of(site.ledger, command, model, usual | {name: value})
            assert refusal is not None, (operation.name, name, value)
            if refusal.status == 422 and not is_taken(model, usual | {name: value}):
                assert f"'{name}'" in refusal.said or not isinstance(value, str), refusal.said
            is_word = isinstance(value, str) and 0 < len(value) < len(LONG)
            if is_word and operation.name in HANDED_IN and name in operation.kinds:
                check_told(refusal.said, operation, name, value)
    assert site.head == head


class Refusal(NamedTuple):
    """How the API refuses something: by which status, in which words."""

    status: int
    said: str


def refusal_of(
    ledger: Ledger, command: ProgramCommand, model: type[BaseModel], body: Mapping[str, Any]
) -> Refusal | None:
    """Return how a body is refused, read and decided in a dry run; None where it is not."""
    try:
        made = command.made(model.model_validate_json(json.dumps(body)), ledger.today)
        decide(ledger, made)
    except ValidationError as error:
        wrong = wrong_fields(error.errors())
        return Refusal(422, "\n".join(each.within("en") for each in wrong))
    except LedgerError as error:
        return Refusal(status_of(error), told(error))
    return None


def test_a_program_is_told_what_is_foreign(site: Staffed) -> None:
    head, headers = site.head, {"x-account": "ana", "sec-fetch-site": "same-origin"}
    for command in COMMANDS:
        name, model, usual = command.operation.name, command.body, body_of(command)
        field = next(iter(sorted(model.model_fields, key=lambda one: not is_closed(command, one))))
        value = foreign_values(command, model, usual, field)[-2]  # the last one is long
        refusal = refusal_of(site.ledger, command, model, usual | {field: value})
        assert refusal is not None, (name, field, value)
        answer = site.client.post(
            f"/api/v1/commands/{name}", json=usual | {field: value},
            headers=headers | {"idempotency-key": name},
        )  # fmt: skip
        assert answer.status_code == refusal.status, (name, field, value, answer.text)
        assert field in answer.text or str(value) in answer.text, (name, answer.text)
    assert site.head == head


def is_closed(command: ProgramCommand, name: str) -> bool:
    """Whether a field of a command is a closed set."""
    return bool(closed_set(type_of(command.operation.command, name)))


# The command line


def test_the_command_line_refuses_what_is_foreign(tmp_path: Path) -> None:
    assert run("init", cwd=tmp_path).code == 0
    with closing(open_ledger(str(tmp_path / "rating-ledger.db"))) as journal:
        make_ledger(with_july_published(journal))
        head = journal.head()
        offered = {name: each for name, each in OPERATIONS.items() if each.typed}
        for name, field, word in one_of_each(offered):
            operation, words = offered[name], words_of(offered[name]) | {field: word}
            done = run(*typed_line(operation, words), cwd=tmp_path)
            assert done.code in (2, 4, 7), (name, field, word, done)
            assert visible(word) in done.err or word in done.err, (name, field, word, done.err)
            for allowed in closed_set(type_of(operation.command, field)):
                assert allowed in done.err, (name, field, done.err)
        assert journal.head() == head


def typed_line(operation: Operation, words: Mapping[str, str]) -> list[str]:
    """Return the words of a command line that says an operation."""
    face = operation.typed
    assert face is not None
    ordered = {name: operation.kinds[name] for name in face.order} | dict(operation.kinds)
    options: list[str] = ["--reason", "x"]
    arguments: list[str] = []
    for name, kind in ordered.items():
        for word in words.get(name, "").splitlines() if kind.several else [words.get(name, "")]:
            if word and kind.option:
                options += [kind.option, *([] if kind.is_flag else [word])]
            elif word:
                arguments.append(word)
    return [*face.words.split(), *options, "--", *arguments]
