"""Tournaments at the desk: which there are, one is opened, its rules, its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from functools import partial
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

from fastapi import Query, Response

from ledger.answers.event_desk import event_desk, reopenings, tournaments_at_desk
from ledger.answers.tournament_calendar import announced_tournament
from ledger.answers.tournaments import require_tournament
from ledger.desk.tie_breaks.registry import PROPOSED, USUAL
from ledger.errors import InputRefused
from ledger.events.desk import RulesAnnounced
from ledger.events.tournaments import (
    ReportDetails,
    TournamentAnnounced,
    TournamentVersion,
)
from ledger.forms.page import saying
from ledger.forms.standings import choice_name
from ledger.intake.event_rules import RulesSaid
from ledger.intake.fide_check import fide_check_of_tournament
from ledger.intake.report_file import report_parts, tournament_report
from ledger.intake.trf.document import made_id
from ledger.operations.commands import (
    OPERATIONS,
    AnnouncePrizes,
    AnnounceRounds,
    AnnounceRules,
    ChangeRounds,
    ChangeRules,
    CloseTournament,
    Command,
    CorrectTournament,
    OpenTournament,
    RuleOnTournament,
)
from ledger.service.ledger import Receipt, body_of
from ledger.service.operations import carry_out
from ledger.terms import PairingMethod, Rate, Role, System
from ledger.typed_values import day
from ledger.views.view import LedgerView
from ledger.wording import Message
from web.access import Routes, only
from web.asked_view import groups_offered
from web.desk.arbiter import (
    ARBITERS,
    OPEN,
    ArbitersDesk,
    Desk,
    DeskAt,
    address,
)
from web.fields import Filled
from web.forms import FormOutcome, OperationForm, TypedForm
from web.language import language_of

routes = Routes("/desk")
_SHOWN: Final = 50
_NEW: Final = "new"  # the address of the form
_PRIZES: Final = OPERATIONS["announce-prizes"]
_TIE_BREAKS: Final = 7  # so many can be chosen from a list


@routes.get("", ARBITERS)
def desk_home(desk: Desk, search: str = Query("", max_length=200)) -> Response:
    """Shows the tournaments of an arbiter, open ones first; all of an officer."""
    found = desk.ask(tournaments_at_desk, desk.tournaments(), search)
    return desk.page(
        "desk_home.html", tournaments=found[:_SHOWN], count=len(found), search=search,
        today=desk.ask(lambda ledger: ledger.today),
    )  # fmt: skip


@routes.get("/new", OPEN)
def new_event(desk: Desk, tournament: Annotated[str, Query(max_length=120)] = "") -> Response:
    """Shows the form by which a tournament is opened, filled in as that one was announced."""
    announced = desk.ask(announced_tournament, tournament) if tournament else None
    return _new_event(desk, desk.unsent, announced)


@routes.post("/new", OPEN)
def open_event(desk: Desk, typed: Filled) -> Response:
    """Opens a tournament."""
    tournament = typed.text("tournament") or _made_id(typed)
    announced = desk.ask(announced_tournament, tournament) if tournament else None
    if announced is not None and typed.text("announced") != tournament:
        problem = InputRefused("calendar.is_announced", tournament=tournament)
        return _new_event(desk, FormOutcome(problem=problem), announced)
    record = partial(_open, desk, typed, tournament)
    show = partial(_new_event, desk, announced=announced)
    return desk.carried_out(typed, record, show, address(tournament))


def _made_id(typed: TypedForm) -> str:
    """Returns an id made of what is said of a tournament."""
    start = typed.text("start")
    with suppress(InputRefused):  # it is refused where the day is needed
        return made_id(typed.value("name"), day(start) if start else None)
    return ""


def _new_event(
    desk: ArbitersDesk, outcome: FormOutcome, announced: TournamentAnnounced | None = None
) -> Response:
    words = {} if announced is None else announced.model_dump(mode="json")
    shown = _rules_shown(desk, outcome, None)
    return desk.page("desk_new.html", outcome, known=defaultdict(str, words), **shown)


def _open(desk: ArbitersDesk, typed: TypedForm, tournament: str) -> Receipt:
    if tournament == _NEW:
        raise InputRefused("arbiter.no_word", value=tournament)
    commands: list[Command] = [
        OpenTournament(
            tournament=tournament,
            name=typed.required("name"),
            starts_on=day(typed.required("start")),
            ends_on=day(typed.text("end") or typed.required("start")),
            system=typed.word("system", System) or System.SWISS,
            rate_of_play=typed.word("rate_of_play", Rate) or Rate.CLASSICAL,
            rounds=typed.number("rounds", least=1),
            place=typed.text("place"),
            federation=typed.text("federation"),
            report=_details(typed, None),
        )
    ]
    pairing = typed.word("pairing", PairingMethod)
    rules = _rules(typed)
    if pairing is not None:
        commands.append(AnnounceRules(**rules.fields(tournament, pairing)))
    elif rules != RulesSaid():
        raise InputRefused("arbiter.rules_without_pairing")
    return desk.execute(typed, *commands)


def _details(typed: TypedForm, known: ReportDetails | None) -> ReportDetails | None:
    """Returns what a report says of the event, with what was typed; it is checked as an event."""
    values = {} if known is None else known.model_dump(exclude_none=True)
    values |= {name: typed.text(name) for name in ("chief_arbiter", "time_control")}
    values = {name: value for name, value in values.items() if value is not None}
    return ReportDetails.model_construct(**values) if values else None


def _rules(typed: TypedForm) -> RulesSaid:
    """Returns the rules but for the pairing system; raises ``InputRefused``."""
    colour = typed.text("first_colour") or "white"
    if colour not in {"white", "black", "lot"}:
        raise InputRefused("arbiter.no_word", value=colour)
    return RulesSaid(
        tie_breaks=typed.text("tie_breaks") or ",".join(filter(None, typed.all("tie_break"))),
        first_colour=cast("Literal['white', 'black', 'lot']", colour),
        lot=typed.text("lot"),
        bye_by_lot=typed.flag("bye_by_lot"),
        bye_points=typed.text("bye_points"),
        cycles=typed.number("cycles", least=1),
        exchange_last_rounds=typed.flag("exchange_last_rounds"),
        forbid=tuple(map(_pair, typed.lines("forbid"))),
        acceleration="baku" if typed.flag("baku") else None,
        prizes=typed.text("prizes"),
        team_boards=typed.number("team_boards", least=1),
        team_reserves=typed.number("team_reserves"),
    )


def _pair(line: str) -> tuple[str, str]:
    one, _, other = (word.strip() for word in line.partition(","))
    if not one or not other:
        raise InputRefused("arbiter.no_pair", value=line)
    return one, other


# One tournament


def _event_page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    say = saying(language_of(desk.request))
    named = partial(choice_name, say=say)
    reopening = desk.ask(reopenings).get(tournament)
    return desk.event_page(
        "desk_event.html", tournament, outcome, tie_break=named, reopening=reopening
    )


@routes.get("/{tournament:path}/rules", ARBITERS)
def rules_page(desk: DeskAt, tournament: str) -> Response:
    """Shows the form by which rules are announced, with those in force."""
    return _rules_page(desk, tournament, desk.unsent)


def _rules_page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    rules = desk.ask(event_desk, tournament).rules
    shown = _rules_shown(desk, outcome, rules)
    prizes = OperationForm(
        _PRIZES, outcome.words("prizes"), outcome.problem, frozenset({"tournament"})
    )
    return desk.event_page(
        "desk_rules.html", tournament, outcome, rated=False, prizes=prizes,
        announced_prizes="\n".join(desk.ask(_prizes_announced, tournament)),
        groups=groups_offered(desk.request), **shown,
    )  # fmt: skip


def _prizes_announced(view: LedgerView, tournament: str) -> Sequence[str]:
    """Returns the prizes of categories as they are typed."""
    record = require_tournament(view, tournament, view.facts().seq)
    return [
        f"{each.category}: {','.join(map(str, each.amounts))}"
        for each in record.desk.category_prizes
    ]


@routes.post("/{tournament:path}/prizes", ARBITERS)
def announce_prizes(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Announces the prizes of categories; once the event has begun, as a correction."""

    def record() -> Receipt:
        read = _PRIZES.read(typed.texts | {"tournament": tournament})
        command = cast(AnnouncePrizes, read)
        asking = desk.asking(typed, body_of([command]), typed.text("reason") or "")
        return desk.record(asking, lambda ledger: carry_out(ledger, command, asking))

    show = partial(_rules_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament, "rules"))


