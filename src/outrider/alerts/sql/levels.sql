-- name: keep_levels
-- Remember the least value of figures in the present part of the time.
-- $1 key[], $2 value[], $3 length of a part
INSERT INTO alert_level AS l (key, at, value)
SELECT n.key, date_bin($3::interval, now(), 'epoch'), n.value
  FROM unnest($1::text[], $2::bigint[]) AS n (key, value)
    ON CONFLICT (key, at) DO UPDATE
   SET value = excluded.value
 WHERE excluded.value < l.value;

-- name: least_levels
-- The least values of figures within a time.
-- $1 key[], $2 time
SELECT key, min(value) AS value
  FROM alert_level
 WHERE key = ANY ($1::text[])
   AND at > now() - $2::interval
 GROUP BY key;

-- name: forget_levels
-- Remove values that no rule reads any more.
-- $1 time
DELETE FROM alert_level WHERE at < now() - $1::interval;
