import { closeSync, existsSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { toCategoryFile, toFilePath, toSourceFile } from '../archive/pyvideo.ts'
import type { Basis, Residue } from '../archive/round-trip.ts'
import { toOriginal } from '../archive/round-trip.ts'
import { createFolderWriter, isArchivePath } from '../archive/write-folder.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { attempt } from '../store/explain-failure.ts'
import type { Extras } from '../store/import/imported-talk.ts'
import { exportDump } from '../store/maintain/dump/dump-export.ts'
import { createExporter, type Exporter } from '../store/maintain/exporter.ts'
import { withStore } from '../store/open.ts'
import { createFileAtomically, createFolderDurably, sync } from '../store/sqlite/atomic-file.ts'
import { toStorePath } from './store-path.ts'
import { createProgress, type Progress } from './terminal/progress.ts'

const formats = ['ndjson', 'pyvideo', 'dump'] as const

/** `rostrum export --format FORMAT --out PATH`: everything as it is at this moment, also while it is being served. */
export function exportArchive(words: readonly string[], flags: ReadonlyMap<string, string>): void {
  const format = formats.find((each) => each === flags.get('format'))
  const out = flags.get('out') ?? ''
  if (words.length > 0 || format === undefined) throw usage(`--format must be one of ${formats.join(', ')}.`)
  if (out === '') throw usage('--out must say where to write.')
  withStore(toStorePath(flags), false, (db) =>
    // One snapshot, however long it takes.
    db.transaction(() => {
      const exporter = createExporter(db)
      const mayDraft = flags.get('drafts') === 'true'
      // What goes wrong there is not the store's fault.
      attempt(`write ${out}`, () => {
        if (format === 'ndjson') exportLines(toBodies(exporter), 'Records', exporter.count(true), out)
        else if (format === 'dump') exportLines(exportDump(db), 'Lines', null, out)
        else exportFolder(exporter, out, mayDraft)
      })
    })(),
  )
}

function* toBodies(exporter: Exporter): Iterable<Uint8Array> {
  for (const { body } of exporter.records(true)) yield body
}

/** Under another name until it is whole, and on disk. */
function exportLines(lines: Iterable<string | Uint8Array>, what: string, total: number | null, out: string): void {
  if (existsSync(out)) throw taken(out)
  const progress = createProgress(what, total)
  const isNamed = createFileAtomically(out, (draft) => {
    const file = openSync(draft, 'wx')
    try {
      let done = 0
      for (const line of lines) {
        writeAll(file, Buffer.concat([Buffer.from(line), newline]))
        progress.update(++done)
      }
    } finally {
      closeSync(file)
    }
  })
  if (!isNamed) throw taken(out)
  progress.end()
}

/** The system may take less than it is given. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

const newline = Buffer.from('\n')

/** Each talk where it came from; drafts only where they are asked for, since the files have no word for them. */
function exportFolder(exporter: Exporter, out: string, drafts: boolean): void {
  if (existsSync(out) && !(statSync(out).isDirectory() && readdirSync(out).length === 0)) throw taken(out)
  createFolderDurably(out)
  const folder = createFolderWriter(out)
  const events = new Map<string, string>()
  const progress: Progress = createProgress('Talks', exporter.count(drafts))
  let done = 0
  for (const { record, path, categorySlug, extras } of exporter.records(drafts)) {
    // Slugs may have been spoilt behind our back, and lead out of the folder.
    const places = [path ?? '', toFilePath(record, categorySlug), `without-path/videos/${record.id}.json`]
    const written = folder.write(places.find(isArchivePath) ?? '', toSourceFile(record, toKept(extras)))
    events.set(written.split('/')[0] ?? '', record.category)
    progress.update(++done)
  }
  exportCategories(exporter, folder, events)
  for (const path of folder.listWritten()) sync(path)
  progress.end()
}

function exportCategories(
  exporter: Exporter,
  folder: ReturnType<typeof createFolderWriter>,
  events: ReadonlyMap<string, string>,
): void {
  const known = new Map<string, string>()
  for (const { path, title, description, extras } of exporter.categories()) {
    known.set(title, description)
    // Two sources may have the same file; one of them is enough.
    if (path === null || !isArchivePath(path) || folder.has(path)) continue
    folder.write(path, toOriginal(toCategoryFile(title, description), toKept(extras)))
  }
  for (const [event, title] of events) {
    const path = `${event}/category.json`
    if (!folder.has(path)) folder.write(path, toCategoryFile(title, known.get(title) ?? ''))
  }
}

/** The store keeps it as plain JSON; only imports write it. */
function toKept(extras: Extras | null): Residue | null {
  return extras === null ? null : { values: extras.values, basis: extras.basis as Basis }
}

const taken = (out: string) =>
  new CommandFailure(exitCodes.cannotCreate, `${out} is there already; name another place with --out.`)

function usage(problem: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum export --help`)
}
