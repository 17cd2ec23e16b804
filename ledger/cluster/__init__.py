"""The ledger's work on more than one machine: the same functions, on an engine that exists.

Everything here is a plain function of where a ledger is and which part of it is meant, with a
small result; engines (``engine``, ``dask_engine``) only call it somewhere. What can be cut into
parts that know nothing of each other is verified or folded part by part (``proving``, ``folding``);
one list over many workers is in ``own_sides``, ``owners`` and ``sharing``.
"""
