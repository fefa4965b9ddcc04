-- name: known_users
-- What decides who may sign in.
SELECT user_id, name_key, password_hash, role, disabled_at FROM app_user ORDER BY user_id;

-- name: valid_token_hashes
-- The API tokens that are not revoked.
SELECT token_hash FROM api_token WHERE revoked_at IS NULL;

-- name: update_known_users
-- Give users the password, role and state that they have in the newer database.
-- $1 user_id[], $2 name_key[], $3 password_hash[], $4 role[], $5 disabled_at[]
UPDATE app_user u
   SET password_hash = known.password_hash,
       role          = known.role,
       disabled_at   = known.disabled_at
  FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
         AS known (user_id, name_key, password_hash, role, disabled_at)
 WHERE u.user_id = known.user_id
   AND u.name_key = known.name_key;

-- name: disable_unknown_users
-- Disable users that the newer database does not have: they were deleted. Returns their names.
-- $1 user_id[], $2 name_key[]
UPDATE app_user u
   SET disabled_at = now()
 WHERE u.disabled_at IS NULL
   AND NOT EXISTS (SELECT
                     FROM unnest($1::int[], $2::text[]) AS known (user_id, name_key)
                    WHERE known.user_id = u.user_id
                      AND known.name_key = u.name_key)
RETURNING u.name;

-- name: end_every_session
-- End all sessions of the dashboard that are stored here.
DELETE FROM user_session;

-- name: outdate_generations
-- Revoke all sessions and JWTs of everybody. The minutes since 1970 are greater than every generation that was given
-- out before, also after the backup.
UPDATE app_user SET generation = greatest(generation + 1, (extract(epoch FROM now()) / 60)::int);

-- name: revoke_other_tokens
-- Revoke API tokens, except these. Returns their names.
-- $1 hashes of the tokens that stay
UPDATE api_token
   SET revoked_at = now()
 WHERE revoked_at IS NULL
   AND token_hash <> ALL ($1::bytea[])
RETURNING name;
