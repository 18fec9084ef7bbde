import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectFormat } from '../archive/detect-format.ts'
import type { ArchiveSource } from '../archive/incoming.ts'
import { listLeft } from '../archive/left.ts'
import { type PreparedEntry, type PreparedTalk, prepare } from '../archive/prepared.ts'
import { settle } from '../archive/round-trip.ts'
import { findListedId } from '../archive/takedowns.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { parseReason } from '../record/reason.ts'
import { withoutUserInfo } from '../record/text/user-info.ts'
import { lowerPriorityOfAll } from '../serve/fast/thread-priority.ts'
import { attempt } from '../store/explain-failure.ts'
import type { ImportedCategory, ImportedTalk, Importer } from '../store/import/imported-talk.ts'
import { createImporter } from '../store/import/importer.ts'
import { dumpStart } from '../store/maintain/dump/dump-start.ts'
import { hasStore, type OpenStore, withStoreFor } from '../store/open.ts'
import { syncWithName } from '../store/sqlite/atomic-file.ts'
import { createGroupSize, type GroupSize } from './group-size.ts'
import { importDump } from './import-dump.ts'
import { createImportReport, type ImportReport } from './import-report.ts'
import { toStorePath } from './store-path.ts'
import { print, printError } from './terminal/output.ts'
import { createProgress } from './terminal/progress.ts'

/** How long a group's transaction should take: other writers wait for it, if there are any. */
const groupMs = 250
const groupMsOfNew = 800
/** All indexes of a large archive grow at once; pages that are not in the cache are read and written again. */
const cacheKilobytes = 128 * 1024
/** A slow source's talks are stored at least this often, however few they are. */
const maxReadMs = 1_000
/** Pause between groups, for other writers. */
const pauseMs = 2

/** `rostrum import SOURCE`; works on a store that is being served. */
export async function importArchive(words: readonly string[], flags: ReadonlyMap<string, string>): Promise<void> {
  const [given, ...rest] = words
  if (given === undefined || rest.length > 0) {
    const problem = 'Name one source: a folder, a file or an address. See: rostrum import --help'
    throw new CommandFailure(exitCodes.usage, problem)
  }
  const detected = detectFormat(given, dumpStart)
  if (!detected.ok) throw new CommandFailure(exitCodes.noInput, detected.problem)
  const path = toStorePath(flags)
  const isNew = !hasStore(path)
  // Readers of the same store go first. Nobody reads a store that does not exist yet.
  if (!isNew) lowerPriorityOfAll()
  const isDryRun = flags.get('dry-run') === 'true'
  if ('dump' in detected) return bringInDump(given, path, isDryRun)
  await importSource(detected.source, path, isNew, flags)
}

async function importSource(
  source: ArchiveSource,
  path: string,
  isNew: boolean,
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  const isDryRun = flags.get('dry-run') === 'true'
  const reason = readReason(flags.get('reason') ?? '')
  const report = createImportReport(isDryRun)
  const save = openReport(flags.get('report'))
  const stop = listenForStop()
  const size = createGroupSize(isNew ? groupMsOfNew : groupMs)
  const bringInto = (db: OpenStore) => {
    if (db instanceof Database) db.run(`PRAGMA cache_size = -${cacheKilobytes}`)
    const importer = toImporter(db, source, flags, { reason, isDryRun })
    return bringIn(source, importer, { isBeside: !isNew, report, stop, size })
  }
  try {
    if (isDryRun && isNew) await withEmptyStore(bringInto)
    else await withStoreFor(path, !isDryRun, bringInto)
  } finally {
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

async function bringInDump(dump: string, path: string, isDryRun: boolean): Promise<void> {
  const readDump = (db: OpenStore) => importDump(db, dump, isDryRun)
  const isAlone = isDryRun && !hasStore(path)
  const count = await (isAlone ? withEmptyStore(readDump) : withStoreFor(path, !isDryRun, readDump))
  print(`${count} records with their history${isDryRun ? ' (dry run: nothing was stored)' : ''}\n`)
}

/** For a dry run on a store that does not exist yet. */
async function withEmptyStore<T>(use: (db: OpenStore) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-dry-run-'))
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
  source: ArchiveSource,
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
  /** Whether others may use the store too. */
  readonly isBeside: boolean
  readonly report: ImportReport
  readonly stop: ReturnType<typeof listenForStop>
  readonly size: GroupSize
}

async function bringIn(source: ArchiveSource, importer: Importer, run: Run): Promise<void> {
  const { report, stop, size } = run
  const progress = createProgress('Talks', source.total)
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

  for await (const each of source.read()) {
    if (stop.isAsked()) break
    take(prepare(each))
    if (talks.length >= size.current() || performance.now() - startedMs > maxReadMs) await flush()
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
