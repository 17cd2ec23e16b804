"""Mutated command lines: each ends with a contracted exit code, and nothing is half stored."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cli import command_line
from ledger.service.archives import open_ledger
from tests.cli.running import Ran, run_here
from tests.hostile.ledgers import example, federation, hold
from tests.hostile.mutations import NASTY
from tests.profile import count, seeded

# What no process can be started with, and what a process gets for a byte that is no character.
WORDS = (*(word for word in NASTY if "\0" not in word), "\udcff")
SHELLS = {"--install-completion", "--show-completion"}
# golang.org/x/mod/sumdb/note, note_test.go
SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"  # noqa: S105 - an example
COMMANDS = [
    shlex.split(line.replace("SECRET", SECRET))
    for line in """
    annul bye ymca-2010 1 3404510 --reason x
    annul result ymca-2010 1 3404510 3405958 --reason x
    annul tournament ymca-2010 --reason x
    correct colours ymca-2010 2 1 --reason x
    correct result ymca-2010 2 3405958 3404510 1-0 --reason x
    correction list --last 2
    correction show 175 --most 3
    explain 3404510 --list ENF --period 2010-07 --edition 1
    explain 3404510 --list ENF --period 2010-08 --as-known-at 100 --format json
    export data open --licence CC-BY-4.0
    export games --format csv
    export lists ENF
    export players --list ENF
    export postings ENF
    export ratings ENF
    export tiles tiles --key SECRET
    witness list --policy nowhere
    witness remove somebody --policy nowhere
    witness add nobody http://127.0.0.1:1
    witness ask page --key SECRET --policy nowhere
    history 3404510 --list ENF
    import - --list ENF --on 2010-09-01
    import players.csv --kind players --encoding utf-8 --as-correction --reason x
    k assign 3404510 20 --list ENF --on 2010-09-01
    account bind ana ana+2c5b9b1a+AZmYf --reason x
    account create eva --role officer --reason x
    account invite ana A
    account grant ana auditor --reason x
    account keys
    account list
    account reset ana --reason x --dry-run
    account revoke ana --reason x
    account tie ana A
    account untie ana
    account unbind ana ana+2c5b9b1a+AZmYf --reason x
    account unlock ana
    account sign-out --all --tokens
    claim accept abcdefghijklmnop --reason x
    claim list
    claim refuse abcdefghijklmnop --reason x
    claim show abcdefghijklmnop
    submission list --done
    webhook announce https://club.example.org/x --subject lists
    webhook deliveries x
    webhook list
    webhook resume x
    webhook withdraw x
    submission show abcdefghijklmnop
    ladder open Other 3404510 3400190 --list ENF --on 2010-09-01
    ladder challenge Club 3405958 3404510 --on 2010-09-01 --until 2010-09-20
    ladder join Club 3400190 --place 2 --on 2010-09-01
    ladder leave Club 3404510 --on 2010-09-01
    ladder result Club 1 3404510 3405958 1-0 --on 2010-09-02
    ladder settle Club 3405958 3404510 --on 2010-09-30
    ladder show Club --as-known-at 90
    ladder withdraw Club 3405958 3404510 --on 2010-09-02
    list adjust ENF 2010-08 --below 2000 --pivot 2000 --share 2/5
    list adopt ENF --regulation enf-2010 --on 2010-09-01 --param k_others=20
    list calendar ENF quarterly --on 2010-10-01 --closes-days-before 3
    list define FIDE --regulation fide-standard --calendar fide --first 2010-01-01
    list define CLUB --regulation fenamac-1973 --calendar monthly --first 2010-01-01
    list diff ENF 2010-07@1 2010-07
    agenda --on 2010-09-01
    list list --format csv
    list monitor ENF --from 2010-07 --to 2010-08 --control 3404510
    list two-persons ENF off --reason x
    list regenerate ENF 2010-07 --edition 1
    list show ENF 2010-08 --as-known-at 110 --format csv
    live ENF --format jsonl
    log --player 3404510 --tournament ymca-2010 --since 5
    forecast 3404510 --list ENF --opponent-rating 2000 --gain 5
    performance 3404510 --tournament ymca-2010 --list ENF --table 1972
    period list ENF
    period check ENF 2010-08
    list letters ENF 2010-07
    list emails ENF 2010-07 letters
    player add 99 "Nueva, Ana" --federation CHI --sex w --born 1990-01-01
    player affiliate 3404510 --club Alekhine --region Norte --licensed-until 2027-12-31
    player against 3404510 3405958 --list ENF
    player career 3404510 --list ENF
    player clubs --on 2010-01-01
    player adjust 3404510 --list ENF --points=-12 --on 2010-09-01 --reason x
    player correct 3404510 --name "Otro, Nombre" --born 1985
    player describe 3404510 --born 1985-01-01 --sex m --reason x
    player duplicates --format csv
    player erase 3404510 --reason x
    player find montero --format json
    player list --all
    player confirm 3404510
    player apart 3404510 3405958
    player link 3404510 --id fide=3404510 --id national=7
    player unconfirmed
    player merge 3404510 3405958
    player merge-decided pairs.csv --reason x
    player seed 3404510 1500 --list ENF --on 2010-09-01 --games 30 --source x
    player show 3404510
    player title 3404510 FM --on 2010-09-01
    player titles 3404510 --list ENF
    prove event 5 --key SECRET
    prove list ENF 2010-07 --edition 1 --key SECRET --origin club
    prove player 3404510 --list ENF --period 2010-07 --key SECRET
    prove consistency 5 9 --key SECRET
    publish ENF 2010-08
    publish ENF --restated --dry-run
    record adjournment ymca-2010 1 3404510 3405958
    record adjudication ymca-2010 1 3404510 3405958 1-0a
    record bye ymca-2010 9 3404510 H
    record entry ymca-2010 3404510 --number 30
    record forfeit ymca-2010 9 3404510 3405958 +/-
    record result ymca-2010 9 3404510 3405958 1-0 --on 2010-07-23
    record withdrawal ymca-2010 3404510 9
    regulation compare ENF --with enf-2010 --param k_others=20 --from 2010-07 --to 2010-08
    regulation list
    regulation show enf-2010 --list ENF
    replay ENF --period 2010-08
    replay --check
    tournament absent ymca-2010 3404510 9 --half
    tournament accept ymca-2010
    tournament announce copa --name Copa --start 2010-08-07 --end 2010-08-08 --rate-of-play rapid
    tournament cancel copa --reason x
    tournament calendar --from 2010-01-01 --to 2010-12-31 --state rated --region Norte
    tournament announce-prizes ymca-2010 "U14: 100,50" --as-correction --reason x
    tournament prizes ymca-2010 --after 3
    tournament progress ymca-2010 --after 3
    tournament results ymca-2010 --after 3 --tie-breaks solkoff
    tournament seats ymca-2010 1 --format html
    tournament cards ymca-2010 3404510 --after 3 --format html
    tournament check ymca-2010 --pairing berger
    tournament check ymca-2010 --fide --list ENF
    tournament trf ymca-2010 --rounds 1-3
    tournament describe-entry ymca-2010 3404510 --pairing-rating 1800 --from-round 9
    tournament enter ymca-2010 3404510 --pairing-rating 1800 --from-round 9
    tournament excuse ymca-2010 3404510 --from-round 9 --reason x
    tournament expel ymca-2010 3404510 --from-round 9 --reason x
    tournament newcomer ymca-2010 Nina --born 2010
    tournament return ymca-2010 3404510 --from-round 9 --reason x
    tournament numbers ymca-2010 --lot seed
    tournament numbers ymca-2010 --varma seed --dry-run
    tournament numbers ymca-2010 --after-first-round --list ENF
    tournament rules ymca-2010 --pairing fenamac-1975 --lot seed --bye-by-lot
    tournament pair ymca-2010 --round 9 --explain --dry-run
    tournament result ymca-2010 9 1 1-0
    tournament round ymca-2010 1 --format html
    tournament rules ymca-2010 --pairing fenamac-1975 --tie-breaks median --forbid 3404510,3405958
    tournament withdraw-round ymca-2010 9 --reason x
    tournament close ymca-2010
    tournament reopen ymca-2010 --reason x
    undo 1 --reason x
    player split 3404510 --reason x
    tournament correct ymca-2010 --name X --merit 0.5 --reason x
    tournament flag ymca-2010 friendly --reason x
    tournament lineup ymca-2010 Club 9 3404510 3405958
    tournament list
    tournament open new-2010 --name New --start 2010-08-01 --end 2010-08-02 --rate-of-play rapid
    tournament reject ymca-2010 --reason x
    tournament show ymca-2010
    tournament crosstable ymca-2010 --after 3 --tie-breaks solkoff --format html
    tournament standings ymca-2010 --after 4 --tie-breaks median,direct,lots:x --prizes 90,60
    tournament standings ymca-2010 --explain 7 --list ENF
    tournament standings ymca-2010 --after 3 --format html
    tournament score-sheet ymca-2010 --after 3 --tie-breaks solkoff --format html
    tournament live ymca-2010 --list ENF
    tournament team ymca-2010 Club 3404510 3405958 --pairing-rating 1800
    tournament team-tables ymca-2010 --after 3
    tournament titles ymca-2010 --list ENF
    tournament trf ymca-2010 --list ENF
    tournament worksheet ymca-2010 --list ENF --k 20
    tournament certificate ymca-2010 3404510 --list ENF
    tournament report-form ymca-2010 --list ENF
    why 3404510 --list ENF --from 2010-07@1 --to 2010-08
    """.strip().splitlines()
]
OF_FILES = [
    shlex.split(line)
    for line in """
    check page.txt page.txt --key signer.pub --policy page.txt
    checkpoint --key signer.key
    doctor --format json
    example there
    export archive taken --without-personal
    import archive taken --db other.db
    import archive taken --upto 3 --db other.db
    backup kept --office none
    restore kept --db other.db --upto 5
    restore kept --dry-run
    copy ledger.db other.db
    init --db other.db
    key signer signer.key
    list show ENF --db ledger.db
    segments --drop --db ledger.db
    verify --checkpoint page.txt --key signer.pub --db ledger.db
    """.strip().splitlines()
]
"""What needs a database in a file, or writes other files."""
NOT_ATTACKED = {"demo", "demo-tournament", "serve", "tournament simulate"}
"""They take nothing but a folder, as ``example`` does, and seconds, or as long as they are told.

