-- Without the lookups of links and the counts of sites.
DROP TABLE site_counter;
DROP INDEX site_link_internal;
DROP INDEX site_link_dead;
DROP INDEX site_link_to_path;
