"""Example documents that are shipped with the ledger.

``enf_2010/ymca.csv`` and ``players.csv`` are the real rapid tournament worked through in the ENF
document (July 2010): 16 players, five rounds, forfeits, byes and a newcomer. Its source gives no
colours; here the player with the lower starting number has White. K is given where the document
prints it. ``E-0009`` is an id of ours for the newcomer, who had none. ``agosto.csv`` is a small
invented event of the month after.
"""
