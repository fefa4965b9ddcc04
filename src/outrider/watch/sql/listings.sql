-- name: unknown_links
-- How many of these URLs are new to a source (neither its own nor shared with it).
-- $1 host_id[], $2 url_hash[], $3 source_id
SELECT count(*)
  FROM unnest($1::bigint[], $2::uuid[]) AS n (host_id, url_hash)
 WHERE NOT EXISTS (SELECT FROM url u
                    WHERE u.host_id = n.host_id AND u.url_hash = n.url_hash AND u.source_id = $3)
   AND NOT EXISTS (SELECT FROM url_source w
                    WHERE w.host_id = n.host_id AND w.url_hash = n.url_hash AND w.source_id = $3);

-- name: date_sighting
-- Set the publication time of an article that a link led to: the article states it, the link does not.
-- $1 host_id, $2 url_hash, $3 published_at
UPDATE sighting
   SET published_at = $3
 WHERE host_id = $1
   AND url_hash = $2
   AND way = 'spider'
   AND published_at IS NULL;

-- name: listing_interval
-- How often a source polls a listing page.
-- $1 host_id, $2 url_hash, $3 source_id
SELECT interval_s::float8
  FROM listing
 WHERE host_id = $1
   AND url_hash = $2
   AND source_id = $3;

-- name: note_listing
-- Record a poll of a listing page for a source. Returns the seconds until the next one: the earliest that any of its
-- sources wants.
-- $1 host_id, $2 url_hash, $3 source_id, $4 interval in seconds, $5 new links
WITH noted AS (
  INSERT INTO listing AS l (host_id, url_hash, source_id, interval_s, new_links, fruitful_at)
  VALUES ($1, $2, $3, $4::float8::int, $5::bigint, CASE WHEN $5::bigint > 0 THEN now() END)
  ON CONFLICT (host_id, url_hash, source_id) DO UPDATE
     SET interval_s  = excluded.interval_s,
         visits      = l.visits + 1,
         new_links   = l.new_links + excluded.new_links,
         visited_at  = now(),
         fruitful_at = coalesce(excluded.fruitful_at, l.fruitful_at)
)
SELECT least($4::float8, (SELECT min(l.interval_s)
                            FROM listing l
                            JOIN url_source w USING (host_id, url_hash, source_id)
                           WHERE l.host_id = $1
                             AND l.url_hash = $2
                             AND l.source_id <> $3
                             AND w.state = {state_pending}));
