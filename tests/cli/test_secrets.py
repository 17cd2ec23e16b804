"""No command ever prints the password of a database, wherever in its URL it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from cli import command_line, settings
from cli.main import _run
from tests.cli.running import run
from tests.postgres import PostgresServer

SECRET = "hunter-2"  # noqa: S105 - to find it again where it must not be
CLOSED = "127.0.0.1:1"  # nobody listens there

UNREACHABLE = {
    "login": f"postgresql://ana:{SECRET}@{CLOSED}/club",
    "query": f"postgresql://ana@{CLOSED}/club?password={SECRET}&sslpassword={SECRET}",
    "key-value": f"host=127.0.0.1 port=1 dbname=club password='{SECRET}'",
    "quoted wrongly": f"postgresql://ana:a@{SECRET}@{CLOSED}/club",
    "no scheme": f"ana:{SECRET}@{CLOSED}/club",
    "another scheme": f"mysql://ana:{SECRET}@{CLOSED}/club?password={SECRET}",
}
WORDS = {
    "round": "1", "seq": "5", "old": "5", "round_": "1", "game": "1",
    "from_round": "1", "result_": "1-0", "result": "1-0", "kind": "U", "k": "20",
    "on": "2026-01-01", "first_on": "2026-01-01", "start": "2026-01-01", "end": "2026-01-01",
    "calendar": "monthly", "regulation": "enf-2010", "with_": "enf-2010", "rating": "1500",
    "pairing": "fenamac-1975", "board": "1", "required": "on",
    "points": "5", "below": "2000", "pivot": "2000", "share": "2/5", "title": "GM",
    "rate_of_play": "classical", "role": "officer", "from_": "2026-01@1", "to": "2026-02@1",
    "reason": "test", "commit": "1", "starts_on": "2026-01-01", "ends_on": "2026-01-01",
}  # fmt: skip
HAVE_NO_DATABASE = {
    "check", "copy", "demo", "demo-tournament", "example", "key", "regulation list",
    "tournament simulate", "witness add", "witness list", "witness remove",
}  # fmt: skip


def commands() -> Iterator[tuple[str, ...]]:
    """Yields every command with the words it needs."""
    root: Any = command_line.commands("en")
    groups = [((), root)]
    while groups:
        before, group = groups.pop()
        for name, command in group.commands.items():
            words = (*before, *name.split())
            if hasattr(command, "commands"):
                groups.append((words, command))
            elif " ".join(words) not in HAVE_NO_DATABASE:
                yield sensible((*words, *needed(command)))


def needed(command: Any) -> Iterator[str]:
    for parameter in command.params:
        if parameter.required:
            if parameter.param_type_name == "option":
                yield parameter.opts[0]
            yield WORDS.get(parameter.name, f"x-{parameter.name}")


def sensible(words: tuple[str, ...]) -> tuple[str, ...]:
    """Some commands need one of several words: a forfeit has results of its own, for example."""
    match words[:2]:
        case ("record", "forfeit"):
            return (*words[:-1], "+/-")
        case ("player", "link"):
            return (*words[:-1], "fide=1")
        case ("tournament", "announce-prizes"):
            return (*words[:-1], "U14: 10")
        case ("tournament", "enter"):
            return (*words, "x-player")
        case ("tournament", "rules"):
            return (*words, "--rounds", "5")
        case ("export", "data"):
            return (*words, "--licence", "CC-BY-4.0")
        case ("account", "sign-out"):
            return (*words, "--all")
        case _:
            return words


COMMANDS = sorted(commands())


def said(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Runs a command in this process; returns its exit code and all that it wrote."""
    code = _run(list(words))
    settings.FLAGS.db = None
    return code, "".join(capsys.readouterr())


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x-file").write_text("id,name\n1,Ana\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("url", UNREACHABLE.values(), ids=UNREACHABLE)
def test_copying_does_not_quote_it_either(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, output = said(("--debug", "copy", url, "x-target"), capsys)
    assert code == 6
    assert SECRET not in output


@pytest.mark.parametrize("url", UNREACHABLE.values(), ids=UNREACHABLE)
def test_no_command_quotes_the_password(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    codes = {}
    for number, words in enumerate(COMMANDS):
        given = (*words, "--db", url) if number % 2 else ("--debug", "--db", url, *words)
        codes[words], output = said(given, capsys)
        assert SECRET not in output, given
        assert "Traceback" not in output, given
    assert len(codes) >= 60
    others = {words: code for words, code in codes.items() if code != 6}
    assert others == {("regulation", "show", "enf-2010"): 0}  # which needs no database


@pytest.mark.parametrize("url", UNREACHABLE.values(), ids=UNREACHABLE)
@pytest.mark.parametrize(
    "words",
    [
        ("doctor", "--format", "json", "--db", "{}"),
        ("list", "list", "--format=json", "--db", "{}"),
        ("list", "list", "--db={}", "--no-such-option={}"),
        ("list", "list", "{}"),
        ("{}",),
        ("import", "{}"),
        ("list", "show", "ENF", "--format", "{}"),
        ("verify", "--checkpoint", "{}"),
        ("--lang", "{}", "list", "list"),
    ],
    ids=" ".join,
)
def test_no_misuse_quotes_it(
    words: tuple[str, ...], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output = said(tuple(word.format(url) for word in words), capsys)
    assert code in {2, 4, 6}
    assert output
    assert SECRET not in output


@pytest.mark.parametrize("url", UNREACHABLE.values(), ids=UNREACHABLE)
def test_neither_from_the_environment_nor_a_settings_file(url: str, tmp_path: Path) -> None:
    done = run("doctor", cwd=tmp_path, RATING_LEDGER_DB=url)
    assert done.code == 6
    assert SECRET not in done.out + done.err
    (tmp_path / "rating-ledger.toml").write_text(f'db = "{url}"\n')
    done = run("init", cwd=tmp_path)
    assert done.code == 6
    assert SECRET not in done.out + done.err
    (tmp_path / "rating-ledger.toml").write_text(f'db = "{url}\n')
    done = run("init", cwd=tmp_path)
    assert done.code == 4
    assert SECRET not in done.out + done.err


def test_a_fault_of_the_program_is_shown_without_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_url: str) -> None:
        raise RuntimeError(UNREACHABLE["query"])

    monkeypatch.setattr("ledger.service.archives.open_ledger", broken)
    code, output = said(("--debug", "list", "list"), capsys)
    assert code == 1
    assert "Traceback" in output
    assert "password=***" in output
    assert SECRET not in output


def test_a_key_value_form_is_shown_as_a_url(capsys: pytest.CaptureFixture[str]) -> None:
    code, output = said(("list", "list", "--db", UNREACHABLE["key-value"]), capsys)
    assert code == 6
    assert "postgresql://user@host:port/name" in output
    assert "password=***" in output


def test_a_private_key_given_to_verify_is_not_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(("key", "me", "me.key"), capsys)[0] == 0
    secret = (tmp_path / "me.key").read_text().strip()
    (tmp_path / "page").write_text("origin\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n")
    code, output = said(("verify", "--checkpoint", "page", "--key", secret), capsys)
    assert code == 3  # the page is not signed
    assert secret[-20:-9] not in output
    code, output = said(("verify", "--checkpoint", "page", "--key", f"{secret[:-9]}x"), capsys)
    assert code == 4
    assert secret[-20:-9] not in output


@pytest.fixture
def asked_for_a_password(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a real server that asks this user for a password, with a wrong one."""
    user = "asked_for_a_password"
    with psycopg.connect(postgres_server.url("postgres"), autocommit=True) as connection:
        made = sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'right'").format(sql.Identifier(user))
        connection.execute(made)
        row = connection.execute("SHOW hba_file").fetchone()
        assert row is not None
        file = Path(row[0])
        before = file.read_text()
        rules = f"local all {user} scram-sha-256\nhost all {user} all scram-sha-256\n"
        file.write_text(rules + before)
        connection.execute("SELECT pg_reload_conf()")
        yield postgres_server.url("postgres", user=user)
        file.write_text(before)
        connection.execute("SELECT pg_reload_conf()")
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(user)))


def test_a_real_server_that_refuses_the_password(
    asked_for_a_password: str, capsys: pytest.CaptureFixture[str]
) -> None:
    by_login = asked_for_a_password.replace("@", f":{SECRET}@", 1)
    joint = "&" if "?" in asked_for_a_password else "?"
    by_query = f"{asked_for_a_password}{joint}password={SECRET}"
    for url in (by_login, by_query):
        for words in (("doctor",), ("verify",), ("init",), ("list", "list", "--format=json")):
            code, output = said(("--debug", *words, "--db", url), capsys)
            assert code == 6
            assert "password authentication failed" in output
            assert SECRET not in output
