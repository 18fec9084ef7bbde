import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { ArchiveSource } from '../archive/incoming.ts'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { parseReason } from '../record/command.ts'
import { toCounted } from '../record/text/counted.ts'
import { parseLanguageName, parseLanguageTag } from '../record/text/language.ts'
import { toPrintable } from '../record/text/printable.ts'
import { readTranscript, type TranscriptType } from '../record/transcript/read-transcript.ts'
import { type Origin, origins, type Transcript } from '../record/transcript/transcript.ts'
import { findBadTool } from '../record/transcript/transcript-kind.ts'
import { readOrigin } from '../record/transcript/write-transcript.ts'
import { lowerPriority } from '../serve/thread-priority.ts'
import { readDb } from '../settings/config.ts'
import type { Database } from '../store/database.ts'
import {
  createTranscriptImporter,
  listWanted,
  type TranscriptFile,
  type TranscriptImporter,
} from '../store/import/transcript-importer.ts'
import { openEngine, withStore } from '../store/open.ts'
import type { Flags } from './terminal/arguments.ts'
import { print } from './terminal/output.ts'
import { createProgress } from './terminal/progress.ts'

/** `rostrum transcripts import FOLDER` and `rostrum transcripts wanted`; both work while the server is running. */
export async function manageTranscripts([action, folder, ...rest]: readonly string[], flags: Flags): Promise<void> {
  if (action === 'wanted' && folder === undefined) return printWanted(flags)
  if (action !== 'import' || folder === undefined || rest.length > 0)
    throw createUsageFailure('transcripts', 'Use "transcripts import FOLDER" or "transcripts wanted".')
  return importFolder(folder, readOptions(flags), flags)
}

async function printWanted(flags: Flags): Promise<void> {
  await withStore(await openEngine(readDb(flags)), { purpose: 'read' }, (db) =>
    db.transaction('read', async () => {
      for await (const line of listWanted(db)) print(`${line}\n`)
    }),
  )
}

interface Options {
  readonly origin: Origin | null
  readonly tool: string | null
  readonly reason: string | null
  readonly isDryRun: boolean
}

function readOptions(flags: Flags): Options {
  const [given, tool] = [flags.get('origin'), flags.get('tool')]
  const origin = origins.find((each) => each === given) ?? null
  const reason = parseReason(flags.get('reason') ?? '')
  if (given !== undefined && origin === null)
    throw createUsageFailure('transcripts', `--origin must be one of ${origins.join(', ')}.`)
  const badTool = tool === undefined ? null : findBadTool(tool)
  if (badTool !== null) throw createUsageFailure('transcripts', `--tool: ${badTool}`)
  if (!reason.ok) throw createUsageFailure('transcripts', `--reason: ${reason.problems.join(' ')}`)
  return { origin, tool: tool ?? null, reason: reason.value, isDryRun: flags.get('dry-run') === 'true' }
}

const types: { readonly [extension: string]: TranscriptType } = {
  ...{ vtt: 'text/vtt', srt: 'application/x-subrip' },
  ...{ json: 'application/json', json3: 'application/json' },
}
/** The same as in the API. */
const maxFileBytes = 16 * 1024 * 1024

async function importFolder(folder: string, options: Options, flags: Flags): Promise<void> {
  const read = ({ path, type, usualOrigin }: FoundFile) =>
    readOne(join(folder, path), type, { ...options, origin: options.origin ?? usualOrigin })
  const paths = listPaths(folder)
  const files = paths.flatMap((path) => toFound(path) ?? []).map((file) => ({ ...file, read: () => read(file) }))
  const nameless = paths.filter((path) => /\.(?:vtt|srt)$/.test(path) && toFound(path) === null)
  const engine = await openEngine(readDb(flags))
  lowerPriority()
  await withStore(engine, { purpose: 'import' }, async (db) => {
    const importer = createTranscriptImporter(db, { ...options, now: Date.now })
    const taken = addNameless(await takeFiles(importer, files), nameless)
    print(toReport(taken, importer.batch(), options.isDryRun))
    if (taken.refused > 0 || taken.unmatched > 0) process.exitCode = exitCodes.badData
  })
}

