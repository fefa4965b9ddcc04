-- Where redirects lead.

CREATE FUNCTION redirect_end(host_id bigint, url_hash uuid) RETURNS TABLE (end_host_id bigint, end_hash uuid)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  WITH RECURSIVE way AS (
    SELECT redirect_end.host_id AS at_host_id, redirect_end.url_hash AS at_hash, 0 AS hops
    UNION ALL
    SELECT u.redirect_host_id, u.redirect_hash, way.hops + 1
      FROM way
      JOIN url u ON u.host_id = way.at_host_id AND u.url_hash = way.at_hash
     WHERE u.redirect_hash IS NOT NULL
       AND u.q_at IS NULL
       AND way.hops < 64
  )
  SELECT at_host_id, at_hash FROM way ORDER BY hops DESC LIMIT 1
$$;
COMMENT ON FUNCTION redirect_end IS 'The address at the end of a chain of aliases; an address that is no alias is its own end.';

CREATE TABLE redirect_hop (
  host_id       bigint      NOT NULL,
  url_hash      uuid        NOT NULL,
  hop           uuid        NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at  timestamptz NOT NULL,
  times         integer     NOT NULL DEFAULT 1,
  status        smallint    NOT NULL,
  from_url      text        NOT NULL,
  to_url        text        NOT NULL,
  PRIMARY KEY (host_id, url_hash, hop)
);
COMMENT ON TABLE redirect_hop IS 'Every redirect that was met, followed or not: one row for each entry, address, target and status.';
COMMENT ON COLUMN redirect_hop.url_hash IS 'The entry that was visited; a feed is followed over several addresses within one visit.';
COMMENT ON COLUMN redirect_hop.hop IS 'First 16 bytes of sha256 over status, from_url and to_url.';
COMMENT ON COLUMN redirect_hop.first_seen_at IS 'Since the entry last answered with a page; times counts from there.';

CREATE VIEW redirect_hops AS
SELECT h.from_url,
       h.to_url,
       h.status,
       h.last_seen_at AS at,
       h.first_seen_at,
       h.times,
       h.status IN (301, 308) AS permanent,
       u.url AS entry_url,
       (ARRAY['page', 'robots', 'feed', 'sitemap'])[u.kind + 1] AS kind,
       s.name AS source
  FROM redirect_hop h
  LEFT JOIN url u ON u.host_id = h.host_id AND u.url_hash = h.url_hash
  LEFT JOIN source s ON s.source_id = u.source_id;
COMMENT ON VIEW redirect_hops IS 'Redirects as people and BI tools ask for them: moves, long chains (from_url of one is to_url of another), loops.';
