-- Look up links by path when a page changes, count the dead ones for the badge, and count for /metrics.

CREATE INDEX site_link_to_path ON site_link (site_id, lower(url)) WHERE link_type = 'internal';
CREATE INDEX site_link_dead ON site_link (site_id) WHERE status = 'dead' AND NOT is_ignored;
CREATE INDEX site_link_internal ON site_link (site_id, link_id) WHERE link_type = 'internal';

CREATE TABLE site_counter (
  site_id integer NOT NULL REFERENCES site ON DELETE CASCADE,
  name    text    NOT NULL CHECK (name IN ('redirect_hits', 'broken_urls_recorded', 'broken_urls_resolved')),
  value   bigint  NOT NULL,
  PRIMARY KEY (site_id, name)
);
COMMENT ON TABLE site_counter IS 'Counts of a site since it was registered. They do not go down when redirects are removed.';
