"""Rating lists: rows over a replay, the bytes that are published, and what differs between two.

A list is never stored. Its publication is an event with the digest of its bytes; the bytes come
back by replay to its basis (``published``).
"""
