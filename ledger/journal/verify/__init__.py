"""The verification of what a journal stores.

``rules`` say what is right; ``walk`` goes through commits and events up to the first fault,
``ranges`` and ``parallel`` divide that among processes, ``check`` finds the other faults too.
``event_check`` is for events that are read out of their order.
"""
