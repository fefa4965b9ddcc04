-- name: has_many_links
-- Whether there are more discovered links than $1.
SELECT count(*) > $1::bigint
  FROM (SELECT FROM discovered_link LIMIT $1::bigint + 1) AS found;

-- name: domains_summed_at
-- When the domains were summed up.
SELECT as_of
  FROM discovered_domain_summed;

-- name: sum_domains
-- Sum up the discovered links by domain. Only sums that changed are written.
INSERT INTO discovered_domain_sum AS s (domain, links, sources, depth, first_seen, last_seen, ok_ratio, html_ratio)
SELECT domain, links, sources, depth, first_seen, last_seen, ok_ratio, html_ratio
  FROM discovered_domain_now
ON CONFLICT (domain) DO UPDATE
   SET links = excluded.links, sources = excluded.sources, depth = excluded.depth, first_seen = excluded.first_seen,
       last_seen = excluded.last_seen, ok_ratio = excluded.ok_ratio, html_ratio = excluded.html_ratio
 WHERE (s.links, s.sources, s.depth, s.first_seen, s.last_seen, s.ok_ratio, s.html_ratio)
       IS DISTINCT FROM (excluded.links, excluded.sources, excluded.depth, excluded.first_seen, excluded.last_seen,
                         excluded.ok_ratio, excluded.html_ratio);

-- name: forget_sums_without_links
-- Remove the sums of domains that have no links any more.
DELETE FROM discovered_domain_sum s
 WHERE NOT EXISTS (SELECT FROM discovered_link l WHERE l.domain = s.domain);

-- name: record_summed
-- Record when the domains were summed up.
-- $1 now
INSERT INTO discovered_domain_summed (as_of)
VALUES ($1)
ON CONFLICT (one) DO UPDATE SET as_of = excluded.as_of;

-- name: forget_summed
-- Let each reader sum up the domains.
DELETE FROM discovered_domain_summed;

-- name: forget_domain_sums
-- Remove the sums: readers sum up the links.
DELETE FROM discovered_domain_sum;
