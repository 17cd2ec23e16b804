"""Jobs: what takes longer than somebody waits for a page.

``kinds`` names what can be done, ``runner`` has it done, each job by a process of its own
(``process``), ``pages`` shows how far it is. What is known of a job stands in ``web.office.jobs``,
who has it in hand in ``web.office.jobs``.
"""
