"""What the reports say in JSON: the schemas of those that choose it, and of all that they hold."""

from __future__ import annotations

from typing import Final

from ledger.json_form import JsonForm
from ledger.reports.comparison import SIDES, Change, Comparison, Judgement, PlayerDifference
from ledger.reports.histories import HistoryLine
from ledger.reports.live_list import LiveList, LiveRow
from ledger.reports.measures import Summary
from ledger.reports.monitor import Activity, Monitor, MonitorLine
from ledger.reports.performance import GameLine, PerformanceReport
from ledger.reports.prediction import Advantage, Band, Quality
from ledger.reports.regulations import (
    DatedLine,
    ParameterLine,
    RegulationSheet,
    TableLine,
)
from ledger.reports.round_sheet import BoardRow, MatchGame, Seat
from ledger.reports.statement import (
    BucketLine,
    CreditedGame,
    ExcludedLine,
    PersonRef,
    PostingLine,
    Statement,
)
from ledger.reports.titles import TitleProgress
from ledger.reports.why import CausePart, Why
from web.api.json_schema import (
    DAY,
    EXACT,
    FLAG,
    TEXT,
    WHOLE,
    ReportSchemas,
    Schema,
    by_key,
    many,
    maybe,
    one_of,
    ref,
    shape,
)

_POSTING: Final[dict[str, Schema]] = {
    "seq": WHOLE, "tournament": TEXT, "round": WHOLE, "opponent": ref("PersonRef"),
    "opponent_rating": WHOLE, "difference": WHOLE, "expected": EXACT, "score": EXACT, "k": WHOLE,
    "merit": EXACT, "contribution": EXACT,
}  # fmt: skip
_BAND: Final[dict[str, Schema]] = {
    "at_least": WHOLE, "below": WHOLE, "sides": WHOLE, "expected": EXACT, "score": EXACT,
    "margin": EXACT,
}  # fmt: skip
_QUALITY: Final[dict[str, Schema]] = {
    "sides": WHOLE, "draws": WHOLE, "brier": maybe(EXACT), "log_loss": maybe(EXACT),
    "draws_cost": maybe(EXACT), "log_loss_three_way": maybe(EXACT),
    "draws_predicted": one_of("by-model", "fitted"),
}  # fmt: skip
_STEPS: Final[dict[str, Schema]] = {
    "opponents_mean": maybe(EXACT), "rc": maybe(WHOLE), "points": maybe(EXACT),
    "games": maybe(WHOLE), "percent": maybe(WHOLE), "d_of_p": maybe(WHOLE),
    "performance": maybe(WHOLE),
}  # fmt: skip
REGULATION_ROW: Final[dict[str, Schema]] = {
    "regulation": TEXT, "title": TEXT, "source": TEXT, "parameters": WHOLE,
    "rated": one_of("event-by-event", "per-period"), "package": maybe(TEXT),
}  # fmt: skip
_BUCKET: Final = shape(
    games=WHOLE, results=many(ref("BucketLine")), needed=WHOLE, first_games=WHOLE,
    not_computable=many(ref("BucketLine")),
)  # fmt: skip

