"""Why what is recorded can be believed: by two people, signatures, proofs and witnesses.

* who may, and who must agree: ``rights``, ``two_persons``
* who signed: ``signers``, ``signatures``, ``passkeys``
* what others can check without this program: ``proofs``, ``tiles``, ``witnesses`` (the formats are
  those of ``ledger.proofs``, which knows no database)
* what this program checks itself: ``verification``, ``snapshot_check``, ``regulation_code``,
  ``erased_bytes``

What holds, by what and against whom is a table of ``docs/architecture.md``.
"""
