-- Stores the confirmed keys, turns a full young half into the old half, and returns the confirmed priority of each
-- requested key (0: not confirmed).
-- KEYS: the young half, the old half
-- ARGV: lifetime in seconds, most keys of a half, number of confirmed keys, each confirmed key with its priority, the
-- requested keys
local lifetime, most, confirmed = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local asked = 4 + 2 * confirmed
local step = 1000 -- Lua unpacks no more than a few thousand at once

for first = 4, asked - 1, step do
  redis.call('HSET', KEYS[1], unpack(ARGV, first, math.min(first + step, asked) - 1))
end

if confirmed > 0 then
  local left = redis.call('TTL', KEYS[1])
  if left < 0 then
    redis.call('EXPIRE', KEYS[1], lifetime)
  elseif 2 * left < lifetime or redis.call('HLEN', KEYS[1]) >= most then
    redis.call('RENAME', KEYS[1], KEYS[2])
  end
end

local known = {}
for first = asked, #ARGV, step do
  local last = math.min(first + step - 1, #ARGV)
  local young = redis.call('HMGET', KEYS[1], unpack(ARGV, first, last))
  local old = redis.call('HMGET', KEYS[2], unpack(ARGV, first, last))
  for n = 1, #young do
    known[#known + 1] = math.max(tonumber(young[n] or 0), tonumber(old[n] or 0))
  end
end
return known
