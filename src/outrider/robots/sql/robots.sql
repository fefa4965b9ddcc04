-- name: robots_of_hosts
-- The stored robots.txt files of many hosts, and how long each is still valid.
-- $1 host_id[]
SELECT host_id, origin, status, body, extract(epoch FROM expires_at - now())::float8 AS expires_in_s, fetched_at
  FROM robots
 WHERE host_id = ANY ($1::bigint[]);

-- name: remember_robots
-- Store a robots.txt file, or the status of its request.
-- $1 host_id, $2 origin, $3 status, $4 body, $5 life in seconds
INSERT INTO robots AS r (host_id, origin, status, body, expires_at)
VALUES ($1, $2, $3, $4, now() + $5::float8 * interval '1 second')
ON CONFLICT (host_id, origin) DO UPDATE
   SET status     = excluded.status,
       body       = excluded.body,
       fetched_at = now(),
       expires_at = excluded.expires_at;

-- name: expire_robots
-- Let the robots.txt files of a host expire now.
-- $1 host_id
UPDATE robots
   SET expires_at = now()
 WHERE host_id = $1;
