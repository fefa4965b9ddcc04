-- Discovered domains summed up: adding up 100,000 links takes 300 ms, which no reader of a list should wait for.

CREATE VIEW discovered_domain_now AS
SELECT p.domain,
       sum(p.links)::bigint AS links,
       count(*) AS sources,
       (sum(p.depths)::numeric / sum(p.links))::float8 AS depth,
       min(p.first_seen) AS first_seen,
       max(p.last_seen) AS last_seen,
       sum(p.ok)::float8 / nullif(sum(p.answered), 0)::float8 AS ok_ratio,
       sum(p.html)::float8 / nullif(sum(p.typed), 0)::float8 AS html_ratio
  -- By source first: so the sources of a domain need no sort of all links.
  FROM (SELECT l.domain,
               count(*) AS links,
               sum(l.depth) AS depths,
               min(l.discovered_at) AS first_seen,
               max(l.discovered_at) AS last_seen,
               count(*) FILTER (WHERE coalesce(u.http_status, l.http_status) BETWEEN 200 AND 299) AS ok,
               count(coalesce(u.http_status, l.http_status)) AS answered,
               count(*) FILTER (WHERE coalesce(d.content_type, l.content_type) ~* 'html') AS html,
               count(coalesce(d.content_type, l.content_type)) AS typed
          FROM discovered_link l
          LEFT JOIN url u USING (host_id, url_hash)
          LEFT JOIN document d USING (host_id, url_hash)
         GROUP BY l.domain, l.source_id) AS p
 GROUP BY p.domain;
COMMENT ON VIEW discovered_domain_now IS 'Discovered links summed up by domain at this moment.';

CREATE TABLE discovered_domain_sum (
  domain     text        PRIMARY KEY,
  links      bigint      NOT NULL,
  sources    bigint      NOT NULL,
  depth      float8      NOT NULL,
  first_seen timestamptz NOT NULL,
  last_seen  timestamptz NOT NULL,
  ok_ratio   float8,
  html_ratio float8
);
COMMENT ON TABLE discovered_domain_sum IS 'Discovered links summed up by domain at the time in discovered_domain_summed.';

CREATE TABLE discovered_domain_summed (
  one   boolean     PRIMARY KEY DEFAULT true CHECK (one),
  as_of timestamptz NOT NULL
);
COMMENT ON TABLE discovered_domain_summed IS 'When the domains were summed up. No row: there are few links, which each reader sums up.';
