-- Look up links by path when a page changes, and count the dead ones for the badge.

CREATE INDEX site_link_to_path ON site_link (site_id, lower(url)) WHERE link_type = 'internal';
CREATE INDEX site_link_dead ON site_link (site_id) WHERE status = 'dead' AND NOT is_ignored;
CREATE INDEX site_link_internal ON site_link (site_id, link_id) WHERE link_type = 'internal';
