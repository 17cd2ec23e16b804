"""The commands and operations there are: whoever imports them from here has all."""
# ruff: noqa: F401 - others import them from here

from __future__ import annotations

from ledger.operations.accounts import BindKey, EntrustAccount, GrantRole, RevokeKey, RevokeRole
from ledger.operations.games import (
    AdjournGame,
    AdjudicateGame,
    AnnulResult,
    CorrectColours,
    CorrectResult,
    GiveBye,
    RecordGame,
    RetypeResult,
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
    NewList,
    NewRegulation,
    PublishList,
    PublishPeriod,
    SetCalendar,
    SetTwoPersons,
)
from ledger.operations.operation import OPERATIONS, Command, Input
from ledger.operations.participants import (
    AnnounceAbsence,
    DescribeEntry,
    EnterPlayer,
    EnterTeam,
    ExcuseAbsence,
    ExpelPlayer,
    HandInLineup,
    RegisterNewcomer,
    ReturnPlayer,
    WithdrawPlayer,
)
from ledger.operations.players import (
    AdjustRating,
    AffiliatePlayer,
    AssignK,
    AwardTitle,
    ConfirmPlayer,
    CorrectIdentity,
    DescribePlayer,
    ErasePlayer,
    IdentifyPlayer,
    LinkPlayer,
    MergePlayers,
    RegisterPlayer,
    SeedRating,
    TellApart,
)
from ledger.operations.retractions import RestorePlayer, RestoreTournament, SplitPlayer, UndoCommit
from ledger.operations.tournaments import (
    AnnouncePrizes,
    AnnounceRounds,
    AnnounceRules,
    AnnounceTournament,
    AssignNumbers,
    CancelTournament,
    ChangeRounds,
    ChangeRules,
    CloseTournament,
    CorrectTournament,
    FlagTournament,
    NumberParticipants,
    OpenTournament,
    PairRound,
    PublishRound,
    PublishStandings,
    RatedIn,
    RecordBoards,
    RuleOnTournament,
    StandingsToPublish,
    WithdrawRound,
)
