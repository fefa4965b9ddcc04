-- Take a lock that is free or already ours, so that a command whose answer got lost may be repeated.
-- KEYS[1] the lock, ARGV[1] token, ARGV[2] milliseconds to live
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return 1
end
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
