DROP FUNCTION redirect_end(bigint, uuid);
