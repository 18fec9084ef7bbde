import { countFailure, type HostTrouble, judgeAnswer, judgeHost, type PendingFailure } from '../../record/link/judge.ts'
import { type LinkHealth, notChecked } from '../../record/link/link.ts'
import type {
  EndedHost,
  LinkChange,
  LinkResult,
  LinkRunReply,
  LinkRunStep,
  SettledHost,
} from '../../record/link/link-run.ts'
import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { createLookup, maxLookup } from '../read/statements.ts'
import { toLatest } from './link-choice.ts'

/** How long a holder keeps a run without a step. */
const leaseMs = 60_000
/** The holder of a run that was stopped. */
const nobody = ''
/** Of one transaction, for which other writes wait. */
const maxSettled = 500
/** Older runs are deleted. */
const keptRuns = 100

interface RunRow {
  readonly number: number
  readonly options: string
  readonly started: Timestamp
  readonly finished: Timestamp | null
  readonly holder: string
  readonly leaseUntil: Timestamp
}

type LinkRow = LinkHealth & { readonly id: number }
type PendingRow = LinkRow & { readonly pending: PendingFailure }

const healthColumns = `id, url, host, state, since, failures, first_failure AS "firstFailure", status, evidence, target,
  last_ok AS "lastOk", checked, ignored_until AS "ignoredUntil"`
const runColumns = 'number, options, started, finished, holder, lease_until AS "leaseUntil"'

export type RunLinkStep = (step: LinkRunStep, at: Timestamp) => Promise<LinkRunReply>

/** Runs steps of the checker. Call it within the transaction of a writer. */
export function createLinkRuns(db: Database): RunLinkStep {
  const runs = createRunRows(db)
  const links = createLinkRows(db)
  const hosts = createHostRows(db)

  async function begin(step: Extract<LinkRunStep, { is: 'begin' }>, at: Timestamp): Promise<LinkRunReply> {
    const { holder, options } = step
    const last = await runs.findLast()
    const isOpen = last !== null && last.finished === null
    const isHeld = last !== null && last.leaseUntil > at && last.leaseUntil < toLatest(at)
    if (isOpen && isHeld && ![holder, nobody].includes(last.holder))
      return { is: 'taken', holder: last.holder, since: last.started, until: last.leaseUntil }
    if (isOpen && last.options === options) {
      runs.renew(last.number, holder, at)
      return { is: 'begun', run: last.number, started: last.started, isContinued: true }
    }
    // Failures that an abandoned run has not counted never count.
    if (isOpen) links.dropPending()
    const run = (last?.number ?? 0) + 1
    runs.insert(run, holder, options, at)
    return { is: 'begun', run, started: at, isContinued: false }
  }

  async function record(run: number, results: readonly LinkResult[]): Promise<LinkChange[]> {
    const changes: LinkChange[] = []
    for (let i = 0; i < results.length; i += maxLookup) {
      const some = results.slice(i, i + maxLookup)
      const rows = new Map((await links.findMany(some.map(({ id }) => id))).map((row) => [row.id, row]))
      for (const { id, url, answer, at } of some) {
        const before = rows.get(id)
        // The address may be deleted since, or a curator has marked it as fine.
        if (before === undefined || before.url !== url || (before.ignoredUntil ?? '') > at) continue
        const { health, pending } = judgeAnswer(before, answer, at)
        links.save(id, health, run, pending)
        changes.push(...toChanges(before, health))
      }
    }
    return changes
  }

  /** Judges a host by the answers of this run. */
  async function judge(run: number, host: string, at: Timestamp): Promise<SettledHost> {
    const counted = await links.count(host, run)
    const judged = judgeHost(await hosts.find(host), counted, at)
    hosts.save(host, judged.trouble)
    return { host, ...counted, ...judged }
  }

  async function settle(run: number, ended: readonly EndedHost[], at: Timestamp) {
    const [changes, settled, left]: [LinkChange[], SettledHost[], EndedHost[]] = [[], [], []]
    let room = maxSettled
    for (const { host, counts } of ended) {
      if (room === 0) {
        left.push({ host, counts })
        continue
      }
      const judged = counts === null ? await judge(run, host, at) : null
      if (judged !== null) settled.push(judged)
      if (!(judged?.counts ?? counts)) {
        links.dropPendingOf(host, run)
        continue
      }
      const rows = await links.listPending(host, run, room)
      changes.push(...rows.flatMap((row) => count(row, run)))
      room -= rows.length
      if (room === 0) left.push({ host, counts: true })
    }
    return { changes, settled, left }
  }

  function count({ pending, ...before }: PendingRow, run: number): LinkChange[] {
    const health = countFailure(before, pending)
    links.save(before.id, health, run, null)
    return toChanges(before, health)
  }

  return async (step, at) => {
    if (step.is === 'begin') return begin(step, at)
    const current = await runs.find(step.run)
    if (current === null || current.finished !== null || current.holder !== step.holder) return { is: 'lost' }
    runs.renew(step.run, step.holder, at)
    if (step.is === 'end') {
      runs.end(step.run, step.isFinished, at)
      return { is: 'written', changes: [], settled: [], left: [] }
    }
    const changes = await record(step.run, step.results)
    const { changes: counted, ...settled } = await settle(step.run, step.ended, at)
    return { is: 'written', changes: [...changes, ...counted], ...settled }
  }
}

