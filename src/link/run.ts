import { createInTurn } from '../promises.ts'
import type { LinkAnswer } from '../record/link/link.ts'
import type {
  EndedHost,
  LinkChange,
  LinkResult,
  LinkRunOptions,
  LinkRunReply,
  LinkRunStep,
  SettledHost,
} from '../record/link/link-run.ts'
import { type LinkQuestion, type LinkReply, needsGet, toQuestion } from '../record/link/rules.ts'
import { type Timestamp, toTimestamp } from '../record/timestamp.ts'
import type { ChosenLink, LinkChoice } from '../store/link/link-choice.ts'
import type { GuardedFetch, Paused } from './guarded-fetch.ts'
import type { Clock } from './pacer.ts'

export interface LinkRunDeps {
  readonly choice: LinkChoice
  /** Runs a step in the transaction of a writer. */
  runStep(step: LinkRunStep): Promise<LinkRunReply>
  /** The ids of the records that match filters of the list. */
  selectRecords(query: string): Promise<readonly number[]>
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly playerHosts: readonly string[]
  /** The holder of the run, as others see it. */
  readonly holder: string
  /** Stops the run; its results are kept, and a later run continues it. */
  readonly signal: AbortSignal
  readonly writeEveryMs?: number
  onProgress?(done: number, total: number): void
}

export interface LinkRunReport {
  readonly run: number
  readonly started: Timestamp
  readonly isContinued: boolean
  readonly isFinished: boolean
  readonly asked: number
  /** Answers of this run by verdict. */
  readonly answers: { readonly [verdict in LinkAnswer['verdict']]: number }
  /** At most `maxChanges`. */
  readonly changes: readonly LinkChange[]
  /** Hosts that are down. */
  readonly down: readonly SettledHost[]
  /** Hosts that wanted longer pauses, with the number of addresses left for the next run. */
  readonly paused: readonly { readonly host: string; readonly left: number }[]
}

export type LinkRunOutcome =
  | { readonly is: 'done'; readonly report: LinkRunReport }
  | Extract<LinkRunReply, { is: 'taken' | 'lost' }>

const maxHostsAtOnce = 50
const defaultWriteEveryMs = 5_000
const maxWaiting = 500
/** Addresses that are looked up together. */
const chunk = 20
const maxChanges = 10_000

/** Checks all addresses that are due, several hosts at a time, and stores the answers (decision 92). */
export async function runLinkCheck(deps: LinkRunDeps, options: LinkRunOptions): Promise<LinkRunOutcome> {
  // First, because it may refuse: a run that has begun is taken for a minute.
  const records = options.query === null ? null : await deps.selectRecords(options.query)
  const begun = await deps.runStep({ is: 'begin', holder: deps.holder, options: toOptionsText(options) })
  if (begun.is === 'taken' || begun.is === 'lost') return begun
  if (begun.is !== 'begun') throw new Error(`a run began with ${begun.is}`)
  const hosts = await deps.choice.choose({ ...begun, options }, records)
  const run = new LinkRun(deps, begun)
  return (await run.askAll(hosts)) ? { is: 'done', report: run.report } : { is: 'lost' }
}

/** Equal options give equal texts. */
export const toOptionsText = ({ olderThanMs, query, host, limit, drafts, allowsPrivate }: LinkRunOptions) =>
  JSON.stringify({ olderThanMs, query, host, limit, drafts, allowsPrivate })

type Begun = Extract<LinkRunReply, { is: 'begun' }>

class LinkRun {
  readonly #deps: LinkRunDeps
  readonly #begun: Begun
  /** Ends the periodic writes; also aborts when the lease is lost. */
  readonly #ending = new AbortController()
  #waiting: LinkResult[] = []
  #ended: EndedHost[] = []
  /** Steps run one at a time because they share a connection. */
  readonly #inTurn = createInTurn()
  #isLost = false
  #failure: { readonly error: unknown } | null = null
  #isFinished = false
  #asked = 0
  #total = 0
  readonly #answers = { ok: 0, moved: 0, gone: 0, private: 0, not_embeddable: 0, unclear: 0, refused: 0 }
  readonly #changes: LinkChange[] = []
  readonly #down: LinkRunReport['down'][number][] = []
  /** How many addresses are left, by the host that wants a pause. */
  readonly #left = new Map<string, number>()

  constructor(deps: LinkRunDeps, begun: Begun) {
    this.#deps = deps
    this.#begun = begun
  }

