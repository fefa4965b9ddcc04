-- Nothing: the migration of this number is part of another change, which replaces this file.
SELECT 1;
