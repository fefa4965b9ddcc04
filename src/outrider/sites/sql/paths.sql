-- name: put_paths
-- Add live paths to the inventory, or bring them up to date.
-- $1 site_id, $2 paths, $3 kinds, $4 slugs, $5 titles, $6 parents, $7 visibilities, $8 states
INSERT INTO site_path (site_id, path, kind, slug, title, parent, is_visible, status)
SELECT $1, p.*
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bool[], $8::text[]) p
ON CONFLICT (site_id, path) DO UPDATE
   SET kind = excluded.kind, slug = excluded.slug, title = excluded.title, parent = excluded.parent,
       is_visible = excluded.is_visible, status = excluded.status, updated_at = now();

-- name: remove_paths
-- Take paths out of the inventory.
-- $1 site_id, $2 paths
DELETE FROM site_path WHERE site_id = $1 AND path = ANY ($2::text[]);

-- name: remove_other_paths
-- Take all paths out of the inventory except these. Returns what was visible.
-- $1 site_id, $2 paths
DELETE FROM site_path
 WHERE site_id = $1
   AND path NOT IN (SELECT unnest($2::text[]))
RETURNING path, is_visible;

-- name: paths_named
-- Paths of the inventory.
-- $1 site_id, $2 paths
SELECT * FROM site_path WHERE site_id = $1 AND path = ANY ($2::text[]);

-- name: paths_below
-- The visible paths of a collection: the path itself and everything below it.
-- $1 site_id, $2 path, $3 the same with a slash at the end, $4 at most this many
SELECT *
  FROM site_path
 WHERE site_id = $1
   AND (path = $2 OR starts_with(path, $3))
 ORDER BY path
 LIMIT $4;

-- name: visible_paths
-- Every live path of a site.
-- $1 site_id
SELECT path FROM site_path WHERE site_id = $1 AND is_visible;

-- name: all_paths
-- The whole inventory of a site.
-- $1 site_id
SELECT * FROM site_path WHERE site_id = $1 ORDER BY path;

-- name: list_paths
-- A page of the inventory, by path.
-- $1 site_id, $2 part of the path or title, or NULL, $3 limit, $4 offset
SELECT *, count(*) OVER () AS total
  FROM site_path
 WHERE site_id = $1
   AND ($2::text IS NULL OR strpos(path, $2) > 0 OR strpos(lower(title), lower($2)) > 0)
 ORDER BY path
 LIMIT $3
OFFSET $4;

-- name: count_paths
-- How many paths the inventory of a site has.
-- $1 site_id
SELECT count(*) FROM site_path WHERE site_id = $1;

-- name: like_words
-- Live paths whose slug or title is like some words, the best first.
-- $1 site_id, $2 words, $3 the path that they come from, $4 at most this many
WITH candidate AS (
  SELECT path, words, lower(title) AS title,
         greatest(similarity(words, $2), similarity(lower(title), $2)) AS alike
    FROM site_path
   WHERE site_id = $1
     AND is_visible
     AND path <> $3
     AND (words % $2 OR lower(title) % $2
          OR to_tsvector('simple', words || ' ' || lower(title)) @@ plainto_tsquery('simple', $2))
)
SELECT path,
       (0.8 * alike + 0.2 * (
         SELECT count(*) FILTER (WHERE strpos(' ' || words || ' ' || title || ' ', ' ' || word || ' ') > 0)::float8
                / greatest(count(*), 1)
           FROM regexp_split_to_table($2, '\s+') word
       ))::float8 AS confidence
  FROM candidate
 ORDER BY confidence DESC, path
 LIMIT $4;

-- name: has_paths
-- Whether a site has an inventory.
-- $1 site_id
SELECT EXISTS (SELECT FROM site_path WHERE site_id = $1);
