"""The web face: pages for everybody, an API for programs and a desk for officers.

``app`` puts it together from the rooms ``pages``, ``api``, ``accounts`` and ``desk``. What it says
comes from ``ledger.application``; ``site`` is where that is asked.
"""
