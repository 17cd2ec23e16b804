"""Rating regulations: one module for each, in the order of its text; tables as printed.

``interface`` is what a regulation offers, ``registry`` finds it by its id. One regulation never
imports another.
"""
