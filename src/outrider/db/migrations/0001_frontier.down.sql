DROP VIEW url_frontier;
DROP TYPE flush_page, flush_completion, flush_link, flush_request;
DROP FUNCTION text_of_original(bytea, bigint, uuid);
DROP TABLE url_rehash, url_rules, url_lineage, worker, counter, url_template, document_band, document_version, document, fetch_log, url, robots, host_info, host, source;
DROP FUNCTION break_url_lineage();
DROP FUNCTION date_the_change();
DROP FUNCTION url_state(timestamptz, uuid, text);
DROP FUNCTION keep_fetch_log_partitions();
