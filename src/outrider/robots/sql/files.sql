-- name: files_of_host
-- $1 host_id
SELECT origin, status, body, fetched_at, expires_at
  FROM robots
 WHERE host_id = $1
 ORDER BY origin;
