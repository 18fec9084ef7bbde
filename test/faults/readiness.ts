/** All that `/readyz` says in so many times, each on a connection of its own, so that all threads are asked. */
export async function readReadiness(port: number, times: number, pauseMs: number): Promise<number[]> {
  const statuses = new Set<number>()
  for (let time = 0; time < times; time++) {
    statuses.add(await readOnce(port))
    await Bun.sleep(pauseMs)
  }
  return [...statuses]
}

export async function waitUntilReady(port: number): Promise<boolean> {
  const deadline = performance.now() + 10_000
  while (performance.now() < deadline) {
    if ((await readOnce(port)) === 200) return true
    await Bun.sleep(50)
  }
  return false
}

async function readOnce(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { keepalive: false })
  await answer.arrayBuffer()
  return answer.status
}
