-- name: add_setup_code
-- Store a new code.
-- $1 hash of the code
INSERT INTO setup_code (code_hash) VALUES ($1);

-- name: prune_setup_codes
-- Remove codes that are too old or too many.
-- $1 how long a code is valid, $2 most codes
DELETE FROM setup_code
 WHERE created_at <= now() - $1::interval
    OR code_hash IN (SELECT code_hash FROM setup_code ORDER BY created_at DESC, code_hash OFFSET $2);

-- name: lock_setup_codes
-- Lock all codes in one order.
SELECT code_hash FROM setup_code ORDER BY code_hash FOR UPDATE;

-- name: has_setup_code
-- Whether a code exists and is young enough.
-- $1 hash of the code, $2 how long a code is valid
SELECT EXISTS (SELECT FROM setup_code WHERE code_hash = $1 AND created_at > now() - $2::interval);

-- name: remove_setup_codes
-- Remove all codes: the first administrator exists.
DELETE FROM setup_code;
