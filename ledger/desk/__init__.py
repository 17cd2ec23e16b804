"""The tournament desk: pairing, tie-breaks, standings and forms, as functions of one event's facts.

``score_sheet`` says what each round was for each participant. ``pairing`` has a module for each
system, ``tie_breaks`` one for each edition of rules. Nothing here is recorded: what the arbiter
decides from it becomes events (``ledger.registrar``).
"""
