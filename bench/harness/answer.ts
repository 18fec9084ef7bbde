/** One complete HTTP response. */
export interface Answer {
  readonly status: number
  /** Status line and header lines, without the empty line after them. */
  readonly head: string
  readonly body: Buffer
  /** Head and body. */
  readonly bytes: number
}

/** Assembles the responses of one connection, which has one request in flight at a time. */
export class AnswerReader {
  #pending: Buffer = Buffer.alloc(0)

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  /** The response once its last byte has arrived; null until then. */
  read(chunk: Buffer, method: string): Answer | null {
    this.#pending = Buffer.concat([this.#pending, chunk])
    const headEnd = this.#pending.indexOf('\r\n\r\n')
    if (headEnd < 0) return null
    const head = this.#pending.toString('latin1', 0, headEnd)
    const status = Number(head.slice(9, 12))
    const bodyStart = headEnd + 4
    const bytes = bodyStart + (hasBody(method, status) ? toBodyBytes(head) : 0)
    if (this.#pending.length < bytes) return null
    if (this.#pending.length > bytes) throw new Error(`bytes behind the answer: ${this.#pending.toString('latin1')}`)
    const body = this.#pending.subarray(bodyStart)
    this.#pending = Buffer.alloc(0)
    return { status, head, body, bytes }
  }
}

function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

function toBodyBytes(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`)
  return Number(length)
}