A site never ends by itself: ``tests/web/test_serving.py`` attacks its options.
"""
PARTS = 20


@cache
def options() -> tuple[str, ...]:
    """Returns all options of all commands."""
    found, groups = set[str](), [command_line.commands("en")]
    for command in groups:
        found.update(name for param in command.params for name in param.opts if "-" in name)
        groups += getattr(command, "commands", {}).values()
    return tuple(sorted(found - SHELLS - {"--debug"}))


def mutated(words: list[str], chance: random.Random) -> list[str]:
    """Returns a command line with one to three changes, most often of a value."""
    words = [*words]
    values = [at for at, word in enumerate(words) if at > 1 and not word.startswith("-")]
    for _ in range(chance.choice([1, 1, 2, 3])):
        at = chance.randrange(len(words)) if words else 0
        match chance.randrange(16):
            case 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 if values:
                at = min(chance.choice(values), len(words))
                words[at : at + 1] = [chance.choice(WORDS)]
            case 11:
                words[at : at + 1] = [chance.choice(WORDS)]
            case 12:
                del words[at : at + 1]
            case 13:
                words.insert(at, chance.choice(WORDS))
            case 14:
                words += [chance.choice(options()), chance.choice(WORDS)]
            case _ if words:
                word, cut = words[at], chance.randrange(len(words[at]) + 1)
                words[at] = word[:cut] + chance.choice(WORDS) + word[cut:]
    return [word for word in words if word not in SHELLS and "dask" not in word]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, so deep that no path of a mutated word leaves it for another's."""
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RATING_LEDGER_ACTOR", "tester")
    (folder / "players.csv").write_bytes(example("players.csv"))
    return folder


