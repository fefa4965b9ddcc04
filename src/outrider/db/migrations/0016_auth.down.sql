-- Without users: everyone is signed out, and accounts, tokens and the audit log are lost.
DROP TABLE audit;
DROP TABLE rate_window;
DROP TABLE setup_code;
DROP TABLE login_throttle;
DROP TABLE api_token;
DROP TABLE revoked_jwt;
DROP TABLE user_session;
DROP TABLE app_user;
