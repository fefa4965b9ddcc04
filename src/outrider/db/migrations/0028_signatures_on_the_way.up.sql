-- Documents get their signature with the flush that stores them. Those that still have to be compared stand in a queue.

ALTER TYPE flush_page ADD ATTRIBUTE signature bytea;

CREATE TABLE document_to_compare (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host_id  bigint NOT NULL,
  url_hash uuid   NOT NULL
);
COMMENT ON TABLE document_to_compare IS 'Documents with a signature that were not compared with the others yet, the oldest first.';
