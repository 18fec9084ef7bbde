import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listLeft } from '../archive/left.ts'
import type { PreparedEntry, PreparedTalk } from '../archive/prepared.ts'
import { settle } from '../archive/round-trip.ts'
import type { OpenedSource, OpenSource } from '../archive/source.ts'
import { findListedId } from '../archive/takedowns.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { parseReason } from '../record/reason.ts'
import { withoutUserInfo } from '../record/text/user-info.ts'
import { attempt } from '../store/explain-failure.ts'
import type { ImportedCategory, ImportedTalk, Importer } from '../store/import/imported-talk.ts'
import { createImporter } from '../store/import/importer.ts'
import { dumpStart } from '../store/maintain/dump/dump-start.ts'
import { hasStore, type OpenStore, withNewStore, withStoreFor } from '../store/open.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import { syncWithName } from '../store/sqlite/atomic-file.ts'
import { createGroupSize, type GroupSize } from './group-size.ts'
import { createImportReport, type ImportReport } from './import-report.ts'
import { toStorePath } from './store-path.ts'
import { print, printError } from './terminal/output.ts'
import { createProgress } from './terminal/progress.ts'

/** A group's transaction should take so long: what others write waits for it, where there are others. */
const groupMs = 250
const groupMsOfNew = 800
/** All indexes of a large archive grow at once: what a file's pages do not find in memory is read and written again. */
const cacheKilobytes = 128 * 1024
/** A slow source's talks are stored after so long a time, however few they are. */
const maxReadMs = 1_000
/** A folder of so many talks takes a second or two. */
const smallTalks = 5_000
/** While nothing else can be done, a group of so many is worth its transaction. */
const fewTalks = 32
/** Between groups, so that others get in. */
const pauseMs = 2

/** `rostrum import SOURCE`; works on a store that is being served. */
export async function importArchive(
  given: string,
  source: OpenedSource,
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  if (source.is === 'refused') throw new CommandFailure(exitCodes.noInput, source.problem)
  const path = toStorePath(flags)
  // Nobody uses a store that is not there yet.
  const isNew = !hasStore(path)
  if (!isNew) await giveWay()
  const isDryRun = flags.get('dry-run') === 'true'
  if (source.is === 'dump') return bringInDump(given, path, isDryRun)
  const reason = readReason(flags.get('reason') ?? '')
  const report = createImportReport(isDryRun)
  const save = openReport(flags.get('report'))
  const stop = listenForStop()
  const bringInto = (from: OpenSource, isBeside: boolean) => (db: OpenStore) => {
    if (db instanceof Database) db.run(`PRAGMA cache_size = -${cacheKilobytes}`)
    const importer = toImporter(db, from, flags, { reason, isDryRun })
    const size = createGroupSize(isBeside ? groupMs : groupMsOfNew)
    return bringIn(from.all(), importer, { total: from.total, isBeside, report, stop, size })
  }
  try {
    if (isDryRun && isNew) await withEmptyStore(bringInto(source, false))
    else if (!isNew || !isSmall(source) || isPostgresAddress(path)) {
      await withStoreFor(path, !isDryRun, bringInto(source, !isNew))
    } else if (!(await withNewStore(path, bringInto(source, false), report.forget))) {
      await giveWay()
      await withStoreFor(path, true, bringInto(await openAgain(given), true))
    }
  } finally {
    source.close()
    print(report.toText())
    save(report.toJson())
  }
  if (stop.isAsked()) process.exitCode = exitCodes.stopped
  else if (report.isUnreachable()) process.exitCode = exitCodes.unavailable
  else if (report.refusedCount() > 0) process.exitCode = exitCodes.badData
}

/** As the API takes it. */
function readReason(given: string): string | null {
  const parsed = parseReason(given)
  if (parsed.ok) return parsed.value
  throw new CommandFailure(exitCodes.usage, `--reason: ${parsed.problems.join(' ')}`)
}

/** An import has time; those who read the same store have not. */
async function giveWay(): Promise<void> {
  const { lowerPriorityOfAll: yieldAllToReaders } = await import('../serve/fast/thread-priority.ts')
  yieldAllToReaders()
}

/** One that is in so soon that nobody waits for its store meanwhile. */
const isSmall = ({ total }: OpenSource) => total !== null && total <= smallTalks

/** For a store that somebody else has made while ours was not there yet. */
async function openAgain(given: string): Promise<OpenSource> {
  const { openInline: openHere } = await import('../archive/read-inline.ts')
  const opened = openHere(given, dumpStart)
  if (opened.is === 'source') return opened
  const problem = opened.is === 'refused' ? opened.problem : `${given} has changed while it was read.`
  throw new CommandFailure(exitCodes.noInput, problem)
}

