"""What arbiters and officers do: reports, corrections, tournaments."""
