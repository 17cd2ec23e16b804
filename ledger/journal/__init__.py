"""The journal: commits and events, appended in one dense order, never changed, hashed as a tree.

``entries`` are its values and the interface of a store, ``merkle`` the tree of RFC 9162,
``envelope`` what a leaf hash covers, ``memory`` and ``sql`` the stores (``sqlite``, ``postgres``),
``database`` makes and opens them, ``integrity`` checks everything that is stored (with ``intact``,
which accepts what is right a page at a time, ``parallel`` with a second process), ``checkpoint``
is what can be kept elsewhere to tell whether history was cut or rewritten, ``rehashed`` the way in
for a journal that was made elsewhere.
"""
