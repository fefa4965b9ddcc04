-- Texts in a column of their documents, as before.

ALTER TABLE document ADD COLUMN text bytea;
ALTER TABLE document ALTER COLUMN text SET STORAGE EXTERNAL;
ALTER TABLE document_version ADD COLUMN text bytea;
ALTER TABLE document_version ALTER COLUMN text SET STORAGE EXTERNAL;
UPDATE document SET text = packed_text(text_id) WHERE text_id IS NOT NULL;
UPDATE document_version SET text = packed_text(text_id) WHERE text_id IS NOT NULL;

DROP FUNCTION copied_text(bigint);
DROP FUNCTION original_text(bytea, bigint, uuid);
DROP FUNCTION packed_text(bigint);
ALTER TABLE document DROP COLUMN text_id;
ALTER TABLE document_version DROP COLUMN text_id;
DROP TABLE document_text;
DROP SEQUENCE document_text_id;
COMMENT ON TABLE document IS 'A page we kept, once, under its final address. text and links are zstd.';
COMMENT ON COLUMN document.duplicate_hash IS 'The document that already holds this text; then text is not kept twice.';

CREATE FUNCTION text_of_original(content_hash bytea, host_id bigint, url_hash uuid) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
  (SELECT o.text
     FROM document o
    WHERE o.host_id = $2
      AND o.url_hash = $3
      AND o.content_hash = $1),
  (SELECT v.text
     FROM document_version v
    WHERE v.host_id = $2
      AND v.url_hash = $3
      AND v.content_hash = $1
    ORDER BY v.version DESC
    LIMIT 1),
  (SELECT h.text
     FROM document h
    WHERE h.content_hash = $1
      AND (h.duplicate_hash IS NULL OR h.near_duplicate)
    LIMIT 1)
);
COMMENT ON FUNCTION text_of_original IS 'The text of a copy: its original has it, or had it before it changed, or another document with the same content.';
