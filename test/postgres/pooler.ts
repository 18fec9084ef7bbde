import { createServer, type Socket, connect as toSocket } from 'node:net'
import { listen } from './proxy.ts'

/**
 * A pooler in transaction mode, as far as a client can tell: between two transactions its client has no server session,
 * and the next one gets another. What a session says meanwhile, such as a notification, is nobody's. For clients without
 * TLS and password.
 */
export async function startPooler(targetPort: number) {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const backends = [0, 1].map(() => toSocket({ host: '127.0.0.1', port: targetPort, noDelay: true }))
    for (const socket of [client, ...backends]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        for (const each of [client, ...backends]) each.destroy()
      })
    }
    serve(client, backends)
  })
  const port = await listen(server)
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const sslRequest = 80_877_103

function serve(client: Socket, backends: readonly Socket[]): void {
  let isStarted = false
  /** The session that the client has, and the answers that it waits for: those to its startup at first. */
  let at = 0
  let awaited = 1
  let isInTransaction = false
  const greeted = backends.map(() => false)

  onMessages(
    client,
    () => (isStarted ? 1 : 0),
    (message) => {
      if (!isStarted) {
        if (message.readInt32BE(4) === sslRequest) return void client.write('N')
        isStarted = true
        for (const backend of backends) backend.write(message)
        return
      }
      if (awaited === 0 && !isInTransaction) at = (at + 1) % backends.length
      // A simple query, or the end of an extended one.
      if ('QS'.includes(toType(message))) awaited++
      backends[at]?.write(message)
    },
  )
  for (const [index, backend] of backends.entries()) {
    onMessages(
      backend,
      () => 1,
      (message) => {
        const isReady = toType(message) === 'Z'
        const isOurs = index === at && (awaited > 0 || isInTransaction) && (index === 0 || greeted[index] === true)
        if (isReady) greeted[index] = true
        if (!isOurs) return
        if (isReady) awaited--
        if (isReady) isInTransaction = message.at(-1) !== 'I'.charCodeAt(0)
        client.write(message)
      },
    )
  }
}

const toType = (message: Buffer) => String.fromCharCode(message[0] ?? 0)

/** Cuts what arrives into messages: a length, after a type if there is one. */
function onMessages(from: Socket, toTypeBytes: () => number, take: (message: Buffer) => void): void {
  let bytes = Buffer.alloc(0)
  from.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const typeBytes = toTypeBytes()
      if (bytes.length < typeBytes + 4) return
      const length = typeBytes + bytes.readInt32BE(typeBytes)
      if (bytes.length < length) return
      const message = bytes.subarray(0, length)
      bytes = bytes.subarray(length)
      take(message)
    }
  })
}
