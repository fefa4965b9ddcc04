-- name: create_now
-- The virtual time of every statement. It replaces PostgreSQL's now(), because `public` is first in the search path.
-- Without a running simulation it returns the real time.
CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(pg_catalog.current_setting('outrider.now', true), '')::timestamptz, pg_catalog.now());

-- name: create_clock_timestamp
-- The same time for clock_timestamp().
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN public.now();
