-- name: rules_of_database
SELECT version, becoming, phase, after_host_id, after_hash
  FROM url_rules;

-- name: has_urls
SELECT EXISTS (SELECT FROM url) OR EXISTS (SELECT FROM discovered_link);

-- name: spelt_by
-- $1 version
UPDATE url_rules
   SET version = $1, becoming = NULL, phase = NULL, after_host_id = NULL, after_hash = NULL;

-- name: go_on_with
-- $1 version to come, $2 phase, $3 and $4 key up to which it is done
UPDATE url_rules
   SET becoming = $1, phase = $2, after_host_id = $3, after_hash = $4;
