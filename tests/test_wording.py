"""Every sentence exists in every language, quotes the same values, and is asked for by the code."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from string import Formatter

import pytest

from ledger.desk.tie_breaks.registry import USUAL
from ledger.events.catalogue import CATALOGUE
from ledger.forms.page import saying
from ledger.forms.standings import choice_name, code_name
from ledger.rating.postings import Reason
from ledger.reports.birth_dates import BirthDifference
from ledger.reports.directory import SAME_BIRTH_DATE, SAME_NAME
from ledger.reports.statement import Ordered
from ledger.reports.why import Cause
from ledger.terms import Role
from ledger.wording import LANGUAGES, Message, Quantity, sentences, visible
from web.jobs.kinds import KINDS
from web.office.jobs import JobState

ROOT = Path(__file__).parent.parent
KEY = re.compile(r"""["']([a-z]+\.[a-z_]+)["']""")
FAMILIES = (
    "against", "alike", "away", "breach", "card", "cause", "change", "column", "correction",
    "counted", "deviation", "event", "field", "job", "move", "often", "order", "part", "pool",
    "progress", "rate", "reason", "role", "rule", "scope", "site", "stage", "state", "status",
    "step", "system", "tie",
)  # fmt: skip


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_all_languages_have_the_same_keys_and_placeholders() -> None:
    english = sentences("en")
    for language in LANGUAGES:
        other = sentences(language)
        assert other.keys() == english.keys()
        for key, sentence in english.items():
            assert placeholders(other[key]) == placeholders(sentence), key


def test_what_is_counted_is_one_or_many() -> None:
    for count, english, spanish in (
        (0, "0 lists published", "0 listas publicadas"),
        (1, "1 list published", "1 lista publicada"),
    ):
        made = Message.of("counted.list_published", count=count)
        assert english in made.within("en")
        assert spanish in made.within("es")


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [
        (1, "1 player", "1 jugador"), (1_559, "1,559 players", "1559 jugadores"),
        (10_000, "10,000 players", "10\u202f000 jugadores"),
        (1_400_000, "1,400,000 players", "1\u202f400\u202f000 jugadores"),
    ],
)  # fmt: skip
def test_of_a_quantity_the_thousands_stand_apart(number: int, english: str, spanish: str) -> None:
    for language, said in (("en", english), ("es", spanish)):
        made = Message.of("page.with_players", count=Quantity(number)).within(language)
        assert made == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_count_stands_with_what_is_counted_in_both_numbers(language: str) -> None:
    counts = "count|bytes|rows|commits|events|games|results|years|players|rounds|attempts"
    bare = re.compile(rf"\{{({counts})\}} \w+s\b|\(s\)")
    # Of these the number is never one, or it is not what the word after it counts.
    fine = {"player.several_fit", "cli.first_rows", "cli.last_rows"}
    found = {key for key, said in sentences(language).items() if bare.search(said)}
    assert found - fine == set()


# "valor" and "valores" are values; "computador" is a machine; "resultado computable" is a term of
# the ENF; keys of helps are English ("computed").
OTHER_WORD_FOR_RATED = re.compile(
    r"\b(?:valor(?!es\b)|ratea|comput(?!ador|able|ed\b))\w+", re.IGNORECASE
)


def test_in_spanish_one_verb_says_that_something_is_rated() -> None:
    declared = (
        file
        for package in ("ledger/operations", "ledger/questions", "docs/es")
        for file in (ROOT / package).rglob("*.*")
        if file.suffix in {".md", ".py"}
    )
    translated = (ROOT / "cli/help_es.toml", ROOT / "web/api/manual_es.toml")
    texts = {str(file): file.read_text(encoding="utf-8") for file in chain(declared, translated)}
    found = {
        (place, word)
        for place, text in (sentences("es") | texts).items()
        for word in OTHER_WORD_FOR_RATED.findall(text)
    }
    assert found == set(), "say evaluar"


def used(*packages: str) -> set[str]:
    sections = {key.split(".")[0] for key in sentences("en")}
    found = set()
    for package in packages or ("ledger", "cli", "web", "migrations"):
        files = (ROOT / package).rglob("*")
        for file in (each for each in files if each.suffix in {".py", ".html"}):
            for key in KEY.findall(file.read_text(encoding="utf-8")):
                if key.split(".")[0] in sections and not key.endswith((".html", ".py")):
                    found.add(key)
    return found


