-- An owned site with pages, redirects, missed paths and links.
INSERT INTO site (name, base_url, hosts)
VALUES ('bench', 'https://owned.example', ARRAY['owned.example']);
INSERT INTO site_redirect_table (site_id, version)
SELECT site_id, 20000 FROM site;
INSERT INTO site_path (site_id, path, slug, title)
SELECT site_id, '/articles/' || i || '-a-title-of-usual-length', i || '-a-title-of-usual-length', 'A title of usual length ' || i
  FROM site, generate_series(1, 20000) AS i;
INSERT INTO site_redirect (site_id, from_path, to_path, to_key, source, hit_count)
SELECT site_id, '/old/' || i, p.path, p.path, 'admin', i % 50
  FROM site, generate_series(1, 20000) AS i
 CROSS JOIN LATERAL (SELECT '/articles/' || i || '-a-title-of-usual-length' AS path) p;
INSERT INTO broken_url (site_id, path, prior_analytics_hits, recent_404_count)
SELECT site_id, '/missed/' || i, i, i % 70
  FROM site, generate_series(1, 5000) AS i;
INSERT INTO site_link (site_id, source_key, url, link_type, status, http_status, host_id, url_hash, last_checked_at)
SELECT site_id, 'page:/articles/' || i % 5000 || '#body', u.url, 'external',
       (ARRAY['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'dead', 'moved', 'uncertain'])[1 + i % 10], 200, u.host_id, u.url_hash, now()
  FROM site, (SELECT url, host_id, url_hash, row_number() OVER () AS i FROM url LIMIT 50000) u;
INSERT INTO link_check (host_id, url_hash, verdict, reason, http_status)
SELECT host_id, url_hash, CASE status WHEN 'unchecked' THEN 'ok' ELSE status END, 'answered', 200
  FROM site_link;
INSERT INTO link_update (link_id, site_id, replacement)
SELECT link_id, site_id, url || '/new'
  FROM site_link
 WHERE status = 'moved'
 LIMIT 1000;
