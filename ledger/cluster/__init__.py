"""The ledger's work on more than one machine: the same functions, on an engine that exists.

An engine (``dask`` is one) calls a function for each of many lists, or puts a shard, a share of the
players of one list, on every worker (``shards``). Their coordinator takes part in the replay of
that list and asks the shards for the sums of their players' games.
"""
