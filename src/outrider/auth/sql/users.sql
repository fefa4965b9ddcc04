-- name: add_user
-- Add an account unless its name is taken; no row comes back then.
-- $1 name, $2 name for comparison, $3 password hash, $4 role
INSERT INTO app_user (name, name_key, password_hash, role)
VALUES ($1, $2, $3, $4)
ON CONFLICT (name_key) DO NOTHING
RETURNING *;

-- name: user_by_id
-- The account of a number.
-- $1 user
SELECT * FROM app_user WHERE user_id = $1;

-- name: user_by_name
-- The account and its password hash, by the name for comparison.
-- $1 name for comparison
SELECT * FROM app_user WHERE name_key = $1;

-- name: has_users
-- Whether any account exists.
SELECT EXISTS (SELECT FROM app_user);

-- name: list_users
-- A page of the accounts by name.
-- $1 part of the name for comparison, or empty; $2 limit, $3 offset
SELECT *
  FROM app_user
 WHERE $1 = '' OR strpos(name_key, $1) > 0
 ORDER BY name_key
 LIMIT $2 OFFSET $3;

-- name: count_users
-- How many accounts the same search finds.
-- $1 part of the name for comparison, or empty
SELECT count(*) FROM app_user WHERE $1 = '' OR strpos(name_key, $1) > 0;

-- name: lock_enabled_admins
-- Lock all enabled administrators in one order. A row that changed meanwhile is judged again after the wait.
SELECT user_id
  FROM app_user
 WHERE role = 'admin'
   AND disabled_at IS NULL
 ORDER BY user_id
   FOR UPDATE;

-- name: lock_user
-- Lock one account until the end of the transaction.
-- $1 user
SELECT * FROM app_user WHERE user_id = $1 FOR UPDATE;

-- name: set_role
-- Change the role and revoke sessions and JWTs.
-- $1 user, $2 role
UPDATE app_user
   SET role = $2,
       generation = generation + 1
 WHERE user_id = $1
RETURNING *;

-- name: set_password
-- Change the password and revoke sessions and JWTs.
-- $1 user, $2 password hash
UPDATE app_user
   SET password_hash = $2,
       generation = generation + 1
 WHERE user_id = $1
RETURNING *;

-- name: rehash_password
-- Store a better hash of the same password.
-- $1 user, $2 old hash, $3 new hash
UPDATE app_user
   SET password_hash = $3
 WHERE user_id = $1
   AND password_hash = $2;

-- name: disable_user
-- Disable an account and revoke sessions and JWTs.
-- $1 user
UPDATE app_user
   SET disabled_at = coalesce(disabled_at, now()),
       generation = generation + 1
 WHERE user_id = $1
RETURNING *;

-- name: enable_user
-- Enable an account. What was revoked stays revoked.
-- $1 user
UPDATE app_user
   SET disabled_at = NULL
 WHERE user_id = $1
RETURNING *;

-- name: raise_generation
-- Revoke all sessions and JWTs of a user.
-- $1 user
UPDATE app_user
   SET generation = generation + 1
 WHERE user_id = $1
RETURNING *;

-- name: record_login
-- Record the time of a login.
-- $1 user
UPDATE app_user
   SET last_login_at = now()
 WHERE user_id = $1
RETURNING *;

-- name: delete_user
-- Delete an account; its sessions and API tokens go with it.
-- $1 user
DELETE FROM app_user WHERE user_id = $1 RETURNING user_id;
