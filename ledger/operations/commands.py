"""The commands there are: what people ask the ledger to record."""
# ruff: noqa: F401 - others import them from here

from __future__ import annotations

from ledger.operations.accounts import BindKey, EntrustAccount, GrantRole, RevokeKey, RevokeRole
from ledger.operations.command import Command
from ledger.operations.games import (
    AdjournGame,
    AdjudicateGame,
    AnnulResult,
    CorrectColours,
    CorrectResult,
    GiveBye,
    RecordGame,
)
from ledger.operations.ladders import (
    JoinLadder,
    LeaveLadder,
    MakeChallenge,
    OpenLadder,
    RecordChallengeGame,
    SettleChallenge,
    WithdrawChallenge,
)
from ledger.operations.lists import (
    AdjustList,
    AdoptRegulation,
    DefineList,
    PublishList,
    SetCalendar,
    SetTwoPersons,
)
from ledger.operations.participants import (
    AnnounceAbsence,
    DescribeEntry,
    EnterPlayer,
    EnterTeam,
    ExcuseAbsence,
    ExpelPlayer,
    HandInLineup,
    WithdrawPlayer,
)
from ledger.operations.players import (
    AdjustRating,
    AssignK,
    AwardTitle,
    CorrectIdentity,
    DescribePlayer,
    ErasePlayer,
    MergePlayers,
    RegisterPlayer,
    SeedRating,
)
from ledger.operations.tournaments import (
    AnnounceRounds,
    AnnounceRules,
    AssignNumbers,
    ChangeRounds,
    ChangeRules,
    CorrectTournament,
    FlagTournament,
    OpenTournament,
    PublishRound,
    PublishStandings,
    RatedIn,
    RuleOnTournament,
    WithdrawRound,
)
