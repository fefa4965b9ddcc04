-- name: drop_links
-- Remove the links of a field that the field no longer has.
-- $1 site_id, $2 source_key, $3 url[]
DELETE FROM site_link
 WHERE site_id = $1
   AND source_key = $2
   AND url <> ALL ($3::text[]);

-- name: add_links
-- Add the links of a field; known ones keep their state, and take the new edit page.
-- $1 site_id, $2 source_key, $3 edit_url, $4 kind, $5 url[], $6 link_type[], $7 host_id[], $8 url_hash[]
INSERT INTO site_link AS l (site_id, source_key, edit_url, kind, url, link_type, host_id, url_hash)
SELECT $1, $2, $3, $4, n.url, n.link_type, n.host_id, n.url_hash
  FROM unnest($5::text[], $6::text[], $7::bigint[], $8::uuid[]) AS n (url, link_type, host_id, url_hash)
ON CONFLICT (site_id, url, source_key) DO UPDATE
   SET edit_url   = excluded.edit_url,
       kind       = excluded.kind,
       updated_at = now();

-- name: links_of_field
-- The links of a field.
-- $1 site_id, $2 source_key
SELECT * FROM site_link WHERE site_id = $1 AND source_key = $2 ORDER BY link_id;

-- name: links_of_fields
-- The addresses of some fields.
-- $1 site_id, $2 source_key[]
SELECT source_key, url, kind FROM site_link WHERE site_id = $1 AND source_key = ANY ($2::text[]);

-- name: drop_rendered
-- Remove the links of crawled pages, except those of some pages.
-- $1 site_id, $2 source_key[]
DELETE FROM site_link
 WHERE site_id = $1
   AND kind = 'rendered'
   AND source_key <> ALL ($2::text[])
RETURNING link_id;

-- name: fields_of_site
-- How many links a site has, to bound them.
-- $1 site_id
SELECT count(*) FROM site_link WHERE site_id = $1;

-- name: set_states
-- Store the states of links by their ids. A link that works again is no longer ignored.
-- $1 link_id[], $2 status[], $3 reason[], $4 http_status[], $5 moved_to[], $6 pending_since[]
UPDATE site_link l
   SET status          = n.status,
       reason          = n.reason,
       http_status     = n.http_status,
       moved_to        = n.moved_to,
       pending_since   = n.pending_since,
       is_ignored      = l.is_ignored AND n.status <> 'ok',
       last_checked_at = now(),
       updated_at      = now()
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::timestamptz[])
    AS n (link_id, status, reason, http_status, moved_to, pending_since)
 WHERE l.link_id = n.link_id;

-- name: set_states_of_entry
-- Store the verdict of a check for all links to the address; returns those whose status changed.
-- $1 host_id, $2 url_hash, $3 status, $4 reason, $5 http_status, $6 moved_to, $7 pending_since
UPDATE site_link l
   SET status          = $3,
       reason          = $4,
       http_status     = $5,
       moved_to        = $6,
       pending_since   = $7,
       is_ignored      = l.is_ignored AND $3 <> 'ok',
       last_checked_at = now(),
       updated_at      = now()
  FROM (SELECT link_id, status AS old_status
          FROM site_link
         WHERE host_id = $1 AND url_hash = $2
         ORDER BY link_id
           FOR UPDATE) AS known
 WHERE l.link_id = known.link_id
RETURNING l.link_id, l.site_id, l.source_key, l.url, known.old_status;

-- name: links_to_paths
-- The links of a site to some of its paths, whatever the case of their letters.
-- $1 site_id, $2 paths in lower case
SELECT * FROM site_link WHERE site_id = $1 AND link_type = 'internal' AND lower(url) = ANY ($2::text[]) ORDER BY link_id;

-- name: internal_links_after
-- Links within a site, by their ids.
-- $1 site_id, $2 the last id of the part before, $3 at most this many
SELECT * FROM site_link WHERE site_id = $1 AND link_type = 'internal' AND link_id > $2 ORDER BY link_id LIMIT $3;

-- name: count_dead
-- The dead links of all sites that are not ignored. It stops at a bound, so that it stays quick.
-- $1 the bound
SELECT count(*) FROM (SELECT FROM site_link WHERE status = 'dead' AND NOT is_ignored LIMIT $1) AS dead;

