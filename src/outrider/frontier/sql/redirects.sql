-- name: record_hops
-- Record redirects. If the entry has answered with a page since, the count of a redirect starts again.
-- $1 host_id[], $2 url_hash[], $3 hop[], $4 status[], $5 from_url[], $6 to_url[], $7 seconds since the first[],
-- $8 seconds since the last[], $9 times[]; no hop twice
INSERT INTO redirect_hop AS h (host_id, url_hash, hop, status, from_url, to_url, first_seen_at, last_seen_at, times)
SELECT n.host_id, n.url_hash, n.hop, n.status, n.from_url, n.to_url, now() - n.first_s * interval '1 second',
       now() - n.last_s * interval '1 second', n.times
  FROM unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::smallint[], $5::text[], $6::text[], $7::float8[], $8::float8[],
              $9::int[]) AS n (host_id, url_hash, hop, status, from_url, to_url, first_s, last_s, times)
 ORDER BY n.host_id, n.url_hash, n.hop
ON CONFLICT (host_id, url_hash, hop) DO UPDATE
   SET (first_seen_at, times) = (
         SELECT CASE WHEN answered THEN excluded.first_seen_at ELSE h.first_seen_at END,
                CASE WHEN answered THEN excluded.times ELSE h.times + excluded.times END
           FROM (SELECT EXISTS (SELECT
                                  FROM document d
                                 WHERE d.host_id = h.host_id
                                   AND d.url_hash = h.url_hash
                                   AND d.fetched_at > h.last_seen_at)) AS a (answered)),
       last_seen_at = greatest(h.last_seen_at, excluded.last_seen_at);

-- name: redirects_since_page
-- The redirects of an entry since it last answered with a page, newest first. One row of nulls if there are none, no
-- row if the entry never answered with a page.
-- $1 host_id, $2 url_hash, $3 at most this many
SELECT now() AS now, h.to_url, h.status, h.first_seen_at, h.last_seen_at, h.times
  FROM document d
  LEFT JOIN redirect_hop h ON h.host_id = d.host_id AND h.url_hash = d.url_hash AND h.last_seen_at > d.fetched_at
 WHERE d.host_id = $1
   AND d.url_hash = $2
 ORDER BY h.last_seen_at DESC
 LIMIT $3;

-- name: redirects_of_entry
-- The redirects of an entry, newest first.
-- $1 host_id, $2 url_hash, $3 at most this many
SELECT from_url, to_url, status, first_seen_at, last_seen_at, times
  FROM redirect_hop
 WHERE host_id = $1
   AND url_hash = $2
 ORDER BY last_seen_at DESC, from_url
 LIMIT $3;
