-- name: known_pages
-- The URLs of all pages in the frontier.
SELECT url FROM url WHERE kind = {kind_page};

-- name: first_sightings
-- The discovery method that saw each page first; of two at the same moment the first by name.
SELECT DISTINCT ON (s.host_id, s.url_hash) u.url, s.way, s.seen_at
  FROM sighting s
  JOIN url u ON u.host_id = s.host_id AND u.url_hash = s.url_hash
 ORDER BY s.host_id, s.url_hash, s.seen_at, s.way;

-- name: duplicates_by_host
-- How many documents of each host are duplicates.
SELECT i.host, count(*)::int AS documents
  FROM document d
  JOIN host_info i ON i.host_id = d.host_id
 WHERE d.duplicate_hash IS NOT NULL
 GROUP BY i.host
 ORDER BY i.host;

-- name: hosts_with_barren_templates
-- Hosts with at least one barren template.
SELECT DISTINCT i.host
  FROM url_template t
  JOIN host_info i ON i.host_id = t.host_id
 WHERE t.barren;
