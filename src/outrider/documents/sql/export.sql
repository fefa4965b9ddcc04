-- name: export_pages
-- Documents in the order of their keys, $7 rows after ($5, $6). No cursor: a cursor holds a snapshot for as long as the
-- export is read, and the dead rows of a running crawl pile up behind it. The pages of a source include those it shares
-- with others.
-- $1 and $2 first and last host_id, $3 source or NULL, $4 fetched since or NULL, $5 host_id and $6 url_hash to start
-- after, $7 at most this many, $8 only of indexed pages
SELECT d.host_id, d.url_hash AS key_hash, u.url, s.name AS source, d.canonical_url, d.title, d.description, d.language,
       d.author, d.published_at, d.fetched_at, d.changed_at, d.http_status AS status, d.content_type, d.words, d.bytes,
       encode(d.content_hash, 'hex') AS content_hash, o.url AS duplicate_of, d.near_duplicate, d.versions, d.page_type,
       d.noindex, d.unindexed IS NULL AND NOT d.noindex AS indexed, d.unindexed, d.meta AS metadata,
       packed_text(coalesce(d.text_id, original_text(d.content_hash, d.duplicate_host_id, d.duplicate_hash))) AS text
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
  LEFT JOIN source s ON s.source_id = d.source_id
  LEFT JOIN url o ON o.host_id = d.duplicate_host_id AND o.url_hash = d.duplicate_hash
 WHERE d.host_id BETWEEN $1 AND $2
   AND ($3::text IS NULL
        OR (u.shared = 0 AND u.source_id = (SELECT source_id FROM source WHERE name = $3))
        OR (u.shared > 0 AND EXISTS (SELECT FROM url_source w
                                      WHERE w.host_id = u.host_id
                                        AND w.url_hash = u.url_hash
                                        AND w.source_id = (SELECT source_id FROM source WHERE name = $3))))
   AND ($4::timestamptz IS NULL OR d.fetched_at >= $4)
   AND (d.host_id, d.url_hash) > ($5::bigint, $6::uuid)
   AND (NOT $8::boolean OR d.unindexed IS NULL AND NOT d.noindex)
 ORDER BY d.host_id, d.url_hash
 LIMIT $7;

-- name: export_urls
-- Entries in the order of their keys, with the columns of the view url_frontier except those that repeat others.
-- $1 and $2 first and last host_id, $3 source or NULL, $4 found or fetched since or NULL, $5 host_id and $6 url_hash to
-- start after, $7 at most this many, $8 only of indexed pages
SELECT u.host_id, u.url_hash AS key_hash, encode(sha256(convert_to(u.url, 'UTF8')), 'hex') AS url_hash, u.url, i.host,
       s.name AS source,
       (ARRAY['manual', 'spider', 'feed', 'sitemap', 'discovered', 'replay', 'redirect'])[u.origin + 1] AS origin,
       (ARRAY['page', 'robots', 'feed', 'sitemap', 'link'])[u.kind + 1] AS kind,
       p.url AS parent_url, u.depth, abs(u.prio) AS priority,
       (ARRAY['pending', 'fetched', 'dead', 'alias'])[url_state(u.next_fetch_at, u.redirect_hash, u.reason)] AS status,
       u.prio < 0 AS held, u.next_fetch_at AS next_fetch_at, u.last_fetch_at AS last_fetched_at, u.fetches AS fetch_count,
       u.http_status, encode(d.content_hash, 'hex') AS content_hash, d.etag, d.last_modified,
       u.attempts AS retry_count, u.reason AS last_error, t.url AS redirects_to, u.discovered_at,
       coalesce(u.updated_at, u.discovered_at) AS updated_at
  FROM url u
  LEFT JOIN host_info i ON i.host_id = u.host_id
  LEFT JOIN source s ON s.source_id = u.source_id
  LEFT JOIN url p ON p.host_id = u.parent_host_id AND p.url_hash = u.parent_hash
  LEFT JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
  LEFT JOIN document d ON d.host_id = u.host_id AND d.url_hash = u.url_hash
 WHERE u.host_id BETWEEN $1 AND $2
   AND ($3::text IS NULL
        OR (u.shared = 0 AND u.source_id = (SELECT source_id FROM source WHERE name = $3))
        OR (u.shared > 0 AND EXISTS (SELECT FROM url_source w
                                      WHERE w.host_id = u.host_id
                                        AND w.url_hash = u.url_hash
                                        AND w.source_id = (SELECT source_id FROM source WHERE name = $3))))
   AND ($4::timestamptz IS NULL OR u.discovered_at >= $4 OR u.last_fetch_at >= $4)
   AND (u.host_id, u.url_hash) > ($5::bigint, $6::uuid)
   AND (NOT $8::boolean OR d.url_hash IS NOT NULL AND d.unindexed IS NULL AND NOT d.noindex)
 ORDER BY u.host_id, u.url_hash
 LIMIT $7;

-- name: export_links
-- Documents with their packed links, in the order of their keys.
-- $1 and $2 first and last host_id, $3 source or NULL, $4 fetched since or NULL, $5 host_id and $6 url_hash to start
-- after, $7 at most this many, $8 only of indexed pages
SELECT d.host_id, d.url_hash AS key_hash, u.url, d.base, d.links
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
 WHERE d.host_id BETWEEN $1 AND $2
   AND ($3::text IS NULL
        OR (u.shared = 0 AND u.source_id = (SELECT source_id FROM source WHERE name = $3))
        OR (u.shared > 0 AND EXISTS (SELECT FROM url_source w
                                      WHERE w.host_id = u.host_id
                                        AND w.url_hash = u.url_hash
                                        AND w.source_id = (SELECT source_id FROM source WHERE name = $3))))
   AND ($4::timestamptz IS NULL OR d.fetched_at >= $4)
   AND (d.host_id, d.url_hash) > ($5::bigint, $6::uuid)
   AND (NOT $8::boolean OR d.unindexed IS NULL AND NOT d.noindex)
 ORDER BY d.host_id, d.url_hash
 LIMIT $7;