  get report(): LinkRunReport {
    const { run, started, isContinued } = this.#begun
    return {
      ...{ run, started, isContinued, isFinished: this.#isFinished, asked: this.#asked, answers: this.#answers },
      ...{ changes: this.#changes, down: this.#down },
      paused: [...this.#left].map(([host, left]) => ({ host, left })),
    }
  }

  /** Whether this process held the run to its end. */
  async askAll(hosts: ReadonlyMap<string, readonly number[]>): Promise<boolean> {
    this.#total = [...hosts.values()].reduce((sum, ids) => sum + ids.length, 0)
    // The largest hosts take longest, so they start first.
    const queue = [...hosts].toSorted(([, a], [, b]) => b.length - a.length)
    const workers = Array.from({ length: Math.min(maxHostsAtOnce, queue.length) }, () =>
      this.#orFail(async () => {
        for (let next = queue.shift(); next !== undefined && !this.#isStopped; next = queue.shift())
          await this.#askHost(...next)
      }),
    )
    const writing = this.#orFail(() => this.#writeAgainAndAgain())
    await Promise.all(workers)
    this.#ending.abort()
    await writing
    if (this.#failure !== null) throw this.#failure.error
    do await this.#write()
    while (this.#ended.length > 0 && !this.#isLost)
    if (this.#isLost) return false
    this.#isFinished = !this.#deps.signal.aborted
    await this.#inTurn(() => this.#step({ is: 'end', isFinished: this.#isFinished }))
    return !this.#isLost
  }

  get #isStopped(): boolean {
    return this.#isLost || this.#failure !== null || this.#deps.signal.aborted
  }

  /** The first failure stops everything else. */
  async #orFail(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  async #askHost(host: string, ids: readonly number[]): Promise<void> {
    for (let i = 0; i < ids.length; i += chunk) {
      for (const [at, link] of (await this.#deps.choice.find(ids.slice(i, i + chunk))).entries()) {
        if (this.#isStopped) return
        if ((await this.#ask(link)) === 'paused') {
          this.#leave(host, ids.length - i - at)
          // There are too few answers to tell whether the host is down.
          this.#ended.push({ host, counts: false })
          return
        }
      }
    }
    this.#ended.push({ host, counts: null })
  }

  #leave(host: string, count: number): void {
    this.#left.set(host, (this.#left.get(host) ?? 0) + count)
  }

  /** `paused`: the host must not be asked about anything else. */
  async #ask(link: ChosenLink): Promise<'asked' | 'left' | 'paused'> {
    const { clock, playerHosts, signal } = this.#deps
    const question = toQuestion(link, playerHosts)
    try {
      const reply = await this.#fetch(link, question)
      if (reply.is === 'paused') {
        if (reply.host === URL.parse(question.api ?? link.url)?.hostname) return 'paused'
        // Redirects of other addresses may lead elsewhere.
        this.#leave(reply.host, 1)
        return 'left'
      }
      const answer = question.read(reply)
      this.#answers[answer.verdict]++
      this.#waiting.push({ id: link.id, url: link.url, at: toTimestamp(clock.now()), answer })
    } catch (error) {
      // The pacer throws once the run is stopped.
      if (!signal.aborted) throw error
      return 'asked'
    }
    this.#asked++
    this.#deps.onProgress?.(this.#asked, this.#total)
    if (this.#waiting.length >= maxWaiting) await this.#write()
    return 'asked'
  }

  async #fetch({ url }: ChosenLink, { api }: LinkQuestion): Promise<LinkReply | Paused> {
    const { fetch } = this.#deps
    if (api !== null) return fetch(api, 'GET')
    const reply = await fetch(url, 'HEAD')
    return reply.is !== 'paused' && needsGet(reply) ? fetch(url, 'GET', { range: 'bytes=0-0' }) : reply
  }

  /** Writes every few seconds, even without results: each write renews the lease. */
  async #writeAgainAndAgain(): Promise<void> {
    const { clock, writeEveryMs = defaultWriteEveryMs } = this.#deps
    const { signal } = this.#ending
    while (!signal.aborted) {
      await clock.sleep(writeEveryMs, signal)
      if (!signal.aborted) await this.#write()
    }
  }

  #write(): Promise<void> {
    return this.#inTurn(async () => {
      const [results, ended] = [this.#waiting, this.#ended]
      this.#waiting = []
      this.#ended = []
      const reply = this.#isLost ? null : await this.#step({ is: 'record', results, ended })
      if (reply === null) return
      this.#down.push(...reply.settled.filter(({ trouble }) => trouble !== null))
      this.#ended.push(...reply.left)
    })
  }

  /** Null if another process has taken the run over. */
  async #step(step: Step): Promise<Extract<LinkRunReply, { is: 'written' }> | null> {
    const { holder, runStep } = this.#deps
    const reply = await runStep({ ...step, run: this.#begun.run, holder })
    if (reply.is !== 'written') {
      this.#isLost = true
      return null
    }
    this.#changes.push(...reply.changes.slice(0, maxChanges - this.#changes.length))
    return reply
  }
}

type Step = WithoutHolder<Exclude<LinkRunStep, { is: 'begin' }>>
type WithoutHolder<S> = S extends unknown ? Omit<S, 'run' | 'holder'> : never
