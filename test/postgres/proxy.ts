import { createServer, type Server, type Socket, connect as toSocket } from 'node:net'

/** What stands between a node and PostgreSQL, and can be told to fail. */
export interface FailingProxy {
  readonly port: number
  /** From now on nothing gets through in either direction, though connections stay and new ones are taken. */
  stall(): void
  /** All that was held goes on its way. */
  resume(): void
  /** Connections that are there now stay, but nothing gets through them any more; new ones work. */
  freeze(): void
  /**
   * The next message with these words cuts its connection: before it has got through, or after, when the answer is
   * already on its way. Resolves when that has happened.
   */
  cutAt(words: string, when: 'before' | 'after'): Promise<void>
  /** From now on everything takes this long in each direction, as over a long distance. */
  delay(ms: number): void
  /** New connections lead to another server, as when a name moves; those that are there now stay. */
  leadTo(port: number): void
  /** From now on the server is heard to say the one for the other; both are ASCII and of one length. */
  replace(words: string, others: string): void
  close(): Promise<void>
}

interface Trap {
  readonly words: string
  readonly when: 'before' | 'after'
  readonly sprung: () => void
}

/** So long an answer is waited for before it is dropped: the server has done what it was asked then. */
const doneMs = 200

export async function startProxy(targetPort: number): Promise<FailingProxy> {
  const sockets = new Set<Socket>()
  let isStalled = false
  let toPort = targetPort
  let trap: Trap | null = null
  let toHeard = (chunk: Buffer) => chunk
  let delayMs = 0

  function pass(to: Socket, chunk: Buffer): void {
    if (delayMs === 0) to.write(chunk)
    else setTimeout(() => to.write(chunk), delayMs)
  }

  function spring({ when, sprung }: Trap, near: Socket, far: Socket, chunk: Buffer): void {
    trap = null
    // Whatever is answered is nobody's any more.
    far.removeAllListeners('data').on('data', () => undefined)
    if (when === 'after') far.write(chunk)
    setTimeout(
      () => {
        near.destroy()
        far.destroy()
        sprung()
      },
      when === 'after' ? doneMs : 0,
    )
  }

  function take(near: Socket): void {
    const far = toSocket({ host: '127.0.0.1', port: toPort, noDelay: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      if (isStalled) from.pause()
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    far.on('data', (chunk: Buffer) => pass(near, toHeard(chunk)))
    near.on('data', (chunk: Buffer) => {
      if (trap !== null && chunk.includes(trap.words)) spring(trap, near, far, chunk)
      else pass(far, chunk)
    })
  }

  const server = createServer({ noDelay: true }, take)
  const port = await listen(server)
  return {
    port,
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    freeze() {
      for (const socket of sockets) socket.removeAllListeners('data').pause()
    },
    cutAt: (words, when) =>
      new Promise((resolve) => {
        trap = { words, when, sprung: resolve }
      }),
    delay(ms) {
      delayMs = ms
    },
    leadTo(port) {
      toPort = port
    },
    replace(words, others) {
      toHeard = (chunk) => Buffer.from(chunk.toString('latin1').replaceAll(words, others), 'latin1')
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
    })
  })
}
