-- Without the order of the links of a site.
DROP INDEX site_link_listed;
