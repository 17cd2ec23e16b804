"""A place that was freed and filled again is not filled twice, however it was freed and filled.

Each type of event declares here which place it fills or frees, or why none. Every place is filled,
freed and filled again in every way that is declared; then what freed it is taken back. That is
refused, naming what fills the place, or the ledger is as if only the rest was ever recorded.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count, permutations
from typing import Any, Final

import pytest

from ledger.answers.directory import directory_of
from ledger.calendar import Calendar
from ledger.errors import InputRefused
from ledger.events.catalogue import CATALOGUE, UNDOING
from ledger.events.personal import Identity, IssuedId
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.reports.directory import PlayerDirectory
from ledger.results import Bye, Result
from ledger.service import identities
from ledger.service.ledger import Ledger, Request
from ledger.service.operations import carry_out
from ledger.service.retractions import NEVER
from ledger.terms import PairingMethod, Rate, System
from ledger.views.view import LedgerView
from tests.ledgers import copied, define, do, empty_ledger, games, import_text
from tests.matrix.held_facts import answers, ledger_conflicts, only_held_facts

FIRST, LAST = dt.date(2010, 7, 1), dt.date(2010, 7, 10)
NAMES: Final = {
    "A": "Soto, Ana", "B": "Rojas, Luis", "C": "Vera, Eva", "D": "Paz, Leo", "E": "Gil, Mateo",
    "F": "Duarte, Iris", "G": "Novak, Petra", "H": "Zorro, Hugo", "N": "Quiroga, Omar",
    "X": "Kovacs, Judit", "Y": "Bravo, Tito",
}  # fmt: skip
_keys = count()

Act = Callable[[Ledger], object]


def ask(ledger: Ledger, *commands: c.Input) -> int:
    """Carries out operations as the faces do; returns the commit of the last one."""
    for command in commands:
        request = Request("officer", "a reason", f"matrix:{next(_keys)}", "")
        receipt = carry_out(ledger, command, request)
    assert receipt.commit_id is not None
    return receipt.commit_id


def undo(ledger: Ledger, commit: int) -> int:
    return ask(ledger, c.UndoCommit(commit=commit))


def act(*commands: c.Input) -> Act:
    """Returns what carries out operations, each in a commit of its own."""
    return lambda ledger: ask(ledger, *commands)


def game(white: str, black: str, result: str, round_: int = 1, tournament: str = "T") -> c.Command:
    model: type[c.AdjournGame | c.AdjudicateGame | c.RecordGame] = c.RecordGame
    fields: dict[str, Any] = {} if result == "*" else {"result": Result.parse(result)}
    if result == "*":
        model = c.AdjournGame
    elif result.endswith("a"):
        model, fields["ruling"] = c.AdjudicateGame, "definitive"
    fields |= {"tournament": tournament, "round": round_, "white": white, "black": black}
    return model(**fields, anyway=True)


def bye(player: str, kind: str, round_: int = 1) -> c.Command:
    return c.GiveBye(tournament="T", round=round_, player=player, kind=Bye(kind), anyway=True)


def correct(result: str) -> c.Command:
    return c.CorrectResult(
        tournament="T", round=1, white="A", black="B", result=Result.parse(result)
    )


def annul(white: str, black: str | None, round_: int = 1) -> c.Command:
    return c.AnnulResult(tournament="T", round=round_, white=white, black=black)


def enter(player: str, number: int | None = None, tournament: str = "T") -> c.Command:
    return c.EnterPlayer(tournament=tournament, player=player, starting_number=number)


def open_tournament(name: str, system: System = System.SWISS, rounds: int = 5) -> c.Command:
    return c.OpenTournament(
        tournament=name, name=name, starts_on=FIRST, ends_on=LAST, system=system,
        rate_of_play=Rate.CLASSICAL, rounds=rounds,
    )  # fmt: skip


def rules(tournament: str, pairing: PairingMethod = PairingMethod.FENAMAC_1975) -> c.Command:
    return c.AnnounceRules(tournament=tournament, pairing=pairing, tie_breaks=())


def pair(tournament: str) -> c.Input:
    return c.PairRound(tournament=tournament, round=None, list=None)


def win_at_each_board(tournament: str) -> Act:
    """Returns what records a win of White at each board of the last published round."""

    def fill(ledger: Ledger) -> int:
        record = ledger.tournament(tournament, ledger.journal.head().seq)
        assert record is not None
        last = record.desk.last_round
        boards = record.desk.rounds[last].boards
        return ask(ledger, *(game(*board, "1-0", last, tournament) for board in boards))

    return fill


def one_after_the_other(*acts: Act) -> Act:
    return lambda ledger: [each(ledger) for each in acts][-1]


def link(player: str, id_: str) -> c.Input:
    return c.LinkPlayer(player=player, ids=(f"fide={id_}",))


def register(player: str, fide: str | None = None) -> c.Command:
    ids = () if fide is None else (IssuedId(id=fide, issuer="fide"),)
    identity = Identity(name=NAMES[player], ids=ids or None)
    return c.RegisterPlayer(
        player=player, identity=identity, salt=f"{next(_keys):032x}", federation=None, on=FIRST
    )


def merge(player: str, into: str) -> c.Command:
    return c.MergePlayers(player=player, into=into, on=FIRST, anyway=True)


def seed(player: str) -> c.Command:
    return c.SeedRating(
        player=player, rating=1900, list="ENF", on=FIRST, games=None, k=None, source=None
    )


def join_ladder(player: str) -> Act:
    return lambda ledger: do(
        ledger,
        c.OpenLadder(
            ladder="club", list="ENF", players=("A", player), ratings={"A": 1800, player: 1500},
            on=FIRST, as_given=True,
        ),
    ).commit_id  # fmt: skip


def enter_team(team: str, players: tuple[str, ...], number: int | None = None) -> c.Command:
    return c.EnterTeam(
        tournament="W", team=team, name=team, participants=players, starting_number=number
    )


def calendar(on: dt.date, kind: Calendar) -> c.Command:
    return c.SetCalendar(list="ENF", calendar=kind, on=on)


def adopt(regulation: str) -> c.Input:
    return c.NewRegulation(list="ENF", regulation=regulation, on=dt.date(2010, 9, 1))


def number(*players: str) -> c.Command:
    return c.AssignNumbers(tournament="T", participants=players, basis="hand")


_ITSELF: Final = ("itself",)


@dataclass(frozen=True)
class Place:
    """A place that is filled by ``holder``, and by ``fillers`` once it was freed.

    A filler comes with what a refusal has to name. ``freed`` are other ways of freeing the place
    than those of ``freed_by_undo``; ``_ITSELF`` stands for a holder that is itself what frees it.
    """

    holder: Act
    fillers: Mapping[str, tuple[Act, str]]
    freed: Mapping[str, Act] = field(default_factory=dict)
    freed_by_undo: tuple[str, ...] = ("taken back", "again and again")


_GAMES: Final[Mapping[str, tuple[Act, str]]] = {
    "the game again": (act(game("A", "B", "1-0")), "A - B 1-0"),
    "another result": (act(game("A", "B", "0-1")), "A - B 0-1"),
    "a game corrected later": (act(game("A", "B", "1-0"), correct("1/2-1/2")), "A - B 1/2-1/2"),
    "a game that counts otherwise": (
        act(
            game("A", "B", "1-0"),
            c.CorrectResult(
                tournament="T", round=1, white="A", black="B", result=None, rating_only=True
            ),
        ),
        "A - B 1-0",
    ),
    "other colours": (act(game("B", "A", "0-1")), "B - A 0-1"),
    "another Black": (act(game("A", "C", "1-0")), "A - C 1-0"),
    "another White": (act(game("D", "B", "1-0")), "D - B 1-0"),
    "two games": (act(game("C", "A", "1-0"), game("B", "D", "1-0")), "C - A 1-0"),
    "a forfeit": (act(game("A", "B", "+/-")), "A - B +/-"),
    "an adjourned game": (act(game("A", "B", "*")), "A - B *"),
    "an adjudicated game": (act(game("A", "B", "1-0a")), "A - B 1-0a"),
    "a bye of White": (act(bye("A", "half")), "A half"),
    "a bye of Black": (act(bye("B", "zero")), "B zero"),
    "a withdrawal": (
        act(c.WithdrawPlayer(tournament="T", player="A", from_round=1)), "withdrew"
    ),
}  # fmt: skip
_ANNULLED: Final = {"annulled": act(annul("A", "B"))}
_OTHER_IDS: Final[Mapping[str, tuple[Act, str]]] = {
    "another player's": (act(link("B", "3400001")), "B"),
    "a newcomer's": (act(register("G", "3400001")), "G"),
    "another in a file": (
        lambda ledger: import_text(ledger, "id;name;fide_id\nH;Zorro, Hugo;3400001\n"), "H",
    ),
    "a given up id's": (act(link("Y", "3400001"), merge("Y", "C")), "C"),
    "another id": (act(link("A", "3400002")), ""),
}  # fmt: skip

PLACES: Final[Mapping[str, Place]] = {
    "pairing of a game": Place(act(game("A", "B", "1-0")), _GAMES, _ANNULLED),
    "pairing of a forfeit": Place(act(game("A", "B", "-/+")), _GAMES, _ANNULLED),
    "pairing of an adjourned game": Place(act(game("A", "B", "*")), _GAMES, _ANNULLED),
    "pairing of an adjudicated game": Place(act(game("A", "B", "0-1a")), _GAMES, _ANNULLED),
    "pairing of a game that was corrected": Place(
        lambda ledger: do(ledger, game("A", "B", "1-0"), correct("0-1")).commit_id,
        _GAMES,
        _ANNULLED,
    ),
    "word on a game": Place(
        act(game("A", "B", "1-0"), correct("0-1")),
        {
            "corrected otherwise": (act(correct("1/2-1/2")), "A - B 1/2-1/2"),
            "annulled": (act(annul("A", "B")), ""),
        },
    ),
    "bye": Place(
        act(bye("A", "half")),
        {
            **{
                name: (fill, named if "A" in named else "")
                for name, (fill, named) in _GAMES.items()
            },
            "another bye": (act(bye("A", "full")), "A full"),
        },
        {"annulled": act(annul("A", None))},
    ),
    "entry": Place(
        act(enter("E", 7)),
        {
            "its number": (act(enter("F", 7)), "F"),
            "under another number": (act(enter("E", 8)), "E"),
            "in another place": (act(enter("F", 8)), ""),
        },
    ),
    "numbers": Place(
        act(enter("E", 9), number("E", "D", "C", "B", "A")),
        {"a number of before": (act(enter("F", 9)), "F"), "another": (act(enter("F", 6)), "")},
        freed_by_undo=_ITSELF,
    ),
    "entry with a number given later": Place(
        act(enter("E", 9)),
        {"numbers given": (act(number("E", "D", "C", "B", "A")), "E")},
        freed_by_undo=_ITSELF,
    ),
    "withdrawal": Place(
        act(c.WithdrawPlayer(tournament="T", player="A", from_round=2)),
        {"a game": (act(game("A", "C", "1-0", 3)), "A - C 1-0")},
    ),
    "return": Place(
        act(
            c.WithdrawPlayer(tournament="T", player="A", from_round=2),
            c.ReturnPlayer(tournament="T", player="A", from_round=3),
        ),
        {"a game": (act(game("A", "C", "1-0", 3)), "A - C 1-0")},
        freed_by_undo=_ITSELF,
    ),
    "rounds of a tournament": Place(
        act(
            open_tournament("P", rounds=1), *(enter(player, None, "P") for player in "ABCD"),
            rules("P"), c.ChangeRounds(tournament="P", rounds=3),
        ),
        {
            "a round more": (
                one_after_the_other(act(pair("P")), win_at_each_board("P"), act(pair("P"))), "P"
            ),
        },
        freed_by_undo=_ITSELF,
    ),
    "tournament": Place(
        act(
            open_tournament("V"),
        ),
        {"nothing": (lambda _: None, "")},
    ),
    "issued id": Place(
        act(link("A", "3400001")), _OTHER_IDS, {"taken away": act(link("A", ""))}
    ),
    "issued id of a newcomer": Place(
        act(register("N", "3400001")),
        {name: filler for name, filler in _OTHER_IDS.items() if name != "another id"},
    ),
    "id given up": Place(
        act(merge("X", "F")),
        {
            "the other way round": (act(merge("F", "X")), "F"),
            "for a third": (act(merge("X", "B")), "X"),
            "the other for a third": (act(merge("Y", "X")), ""),
            "both entered": (act(enter("X", 5), enter("F", 6)), "T"),
            "both play": (act(enter("X", 5), enter("F", 6), game("X", "F", "1-0")), "T"),
            "on a ladder": (join_ladder("X"), "club"),
            "both rated": (act(seed("X")), "X"),
            "one erased": (act(c.ErasePlayer(player="F", on=FIRST)), "F"),
        },
    ),
    "id given up before": Place(
        act(link("X", "3400001"), merge("X", "A")),
        {
            "a game for it": (act(game("A", "C", "1-0", 1, "U")), "A"),
            "a bye for it": (
                act(c.GiveBye(tournament="U", round=1, player="A", kind=Bye.HALF, anyway=True)),
                "A",
            ),
            "a withdrawal of it": (
                act(c.WithdrawPlayer(tournament="U", player="A", from_round=2)), "A",
            ),
            "its numbers": (
                act(c.AssignNumbers(tournament="U", participants=("C", "A"), basis="hand")), "A",
            ),
            "its other id": (act(link("A", "3400001")), "3400001"),
            "a game elsewhere": (act(game("A", "C", "1-0", 1, "T")), ""),
        },
        freed_by_undo=_ITSELF,
    ),
    "who is registered": Place(
        act(register("N")),
        {
            "a game": (act(enter("N", 5), game("N", "A", "1-0")), "T"),
            "another given up for it": (act(merge("E", "N")), "N"),
            "given up": (act(merge("N", "E")), "N"),
        },
        freed_by_undo=_ITSELF,
    ),
    "team": Place(
        act(enter_team("t1", ("A", "B"), 1)),
        {
            "its number": (act(enter_team("t2", ("C", "D"), 1)), "t2"),
            "its player": (act(enter_team("t2", ("C", "A"), 2)), "A"),
        },
    ),
    "line-up": Place(
        act(
            enter_team("t1", ("A", "B")),
            c.HandInLineup(tournament="W", team="t1", round=1, participants=("A",)),
        ),
        {
            "another": (
                act(c.HandInLineup(tournament="W", team="t1", round=1, participants=("B",))), "",
            ),
        },
    ),
    "published round": Place(
        act(pair("T")), {"a round": (act(pair("T")), "T"), }
    ),
    "calendar": Place(
        act(calendar(dt.date(2011, 1, 1), Calendar.QUARTERLY)),
        {
            "another calendar": (act(calendar(dt.date(2011, 3, 1), Calendar.TWO_MONTHLY)), "ENF"),
            "its period": (
                act(
                    c.AdjustList(
                        list="ENF", period="2011-01", below=2000, pivot=2000, numerator=1,
                        denominator=2,
                    )
                ),
                "ENF",
            ),
        },
    ),
    "regulation": Place(act(adopt("elo-linear")), {"another": (act(adopt("fide-1972")), "ENF")}),
}  # fmt: skip

OF_PLACE: Final[Mapping[str, tuple[str, ...]]] = {
    "bye.given": ("bye",),
    "forfeit.recorded": ("pairing of a forfeit",),
    "game.adjourned": ("pairing of an adjourned game",),
    "game.adjudicated": ("pairing of an adjudicated game",),
    "lineup.handed-in": ("line-up",),
    "list.calendar-set": ("calendar",),
    "numbers.assigned": ("numbers",),
    "player.entered": ("entry", "entry with a number given later"),
    "player.identity-corrected": ("issued id",),
    "player.registered": ("issued id of a newcomer", "who is registered"),
    "player.returned": ("return",),
    "player.withdrew": ("withdrawal",),
    "players.merged": ("id given up", "id given up before"),
    "regulation.adopted": ("regulation",),
    "result.annulled": ("pairing of a game", "bye"),
    "result.corrected": ("pairing of a game that was corrected", "word on a game"),
    "result.recorded": ("pairing of a game",),
    "round.published": ("published round",),
    "team.entered": ("team",),
    "tournament.corrected": ("rounds of a tournament",),
    "tournament.opened": ("tournament",),
    **dict.fromkeys(sorted(UNDOING), ("issued id",)),
}
"""The types of events that fill a place or free one, with these places."""
_LAST_WORD: Final = "the last word on it holds, and there may be any number of them"
NO_PLACE: Final[Mapping[str, str]] = {
    "absence.announced": "a bye fills the place, once the round is paired",
    "absence.excused": _LAST_WORD,
    "entry.described": _LAST_WORD,
    "list.adjusted": "a step of its own; the same one twice is refused as later",
    "player.affiliated": _LAST_WORD,
    "player.described": _LAST_WORD,
    "player.expelled": _LAST_WORD,
    "player.k-assigned": _LAST_WORD,
    "player.rating-adjusted": "a step of its own; the same one twice is refused as later",
    "player.rating-seeded": _LAST_WORD,
    "player.title-awarded": "a title is held or not",
    "prizes.announced": _LAST_WORD,
    "result.corrected-for-rating": "what it supersedes fills the place",
    "result.retyped": "what it supersedes fills the place",
    "rules.announced": _LAST_WORD,
    "tournament.accepted": _LAST_WORD,
    "tournament.announced": _LAST_WORD,
    "tournament.annulled": _LAST_WORD,
    "tournament.cancelled": _LAST_WORD,
    "tournament.closed": _LAST_WORD,
    "tournament.flagged": _LAST_WORD,
    "tournament.rejected": _LAST_WORD,
    "tournament.reopened": _LAST_WORD,
}
"""The types of events that neither fill a place nor free one, and why."""


@cache
def _base() -> MemoryJournal:
    ledger = empty_ledger()
    define(ledger)
    people = "".join(f"{player};{NAMES[player]};1800\n" for player in "ABCDEF")
    import_text(ledger, f"id;name;rating\n{people}", list_="ENF")
    do(ledger, register("X"), register("Y"))
    do(ledger, open_tournament("T"), *(enter(player) for player in "ABCD"), rules("T"))
    do(ledger, open_tournament("U"), enter("X", 1, "U"), enter("C", 2, "U"), rules("U"))
    do(ledger, open_tournament("W", System.TEAM_SWISS), rules("W", PairingMethod.TEAM_1975))
    return ledger.journal  # type: ignore[return-value]


def base() -> Ledger:
    return empty_ledger(copied(_base()))


def cases() -> Iterator[object]:
    for name, place in PLACES.items():
        for way in (*place.freed_by_undo, *place.freed):
            for filler in place.fillers:
                yield pytest.param(name, way, filler, id=f"{name}, {way}, {filler}")


def freed(ledger: Ledger, place: Place, way: str) -> int:
    """Fills a place and frees it; returns the commit that is to be taken back."""
    holder = place.holder(ledger)
    assert isinstance(holder, int)
    match way:
        case "taken back":
            return undo(ledger, holder)
        case "again and again":
            return undo(ledger, undo(ledger, undo(ledger, holder)))
        case "itself":
            return holder
        case _:
            place.freed[way](ledger)
            return ledger.journal.head().commit_id


def _obstacles(ledger: Ledger, commit: int) -> list[str] | None:
    """Takes a commit back; returns what stands in the way, None where nothing does."""
    try:
        undo(ledger, commit)
    except InputRefused as refusal:
        if refusal.message.key != "undo.stands":
            raise
        return [str(problem.message) for problem in refusal.details]
    return None


@pytest.mark.parametrize(("name", "way", "filler"), [*cases()])
def test_no_place_is_filled_twice(name: str, way: str, filler: str) -> None:
    ledger, place = base(), PLACES[name]
    commit = freed(ledger, place, way)
    fill, named = place.fillers[filler]
    fill(ledger)
    head = ledger.journal.head()
    if (details := _obstacles(ledger, commit)) is not None:
        assert ledger.journal.head() == head, "nothing was recorded"
        assert any(named in detail for detail in details), (named, details)
        return
    assert [*map(str, ledger_conflicts(ledger))] == []
    assert answers(ledger) == answers(only_held_facts(ledger))


def test_every_type_of_event_fills_a_place_or_says_why_not() -> None:
    types = {model.TYPE for model in CATALOGUE.models()}
    declared = [*OF_PLACE, *NO_PLACE, *NEVER]
    assert sorted(declared) == sorted(types), "declare where a new event has its place"


@pytest.mark.parametrize("type_", [*OF_PLACE])
def test_its_places_are_filled_and_freed_by_events_of_the_type(type_: str) -> None:
    recorded = set[str]()
    for name in OF_PLACE[type_]:
        for way in (*PLACES[name].freed_by_undo, *PLACES[name].freed):
            ledger = base()
            before = ledger.journal.head().seq
            freed(ledger, PLACES[name], way)
            recorded |= {event.type for event in ledger.journal.events(after=before)}
    if type_ not in UNDOING:
        assert type_ in recorded


def test_an_import_again_gives_nobody_an_id_of_somebody_else() -> None:
    ledger, players = base(), "id;name;fide_id\nH;Zorro, Hugo;3400001\n"
    import_text(ledger, players)
    undo(ledger, ledger.journal.head().commit_id)
    ask(ledger, link("B", "3400001"))
    with pytest.raises(InputRefused, match="3400001 is the id of B"):
        import_text(ledger, players)
    import_text(ledger, "id;name\nH;Zorro, Hugo\n")
    with pytest.raises(InputRefused, match="3400001 is the id of B"):
        import_text(ledger, "id;fide_id;name\nH;3400001;Zorro, Hugo\n")
    assert [*ledger_conflicts(ledger)] == []


@pytest.mark.parametrize("column", ["fide_id", "national_id"])
@pytest.mark.parametrize(("one", "other"), list(permutations(["A", "H", "Z"], 2)))
def test_one_file_gives_no_two_players_one_id(one: str, other: str, column: str) -> None:
    ledger, ids = base(), {one: "34", other: "34"}
    head = ledger.journal.head()
    rows = "".join(f"{id_};{NAMES.get(id_, 'Ziel, Zoe')};{ids[id_]}\n" for id_ in ids)
    with pytest.raises(InputRefused) as refused:
        import_text(ledger, f"id;name;{column}\n{rows}", as_correction=True)
    (detail,) = refused.value.details
    assert f"=34 is the id of {one}: {other} cannot have it" in str(detail.message)
    assert detail.line == 3
    assert ledger.journal.head() == head, "nothing was recorded"
    ids[other] = "35"
    rows = "".join(f"{id_};{NAMES.get(id_, 'Ziel, Zoe')};{ids[id_]}\n" for id_ in ids)
    import_text(ledger, f"id;name;{column}\n{rows}", as_correction=True)
    assert [*ledger_conflicts(ledger)] == []


def test_one_import_reads_one_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, reads = base(), list[int]()

    def read(view: LedgerView) -> PlayerDirectory:
        reads.append(view.journal.head().seq)
        return directory_of(view)

    monkeypatch.setattr(identities, "directory_of", read)
    import_text(ledger, "name;fide_id\nZiel, Zoe;34\n")
    assert len(reads) == 1


@pytest.mark.parametrize("file", ["the same", "other players"])
def test_an_import_again_brings_no_tournament_back_with_conflicts(file: str) -> None:
    ledger = base()
    import_text(ledger, "id;name\nH;Zorro, Hugo\n")
    registered = ledger.journal.head().commit_id
    event = games("V", "1,,H,B,1-0", "2,,X,B,1-0")
    import_text(ledger, event)
    undo(ledger, ledger.journal.head().commit_id)
    undo(ledger, registered)
    again = event if file == "the same" else games("V", "1,,C,B,1-0")
    with pytest.raises(InputRefused, match="H is entered and not registered"):
        import_text(ledger, again)
    ask(ledger, register("H"), merge("X", "H"))
    with pytest.raises(InputRefused, match="H is entered twice"):
        import_text(ledger, again)
    assert [*ledger_conflicts(ledger)] == []


def test_a_refused_split_names_the_player_and_no_commit() -> None:
    ledger = base()
    ask(ledger, merge("X", "A"))
    act(game("A", "C", "1-0", 1, "U"))(ledger)
    with pytest.raises(InputRefused) as refusal:
        ask(ledger, c.SplitPlayer(player="X"))
    assert refusal.value.message.key == "player.split_stands"
    assert "X cannot be split" in refusal.value.within("en")
