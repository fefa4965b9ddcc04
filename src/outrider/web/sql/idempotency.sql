-- name: reserve_answer
-- Reserve a key. No row comes back if the key is in use; an expired one is taken over.
-- A concurrent request with the same key waits here until the first one has committed.
-- $1 key_hash, $2 request_hash, $3 seconds to keep the answer
INSERT INTO idempotent_answer AS a (key_hash, request_hash, expires_at)
VALUES ($1, $2, now() + $3::float8 * interval '1 second')
ON CONFLICT (key_hash) DO UPDATE
   SET request_hash = excluded.request_hash, status = NULL, content_type = NULL, body = NULL,
       expires_at = excluded.expires_at
 WHERE a.expires_at < now()
RETURNING true;

-- name: kept_answer
-- Read what is known of a key.
-- $1 key_hash
SELECT request_hash, status, content_type, body
  FROM idempotent_answer
 WHERE key_hash = $1;

-- name: keep_answer
-- Keep the answer of a request.
-- $1 key_hash, $2 status, $3 content type, $4 body
UPDATE idempotent_answer
   SET status = $2, content_type = $3, body = $4
 WHERE key_hash = $1;

-- name: forget_answer
-- Free a key whose request failed, so that the client can try again.
-- $1 key_hash
DELETE FROM idempotent_answer
 WHERE key_hash = $1;

-- name: prune_answers
-- Remove answers that have expired.
-- $1 at most this many
DELETE FROM idempotent_answer
 WHERE key_hash IN (SELECT key_hash FROM idempotent_answer WHERE expires_at < now() LIMIT $1);
