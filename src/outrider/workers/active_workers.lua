-- Remove the ids of workers whose heartbeat has expired. One script, so that a worker that has just sent a heartbeat
-- is never removed.
-- KEYS[1] the set of ids, ARGV[1] what the key of a heartbeat begins with
local gone = 0
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[1] .. id) == 0 then
    gone = gone + redis.call('SREM', KEYS[1], id)
  end
end
return gone
