-- name: write_events
-- Write events in the caller's transaction, in the order of the arrays. Returns the position of the last one.
-- $1 kind[], $2 subject_id[], $3 payload[] as JSON text
WITH written AS (
  INSERT INTO event_log (kind, subject_id, payload)
  SELECT kind, subject_id, payload::jsonb
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS new (kind, subject_id, payload, place)
   ORDER BY place
  RETURNING xid, id
)
SELECT (SELECT event_history()) AS history, xid, id
  FROM written
 ORDER BY id DESC
 LIMIT 1;

-- name: events_after
-- The events after a position that no running transaction can add to any more, and the range that the log holds. One
-- statement, so one snapshot: events cannot be pruned between reading them and checking that none is missing.
-- $1 history or NULL for the oldest events, $2 xid, $3 id, $4 kind[] or NULL for all, $5 at most this many
SELECT log.history,
       log.newest_xid,
       log.newest_id,
       $1::text IS NULL
         OR $1 = log.history
         AND $2::xid8 < log.next_xid
         AND ($2::xid8, $3::bigint) >= (log.pruned_xid, log.pruned_id) AS is_kept,
       e.xid, e.id, e.at, e.kind, e.subject_id, e.payload
  FROM event_log_now() log
  LEFT JOIN LATERAL (
         SELECT xid, id, at, kind, subject_id, payload::text AS payload
           FROM event_log
          WHERE (xid, id) > ($2::xid8, $3::bigint)
            AND xid < log.horizon
            AND ($4::text[] IS NULL OR kind = ANY ($4::text[]))
          ORDER BY xid, id
          LIMIT $5
       ) e ON true
 ORDER BY e.xid, e.id;

-- name: newest_position
-- The position of the newest event that can be read.
SELECT history, newest_xid AS xid, newest_id AS id
  FROM event_log_now();

-- name: notify_readers
-- Wake the readers with the newest position. Returns the transaction at which they stop, and the next one.
-- $1 channel
SELECT horizon, next_xid, pg_notify($1, history || '.' || newest_xid || '.' || newest_id)
  FROM event_log_now();

-- name: lock_pruning
-- One process prunes at a time.
SELECT FROM event_log_pruned FOR UPDATE;

-- name: prune_events
-- Delete the oldest events in the order of their positions: those past the retention, and those beyond the greatest
-- number to keep. Returns how many.
-- $1 seconds to keep, $2 how many to keep, $3 at most this many
WITH log AS MATERIALIZED (
  SELECT horizon, history FROM event_log_now()
), oldest AS MATERIALIZED (
  SELECT xid, id, at
    FROM event_log
   WHERE xid < (SELECT horizon FROM log)
   ORDER BY xid, id
   LIMIT $3
), first_young AS MATERIALIZED (
  SELECT xid, id
    FROM oldest
   WHERE at >= now() - $1::float8 * interval '1 second'
   ORDER BY xid, id
   LIMIT 1
), first_counted AS MATERIALIZED (
  SELECT xid, id
    FROM event_log
   WHERE xid < (SELECT horizon FROM log)
   ORDER BY xid DESC, id DESC
  OFFSET $2::bigint
   LIMIT 1
), removed AS (
  DELETE FROM event_log e
   USING oldest o
   WHERE e.xid = o.xid
     AND e.id = o.id
     AND (NOT EXISTS (SELECT FROM first_young y WHERE (y.xid, y.id) <= (o.xid, o.id))
          OR EXISTS (SELECT FROM first_counted c WHERE (o.xid, o.id) <= (c.xid, c.id)))
  RETURNING e.xid, e.id
)
UPDATE event_log_pruned
   SET history = log.history,
       xid = last.xid,
       id = last.id
  FROM log, (SELECT xid, id FROM removed ORDER BY xid DESC, id DESC LIMIT 1) last
RETURNING (SELECT count(*) FROM removed);

-- name: prune_foreign_events
-- Delete events with transaction numbers that this server has not assigned yet: a dump of another server brought them,
-- and they would appear between later events. Returns how many.
-- $1 at most
WITH removed AS (
  DELETE FROM event_log
   WHERE (xid, id) IN (SELECT xid, id
                         FROM event_log
                        WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())
                          AND xid IS DISTINCT FROM pg_current_xact_id_if_assigned()
                        ORDER BY xid, id
                        LIMIT $1)
  RETURNING 1
)
SELECT count(*) FROM removed;

-- name: event_lag
-- How many committed events readers cannot see yet, for how long, and which transaction holds them back.
-- $1 count at most
WITH log AS MATERIALIZED (
  SELECT horizon FROM event_log_now()
), waiting AS (
  SELECT at FROM event_log WHERE xid >= (SELECT horizon FROM log) ORDER BY xid, id LIMIT $1
), holder AS (
  SELECT xact_start AS since, pid, application_name
    FROM pg_stat_activity
   WHERE backend_xid IS NOT NULL
     AND pid <> pg_backend_pid()
   UNION ALL
  SELECT prepared, NULL, 'prepared transaction ' || gid
    FROM pg_prepared_xacts
   ORDER BY since
   LIMIT 1
)
SELECT (SELECT count(*) FROM waiting) AS waiting,
       extract(epoch FROM clock_timestamp() - (SELECT min(at) FROM waiting))::float8 AS waiting_s,
       extract(epoch FROM clock_timestamp() - holder.since)::float8 AS held_s,
       holder.pid AS held_by_pid,
       holder.application_name AS held_by
  FROM log
  LEFT JOIN holder ON true;

-- name: number_events_anew
-- Give all events the number of this transaction, in the order of their ids: after a restore their own numbers may be
-- greater than those that this server has assigned.
UPDATE event_log SET xid = pg_current_xact_id();

-- name: begin_history
-- Let the log begin at this transaction: readers with an older position begin anew.
UPDATE event_log_pruned SET history = event_history(), xid = pg_current_xact_id(), id = 0;
