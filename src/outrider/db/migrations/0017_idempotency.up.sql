-- Answers of the API that a client may ask for again.

CREATE TABLE idempotent_answer (
  key_hash     bytea       PRIMARY KEY CHECK (length(key_hash) = 32),
  request_hash bytea       NOT NULL CHECK (length(request_hash) = 32),
  status       integer,
  content_type text        CHECK (length(content_type) <= 200),
  body         bytea,
  expires_at   timestamptz NOT NULL
);
COMMENT ON TABLE idempotent_answer IS 'The answer to each POST that had an Idempotency-Key, so that a repeat is not carried out again.';
COMMENT ON COLUMN idempotent_answer.key_hash IS 'SHA-256 of caller, method, path and key.';
COMMENT ON COLUMN idempotent_answer.request_hash IS 'SHA-256 of query and body: the same key with another request is refused.';
COMMENT ON COLUMN idempotent_answer.status IS 'NULL while the request is carried out.';

CREATE INDEX idempotent_answer_expires ON idempotent_answer (expires_at);
