import { toErrorCode } from '../error-code.ts'
import { createLogger, toLogText } from '../http/logger.ts'
import { createMetrics } from '../http/metrics.ts'
import { createCheckerParts, toHolder } from '../link/checker.ts'
import { type LinkRunReport, runLinkCheck, toOptionsText } from '../link/run.ts'
import { sleep } from '../promises.ts'
import type { LinkRunOptions, LinkRunReply, LinkRunStep } from '../record/link/link-run.ts'
import { toMs } from '../record/timestamp.ts'
import type { Database } from '../store/database.ts'
import { createLinkChoice } from '../store/link/link-choice.ts'
import { openEngine, withDatabase } from '../store/open.ts'
import type { HttpNotice, HttpOrder, HttpPlan } from './port/messages.ts'
import { createStorePorts, type StorePorts } from './port/store-ports.ts'
import { lowerPriority } from './thread-priority.ts'

declare const self: Worker

/** How often to check whether a run is due, or whether that of another node has ended. */
const lookEveryMs = 60_000
/** Retries of a step that the writer could not run; all of them together take less than the lease. */
const [retryMs, maxTries] = [5_000, 8]
/** No curator makes these changes. */
const author = { name: 'link check', role: 'admin' } as const

const holder = toHolder('serve')
const log = createLogger(Date.now)
const stopping = new AbortController()
let ports: StorePorts | undefined
let checking: Promise<void> = Promise.resolve()

self.onmessage = ({ data: order }: MessageEvent<HttpOrder>) => {
  switch (order.is) {
    case 'start':
      lowerPriority()
      ports = createStorePorts(order.plan.config.queryThreads, () => 0)
      checking = checkAgainAndAgain(order.plan, ports)
      return notify({ is: 'ready' })
    case 'store':
      if (order.from === 'writer') ports?.writer.attach(order.port)
      return
    case 'store-gone':
      if (order.from === 'writer') ports?.writer.detach()
      return
    case 'ping':
      return notify({ is: 'pong' })
    case 'stop':
      void stop()
  }
}

async function stop(): Promise<void> {
  stopping.abort()
  await checking
  await log.flush()
  notify({ is: 'stopped' })
}

function notify(notice: HttpNotice): void {
  self.postMessage(notice)
}

async function checkAgainAndAgain(plan: HttpPlan, { writer }: StorePorts): Promise<void> {
  const { signal } = stopping
  const { config, shared } = plan
  const engine = await openEngine(config.db, shared.primary)
  while (!signal.aborted) {
    try {
      // Opened again each time: a run takes hours, and PostgreSQL may fail over.
      await withDatabase(engine, 'read', (db) => checkIfDue(plan, writer, db))
    } catch (error) {
      const why = toErrorCode(error) === '' ? toLogText(error) : toErrorCode(error)
      if (!signal.aborted) log.error('link check failed', { why })
    }
    await sleep(Math.min(lookEveryMs, config.checkLinksMs ?? lookEveryMs), signal)
  }
}

async function checkIfDue(plan: HttpPlan, writer: StorePorts['writer'], db: Database): Promise<void> {
  const { config, shared, version } = plan
  const everyMs = config.checkLinksMs ?? Number.POSITIVE_INFINITY
  const options = toOptions(everyMs, config.checkPrivate)
  const choice = createLinkChoice(db)
  const lastStart = await choice.findLastStart(toOptionsText(options))
  const sinceMs = lastStart === null ? everyMs : Date.now() - toMs(lastStart)
  // A start in the future is from a time when the clock was wrong.
  if (sinceMs >= 0 && sinceMs < everyMs) return
  const metrics = createMetrics(shared.metrics, 0)
  const { contact, playerHosts } = config
  const { signal } = stopping
  const parts = createCheckerParts({ version, contact, playerHosts, allowsPrivate: config.checkPrivate, signal })
  const startedMs = performance.now()
  const outcome = await runLinkCheck(
    {
      ...parts,
      choice,
      runStep: (step) => runStep(writer, step),
      selectRecords: async () => [],
      holder,
      onProgress: () => metrics.add('link_checks', 1),
    },
    options,
  )
  if (outcome.is === 'done') logReport(outcome.report, performance.now() - startedMs)
}

/**
 * Addresses that were not checked in the last half of the interval, for example by `check-links` an hour ago.
 */
function toOptions(everyMs: number, allowsPrivate: boolean): LinkRunOptions {
  return { olderThanMs: Math.floor(everyMs / 2), query: null, host: null, limit: null, drafts: false, allowsPrivate }
}

async function runStep(writer: StorePorts['writer'], step: LinkRunStep): Promise<LinkRunReply> {
  for (let tries = 1; ; tries++) {
    const outcome = await writer.ask({ is: 'command', command: { kind: 'check links', author, step } })
    if (outcome.is === 'links') return outcome.reply
    const failure = outcome.is === 'failed' ? outcome.failure : outcome.is
    // A host must not be judged twice in one run.
    const isRepeatable = failure !== 'unknown' || step.is !== 'record' || step.ended.length === 0
    if (tries === maxTries || !isRepeatable) throw new Error(`a step of the link check failed: ${failure}`)
    await sleep(retryMs, stopping.signal)
  }
}

function logReport({ run, asked, changes, down, paused, isFinished }: LinkRunReport, ms: number): void {
  const hosts = { down: down.map(({ host }) => host), paused: paused.map(({ host }) => host) }
  log.info('links checked', { run, asked, changed: changes.length, ...hosts, ms: Math.round(ms), isFinished })
}
