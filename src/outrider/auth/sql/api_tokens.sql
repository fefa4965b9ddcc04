-- name: create_token
-- Add a token unless its owner has one of that name; no row comes back then.
-- $1 owner, $2 name, $3 hash of the key, $4 role, $5 read only, $6 end or NULL
WITH made AS (
  INSERT INTO api_token (user_id, name, token_hash, role, read_only, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (user_id, name) WHERE revoked_at IS NULL DO NOTHING
  RETURNING *
)
SELECT made.*, u.name AS user_name
  FROM made
  JOIN app_user u USING (user_id);

-- name: count_own_tokens
-- How many tokens of a user are not revoked.
-- $1 owner
SELECT count(*) FROM api_token WHERE user_id = $1 AND revoked_at IS NULL;

-- name: find_token_by_hash
-- A valid token with its enabled owner, and whether its use is to be recorded.
-- $1 hash of the key, $2 seconds between two records of its use
SELECT u.*, t.token_id, t.role AS token_role, t.read_only,
       coalesce(t.last_used_at < now() - make_interval(secs => $2), true) AS is_use_due
  FROM api_token t
  JOIN app_user u USING (user_id)
 WHERE t.token_hash = $1
   AND t.revoked_at IS NULL
   AND (t.expires_at IS NULL OR t.expires_at > now())
   AND u.disabled_at IS NULL;

-- name: find_token_by_id
-- The same by the number of the token.
-- $1 token, $2 seconds between two records of its use
SELECT u.*, t.token_id, t.role AS token_role, t.read_only,
       coalesce(t.last_used_at < now() - make_interval(secs => $2), true) AS is_use_due
  FROM api_token t
  JOIN app_user u USING (user_id)
 WHERE t.token_id = $1
   AND t.revoked_at IS NULL
   AND (t.expires_at IS NULL OR t.expires_at > now())
   AND u.disabled_at IS NULL;

-- name: record_token_use
-- Record the use of a token, unless another process just did.
-- $1 token, $2 seconds between two records
UPDATE api_token
   SET last_used_at = now()
 WHERE token_id = $1
   AND coalesce(last_used_at < now() - make_interval(secs => $2), true);

-- name: list_tokens
-- A page of the tokens that are not revoked, by owner and name.
-- $1 owner or NULL for all, $2 limit, $3 offset
SELECT t.*, u.name AS user_name
  FROM api_token t
  JOIN app_user u USING (user_id)
 WHERE ($1::integer IS NULL OR t.user_id = $1)
   AND t.revoked_at IS NULL
 ORDER BY u.name_key, t.name
 LIMIT $2 OFFSET $3;

-- name: count_tokens
-- How many tokens the same list has.
-- $1 owner or NULL for all
SELECT count(*) FROM api_token WHERE ($1::integer IS NULL OR user_id = $1) AND revoked_at IS NULL;

-- name: revoke_token
-- Revoke a token. No row comes back if there is none, or it belongs to another user.
-- $1 token, $2 owner or NULL for any
WITH gone AS (
  UPDATE api_token
     SET revoked_at = now()
   WHERE token_id = $1
     AND ($2::integer IS NULL OR user_id = $2)
     AND revoked_at IS NULL
  RETURNING *
)
SELECT gone.*, u.name AS user_name
  FROM gone
  JOIN app_user u USING (user_id);
