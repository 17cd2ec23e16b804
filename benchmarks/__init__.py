"""How fast the ledger is, measured beside others on the same games; see ``README.md``."""
