"""What keeps a ledger on PostgreSQL beside the definitions of its objects, and was changed.

Owners, privileges, settings, functions, foreign keys that are switched off, tables that would be
taken for the ledger's: whoever may change those can pass what the triggers refuse. Where ``init
--roles`` has made roles their privileges must be exactly those; else others may have what a reader
or a writer needs, and PUBLIC nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from sqlalchemy import Connection

from ledger.journal.stores.objects import ON_POSTGRESQL, DatabaseObject, foreign_objects
from ledger.journal.stores.roles import OFFICE, Roles
from ledger.journal.stores.triggers import FORGETTING, TriggerFunction, postgresql_functions

_EVERYBODY: Final = "PUBLIC"
_OWNER: Final = "_owner"
_ANY: Final = "?"  # stands for a role's name where there are no roles

# The ledger's tables and functions, and who owns most of them.
_OURS: Final = """
WITH ours AS (
  SELECT c.oid, c.relname::text AS name, c.relnamespace, c.relowner, c.relacl,
    c.relforcerowsecurity, c.reloftype, c.relam
  FROM unnest(%(tables)s::text[]) AS wanted (name)
  JOIN pg_class c ON c.oid = to_regclass(quote_ident(wanted.name))
), functions AS (
  SELECT p.*, p.proname || '()' AS name FROM pg_proc p
  WHERE p.pronamespace IN (SELECT relnamespace FROM ours)
    AND p.proname = ANY (%(functions)s::text[]) AND p.pronargs = 0
), owned AS (
  SELECT name, relowner AS owner FROM ours UNION ALL SELECT name, proowner FROM functions
), owner AS (
  SELECT owner AS oid FROM owned GROUP BY owner ORDER BY count(*) DESC, owner LIMIT 1
), extension AS (
  SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
)
"""

_PLACE: Final = """
SELECT quote_ident(nspname), pg_get_userbyid(owner.oid),
  (SELECT count(*) FROM pg_roles WHERE rolname IN (
    regexp_replace(pg_get_userbyid(owner.oid), '_owner$', '_writer'),
    regexp_replace(pg_get_userbyid(owner.oid), '_owner$', '_reader')))
FROM owner, pg_namespace WHERE pg_namespace.oid IN (SELECT relnamespace FROM ours) LIMIT 1
"""

_FUNCTIONS: Final = """
SELECT f.proname::text, f.prosrc, format_type(f.prorettype, NULL), f.prosecdef, f.proconfig,
  l.lanname = 'plpgsql' AND f.prokind = 'f' AND f.provolatile = 'v' AND NOT f.proisstrict
