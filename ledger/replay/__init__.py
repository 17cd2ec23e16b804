"""Replay: facts × regulation, period by period, to what every list and every answer is made of.

``timeline`` deals the games out to their periods, ``replay`` carries the player states through
them, ``late_results`` credits what a closed list owes under the *next-list* policy.
"""
