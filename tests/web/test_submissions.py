"""From a report to the ledger by two people: handed in, looked at, decided, recorded once."""
