-- What operators read over the API, besides the URLs of fill.sql and the sources of fill_jobs.sql.
-- The placeholders {jobs}, {runs}, {documents} and {text} are numbers and the packed text of a page, as hexadecimal digits.
CREATE TEMP TABLE watched AS
SELECT source_id, (row_number() OVER (ORDER BY source_id))::int AS place
  FROM source
 WHERE kind = 'watch';
CREATE UNIQUE INDEX ON watched (place);

-- Jobs besides the managed ones: every seventh paused, every eleventh failed, the others scheduled.
INSERT INTO job (source_id, status, schedule_enabled, interval_count, interval_type, next_run_at, slot_at, placed_at,
                 paused_at, paused_by, error_message)
SELECT w.source_id, s.status, true, 6, 'hours', CASE s.status WHEN 'scheduled' THEN now() + i * interval '8 seconds' END,
       now() + i * interval '8 seconds', now(), CASE s.status WHEN 'paused' THEN now() END,
       CASE s.status WHEN 'paused' THEN 'operator' END, CASE s.status WHEN 'failed' THEN 'the site did not answer' END
  FROM generate_series(1, {jobs} - (SELECT count(*) FROM watched)) AS i
  JOIN watched w ON w.place = 1 + i % (SELECT count(*) FROM watched)
 CROSS JOIN LATERAL (SELECT (CASE WHEN i % 7 = 0 THEN 'paused' WHEN i % 11 = 0 THEN 'failed' ELSE 'scheduled' END)::job_status
                         AS status) AS s;

INSERT INTO run (source_id, job_id, execution_number, status, started_by, started_at, completed_at, items_crawled,
                 items_indexed, error_message, metadata)
SELECT j.source_id, j.job_id, 1 + i / {jobs}, (CASE WHEN i % 20 = 0 THEN 'failed' ELSE 'completed' END)::run_status,
       'schedule', now() - ({runs} - i) * interval '25 seconds', now() - ({runs} - i) * interval '25 seconds' + interval '9 seconds',
       i % 500, i % 100, CASE WHEN i % 20 = 0 THEN 'the site did not answer' END,
       '{{"crawl_metrics": {{"requests_total": 12, "entries": {{"added": 10, "settled": 10}}}}}}'
  FROM generate_series(0, {runs} - 1) AS i
  JOIN (SELECT job_id, source_id, row_number() OVER (ORDER BY job_id) - 1 AS place FROM job) j ON j.place = i % {jobs};

UPDATE job j SET runs = r.runs, started_at = r.started_at, completed_at = r.completed_at
  FROM (SELECT job_id, count(*) AS runs, max(started_at) AS started_at, max(completed_at) AS completed_at
          FROM run GROUP BY job_id) r
 WHERE r.job_id = j.job_id;

INSERT INTO run_log_state (run_id, last_number)
SELECT run_id, 5000 FROM run WHERE job_id = (SELECT min(job_id) FROM job) ORDER BY execution_number DESC LIMIT 1;
INSERT INTO run_log (run_id, number, at, level, category, message, fields)
SELECT run_id, i, now(), 'info', 'fetch', 'page fetched', jsonb_build_object('url', 'https://s1.example/' || i, 'status', 200)
  FROM run_log_state, generate_series(1, 5000) AS i;

-- Some URLs are fetched and kept, one in twenty is dead.
CREATE TEMP TABLE kept AS
SELECT host_id, url_hash, url, (row_number() OVER ())::int AS i
  FROM (SELECT host_id, url_hash, url FROM url LIMIT {documents}) u;

UPDATE url u
   SET next_fetch_at = NULL, last_fetch_at = now() - k.i * interval '3 seconds', fetches = 1, http_status = 200,
       source_id = w.source_id
  FROM kept k JOIN watched w ON w.place = 1 + k.i % (SELECT count(*) FROM watched)
 WHERE (u.host_id, u.url_hash) = (k.host_id, k.url_hash);
UPDATE url SET next_fetch_at = NULL, reason = 'not_found', http_status = 404, fetches = 1
 WHERE next_fetch_at IS NOT NULL AND ('x' || left(url_hash::text, 4))::bit(16)::int % 20 = 0;

INSERT INTO document (host_id, url_hash, source_id, versions, first_seen_at, fetched_at, changed_at, bytes, words, http_status,
                      content_hash, signature, content_type, language, title, text_id, page_type, links_count)
