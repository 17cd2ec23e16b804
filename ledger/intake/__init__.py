"""Intake: documents in. All problems of a file at once, and then nothing of it.

``imports`` finds out what a document is and hands it to ``games_file``, ``players_file`` or
``report_file``, which record it; ``recognition`` says whom a document means.

``document_copy`` and ``workbook`` make text of bytes, ``csv_table`` makes rows of text by their
``headings``. ``players``, ``games_csv`` and ``trf`` read one kind of document each into the values
of ``documents``. ``player_reconciliation`` and ``tournament_reconciliation`` compare those with
what is recorded: the same again is nothing, something new is a command, something else a
difference. ``bulk_games`` does for plain tournaments, a page of rows at once, what ``games_csv``
and ``tournament_reconciliation`` do row by row. ``tables`` writes players and games out, under the
headings that are read.
"""
