-- The links of a site in the order of their list: those that need a look first.

CREATE INDEX site_link_listed ON site_link (site_id, array_position(ARRAY['dead', 'moved', 'unchecked', 'uncertain', 'ok'], status), source_key);
