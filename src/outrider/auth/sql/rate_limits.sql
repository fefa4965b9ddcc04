-- name: hit_window
-- Count a request unless the window is full; no row comes back then, and none is written.
-- $1 caller, $2 limit, $3 length of the window in seconds
INSERT INTO rate_window AS w (key, hits)
VALUES ($1, ARRAY[clock_timestamp()])
ON CONFLICT (key) DO UPDATE
   SET hits = ARRAY(
         SELECT hit FROM unnest(w.hits) AS hit WHERE hit > clock_timestamp() - make_interval(secs => $3)
       ) || clock_timestamp()
 WHERE (
         SELECT count(*)
           FROM unnest(w.hits) AS hit
          WHERE hit > clock_timestamp() - make_interval(secs => $3)
       ) < $2
RETURNING cardinality(hits) AS hits,
          extract(epoch FROM hits[1] + make_interval(secs => $3) - clock_timestamp())::float8 AS reset_s;

-- name: read_window
-- The requests in a window, and the seconds until the oldest of them leaves it.
-- $1 caller, $2 length of the window in seconds
SELECT count(hit) AS hits,
       extract(epoch FROM min(hit) + make_interval(secs => $2) - clock_timestamp())::float8 AS reset_s
  FROM rate_window w
  CROSS JOIN LATERAL unnest(w.hits) AS hit
 WHERE w.key = $1
   AND hit > clock_timestamp() - make_interval(secs => $2);

-- name: prune_windows
-- Remove some windows without a request, and count them.
-- $1 length of the window in seconds, $2 most rows
WITH gone AS (
  DELETE FROM rate_window
   WHERE key IN (
           SELECT key FROM rate_window
            WHERE hits[cardinality(hits)] < now() - make_interval(secs => $1)
            LIMIT $2
              FOR UPDATE SKIP LOCKED
         )
  RETURNING 1
)
SELECT count(*) FROM gone;
