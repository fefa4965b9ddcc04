-- Delete a lock if it has our token.
-- KEYS[1] the lock, ARGV[1] token
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
