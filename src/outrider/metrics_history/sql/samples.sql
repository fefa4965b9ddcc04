-- name: has_sample
-- Whether the current minute has samples.
SELECT EXISTS (SELECT FROM metric_sample WHERE at = date_trunc('minute', now()));

-- name: add_series
-- Add series that are new.
-- $1 metrics, $2 labels
INSERT INTO metric_series (metric, label)
SELECT w.metric, w.label
  FROM unnest($1::text[], $2::text[]) AS w (metric, label)
 WHERE NOT EXISTS (SELECT FROM metric_series s WHERE s.metric = w.metric AND s.label = w.label)
    ON CONFLICT (metric, label) DO NOTHING;

-- name: add_samples
-- Store one value for each series, for the current minute. A minute that has a value keeps it.
-- $1 metrics, $2 labels, $3 values
INSERT INTO metric_sample (series_id, at, value)
SELECT s.series_id, date_trunc('minute', now()), w.value
  FROM unnest($1::text[], $2::text[], $3::float8[]) AS w (metric, label, value)
  JOIN metric_series s ON s.metric = w.metric AND s.label = w.label
    ON CONFLICT (series_id, at) DO NOTHING;

-- name: points
-- The values of a metric by label and bucket: the mean and the last value of each. Days that are rolled up count as
-- one value at their end.
-- $1 metric, $2 since, $3 until, $4 bucket, $5 at most this many
SELECT v.label, date_bin($4::interval, v.at, 'epoch') AS at,
       avg(v.mean)::float8 AS mean, (array_agg(v.newest ORDER BY v.at DESC))[1]::float8 AS newest
  FROM (SELECT s.label, p.at, p.value AS mean, p.value AS newest
          FROM metric_series s
          JOIN metric_sample p ON p.series_id = s.series_id
         WHERE s.metric = $1
           AND p.at >= $2
           AND p.at < $3
        UNION ALL
        SELECT s.label, (d.day + 1) AT TIME ZONE 'UTC' - interval '1 second', d.mean, d.newest
          FROM metric_series s
          JOIN metric_day d ON d.series_id = s.series_id
         WHERE s.metric = $1
           AND d.day >= ($2::timestamptz AT TIME ZONE 'UTC')::date
           AND (d.day + 1) AT TIME ZONE 'UTC' <= $3) v
 GROUP BY v.label, 2
 ORDER BY v.label, 2
 LIMIT $5;

-- name: newest_values
-- The values of a metric in the latest minute that has samples, and those of about five minutes before.
-- $1 metric
WITH latest AS (
  SELECT max(p.at) AS at
    FROM metric_series s
    JOIN metric_sample p ON p.series_id = s.series_id
   WHERE s.metric = $1
     AND p.at > now() - interval '10 minutes'
)
SELECT s.label,
       max(p.value) FILTER (WHERE p.at = l.at) AS newest,
       min(p.value) FILTER (WHERE p.at >= l.at - interval '5 minutes') AS before
  FROM latest l
  JOIN metric_series s ON s.metric = $1
  JOIN metric_sample p ON p.series_id = s.series_id AND p.at BETWEEN l.at - interval '5 minutes' AND l.at
 GROUP BY s.label;

-- name: oldest_day
-- The first day with samples that are older than the time for which they are kept, or NULL.
-- $1 the first day that is kept at full detail
SELECT (min(at) AT TIME ZONE 'UTC')::date FROM metric_sample WHERE at < $1::date::timestamp AT TIME ZONE 'UTC';

-- name: roll_up_day
-- Store one row for each series of a day.
-- $1 day
INSERT INTO metric_day (series_id, day, mean, least, most, newest)
SELECT series_id, $1::date, avg(value), min(value), max(value), (array_agg(value ORDER BY at DESC))[1]
  FROM metric_sample
 WHERE at >= $1::date::timestamp AT TIME ZONE 'UTC'
   AND at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC'
 GROUP BY series_id
    ON CONFLICT (series_id, day) DO NOTHING;

-- name: remove_day
-- Delete the samples of a day that was rolled up.
-- $1 day
DELETE FROM metric_sample
 WHERE at >= $1::date::timestamp AT TIME ZONE 'UTC'
   AND at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC';

-- name: forget_days
-- Delete rolled-up days that are too old.
-- $1 the first day that is kept
DELETE FROM metric_day WHERE day < $1;

-- name: today
-- The day of the database, UTC.
SELECT (now() AT TIME ZONE 'UTC')::date;
