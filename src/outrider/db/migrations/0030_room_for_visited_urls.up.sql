-- Each visit adds an entry to the index of sources, because the row of the URL moves. In full pages PostgreSQL looks for
-- old entries to remove, again and again: half-full pages have room for one visit of each URL.

ALTER INDEX url_of_source SET (fillfactor = 50);
