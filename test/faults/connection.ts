import { createConnection, type Socket } from 'node:net'

/** One whole HTTP answer. */
export type Answer = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** One connection of our own, kept alive, with one request at a time: no pool and no retry hides what the server did. */
export type Connection = {
  /** Fails when the connection ends before the whole answer is there. */
  readonly send: (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<Answer>
  readonly close: () => void
  /** False once the server has said or done so: then the next request needs a new connection. */
  readonly isUsable: () => boolean
}

const answerDeadlineMs = 10_000

type Pending = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }

/** Fails with the code ECONNREFUSED where nobody listens. */
export async function connect(port: number): Promise<Connection> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return wrap(socket, port)
}

/** One request on a connection of its own: which thread serves it is up to the kernel. */
export async function ask(
  port: number,
  method: string,
  path: string,
  headers?: Record<string, string>,
  body?: string,
): Promise<Answer> {
  const connection = await connect(port)
  try {
    return await connection.send(method, path, headers, body)
  } finally {
    connection.close()
  }
}

function wrap(socket: Socket, port: number): Connection {
  let received = Buffer.alloc(0)
  let pending: Pending | undefined
  let isUsable = true
  const end = (reason: string) => {
    isUsable = false
    pending?.reject(new Error(`${reason} before the whole answer; received: ${received.toString('latin1', 0, 200)}`))
    pending = undefined
  }
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  socket.on('close', () => end('closed'))
  socket.setTimeout(answerDeadlineMs, () => end(`${answerDeadlineMs} ms of silence`))
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    const answer = parseAnswer(received)
    if (answer === undefined || pending === undefined) return
    received = Buffer.alloc(0)
    if (answer.headers.get('connection')?.toLowerCase() === 'close') isUsable = false
    const { resolve } = pending
    pending = undefined
    resolve(answer)
  })
  return {
    isUsable: () => isUsable,
    close: () => socket.destroy(),
    send: (method, path, headers = {}, body = '') =>
      new Promise((resolve, reject) => {
        if (pending !== undefined) throw new Error('one request at a time')
        if (!isUsable) throw new Error('the connection is closed')
        pending = { resolve, reject }
        socket.write(toRequest(port, method, path, headers, body))
      }),
  }
}

function toRequest(port: number, method: string, path: string, headers: Record<string, string>, body: string): string {
  const all: Record<string, string> = { Host: `127.0.0.1:${port}`, ...headers }
  if (body !== '') all['Content-Length'] = String(Buffer.byteLength(body))
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** The answer, or undefined while a part of it is missing. Every answer of ours to GET, PUT, PATCH and POST has a length. */
function parseAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers.get('content-length') ?? Number.NaN)
  // Without a length this never ends, and the deadline's message shows the head.
  if (!(bytes.length >= headEnd + 4 + length)) return undefined
  const body = bytes.toString('utf8', headEnd + 4, headEnd + 4 + length)
  return { status: Number(statusLine.split(' ')[1]), headers, body }
}