-- name: dead_by_site
-- The dead links of some sites that are not ignored.
-- $1 site_id[]
SELECT site_id, count(*) AS dead
  FROM site_link
 WHERE status = 'dead'
   AND NOT is_ignored
   AND site_id = ANY ($1::bigint[])
 GROUP BY site_id;

-- name: remove_links_of_site
-- Remove all links of a site, with their requested replacements.
-- $1 site_id
DELETE FROM site_link WHERE site_id = $1;

-- name: is_wanted
-- Whether a link with this entry is stored.
-- $1 host_id, $2 url_hash
SELECT EXISTS (SELECT FROM site_link WHERE host_id = $1 AND url_hash = $2);

-- name: add_check
-- Record a check.
-- $1 host_id, $2 url_hash, $3 verdict, $4 reason, $5 http_status, $6 moved_to, $7 pending_since, $8 evidence
INSERT INTO link_check (host_id, url_hash, verdict, reason, http_status, moved_to, pending_since, evidence)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: drop_old_checks
-- Keep the newest checks of an address only.
-- $1 host_id, $2 url_hash, $3 how many
DELETE FROM link_check c
 WHERE c.host_id = $1
   AND c.url_hash = $2
   AND c.check_id <= (SELECT o.check_id
                        FROM link_check o
                       WHERE o.host_id = $1 AND o.url_hash = $2
                       ORDER BY o.check_id DESC
                      OFFSET $3
                       LIMIT 1);

-- name: checks_of_entry
-- The newest checks of an address, newest first.
-- $1 host_id, $2 url_hash, $3 at most this many
SELECT checked_at, verdict, reason, http_status, moved_to, pending_since, evidence
  FROM link_check
 WHERE host_id = $1
   AND url_hash = $2
 ORDER BY checked_at DESC, check_id DESC
 LIMIT $3;

-- name: list_links
-- The links of a site: dead, moved, unchecked, uncertain, ok.
-- $1 site_id, $2 status or null, $3 link_type or null, $4 with ignored ones, $5 limit, $6 offset
SELECT l.*
  FROM site_link l
 WHERE l.site_id = $1
   AND ($2::text IS NULL OR l.status = $2)
   AND ($3::text IS NULL OR l.link_type = $3)
   AND ($4::boolean OR NOT l.is_ignored)
 ORDER BY array_position(ARRAY['dead', 'moved', 'unchecked', 'uncertain', 'ok'], l.status), l.source_key, l.url, l.link_id
 LIMIT $5
OFFSET $6;

-- name: count_listed
-- How many links such a list has.
-- $1 site_id, $2 status or null, $3 link_type or null, $4 with ignored ones
SELECT count(*)
  FROM site_link l
 WHERE l.site_id = $1
   AND ($2::text IS NULL OR l.status = $2)
   AND ($3::text IS NULL OR l.link_type = $3)
   AND ($4::boolean OR NOT l.is_ignored);

-- name: link_of_site
-- One link of a site.
-- $1 site_id, $2 link_id
SELECT * FROM site_link WHERE site_id = $1 AND link_id = $2;

-- name: count_statuses
-- The links of a site by status; ignored ones apart.
-- $1 site_id
SELECT status, is_ignored, count(*) AS links FROM site_link WHERE site_id = $1 GROUP BY status, is_ignored;

-- name: set_ignored
-- Ignore a link, or stop to.
-- $1 site_id, $2 link_id, $3 is_ignored
UPDATE site_link SET is_ignored = $3, updated_at = now() WHERE site_id = $1 AND link_id = $2 RETURNING *;

-- name: request_update
-- Ask the system of the owner to replace a link.
-- $1 link_id, $2 site_id, $3 replacement
INSERT INTO link_update (link_id, site_id, replacement)
VALUES ($1, $2, $3)
ON CONFLICT (link_id) DO UPDATE SET replacement = excluded.replacement, requested_at = now();

-- name: updates_of_site
-- The replacements that the system of the owner has yet to make, oldest first.
-- $1 site_id, $2 at most this many
SELECT u.link_id, l.source_key, l.url, u.replacement, u.requested_at
  FROM link_update u
  JOIN site_link l ON l.link_id = u.link_id
 WHERE u.site_id = $1
 ORDER BY u.requested_at, u.link_id
 LIMIT $2;
