"""The command line: ``main`` runs it, ``commands`` has a module for each noun.

``command`` registers a command, ``options`` has what several of them take, ``values`` reads what is
typed, ``tables`` and ``render`` write for people. Only this package knows of terminals, colours and
languages. Data go to stdout, everything else to stderr.
"""
