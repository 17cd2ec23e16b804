"""The registrar: turns commands into events, or refuses them and says what to do.

``commands`` are what people ask for (in the imperative), ``register`` is what the registrar knows
when it decides (only the players, tournaments, lists and ladders concerned), ``players``,
``tournaments``, ``administration`` and ``ladders`` decide, ``registrar`` takes a series of
commands, each seeing the one before.
"""