SELECT k.host_id, k.url_hash, w.source_id, 2, now() - k.i * interval '3 seconds', now() - k.i * interval '3 seconds',
       now() - k.i * interval '3 seconds', 9000, 300, 200, sha256(k.i::text::bytea), '\x00', 'text/html', 'en',
       'A title of usual length, number ' || k.i, nextval('document_text_id'), 'article', 0
  FROM kept k JOIN watched w ON w.place = 1 + k.i % (SELECT count(*) FROM watched);
INSERT INTO document_version (host_id, url_hash, version, fetched_at, content_hash, title, text_id)
SELECT host_id, url_hash, 1, now() - interval '9 days', sha256('1'), 'An older title', nextval('document_text_id')
  FROM kept WHERE i <= 1000;
INSERT INTO document_text (text_id, part, bytes)
SELECT text_id, 0, '\x{text}' FROM (SELECT text_id FROM document UNION ALL SELECT text_id FROM document_version) AS t
 WHERE text_id IS NOT NULL
ON CONFLICT DO NOTHING;

INSERT INTO fetch_log (at, host_id, url_hash, elapsed_ms, wire_bytes, http_status, outcome, content_type)
SELECT now() - i * interval '3 seconds', host_id, url_hash, 120, 4000, 200, 'page', 'text/html' FROM kept;
INSERT INTO sighting (host_id, url_hash, way, source_id, seen_at)
SELECT k.host_id, k.url_hash, 'feed', w.source_id, now() - k.i * interval '3 seconds'
  FROM kept k JOIN watched w ON w.place = 1 + k.i % (SELECT count(*) FROM watched);
UPDATE host_info SET pages = 10, requests = 12, bytes = 90000, last_fetch_at = now();
INSERT INTO robots (host_id, origin, status, body, expires_at)
SELECT host_id, 'https://' || host, 200, 'User-agent: *'::bytea, now() + interval '1 day'
  FROM host_info;

-- Two feeds for each source, and the counters of its pages.
INSERT INTO channel (source_id, host_id, url_hash, url, kind, polls, items, polled_at, changed_at, errors)
SELECT w.source_id, w.place, gen_random_uuid(), 'https://s' || w.place || '.example/feed/' || i, 1 + i, 50, 20, now(), now(), w.place % 9 / 8
  FROM watched w, generate_series(1, 2) AS i;
INSERT INTO counter (slot, source_id, name, value)
SELECT slot, source_id, name, 100
  FROM watched, generate_series(0, 3) AS slot,
       unnest(ARRAY['pending', 'fetched', 'dead', 'pages', 'documents', 'requests', 'bytes', 'status.200', 'status.404',
                    'dead.not_found', 'words.lt_200', 'page_type.article']) AS name;

INSERT INTO discovered_link (source_id, host_id, url_hash, url, domain, parent_url, depth, discovered_at)
SELECT w.source_id, i % 5000, gen_random_uuid(), 'https://d' || i % 5000 || '.example/' || i, 'd' || i % 5000 || '.example',
       'https://s' || w.place || '.example/', 1, now() - i * interval '20 seconds'
  FROM generate_series(1, 100000) AS i JOIN watched w ON w.place = 1 + i % (SELECT count(*) FROM watched);
INSERT INTO redirect_hop (host_id, url_hash, hop, first_seen_at, last_seen_at, status, from_url, to_url)
SELECT host_id, url_hash, gen_random_uuid(), now(), now(), 301, url, url || '/new' FROM kept WHERE i <= 20000;

INSERT INTO event_log (kind, subject_id, payload)
SELECT 'job.progress', j.public_id::text, jsonb_build_object('items_done', 1)
  FROM job j, generate_series(1, 10);
INSERT INTO audit (at, user_name, role, proven_by, action, object_kind, object_id, changes, result)
SELECT now() - i * interval '1 minute', 'ada', 'admin', 'session', 'job.pause', 'job', (i % 1000)::text, '{{}}', 'done'
  FROM generate_series(1, 50000) AS i;
INSERT INTO metric_series (metric, label)
SELECT metric, label FROM unnest(ARRAY['pages', 'documents', 'requests', 'frontier', 'dead', 'workers', 'jobs']) AS metric,
       unnest(ARRAY['', 'a', 'b', 'c']) AS label
    ON CONFLICT DO NOTHING;
INSERT INTO metric_sample (series_id, at, value)
SELECT series_id, date_trunc('minute', now()) - i * interval '1 minute', 10000 - i
  FROM metric_series, generate_series(1, 7 * 1440) AS i
    ON CONFLICT DO NOTHING;
INSERT INTO worker (machine, pid, stats)
SELECT 'bench', i, '{{"pages": 10, "pages_per_s": 1.5}}' FROM generate_series(1, 8) AS i;
