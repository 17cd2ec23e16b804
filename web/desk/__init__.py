"""An arbiter's tournament on a phone: rules, entries, rounds, boards, standings and the report."""
