-- Lists of pages by age and title, copies of a text, notes about domains, and links that became jobs.

CREATE INDEX document_first_seen ON document (first_seen_at);
-- A word index needs no extension and is several times cheaper to maintain than one of trigrams (decision 0066).
CREATE INDEX document_title ON document USING gin (to_tsvector('simple', coalesce(title, '')));
CREATE INDEX document_copies ON document (duplicate_host_id, duplicate_hash) WHERE duplicate_hash IS NOT NULL;
COMMENT ON INDEX document_first_seen IS 'Pages, the newest first. The time never changes, so an update of a page does not touch the index.';
COMMENT ON INDEX document_copies IS 'The copies of a text: one of them keeps the text when the page that holds it is removed.';

ALTER TABLE discovered_domain ADD COLUMN notes text CHECK (length(notes) <= 2000);
COMMENT ON COLUMN discovered_domain.notes IS 'What an operator wrote down about the domain.';

ALTER TABLE discovered_link
  DROP CONSTRAINT discovered_link_status_check,
  ADD CONSTRAINT discovered_link_status_check
    CHECK (status IN ('new', 'queued', 'processing', 'ignored', 'promoted'));
CREATE INDEX discovered_link_newest ON discovered_link (discovered_at);

-- Requests by time: this kind of index costs next to nothing to write, and a log grows in the order of time.
CREATE INDEX fetch_log_at ON fetch_log USING brin (at) WITH (pages_per_range = 32, autosummarize = on);
