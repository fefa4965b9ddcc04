-- The queries of `migrate.py` on its own table. The rest of the schema is in `migrations/`.

-- name: has_migration_table
-- Whether this database was ever migrated.
SELECT to_regclass('schema_migration') IS NOT NULL;

-- name: create_migration_table
-- Create the only table that no migration creates.
CREATE TABLE IF NOT EXISTS schema_migration (
    version    integer     PRIMARY KEY,
    name       text        NOT NULL,
    checksum   text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- name: applied_migrations
-- The migrations that are applied, in order.
SELECT version, checksum
  FROM schema_migration
 ORDER BY version;

-- name: record_migration
-- Record that a migration is applied.
-- $1 version, $2 name, $3 checksum of the up file
INSERT INTO schema_migration (version, name, checksum)
VALUES ($1, $2, $3);

-- name: forget_migration
-- Record that a migration is reverted.
-- $1 version
DELETE FROM schema_migration
 WHERE version = $1;

-- name: try_migration_lock
-- Take the migration lock, if no other process holds it.
-- $1 key
SELECT pg_try_advisory_lock($1);

-- name: release_migration_lock
-- Release the migration lock.
-- $1 key
SELECT pg_advisory_unlock($1);

-- name: lift_time_limits
-- Lift the timeouts: a migration may take longer than any statement of the crawl.
SELECT set_config('statement_timeout', '0', false),
       set_config('lock_timeout', '0', false),
       set_config('idle_in_transaction_session_timeout', '0', false);

-- name: restore_time_limits
-- Restore the timeouts that the connection was opened with.
SELECT set_config(name, reset_val, false)
  FROM pg_settings
 WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout');

-- name: analyze
-- Update the statistics of all tables of this schema. Those of the catalogue would take ten times as long, and a new
-- database has them.
DO $$
BEGIN
  EXECUTE (
    SELECT 'ANALYZE ' || string_agg(c.oid::regclass::text, ', ')
      FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace
       AND c.relkind IN ('r', 'p')
  );
END
$$;
