"""The journal: commits and events, appended in one dense order, never changed, hashed as a tree.

``entries`` are its values and the interface of a store, ``merkle`` the tree of RFC 9162, ``envelope``
what a leaf hash covers, ``memory`` and ``sql`` the stores (SQLite, PostgreSQL), ``integrity`` the
check of everything that is stored.
"""
