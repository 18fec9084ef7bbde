/** Beside its body; measured with 60,000 of them. */
const answerBytes = 850
/** An answer that is kept is worth its memory from here on: copies of it are a thirtieth cheaper than new ones. */
const readsToKeep = 8

/** One representation of a record: headers that are built once, and the whole answer once it was read often. */
export interface Ready {
  readonly tag: string
  readonly init: { readonly headers: Headers }
  reads: number
  answer: Response | null
  answerBytes: number
}

/** Whole answers of records that are read often, whose copies share their bytes; the oldest ones make room. */
export class ReadyAnswers {
  readonly #budgetBytes: number
  readonly #kept = new Set<Ready>()
  #bytes = 0

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes
  }

  /** What all that are kept take. */
  get bytes(): number {
    return this.#bytes
  }

  answer(ready: Ready, body: Uint8Array): Response {
    if (ready.answer !== null) return ready.answer.clone() as Response
    const answer = new Response(body, ready.init)
    const bytes = body.byteLength + answerBytes
    if (++ready.reads < readsToKeep || bytes > this.#budgetBytes) return answer
    this.#keep(ready, answer, bytes)
    return answer.clone() as Response
  }

  /** For a record that is not kept any more; it may have been erased. */
  drop(ready: Ready): void {
    if (!this.#kept.delete(ready)) return
    this.#bytes -= ready.answerBytes
    ready.answer = null
    ready.reads = 0
  }

  #keep(ready: Ready, answer: Response, bytes: number): void {
    for (const oldest of this.#kept) {
      if (this.#bytes + bytes <= this.#budgetBytes) break
      this.drop(oldest)
    }
    ready.answer = answer
    ready.answerBytes = bytes
    this.#kept.add(ready)
    this.#bytes += bytes
  }
}
