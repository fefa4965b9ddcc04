-- Which sources are held, as a fact of the frontier; and the watched sources, by a name that says it.

CREATE TABLE held_source (
  source_id          int     PRIMARY KEY,
  served_with_others boolean NOT NULL
);
COMMENT ON TABLE held_source IS 'Sources whose queued URLs are hidden from the claim (url.prio is negative) until they are resumed.';
COMMENT ON COLUMN held_source.served_with_others IS 'Whether a visit that another source causes serves this one, too: true while a crawl has put it aside, false while it is disabled.';
INSERT INTO held_source (source_id, served_with_others) SELECT source_id, enabled FROM source WHERE held;
ALTER TABLE source DROP COLUMN held;

CREATE FUNCTION is_held(source_id int) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT FROM held_source h WHERE h.source_id = is_held.source_id);
COMMENT ON FUNCTION is_held IS 'Whether the queued URLs of a source are hidden from the claim.';

CREATE VIEW watched_source AS
SELECT source_id, name, url, mode, priority, enabled, searched_at, search_errors, search_notes, created_at, removed_at
  FROM source
 WHERE kind = 'watch';
COMMENT ON VIEW watched_source IS 'Sources that are watched, for the queries of other parts: crawl commands and adhoc are not among them.';
