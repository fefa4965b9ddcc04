-- What each request brought, and the tables of the requirements as views for people and BI tools.

-- FET-20: what a request brought beside its status, size and duration.
ALTER TABLE fetch_log
  ADD COLUMN content_length bigint,
  ADD COLUMN content_type   text,
  ADD COLUMN error_message  text;
COMMENT ON COLUMN fetch_log.content_length IS 'What the server declared, else the bytes of the body that arrived.';
COMMENT ON COLUMN fetch_log.error_message IS 'What went wrong, in words; NULL for an answer that could be used.';
ALTER TYPE flush_request
  ADD ATTRIBUTE content_length bigint,
  ADD ATTRIBUTE content_type   text,
  ADD ATTRIBUTE error_message  text;

ALTER TABLE document ADD COLUMN links_count integer;
COMMENT ON COLUMN document.links_count IS 'Different links on the page; NULL for pages that were kept before this column existed.';
ALTER TYPE flush_page ADD ATTRIBUTE links_count integer;

-- The keys of tables, computed from an address: with them a look-up in a view takes an index.
CREATE FUNCTION host_key(address text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || encode(substr(sha256(convert_to(substring(address FROM '^[a-z]+://(\[[^]]*\]|[^/:?#]*)'), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
COMMENT ON FUNCTION host_key IS 'host_id of a normalised URL.';

CREATE FUNCTION url_key(address text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(substr(sha256(convert_to(address, 'UTF8')), 1, 16), 'hex')::uuid;
COMMENT ON FUNCTION url_key IS 'url_hash of a normalised URL, as tables store it; the column id of views.';

CREATE FUNCTION bytes_as_text(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
  RETURN encode(bytes, 'escape');
END
$$;
COMMENT ON FUNCTION bytes_as_text IS 'Bytes of a server as text: UTF-8, or with octal escapes where they are not.';

CREATE VIEW sources AS
SELECT s.public_id AS id,
       s.name,
       s.url,
       trim_scale(coalesce((s.policy ->> 'delay_s')::numeric, 1)) || 's' AS rate_limit,
       coalesce(nullif((s.policy ->> 'max_depth')::integer, 0), 3) AS max_depth,
       s.selectors,
       s.enabled,
       feed.url AS feed_url,
       sitemap.url AS sitemap_url,
       s.mode::text AS ingestion_mode,
       round(coalesce((s.policy ->> 'poll_s')::numeric, 900) / 60)::integer AS feed_poll_interval_minutes,
       feed.disabled_at AS feed_disabled_at,
       feed.disable_reason AS feed_disable_reason,
       coalesce(s.policy -> 'article_patterns', '[]') AS article_url_patterns,
       jsonb_strip_nulls(jsonb_build_object(
         'scope', s.policy -> 'scope', 'include', s.policy -> 'include', 'exclude', s.policy -> 'exclude')) AS rules,
       s.priority,
       s.render_mode,
       s.template AS template_hint,
       s.identity_key,
       s.allow_source_discovery,
       s.disabled_at,
       s.disable_reason,
       jsonb_strip_nulls(jsonb_build_object(
         'keep_slash', s.policy -> 'keep_slash', 'tracking_keep', s.policy -> 'tracking_keep',
         'tracking_add', s.policy -> 'tracking_add', 'redirect_policy', s.policy -> 'redirect_policy',
         'external', s.policy -> 'external', 'recrawl_s', s.policy -> 'recrawl_s')) AS url_policy,
       s.kind::text AS kind,
       s.labels,
       s.removed_at,
       s.created_at,
       s.updated_at
  FROM source s
  LEFT JOIN LATERAL (
    SELECT c.url, c.disabled_at, c.disable_reason
      FROM channel c
     WHERE c.source_id = s.source_id AND c.kind = 2 AND NOT c.is_candidate
     ORDER BY c.disabled_at NULLS FIRST, c.channel_id
     LIMIT 1
  ) feed ON true
  LEFT JOIN LATERAL (
    SELECT c.url
      FROM channel c
     WHERE c.source_id = s.source_id AND c.kind = 3 AND NOT c.is_candidate AND c.parent_id IS NULL
     ORDER BY c.disabled_at NULLS FIRST, c.channel_id
     LIMIT 1
  ) sitemap ON true;
COMMENT ON VIEW sources IS 'Sources by the names that other programs know. Crawls (kind crawl) and the owner of all other URLs (system) are sources, too.';

CREATE VIEW host_state AS
SELECT i.host,
       i.last_fetch_at,
       coalesce(h.delay_ms, 1000) AS min_delay_ms,
       bytes_as_text(r.body) AS robots_txt,
       r.fetched_at AS robots_fetched_at,
       round(extract(epoch FROM r.expires_at - r.fetched_at) / 3600)::integer AS robots_ttl_hours,
       coalesce(h.next_allowed_at < 'infinity', true) AS is_allowed,
       i.pages AS page_count,
       coalesce(h.penalty_ms, 0) AS penalty_delay_ms,
       CASE WHEN isfinite(h.next_allowed_at) THEN h.next_allowed_at END AS next_allowed_at,
       i.block_reason,
       i.first_seen_at AS created_at,
       coalesce(i.last_fetch_at, i.first_seen_at) AS updated_at
  FROM host_info i
  LEFT JOIN host h ON h.host_id = i.host_id
  LEFT JOIN LATERAL (
    SELECT o.body, o.fetched_at, o.expires_at
      FROM robots o
     WHERE o.host_id = i.host_id
     ORDER BY o.fetched_at DESC
     LIMIT 1
  ) r ON true;
COMMENT ON VIEW host_state IS 'How gently each host is treated. Of several robots.txt (http and https) the one fetched last.';

CREATE VIEW feed_state AS
SELECT s.public_id AS source_id,
       s.name AS source_name,
       (ARRAY['feed', 'sitemap'])[c.kind - 1] AS kind,
       c.url AS feed_url,
       c.polled_at AS last_polled_at,
       c.etag AS last_etag,
       c.last_modified,
       c.items AS last_item_count,
       c.errors AS consecutive_errors,
       c.last_error,
       c.error_type AS last_error_type,
       u.q_at AS next_poll_at,
       c.is_candidate,
       c.disabled_at,
       c.disable_reason,
       c.added_at AS created_at,
       greatest(c.added_at, c.polled_at, c.changed_at) AS updated_at
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
  LEFT JOIN url u ON u.host_id = c.host_id AND u.url_hash = c.url_hash;
COMMENT ON VIEW feed_state IS 'Feeds and sitemaps of sources: a source may have several of each kind, each with its own validators.';

CREATE VIEW crawled_pages AS
SELECT u.url_hash AS id,
       u.url,
       encode(sha256(convert_to(u.url, 'UTF8')), 'hex') AS url_hash,
       i.host AS domain,
       CASE
         WHEN u.redirect_hash IS NOT NULL THEN 'redirected'
         WHEN u.reason IN ('robots_blocked', 'blocked_address') THEN 'blocked'
         WHEN u.reason IS NOT NULL THEN 'failed'
         WHEN u.last_fetch_at IS NULL THEN 'never_crawled'
         ELSE 'fetched'
       END AS status,
       u.http_status AS status_code,
       CASE
         WHEN u.http_status = 304 THEN d.content_type
         ELSE coalesce((SELECT l.content_type
                          FROM fetch_log l
                         WHERE l.host_id = u.host_id AND l.url_hash = u.url_hash
                         ORDER BY l.at DESC
                         LIMIT 1), d.content_type)
       END AS content_type,
       CASE
         WHEN u.reason IS NULL AND d.url_hash IS NOT NULL THEN d.bytes::bigint
         ELSE (SELECT l.content_length
                 FROM fetch_log l
                WHERE l.host_id = u.host_id AND l.url_hash = u.url_hash
                ORDER BY l.at DESC
                LIMIT 1)
       END AS content_length,
       encode(d.content_hash, 'hex') AS content_hash,
       d.title,
       d.description,
       d.links_count,
       u.discovered_at,
       u.last_fetch_at AS crawled_at,
       (SELECT l.elapsed_ms
          FROM fetch_log l
         WHERE l.host_id = u.host_id AND l.url_hash = u.url_hash
         ORDER BY l.at DESC
         LIMIT 1) AS crawl_duration_ms,
       CASE WHEN u.reason IS NOT NULL THEN
         coalesce((SELECT l.error_message
                     FROM fetch_log l
                    WHERE l.host_id = u.host_id AND l.url_hash = u.url_hash
                    ORDER BY l.at DESC
                    LIMIT 1), u.reason)
       END AS error_message,
       u.q_at AS next_crawl_at,
       u.attempts AS error_count,
       u.host_id
  FROM url u
  LEFT JOIN host_info i ON i.host_id = u.host_id
  LEFT JOIN document d ON d.host_id = u.host_id AND d.url_hash = u.url_hash
 WHERE u.kind = 0;
COMMENT ON VIEW crawled_pages IS 'Every known page and what became of it. By domain it takes an index; by address, ask crawled_page(url).';

CREATE FUNCTION crawled_page(address text) RETURNS SETOF crawled_pages LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT * FROM crawled_pages p WHERE p.host_id = host_key(address) AND p.id = url_key(address)
$$;
COMMENT ON FUNCTION crawled_page IS 'The row of crawled_pages for one normalised URL, by the primary key.';

CREATE VIEW discovered_links AS
SELECT s.public_id AS source_id,
       s.name AS source_name,
       l.url,
       l.parent_url,
       l.depth,
       l.domain,
       coalesce(l.http_status, u.http_status) AS http_status,
       coalesce(l.content_type, d.content_type) AS content_type,
       l.discovered_at,
       l.queued_at,
       l.status,
       l.priority
  FROM discovered_link l
  JOIN source s ON s.source_id = l.source_id
  LEFT JOIN url u ON u.host_id = l.host_id AND u.url_hash = l.url_hash
  LEFT JOIN document d ON d.host_id = l.host_id AND d.url_hash = l.url_hash;
COMMENT ON VIEW discovered_links IS 'Links that led out of their source, once for each source and URL.';
