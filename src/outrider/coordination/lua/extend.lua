-- Let a lock live on if it has our token.
-- KEYS[1] the lock, ARGV[1] token, ARGV[2] milliseconds to live from now
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
