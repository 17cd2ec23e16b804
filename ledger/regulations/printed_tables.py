"""Elo's two tables as every edition since 1972 prints them, in whole per cent and whole points."""

from __future__ import annotations

from ledger.rating.expectation import from_bands, printed_table

# D(P): whole per cent to difference; undefined at 0 and 100.
D_OF_P = {
    int(row["p"]): int(row["d"])
    for row in printed_table("ledger.regulations", "d_of_p.csv")
    if row["d"]
}
# P(D): difference to the higher rated player's share, in hundredths.
P_OF_D = from_bands(printed_table("ledger.regulations", "p_of_d.csv"))
