-- name: add_source
-- Create a watched source.
-- $1 name, $2 url, $3 mode, $4 priority, $5 policy, $6 selectors, $7 template, $8 labels, $9 render_mode,
-- $10 identity_key, $11 allow_source_discovery
INSERT INTO source (name, url, mode, priority, policy, selectors, template, labels, render_mode, identity_key,
                    allow_source_discovery, kind)
VALUES ($1, $2, $3::text::ingestion_mode, $4, $5, $6, $7, $8, $9, $10, $11, 'watch')
RETURNING *, is_held(source_id) AS held;

-- name: change_source
-- Change a source. Returns no row if it has changed since it was read.
-- $1 source_id, $2 updated_at as read, $3 name, $4 url, $5 mode, $6 priority, $7 policy, $8 selectors, $9 template,
-- $10 labels, $11 render_mode, $12 identity_key, $13 allow_source_discovery
UPDATE source
   SET name       = $3,
       url        = $4,
       mode       = $5::text::ingestion_mode,
       priority   = $6,
       policy     = $7,
       selectors  = $8,
       template   = $9,
       labels     = $10,
       render_mode = $11,
       identity_key = $12,
       allow_source_discovery = $13,
       updated_at = clock_timestamp()
 WHERE source_id = $1
   AND updated_at = $2
RETURNING *, is_held(source_id) AS held;

-- name: disable_source
-- Disable a source. Returns no row if it is disabled already.
-- $1 source_id, $2 reason
UPDATE source
   SET enabled        = false,
       disabled_at    = now(),
       disable_reason = $2,
       updated_at     = clock_timestamp()
 WHERE source_id = $1
   AND enabled
RETURNING *, is_held(source_id) AS held;

-- name: enable_source
-- Enable a source.
-- $1 source_id
UPDATE source
   SET enabled        = true,
       disabled_at    = NULL,
       disable_reason = NULL,
       updated_at     = clock_timestamp()
 WHERE source_id = $1
   AND removed_at IS NULL
RETURNING *, is_held(source_id) AS held;

-- name: suspended_sources
-- Sources that are enabled but held, because a crawl on the same database uses all workers.
SELECT s.*, true AS held
  FROM source s
  JOIN held_source USING (source_id)
 WHERE s.kind = 'watch'
   AND s.enabled;

-- name: remove_source
-- Remove a source and free its name and key. Returns no row if it is removed already.
-- $1 source_id
UPDATE source
   SET name           = left(name, 400) || ' (removed, source ' || source_id || ')',
       identity_key   = NULL,
       enabled        = false,
       disabled_at    = coalesce(disabled_at, now()),
       disable_reason = coalesce(disable_reason, 'removed'),
       removed_at     = now(),
       updated_at     = clock_timestamp()
 WHERE source_id = $1
   AND kind = 'watch'
   AND removed_at IS NULL
RETURNING source_id;

-- name: revive_source
-- Restore the last removed source of this URL under a new name. It is held until it is enabled.
-- $1 url, $2 name
UPDATE source
   SET name       = $2,
       removed_at = NULL,
       searched_at = NULL,
       search_errors = 0,
       search_notes = '{}',
       updated_at = clock_timestamp()
 WHERE source_id = (SELECT source_id
                      FROM source
                     WHERE kind = 'watch'
                       AND url = $1
                       AND removed_at IS NOT NULL
                     ORDER BY removed_at DESC
                     LIMIT 1)
RETURNING *, is_held(source_id) AS held;

-- name: mark_searched
-- Record that a source was searched for feeds.
-- $1 source_id, $2 what was tried, with results
UPDATE source
   SET searched_at   = now(),
       search_errors = 0,
       search_notes  = $2
 WHERE source_id = $1;

