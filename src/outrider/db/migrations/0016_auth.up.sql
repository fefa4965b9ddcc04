-- Users, sessions, tokens, login throttling, rate limits and the audit log.

CREATE TABLE app_user (
  user_id       integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name          text        NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  name_key      text        NOT NULL UNIQUE,
  password_hash text        NOT NULL CHECK (password_hash LIKE '$argon2%'),
  role          text        NOT NULL CHECK (role IN ('user', 'admin')),
  generation    integer     NOT NULL DEFAULT 1,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz,
  disabled_at   timestamptz
);
COMMENT ON TABLE app_user IS 'People who may sign in. Numbers are never used again, so that old rows of the audit log stay right.';
COMMENT ON COLUMN app_user.name_key IS 'The name without differences of case: two users cannot be told apart by case alone.';
COMMENT ON COLUMN app_user.generation IS 'Sessions and JWTs carry this number. Raising it revokes all of them at once.';

CREATE TABLE user_session (
  session_hash bytea       PRIMARY KEY CHECK (length(session_hash) = 32),
  user_id      integer     NOT NULL REFERENCES app_user ON DELETE CASCADE,
  generation   integer     NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL
);
COMMENT ON TABLE user_session IS 'Sessions of the dashboard, unless Redis holds them. The value of the cookie is not stored, only its SHA-256.';
CREATE INDEX user_session_user ON user_session (user_id);
CREATE INDEX user_session_expiry ON user_session (expires_at);

CREATE TABLE revoked_jwt (
  jti        uuid        PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE revoked_jwt IS 'JWTs that were revoked before their end. A row is removed when its token would have expired anyway.';
CREATE INDEX revoked_jwt_expiry ON revoked_jwt (expires_at);

CREATE TABLE api_token (
  token_id     integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id      integer     NOT NULL REFERENCES app_user ON DELETE CASCADE,
  name         text        NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  token_hash   bytea       NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  role         text        NOT NULL CHECK (role IN ('user', 'admin')),
  read_only    boolean     NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
COMMENT ON TABLE api_token IS 'Named tokens of programs. The token is not stored, only its SHA-256.';
COMMENT ON COLUMN api_token.role IS 'The token never may more than its owner: a lower role of the owner limits it too.';
COMMENT ON COLUMN api_token.last_used_at IS 'Written at most once a minute.';
CREATE UNIQUE INDEX api_token_name ON api_token (user_id, name) WHERE revoked_at IS NULL;

CREATE TABLE login_throttle (
  subject        text        PRIMARY KEY CHECK (length(subject) <= 100),
  failures       integer     NOT NULL CHECK (failures >= 0),
  last_failed_at timestamptz NOT NULL,
  blocked_until  timestamptz NOT NULL
);
COMMENT ON TABLE login_throttle IS 'Recent failed logins of a user name (its SHA-256) or of a client address.';
CREATE INDEX login_throttle_age ON login_throttle (last_failed_at);

CREATE TABLE setup_code (
  code_hash  bytea       PRIMARY KEY CHECK (length(code_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE setup_code IS 'One-time codes that create the first administrator. They exist only while there is no user.';

CREATE UNLOGGED TABLE rate_window (
  key  text          PRIMARY KEY CHECK (length(key) <= 200),
  hits timestamptz[] NOT NULL
);
COMMENT ON TABLE rate_window IS 'The allowed requests of the last minute of each caller: one row a caller, at most as many times as its limit. A crash of the server empties it.';

CREATE TABLE audit (
  audit_id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at             timestamptz NOT NULL DEFAULT now(),
  user_id        integer,
  user_name      text        NOT NULL CHECK (length(user_name) <= 100),
  role           text        NOT NULL CHECK (length(role) <= 20),
  proven_by      text        NOT NULL CHECK (length(proven_by) <= 20),
  client_address text        CHECK (length(client_address) <= 100),
  request_id     text        CHECK (length(request_id) <= 100),
  action         text        NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  object_kind    text        NOT NULL CHECK (length(object_kind) <= 50),
  object_id      text        CHECK (length(object_id) <= 200),
  changes        jsonb       NOT NULL CHECK (jsonb_typeof(changes) = 'object'),
  result         text        NOT NULL CHECK (result IN ('done', 'refused'))
);
COMMENT ON TABLE audit IS 'Who changed what, when and from where. Users may be deleted, so that rows name them without a reference.';
COMMENT ON COLUMN audit.changes IS 'What was before and after, with secrets masked.';
CREATE INDEX audit_time ON audit (at DESC, audit_id DESC);
CREATE INDEX audit_user ON audit (user_id, at DESC, audit_id DESC);
CREATE INDEX audit_action ON audit (action, at DESC, audit_id DESC);
CREATE INDEX audit_object ON audit (object_kind, object_id, at DESC, audit_id DESC);
