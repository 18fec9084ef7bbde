import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectFormat } from '../archive/detect-format.ts'
import { listLeft } from '../archive/fit.ts'
import { findListedId } from '../archive/folder.ts'
import { type ArchiveSource, type PreparedEntry, type PreparedTalk, prepare } from '../archive/incoming.ts'
import { splitLines } from '../archive/records.ts'
import { settle } from '../archive/round-trip.ts'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { parseReason } from '../record/command.ts'
import { maxDumpLineBytes } from '../record/record.ts'
import type { TableRow } from '../record/table/table-rows.ts'
import { withoutUserInfo } from '../record/text/address.ts'
import { lowerPriority } from '../serve/thread-priority.ts'
import { readDb } from '../settings/config.ts'
import type { Database } from '../store/database.ts'
import type { ImportedCategory, ImportedSpeaker, ImportedTalk, Importer } from '../store/import/imported-talk.ts'
import { createImporter } from '../store/import/importer.ts'
import { dumpStart } from '../store/maintain/dump/dump-export.ts'
import { createDumpImport, DumpError, isEmptyStore } from '../store/maintain/dump/dump-import.ts'
import { openEngine, withStore } from '../store/open.ts'
import { createImportReport, type ImportReport } from './import-report.ts'
import { importTable, isTablePath, readTable } from './import-table.ts'
import type { Flags } from './terminal/arguments.ts'
import { openReport, print, printError } from './terminal/output.ts'
import { createProgress } from './terminal/progress.ts'
import { importBeside } from './transcripts.ts'

/** How long a group's transaction should take: other writers wait for it, if there are any. */
const groupMs = 250
const groupMsOfNew = 800
/** Talks of a slow source are stored at least this often, even if they are few. */
const maxReadMs = 1_000
/** Pause between groups, for other writers. */
const pauseMs = 2

/** `rostrum import SOURCE`; works while the server is running. */
export async function importArchive([given, ...rest]: readonly string[], flags: Flags): Promise<void> {
  if (given === undefined || rest.length > 0) {
    throw createUsageFailure('import', 'Name one source: a folder, a file or a URL.')
  }
  const table = isTablePath(given) ? readTable(given, flags.get('event') ?? null) : null
  const detected = table === null ? detectFormat(given, dumpStart) : null
  if (detected?.ok === false) throw new CommandFailure(exitCodes.noInput, detected.problem)
  const engine = await openEngine(readDb(flags))
  const isNew = !(await engine.exists())
  // Gives precedence to the server of this store, which a new store does not have yet (decision 77).
  if (!isNew) lowerPriority()
  const isDryRun = flags.get('dry-run') === 'true'
  const use = async <T>(work: (db: Database) => Promise<T>) =>
    isDryRun && isNew
      ? await withEmptyStore(work)
      : await withStore(engine, { mayCreate: !isDryRun, purpose: 'import' }, work)
  if (table !== null || detected === null) return importRows(table ?? [], flags, use)
  if ('source' in detected) return importSource(detected.source, isNew, flags, use)
  const count = await use((db) => importDump(db, given, isDryRun))
  print(`${count} records with their history${isDryRun ? ' (dry run: nothing was stored)' : ''}\n`)
}

type UseStore = (work: (db: Database) => Promise<void>) => Promise<void>

/** The rows of a table. */
async function importRows(rows: readonly TableRow[], flags: Flags, use: UseStore): Promise<void> {
  const options = {
    reason: parseReasonFlag(flags.get('reason') ?? ''),
    isDryRun: flags.get('dry-run') === 'true',
    isPartial: flags.get('partial') === 'true',
    saveReport: openReport(flags.get('report')),
  }
  await use((db) => importTable(rows, db, options))
}

async function importSource(source: ArchiveSource, isNew: boolean, flags: Flags, use: UseStore): Promise<void> {
  const isDryRun = flags.get('dry-run') === 'true'
  const reason = parseReasonFlag(flags.get('reason') ?? '')
  const report = createImportReport(isDryRun)
  const save = openReport(flags.get('report'))
  const stop = listenForStop()
  const size = createGroupSize(isNew ? groupMsOfNew : groupMs)
  const transcripts = { text: '', refused: 0 }
  try {
    await use(async (db) => {
      const importer = openImporter(db, source, flags, { reason, isDryRun })
      await importTalks(source, importer, { isBeside: !isNew, report, stop, size })
      if (stop.isAsked()) return
      const options = { source: toSourceName(source, flags), batch: importer.batch(), reason, isDryRun }
      Object.assign(transcripts, await importBeside(db, source, options))
    })
  } finally {
    print(`${report.toText()}${transcripts.text}`)
    save(report.toJson())
  }
  if (stop.isAsked()) process.exitCode = exitCodes.stopped
  else if (report.isUnreachable()) process.exitCode = exitCodes.unavailable
  else if (report.refusedCount() + transcripts.refused > 0) process.exitCode = exitCodes.badData
}

/** The same limits as in the API. */
function parseReasonFlag(given: string): string | null {
  const parsed = parseReason(given)
  if (parsed.ok) return parsed.value
  throw new CommandFailure(exitCodes.usage, `--reason: ${parsed.problems.join(' ')}`)
}

