import { closeSync, existsSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { createFolderWriter, isArchivePath, speakersFile } from '../archive/folder.ts'
import { toCategoryFile, toFilePath, toSourceFile, toSpeakersFile, withCompanions } from '../archive/pyvideo.ts'
import { type Basis, type Residue, toOriginal } from '../archive/round-trip.ts'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import type { ArchivedFields } from '../record/category.ts'
import type { Visibility } from '../record/state.ts'
import { toVttFile } from '../record/transcript/write-transcript.ts'
import { readDb } from '../settings/config.ts'
import { explainFailure, explainFile } from '../store/explain-failure.ts'
import type { Extras } from '../store/import/imported-talk.ts'
import { exportDump } from '../store/maintain/dump/dump-export.ts'
import { createExporter, type Exporter } from '../store/maintain/exporter.ts'
import { openEngine, withStore } from '../store/open.ts'
import { createFileAtomically, createFolderDurably, sync } from '../store/sqlite/atomic-file.ts'
import type { Flags } from './terminal/arguments.ts'
import { createProgress, type Progress } from './terminal/progress.ts'

const formats = ['ndjson', 'pyvideo', 'dump'] as const

/** `rostrum export --format FORMAT --out PATH`: a consistent snapshot; works while the server is running. */
export async function exportArchive(args: readonly string[], flags: Flags): Promise<void> {
  const format = formats.find((each) => each === flags.get('format'))
  const out = flags.get('out') ?? ''
  if (args.length > 0 || format === undefined) throw usage(`--format must be one of ${formats.join(', ')}.`)
  if (out === '') throw usage('--out must name the file or folder to write.')
  const visibility = flags.get('drafts') === 'true' ? 'all' : 'live'
  await withStore(await openEngine(readDb(flags)), { purpose: 'read' }, (db) =>
    // One snapshot for the whole export.
    db.transaction('read', async () => {
      const exporter = createExporter(db)
      // Explained here, since it is not the store that cannot be written.
      await explainFailure(explainFile(`write ${out}`), async () => {
        if (format === 'ndjson') await exportLines(toBodies(exporter), 'Records', await exporter.count('all'), out)
        else if (format === 'dump') await exportLines(exportDump(db), 'Lines', null, out)
        else await exportFolder(exporter, out, visibility)
      })
    }),
  )
}

async function* toBodies(exporter: Exporter): AsyncIterable<Uint8Array> {
  for await (const { body } of exporter.records('all')) yield body
}

/** The file gets its name when it is complete and on disk. */
async function exportLines(
  lines: AsyncIterable<string | Uint8Array>,
  what: string,
  total: number | null,
  out: string,
): Promise<void> {
  if (existsSync(out)) throw taken(out)
  const progress = createProgress(what, total)
  const isCreated = await createFileAtomically(out, async (temporary) => {
    const file = openSync(temporary, 'wx')
    try {
      let done = 0
      for await (const line of lines) {
        writeAll(file, Buffer.concat([Buffer.from(line), newline]))
        progress.update(++done)
      }
    } finally {
      closeSync(file)
    }
  })
  if (!isCreated) throw taken(out)
  progress.end()
}

/** A write may take only part of the bytes. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset)
}

const newline = Buffer.from('\n')

/** Writes each talk to the path it came from. Drafts only on request, because the files cannot mark them as such. */
async function exportFolder(exporter: Exporter, out: string, visibility: Visibility): Promise<void> {
  if (existsSync(out) && !(statSync(out).isDirectory() && readdirSync(out).length === 0)) throw taken(out)
  createFolderDurably(out)
  const folder = createFolderWriter(out)
  const events = new Map<string, string>()
  const progress: Progress = createProgress('Talks', await exporter.count(visibility))
  let done = 0
  for await (const { record, path, categorySlug, extras, companions, drafts } of exporter.records(visibility)) {
    // A slug that was edited directly in the database may lead out of the folder.
    const paths = [path ?? '', toFilePath(record, categorySlug), `without-path/videos/${record.id}.json`]
    const file = withCompanions(toSourceFile(record, toKept(extras)), extras, companions, drafts)
    const written = folder.write(paths.find(isArchivePath) ?? '', file)
    for await (const { language, ...transcript } of exporter.transcripts(record.id))
      folder.writeBeside(written, `-${language}.vtt`, toVttFile(transcript))
    events.set(written.split('/')[0] ?? '', record.category)
    progress.update(++done)
  }
  await exportCategories(exporter, folder, events)
  const speakers = await exporter.speakers(visibility)
  if (speakers.length > 0) folder.write(speakersFile, toSpeakersFile(speakers))
  for (const path of folder.listWritten()) sync(path)
  progress.end()
}

async function exportCategories(
  exporter: Exporter,
  folder: ReturnType<typeof createFolderWriter>,
  events: ReadonlyMap<string, string>,
): Promise<void> {
  const known = new Map<string, ArchivedFields>()
  for await (const { path, title, fields, extras } of exporter.categories()) {
    known.set(title, fields)
    // Two sources may have the same file.
    if (path === null || !isArchivePath(path) || folder.has(path)) continue
    folder.write(path, toOriginal(toCategoryFile(title, fields), toKept(extras)))
  }
  for (const [event, title] of events) {
    const path = `${event}/category.json`
    if (!folder.has(path)) folder.write(path, toCategoryFile(title, known.get(title) ?? {}))
  }
}

/** Only imports write extras, so their basis is a `Basis`. */
function toKept(extras: Extras | null): Residue | null {
  return extras === null ? null : { values: extras.values, basis: extras.basis as Basis }
}

const taken = (out: string) =>
  new CommandFailure(exitCodes.cannotCreate, `${out} already exists. Name another path with --out.`)

const usage = (problem: string) => createUsageFailure('export', problem)
