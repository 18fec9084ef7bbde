import { writeFileSync } from 'node:fs'
import type { Incoming, IncomingTalk, Source } from '../archive/incoming.ts'
import { toKept } from '../archive/kept.ts'
import { toCategoryFile, toFile } from '../archive/pyvideo.ts'
import { recognise } from '../archive/recognise.ts'
import { readConfig, readEnvironment } from '../config.ts'
import type { ImportedCategory, ImportedTalk, Importer } from '../store/import.ts'
import { createImporter } from '../store/sqlite/importer.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { importDump } from './import-dump.ts'
import { createImportReport, type ImportReport } from './import-report.ts'
import { type OpenStore, withStoreFor } from './open-store.ts'
import { createProgress } from './progress.ts'

/** So many talks, or so long a time, are one transaction: what others write waits no longer. */
const maxGroup = 200
const maxGroupMs = 60
/** Between groups, so that others get in. */
const pauseMs = 2

/** `rostrum import SOURCE`; works on a store that is being served. */
export async function importArchive(words: readonly string[], flags: ReadonlyMap<string, string>): Promise<void> {
  const [given, ...rest] = words
  if (given === undefined || rest.length > 0) throw usage('Name one source: a folder, a file or an address.')
  const { db: _, ...own } = Object.fromEntries(flags)
  const read = readConfig(new Map(flags.has('db') ? [['db', flags.get('db') ?? '']] : []), readEnvironment())
  if (!read.ok) throw new CommandFailure(exitCodes.config, read.problem)
  const recognised = recognise(given)
  if (!recognised.ok) throw new CommandFailure(exitCodes.noInput, recognised.problem)
  const isRehearsal = own['dry-run'] === 'true'
  if ('dump' in recognised) {
    const count = await withStoreFor(read.config.db, true, (db) => importDump(db, recognised.dump, isRehearsal))
    process.stdout.write(`${count} records with their history${isRehearsal ? ' (dry run: nothing was stored)' : ''}\n`)
    return
  }
  const report = createImportReport(isRehearsal)
  const stop = listenForStop()
  try {
    await withStoreFor(read.config.db, !isRehearsal, (db) =>
      bringIn(recognised.source, toImporter(db, recognised.source, own, isRehearsal), report, stop),
    )
  } finally {
    if (own.report !== undefined) writeFileSync(own.report, report.toJson())
    process.stdout.write(report.toText())
  }
  if (stop.isAsked()) process.exitCode = 130
  else if (report.refusedCount() > 0) process.exitCode = exitCodes.badData
}

function toImporter(
  db: OpenStore,
  source: Source,
  flags: { readonly [name: string]: string },
  isRehearsal: boolean,
): Importer {
  return createImporter(db, {
    source: flags.source ?? source.name,
    author: 'import',
    reason: flags.reason ?? null,
    state: flags.draft === 'true' ? 2 : 1,
    isRehearsal,
    hasPath: source.has,
    now: Date.now,
  })
}

async function bringIn(source: Source, importer: Importer, report: ImportReport, stop: Stop): Promise<void> {
  const progress = createProgress('Talks', source.total, Date.now)
  let talks: IncomingTalk[] = []
  let categories: ImportedCategory[] = []
  let done = 0
  let startedMs = performance.now()

  async function flush(): Promise<void> {
    const outcomes = importer.run(talks.map(toImportedTalk), categories)
    for (const [i, outcome] of outcomes.entries()) report.add(talks[i]?.path ?? '', talks[i]?.id ?? null, outcome)
    report.setBatch(importer.batch())
    done += talks.length
    talks = []
    categories = []
    progress.update(done)
    await Bun.sleep(pauseMs)
    startedMs = performance.now()
  }

  for await (const each of source.read()) {
    if (stop.isAsked()) break
    take(each)
    if (talks.length >= maxGroup || performance.now() - startedMs > maxGroupMs) await flush()
  }
  if (talks.length > 0 || categories.length > 0) await flush()
  progress.end()

  function take(each: Incoming): void {
    if (each.is === 'problem') report.refuse(each)
    else if (each.is === 'talk') talks.push(each)
    else categories.push(toImportedCategory(each))
  }
}

function toImportedTalk({ original, ...talk }: IncomingTalk): ImportedTalk {
  return { ...talk, toExtras: (record) => (original === null ? null : toKept(original, toFile(record))) }
}

function toImportedCategory(category: Extract<Incoming, { is: 'category' }>): ImportedCategory {
  const { path, title, description, original } = category
  const kept = toKept(original, toCategoryFile(title, description))
  return { path, title, description, extras: kept ?? { values: {}, basis: { said: {}, absent: [] } } }
}

interface Stop {
  isAsked(): boolean
}

/** Ctrl-C ends it between two groups, so that the report is true; a second one ends it at once. */
function listenForStop(): Stop {
  let isAsked = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isAsked) process.exit(130)
      isAsked = true
      process.stderr.write('\nStopping after this group…\n')
    })
  }
  return { isAsked: () => isAsked }
}

function usage(problem: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum import --help`)
}