/** Adds files that cannot be imported because their names have no language. */
function addNameless(taken: Taken, paths: readonly string[]): Taken {
  const notes = paths.map((path) => `${path}: Its name does not end with a language, as "talk.en.vtt" does.`)
  return { ...taken, refused: taken.refused + paths.length, notes: [...taken.notes, ...notes] }
}

interface BesideOptions {
  /** Its name in the origins of records. */
  readonly source: string
  /** Of the import of the talks. */
  readonly batch: number | null
  readonly reason: string | null
  readonly isDryRun: boolean
}

/** Imports the transcripts next to the talks of a folder, as exports write them. Returns a report, or null if there are none. */
export async function importBeside(db: Database, source: ArchiveSource, options: BesideOptions) {
  const files = [...(source.captions?.() ?? [])].flatMap(({ path, read }) => {
    // If the rest of the name is that of a talk, the suffix is a language.
    const found = toFound(path, parseLanguageTag)
    // A talk in a dry run has no record yet.
    return found !== null && source.has(`${found.stem}.json`) ? [{ ...found, read: () => readCaptions(read()) }] : []
  })
  if (files.length === 0) return null
  const importer = createTranscriptImporter(db, { ...options, now: Date.now })
  const taken = await takeFiles(importer, files)
  const counts = options.isDryRun ? { ...taken, stored: taken.stored + taken.unmatched, unmatched: 0 } : taken
  return { text: toReport(counts, importer.batch(), options.isDryRun), refused: taken.refused }
}

type Counts = { readonly [What in 'stored' | 'unchanged' | 'kept' | 'unmatched' | 'refused']: number }
type Taken = Counts & { readonly notes: readonly string[] }
type GivenFile = TranscriptFile & { readonly path: string; read(): Transcript | string }

async function takeFiles(importer: TranscriptImporter, files: readonly GivenFile[]): Promise<Taken> {
  const counts = { stored: 0, unchanged: 0, kept: 0, unmatched: 0, refused: 0 }
  const notes: string[] = []
  const progress = createProgress('Files', files.length)
  for (const [i, { path, read, ...file }] of files.entries()) {
    const transcript = read()
    const outcome = typeof transcript === 'string' ? null : await importer.take(file, transcript)
    counts[outcome?.is ?? 'refused']++
    if (typeof transcript === 'string') notes.push(`${path}: ${transcript}`)
    else if (outcome?.is === 'unmatched') notes.push(`${path}: No record matches this file.`)
    else if (outcome?.is === 'kept')
      notes.push(`${path}: Record ${outcome.id} keeps its transcript, which was changed here.`)
    progress.update(i + 1)
    // Lets other writers and signals run.
    await Bun.sleep(0)
  }
  progress.end()
  return { ...counts, notes }
}

function toReport({ notes, ...counts }: Taken, batch: number | null, isDryRun: boolean): string {
  const { stored, unchanged, kept, unmatched, refused } = counts
  const rest = `${unchanged} unchanged, ${kept} kept, ${unmatched} without a record, ${refused} refused`
  const end = isDryRun ? ' (dry run: nothing was stored)' : batch === null ? '' : ` (batch ${batch})`
  return [...notes.map(toPrintable), `${toCounted(stored, 'transcript')} stored, ${rest}${end}`, ''].join('\n')
}

interface FoundFile extends TranscriptFile {
  readonly path: string
  readonly type: TranscriptType
  /** Null if the file itself tells. */
  readonly usualOrigin: Origin | null
}

/** All files, without links. */
function listPaths(folder: string): readonly string[] {
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  } catch {
    throw new CommandFailure(exitCodes.noInput, `${folder} is not a folder that can be read.`)
  }
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  return paths.sort().map((path) => relative(folder, path).split(sep).join('/'))
}

