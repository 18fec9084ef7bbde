import { lowerPriority } from '../../src/serve/thread-priority.ts'

// Readers of the change feed. Arguments: the port, their number, and the last change that they know. Each line of input
// is a change to wait for; the program ends with its input.
const [port = 0, count = 0, known = 0] = process.argv.slice(2).map(Number)
const openTimeoutMs = 10_000
const catchUpTimeoutMs = 20_000

interface Reader {
  last: number
  /** The start of an event whose rest has not arrived yet. */
  rest: string
}

/** Opens `count` anonymous streams, which get every change as long as there are no drafts. */
async function openStreams(port: number, count: number, last: number) {
  const readers: Reader[] = []
  let problem: string | null = null
  let isEnding = false
  const head = `GET /api/v2/changes/stream?since=${last} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`

  function read(reader: Reader, text: string): void {
    const all = reader.rest + text
    let at = all.indexOf('id: ')
    while (at >= 0) {
      const end = all.indexOf('\n', at)
      if (end < 0) break
      const seq = Number(all.slice(at + 4, end))
      if (seq !== reader.last + 1) problem ??= `change ${seq} came after ${reader.last}`
      reader.last = seq
      at = all.indexOf('id: ', end)
    }
    // Short, whatever it is: a seq is never longer.
    reader.rest = at >= 0 ? all.slice(at) : all.slice(-3)
  }

  const open = () =>
    new Promise<Bun.Socket>((resolve, reject) => {
      const reader: Reader = { last, rest: '' }
      readers.push(reader)
      const socket = {
        open: (line: Bun.Socket) => void line.write(head),
        data(line: Bun.Socket, chunk: Buffer) {
          read(reader, chunk.toString('latin1'))
          resolve(line)
        },
        close() {
          if (!isEnding) problem ??= 'a stream was ended'
        },
        error: (_line: Bun.Socket, error: Error) => reject(error),
      }
      // One address may have 100 streams.
      const from = { localAddress: `127.0.0.${2 + (readers.length % 100)}` }
      Bun.connect({ hostname: '127.0.0.1', port, socket, ...from }).catch(reject)
    })
  const timeout = Bun.sleep(openTimeoutMs).then(() => Promise.reject(new Error('some streams did not open')))
  const sockets = await Promise.race([Promise.all(Array.from({ length: count }, open)), timeout])

  return {
    async waitFor(seq: number) {
      const until = performance.now() + catchUpTimeoutMs
      while (readers.some((reader) => reader.last < seq) && problem === null) {
        if (performance.now() > until) problem = `some readers did not get change ${seq}`
        await Bun.sleep(20)
      }
      if (problem !== null) throw new Error(problem)
    },
    end() {
      isEnding = true
      for (const socket of sockets) socket.end()
    },
  }
}

try {
  // In production, readers run on other machines.
  lowerPriority()
  const streams = await openStreams(port, count, known)
  process.stdout.write('open\n')
  for await (const line of console) {
    await streams.waitFor(Number(line))
    process.stdout.write(`${line}\n`)
  }
  streams.end()
  process.exit(0)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
