"""What a regulation refuses when a list is to adopt it, and how one and an adoption are shown."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from cli.commands.regulations import show
from cli.options import Format
from ledger.application.regulations import adoptions
from ledger.errors import InputRefused, NotFound
from ledger.registrar.commands import AdoptRegulation
from ledger.regulations import registry
from tests.cli.running import run
from tests.ledgers import define, do, empty_ledger

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
each_bad = pytest.mark.parametrize(
    ("regulation", "given", "key", "said"), BAD, ids=[f"{r} {next(iter(g))}" for r, g, *_ in BAD]
)


class TestRefused:
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
        assert [(d.name, d.default, d.adopted, d.clause) for d in first.differences] == [
            ("k_new", "30", "25", "I, K by the practice of 2010")
        ]
        assert (first.since, first.until) == (dt.date(2010, 7, 1), dt.date(2010, 9, 1))
        assert first.same
        assert [d.name for d in second.differences] == ["difference_rule"]
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
    show(regulation, None, None, Format(as_))
    out = capsys.readouterr().out
    for name in registry.OWN[regulation].PARAMETERS.model_fields:
        assert name in out


def test_on_the_command_line_a_list_is_asked_what_it_adopted(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    define_ = ("list", "define", "L", "--regulation", "enf-2010", "--calendar", "monthly")
    run(*define_, "--first", "2010-07-01", "--param", "k_new=25", cwd=tmp_path)
    done = run("regulation", "show", "enf-2010", "--list", "L", cwd=tmp_path)
    assert done.code == 0
    assert "since 2010-07-01" in done.out
    assert "k_new" in done.out
    assert "computes the same digest" in done.out
    assert run("regulation", "show", "enf-2010", "--list", "M", cwd=tmp_path).code == 7
    assert run("regulation", "show", "enf-2011", cwd=tmp_path).code == 7