def _rules_shown(
    desk: ArbitersDesk, outcome: FormOutcome, rules: RulesAnnounced | None
) -> dict[str, Any]:
    """Returns what the fields of the rules show: what is announced, the tie-breaks there are."""
    say = saying(language_of(desk.request))
    announced = [] if rules is None else [*rules.tie_breaks]
    known = {code for codes in USUAL.values() for code in codes}
    by_list = len(announced) <= _TIE_BREAKS and known.issuperset(announced)
    typed = outcome.typed
    chosen = [*typed.all("tie_break")] if typed.fields else announced if by_list else []
    return {
        "announced": _as_typed(rules) | ({"tie_breaks": ""} if by_list else {}),
        "chosen": [*chosen, *[""] * (_TIE_BREAKS - len(chosen))][:_TIE_BREAKS],
        "proposed": PROPOSED,
        "usual": {of: [(code, choice_name(code, say)) for code in codes]
                  for of, codes in USUAL.items()},
    }  # fmt: skip


def _as_typed(rules: RulesAnnounced | None) -> dict[str, object]:
    """Returns rules as they are typed; nothing where none were announced."""
    if rules is None:
        names = ("pairing", "acceleration", *(each.name for each in fields(RulesSaid)))
        return dict.fromkeys(names)
    halves = rules.bye_halves
    return rules.model_dump(mode="json") | {
        "tie_breaks": ",".join(rules.tie_breaks),
        "lot": rules.lot_seed,
        "bye_points": None if halves is None else {0: "0", 1: "0.5", 2: "1"}[halves],
        "forbid": "\n".join(", ".join(pair) for pair in rules.forbidden or ()),
        "prizes": ",".join(map(str, rules.prizes or ())),
    }


