-- GETs of the records whose ids stand in a file, one a line. Each run goes on a stretch further than the one before it
-- began, which it leaves in a file beside: what was asked for before must not come again because it is the same list.
local stretch = 60000
local ids = {}
local turn = 0

function init(args)
  for id in io.lines(args[1]) do
    ids[#ids + 1] = id
  end
  local path = args[1] .. ".turn"
  local before = io.open(path)
  if before then
    turn = before:read("*n") or 0
    before:close()
  end
  local after = assert(io.open(path, "w"))
  after:write((turn + stretch) % #ids)
  after:close()
end

function request()
  turn = turn % #ids + 1
  return wrk.format("GET", "/api/v2/video/" .. ids[turn])
end
