"""Empty tables to be filled in, and what the command line says of columns."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import IO, Any

import pytest

from ledger.intake.headings import GAMES, PLAYERS, Headings
from tests.cli.running import run_here

KINDS = [("players", PLAYERS), ("games", GAMES)]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_here("init").code == 0


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
@pytest.mark.parametrize("kind", ["players", "games"])
def test_an_empty_table_is_known_and_empty(kind: str, suffix: str, language: str) -> None:
    file = f"table.{suffix}"
    assert run_here("--lang", language, "import", "--template", kind, file).code == 0
    imported = run_here("import", file, "--format", "json")
    assert (imported.code, '"csv.no_rows"' in imported.err) == (4, True)


def test_a_table_that_is_there_is_not_overwritten() -> None:
    Path("mine.csv").write_text("id,name\n", encoding="utf-8")
    refused = run_here("import", "--template", "players", "mine.csv")
    assert (refused.code, "mine.csv" in refused.err) == (4, True)
    assert Path("mine.csv").read_text(encoding="utf-8") == "id,name\n"


@pytest.mark.parametrize(
    "words",
    [
        ("import", "--template", "games", "full.csv"),
        ("tournament", "simulate", "--players", "10", "--rounds", "4", "--seed", "7",
         "--pairing", "fenamac-1975", "--output", "full.csv"),
        ("demo", "full"),
    ],
)  # fmt: skip
def test_a_full_disk_is_said_as_everywhere(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def full(path: Path, mode: str = "r", *said: Any, **named: Any) -> IO[Any]:
        if mode in {"xb", "wb"}:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return opened(path, mode, *said, **named)

    monkeypatch.setattr(Path, "open", full)
    refused = run_here("--lang", "es", *words)
    assert (refused.code, "no queda espacio" in refused.err) == (6, True), refused.err


def test_a_table_is_csv_or_xlsx() -> None:
    refused = run_here("import", "--template", "games", "table.ods")
    assert (refused.code, "table.ods" in refused.err) == (4, True)
    assert not Path("table.ods").exists()


def test_a_table_on_standard_output() -> None:
    written = run_here("--lang", "es", "import", "--template", "players", "-").out
    assert written == (
        "\ufeffcódigo,nombre,federación,sexo,nacimiento,elo,factor k,partidas,k_publicado"
        ",club,región,licencia_hasta\r\n"
    )


@pytest.mark.parametrize(("kind", "headings"), KINDS)
def test_help_names_the_columns(kind: str, headings: Headings) -> None:
    told = " ".join(run_here("import", "--help").out.split())
    assert f"Columns of {kind}: {', '.join(headings.names)}." in told


def test_columns_on_the_command_line() -> None:
    Path("f.csv").write_text("Cod;Socio;Cuota\n7;Ana;x\n", encoding="utf-8")
    named = ("--columns", "id=Cod", "--columns", "name=Socio", "--ignore-column", "Cuota")
    assert run_here("import", "f.csv", *named).code == 0
    mapped = ("--map", "Cod=id", "--map", "Socio=name", "--map", "Cuota=-")
    assert "nothing was added" in run_here("import", "f.csv", *mapped).out
    wrong = run_here("import", "f.csv", "--columns", "id")
    assert (wrong.code, "'id'" in wrong.err) == (4, True)