async function bringInDump(dump: string, path: string, isDryRun: boolean): Promise<void> {
  const { importDump } = await import('./import-dump.ts')
  const readDump = (db: OpenStore) => importDump(db, dump, isDryRun)
  const isAlone = isDryRun && !hasStore(path)
  const count = await (isAlone ? withEmptyStore(readDump) : withStoreFor(path, !isDryRun, readDump))
  print(`${count} records with their history${isDryRun ? ' (dry run: nothing was stored)' : ''}\n`)
}

/** a dry run for a store that is not there yet. */
async function withEmptyStore<T>(use: (db: OpenStore) => Promise<T>): Promise<T> {
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-dryRun-'))
  try {
    return await withStoreFor(join(folder, 'store.db'), true, use)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Before anything else is done: a report that cannot be written is told at once. */
function openReport(path: string | undefined): (text: string) => void {
  if (path === undefined) return () => undefined
  attempt(`write the report ${path}`, () => writeFileSync(path, ''))
  return (text) =>
    attempt(`write the report ${path}`, () => {
      writeFileSync(path, text)
      syncWithName(path)
    })
}

function toImporter(
  db: OpenStore,
  source: OpenSource,
  flags: ReadonlyMap<string, string>,
  { reason, isDryRun }: { readonly reason: string | null; readonly isDryRun: boolean },
): Importer {
  return createImporter(db, {
    source: withoutUserInfo(flags.get('source') ?? source.name),
    ...toFormerSource(flags.get('source') ?? source.formerName),
    author: 'import',
    reason,
    state: flags.get('draft') === 'true' ? 2 : 1,
    isDryRun,
    mayBringBack: flags.get('bring-back-erased') === 'true',
    hasPath: source.has,
    now: Date.now,
  })
}

/** What older versions called it, where that had a password in it. */
function toFormerSource(name: string | undefined): { readonly formerSource?: string } {
  return name === undefined || withoutUserInfo(name) === name ? {} : { formerSource: name }
}

interface Run {
  readonly total: number | null
  /** Whether others may use the store too. */
  readonly isBeside: boolean
  readonly report: ImportReport
  readonly stop: ReturnType<typeof listenForStop>
  readonly size: GroupSize
}

async function bringIn(all: ReturnType<OpenSource['all']>, importer: Importer, run: Run): Promise<void> {
  const { report, stop, size } = run
  const progress = createProgress('Talks', run.total)
  let talks: PreparedTalk[] = []
  let categories: ImportedCategory[] = []
  let listed: ReadonlySet<number> = new Set()
  const seen = new Map<string, number>()
  let done = 0
  let startedMs = performance.now()

  async function flush(): Promise<void> {
    const beganMs = performance.now()
    const outcomes = importer.run(talks.map(toImportedTalk), categories)
    size.learn(talks.length, performance.now() - beganMs)
    for (const [i, outcome] of outcomes.entries()) {
      const talk = talks[i]
      if (talk !== undefined) report.add(talk, outcome)
    }
    report.setBatch(importer.batch())
    done += talks.length
    talks = []
    categories = []
    progress.update(done)
    // Also where nobody waits: signals get in.
    await Bun.sleep(run.isBeside ? pauseMs : 0)
    startedMs = performance.now()
  }

  for await (const each of all) {
    if (stop.isAsked()) break
    if (each.is !== 'lull') take(each)
    const isEnough = talks.length >= (each.is === 'lull' ? fewTalks : size.current())
    if (isEnough || performance.now() - startedMs > maxReadMs) await flush()
  }
  if (talks.length > 0 || categories.length > 0) await flush()
  takeDownGone()
  progress.end()

  /** What the source does not have any more, and wants nobody to see. */
  function takeDownGone(): void {
    if (listed.size === 0) return
    for (const { outcome, ...talk } of importer.takeDownGone((values) => findListedId(listed, values))) {
      report.add({ ...talk, unfit: [] }, outcome)
    }
    report.setBatch(importer.batch())
  }

  function take(each: PreparedEntry): void {
    if (each.is === 'problem') report.refuse(each)
    else if (each.is === 'takedowns') listed = new Set(each.ids)
    else if (each.is === 'category') {
      categories.push({ ...each, extras: each.kept })
      report.addUnfit(each.path, each.unfit)
    } else talks.push({ ...each, path: toOnce(each.path) })
  }

  /** A source may have two talks of the same name; they are told apart by their order. */
  function toOnce(path: string): string {
    const times = (seen.get(path) ?? 0) + 1
    seen.set(path, times)
    return times === 1 ? path : `${path} (${times})`
  }
}

function toImportedTalk({ kept, unfit, ...talk }: PreparedTalk): ImportedTalk {
  const left = unfit.length === 0 ? [] : listLeft(unfit, talk.changes)
  return { ...talk, left, toExtras: (slug) => (kept === null ? null : settle(kept, 'slug', slug)) }
}

/** Ctrl-C ends it between two groups, so that the report is true; a second one ends it at once. */
function listenForStop() {
  let isAsked = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isAsked) process.exit(exitCodes.stopped)
      isAsked = true
      printError('\nStopping after this group…\n')
    })
  }
  return { isAsked: () => isAsked }
}
