-- What `migrate.py` runs on its own table. Everything else about the schema is in `migrations/`.

-- name: has_migration_table
-- Was this database ever migrated?
SELECT to_regclass('schema_migration') IS NOT NULL;

-- name: create_migration_table
-- The one table that no migration makes.
CREATE TABLE IF NOT EXISTS schema_migration (
    version    integer     PRIMARY KEY,
    name       text        NOT NULL,
    checksum   text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- name: applied_migrations
SELECT version, checksum
  FROM schema_migration
 ORDER BY version;

-- name: record_migration
-- $1 version, $2 name, $3 checksum of the up file
INSERT INTO schema_migration (version, name, checksum)
VALUES ($1, $2, $3);

-- name: forget_migration
-- $1 version
DELETE FROM schema_migration
 WHERE version = $1;

-- name: try_migration_lock
-- $1 key
SELECT pg_try_advisory_lock($1);

-- name: release_migration_lock
-- $1 key
SELECT pg_advisory_unlock($1);

-- name: lift_time_limits
-- A migration may rightly take longer than any statement of the crawl.
SELECT set_config('statement_timeout', '0', false),
       set_config('lock_timeout', '0', false),
       set_config('idle_in_transaction_session_timeout', '0', false);

-- name: restore_time_limits
-- Back to what the connection was opened with.
SELECT set_config(name, reset_val, false)
  FROM pg_settings
 WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout');

-- name: analyze
ANALYZE;
