"""The federation's name, words and logo, as settings say them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import settings
from ledger.errors import InputRefused
from ledger.views.accent import Accent
from ledger.views.federation import FederationFace


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    settings._file.cache_clear()
    return tmp_path


def test_a_file_says_them_in_both_languages_and_the_environment_goes_before_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "logo.png").write_bytes(b"png")
    lines = (
        'federation_name = "Chess Union"',
        'federation_name_es = "Unión de Ajedrez"',
        'federation_words_es = "Juego limpio"',
        'federation_logo = "logo.png"',
    )
    (folder / "rating-ledger.toml").write_text("\n".join(lines), encoding="utf-8")
    face = settings.face()
    assert face.name is not None
    assert face.words is not None
    assert face.logo is not None
    assert (face.name.en, face.name.es) == ("Chess Union", "Unión de Ajedrez")
    assert face.words.en == face.words.es == "Juego limpio"
    assert (face.logo.data, face.logo.media_type) == (b"png", "image/png")
    monkeypatch.setenv("RATING_LEDGER_FEDERATION_NAME", "Another Union")
    assert settings.face().name != face.name


@pytest.mark.usefixtures("folder")
def test_without_settings_nothing_is_said() -> None:
    assert settings.face() == FederationFace()


@pytest.mark.usefixtures("folder")
def test_a_logo_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATING_LEDGER_FEDERATION_LOGO", "gone.svg")
    with pytest.raises(InputRefused, match=r"gone\.svg"):
        settings.face()


@pytest.mark.usefixtures("folder")
def test_a_colour_that_cannot_lead_is_refused_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RATING_LEDGER_FEDERATION_ACCENT", "#5b2d8e")
    assert settings.face().accent == Accent.read("#5b2d8e")
    for bad, advice in (
        ("blue", "six hexadecimal digits"),
        ("#5b2d8", "six hexadecimal digits"),
        ("#e35205", "a darker one, as #b64204"),
        ("#c8102e", "another colour"),
    ):
        monkeypatch.setenv("RATING_LEDGER_FEDERATION_ACCENT", bad)
        with pytest.raises(InputRefused, match=f"'{bad}'.*{advice}"):
            settings.face()


@pytest.mark.usefixtures("folder")
def test_lists_have_names_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATING_LEDGER_LIST_NAMES", "ENF = National list; R=Rapid list")
    monkeypatch.setenv("RATING_LEDGER_LIST_NAMES_ES", "ENF = Lista nacional")
    face = settings.face()
    assert face.list_name("ENF", "en") == "National list"
    assert face.list_name("ENF", "es") == "Lista nacional"
    assert face.list_name("R", "es") == "Rapid list"
    assert face.list_name("X", "es") == "X"
    for bad in ("ENF", "= words", "ENF ="):
        monkeypatch.setenv("RATING_LEDGER_LIST_NAMES", bad)
        with pytest.raises(InputRefused, match="names no list"):
            settings.face()