def test_no_sentence_is_missing_and_none_is_left_over() -> None:
    known = {key for key in sentences("en") if key.split(".")[0] not in FAMILIES}
    events = set(re.findall(r'TYPE = "([a-z.-]+)"', all_events()))
    assert used() - events - set(sentences("en")) == set()
    assert known - used() == set()


def test_what_both_faces_say_is_named_after_what_it_says() -> None:
    elsewhere = used("ledger", "web", "migrations")
    assert {key for key in elsewhere if key.startswith("cli.")} == set()


def all_events() -> str:
    files = (ROOT / "ledger" / "events").glob("*.py")
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_event_and_every_field_of_one_has_a_word_and_no_other() -> None:
    families = {
        "counted": {re.sub("[.-]", "_", model.TYPE) for model in CATALOGUE.models()},
        "event": {re.sub("[.-]", "_", model.TYPE) for model in CATALOGUE.models()},
        "field": {name for model in CATALOGUE.models() for name in model.model_fields},
    }
    for family, words in families.items():
        keys = (key.split(".") for key in sentences("en"))
        found = {rest for first, rest in keys if first == family}
        assert not found ^ words, f"missing in {family}.toml, or there for nothing"


def test_no_event_is_called_by_a_tournament_that_is_not_in_it() -> None:
    for model in CATALOGUE.models():
        name = Message.of(f"event.{re.sub('[.-]', '_', model.TYPE)}")
        for language, word in (("en", "tournament"), ("es", "torneo")):
            assert word not in name.within(language) or "tournament" in model.model_fields


def test_every_tie_break_to_be_chosen_has_a_name() -> None:
    for code in chain.from_iterable(USUAL.values()):
        for language in LANGUAGES:
            say = saying(language)
            assert choice_name(code, say)
            assert code_name(code, say)


@pytest.mark.parametrize("kind", Ordered)
def test_every_order_has_a_sentence(kind: Ordered) -> None:
    assert Message.of(f"order.{kind.value}", value="1", period="2010-07", tournament="T").within(
        "es"
    )


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason is not Reason.NONE])
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    assert Message.of(f"reason.{reason.code}").within("es")


@pytest.mark.parametrize("cause", list(Cause))
def test_every_cause_has_a_sentence(cause: Cause) -> None:
    assert Message.of(f"cause.{cause.value}").within("es")


@pytest.mark.parametrize("role", list(Role))
def test_every_role_has_a_sentence(role: Role) -> None:
    assert Message.of(f"role.{role.value}").within("es")


@pytest.mark.parametrize("reason", [SAME_BIRTH_DATE, SAME_NAME, *BirthDifference])
def test_every_reason_to_take_two_for_one_has_a_sentence(reason: str) -> None:
    assert f"alike.{reason}" in sentences("en")


def test_messages_within_messages_are_put_into_the_language_too() -> None:
    inner = Message.of("cause.rounding")
    outer = Message.of("cli.bad_settings", file="x", why=inner)
    assert "redondeo" in outer.within("es")


@pytest.mark.parametrize("text", ["Núñez, José", "a\u00a0b", "李", "'\\", "👩\u200d💻"])
def test_what_can_be_seen_is_quoted_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x1b[31m\x7f\x9b", r"\x1b[31m\x7f\x9b"),
        ("\u202egnp\u2028", r"\u202egnp\u2028"),
        ("\udcff", r"\udcff"),
    ],
)
def test_what_steers_a_terminal_is_escaped(text: str, shown: str) -> None:
    """In texts, paths and errors alike; also in a message within a message."""
    for value in (text, Path(text), ValueError(text), Message.of("csv.no_sex", value=text)):
        made = Message.of("csv.no_sex", value=value).within("en")
        assert shown in made
        assert text not in made


@pytest.mark.parametrize("name", [*KINDS, *JobState])
def test_every_kind_of_job_and_every_state_of_one_has_a_sentence(name: str) -> None:
    assert Message.of(f"job.{name}").within("es")
