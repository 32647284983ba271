-- Sends the requests of a file one after another; all connections take from the same list. The file
-- has the length of each request on a line of its own before it.

local requests = {}
local place = 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  place = tonumber(args[2])
  local length = file:read("*n")
  while length do
    file:read(1)
    requests[#requests + 1] = file:read(length)
    length = file:read("*n")
  end
  file:close()
  -- wrk asks for one that it does not send, to see that it is a request.
  place = (place - 1) % #requests
  if #requests == 1 then
    -- One that never changes is sent without asking this script.
    request = nil
    wrk.format = function() return requests[1] end
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("TAKEN %d %d %d", summary.requests, summary.duration, failed))
end
