"""The command line: ``main`` puts the commands together, ``commands`` holds them by subject.

Only this package knows of terminals, colours and languages. Data go to stdout, everything else to
stderr.
"""
