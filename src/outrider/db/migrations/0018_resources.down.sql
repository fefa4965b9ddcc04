-- Without the notes about domains; links that became jobs are promoted ones again.
DROP INDEX fetch_log_at;
DROP INDEX discovered_link_newest;
UPDATE discovered_link SET status = 'promoted' WHERE status = 'processing';
ALTER TABLE discovered_link
  DROP CONSTRAINT discovered_link_status_check,
  ADD CONSTRAINT discovered_link_status_check CHECK (status IN ('new', 'queued', 'ignored', 'promoted'));
ALTER TABLE discovered_domain DROP COLUMN notes;
DROP INDEX document_copies;
DROP INDEX document_title;
DROP INDEX document_first_seen;