-- name: find_source
-- Find a source by number, public id, name or URL, the most exact match first. Names are compared in the Unicode form
-- NFC: names that earlier versions stored have any form.
-- $1 number or NULL, $2 public id or NULL, $3 name or identity key, $4 possible normalised URLs[]
SELECT *, is_held(source_id) AS held
  FROM source
 WHERE kind = 'watch'
   AND removed_at IS NULL
   AND (source_id = $1 OR public_id = $2::uuid OR lower(name) = lower(normalize($3)) OR identity_key = $3
        OR url = ANY ($4::text[])
        -- A name in ASCII has one form only, and to normalise the names of all sources takes long.
        OR (octet_length(name) <> length(name) AND lower(normalize(name)) = lower(normalize($3))))
 ORDER BY name = $3 DESC, normalize(name) = normalize($3) DESC, identity_key = $3 DESC NULLS LAST,
          lower(normalize(name)) = lower(normalize($3)) DESC, url = ANY ($4::text[]) DESC, source_id
 LIMIT 1;

-- name: source_of_identity
-- The source with this identity key.
-- $1 identity_key
SELECT *, is_held(source_id) AS held
  FROM source
 WHERE kind = 'watch'
   AND removed_at IS NULL
   AND identity_key = $1;

-- name: source_of_number
-- The source with this number.
-- $1 source_id
SELECT *, is_held(source_id) AS held
  FROM source
 WHERE kind = 'watch'
   AND removed_at IS NULL
   AND source_id = $1;

-- name: source_of_public_id
-- The source with this public id.
-- $1 public id
SELECT *, is_held(source_id) AS held
  FROM source
 WHERE kind = 'watch'
   AND removed_at IS NULL
   AND public_id = $1;

-- name: lock_source
-- Lock a source until the transaction ends.
-- $1 public id
SELECT
  FROM source
 WHERE public_id = $1
   FOR NO KEY UPDATE;

-- name: all_watched
-- All watched sources.
SELECT public_id, name, enabled
  FROM source
 WHERE kind = 'watch'
   AND removed_at IS NULL
 ORDER BY source_id;

-- name: addresses
-- The URLs of the enabled sources.
SELECT url
  FROM source
 WHERE kind = 'watch'
   AND enabled
 ORDER BY source_id;

-- name: enabled_policies
-- The policies of the enabled sources.
SELECT name, policy
  FROM source
 WHERE kind = 'watch'
   AND enabled
 ORDER BY name;

-- name: similar_names
-- A few sources whose name or URL contains a text, as suggestions.
-- $1 part of a name or an address
SELECT name
  FROM source
 WHERE kind = 'watch'
   AND removed_at IS NULL
   AND position(lower($1) IN lower(name || ' ' || url)) > 0
 ORDER BY name
 LIMIT 3;

-- name: name_holder
-- The kind of the source that has this name.
-- $1 name
SELECT kind::text
  FROM source
 WHERE name = $1;

-- name: refused_start_pages
-- Redirect targets of start pages that are not followed: out of scope, or not permanent yet.
-- $1 host_id[], $2 url_hash[]
SELECT n.host_id, n.url_hash, h.to_url
  FROM unnest($1::bigint[], $2::uuid[]) AS n (host_id, url_hash)
  CROSS JOIN LATERAL redirect_end(n.host_id, n.url_hash) e
  JOIN url u ON u.host_id = e.end_host_id AND u.url_hash = e.end_hash
  CROSS JOIN LATERAL (
    SELECT to_url
      FROM redirect_hop
     WHERE host_id = u.host_id
       AND url_hash = u.url_hash
     ORDER BY last_seen_at DESC
     LIMIT 1
  ) h
 WHERE u.reason IN ('redirect_out_of_scope', 'redirect_to_other_domain', 'redirect_unconfirmed');

