"""The answers of the API by their names: their schemas, as the command line writes them."""

from __future__ import annotations

from typing import Final

from ledger.application.accounts import AccountReport
from ledger.application.audit import Inclusion
from ledger.application.people_pages import PlayedTournament
from ledger.application.period_states import PeriodState
from ledger.application.regulations import AdoptionSheet
from ledger.lists.rating_list import Basis, ListRow, Move
from ledger.reports.cascade import Cascade
from ledger.reports.comparison import Comparison
from ledger.reports.corrections import Correction
from ledger.reports.crosstable import Crosstable
from ledger.reports.directory import Person
from ledger.reports.histories import HistoryLine
from ledger.reports.impact import RatingShift
from ledger.reports.live_list import LiveList
from ledger.reports.monitor import Monitor
from ledger.reports.pairing_cards import PairingCard
from ledger.reports.performance import PerformanceReport
from ledger.reports.regulations import RegulationSheet
from ledger.reports.round_sheet import RoundSheet
from ledger.reports.score_form import ScoreForm
from ledger.reports.standings import ExplainedStandings, Standings
from ledger.reports.statement import Statement
from ledger.reports.team_tables import TeamTables
from ledger.reports.titles import TitleProgress
from ledger.reports.tournaments import TournamentLine, TournamentSheet
from ledger.reports.why import Why
from ledger.reports.worksheet import Worksheet
from web.api.json_schema import (
    ANYTHING,
    DAY,
    EXACT,
    FLAG,
    INSTANT,
    SHA256,
    TEXT,
    WHOLE,
    Schema,
    by_key,
    many,
    maybe,
    one_of,
    ref,
    shape,
)
from web.api.report_shapes import REGULATION_ROW, REPORTS

_of = REPORTS.of
_EVENT_BY_NAME: Final = {"type": TEXT, "effective_on": DAY, "payload": ANYTHING}
_TITLE_ROW: Final[dict[str, Schema]] = {
    "number": WHOLE, "id": TEXT, "name": TEXT, "titles": many(TEXT), "rating": maybe(WHOLE),
    "participants": WHOLE, "mean": EXACT, "mean_counted": WHOLE, "category": maybe(WHOLE),
    "for": TEXT, "percent": maybe(WHOLE), "games": WHOLE, "needed": maybe(EXACT), "points": EXACT,
    "made": FLAG, "fails": many(TEXT), "why": TEXT,
}  # fmt: skip
_STAGE_ROW: Final = shape(
    tournament=TEXT, end=DAY, number=WHOLE, id=TEXT, name=TEXT, for_=TEXT, article=TEXT,
    stage=TEXT, percent=maybe(EXACT), games=WHOLE, needed=maybe(EXACT), points=EXACT, made=FLAG,
    fails=many(TEXT), why=TEXT,
)  # fmt: skip
_NORM: Final = shape(
    for_=TEXT, possible=FLAG, needed=maybe(EXACT), points=EXACT, left=WHOLE, to_make=maybe(EXACT),
    fails=many(TEXT), why=TEXT,
)  # fmt: skip
_COMMIT: Final[dict[str, Schema]] = {
    "commit": WHOLE, "recorded_at": INSTANT, "actor": TEXT, "reason": TEXT, "source": maybe(TEXT),
    "source_sha256": maybe(SHA256), "signed_by": many(TEXT),
}  # fmt: skip
_EVENT: Final = shape(
    seq=WHOLE, type=TEXT, version=WHOLE, effective_on=DAY, stream=TEXT, payload=ANYTHING,
    **_COMMIT, event_id=TEXT, leaf_hash=SHA256,
)  # fmt: skip
_DETAIL: Final = shape(file=maybe(TEXT), line=maybe(WHOLE), column=maybe(WHOLE), message=TEXT)
_SUBMISSION: Final[dict[str, Schema]] = {
    "submission": TEXT, "kind": one_of("document", "correction", "erasure"), "state": TEXT,
    "account": TEXT, "turn": WHOLE, "title": TEXT, "sha256": maybe(SHA256), "changed_at": INSTANT,
    "decided_by": maybe(TEXT), "commit": maybe(WHOLE),
}  # fmt: skip
_PLAYER: Final = shape(
    id=TEXT, name=maybe(TEXT), federation=maybe(TEXT), sex=maybe(TEXT), birth_date=maybe(TEXT),
    titles=many(TEXT),
    described=maybe(shape(born_on=maybe(DAY), joined_on=maybe(DAY), sex=maybe(TEXT))),
    merged_into=maybe(TEXT),
    erased_on=maybe(DAY),
    k=many(shape(list=maybe(TEXT), from_=DAY, k=WHOLE)),
    ratings=many(shape(list=TEXT, period=TEXT, rating=WHOLE, provisional=FLAG)),
)  # fmt: skip
_LADDER: Final = shape(
    ladder=TEXT, list=TEXT, opened_on=DAY, ratings_on=DAY, seq=WHOLE,
    places=many(
        shape(place=WHOLE, id=TEXT, name=TEXT, rating=maybe(WHOLE), since=DAY, match=maybe(TEXT))
    ),
    challenges=many(
        shape(
            seq=WHOLE, on=DAY, challenger=TEXT, challenged=TEXT, ratings=many(maybe(WHOLE)),
            override=maybe(TEXT), match=TEXT, games=many(TEXT), state=TEXT, by_games=maybe(TEXT),
            ended_on=maybe(DAY),
        )
    ),
    exchanges=many(
        shape(on=maybe(DAY), match=TEXT, winner=TEXT, loser=TEXT, from_=WHOLE, to=WHOLE)
    ),
)  # fmt: skip

