-- Without link checks: their entries leave the frontier.
DROP TABLE link_update;
DROP TABLE link_check;
DROP TABLE site_link;
UPDATE url SET next_fetch_at = NULL, reason = coalesce(reason, 'no_link') WHERE kind = 4;
