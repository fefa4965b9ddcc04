-- The hold of a source as a column of the source, as it was before.

DROP VIEW watched_source;
DROP FUNCTION is_held(int);
ALTER TABLE source ADD COLUMN held boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN source.held IS 'Its pending URLs wait outside the queue (negative prio) until it is resumed.';
UPDATE source SET held = true WHERE source_id IN (SELECT source_id FROM held_source);
CREATE INDEX source_held ON source (source_id) WHERE held;
DROP TABLE held_source;
