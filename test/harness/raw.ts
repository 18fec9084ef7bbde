import { connect } from 'node:net'

export type RawAnswer = {
  readonly status: number
  /** Names in lower case; a header that came twice has two values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
  readonly bytes: Uint8Array
  /** Head and body as they came, one character per byte. */
  readonly raw: string
}

type RawOptions = {
  /** The method of each request in the bytes: the answer to HEAD has no body, whatever its Content-Length says. */
  readonly methods?: readonly string[]
  readonly timeoutMs?: number
}

export type HeaderList = Readonly<Record<string, string | readonly string[]>>

type RawRequest = {
  readonly method: string
  readonly target: string
  readonly headers?: HeaderList
  readonly body?: string | Uint8Array
}

/** Sends exactly these bytes, each part after the response to the one before; waits for a response to each method. */
export function exchange(
  port: number,
  request: string | Uint8Array | readonly Uint8Array[],
  options: RawOptions = {},
): Promise<RawAnswer[]> {
  const { methods = ['GET'], timeoutMs = 60_000 } = options
  const parts = Array.isArray(request)
    ? request
    : [typeof request === 'string' ? Buffer.from(request, 'latin1') : request]
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    let sent = 0
    const socket = connect({ port, host: '127.0.0.1' })
    const sendNext = () => {
      const part = parts[sent++]
      if (part !== undefined) socket.write(part)
    }
    const settle = (failure: string | null) => {
      const answers = parseAnswers(received, methods, failure !== null)
      if (answers.length === sent) sendNext()
      const isWhole = answers.length === methods.length
      if (!isWhole && failure === null) return
      clearTimeout(timer)
      socket.destroy()
      if (isWhole) resolve(answers)
      else reject(new Error(`${failure}; received: ${JSON.stringify(received.toString('latin1').slice(0, 2_000))}`))
    }
    const timer = setTimeout(() => settle(`No whole answer within ${timeoutMs} ms`), timeoutMs)
    socket.on('connect', sendNext)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      settle(null)
    })
    socket.on('error', (error) => settle(`The connection failed (${error.message})`))
    socket.on('close', () => settle('The connection was closed'))
  })
}

/** One request, one answer. Host and Content-Length are added unless the headers name them. */
export async function send(port: number, request: RawRequest, timeoutMs = 20_000): Promise<RawAnswer> {
  const [answer] = await exchange(port, toBytes(port, request), { methods: [request.method], timeoutMs })
  if (answer === undefined) throw new Error('No answer')
  return answer
}

export function toBytes(port: number, request: RawRequest): Uint8Array {
  const { method, target, headers = {}, body } = request
  const bodyBytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body)
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const lines = [`${method} ${target} HTTP/1.1`]
  if (!named.has('host')) lines.push(`Host: 127.0.0.1:${port}`)
  for (const [name, values] of Object.entries(headers)) {
    for (const value of typeof values === 'string' ? [values] : values) lines.push(`${name}: ${value}`)
  }
  const isFramed = named.has('content-length') || named.has('transfer-encoding')
  if (body !== undefined && !isFramed) lines.push(`Content-Length: ${bodyBytes.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bodyBytes])
}

/** The body in chunks of the given size, as Transfer-Encoding: chunked requires. */
export function toChunks(body: string | Uint8Array, chunkBytes: number): Uint8Array {
  const bytes = Buffer.from(body)
  const parts: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const part = bytes.subarray(start, start + chunkBytes)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

/** A header's value; the values of one that came twice are joined with a comma. */
export function headerOf(answer: RawAnswer, name: string): string | null {
  return answer.headers.get(name.toLowerCase())?.join(', ') ?? null
}

function parseAnswers(received: Buffer, methods: readonly string[], isClosed: boolean): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = received
  for (const method of methods) {
    const parsed = parseAnswer(rest, method, isClosed)
    if (parsed === null) break
    answers.push(parsed.answer)
    rest = rest.subarray(parsed.usedBytes)
  }
  return answers
}

type Parsed = { readonly answer: RawAnswer; readonly usedBytes: number }

function parseAnswer(received: Buffer, method: string, isClosed: boolean): Parsed | null {
  const headBytes = received.indexOf('\r\n\r\n') + 4
  if (headBytes < 4) return null
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headBytes - 4).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1])
  if (status === 100) {
    const next = parseAnswer(received.subarray(headBytes), method, isClosed)
    return next === null ? null : { answer: next.answer, usedBytes: next.usedBytes + headBytes }
  }
  const headers = parseHeaders(lines)
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const framed = hasBody ? parseBody(received.subarray(headBytes), headers, isClosed) : noBody
  if (framed === null) return null
  const usedBytes = headBytes + framed.usedBytes
  const raw = received.toString('latin1', 0, usedBytes)
  const body = Buffer.from(framed.bytes).toString('utf8')
  return { answer: { status, headers, body, bytes: framed.bytes, raw }, usedBytes }
}

function parseHeaders(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const values = headers.get(name) ?? []
    values.push(line.slice(colon + 1).trim())
    headers.set(name, values)
  }
  return headers
}

type Framed = { readonly bytes: Uint8Array; readonly usedBytes: number }

const noBody: Framed = { bytes: new Uint8Array(), usedBytes: 0 }

function parseBody(rest: Buffer, headers: ReadonlyMap<string, readonly string[]>, isClosed: boolean): Framed | null {
  if (headers.get('transfer-encoding')?.includes('chunked')) return parseChunks(rest)
  const lengthText = headers.get('content-length')?.[0]
  if (lengthText === undefined) return isClosed ? { bytes: rest, usedBytes: rest.length } : null
  const length = Number(lengthText)
  return rest.length < length ? null : { bytes: rest.subarray(0, length), usedBytes: length }
}

function parseChunks(rest: Buffer): Framed | null {
  const parts: Uint8Array[] = []
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    const start = lineEnd + 2
    if (rest.length < start + size + 2) return null
    if (size === 0) return { bytes: Buffer.concat(parts), usedBytes: start + 2 }
    parts.push(rest.subarray(start, start + size))
    at = start + size + 2
  }
}
