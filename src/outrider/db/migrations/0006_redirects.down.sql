DROP VIEW redirect_hops;
DROP TABLE redirect_hop;
DROP FUNCTION redirect_end(bigint, uuid);
