-- name: create_session
-- Add a session and return its end.
-- $1 hash of the cookie, $2 user, $3 generation of the user, $4 how long it lives
INSERT INTO user_session (session_hash, user_id, generation, expires_at)
VALUES ($1, $2, $3, now() + $4::interval)
RETURNING expires_at;

-- name: find_session
-- The user of a session that has not expired, and the generation under which it was created.
-- $1 hash of the cookie
SELECT u.*, s.generation AS session_generation
  FROM user_session s
  JOIN app_user u USING (user_id)
 WHERE s.session_hash = $1
   AND s.expires_at > now();

-- name: end_session
-- Remove a session.
-- $1 hash of the cookie
DELETE FROM user_session WHERE session_hash = $1;

-- name: prune_sessions
-- Remove some sessions that have expired, and count them.
-- $1 most rows
WITH gone AS (
  DELETE FROM user_session
   WHERE session_hash IN (SELECT session_hash FROM user_session WHERE expires_at <= now() LIMIT $1)
  RETURNING 1
)
SELECT count(*) FROM gone;
