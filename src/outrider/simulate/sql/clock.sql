-- name: create_now
-- The time of every statement: found before PostgreSQL's own, because `public` stands first in the search path.
-- A database that is kept tells the real time again once nobody simulates.
CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(pg_catalog.current_setting('outrider.now', true), '')::timestamptz, pg_catalog.now());

-- name: create_clock_timestamp
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN public.now();
