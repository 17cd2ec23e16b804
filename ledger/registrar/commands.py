"""The commands there are: what people ask the ledger to record.

A command stands with its decision in the module of what it is about, and is imported here.
"""
# ruff: noqa: F401 - others import them from here

from __future__ import annotations

from ledger.registrar.accounts import BindKey, EntrustAccount, GrantRole, RevokeKey, RevokeRole
from ledger.registrar.desk import (
    AnnounceAbsence,
    AnnounceRounds,
    AnnounceRules,
    AssignNumbers,
    ChangeRounds,
    ChangeRules,
    DescribeEntry,
    ExcuseAbsence,
    ExpelPlayer,
)
from ledger.registrar.ladders import (
    JoinLadder,
    LeaveLadder,
    MakeChallenge,
    OpenLadder,
    RecordChallengeGame,
    SettleChallenge,
    WithdrawChallenge,
)
from ledger.registrar.lists import (
    AdjustList,
    AdoptRegulation,
    DefineList,
    PublishList,
    SetCalendar,
    SetTwoPersons,
)
from ledger.registrar.pairings import (
    AdjournGame,
    AdjudicateGame,
    AnnulResult,
    CorrectColours,
    CorrectResult,
    GiveBye,
    RecordGame,
)
from ledger.registrar.players import (
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
from ledger.registrar.registrar import Command
from ledger.registrar.rounds import PublishRound, PublishStandings, WithdrawRound
from ledger.registrar.teams import EnterTeam, HandInLineup
from ledger.registrar.tournaments import (
    CorrectTournament,
    EnterPlayer,
    FlagTournament,
    OpenTournament,
    RatedIn,
    RuleOnTournament,
    WithdrawPlayer,
)
