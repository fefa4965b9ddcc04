-- name: user_of_jwt
-- The enabled user of a token that nothing revoked.
-- $1 user, $2 generation in the token, $3 id of the token
SELECT u.*
  FROM app_user u
 WHERE u.user_id = $1
   AND u.generation = $2
   AND u.disabled_at IS NULL
   AND NOT EXISTS (SELECT FROM revoked_jwt r WHERE r.jti = $3);

-- name: revoke_jwt
-- Refuse a token until it would have expired anyway.
-- $1 id of the token, $2 its end
INSERT INTO revoked_jwt (jti, expires_at)
VALUES ($1, $2)
ON CONFLICT (jti) DO NOTHING;

-- name: prune_revoked_jwts
-- Remove some rows of tokens that have expired, and count them.
-- $1 most rows
WITH gone AS (
  DELETE FROM revoked_jwt
   WHERE jti IN (SELECT jti FROM revoked_jwt WHERE expires_at <= now() LIMIT $1)
  RETURNING 1
)
SELECT count(*) FROM gone;
