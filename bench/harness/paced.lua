-- One GET over and over, at a pace: each connection waits between a quarter and seven quarters of the given time, in
-- milliseconds, before it asks again.
local mean = 1

function init(args)
  mean = tonumber(args[1])
  math.randomseed(os.time())
end

function delay()
  return math.floor(mean * (0.25 + 1.5 * math.random()) + 0.5)
end
