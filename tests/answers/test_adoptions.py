"""What a regulation refuses when a list is to adopt it, and how one and an adoption are shown."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from cli.commands.regulations import show
from cli.options import Format, QuestionOptions
from ledger.answers.regulations import adoptions
from ledger.calendar import Calendar
from ledger.errors import InputRefused, NotFound
from ledger.operations.commands import AdoptRegulation
from ledger.regulations import registry
from ledger.service.lists import adopt_regulation
from ledger.wording import Message
from tests.cli.running import run
from tests.ledgers import define, do, empty_ledger, request

OCTOBER = dt.date(2010, 10, 1)
Given = dict[str, int | str]
# Regulation, what is set, key of the refusal, and what it must say.
BAD: list[tuple[str, Given, str, tuple[str, ...]]] = [
    ("enf-2010", {"k_newest": 1}, "regulation.unknown_parameter", ("k_newest", "k_new")),
    ("enf-2010", {"k_new": "much"}, "regulation.bad_parameter", ("much", "I, K by the practice")),
    ("enf-2010", {"k_new": "1.5"}, "regulation.bad_parameter", ("1.5", "I, K by the practice")),
    ("enf-2010", {"k_new": 201}, "regulation.bad_parameter", ("201", "I, K", "200")),
    ("enf-2010", {"k_new": -1}, "regulation.bad_parameter", ("-1", "I, K")),
    ("enf-2010", {"k_new": "9" * 5000}, "regulation.bad_parameter", ("999", "I, K")),
    ("enf-2010", {"method": "median"}, "regulation.bad_parameter", ("median", "II i), ii)")),
    ("enf-2010", {"merit_blitz": "some"}, "regulation.bad_parameter", ("some", "not in the text")),
    ("fide-standard", {"draw_margin": 30}, "regulation.contradiction", ("8.1.2", "draw_margin")),
]
# What is said of a value, in English and in Spanish.
SAID: list[tuple[str, Given, str, str]] = [
    (
        "enf-2010", {"k_new": "1.5"},
        ("the parameter k_new cannot be '1.5' (I, K by the practice of 2010): "
        "it is a whole number from 0 to 200"),
        ("el parámetro k_new no puede ser '1.5' (I, K según la práctica de 2010): "
        "es un número entero de 0 a 200"),
    ),
    (
        "enf-2010", {"merit_blitz": "some"},
        ("the parameter merit_blitz cannot be 'some' (not in the text: unrated): "
        "it is a whole number from 0 to 1000"),
        ("el parámetro merit_blitz no puede ser 'some' (no está en el texto: no se evalúa): "
        "es un número entero de 0 a 1000"),
    ),
    (
        "enf-2010", {"method": "median"},
        "the parameter method cannot be 'median' (II i), ii)): it is one of per-game, mean",
        "el parámetro method no puede ser 'median' (II i), ii)): es uno de per-game, mean",
    ),
    (
        "fide-rapid", {"standard_list": "x" * 41},
        (f"the parameter standard_list cannot be '{'x' * 41}' (rapid and blitz 7.2.1, the list of "
        "standard ratings): it is a text of at most 40 characters"),
        (f"el parámetro standard_list no puede ser '{'x' * 41}' (rápido y blitz 7.2.1, la lista "
        "de ratings clásicos): es un texto de 40 caracteres como máximo"),
    ),
    (
        "fenamac-1973", {"k_next_above": 2500},
        "the parameters contradict each other: K: k_next_above must lie below k_later_above",
        "los parámetros se contradicen: K: k_next_above debe ser menor que k_later_above",
    ),
    (
        "uanl-1975", {"method": "mean-by-table-1", "expectation": "normal"},
        ("the parameters contradict each other: "
        "formula 2: method=mean-by-table-1 goes with expectation=table only"),
        ("los parámetros se contradicen: "
        "fórmula 2: method=mean-by-table-1 solo va con expectation=table"),
    ),
]  # fmt: skip
each_bad = pytest.mark.parametrize(
    ("regulation", "given", "key", "said"), BAD, ids=[f"{r} {next(iter(g))}" for r, g, *_ in BAD]
)


class TestRefused:
    @pytest.mark.parametrize(("regulation", "given", "english", "spanish"), SAID)
    def test_with_what_is_allowed_in_our_words(
        self, regulation: str, given: Given, english: str, spanish: str
    ) -> None:
        with pytest.raises(InputRefused) as refusal:
            registry.adopted(regulation, given)
        assert refusal.value.message.within("en") == english
        assert refusal.value.message.within("es") == spanish

    @pytest.mark.parametrize("regulation", registry.regulations())
    def test_every_parameter_says_what_is_allowed(self, regulation: str) -> None:
        """Nothing of what a reader of models would say in its own English."""
        model = registry.found(regulation).PARAMETERS
        for name in model.model_fields:
            with pytest.raises(InputRefused) as refusal:
                registry.adopted(regulation, {name: "\x07" * 50})
            said = dict(refusal.value.message.values)["why"]
            assert isinstance(said, Message)
            assert said.key in {
                "regulation.allowed_numbers", "regulation.allowed_text", "regulation.allowed_words",
            }  # fmt: skip

    @each_bad
    def test_when_a_list_is_defined(
        self, regulation: str, given: Given, key: str, said: tuple[str, ...]
    ) -> None:
        ledger = empty_ledger()
        with pytest.raises(InputRefused) as refusal:
            define(ledger, regulation=regulation, parameters=given)
        assert refusal.value.message.key == key
        assert all(words in str(refusal.value) for words in said)
        assert ledger.journal.head().seq == 0

    @each_bad
    def test_when_a_list_adopts_it_whoever_asks(
        self, regulation: str, given: Given, key: str, said: tuple[str, ...]
    ) -> None:
        ledger = empty_ledger()
        define(ledger)
        before = ledger.journal.head()
        command = AdoptRegulation(
            list="ENF",
            regulation=regulation,
            parameters=given,
            regulation_digest="0" * 64,
            on=OCTOBER,
        )
        with pytest.raises(InputRefused) as refusal:
            do(ledger, command)
        assert refusal.value.message.key == key
        assert all(words in str(refusal.value) for words in said)
        assert ledger.journal.head() == before

    @each_bad
    @pytest.mark.parametrize("command", ["define", "adopt"])
    def test_on_the_command_line(
        self, command: str, regulation: str, given: Given, key: str, said: tuple[str, ...],
        tmp_path: Path,
    ) -> None:  # fmt: skip
        if command == "define":
            words = ["L", "--calendar", "monthly", "--first", "2010-07-01"]
        else:
            words = ["L", "--on", "2010-10-01"]
        for name, value in given.items():
            words += ["--param", f"{name}={value}"]
        run("init", cwd=tmp_path)
        done = run(
            "list", command, *words, "--regulation", regulation, "--format", "json", cwd=tmp_path
        )
        assert (done.code, done.out) == (4, "")
        error = json.loads(done.err)
        assert error["error"] == key
        assert all(part in error["message"] for part in said)

    def test_all_of_them_at_once(self) -> None:
        with pytest.raises(InputRefused) as refusal:
            registry.adopted("enf-2010", {"k_new": 999, "k_newest": 1, "method": "median"})
        keys = [refusal.value.message.key, *(d.message.key for d in refusal.value.details)]
        assert sorted(keys) == [
            "regulation.bad_parameter", "regulation.bad_parameter",
            "regulation.unknown_parameter",
        ]  # fmt: skip

    def test_a_regulation_nobody_has(self) -> None:
        with pytest.raises(NotFound) as missing:
            registry.adopted("enf-2011", {})
        assert missing.value.message.key == "regulation.unknown"
        with pytest.raises(NotFound) as missing:
            registry.adopted("liga-norte.copa-2020", {})
        assert missing.value.message.key == "regulation.no_package"


class TestAdopted:
    def test_what_differs_since_when_and_with_which_digest(self) -> None:
        ledger = empty_ledger()
        define(ledger, parameters={"method": "per-game", "k_new": 25})
        do(ledger, self.adoption({"difference_rule": 350}, dt.date(2010, 9, 1), digest="0" * 64))
        do(ledger, self.adoption({}, OCTOBER))
        first, second, third = adoptions(ledger, "enf-2010", "ENF")
        assert [(d.parameter, d.default, d.adopted, d.clause) for d in first.differences] == [
            ("k_new", "30", "25", "I, K by the practice of 2010")
        ]
        assert (first.since, first.until) == (dt.date(2010, 7, 1), dt.date(2010, 9, 1))
        assert first.same
        assert [d.parameter for d in second.differences] == ["difference_rule"]
        assert (second.recorded, second.same) == ("0" * 64, False)
        assert (third.since, third.until, third.differences) == (OCTOBER, None, ())

    def test_the_last_word_on_a_day_holds(self) -> None:
        ledger = empty_ledger()
        define(ledger)
        for rule in 350, 400:
            do(ledger, self.adoption({"difference_rule": rule}, OCTOBER))
        found = adoptions(ledger, "enf-2010", "ENF")
        assert [[d.adopted for d in each.differences] for each in found] == [[], ["400"]]

    def test_another_regulation_ends_it(self) -> None:
        ledger = empty_ledger()
        define(ledger)
        other = registry.adopted("fide-standard", {}).digest()
        command = self.adoption({}, OCTOBER, regulation="fide-standard", digest=other)
        do(ledger, command)
        (enf,) = adoptions(ledger, "enf-2010", "ENF")
        assert enf.until == OCTOBER
        (fide,) = adoptions(ledger, "fide-standard", "ENF")
        assert fide.until is None

    def test_what_a_list_never_adopted(self) -> None:
        ledger = empty_ledger()
        define(ledger)
        with pytest.raises(NotFound) as missing:
            adoptions(ledger, "fide-standard", "ENF")
        assert "it adopted: enf-2010" in str(missing.value)
        with pytest.raises(NotFound):
            adoptions(ledger, "enf-2010", "XXX")

    def adoption(
        self, given: Given, on: dt.date, *, regulation: str = "enf-2010", digest: str | None = None
    ) -> AdoptRegulation:
        return AdoptRegulation(
            list="ENF",
            regulation=regulation,
            parameters=given,
            regulation_digest=digest or registry.adopted(regulation, given).digest(),
            on=on,
        )


@pytest.mark.parametrize("regulation", registry.OWN)
@pytest.mark.parametrize("as_", ["table", "json", "jsonl", "csv"])
def test_every_regulation_is_shown_in_every_format(
    regulation: str, as_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show(regulation, options=QuestionOptions(format=Format(as_)))
    out = capsys.readouterr().out
    for name in registry.OWN[regulation].PARAMETERS.model_fields:
        assert name in out


def test_on_the_command_line_a_list_is_asked_what_it_adopted(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    define_ = ("list", "define", "L", "--regulation", "enf-2010", "--calendar", "monthly")
    run(*define_, "--first", "2010-07-01", "--param", "k_new=25", cwd=tmp_path)
    shown = ("regulation", "show", "enf-2010", "--list", "L")
    assert "I, K según la práctica de 2010" in run(*shown, "--lang", "es", cwd=tmp_path).out
    done = run(*shown, cwd=tmp_path)
    assert "I, K by the practice of 2010" in done.out
    assert done.code == 0
    assert "since 2010-07-01" in done.out
    assert "k_new" in done.out
    assert "computes the same digest" in done.out
    assert run("regulation", "show", "enf-2010", "--list", "M", cwd=tmp_path).code == 7
    assert run("regulation", "show", "enf-2011", cwd=tmp_path).code == 7


class TestBeforeTheText:
    """FIDE's annual lists, until 1980, are those of another regulation: a list is told so."""

    @pytest.mark.parametrize(
        ("regulation", "first_on", "told"),
        [
            ("fide-standard", dt.date(1972, 1, 1), True),
            ("fide-standard", dt.date(1980, 1, 1), True),
            ("fide-standard", dt.date(1981, 1, 1), False),
            ("fide-1972", dt.date(1972, 1, 1), False),
        ],
    )
    def test_when_it_is_defined(self, regulation: str, first_on: dt.date, told: bool) -> None:  # noqa: FBT001
        receipt = define(
            empty_ledger(), regulation=regulation, first_on=first_on, calendar=Calendar.ANNUAL
        )
        keys = [note.message.key for note in receipt.notes]
        assert keys == ["regulation.earlier_text"] * told
        assert all("fide-1972" in str(note.message) for note in receipt.notes)

    def test_when_it_is_adopted(self) -> None:
        ledger = empty_ledger()
        define(
            ledger, regulation="fide-1972", first_on=dt.date(1972, 1, 1), calendar=Calendar.ANNUAL
        )
        keys = {
            year: [
                note.message.key
                for note in adopt_regulation(
                    ledger, "ENF", regulation="fide-standard", parameters={},
                    on=dt.date(year, 1, 1), as_correction=False, request=request(dry_run=True),
                ).notes
            ]
            for year in (1980, 1981)
        }  # fmt: skip
        assert "regulation.earlier_text" in keys[1980]
        assert "regulation.earlier_text" not in keys[1981]
