-- name: known_alerts
-- Alerts that are not closed, also those that are not told yet.
SELECT alert_id, key, kind, held_since, opened_at, over_since
  FROM alert
 WHERE closed_at IS NULL;

-- name: hold_alert
-- Remember a condition that must hold for a while before it is told.
-- $1 key, $2 kind, $3 severity, $4 subject_kind, $5 subject_id, $6 subject_name, $7 numbers
INSERT INTO alert (key, kind, severity, subject_kind, subject_id, subject_name, numbers, held_since, last_seen_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now())
    ON CONFLICT (key) WHERE closed_at IS NULL DO NOTHING;

-- name: open_alert
-- Open an alert. Returns no row if another process has opened it.
-- $1 key, $2 kind, $3 severity, $4 subject_kind, $5 subject_id, $6 subject_name, $7 numbers
INSERT INTO alert AS a
       (key, kind, severity, subject_kind, subject_id, subject_name, numbers, held_since, opened_at, last_seen_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now(), now())
    ON CONFLICT (key) WHERE closed_at IS NULL DO UPDATE
   SET opened_at    = excluded.opened_at,
       last_seen_at = excluded.last_seen_at,
       subject_name = excluded.subject_name,
       numbers      = excluded.numbers
 WHERE a.opened_at IS NULL
RETURNING *;

-- name: forget_held
-- Forget conditions that did not hold long enough.
-- $1 alert_id[]
DELETE FROM alert
 WHERE alert_id = ANY ($1::bigint[])
   AND opened_at IS NULL;

-- name: see_alerts
-- The conditions of open alerts hold, with these numbers.
-- $1 alert_id[], $2 numbers[] as JSON text, $3 subject_name[]
UPDATE alert a
   SET last_seen_at = now(),
       over_since   = NULL,
       numbers      = seen.numbers::jsonb,
       subject_name = CASE WHEN a.subject_kind IS NULL THEN NULL ELSE coalesce(seen.name, a.subject_name) END
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS seen (alert_id, numbers, name)
 WHERE a.alert_id = seen.alert_id
   AND a.closed_at IS NULL;

-- name: end_conditions
-- The conditions of open alerts do not hold any more.
-- $1 alert_id[]
UPDATE alert
   SET over_since = now()
 WHERE alert_id = ANY ($1::bigint[])
   AND closed_at IS NULL
   AND over_since IS NULL;

-- name: close_alert
-- Close an alert. Returns no row if another process has closed it.
-- $1 alert_id
UPDATE alert
   SET closed_at  = now(),
       over_since = coalesce(over_since, now())
 WHERE alert_id = $1
   AND opened_at IS NOT NULL
   AND closed_at IS NULL
RETURNING *;

-- name: list_alerts
-- A page of the alerts that were told, the newest first.
-- $1 whether open or closed ones, NULL for both, $2 kind or NULL, $3 limit, $4 offset
SELECT *
  FROM alert
 WHERE opened_at IS NOT NULL
   AND ($1::bool IS NULL OR (closed_at IS NULL) = $1)
   AND ($2::text IS NULL OR kind = $2)
 ORDER BY opened_at DESC, alert_id DESC
 LIMIT $3
OFFSET $4;

-- name: count_alerts
-- How many alerts match, counted up to a bound.
-- $1 whether open or closed ones, NULL for both, $2 kind or NULL, $3 the bound
SELECT count(*)
  FROM (SELECT
          FROM alert
         WHERE opened_at IS NOT NULL
           AND ($1::bool IS NULL OR (closed_at IS NULL) = $1)
           AND ($2::text IS NULL OR kind = $2)
         LIMIT $3) AS found;

-- name: open_by_kind
-- How many alerts of each kind are open.
SELECT kind, severity, count(*) AS alerts
  FROM alert
 WHERE closed_at IS NULL
   AND opened_at IS NOT NULL
 GROUP BY kind, severity;

-- name: forget_alerts
-- Remove alerts that were closed long ago.
-- $1 days, $2 at most this many
DELETE FROM alert
 WHERE alert_id IN (SELECT alert_id
                      FROM alert
                     WHERE closed_at < now() - $1::int * interval '1 day'
                     ORDER BY closed_at
                     LIMIT $2);
