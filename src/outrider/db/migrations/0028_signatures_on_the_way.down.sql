-- Without the queue: documents that were not compared yet lose their signature, so that they are found without it.
UPDATE document d
   SET signature = NULL
  FROM document_to_compare c
 WHERE d.host_id = c.host_id
   AND d.url_hash = c.url_hash;
DROP TABLE document_to_compare;
ALTER TYPE flush_page DROP ATTRIBUTE signature;
