"""The registrar: turns commands into events, or refuses them and says what to do.

``players``, ``tournaments``, ``pairings``, ``lists``, ``ladders`` and ``accounts`` hold the
commands (in the imperative) and what each decides; ``commands`` names them all. ``register`` is
what the registrar knows when it decides (players, tournaments, lists, ladders and accounts),
``registrar`` takes a series of commands, each seeing the one before.
"""