/** For a dry run on a store that does not exist yet. */
async function withEmptyStore<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-dry-run-'))
  try {
    const engine = await openEngine(join(folder, 'store.db'))
    return await withStore(engine, { mayCreate: true, purpose: 'import' }, use)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const toSourceName = (source: ArchiveSource, flags: Flags) => withoutUserInfo(flags.get('source') ?? source.name)

function openImporter(
  db: Database,
  source: ArchiveSource,
  flags: Flags,
  { reason, isDryRun }: { readonly reason: string | null; readonly isDryRun: boolean },
): Importer {
  return createImporter(db, {
    source: toSourceName(source, flags),
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

/** The name in stores of older versions, which kept a password in it. */
function toFormerSource(name: string | undefined): { readonly formerSource?: string } {
  return name === undefined || withoutUserInfo(name) === name ? {} : { formerSource: name }
}

interface Run {
  /** Whether other processes may use the store. */
  readonly isBeside: boolean
  readonly report: ImportReport
  readonly stop: ReturnType<typeof listenForStop>
  readonly size: GroupSize
}

async function importTalks(source: ArchiveSource, importer: Importer, run: Run): Promise<void> {
  const { report, stop, size } = run
  const progress = createProgress('Talks', source.total)
  let talks: PreparedTalk[] = []
  let categories: ImportedCategory[] = []
  let speakers: ImportedSpeaker[] = []
  let listed: ReadonlySet<number> = new Set()
  const seen = new Map<string, number>()
  let done = 0
  let startedMs = performance.now()

  async function flush(): Promise<void> {
    const beganMs = performance.now()
    const outcomes = await importer.run(talks.map(toImportedTalk), categories, speakers)
    size.learn(talks.length, performance.now() - beganMs)
    for (const [i, outcome] of outcomes.entries()) {
      const talk = talks[i]
      if (talk !== undefined) report.add(talk, outcome)
    }
    report.setBatch(importer.batch())
    done += talks.length
    talks = []
    categories = []
    speakers = []
    progress.update(done)
    // Even without other writers: the pause lets signals be handled.
    await Bun.sleep(run.isBeside ? pauseMs : 0)
    startedMs = performance.now()
  }

  for await (const each of source.read()) {
    if (stop.isAsked()) break
    take(prepare(each))
    if (talks.length >= size.current() || performance.now() - startedMs > maxReadMs) await flush()
  }
  if (talks.length + categories.length + speakers.length > 0) await flush()
  await takeDownGone()
  progress.end()

  /** Talks that the source has removed, and lists as not to be published. */
  async function takeDownGone(): Promise<void> {
    if (listed.size === 0) return
    for (const { outcome, ...talk } of await importer.takeDownGone((values) => findListedId(listed, values))) {
      report.add({ ...talk, unfit: [] }, outcome)
    }
    report.setBatch(importer.batch())
  }

  function take(each: PreparedEntry): void {
    if (each.is === 'problem') report.refuse(each)
    else if (each.is === 'speaker') speakers.push(each)
    else if (each.is === 'takedowns') listed = new Set(each.ids)
    else if (each.is === 'category') {
      categories.push({ ...each, extras: each.kept })
      report.addUnfit(each.path, each.unfit)
    } else talks.push({ ...each, path: numberRepeatedPath(each.path) })
  }

  /** A source may have several talks at one path. The second gets ` (2)`, and so on. */
  function numberRepeatedPath(path: string): string {
    const times = (seen.get(path) ?? 0) + 1
    seen.set(path, times)
    return times === 1 ? path : `${path} (${times})`
  }
}

function toImportedTalk({ kept, unfit, ...talk }: PreparedTalk): ImportedTalk {
  const left = unfit.length === 0 ? [] : listLeft(unfit, talk.changes)
  return { ...talk, unfitNames: left, toExtras: (slug) => (kept === null ? null : settle(kept, 'slug', slug)) }
}

/** Ctrl-C stops the import between two groups, so that the report is complete. A second one exits immediately. */
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

/** The first group is small, because the time per talk is not known yet. */
const firstGroupSize = 200
const maxGroupSize = 4_000

/** The number of talks per transaction, so that it takes about the target time. Larger groups cost less per talk. */
interface GroupSize {
  current(): number
  learn(count: number, tookMs: number): void
}

function createGroupSize(wantedMs: number): GroupSize {
  let size = firstGroupSize
  return {
    current: () => size,
    learn(count, tookMs) {
      const fitting = Math.floor((count * wantedMs) / Math.max(1, tookMs))
      // At most twice as many: the next talks may take longer.
      size = Math.max(1, Math.min(fitting, size * 2, maxGroupSize))
    },
  }
}

/** Reads a dump into an empty store, all of it or nothing. Returns the number of records. */
async function importDump(db: Database, path: string, isDryRun: boolean): Promise<number> {
  if (!(await isEmptyStore(db))) {
    throw new CommandFailure(
      exitCodes.badData,
      `${path} is a dump, which has its own ids and history. It can only be imported into a new store. Name one with --db.`,
    )
  }
  const lines = createProgress('Lines', null)
  const notStored = new Error('a dry run stores nothing')
  let records = 0
  try {
    await db.transaction('write', async () => {
      const dump = createDumpImport(db)
      let done = 0
      for await (const line of splitLines(Bun.file(path).stream(), maxDumpLineBytes)) {
        if (line === 'too long') throw new DumpError(`line ${done + 1} is too long`)
        await dump.take(line)
        lines.update(++done)
      }
      records = await dump.finish(() => undefined)
      lines.end()
      // Rolls everything back.
      if (isDryRun) throw notStored
    })
    return records
  } catch (error) {
    if (error === notStored) return records
    if (!(error instanceof DumpError)) throw error
    throw new CommandFailure(exitCodes.badData, `The dump ${path} is damaged (${error.message}). Nothing was stored.`)
  }
}
