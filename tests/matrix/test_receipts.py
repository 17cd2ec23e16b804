"""What every command that records answers: what it recorded, and how to undo it.

The commands come from the command line's registry, the event types from the catalogue. Each line
of ``STORY`` is run as a dry run, then for good; the undo that it offers is run on a copy of the
ledger. A new command that records needs a line, a new event type a line that records it.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from cli import command_line
from cli.command import REGISTERED
from ledger.answers.commits import count_in_words, recorded_in_words
from ledger.events.catalogue import CATALOGUE
from ledger.events.model import Dated
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.reach import reached
from ledger.service import archives
from ledger.service.ledger import Ledger
from ledger.service.retractions import NEVER
from ledger.wording import LANGUAGES
from tests.cli.running import Ran, run_here
from tests.hostile.ledgers import example, federation
from tests.ledgers import NOW, copied

STORY = """\
list define CLUB --regulation fenamac-1973 --calendar monthly --first 2010-01-01
list adopt ENF --regulation enf-2010 --on 2010-12-01 --param k_others=20
list calendar ENF quarterly --on 2011-01-01
list adjust ENF 2010-09 --below 1500 --pivot 1500 --share 2/5
player add X1 "Nueva, Ana" --federation CHI --sex w --born 1990-01-01
player add X2 "Nueva, Anna" --federation CHI
player add X3 "Cero, Carla"
player add X4 "Cero, Diana"
player add X5 "Cero, Elena"
player apart X3 X4
player confirm X3
player correct X2 --name "Nueva, Anita" --born 1991 --reason x
player describe X2 --born 1991-02-03 --sex w --reason x
player affiliate X2 --club Alekhine --region Norte
player link X2 --id fide=3499999
player title X2 WFM --on 2010-09-01
player seed X2 1500 --list ENF --on 2010-09-01
player adjust X2 --list ENF --points=-12 --on 2010-09-01 --reason x
k assign X2 20 --list ENF --on 2010-09-01
player merge X4 X3 --reason x
player split X4 --reason x
player merge-decided pairs.csv --reason x
player erase X5 --reason x
import players.csv --as-correction --reason x
tournament announce copa --name Copa --start 2010-09-07 --end 2010-09-08 --rate-of-play classical
tournament cancel copa --reason x
tournament announce cup --name Cup --start 2010-09-07 --end 2010-09-08 --rate-of-play classical
tournament open cup
tournament rules cup --pairing fenamac-1975 --rounds 2
tournament announce-prizes cup "U14: 100,50"
tournament enter cup 3404510 3405958 3400190 28858 34911 3413454
tournament newcomer cup Nina --born 2010
record entry cup X1
tournament describe-entry cup X1 --pairing-rating 1800
tournament numbers cup
tournament pair cup
tournament withdraw-round cup 1 --reason x
tournament pair cup
tournament result cup 1 1 1-0
tournament result cup 1 1 0-1
correct colours cup 1 1 --reason x
tournament result cup 1 2 1-0 3 -/+ 4 1/2-1/2
tournament standings cup --after 1 --publish
tournament excuse cup N00001 --from-round 2 --reason x
tournament expel cup 3404510 --from-round 2 --reason x
tournament return cup 3404510 --reason x
tournament absent cup X1 2 --half
record withdrawal cup 28858 2
undo LAST --reason x
tournament pair cup
annul bye cup 2 X1 --reason x
record bye cup 2 X1 H
tournament correct cup --name Cupp --reason x
tournament flag cup friendly --reason x
tournament reject cup --reason x
tournament accept cup
tournament close cup --anyway --reason x
tournament reopen cup --reason x
annul tournament cup --reason x
tournament open open --name Open --start 2010-09-01 --end 2010-09-02 --rate-of-play classical
record entry open X1
record entry open X3
record adjournment open 1 X1 X3
record adjudication open 1 X1 X3 1-0a --temporary
record result open 2 X3 X1 1-0 --anyway
correct result open 2 X3 X1 0-1 --reason x
correct result open 2 X3 X1 1/2-1/2 --rating-only --reason x
annul result open 2 X3 X1 --reason x
record forfeit open 2 X3 X1 +/-
tournament announce liga --name L --start 2010-09-01 --end 2010-09-02 --rate-of-play classical
tournament open liga --system team-swiss
tournament rules liga --rounds 2 --pairing team-1975 --team-boards 1 --team-reserves 1
tournament team liga A X1 X2
tournament team liga B X3 E-0009
tournament pair liga
tournament lineup liga A 1 X2
ladder open Torre 3404510 3405958 3407128 --list ENF --on 2010-09-01
ladder join Torre 28858 --on 2010-09-02
ladder leave Torre 28858 --on 2010-09-03
ladder challenge Torre 3404510 3405958 --on 2010-09-04 --until 2010-09-20
ladder withdraw Torre 3404510 3405958 --on 2010-09-05
ladder challenge Torre 3404510 3405958 --on 2010-09-06 --until 2010-09-20
ladder result Torre 1 3404510 3405958 1-0 --on 2010-09-07
record result Torre-2 2 3405958 3404510 1/2-1/2 --on 2010-09-08
ladder settle Torre 3404510 3405958 --on 2010-09-30
publish ENF 2010-08
undo 8 --reason x
player add X6 "Seis, Sara"
undo LAST --reason x
account create ana --role officer --reason x
account grant eva auditor --reason x
account bind eva eva.key --reason x
account unbind eva eva.key --reason x
account reset ana --reason x
list two-persons ENF off --reason x
account revoke eva --reason x
""".strip().splitlines()
WITHOUT_STORY = {
    "claim accept": "a claim is made on a site; its receipt is printed as that of an operation",
    "claim refuse": "it is answered in the office, and the ledger records nothing",
}
"""Commands that are not in the story, with the reason."""
STORAGE = re.compile(r"\b(seqs?|events?|eventos?|commits?|sha\d*|appended|agregad[oa]s?)\b")
WITH_REPORT = "tournament standings "
"""The command whose receipt is the first two lines; the standings below cite the log by seq."""
WITHOUT_REACH = ("publish ", "player erase ", "tournament pair ", "tournament standings ")
"""Commands that print their receipt with their own answer; none of them moves a rating."""
REACH = {"en": "Published lists may change: ", "es": "Pueden cambiar listas publicadas: "}
UNDO = {"en": "Undo: rating-ledger undo ", "es": "Deshacer: rating-ledger undo "}
FINAL = {"en": "It cannot be undone: ", "es": "No se puede deshacer: "}
WOULD = {"en": "Would record ", "es": "Se registraría: "}
COULD = {"en": "It could be undone.", "es": "Se podría deshacer."}


def recording_commands() -> set[str]:
    """Returns the commands that record, by their words: those that take ``--verbose``."""
    command_line.commands("en")
    registered = [each for commands in REGISTERED.values() for each in commands]
    return {
        each.words
        for each in registered
        if "verbose" in each.function.__signature__.parameters  # type: ignore[attr-defined]
    }


def run_on(journal: MemoryJournal, words: Sequence[str]) -> Ran:
    """Runs a command on a journal in memory."""
    with patch.object(archives, "open_ledger", lambda _url: journal):
        done = run_here(*words)
    assert done.code == 0, (shlex.join(words), done.err)
    return done


def recorded_last(journal: MemoryJournal, language: str) -> tuple[str, bool]:
    """Returns what the last commit recorded, in words, and whether it is final."""
    last = journal.head().commit_id
    commit = next(iter(journal.commits(after=last - 1)))
    counts = journal.type_counts(after=commit.first_seq - 1, upto=commit.last_seq)
    return recorded_in_words(counts).within(language), any(type_ in NEVER for type_ in counts)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with the files that the story reads."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RATING_LEDGER_ACTOR", "tester")
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "players.csv").write_bytes(example("players.csv"))
    (tmp_path / "pairs.csv").write_text("decision,player,other\nX3,X3,X4\n", encoding="utf-8")
    assert run_here("key", "eva", "eva.key").code == 0
    return tmp_path


def test_every_command_that_records_is_in_the_story() -> None:
    commands = recording_commands()
    told = {name for name in commands if any(line.startswith(f"{name} ") for line in STORY)}
    assert told ^ WITHOUT_STORY.keys() == commands, "a command needs a line of STORY"


@pytest.mark.usefixtures("folder")
def test_each_answer_says_what_was_recorded_and_how_to_undo_it() -> None:
    undone, seen, may_change = set[str](), set[str](), False
    with federation() as journal:
        for number, line in enumerate(STORY):
            language = LANGUAGES[number % len(LANGUAGES)]
            words = shlex.split(line.replace("LAST", str(journal.head().commit_id)))
            head = journal.head()
            tried = run_on(journal, [*words, "--dry-run", "--lang", language])
            assert journal.head() == head, line
            facts = Ledger(copied(journal), lambda: NOW).facts()
            done = run_on(journal, [*words, "--lang", language])
            what, is_final = recorded_last(journal, language)
            assert WOULD[language] + what in tried.out, (line, tried.out)
            assert (FINAL if is_final else COULD)[language] in tried.out, (line, tried.out)
            assert done.out.count(what) == 1, (line, what, done.out)
            for answer in (tried.out, done.out):
                own = answer.splitlines()[: 2 if line.startswith(WITH_REPORT) else None]
                assert not STORAGE.search("\n".join(own)), (line, answer)
            stored = list(journal.events(after=head.seq))
            types = {each.type for each in stored}
            if not line.startswith(WITHOUT_REACH):
                dated = [
                    Dated(
                        dt.date.fromisoformat(each.effective_on),
                        CATALOGUE.decode(each.type, each.version, each.payload),
                    )
                    for each in stored
                ]
                said = [at for at in done.out.splitlines() if at.startswith(REACH[language])]
                lists = [f"{each.list} " for each in reached(facts, dated)]
                assert [each for each in lists if each in " ".join(said)] == lists, (line, said)
                assert len(said) == len(lists), (line, said)
                may_change |= bool(said)
            seen |= types
            offers = [at for at in done.out.splitlines() if at.startswith(UNDO[language])]
            reasons = [at for at in done.out.splitlines() if at.startswith(FINAL[language])]
            assert (len(offers), len(reasons)) == ((0, 1) if is_final else (1, 0)), (line, done.out)
            if offers:
                undo = shlex.split(offers[0].partition(": ")[2])
                assert undo[:3] == ["rating-ledger", "undo", str(journal.head().commit_id)]
                run_on(copied(journal), undo[1:])
                undone |= types
    every = {model.TYPE for model in CATALOGUE.models()}
    assert seen == every, "an event type needs a line of STORY"
    assert undone == every - NEVER.keys()
    assert may_change, "something reaches the published list"


@pytest.mark.usefixtures("folder")
def test_seqs_and_types_of_events_are_told_with_verbose_and_as_json() -> None:
    words = ["player", "add", "X1", "Nueva, Ana"]
    with federation() as journal:
        told = run_on(journal, [*words, "--dry-run", "--verbose"]).out
        assert "player.registered" in told
        assert f"seq {journal.head().seq + 1} to" in told
        receipt = json.loads(run_on(journal, [*words, "--format", "json"]).out)
        assert receipt["undo"] == receipt["commit"] == journal.head().commit_id
        assert receipt["first_seq"] == journal.head().seq
        assert (receipt["recorded"], receipt["final"]) == ("1 player (X1)", None)
        keyed = ["account", "grant", "eva", "auditor", "--reason", "x", "--format", "json"]
        receipt = json.loads(run_on(journal, keyed).out)
        assert receipt["undo"] is None
        assert "role" in receipt["final"]


@pytest.mark.usefixtures("folder")
def test_a_request_that_came_again_says_what_it_had_recorded() -> None:
    words = ["import", "players.csv", "--as-correction", "--reason", "x", "--idempotency-key", "k"]
    with federation() as journal:
        first = run_on(journal, words).out.splitlines()
        again = run_on(journal, words).out.splitlines()
    assert "Recorded before" in again[0]
    assert first[0].rstrip(".") in again[0]
    assert first[1] == again[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_type_is_counted_in_words(language: str) -> None:
    for type_ in {model.TYPE for model in CATALOGUE.models()}:
        one, two = (count_in_words(type_, count).within(language) for count in (1, 2))
        assert (one[:2], two[:2]) == ("1 ", "2 "), type_
        assert one[2:] != two[2:], type_
        assert not STORAGE.search(f"{one} {two}"), type_
