-- name: read_rules_version
-- The version of the normalisation rules, and the progress of an unfinished rehash.
SELECT version, becoming, phase, after_host_id, after_hash
  FROM url_rules;

-- name: has_urls
-- Whether any URL is stored.
SELECT EXISTS (SELECT FROM url) OR EXISTS (SELECT FROM discovered_link);

-- name: set_rules_version
-- Record that all URLs are normalised by this version of the rules.
-- $1 version
UPDATE url_rules
   SET version = $1, becoming = NULL, phase = NULL, after_host_id = NULL, after_hash = NULL;

-- name: save_rehash_progress
-- Record the progress of a rehash, so that it can continue after a stop.
-- $1 new version, $2 phase, $3 and $4 last key that is done
UPDATE url_rules
   SET becoming = $1, phase = $2, after_host_id = $3, after_hash = $4;