@routes.post("/{tournament:path}/rules", ARBITERS)
def announce_rules(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Announces rules, or how many rounds there are; once they were relied on, for a reason."""
    reason = typed.text("reason") or ""

    def record() -> Receipt:
        return desk.execute(typed, _announcement(typed, tournament, reason), reason=reason)

    show = partial(_rules_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament))


def _announcement(typed: TypedForm, tournament: str, reason: str) -> Command:
    """Returns the command that announces rules; without a pairing system, that of the rounds."""
    pairing = typed.word("pairing", PairingMethod)
    rounds = typed.number("rounds", least=1, most=999)
    rules = _rules(typed)
    if pairing is not None:
        kind = ChangeRules if reason else AnnounceRules
        are_changed = bool(reason)
        return kind(**rules.fields(tournament, pairing, are_changed=are_changed), rounds=rounds)
    if rounds is None or rules != RulesSaid():
        raise InputRefused("arbiter.missing", field=Message.of("arbiter.pairing"))
    return (ChangeRounds if reason else AnnounceRounds)(tournament=tournament, rounds=rounds)


@routes.post("/{tournament:path}/close", ARBITERS)
def close_event(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Hands the report in: the rounds are frozen, and the next list rates them."""

    def record() -> Receipt:
        command = CloseTournament(
            tournament=tournament,
            on=desk.ask(lambda ledger: ledger.today),
            anyway=typed.flag("anyway"),
        )
        return desk.execute(typed, command, reason=typed.text("reason") or "")

    show = partial(_event_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament))


@routes.post("/{tournament:path}/ruling", only(Role.OFFICER))
def rule_on_event(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Has a tournament rated again, not rated, or reopened: for officers, with a reason."""
    ruling = next((each for each in _RULINGS if typed.text(each)), None)
    return _rule(desk, tournament, typed, ruling)


_Ruling: TypeAlias = Literal["reopen", "accept", "reject"]
_RULINGS: Final[Sequence[_Ruling]] = ("accept", "reopen", "reject")


def _rule(
    desk: ArbitersDesk,
    tournament: str,
    typed: TypedForm,
    ruling: _Ruling | None,
) -> Response:
    def record() -> Receipt:
        if ruling is None:
            raise InputRefused("arbiter.missing", field=Message.of("arbiter.rating_decision"))
        command = RuleOnTournament(
            tournament=tournament, ruling=ruling, on=desk.ask(lambda ledger: ledger.today)
        )
        return desk.execute(typed, command, reason=typed.text("reason") or "")

    show = partial(_event_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament))


@routes.get("/{tournament:path}/report", ARBITERS)
def report_page(desk: DeskAt, tournament: str) -> Response:
    """Shows whether FIDE's server would take the report; it is completed and fetched there."""
    return _report_page(desk, tournament, desk.unsent)


def _report_page(desk: ArbitersDesk, tournament: str, outcome: FormOutcome) -> Response:
    check = desk.ask(fide_check_of_tournament, tournament, None)
    parts = desk.ask(report_parts, tournament)
    return desk.event_page(
        "desk_report.html", tournament, outcome, check=check, parts=parts,
        about=desk.ask(_version, tournament),
    )  # fmt: skip


def _version(view: LedgerView, tournament: str) -> TournamentVersion:
    return require_tournament(view, tournament, view.facts().seq).version


@routes.post("/{tournament:path}/report", ARBITERS)
def complete_report(desk: DeskAt, tournament: str, typed: Filled) -> Response:
    """Says where an event is, for which federation, who its arbiter is and how fast is played."""

    def record() -> Receipt:
        about = desk.ask(_version, tournament)
        values = {each.name: getattr(about, each.name) for each in fields(CorrectTournament)}
        values |= {name: typed.text(name) for name in ("place", "federation")}
        command = CorrectTournament(**values | {"report": _details(typed, about.report)})
        return desk.execute(typed, command, reason=typed.text("reason") or "")

    show = partial(_report_page, desk, tournament)
    return desk.carried_out(typed, record, show, address(tournament, "report"))


_RoundOfReport: TypeAlias = Annotated[str, Query(max_length=3, pattern="^[0-9]*$")]


@routes.get("/{tournament:path}/report.trf", ARBITERS)
def report_file(
    desk: DeskAt,
    tournament: str,
    first: Annotated[_RoundOfReport, Query(alias="from")] = "",
    last: Annotated[_RoundOfReport, Query(alias="to")] = "",
) -> Response:
    """Answers with the tournament as a report file; of some rounds, where they are named."""
    rounds = f"{first or 1}-{last or first}" if first or last else None
    data = desk.ask(tournament_report, tournament, None, None, rounds)
    name = "report.trf" if rounds is None else f"report-rounds-{rounds}.trf"
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=named)


@routes.get("/{tournament:path}", ARBITERS)
def event_page(desk: DeskAt, tournament: str) -> Response:
    """Shows how far a tournament has come, and what is next."""
    return _event_page(desk, tournament, desk.unsent)
