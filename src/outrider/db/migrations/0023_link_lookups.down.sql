-- Without the lookups of links.
DROP INDEX site_link_internal;
DROP INDEX site_link_dead;
DROP INDEX site_link_to_path;
