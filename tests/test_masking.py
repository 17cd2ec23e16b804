"""Secrets in URLs, settings and keys are masked; everything else stays as it is."""

from __future__ import annotations

import time

import pytest

from ledger.wording import Message
from ledger.wording.masking import masked

SECRET = "hunter-2"  # noqa: S105 - to find it again where it must not be


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"postgresql://ana:{SECRET}@host/club", "postgresql://ana:***@host/club"),
        (f"postgresql://:{SECRET}@host/club", "postgresql://:***@host/club"),
        (f"postgresql://ana:{SECRET}", "postgresql://ana:***"),
        (f"postgresql://ana:a@{SECRET}@host/club", "postgresql://ana:***@host/club"),
        (f"postgresql://ana:a/{SECRET}@host/club", "postgresql://ana:***@host/club"),
        (f"postgresql://an/a:{SECRET}@host/club", "postgresql://an/a:***@host/club"),
        (f"postgresql://ana:my {SECRET}@host/club", "postgresql://ana:***@host/club"),
        (f"postgresql:/ana:{SECRET}@host/club", "postgresql:/ana:***@host/club"),
        (f"'ana:{SECRET}@host:5432/club'", "'ana:***@host:5432/club'"),
        (f"postgresql:///club?password={SECRET}", "postgresql:///club?password=***"),
        (f"postgresql:///club?PassWord={SECRET}&a=b", "postgresql:///club?PassWord=***&a=b"),
        (f"postgresql:///club?pass%77ord={SECRET}", "postgresql:///club?pass%77ord=***"),
        (f"postgresql:///club?a=b&sslpassword={SECRET}", "postgresql:///club?a=b&sslpassword=***"),
        (f"postgresql:///club?oauth_client_secret={SECRET}", None),
        (f"postgresql:///club?scram_client_key={SECRET}", None),
        (f"postgresql:///club?options=-c%20my.password%3D{SECRET}", None),
        (f"host=h password={SECRET} dbname=club", "host=h password=*** dbname=club"),
        (f"host=h password = {SECRET}", "host=h password = ***"),
        (f"password='my {SECRET}' host=h", "password=*** host=h"),
        (rf"password='it\'s {SECRET}' host=h", "password=*** host=h"),
        (f"password=my {SECRET} host=h", "password=*** host=h"),
        (f"--db=postgresql:///club?password={SECRET}", "--db=postgresql:///club?password=***"),
        (f"password=***{SECRET} host=h", "password=*** host=h"),
        (f"a=b=c password={SECRET}&password={SECRET}", "a=b=c password=***&password=***"),
        (f"PRIVATE+KEY+me+00000000+{SECRET}", "PRIVATE+KEY+***"),
    ],
)
def test_a_secret_is_masked_once_and_for_all(text: str, shown: str | None) -> None:
    made = masked(text)
    assert SECRET not in made
    assert "***" in made
    assert shown in {None, made}
    assert masked(made) == made


@pytest.mark.parametrize(
    "text",
    [
        "club.db",
        "C:/clubs/a@b.db",
        "postgresql://ana@host:5432/club?host=%2Ftmp&sslmode=require",
        "postgresql://[::1]:5432/club",
        "tournament:open@home",
        "ENF 2010-07@1: seq 12 to 14",
        "--param k=20, sslkey=client.key passfile=~/.pgpass",
        "Núñez: a@b.cl; C:\\a@b",
        "connection to server at 127.0.0.1, port 1 failed: password authentication failed",
    ],
)
def test_what_is_no_secret_is_shown(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        " ",
        "=",
        "a=",
        "a= ",
        "a b=",
        "ab:c@",
        "'ab:c",
        "x:/y:",
        "x:/y:@",
        "@a:/",
        "password=",
        "'",
        "='\\'",
        "%3d=",
    ],
)
def test_a_long_text_takes_no_longer_than_it_must(piece: str) -> None:
    """Whatever is quoted, from an archive by a stranger too."""
    begun = time.process_time()
    masked(f"={piece * (100_000 // len(piece))}@:/")
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_message_quotes_a_secret(language: str) -> None:
    url = f"postgresql://ana:{SECRET}@host/club?password={SECRET}"
    for value in (url, ValueError(url), Message.of("csv.no_sex", value=url)):
        said = Message.of("csv.no_sex", value=value).within(language)
        assert SECRET not in said
        assert "postgresql://ana:***@host/club?password=***" in said
