-- name: export_snapshot
-- Name the snapshot of this transaction, so that pg_dump reads the same state.
SELECT pg_export_snapshot();

-- name: describe_database
-- The version of the server, the newest migration, the size of the database, and the size of its tables without
-- indexes, which bounds the size of a dump.
SELECT current_setting('server_version') AS postgresql,
       current_setting('server_version_num')::int / 10000 AS major,
       (SELECT max(version) FROM schema_migration) AS schema_version,
       pg_database_size(current_database()) AS database_bytes,
       (SELECT coalesce(sum(pg_table_size(c.oid)), 0)::bigint
          FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind = 'r'
           AND n.nspname !~ '^pg_|^information_schema$') AS table_bytes;

-- name: count_statements
-- Every table of Outrider, with the statement that counts its rows.
SELECT c.relname AS table_name,
       format('SELECT count(*) FROM %I.%I', n.nspname, c.relname) AS statement
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind = 'r'
   AND n.nspname = current_schema()
   AND c.relpersistence = 'p'
 ORDER BY c.relname;

-- name: backup_history
-- When this database was installed, the newest good backup, and the newest attempt if it failed.
SELECT (SELECT min(applied_at) FROM schema_migration) AS installed_at,
       good.started_at AS good_at,
       good.result ->> 'name' AS good_name,
       (good.result ->> 'bytes')::bigint AS good_bytes,
       newest.started_at AS failed_at,
       newest.error
  FROM (SELECT 1) AS always
  LEFT JOIN LATERAL (SELECT started_at, result
                       FROM maintenance_task
                      WHERE task = 'backup'
                        AND state = 'completed'
                      ORDER BY started_at DESC
                      LIMIT 1) good ON true
  LEFT JOIN LATERAL (SELECT started_at, error
                       FROM (SELECT started_at, error, state
                               FROM maintenance_task
                              WHERE task = 'backup'
                                AND state <> 'running'
                              ORDER BY started_at DESC
                              LIMIT 1) ended
                      WHERE state = 'failed') newest ON true;

-- name: create_statement
-- The statement that creates a database with the encoding, sorting and owner of another one.
-- $1 new database, $2 database to copy these from
SELECT format('CREATE DATABASE %I TEMPLATE template0 ENCODING %L LC_COLLATE %L LC_CTYPE %L LOCALE_PROVIDER %s%s',
              $1::text,
              pg_encoding_to_char(d.encoding),
              d.datcollate,
              d.datctype,
              CASE d.datlocprovider WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin' ELSE 'libc' END,
              CASE d.datlocprovider WHEN 'i' THEN format(' ICU_LOCALE %L', p.locale)
                                    WHEN 'b' THEN format(' BUILTIN_LOCALE %L', p.locale)
                                    ELSE '' END)
  FROM pg_database d
 CROSS JOIN LATERAL (SELECT coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') AS locale) p
 WHERE d.datname = $2::name;

-- name: drop_statement
-- The statement that drops a database if it exists, and ends its sessions.
-- $1 database
SELECT format('DROP DATABASE IF EXISTS %I WITH (FORCE)', $1::text);

-- name: rename_statement
-- The statement that renames a database.
-- $1 database, $2 new name
SELECT format('ALTER DATABASE %I RENAME TO %I', $1::text, $2::text);

-- name: database_names
-- The databases of the server whose names begin with a text, newest name first.
-- $1 text
SELECT datname FROM pg_database WHERE starts_with(datname, $1::text) ORDER BY datname DESC;

-- name: sessions_of
-- The programs that are connected to a database, with the number of sessions of each.
-- $1 database, $2 pids of our own sessions
SELECT coalesce(nullif(application_name, ''), 'an unnamed program') AS program, count(*)::int AS sessions
  FROM pg_stat_activity
 WHERE datname = $1::name
   AND backend_type = 'client backend'
   AND pid <> ALL ($2::int[])
 GROUP BY program
 ORDER BY program;

-- name: end_sessions
-- End every session of a database.
-- $1 database
SELECT count(pg_terminate_backend(pid))
  FROM pg_stat_activity
 WHERE datname = $1::name
   AND pid <> pg_backend_pid();

-- name: database_name
-- The name of this database.
SELECT current_database();

-- name: analyze
-- Update the statistics of all tables, which a dump does not have.
ANALYZE;

-- name: server
-- The major version of the server, and the name of this database.
SELECT current_setting('server_version_num')::int / 10000 AS major, current_database() AS database;

-- name: count_urls
-- The URLs that people know of: an entry for robots.txt is none.
SELECT count(*) FROM url WHERE kind <> {kind_robots};
