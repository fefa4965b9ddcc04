-- name: files_of_host
-- The stored robots.txt files of a host, one for each origin.
-- $1 host_id
SELECT origin, status, body, fetched_at, expires_at
  FROM robots
 WHERE host_id = $1
 ORDER BY origin;
