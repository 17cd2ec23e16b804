"""What a player has done in a list: records."""

from __future__ import annotations

from ledger.answers.careers import player_career
from tests.ledgers import GAMES_HEADER, import_text, ledger_of


def test_the_longest_run_without_a_loss_counts_every_game_that_was_played() -> None:
    """Also one against C, who has no rating; of a forfeit nothing was played."""
    ledger = ledger_of("A,1500,,30", "B,1500,,30", "C,,,")
    about = "2010-07-01,2010-07-02,swiss,classical,"
    rows = (
        f"T1,Open,{about},1,,A,B,0-1",
        f"T2,Open,{about},1,,A,C,1-0",
        f"T2,Open,{about},2,,A,B,+/-",
        f"T3,Open,{about},1,,B,A,1/2-1/2",
        f"T3,Open,{about},2,,C,A,1-0",
    )
    import_text(ledger, GAMES_HEADER + "".join(f"{row}\n" for row in rows))
    run = player_career(ledger, "A", "ENF").unbeaten
    assert run is not None
    assert run.games == 2