_OWN: Final[dict[type[JsonForm], Schema]] = {
    PostingLine: shape(**_POSTING),
    ExcludedLine: shape(
        seq=WHOLE, tournament=TEXT, round=WHOLE, opponent=maybe(ref("PersonRef")), score=EXACT,
        reason=TEXT, clause=TEXT,
    ),
    BucketLine: shape(
        tournament=TEXT, games=WHOLE, points=EXACT, opponents_mean=EXACT, performance=maybe(EXACT),
        period=TEXT, reason=maybe(TEXT),
        opponents=many(shape(id=maybe(TEXT), name=maybe(TEXT), rating=WHOLE, score=EXACT)),
    ),
    CreditedGame: shape(**_POSTING, rating=WHOLE, capped=FLAG, credited=EXACT, credit=EXACT),
    HistoryLine: shape(
        period=TEXT, published=many(shape(edition=WHOLE, rating=maybe(WHOLE))),
        restated=maybe(WHOLE), change=maybe(WHOLE), games=WHOLE,
    ),
    LiveList: shape(
        list=TEXT, period=TEXT, seq=WHOLE,
        published=shape(period=maybe(TEXT), edition=maybe(WHOLE)), rows=many(ref("LiveRow")),
    ),
    Why: shape(
        before=WHOLE, after=WHOLE, difference=WHOLE, causes=by_key(EXACT),
        parts=many(ref("CausePart")),
    ),
    Summary: shape(
        count=WHOLE, mean=maybe(EXACT), median=maybe(EXACT), spread=maybe(EXACT),
        least=maybe(WHOLE), most=maybe(WHOLE),
    ),
    MonitorLine: shape(
        period=TEXT, rated=WHOLE, mean=maybe(EXACT), active=WHOLE, control_mean=maybe(EXACT),
        newcomers=WHOLE, brought_in=WHOLE, removed=WHOLE, went_inactive=ref("Activity"),
        came_back=ref("Activity"), k=by_key(WHOLE), before=WHOLE, after=WHOLE, change=WHOLE,
        created=EXACT, destroyed=EXACT, sources=by_key(EXACT),
    ),
    Monitor: shape(
        list=TEXT, pool=one_of("active", "rated"), control=many(TEXT), trend_per_year=maybe(EXACT),
        before=WHOLE, after=WHOLE, sources=by_key(EXACT), periods=many(ref("MonitorLine")),
    ),
    Band: shape(**_BAND),
    Quality: shape(**_QUALITY),
    Judgement: shape(by=TEXT, regulation=one_of(*SIDES), **_QUALITY),
    Advantage: shape(brier=maybe(EXACT), margin=maybe(EXACT)),
    Comparison: shape(
        list=TEXT, from_=TEXT, to=TEXT, own=TEXT, other=TEXT, control=many(TEXT), games=WHOLE,
        verdict=shape(
            better=maybe(one_of(*SIDES)),
            brier=shape(own=maybe(EXACT), other=maybe(EXACT)),
            advantage=ref("Advantage"),
            inflation=shape(own=maybe(EXACT), other=maybe(EXACT)),
            largest=many(ref("PlayerDifference")),
        ),
        differences=ref("Summary"),
        distribution=many(shape(from_=WHOLE, to=WHOLE, players=WHOLE)),
        inflation=many(ref("Change")), quality=many(ref("Judgement")),
        calibration=many(shape(by=TEXT, regulation=one_of(*SIDES), **_BAND)),
        players=many(ref("PlayerDifference")),
    ),
    GameLine: shape(
        round=WHOLE, opponent=ref("PersonRef"), opponent_rating=maybe(WHOLE), score=EXACT,
        counts=FLAG, reason=maybe(TEXT),
    ),
    PerformanceReport: shape(
        player=ref("PersonRef"), tournament=TEXT, list=TEXT, period=TEXT, table=TEXT, **_STEPS,
        rounds=many(ref("GameLine")),
    ),
    BoardRow: shape(
        board=WHOLE, white=ref("Seat"), black=ref("Seat"), result=maybe(TEXT),
        corrected_by_seq=maybe(WHOLE), colours_reversed=FLAG, games=many(ref("MatchGame")),
    ) | {"required": ["board", "white", "black", "result", "corrected_by_seq", "colours_reversed"]},
    RegulationSheet: shape(
        **{**REGULATION_ROW, "parameters": many(ref("ParameterLine"))}, module=TEXT,
        coverage=many(shape(article=TEXT, says=TEXT, where=TEXT)), tables=many(ref("TableLine")),
        dated=many(ref("DatedLine")), worked_example=maybe(TEXT), digest=maybe(TEXT),
    ),
    TitleProgress: shape(
        for_=TEXT, held_from=maybe(DAY), fulfilled=FLAG, fulfilled_on=maybe(DAY), results=WHOLE,
        games=WHOLE, tournaments=many(TEXT),
        stage=maybe(shape(tournament=TEXT, on=DAY, stage=TEXT, article=TEXT)),
    ),
}  # fmt: skip
_PARTS: Final[dict[tuple[type[JsonForm], str], Schema]] = {
    (Statement, "provisional"): maybe(_BUCKET),
}
REPORTS: Final = ReportSchemas(_OWN, _PARTS)
for _part in (
    PersonRef, LiveRow, CausePart, Activity, Change, PlayerDifference, Seat,
    MatchGame, ParameterLine, TableLine, DatedLine, *_OWN,
):  # fmt: skip
    REPORTS.of(_part)