ANSWERS: Final[dict[str, Schema]] = {
    "Lists": shape(lists=many(ref("ListDescription"))),
    "ListDescription": shape(
        list=TEXT, regulation=TEXT, calendar=TEXT, first=DAY, policy=one_of("restate", "next-list"),
        rate_of_play=maybe(TEXT), published=WHOLE,
    ),
    "Periods": shape(list=TEXT, periods=many(_of(PeriodState))),
    "RatingList": shape(
        list=TEXT, period=TEXT, edition=maybe(WHOLE), published_on=maybe(DAY), basis=_of(Basis),
        digest=maybe(SHA256), rows=many(_of(ListRow)),
    ),
    "ListDifference": shape(list=TEXT, before=TEXT, after=TEXT, moves=many(_of(Move))),
    "MonitoredList": _of(Monitor),
    "ComparedLists": _of(Comparison),
    "LiveRatings": _of(LiveList),
    "Players": shape(players=many(_of(Person))),
    "Player": _PLAYER,
    "PlayerHistory": shape(player=TEXT, list=TEXT, periods=many(_of(HistoryLine))),
    "PlayerStatement": _of(Statement),
    "RatingCauses": REPORTS.extended(Why, player=TEXT, list=TEXT, from_=TEXT, to=TEXT),
    "PlayerTitles": shape(
        player=TEXT, list=TEXT, titles=many(_of(TitleProgress)),
        results=many(
            shape(
                tournament=TEXT, tournament_name=TEXT, start=DAY, end=DAY, played=WHOLE,
                **_TITLE_ROW,
            )
        ),
        stages=many(_STAGE_ROW),
    ),
    "PlayerPerformance": _of(PerformanceReport),
    "Tournaments": shape(tournaments=many(_of(TournamentLine))),
    "Tournament": REPORTS.extended(TournamentSheet),
    "TournamentStandings": _of(Standings),
    "ExplainedStandings": REPORTS.extended(ExplainedStandings),
    "TournamentCrosstable": _of(Crosstable),
    "ScoreSheet": _of(ScoreForm),
    "PairingCards": shape(tournament=TEXT, cards=many(_of(PairingCard))),
    "PublishedRound": REPORTS.extended(RoundSheet),
    "TournamentGains": shape(
        preview=FLAG, tournament=TEXT, name=TEXT, list=TEXT, period=TEXT, seq=WHOLE, round=WHOLE,
        rounds=WHOLE,
        players=many(
            shape(
                number=WHOLE, id=TEXT, name=TEXT, rating=maybe(WHOLE), points=EXACT,
                rated_games=WHOLE, gain=EXACT, after_rounds=by_key(EXACT), steps=EXACT,
                performance=maybe(WHOLE), norms=many(_NORM),
            )
        ),
    ),
    "TournamentTitles": shape(
        tournament=TEXT, list=TEXT, results=many(shape(**_TITLE_ROW)), stages=many(_STAGE_ROW)
    ),
    "TournamentWorksheet": _of(Worksheet),
    "TeamResults": _of(TeamTables),
    "Regulations": shape(regulations=many(shape(**REGULATION_ROW))),
    "Regulation": _of(RegulationSheet),
    "Adoptions": shape(regulation=TEXT, list=TEXT, adoptions=many(_of(AdoptionSheet))),
    "Ladders": shape(ladders=many(TEXT)),
    "Ladder": _LADDER,
    "Head": shape(seq=WHOLE, commits=WHOLE, root=SHA256),
    "Commits": shape(commits=many(ref("Commit"))),
    "Commit": shape(**_COMMIT, first_seq=WHOLE, last_seq=WHOLE, root=SHA256),
    "Events": shape(events=many(_EVENT)),
    "Event": _EVENT,
    "EventProof": _of(Inclusion),
    "Corrections": shape(corrections=many(_of(Correction))),
    "CorrectionMoved": REPORTS.extended(Correction, moved=_of(Cascade)),
    "TournamentsPlayed": shape(player=TEXT, tournaments=many(_of(PlayedTournament))),
    "Receipt": shape(
        first_seq=maybe(WHOLE), last_seq=maybe(WHOLE), commit=maybe(WHOLE), dry_run=FLAG,
        repeated=FLAG, events=many(shape(**_EVENT_BY_NAME)), notes=many(TEXT),
        impact=maybe(many(_of(RatingShift))),
    ),
    "Submissions": shape(submissions=many(shape(**_SUBMISSION)), older=maybe(TEXT)),
    "SubmissionSeen": shape(
        **_SUBMISSION,
        preview=maybe(
            shape(
                seq=WHOLE, digest=SHA256, can_be_recorded=FLAG, reaches_published=FLAG,
                counts=by_key(WHOLE), moved=WHOLE, notes=many(TEXT), impact=many(_of(RatingShift)),
                refusal=maybe(shape(message=TEXT, details=many(_DETAIL))),
            )
        ),
        job=maybe(TEXT),
    ),
    "Jobs": shape(jobs=many(ref("Job"))),
    "Job": shape(
        job=TEXT, kind=TEXT, account=maybe(TEXT),
        state=one_of("waiting", "running", "done", "failed", "cancelled"),
        created_at=INSTANT, ended_at=maybe(INSTANT),
        progress=shape(what=maybe(TEXT), done=WHOLE, total=WHOLE), problem=maybe(TEXT),
    ),
    "LastVerification": shape(
        seq=WHOLE, verified_at=INSTANT, ok=FLAG, commits=WHOLE, events=WHOLE, root=SHA256,
        erased=WHOLE, left_out=WHOLE, lists=WHOLE, lists_without_names=WHOLE, signed=WHOLE,
        checkpoint=maybe(WHOLE), findings=many(shape(seq=maybe(WHOLE), message=TEXT)),
    ),
    "Accounts": shape(accounts=many(_of(AccountReport))),
    "Account": _of(AccountReport),
    "Problem": shape(
        type=TEXT, title=TEXT, status=WHOLE, detail=TEXT, details=many(_DETAIL)
    ),
}  # fmt: skip


def schemas() -> dict[str, Schema]:
    """Returns every schema that has a name."""
    return dict(sorted((REPORTS.named | ANSWERS).items()))