FROM functions f JOIN pg_language l ON l.oid = f.prolang
"""

_PRIVILEGES: Final = """
SELECT granted.name, coalesce(r.rolname::text, 'PUBLIC'), privilege, is_grantable FROM (
  SELECT name, grantee, privilege_type AS privilege, is_grantable
  FROM ours CROSS JOIN aclexplode(relacl) WHERE grantee <> relowner
  UNION ALL
  SELECT name, grantee, privilege_type || ' (' || attname || ')', is_grantable
  FROM ours JOIN pg_attribute ON attrelid = ours.oid CROSS JOIN aclexplode(attacl)
  WHERE grantee <> relowner
  UNION ALL
  SELECT name, grantee, privilege_type, is_grantable
  FROM functions CROSS JOIN aclexplode(coalesce(proacl, acldefault('f', proowner)))
  WHERE proname = %(forgetting)s AND grantee <> proowner
) AS granted LEFT JOIN pg_roles r ON r.oid = granted.grantee
"""

# What nobody has made who only ran this software.
_CHANGES: Final = """
SELECT 'owner', pg_get_userbyid(owned.owner)::text, owned.name FROM owned, owner
WHERE owned.owner <> owner.oid
UNION ALL
SELECT DISTINCT 'disabled foreign key', conname::text, ours.name
FROM pg_trigger t JOIN ours ON ours.oid = tgrelid JOIN pg_constraint c ON c.oid = tgconstraint
WHERE tgisinternal AND tgenabled <> 'O'
UNION ALL
SELECT 'constraint', conname::text, conrelid::regclass::text FROM pg_constraint
WHERE confrelid IN (SELECT oid FROM ours) AND conrelid NOT IN (SELECT oid FROM ours)
UNION ALL
SELECT 'constraint that is not valid', conname::text, ours.name
FROM pg_constraint JOIN ours ON ours.oid = conrelid WHERE contype = 'n' AND NOT convalidated
UNION ALL
SELECT 'forced row level security', '', name FROM ours WHERE relforcerowsecurity
UNION ALL
SELECT 'type of table', reloftype::regtype::text, name FROM ours WHERE reloftype <> 0
UNION ALL
SELECT 'access method', amname::text, name FROM ours JOIN pg_am ON pg_am.oid = relam
WHERE amname <> 'heap'
UNION ALL
SELECT 'statistics of column', attname::text, name
FROM ours JOIN pg_attribute ON attrelid = ours.oid
WHERE name = 'personal' AND attname = 'document' AND coalesce(attstattarget, -1) <> 0
UNION ALL
SELECT 'statistics', stxname::text, name FROM pg_statistic_ext JOIN ours ON ours.oid = stxrelid
WHERE name = 'personal'
UNION ALL
SELECT 'subscription', subname::text, name FROM pg_subscription_rel
JOIN pg_subscription s ON s.oid = srsubid JOIN ours ON ours.oid = srrelid
UNION ALL
SELECT 'type', format_type(t.oid, NULL), '' FROM pg_type t LEFT JOIN pg_class c ON c.oid = typrelid
WHERE typnamespace IN (SELECT relnamespace FROM ours) AND typcategory <> 'A'
  AND (typrelid = 0 OR c.relkind = 'c')
  AND ('pg_type'::regclass, t.oid) NOT IN (SELECT classid, objid FROM extension)
UNION ALL
SELECT 'cast', format_type(castsource, NULL) || ' as ' || format_type(casttarget, NULL), ''
FROM pg_cast WHERE oid >= 16384
  AND ('pg_cast'::regclass, oid) NOT IN (SELECT classid, objid FROM extension)
UNION ALL
SELECT 'default privilege', d.privilege_type || ' of ' || coalesce(r.rolname, 'PUBLIC'), ''
FROM (
  SELECT a.* FROM pg_default_acl CROSS JOIN aclexplode(defaclacl) a
  WHERE defaclrole IN (SELECT oid FROM owner) AND defaclobjtype = 'r' AND a.grantee <> defaclrole
    AND (defaclnamespace = 0 OR defaclnamespace IN (SELECT relnamespace FROM ours))
) AS d LEFT JOIN pg_roles r ON r.oid = d.grantee
WHERE d.grantee = 0 OR d.privilege_type <> 'SELECT'
"""

# Settings with which a session reads or writes otherwise, and tables that it would find first.
_SESSIONS: Final = """
, reading AS (
  SELECT oid, rolname FROM pg_roles
  WHERE (SELECT bool_and(has_table_privilege(pg_roles.oid, ours.oid, 'SELECT')) FROM ours)
), setting AS (
  SELECT coalesce(reading.rolname::text, 'everybody') AS who,
    split_part(said, '=', 1) AS name, substr(said, strpos(said, '=') + 1) AS value
  FROM pg_db_role_setting s CROSS JOIN unnest(setconfig) AS said
  LEFT JOIN reading ON reading.oid = setrole
  WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND (setrole = 0 OR reading.oid IS NOT NULL)
), path AS (
  SELECT who, value, btrim(step, ' "') AS schema, place FROM setting
  CROSS JOIN string_to_table(value, ',') WITH ORDINALITY AS t (step, place)
  WHERE name = 'search_path'
), reached AS (
  SELECT unnest(current_schemas(false))::text AS schema
  UNION SELECT rolname::text FROM reading UNION SELECT schema FROM path
)
SELECT 'setting', name || '=' || value || ' of ' || who, '' FROM setting
WHERE name IN ('session_preload_libraries', 'local_preload_libraries')
  OR (name = 'session_replication_role' AND value <> 'origin')
