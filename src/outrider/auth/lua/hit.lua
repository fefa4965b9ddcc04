-- Count a request in a sliding window unless it is full.
-- KEYS[1] the window, a sorted set by time; ARGV[1] limit, ARGV[2] length in microseconds, ARGV[3] a new member
-- Returns whether it is allowed (1 or 0), the requests in the window, and microseconds until the oldest leaves.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local length = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - length)
local allowed = 0
-- A command whose answer got lost is sent again with the same member, and counts once.
if redis.call('ZSCORE', KEYS[1], ARGV[3]) then
  allowed = 1
elseif redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[1]) then
  redis.call('ZADD', KEYS[1], string.format('%d', now), ARGV[3])
  redis.call('PEXPIRE', KEYS[1], math.ceil(length / 1000))
  allowed = 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local reset = 0
if oldest[2] then
  reset = tonumber(oldest[2]) + length - now
end
return {allowed, redis.call('ZCARD', KEYS[1]), reset}
