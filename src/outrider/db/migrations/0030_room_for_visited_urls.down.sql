-- With full pages in the index of sources, as before.
ALTER INDEX url_of_source RESET (fillfactor);
