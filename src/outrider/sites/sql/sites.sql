-- name: add_site
-- Register a site. Returns no row if the name is taken.
-- $1 name, $2 base_url, $3 hosts, $4 settings, $5 key hash
INSERT INTO site (name, base_url, hosts, settings, key_hash)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (name) DO NOTHING
RETURNING *;

-- name: change_site
-- Change a site.
-- $1 site_id, $2 name, $3 base_url, $4 hosts, $5 settings
UPDATE site
   SET name = $2, base_url = $3, hosts = $4, settings = $5, updated_at = now()
 WHERE site_id = $1
RETURNING *;

-- name: remove_site
-- Remove a site with everything that belongs to it.
-- $1 site_id
DELETE FROM site WHERE site_id = $1 RETURNING site_id;

-- name: site_by_name
-- A site by its name, or by its number.
-- $1 name, $2 site_id or NULL
SELECT * FROM site WHERE name = $1 OR site_id = $2;

-- name: lock_site
-- Keep others from changing a site until the end of the transaction.
-- $1 site_id
SELECT FROM site WHERE site_id = $1 FOR NO KEY UPDATE;

-- name: list_sites
-- A page of all sites, by name.
-- $1 limit, $2 offset
SELECT *, count(*) OVER () AS total FROM site ORDER BY name LIMIT $1 OFFSET $2;

-- name: set_key
-- Give a site another key. The present one stays valid for a while.
-- $1 site_id, $2 hash of the new key, $3 seconds for which the present key stays valid
UPDATE site
   SET previous_key_hash  = key_hash,
       previous_key_until = now() + make_interval(secs => $3),
       key_hash           = $2,
       updated_at         = now()
 WHERE site_id = $1
RETURNING *;

-- name: set_webhook
-- Set where replacements of the links of a site are sent.
-- $1 site_id, $2 address, or NULL to send nothing
UPDATE site SET update_webhook = $2, updated_at = now() WHERE site_id = $1 RETURNING *;

-- name: set_webhook_secret
-- Give the webhook of a site another secret. Deliveries are signed with the present one, too, for a while.
-- $1 site_id, $2 new secret, $3 seconds
UPDATE site
   SET previous_webhook_secret = webhook_secret,
       previous_webhook_until  = now() + make_interval(secs => $3),
       webhook_secret          = $2,
       updated_at              = now()
 WHERE site_id = $1
RETURNING *;

-- name: site_of_hash
-- The site of a key, by its hash.
-- $1 hash
SELECT site_id, key_hash, previous_key_hash, previous_key_until > now() AS is_previous_valid
  FROM site
 WHERE key_hash = $1
    OR previous_key_hash = $1;

-- name: known_keys
-- The keys of all sites.
SELECT site_id, name, key_hash, previous_key_hash, previous_key_until FROM site ORDER BY site_id;

-- name: update_known_keys
-- Give sites the keys that they have in the newer database.
-- $1 site_id[], $2 name[], $3 key_hash[], $4 previous_key_hash[], $5 previous_key_until[]
UPDATE site s
   SET key_hash           = known.key_hash,
       previous_key_hash  = known.previous_key_hash,
       previous_key_until = known.previous_key_until
  FROM unnest($1::int[], $2::text[], $3::bytea[], $4::bytea[], $5::timestamptz[])
         AS known (site_id, name, key_hash, previous_key_hash, previous_key_until)
 WHERE s.site_id = known.site_id
   AND s.name = known.name;

-- name: revoke_unknown_keys
-- Revoke the keys of sites that the newer database does not have. Returns the names of the sites.
-- $1 site_id[], $2 name[]
UPDATE site s
   SET key_hash = NULL, previous_key_hash = NULL, previous_key_until = NULL
 WHERE (s.key_hash IS NOT NULL OR s.previous_key_hash IS NOT NULL)
   AND NOT EXISTS (SELECT
                     FROM unnest($1::int[], $2::text[]) AS known (site_id, name)
                    WHERE known.site_id = s.site_id
                      AND known.name = s.name)
RETURNING s.name;
