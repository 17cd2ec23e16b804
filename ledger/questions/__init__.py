"""What a ledger is asked: each question with its words, declared once for every face.

A question is a function of a view; its parameters have kinds, its answer is a report. The command
line (``cli.questions``) and the API (``web.api.questions``) make their faces of it. Here nothing is
calculated: what answers takes time to load, and is loaded when it is asked.
"""
