-- GETs of the records whose ids stand in a file, one a line, round and round. Each run begins elsewhere: what the one
-- before it asked for is at hand.
local requests = {}
local turn = 0

function init(args)
  for id in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", "/api/v2/video/" .. id)
  end
  math.randomseed(os.time())
  turn = math.random(#requests)
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end
