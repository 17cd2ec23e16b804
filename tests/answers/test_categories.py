"""Clubs, regions and licences hold from a day on; lists, standings and prizes go by them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest

from ledger.answers.directory import Selection, clubs_of, members_today, player_known, selected
from ledger.answers.lists import show
from ledger.answers.people_pages import PeopleAsked, people_page
from ledger.answers.tournaments import (
    standings_of_category,
    tournament_prizes,
    tournament_standings,
)
from ledger.errors import InputRefused
from ledger.operations import commands as c
from ledger.reports.categories import EVERYBODY, Category
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.service.operations import carry_out
from ledger.service.retractions import undo_commit
from ledger.views.federation import FederationRules
from tests.ledgers import NOW, define, do, empty_ledger, games, import_text, request

TODAY = NOW.date()
HEADER = "id,name,federation,sex,birth_date,rating,games,club,region,licensed_until\n"
PEOPLE = HEADER + (
    '1,"Perez, Juan",CHI,m,1996-12-31,1450,50,Club Alekhine,Valparaíso,2010-12-31\n'
    '2,"Soto, Ana",CHI,w,1997,1500,50,Club Alekhine,Valparaíso,\n'
    '3,"Rojas, Luis",CHI,m,1960,1900,50,Torre Norte,Antofagasta,2027-06-30\n'
    '4,"Diaz, Eva",CHI,w,1961,1700,50,-,Santiago,2027-12-31\n'
    '5,"Vera, Pia",CHI,w,1995,,,Torre Norte,,\n'
    '6,"Gil, Max",CHI,m,,2000,50,,,\n'
)


def ledger_with(people: str = PEOPLE) -> Ledger:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, people, list_="ENF")
    return ledger


@pytest.fixture
def ledger() -> Ledger:
    return ledger_with()


def affiliate(player: str, on: dt.date = TODAY, **others: object) -> c.AffiliatePlayer:
    unsaid = dict.fromkeys(("club", "region", "licensed_until"))
    return c.AffiliatePlayer(player=player, on=on, **unsaid | others)


def category(text: str, table: str = "") -> Category:
    return Category.parse(text, table)


def of(ledger: Ledger, text: str) -> list[str]:
    """Returns who is of a category today, by id."""
    return members_today(ledger, category(text))


# Facts by date


def test_what_a_document_says_first_always_held(ledger: Ledger) -> None:
    sheet = player_known(ledger, "1")
    assert (sheet.club, sheet.region) == ("Club Alekhine", "Valparaíso")
    assert [each.from_on for each in sheet.affiliations] == [dt.date.min]
    assert player_known(ledger, "4").club is None
    receipt = import_text(ledger, PEOPLE, list_="ENF")
    assert not receipt.events


def test_another_club_in_a_document_holds_from_its_day_on(ledger: Ledger) -> None:
    moved = HEADER + '1,"Perez, Juan",CHI,m,1996-12-31,,,Torre Norte,Valparaíso,\n'
    receipt = import_text(ledger, moved, on=dt.date(2010, 8, 1))
    assert [each.effective_on for each in receipt.events] == [dt.date(2010, 8, 1)]
    clubs = {row.club: row.players for row in clubs_of(ledger, dt.date(2010, 7, 31)).clubs}
    assert clubs["Club Alekhine"] == 2
    later = {row.club: row.players for row in clubs_of(ledger, dt.date(2010, 8, 1)).clubs}
    assert later["Club Alekhine"] == 1
    left = HEADER + '1,"Perez, Juan",CHI,m,1996-12-31,,,-,,\n'
    import_text(ledger, left)
    assert player_known(ledger, "1").club is None
    assert player_known(ledger, "1").region == "Valparaíso"


def test_each_is_said_by_itself_and_the_day_orders_them(ledger: Ledger) -> None:
    do(ledger, affiliate("6", dt.date(2010, 9, 1), club="Torre Norte"))
    do(ledger, affiliate("6", dt.date(2010, 7, 1), club="Otro", region="Sur"))  # it was told late
    sheet = player_known(ledger, "6")
    assert (sheet.club, sheet.region) == ("Torre Norte", "Sur")
    for refused, key in (
        (affiliate("6"), "player.no_affiliation"),
        (affiliate("6", region="Sur"), "player.affiliated_so"),
        (affiliate("6", club="Torre\u200bNorte"), "player.unseen"),
    ):
        with pytest.raises(InputRefused) as refusal:
            do(ledger, refused)
        assert refusal.value.message.key == key


def test_taken_back_it_never_held(ledger: Ledger) -> None:
    receipt = do(ledger, affiliate("6", club="Torre Norte"))
    assert of(ledger, "club torre norte") == ["3", "5", "6"]
    assert receipt.commit_id is not None
    undo_commit(ledger, c.UndoCommit(commit=receipt.commit_id), request())
    assert of(ledger, "club torre norte") == ["3", "5"]
    assert player_known(ledger, "6").affiliations == []


def test_of_a_merged_person_both_ids_tell(ledger: Ledger) -> None:
    do(ledger, c.MergePlayers(player="5", into="6", on=TODAY))
    assert player_known(ledger, "6").club == "Torre Norte"
    page = people_page(ledger, PeopleAsked(category=category("club torre")))
    assert {row.id for row in page.people} == {"3", "6"}


def test_of_an_erased_person_no_club_is_shown_and_it_is_said_that_it_stays(ledger: Ledger) -> None:
    erasure = erase_player(ledger, c.ErasePlayer(player="1", on=TODAY), request("asked for it"))
    assert "erasure.affiliated" in [message.key for message in erasure.beyond_reach()]
    sheet = player_known(ledger, "1")
    assert (sheet.club, sheet.region, [*sheet.affiliations]) == (None, None, [])


def test_a_licence_runs_out(ledger: Ledger) -> None:
    assert of(ledger, "licensed") == ["3", "4"]
    do(ledger, affiliate("3", licensed_until=TODAY - dt.timedelta(days=1)))
    assert of(ledger, "con licencia") == ["4"]


# What is asked


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("club alekhine", ["1", "2"]),
        ("club Norte", ["3", "5"]),
        ("región valparaiso", ["1", "2"]),
        ("region Sur", []),
        ("club Alekhine, licensed", []),
    ],
)
def test_clubs_are_found_by_words_without_accents(
    ledger: Ledger, text: str, ids: Sequence[str]
) -> None:
    assert of(ledger, text) == ids


def test_ages_are_those_of_the_calendar_year(ledger: Ledger) -> None:
    ledger_2010 = [
        ("U14", ["1", "2"]),
        ("U16", ["1", "2", "5"]),
        ("S50", ["3"]),
        ("S65", []),
    ]
    july = show(ledger, "ENF", "2010-07")
    for text, ids in ledger_2010:
        rows = selected(ledger, july, Selection(category=category(text)))
        assert sorted(rows.column("id")) == [id_ for id_ in ids if id_ != "5"]  # she has no rating
    ledger.federation = FederationRules(age_groups="Juvenil=13-14")
    rows = selected(ledger, july, Selection(category=category("juvenil", "Juvenil=13-14")))
    assert sorted(rows.column("id")) == ["1", "2"]


def test_a_list_is_cut_and_the_others_keep_their_rank(ledger: Ledger) -> None:
    july = show(ledger, "ENF", "2010-07")
    rows = selected(ledger, july, Selection(category=category("women, under 1700")))
    assert [(row.rank, row.id) for row in rows] == [(4, "2")]
    top = selected(ledger, july, Selection(category=category("region valparaíso"), top=1))
    assert [(row.rank, row.id) for row in top] == [(4, "2")]
    # The list of July is in force in August: a club of its last day counts, one of September not.
    do(ledger, affiliate("6", dt.date(2010, 8, 31), club="Torre Norte"))
    do(ledger, affiliate("4", dt.date(2010, 9, 1), club="Torre Norte"))
    rows = selected(ledger, july, Selection(category=category("club torre norte")))
    assert [row.id for row in rows] == ["6", "3"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("U13", "category.no_group"),
        ("U14, U16", "category.twice"),
        ("w, mujeres", "category.twice"),
        ("under ten", "category.no_group"),
    ],
)
def test_what_is_no_condition_is_refused(text: str, key: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        category(text)
    assert refusal.value.message.key == key


def test_a_category_has_a_name_in_both_languages() -> None:
    women = category("mujeres, bajo 1600, u14, club Alekhine, con licencia")
    assert women.name("en") == "U14, women, under 1600, Alekhine, licensed"
    assert women.name("es") == "U14, mujeres, bajo 1600, Alekhine, con licencia"
    assert category("") == EVERYBODY


# Standings and prizes


def with_open(ledger: Ledger) -> Ledger:
    import_text(
        ledger,
        games("open", "1,,1,2,1-0", "1,,3,4,1-0", "1,,5,6,1-0", "2,,1,3,1-0", "2,,5,2,1-0",
              "2,,6,4,1-0", day="2010-07-10"),
    )  # fmt: skip
    return ledger


def test_standings_are_cut_and_the_others_keep_their_place(ledger: Ledger) -> None:
    with_open(ledger)
    whole = tournament_standings(ledger, "open")
    cut = standings_of_category(ledger, whole, category("women"))
    assert [row.id for row in cut.rows] == [
        row.id for row in whole.rows if row.id in {"2", "4", "5"}
    ]
    assert {row.id: row.rank for row in cut.rows}.items() <= {
        row.id: row.rank for row in whole.rows
    }.items()
    assert standings_of_category(ledger, whole, EVERYBODY) is whole


def prizes(ledger: Ledger) -> list[tuple[str, str, int]]:
    return [(row.category, row.id, row.prize) for row in tournament_prizes(ledger, "open").prizes]


def announce(ledger: Ledger, *lines: str, late: bool = True) -> None:
    read = [(line.rpartition(":")[0], (int(line.rpartition(":")[2]),)) for line in lines]
    carry_out(
        ledger,
        c.AnnouncePrizes(tournament="open", prizes=tuple(read), as_correction=late),
        request(),
    )


def test_nobody_gets_two_prizes(ledger: Ledger) -> None:
    with_open(ledger)
    with pytest.raises(InputRefused) as refusal:
        announce(ledger, "women:100", late=False)
    assert refusal.value.message.key == "desk.prizes_too_late"
    announce(ledger, "women:100", "club torre norte:80", "under 1600:70", "U14:60")
    # Pia could have the first two, Juan the last two: each keeps the greater one.
    assert prizes(ledger) == [
        ("women", "5", 100),
        ("club torre norte", "3", 80),
        ("under 1600", "1", 70),
        ("U14", "2", 60),
    ]
    money = {row.id: row.prize for row in tournament_standings(ledger, "open").rows}
    assert money == {"5": 100, "3": 80, "1": 70, "2": 60, "4": 0, "6": 0}
    changes = tournament_standings(ledger, "open").changes
    assert [change.rules for change in changes] == [("category_prizes",)]


def test_an_unknown_club_is_refused_with_those_there_are(ledger: Ledger) -> None:
    with_open(ledger)
    with pytest.raises(InputRefused) as refusal:
        announce(ledger, "club alekine:100")
    assert refusal.value.message.key == "category.no_body"
    assert "Club Alekhine" in [str(each.message) for each in refusal.value.details]


def test_a_group_that_is_no_more_has_nobody(ledger: Ledger) -> None:
    with_open(ledger)
    announce(ledger, "U14:60")
    ledger.federation = FederationRules(age_groups="S60")
    assert prizes(ledger) == []
