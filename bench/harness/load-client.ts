import { AnswerReader } from './answer.ts'
import type { Job } from './one-job.ts'

/** `problem` is null if the response was correct. */
export type OnDone = (client: LoadClient, releasedMs: number, problem: string | null) => void

/** One keep-alive connection with one request in flight at a time. */
export class LoadClient {
  /** A client that lost its connection must not be used again. */
  isLost = false
  readonly #onDone: OnDone
  readonly #reader = new AnswerReader()
  #socket: Bun.Socket | null = null
  #job: Job | null = null
  #releasedMs = 0
  #isEnding = false

  constructor(onDone: OnDone) {
    this.#onDone = onDone
  }

  get isBusy(): boolean {
    return this.#job !== null
  }

  async connect(port: number): Promise<void> {
    this.#socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (_socket, chunk) => this.#take(chunk),
        close: () => this.#lose('closed by the server'),
        error: (_socket, error) => this.#lose(error.message),
      },
    })
  }

  /** `releasedMs` is when the request was due; its latency counts from there. */
  send(job: Job, releasedMs: number): void {
    this.#job = job
    this.#releasedMs = releasedMs
    const written = this.#socket?.write(job.request) ?? 0
    if (written < job.request.length) this.#lose(`only ${written} bytes of a request could be sent`)
  }

  end(): void {
    this.#isEnding = true
    this.#socket?.end()
  }

  #take(chunk: Buffer): void {
    const job = this.#job
    if (job === null) return this.#lose(`bytes that nobody asked for: ${chunk.toString('latin1')}`)
    if (this.#reader.isEmpty && job.isAnswer(chunk)) return this.#finish(null)
    try {
      const answer = this.#reader.read(chunk, job.method)
      if (answer !== null) this.#finish(job.judge(answer))
    } catch (error) {
      this.#lose(String(error))
    }
  }

  #lose(why: string): void {
    if (this.#isEnding || this.isLost) return
    this.isLost = true
    this.#finish(`connection lost: ${why}`)
  }

  #finish(problem: string | null): void {
    this.#job = null
    this.#onDone(this, this.#releasedMs, problem)
  }
}
