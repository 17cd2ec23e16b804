"""What happened, as immutable values: one class for each type of event, in the past tense.

``model`` is what they share, ``players``, ``tournaments``, ``administration`` and ``ladders`` are
the chapters, ``catalogue`` reads any stored version of them (``light`` those that are many, fast;
``written`` writes them), ``personal`` keeps names and birth
dates out of the events. An event's payload is canonical JSON (RFC 8785): ASCII keys in order,
integers and strings only, absent instead of null.
"""
