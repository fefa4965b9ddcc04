-- name: unknown_links
-- How many of these addresses nobody has heard of.
-- $1 host_id[], $2 url_hash[]
SELECT count(*)
  FROM unnest($1::bigint[], $2::uuid[]) AS n (host_id, url_hash)
 WHERE NOT EXISTS (SELECT FROM url u WHERE u.host_id = n.host_id AND u.url_hash = n.url_hash);

-- name: date_sighting
-- A link says nothing about when its article was published; the article does.
-- $1 host_id, $2 url_hash, $3 published_at
UPDATE sighting
   SET published_at = $3
 WHERE host_id = $1
   AND url_hash = $2
   AND way = 'spider'
   AND published_at IS NULL;

-- name: listing_interval
-- $1 host_id, $2 url_hash
SELECT interval_s::float8
  FROM listing
 WHERE host_id = $1
   AND url_hash = $2;

-- name: note_listing
-- A list was looked at, and will be again.
-- $1 host_id, $2 url_hash, $3 source_id, $4 interval in seconds, $5 new links
WITH noted AS (
  INSERT INTO listing AS l (host_id, url_hash, source_id, interval_s, new_links, fruitful_at)
  VALUES ($1, $2, $3, $4::float8::int, $5::bigint, CASE WHEN $5::bigint > 0 THEN now() END)
  ON CONFLICT (host_id, url_hash) DO UPDATE
     SET interval_s  = excluded.interval_s,
         visits      = l.visits + 1,
         new_links   = l.new_links + excluded.new_links,
         visited_at  = now(),
         fruitful_at = coalesce(excluded.fruitful_at, l.fruitful_at)
)
UPDATE url
   SET q_at = now() + $4::float8 * interval '1 second'
 WHERE host_id = $1
   AND url_hash = $2
   AND q_at IS NOT NULL;
