-- name: begin_log
-- Write the first line of a run's log. Writes nothing if the log exists, or if there is no such run.
-- $1 run_id
WITH begun AS (
  INSERT INTO run_log_state (run_id, last_number)
  SELECT run_id, 1 FROM run WHERE run_id = $1
  ON CONFLICT (run_id) DO NOTHING
  RETURNING run_id
)
INSERT INTO run_log (run_id, number, at, level, category, message, fields)
SELECT r.run_id, 1, r.started_at, 'info', 'lifecycle', 'run started',
       jsonb_build_object('started_by', r.started_by, 'execution_number', r.execution_number,
                          'retry_attempt', r.retry_attempt, 'source', r.source_id)
  FROM begun
  JOIN run r USING (run_id);

-- name: append_lines
-- Append a batch of a writer, once however often it is sent. Lines past the limit are counted and not kept. Returns
-- the number of the newest line; no row if the batch was written before or the log has ended.
-- $1 run_id, $2 writer, $3 batch, $4 at[], $5 level[], $6 category[], $7 message[], $8 fields[] as JSON text,
-- $9 how many lines the writer dropped, $10 how many it throttled, $11 most lines of a run
WITH fresh AS (
  INSERT INTO run_log_writer (run_id, writer, batch)
  VALUES ($1, $2, $3)
  ON CONFLICT (run_id, writer) DO UPDATE SET batch = excluded.batch WHERE run_log_writer.batch < excluded.batch
  RETURNING batch
), state AS (
  UPDATE run_log_state s
     SET last_number = s.last_number + cardinality($4::timestamptz[]),
         dropped     = s.dropped + $9,
         throttled   = s.throttled + $10,
         past_limit  = s.past_limit
                       + greatest(0, least(cardinality($4::timestamptz[]),
                                           s.last_number + cardinality($4::timestamptz[]) - $11::integer))
    FROM fresh
   WHERE s.run_id = $1
     AND s.ended_at IS NULL
  RETURNING s.last_number
), written AS (
  INSERT INTO run_log (run_id, number, at, level, category, message, fields)
  SELECT $1, state.last_number - cardinality($4::timestamptz[]) + new.place,
         new.at, new.level, new.category, new.message, new.fields::jsonb
    FROM state,
         unnest($4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[])
           WITH ORDINALITY AS new (at, level, category, message, fields, place)
   WHERE state.last_number - cardinality($4::timestamptz[]) + new.place <= $11::integer
)
SELECT last_number FROM state;

-- name: append_progress
-- Append a line about the progress of a run, if the run passed a milestone or the last such line is old. One of several
-- writers succeeds. Returns the number of the line.
-- $1 run_id, $2 milestone, $3 seconds between such lines, $4 most lines of a run, $5 message, $6 fields as JSON text
WITH state AS (
  UPDATE run_log_state
     SET last_number = last_number + 1,
         milestone   = greatest(milestone, $2::integer),
         progress_at = now()
   WHERE run_id = $1
     AND ended_at IS NULL
     AND last_number < $4::integer
     AND (milestone < $2::integer OR progress_at <= now() - $3::float8 * interval '1 second')
  RETURNING last_number
), written AS (
  INSERT INTO run_log (run_id, number, at, level, category, message, fields)
  SELECT $1, last_number, now(), 'info', 'metrics', $5::text, $6::text::jsonb FROM state
)
SELECT last_number FROM state;

-- name: end_log
-- Append the summary of a run, with the number of lines that are missing in its log. Lines that come later are not
-- kept. Returns the number of the line; no row if the log has ended.
-- $1 run_id, $2 level, $3 message, $4 fields as JSON text
WITH state AS (
  UPDATE run_log_state
     SET last_number = last_number + 1, ended_at = now()
   WHERE run_id = $1
     AND ended_at IS NULL
  RETURNING last_number, dropped, throttled, past_limit
), written AS (
  INSERT INTO run_log (run_id, number, at, level, category, message, fields)
  SELECT $1, last_number, now(), $2::text, 'lifecycle', $3::text,
         $4::text::jsonb || jsonb_build_object('lines_dropped', dropped, 'lines_throttled', throttled,
                                               'lines_past_limit', past_limit)
    FROM state
)
SELECT last_number FROM state;

-- name: lines_after
-- The lines after a number, and where the log stands. One statement, so one snapshot: lines cannot be archived between
-- reading them and reading the state.
-- $1 run_id, $2 number, $3 level[], $4 category[], $5 at most this many
SELECT coalesce(s.last_number, 0) AS last_number,
       s.ended_at IS NOT NULL AS is_ended,
       s.archived_at IS NOT NULL AS is_archived,
       r.log_object_key,
       l.number, l.at, l.level, l.category, l.message, l.fields
  FROM run r
  LEFT JOIN run_log_state s ON s.run_id = r.run_id
  LEFT JOIN LATERAL (
         SELECT number, at, level, category, message, fields::text AS fields
           FROM run_log
          WHERE run_id = r.run_id
            AND number > $2
            AND level = ANY ($3::text[])
            AND category = ANY ($4::text[])
          ORDER BY number
          LIMIT $5
       ) l ON true
 WHERE r.run_id = $1
 ORDER BY l.number;

-- name: number_before_last
-- The number after which so many lines follow; no row if the log has fewer.
-- $1 run_id, $2 level[], $3 category[], $4 how many lines
SELECT number
  FROM run_log
 WHERE run_id = $1
   AND level = ANY ($2::text[])
   AND category = ANY ($3::text[])
 ORDER BY number DESC
OFFSET $4
 LIMIT 1;

-- name: public_ids
-- The names of a run for other programs.
-- $1 run_id
SELECT r.public_id AS execution_id, j.public_id AS job_id, r.source_id, r.execution_number
  FROM run r
  LEFT JOIN job j ON j.job_id = r.job_id
 WHERE r.run_id = $1;

-- name: wake_readers
-- Notify the readers of some runs.
-- $1 channel, $2 position[]
SELECT pg_notify($1, position) FROM unnest($2::text[]) AS new (position);

-- name: runs_to_archive
-- Runs that ended a while ago and whose log is not archived.
-- $1 seconds since their end, $2 at most this many
SELECT s.run_id
  FROM run_log_state s
  JOIN run r USING (run_id)
 WHERE s.archived_at IS NULL
   AND r.status <> 'running'
   AND r.completed_at <= now() - $1::float8 * interval '1 second'
 ORDER BY s.run_id
 LIMIT $2;

-- name: mark_archived
-- Record that the archive holds the log of a run. Returns no row if it was recorded before.
-- $1 run_id
UPDATE run_log_state
   SET archived_at = now()
 WHERE run_id = $1
   AND ended_at IS NOT NULL
   AND archived_at IS NULL
RETURNING run_id;

-- name: remove_lines
-- Delete the lines of a run whose log is archived.
-- $1 run_id
DELETE FROM run_log WHERE run_id = $1;

-- name: progress_states
-- The last milestone of each open log, and whether its last line about progress is old.
-- $1 run_id[], $2 seconds between such lines
SELECT run_id, milestone, progress_at <= now() - $2::float8 * interval '1 second' AS is_old
  FROM run_log_state
 WHERE run_id = ANY ($1::integer[])
   AND ended_at IS NULL;

-- name: log_states
-- Where the logs of some runs stand.
-- $1 run_id[]
SELECT run_id, last_number, archived_at IS NOT NULL AS is_archived
  FROM run_log_state
 WHERE run_id = ANY ($1::int[]);
