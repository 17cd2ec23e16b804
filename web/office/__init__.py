"""What the site keeps beside the ledger: accounts' credentials, sessions, submissions, jobs.

``store`` opens it, ``schema`` has its tables; there is a module for each noun. Nothing in it is
needed to read the ledger, and nothing of it stands in the journal.
"""
