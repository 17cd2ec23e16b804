"""The journal: commits and events, appended in one dense order, never changed, hashed as a tree.

``records`` are its values and the interface of a store, ``merkle`` the tree of RFC 9162,
``envelope`` what a leaf hash covers, ``checkpoint`` what can be kept elsewhere to tell whether
history was cut or rewritten. ``stores`` are where a journal is kept, ``verify`` checks what is
stored there.
"""
