import { exchange, hotGet } from './exchange.ts'

/** The port of the first URL that the server prints; null if it ended before. */
export async function readPort(stdout: ReadableStream<Uint8Array>): Promise<number | null> {
  const decoder = new TextDecoder()
  const reader = stdout.getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    const port = /http:\/\/127\.0\.0\.1:(\d+)\s/.exec(text)?.[1]
    if (port !== undefined) return Number(port)
  }
  return null
}

/** The port, once the record is served there; null if the process ended before. */
export async function waitForAnswer(child: Bun.Subprocess, port: number): Promise<number | null> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await exchange(port, hotGet).catch(() => null)
    if (answer?.status === 200) return port
    await Bun.sleep(1)
  }
  return null
}

export async function findFreePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const found = probe.port ?? 0
  await probe.stop(true)
  return found
}