const captionPath = /^(.{1,1000})[.-]([A-Za-z]{2,3}(?:[-_][\w-]{1,30})?)\.(vtt|srt)$/
/** Other JSON files have names with hyphens, such as those of talks. */
const jsonPath = /^(.{1,1000})\.([A-Za-z]{2,3}(?:[-_][\w-]{1,30})?)\.(json3?)$/

/** The name that yt-dlp gives to YouTube's translations: the language, and the one it was translated from. */
const translatedPath = /^(.{1,1000})\.([A-Za-z]{2,3}(?:-[A-Z][A-Za-z]{1,3})?)-([a-z]{2,3})\.(vtt|srt|json3)$/

/** A file whose name ends with a language, as `talk.en.vtt` and `talk-en.vtt` do. */
function toFound(path: string, parseLanguage = parseKnown): FoundFile | null {
  const translated = toTranslated(path)
  if (translated !== null) return translated
  const [, stem = '', word = '', extension = ''] = captionPath.exec(path) ?? jsonPath.exec(path) ?? []
  const [known, type] = [toLongest(stem, word, parseLanguage), types[extension]]
  return known === null || type === undefined ? null : { path, type, usualOrigin: null, ...known }
}

function toTranslated(path: string): FoundFile | null {
  const [, stem = '', word = '', source = '', extension = ''] = translatedPath.exec(path) ?? []
  const [language, type] = [parseKnown(word), types[extension]]
  if (language === null || parseKnown(source) === null || type === undefined) return null
  return { stem, language, path, type, usualOrigin: 'translated' }
}

/** `talk-pt-BR`: the longest tag that is a language. */
function toLongest(stem: string, word: string, parseLanguage: typeof parseLanguageTag): TranscriptFile | null {
  const [, rest, before] = /^(.{1,1000})[.-]([A-Za-z]{2,3})$/.exec(stem) ?? []
  const longer =
    before !== undefined && /^[A-Z]{2}$|^[A-Z][a-z]{3}$/.test(word) ? parseLanguage(`${before}-${word}`) : null
  if (rest !== undefined && longer !== null) return { stem: rest, language: longer }
  const language = parseLanguage(word)
  // YouTube's name of automatic captions is "a.en".
  return language === null ? null : { stem: stem.replace(/\.a$/, ''), language }
}

/** Not every word of two or three letters in a name is a language: `talk.wav.json`, `ready-to-go.vtt`. */
function parseKnown(tag: string): string | null {
  const isKnown = parseLanguageName(tag.split(/[-_]/)[0] ?? '') !== null
  return isKnown ? parseLanguageTag(tag) : null
}

/** A problem as a sentence. */
function readOne(path: string, type: TranscriptType, { origin, tool }: Options): Transcript | string {
  if (statSync(path).size > maxFileBytes) return 'It has more than 16 MiB.'
  const bytes = readFileSync(path)
  const read = readTranscript(type, bytes)
  if (!read.ok) return read.problems.join(' ')
  const noted = origin === null && tool === null && type === 'text/vtt' ? readOrigin(bytes) : null
  return { origin: origin ?? read.origin, ...(tool === null ? {} : { tool }), ...noted, cues: read.cues }
}

function readCaptions(bytes: Buffer | { readonly reason: string }): Transcript | string {
  if ('reason' in bytes) return bytes.reason
  const read = readTranscript('text/vtt', bytes)
  return read.ok ? { origin: read.origin, ...readOrigin(bytes), cues: read.cues } : read.problems.join(' ')
}

export function toTranscriptsHelp(): string {
  return `Usage: rostrum transcripts import FOLDER [--origin human|machine|reviewed|translated] [--tool TEXT] [--dry-run]
       rostrum transcripts wanted

"import" reads the .vtt, .srt and .json files in FOLDER whose names end with a language, "12.en.vtt" or "talk-en.vtt", as one
batch. The record is found by its number, the video's id in brackets, its slug, or the file's place in a pyvideo folder.
Transcripts that somebody has edited here are kept. "wanted" prints each live talk without a transcript as a line of JSON.

Exit codes: 0 all are here; 65 some were refused or have no record; 66 FOLDER cannot be read.
`
}
