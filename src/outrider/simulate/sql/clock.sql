-- name: create_now
-- Replace now() by the simulated time: `public` comes before pg_catalog in the search path. Without a simulation, a
-- database that was kept shows the real time again.
CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(pg_catalog.current_setting('outrider.now', true), '')::timestamptz, pg_catalog.now());

-- name: create_clock_timestamp
-- Replace clock_timestamp() in the same way.
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN public.now();