def ran(words: list[str]) -> Ran:
    with federation() as journal:
        try:
            return hold(journal, *words, stdin=example("players.csv"))
        except BaseException as error:
            error.add_note(repr(words))
            raise


def commands(group: Any, *path: str) -> Iterator[str]:
    """Yields every command below a group, as it is called."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *path, name)
        else:
            yield " ".join((*path, name))


def test_every_command_is_attacked() -> None:
    lines = [f"{' '.join(words)} " for words in (*COMMANDS, *OF_FILES)]
    for command in commands(command_line.commands("en")):
        attacked = any(line.startswith(f"{command} ") for line in lines)
        assert attacked or command in NOT_ATTACKED, f"{command} needs a line of COMMANDS"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.usefixtures("here")
def test_the_commands_themselves_end_as_they_should(words: list[str]) -> None:
    assert ran(words).code != 2, "a command line that is mutated is right before"


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.usefixtures("here")
def test_mutated_command_lines(part: int) -> None:
    with seeded(part) as chance:
        lines = count(1_800, 180) // PARTS
        codes = {ran(mutated(chance.choice(COMMANDS), chance)).code for _ in range(lines)}
    assert codes - {0}, "some are refused"


@pytest.mark.parametrize("part", range(4))
def test_mutated_command_lines_about_files(part: int, here: Path, sqlite_template: Path) -> None:
    (here / "ledger.db").write_bytes(sqlite_template.read_bytes())
    with seeded(part) as chance:
        for _ in range(count(200, 20) // 4):
            words = mutated(chance.choice(OF_FILES), chance)
            journal = open_ledger("ledger.db")
            try:
                hold(journal, *words)
            except BaseException as error:
                error.add_note(repr(words))
                raise
            finally:
                journal.close()


def test_the_completion_of_shells_is_never_installed() -> None:
    chance = random.Random(0)  # noqa: S311 - to be repeated
    made = [mutated(["list", "show"], chance) for _ in range(2_000)]
    assert not any(SHELLS & {*words} for words in made)
    assert run_here("--help").code == 0
