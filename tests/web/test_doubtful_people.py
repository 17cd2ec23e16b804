"""People in a file whose names fit members: decided on the page, or by the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.answers.directory import player_known
from ledger.operations.commands import LinkPlayer
from ledger.service.operations import carry_out
from tests.intake.trf.writing import file, player
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    empty_ledger,
    import_text,
    request,
    with_officers,
)
from tests.web.submitting import ORIGIN, Staffed, staffed

MEMBERS = '101,"Soto Pérez, Ana María",CHI,w,1990,,,\n102,"González, Juan",CHI,m,1985,,,\n'
REPORT = file(
    "012 Open", "042 2025/01/02", "052 2025/01/02", "092 Swiss",
    player(1, "Soto, Ana", "   2 w 1", sex="w", federation="CHI", birth="1990/00/00"),
    player(2, "Gonzales, J.", "   1 b 0", sex="m", federation="CHI", birth="1985/00/00"),
)  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    made = empty_ledger()
    import_text(made, PLAYERS_HEADER + MEMBERS)
    with staffed(with_officers(made, "ana", "luis"), tmp_path) as opened:
        yield opened


def _decided(site: Staffed, id_: str, **whom: str) -> str:
    chosen = {f"who:{who.removeprefix('n')}": each for who, each in whom.items()}
    page = site.eva.step(id_, "people", **chosen)
    assert page.status_code == 200, page.text
    return page.text


def test_a_decision_is_taken_back_where_something_else_is_refused(site: Staffed) -> None:
    rows = about("cup", "2025-01-02", '"Sotto Pérez, Ana María",102,1-0', "102,Z,1-0")
    id_ = site.eva.drafted(GAMES_HEADER + rows)
    page = site.eva.get(f"/submissions/{id_}").text
    (who,) = re.findall(r'name="(who:[^"]+)" value="is:101"', page)
    page = site.eva.step(id_, "people", **{who: "is:101"}).text
    assert "There is no player &#39;Z&#39;" in page
    assert "You decided about 1 person here" in page
    again = site.eva.hidden(site.eva.get(f"/submissions/{id_}"), "/people#doubtful")
    page = site.eva.post(f"/submissions/{id_}/people", again).text
    assert re.findall(r'name="(who:[^"]+)" value="is:101"', page) == [who]


def test_an_unknown_name_of_a_table_of_games_can_be_a_new_person(site: Staffed) -> None:
    rows = about("cup", "2025-01-02", '"Zapata, Rosa",102,1-0')
    id_ = site.eva.drafted(GAMES_HEADER + rows)
    page = site.eva.get(f"/submissions/{id_}").text
    assert re.findall(r'name="(who:[^"]+)" value="([^"]+)"', page) == [("who:Zapata, Rosa", "new")]
    assert not site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")
    page = site.eva.step(id_, "people", **{"who:Zapata, Rosa": "new"}).text
    assert "1 new person" in page
    assert site.eva.step(id_, "hand-in").status_code == 200
    site.ana.step(id_, "accept")
    record = site.ledger.tournament("cup", site.head)
    assert record is not None
    (rosa,) = set(record.entries) - {"102"}
    assert player_known(site.ledger, rosa).name == "Zapata, Rosa"


def test_who_is_doubtful_is_decided_on_the_page(site: Staffed) -> None:
    id_ = site.eva.drafted(REPORT, rate_of_play="classical")
    page = site.eva.get(f"/submissions/{id_}").text
    assert re.findall(r'name="(who:\d+)" value="([^"]+)"', page) == [
        ("who:1", "is:101"), ("who:1", "new"), ("who:2", "is:102"), ("who:2", "new")
    ]  # fmt: skip
    assert not site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")
    page = _decided(site, id_, n1="is:101")
    assert re.findall(r'name="(who:\d+)" value="is', page) == ["who:2"]
    _decided(site, id_, n2="new")
    assert site.eva.step(id_, "hand-in").status_code == 200
    site.ana.step(id_, "accept")
    record = site.ledger.tournament("open-2025-01-02", site.head)
    assert record is not None
    assert set(record.entries) == {"101", "open-2025-01-02#2"}


def test_the_decision_holds_for_the_next_report_of_the_arbiter(site: Staffed) -> None:
    id_ = site.eva.drafted(REPORT, rate_of_play="classical")
    _decided(site, id_, n1="is:101", n2="is:102")
    site.eva.step(id_, "hand-in")
    site.ana.step(id_, "accept")
    second = REPORT.replace(b"012 Open", b"012 More")
    id_ = site.eva.drafted(second, rate_of_play="classical")
    assert site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")
    id_ = site.ivan.drafted(second, rate_of_play="classical")
    assert not site.ivan.offers(site.ivan.get(f"/submissions/{id_}"), "hand-in")


def test_what_is_mended_keeps_what_was_decided_and_another_file_does_not(site: Staffed) -> None:
    id_ = site.eva.drafted(REPORT, rate_of_play="classical")
    _decided(site, id_, n1="is:101")
    mended = site.eva.step(id_, "mend", rate_of_play="rapid").text
    assert re.findall(r'name="(who:\d+)" value="is', mended) == ["who:2"]
    hidden = site.eva.hidden(site.eva.get(f"/submissions/{id_}"), "mend")
    page = site.eva.post(f"/submissions/{id_}/mend", {**hidden, "rate_of_play": "rapid"}, REPORT)
    assert re.findall(r'name="(who:\d+)" value="is', page.text) == ["who:1", "who:2"]


def test_programs_say_it_with_the_file(site: Staffed) -> None:
    path = "/api/v1/submissions/files?file=o.trf&rate-of-play=classical"
    headers = {
        "x-account": "eva", "content-type": "application/octet-stream", "Idempotency-Key": "k"
    }  # fmt: skip
    refused = site.client.post(path, content=REPORT, headers=headers)
    assert (refused.status_code, refused.json()["type"].rpartition("/")[2]) == (
        409, "import.doubtful"
    )  # fmt: skip
    answer = site.client.post(f"{path}&as=1%3D101&new=2", content=REPORT, headers=headers)
    assert answer.json()["state"] == "handed-in", answer.text


def test_any_id_finds_a_player_on_the_site(site: Staffed) -> None:
    carry_out(site.ledger, LinkPlayer(player="101", ids=("fide=3400001",)), request())
    assert "Soto Pérez" in site.eva.get("/players?q=3400001").text
    page = site.eva.get("/players/101").text
    assert "FIDE id" in page
    assert "3400001" in page
    assert [each.id for each in player_known(site.ledger, "101").ids] == ["3400001"]


def test_a_newcomer_is_registered_at_the_desk_and_confirmed_by_an_officer(site: Staffed) -> None:
    opened = {"tournament": "t", "name": "Open", "start": "2026-01-01", "end": "2026-01-01"}
    page = site.eva.get("/desk/new")
    key = site.eva.hidden(page, "/desk/new")
    made = site.eva.post("/desk/new", {**key, **opened, "rate_of_play": "classical"})
    assert made.status_code == 200, made.text
    page = site.eva.get("/desk/t/entries?search=Nobody")
    key = site.eva.hidden(page, "/newcomers")
    who = {"name": "Soto, Ana", "birth_date": "1990", "sex": "w", "federation": "CHI"}
    refused = site.eva.post("/desk/t/newcomers", {**key, **who})
    assert refused.status_code == 409
    assert "Soto Pérez" in refused.text
    assert 'name="player" value="101"' in refused.text, "who may be meant is one tick away"
    made = site.eva.post("/desk/t/newcomers", {**key, **who, "anyway": "true"})
    assert "N00001" in made.text
    waiting = site.ana.get("/newcomers")
    assert "Soto, Ana" in waiting.text
    site.ana.post("/newcomers/N00001", site.ana.hidden(waiting, "/newcomers/N00001"))
    assert "No newcomer waits" in site.ana.get("/newcomers").text
    unknown = site.ana.post("/newcomers/nobody?lang=es", {"key": "k"})
    assert unknown.status_code == 404
    assert "no hay un jugador " in unknown.text
    assert "player add" not in unknown.text
    assert site.eva.get("/newcomers").status_code == 403


def test_a_refused_form_can_be_read_in_the_other_language(site: Staffed) -> None:
    """Its own address answers forms alone: the switch leads to the page on which it stands."""
    headers = {"x-account": "eva", "origin": ORIGIN, "referer": f"{ORIGIN}/submissions/new?x=1"}
    refused = site.client.post("/submissions/new", data={"key": "k"}, headers=headers)
    assert refused.status_code == 422
    assert 'href="/submissions/new?lang=es"' in refused.text
    other = site.client.get("/submissions/new?lang=es", headers=headers)
    assert other.status_code == 200


class TestMany:
    """Many people are decided by one button, which fills in the form, and by single rows."""

    def _chosen(self, page: str) -> list[tuple[str, str]]:
        return re.findall(r'name="(who:\d+)" value="([^"]*)"[^>]* checked', page)

    @pytest.mark.parametrize(
        ("choice", "words"),
        [("likely", ["is:101", "is:102"]), ("new", ["new"] * 2), ("", [""] * 2)],
    )
    def test_a_button_fills_in_the_form_and_decides_nothing(
        self, site: Staffed, choice: str, words: list[str]
    ) -> None:
        id_ = site.eva.drafted(REPORT, rate_of_play="classical")
        page = site.eva.step(id_, "people", all=choice, **{"who:1": "new"}).text
        assert self._chosen(page) == [*zip(["who:1", "who:2"], words, strict=True)]
        before = site.eva.get(f"/submissions/{id_}").text
        assert self._chosen(before) == [("who:1", ""), ("who:2", "")]

    def test_a_member_is_the_likeliest_of_one_of_them(self, site: Staffed) -> None:
        namesakes = file(
            "012 Open", "042 2025/01/02", "052 2025/01/02", "092 Swiss",
            player(1, "Soto, A.", "   2 w 1", sex="w", federation="CHI"),
            player(2, "Soto Perez, Ana", "   1 b 0", sex="w", federation="CHI", birth="1990/00/00"),
        )  # fmt: skip
        id_ = site.eva.drafted(namesakes, rate_of_play="classical")
        page = site.eva.step(id_, "people", all="likely").text
        assert self._chosen(page) == [("who:1", ""), ("who:2", "is:101")]

    def test_fifty_are_decided_at_once_and_again(self, site: Staffed) -> None:
        lines = (
            player(
                at, "Soto, Ana", f"{at + 1 if at % 2 else at - 1:4} {'w' if at % 2 else 'b'} =",
                sex="w", federation="CHI", birth="1990/00/00",
            )
            for at in range(1, 103)
        )  # fmt: skip
        many = file("012 Open", "042 2025/01/02", "052 2025/01/02", "092 Swiss", *lines)
        id_ = site.eva.drafted(many, rate_of_play="classical")
        page = site.eva.step(id_, "people", all="new").text
        assert "The first 50 are shown" in page
        assert len(page.encode()) < 60_000
        chosen = dict(self._chosen(page))
        assert len(chosen) == 50
        page = site.eva.step(id_, "people", **chosen).text
        assert "52 people to be decided" in page
        assert "50 new people" in page
        again = site.eva.hidden(site.eva.get(f"/submissions/{id_}"), "/people#doubtful")
        page = site.eva.post(f"/submissions/{id_}/people", again).text
        assert "102 people to be decided" in page

    def test_candidates_stand_beside_what_the_file_says(self, site: Staffed) -> None:
        import_text(site.ledger, 'id,name,club\n101,"Soto Pérez, Ana María",Club Chile\n')
        import_text(site.ledger, GAMES_HEADER + about("T", "2024-07-20", "101,102,1-0"))
        id_ = site.eva.drafted(REPORT, rate_of_play="classical")
        page = site.eva.get(f"/submissions/{id_}").text
        row = page[page.index('value="is:101"') :].partition("</tr>")[0]
        told = re.findall(r"<td[^>]*>(?:<bdi>)?([^<]*)", row)
        assert told[:-1] == ["1990", "Club Chile", "CHI", "", "2024-07-20"]

    def test_who_has_a_link_sees_who_is_doubtful(self, site: Staffed) -> None:
        id_ = site.eva.drafted(REPORT, rate_of_play="classical")
        shared = site.eva.step(id_, "share").text
        link = re.findall(r"/previews/[\w-]+", shared)[0]
        assert "Soto Pérez, Ana María" in site.eva.get(link).text
