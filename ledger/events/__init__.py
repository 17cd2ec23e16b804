"""What happened, as immutable values: one class for each type of event, in the past tense.

``model`` is what all share. ``players``, ``tournaments``, ``lists``, ``ladders`` and ``accounts``
are the chapters. ``catalogue`` reads any stored version of an event; ``fast`` reads and writes
those that are many, by structs and texts derived from their models. ``personal`` keeps names and
birth dates out of the events. An event's payload is canonical JSON (RFC 8785): ASCII keys in order,
integers and strings only, absent instead of null.
"""
