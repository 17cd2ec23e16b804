"""Faults: failing writes, power cuts, and whatever else happens to a ledger at work."""
