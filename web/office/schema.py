"""The tables of the office, as SQLAlchemy sees them. Alembic makes them (``migrations/office``).

Instants are whole seconds since 1970 (UTC). Whatever lets somebody in is kept as the SHA-256 of a
long random text, or by a slow hash; the secrets of time-based codes are the exception, because
they are needed as they are.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.schema import SchemaItem

REVISIONS = (
    "o0001", "o0002", "o0003", "o0004", "o0005", "o0006", "o0007", "o0008", "o0009", "o0010",
)  # fmt: skip
"""Every migration, the newest last; a test holds them against the scripts."""

METADATA = MetaData()
INT = BigInteger().with_variant(Integer, "sqlite")
TEXT = Text()
BYTES = LargeBinary()


def _table(name: str, *parts: SchemaItem) -> Table:
    """Returns a table of the office, whose types SQLite minds, too."""
    return Table(name, METADATA, *parts, sqlite_strict=True)


def _of_account(*, is_key: bool = False) -> Column[str]:
    """Returns the column that says whose a row is; it goes with its account."""
    whose = ForeignKey("accounts.account", ondelete="CASCADE")
    return Column("account", TEXT, whose, primary_key=is_key, nullable=False)


ACCOUNTS = _table(
    "accounts",
    Column("account", TEXT, primary_key=True),
    Column("user_handle", BYTES, nullable=False, unique=True),  # says nothing of the account
    Column("created_at", INT, nullable=False),
)

PLAYER_TIES = _table(  # who somebody is when they speak about their own games
    "player_ties",
    _of_account(is_key=True),
    Column("player", TEXT, nullable=False, unique=True),  # as it was chosen: it may be merged since
    Column("tied_at", INT, nullable=False),
)

PASSWORDS = _table(
    "passwords",
    _of_account(is_key=True),
    Column("hash", TEXT, nullable=False),
    Column("secret", BYTES, nullable=False),  # of the time-based codes
    Column("last_step", INT, nullable=False),  # of the last code that was used
    Column("changed_at", INT, nullable=False),
)

RECOVERY_CODES = _table(
    "recovery_codes",
    _of_account(is_key=True),
    Column("hash", BYTES, primary_key=True),
)

PASSKEYS = _table(
    "passkeys",
    Column("credential", BYTES, primary_key=True),
    _of_account(),
    Column("public_key", BYTES, nullable=False),
    Column("sign_count", INT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("created_at", INT, nullable=False),
    Column("used_at", INT),
    Column("copied_at", INT),  # when it was shown last with a counter that had not grown
    Index("passkeys_account", "account"),
)

IDENTITIES = _table(
    "identities",
    Column("issuer", TEXT, primary_key=True),
    Column("subject", TEXT, primary_key=True),
    _of_account(),
    Column("created_at", INT, nullable=False),
    Index("identities_account", "account"),
)

SESSIONS = _table(
    "sessions",
    Column("hash", BYTES, primary_key=True),
    _of_account(),
    Column("seq", INT, nullable=False),  # of the ledger when it began
    Column("created_at", INT, nullable=False),
    Column("seen_at", INT, nullable=False),
    Column("fresh_at", INT, nullable=False),  # when somebody proved last who they are
    Column("agent", TEXT, nullable=False),
    Index("sessions_account", "account"),
)

TOKENS = _table(
    "tokens",
    Column("hash", BYTES, primary_key=True),
    _of_account(),
    Column("seq", INT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("scopes", TEXT, nullable=False),  # separated by spaces
    Column("created_at", INT, nullable=False),
    Column("expires_at", INT, nullable=False),
    Column("used_at", INT),
    Index("tokens_account", "account"),
)

ENROLMENTS = _table(
    "enrolments",
    Column("hash", BYTES, primary_key=True),
    _of_account(),
    Column("created_at", INT, nullable=False),
    Column("expires_at", INT, nullable=False),
    Index("enrolments_account", "account"),
)

CEREMONIES = _table(  # what was begun in one request and is ended in another
    "ceremonies",
    Column("hash", BYTES, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("data", TEXT, nullable=False),
    Column("expires_at", INT, nullable=False),
    Index("ceremonies_end", "expires_at"),
)

DEVICES = _table(  # browsers that have signed in by a password before
    "devices",
    Column("hash", BYTES, primary_key=True),
    _of_account(),
    Column("expires_at", INT, nullable=False),
    Index("devices_account", "account"),
)

ATTEMPTS = _table(
    "attempts",
    Column("key", BYTES, primary_key=True),  # the digest of what is counted
    Column("count", INT, nullable=False),
    Column("ends_at", INT, nullable=False),
    Index("attempts_end", "ends_at"),
)

JOBS = _table(
    "jobs",
    Column("job", TEXT, primary_key=True),  # a long random text
    Column("number", INT, nullable=False),  # their order
    Column("kind", TEXT, nullable=False),
    Column("key", TEXT, nullable=False),  # the digest of kind and parameters
    Column("parameters", TEXT, nullable=False),  # JSON, as the result and the problem are
    Column("account", TEXT),  # nobody: the site itself
    Column("state", TEXT, nullable=False),
    Column("cancelled", INT, nullable=False),  # 1: somebody asked for it
    Column("runner", TEXT),  # who has it in hand
    Column("claims", INT, nullable=False),
    Column("what", TEXT, nullable=False),
    Column("done", INT, nullable=False),
    Column("total", INT, nullable=False),
    Column("created_at", INT, nullable=False),
    Column("beat_at", INT, nullable=False),
    Column("ended_at", INT),
    Column("result", TEXT),
    Column("problem", TEXT),
    Index("jobs_key", "key"),
    Index("jobs_number", "number", unique=True),
    Index("jobs_state", "state", "number"),
)


def _of_submission(*, is_key: bool = True) -> Column[str]:
    """Returns the column that says of which submission a row is; it goes with it."""
    which = ForeignKey("submissions.id", ondelete="CASCADE")
    return Column("submission", TEXT, which, primary_key=is_key, nullable=False)


SUBMISSIONS = _table(
    "submissions",
    Column("id", TEXT, primary_key=True, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("account", TEXT, nullable=False),  # it stays when the account goes
    Column("turn", INT, nullable=False),  # counts the steps
    Column("version", INT, nullable=False),  # counts the contents
    Column("title", TEXT, nullable=False),
    Column("content", TEXT, nullable=False),
    Column("sha256", TEXT),  # of its file
    Column("made_at", INT, nullable=False),
    Column("changed_at", INT, nullable=False),
    Column("decided_by", TEXT),
    Column("commit_id", INT),
    Index("submissions_changed", "changed_at", "id"),
)

SUBMISSION_STEPS = _table(
    "submission_steps",
    _of_submission(),
    Column("number", INT, primary_key=True, nullable=False),
    Column("at", INT, nullable=False),
    Column("account", TEXT, nullable=False),
    Column("what", TEXT, nullable=False),
    Column("comment", TEXT, nullable=False),
)

SUBMISSION_FILES = _table(
    "submission_files",
    Column("sha256", TEXT, primary_key=True, nullable=False),
    Column("data", BYTES, nullable=False),
)

SUBMISSION_PREVIEWS = _table(  # what was seen before it was decided
    "submission_previews",
    _of_submission(),
    Column("version", INT, primary_key=True, nullable=False),
    Column("seq", INT, primary_key=True, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("data", TEXT, nullable=False),
)

SUBMISSION_LINKS = _table(  # to a preview, for whoever has it
    "submission_links",
    Column("hash", BYTES, primary_key=True, nullable=False),
    _of_submission(is_key=False),
    Column("expires_at", INT, nullable=False),
    Index("submission_links_submission", "submission"),
)

SUBMISSION_SIGNATURES = _table(  # of who handed it in, until it is decided
    "submission_signatures",
    _of_submission(),
    Column("version", INT, nullable=False),
    Column("account", TEXT, nullable=False),
    Column("key", TEXT, nullable=False),
    Column("assertion", TEXT, nullable=False),
)

CLAIMS = _table(  # what somebody says is wrong; a submission that one becomes has its id
    "claims",
    Column("id", TEXT, primary_key=True, nullable=False),
    Column("hash", BYTES, nullable=False, unique=True),  # of the secret of its link
    Column("about", TEXT, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("player", TEXT, nullable=False),
    Column("list", TEXT, nullable=False),
    Column("period", TEXT, nullable=False),
    Column("tournament", TEXT),
    Column("content", TEXT, nullable=False),
    Column("words", TEXT, nullable=False),
    Column("email", TEXT),
    Column("account", TEXT),  # it stays when the account goes
    Column("state", TEXT, nullable=False),
    Column("decided_by", TEXT),
    Column("reason", TEXT, nullable=False),
    Column("commit_id", INT),
    Column("made_at", INT, nullable=False),
    Column("changed_at", INT, nullable=False),
    Index("claims_about", "about"),
    Index("claims_state", "state", "made_at"),
)

CLAIM_ANSWERS = _table(  # what who played a game says of a claim about it, until it is decided
    "claim_answers",
    Column("claim", TEXT, ForeignKey("claims.id", ondelete="CASCADE"), primary_key=True),
    _of_account(is_key=True),
    Column("confirms", INT, nullable=False),  # 0 or 1
    Column("words", TEXT, nullable=False),
    Column("at", INT, nullable=False),
)

ERASURES = _table(  # one row: how many persons were erased when names were thrown away last
    "erasures",
    Column("gone", INT, nullable=False),
)

UNFINISHED_COPIES = _table(  # one row at most, from before a ledger is copied until its office is
    "unfinished_copies",
    Column("source", TEXT, nullable=False),
)

WEBHOOKS = _table(
    "webhooks",
    Column("webhook", TEXT, primary_key=True),
    Column("url", TEXT, nullable=False, unique=True),
    Column("subjects", TEXT, nullable=False),  # separated by spaces
    Column("secret", TEXT, nullable=False),  # deliveries are signed by it
    Column("seq", INT, nullable=False),  # up to which everything is delivered
    Column("created_at", INT, nullable=False),
    Column("created_by", TEXT, nullable=False),
    Column("tries", INT, nullable=False),  # failures in a row
    Column("next_at", INT, nullable=False),
    Column("failing_since", INT),
    Column("disabled_at", INT),
)

DELIVERIES = _table(
    "webhook_deliveries",
    Column("number", INT, primary_key=True),  # their order
    Column("webhook", TEXT, nullable=False),
    Column("delivery", TEXT, nullable=False),
    Column("seq", INT, nullable=False),
    Column("subject", TEXT, nullable=False),
    Column("tried_at", INT, nullable=False),
    Column("code", INT),  # of the answer; none: there was none
    Column("problem", TEXT, nullable=False),
    Index("webhook_deliveries_webhook", "webhook", "number"),
)