function toChanges({ url, state: from }: LinkHealth, { state: to, evidence, target }: LinkHealth): LinkChange[] {
  return from === to ? [] : [{ url, from, to, evidence, target }]
}

function createRunRows(db: Database) {
  const findLast = db.query<RunRow, []>(`SELECT ${runColumns} FROM link_run ORDER BY number DESC LIMIT 1`)
  const find = db.query<RunRow, [number]>(`SELECT ${runColumns} FROM link_run WHERE number = ?`)
  const insert = db.query<null, [number, string, Timestamp, string, Timestamp]>(
    'INSERT INTO link_run (number, options, started, holder, lease_until) VALUES (?, ?, ?, ?, ?)',
  )
  const forget = db.query<null, [number, number]>(
    'DELETE FROM link_run WHERE number < ? OR (finished IS NULL AND number < ?)',
  )
  const renew = db.query<null, [string, Timestamp, number]>(
    'UPDATE link_run SET holder = ?, lease_until = ? WHERE number = ?',
  )
  const finish = db.query<null, [Timestamp, number]>('UPDATE link_run SET finished = ? WHERE number = ?')
  const toLease = (at: Timestamp) => toTimestamp(toMs(at) + leaseMs)
  return {
    findLast: () => findLast.get(),
    find: (run: number) => find.get(run),
    insert(run: number, holder: string, options: string, at: Timestamp) {
      insert.send(run, options, at, holder, toLease(at))
      forget.send(run - keptRuns, run)
    },
    renew: (run: number, holder: string, at: Timestamp) => renew.send(holder, toLease(at), run),
    end(run: number, isFinished: boolean, at: Timestamp) {
      if (isFinished) finish.send(at, run)
      // The next run can continue it without waiting.
      else renew.send(nobody, at, run)
    },
  }
}

function createLinkRows(db: Database) {
  const findMany = createLookup<LinkRow, number>(db, (ids) => `SELECT ${healthColumns} FROM link WHERE id IN ${ids}`)
  const save = db.query(
    `UPDATE link SET state = ?, since = ?, failures = ?, first_failure = ?, status = ?, evidence = ?, target = ?,
       last_ok = ?, checked = ?, run = ?, pending = ? WHERE id = ?`,
  )
  const count = db.query<{ asked: number; failed: number }, [string, number]>(
    `SELECT count(*) AS asked, count(pending) AS failed FROM link
     WHERE host = ? AND run = ? AND evidence <> '${notChecked}'`,
  )
  const listPending = db.query<PendingRow, [string, number, number]>(
    `SELECT ${healthColumns}, pending FROM link WHERE host = ? AND run = ? AND pending IS NOT NULL ORDER BY id LIMIT ?`,
  )
  const dropPendingOf = db.query<null, [string, number]>(
    'UPDATE link SET pending = NULL WHERE host = ? AND run = ? AND pending IS NOT NULL',
  )
  const dropPending = db.query<null, []>('UPDATE link SET pending = NULL WHERE pending IS NOT NULL')
  return {
    findMany,
    save(id: number, health: LinkHealth, run: number, pending: PendingFailure | null) {
      const { state, since, failures, firstFailure, status, evidence, target, lastOk, checked } = health
      save.send(...[state, since, failures, firstFailure, status, evidence, target, lastOk, checked, run, pending, id])
    },
    count: async (host: string, run: number) => (await count.get(host, run)) ?? { asked: 0, failed: 0 },
    listPending: (host: string, run: number, limit: number) => listPending.all(host, run, limit),
    dropPendingOf: (host: string, run: number) => dropPendingOf.send(host, run),
    dropPending: () => dropPending.send(),
  }
}

function createHostRows(db: Database) {
  const find = db.query<HostTrouble, [string]>('SELECT since, runs FROM link_host WHERE host = ?')
  const save = db.query<null, [string, Timestamp, number]>(
    `INSERT INTO link_host (host, since, runs) VALUES (?, ?, ?)
     ON CONFLICT (host) DO UPDATE SET since = excluded.since, runs = excluded.runs`,
  )
  const remove = db.query<null, [string]>('DELETE FROM link_host WHERE host = ?')
  return {
    find: (host: string) => find.get(host),
    save(host: string, trouble: HostTrouble | null) {
      if (trouble === null) remove.send(host)
      else save.send(host, trouble.since, trouble.runs)
    },
  }
}