UNION ALL
SELECT 'setting', 'search_path=' || value || ' of ' || who, '' FROM path
WHERE schema = 'pg_catalog' AND place > 1
UNION ALL
SELECT 'table', nspname || '.' || relname, '' FROM pg_class c
JOIN pg_namespace n ON n.oid = relnamespace JOIN reached ON reached.schema = nspname
WHERE relname = ANY (%(tables)s::text[]) AND relname <> 'alembic_version' AND nspname <> %(office)s
  AND c.oid NOT IN (SELECT oid FROM ours)
  AND relnamespace NOT IN (SELECT relnamespace FROM ours WHERE name = 'events')
"""

# Where there are roles: what makes one of them another.
_ROLES: Final = """
SELECT 'membership', one.rolname || ' in ' || other.rolname, ''
FROM pg_roles one JOIN pg_roles other ON other.rolname IN (%(owner)s, %(writer)s)
WHERE one.rolname IN (%(writer)s, %(reader)s) AND one.oid <> other.oid
  AND (one.rolname, other.rolname) <> (%(writer)s, %(reader)s)
  AND pg_has_role(one.oid, other.oid, 'MEMBER')
UNION ALL
SELECT 'role that may do everything', rolname::text, '' FROM pg_roles
WHERE rolname IN (%(owner)s, %(writer)s, %(reader)s) AND (rolsuper OR rolbypassrls)
"""


def unlike_made(connection: Connection) -> list[DatabaseObject]:
    """Returns what is not the ledger's, or not as it makes it, in the whole database; sorted."""
    found = foreign_objects(connection)
    if connection.dialect.name == "postgresql":
        found += _changed(connection)
    return sorted(set(found))


def _changed(connection: Connection) -> Iterator[DatabaseObject]:
    """Yields which safeguards are not as they were made."""
    bound = {
        "tables": [table.name for table in ON_POSTGRESQL],
        "functions": list(postgresql_functions("")),
        "forgetting": FORGETTING,
        "office": OFFICE,
    }
    place = connection.exec_driver_sql(_OURS + _PLACE, bound).first()
    if place is None:  # the tables are gone, which others say
        return
    schema, owner, others = place
    is_prefixed = str(owner).endswith(_OWNER) and others == len((Roles.writer, Roles.reader))
    roles = Roles.of(str(owner).removesuffix(_OWNER)) if is_prefixed else None
    yield from _other_functions(connection, bound, schema)
    yield from _other_privileges(connection, bound, roles)
    for query in (_CHANGES, _SESSIONS):
        for row in connection.exec_driver_sql(_OURS + query, bound):
            yield DatabaseObject(*row)
    if roles is not None:
        for row in connection.exec_driver_sql(_ROLES, roles._asdict()):
            yield DatabaseObject(*row)


def _other_functions(
    connection: Connection, bound: Mapping[str, object], schema: str
) -> Iterator[DatabaseObject]:
    wanted = postgresql_functions(schema)
    rows = connection.exec_driver_sql(_OURS + _FUNCTIONS, bound)
    for name, source, returns, as_owner, settings, is_plain in rows:
        found = TriggerFunction(source, returns, as_owner, tuple(sorted(settings or ())))
        if not is_plain or found != wanted[name]:
            yield DatabaseObject("function", f"{name}()")


def _other_privileges(
    connection: Connection, bound: Mapping[str, object], roles: Roles | None
) -> Iterator[DatabaseObject]:
    """Yields privileges that others than the owner have and should not, or lack."""
    wanted = (roles or Roles(_ANY, _ANY, _ANY)).privileges()
    found = set()
    for name, role, privilege, is_grantable in connection.exec_driver_sql(
        _OURS + _PRIVILEGES, bound
    ):
        as_wanted = (name, role if roles or role == _EVERYBODY else _ANY, privilege)
        found.add(as_wanted)
        if as_wanted not in wanted or is_grantable:
            yield DatabaseObject("privilege", f"{privilege} of {role}", name)
    if roles is not None:
        for name, role, privilege in wanted - found:
            yield DatabaseObject("missing privilege", f"{privilege} of {role}", name)
