DROP VIEW discovered_links;
DROP FUNCTION crawled_page(text);
DROP VIEW crawled_pages, feed_state, host_state, sources;
DROP FUNCTION bytes_as_text(bytea);
DROP FUNCTION url_key(text);
DROP FUNCTION host_key(text);
ALTER TYPE flush_page DROP ATTRIBUTE links_count;
ALTER TABLE document DROP COLUMN links_count;
ALTER TYPE flush_request
  DROP ATTRIBUTE content_length,
  DROP ATTRIBUTE content_type,
  DROP ATTRIBUTE error_message;
ALTER TABLE fetch_log
  DROP COLUMN content_length,
  DROP COLUMN content_type,
  DROP COLUMN error_message;
