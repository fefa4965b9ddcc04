-- Texts get a table of their own, in rows of which two fill a block. COPY writes them: it makes room for many blocks at
-- once and writes one WAL record a block. In a column they were cut into four rows a block, one after the other.
-- A document and its versions name their text, so a text that becomes a version does not move.

CREATE SEQUENCE document_text_id;

CREATE TABLE document_text (
  text_id bigint   NOT NULL,
  part    smallint NOT NULL,
  bytes   bytea    NOT NULL,
  PRIMARY KEY (text_id, part)
);
ALTER TABLE document_text ALTER COLUMN bytes SET STORAGE PLAIN;
COMMENT ON TABLE document_text IS 'The texts of documents and versions: zstd, in parts. Each text belongs to one row.';

ALTER TABLE document ADD COLUMN text_id bigint;
ALTER TABLE document_version ADD COLUMN text_id bigint;
UPDATE document SET text_id = nextval('document_text_id') WHERE text IS NOT NULL;
UPDATE document_version SET text_id = nextval('document_text_id') WHERE text IS NOT NULL;

INSERT INTO document_text (text_id, part, bytes)
SELECT t.text_id, p.part, substr(t.text, p.part * 4000 + 1, 4000)
  FROM (SELECT text_id, text FROM document UNION ALL SELECT text_id, text FROM document_version) AS t
  CROSS JOIN LATERAL generate_series(0, greatest(length(t.text) - 1, 0) / 4000) AS p (part)
 WHERE t.text IS NOT NULL;

DROP FUNCTION text_of_original(bytea, bigint, uuid);
ALTER TABLE document DROP COLUMN text;
ALTER TABLE document_version DROP COLUMN text;
COMMENT ON TABLE document IS 'A page we kept, once, under its final address. Its text is in document_text. links are zstd.';
COMMENT ON COLUMN document.text_id IS 'The text in document_text; NULL: the document that duplicate_hash names has it.';
COMMENT ON COLUMN document.duplicate_hash IS 'The document that already holds this text; then text_id is NULL.';

CREATE FUNCTION packed_text(text_id bigint) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT string_agg(t.bytes, ''::bytea ORDER BY t.part) FROM document_text t WHERE t.text_id = $1);
COMMENT ON FUNCTION packed_text IS 'The bytes of a text; NULL for NULL.';

CREATE FUNCTION original_text(content_hash bytea, host_id bigint, url_hash uuid) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
  (SELECT o.text_id
     FROM document o
    WHERE o.host_id = $2
      AND o.url_hash = $3
      AND o.content_hash = $1),
  (SELECT v.text_id
     FROM document_version v
    WHERE v.host_id = $2
      AND v.url_hash = $3
      AND v.content_hash = $1
    ORDER BY v.version DESC
    LIMIT 1),
  (SELECT h.text_id
     FROM document h
    WHERE h.content_hash = $1
      AND (h.duplicate_hash IS NULL OR h.near_duplicate)
    LIMIT 1)
);
COMMENT ON FUNCTION original_text IS 'The text of a copy: its original has it, or had it before it changed, or another document with the same content.';

CREATE FUNCTION copied_text(text_id bigint) RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
  WITH copy AS (
    SELECT nextval('document_text_id') AS text_id WHERE $1 IS NOT NULL
  ),
  written AS (
    INSERT INTO document_text (text_id, part, bytes)
    SELECT c.text_id, t.part, t.bytes
      FROM copy c
      JOIN document_text t ON t.text_id = $1
  )
  SELECT c.text_id FROM copy c;
END;
COMMENT ON FUNCTION copied_text IS 'A new text with the same bytes; NULL for NULL.';