-- name: list_sources
-- A page of sources that match the filters.
-- $1 text in name, address or a label, $2 enabled or NULL, $3 mode or NULL, $4 has a working feed or NULL,
-- $5 only this source_id or NULL, $6 only in mode feed without a feed or sitemap, $7 only with a failing channel,
-- $8 limit, $9 offset, $10 label or NULL, $11 sort, $12 descending
WITH matching AS (
  SELECT s.source_id,
         count(*) OVER () AS total,
         row_number() OVER (
           ORDER BY CASE WHEN NOT $12::bool THEN CASE $11::text
                      WHEN 'created_at' THEN s.created_at WHEN 'updated_at' THEN s.updated_at END END ASC,
                    CASE WHEN $12 THEN CASE $11
                      WHEN 'created_at' THEN s.created_at WHEN 'updated_at' THEN s.updated_at END END DESC,
                    CASE WHEN $11 = 'priority' THEN CASE WHEN $12 THEN -s.priority ELSE s.priority END END,
                    CASE WHEN $11 = 'name' AND $12 THEN lower(s.name) END DESC,
                    lower(s.name), s.source_id) AS place
    FROM source s
   WHERE s.kind = 'watch'
     AND s.removed_at IS NULL
     AND ($1 = '' OR position(lower($1) IN lower(s.name || ' ' || s.url || ' ' || array_to_string(s.labels, ' '))) > 0)
     AND ($2::bool IS NULL OR s.enabled = $2)
     AND ($3::text IS NULL OR s.mode::text = $3)
     AND ($4::bool IS NULL OR $4 = EXISTS (SELECT FROM channel ch
                                            WHERE ch.source_id = s.source_id AND ch.kind = {kind_feed}
                                              AND ch.disabled_at IS NULL AND NOT ch.is_candidate))
     AND ($5::int IS NULL OR s.source_id = $5)
     AND (NOT $6::bool OR (s.mode = 'feed' AND s.searched_at IS NOT NULL
                           AND NOT EXISTS (SELECT FROM channel ch
                                            WHERE ch.source_id = s.source_id AND ch.kind IN ({kind_feed}, {kind_sitemap})
                                              AND ch.disabled_at IS NULL AND NOT ch.is_candidate)))
     AND (NOT $7::bool OR EXISTS (SELECT FROM channel ch
                                   WHERE ch.source_id = s.source_id AND ch.errors > 0 AND NOT ch.is_candidate))
     AND ($10::text IS NULL OR $10 = ANY (s.labels))
),
listed AS (
  SELECT * FROM matching ORDER BY place LIMIT $8 OFFSET $9
)
SELECT s.*, is_held(s.source_id) AS held,
       c.feeds, c.sitemaps, c.failing, c.failures, c.doubts, c.changed_at, c.next_poll_at,
       coalesce(n.pending, 0) AS pending,
       coalesce(n.pages, 0) AS pages,
       coalesce(n.documents, 0) AS documents,
       l.total
  FROM listed l
  JOIN source s ON s.source_id = l.source_id
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE ch.kind = {kind_feed} AND ch.is_working)::int AS feeds,
           count(*) FILTER (WHERE ch.kind = {kind_sitemap} AND ch.is_working)::int AS sitemaps,
           count(*) FILTER (WHERE ch.errors > 0 AND NOT ch.is_candidate)::int AS failing,
           string_agg(DISTINCT ch.failure, ', ') FILTER (WHERE ch.errors > 0 AND NOT ch.is_candidate) AS failures,
           string_agg(DISTINCT ch.failure, ', ') FILTER (WHERE ch.errors > 0 AND ch.is_candidate) AS doubts,
           max(ch.changed_at) AS changed_at,
           min(u.next_fetch_at) FILTER (WHERE u.prio > 0) AS next_poll_at
      FROM (SELECT *, disabled_at IS NULL AND NOT is_candidate AS is_working,
                   CASE WHEN disable_reason = 'robots_blocked' THEN disable_reason ELSE error_type END AS failure
              FROM channel
             WHERE source_id = s.source_id) ch
      LEFT JOIN url u ON u.host_id = ch.host_id AND u.url_hash = ch.url_hash
  ) c
  LEFT JOIN LATERAL (
    SELECT sum(value) FILTER (WHERE name = 'pending')::bigint AS pending,
           sum(value) FILTER (WHERE name = 'pages')::bigint AS pages,
           sum(value) FILTER (WHERE name = 'documents')::bigint AS documents
      FROM counter
     WHERE source_id = s.source_id
  ) n ON true
 ORDER BY l.place;

-- name: sources_like
-- Watched sources with a text in their name or address. It reads all sources, which are thousands at most.
-- $1 text, $2 at most this many
SELECT source_id, public_id, name, url
  FROM source
 WHERE kind = 'watch'
   AND removed_at IS NULL
   AND strpos(lower(name || ' ' || url), lower($1)) > 0
 ORDER BY lower(name) <> lower($1), NOT starts_with(lower(name), lower($1)), lower(name), source_id
 LIMIT $2;
