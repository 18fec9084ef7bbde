import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { parseReason } from '../record/command.ts'
import { toCounted } from '../record/text/counted.ts'
import { parseLanguageTag } from '../record/text/language.ts'
import { toPrintable } from '../record/text/printable.ts'
import { readTranscript, type TranscriptType } from '../record/transcript/read-transcript.ts'
import { type Origin, origins, type Transcript } from '../record/transcript/transcript.ts'
import { findBadTool } from '../record/transcript/transcript-kind.ts'
import { lowerPriority } from '../serve/thread-priority.ts'
import { readDb } from '../settings/config.ts'
import { createTranscriptImporter, listWanted, type TranscriptFile } from '../store/import/transcript-importer.ts'
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
  const files = listFiles(folder)
  const engine = await openEngine(readDb(flags))
  lowerPriority()
  const counts = { stored: 0, unchanged: 0, kept: 0, unmatched: 0 }
  const notes: string[] = []
  let [refused, batch]: [number, number | null] = [0, null]
  await withStore(engine, { purpose: 'import' }, async (db) => {
    const importer = createTranscriptImporter(db, { ...options, now: Date.now })
    const progress = createProgress('Files', files.length)
    for (const [i, { path, ...file }] of files.entries()) {
      const read = readOne(join(folder, path), file.type, options)
      if (typeof read === 'string') notes.push(`${path}: ${read}`)
      if (typeof read === 'string') refused++
      else {
        const outcome = await importer.take(file, read)
        counts[outcome.is]++
        if (outcome.is === 'unmatched') notes.push(`${path}: No record belongs to it.`)
        if (outcome.is === 'kept')
          notes.push(`${path}: Record ${outcome.id} keeps its transcript, which was changed here.`)
      }
      progress.update(i + 1)
      // Lets other writers and signals in.
      await Bun.sleep(0)
    }
    batch = importer.batch()
    progress.end()
  })
  print(toReport({ ...counts, refused }, notes, batch, options.isDryRun))
  if (refused > 0 || counts.unmatched > 0) process.exitCode = exitCodes.badData
}

type Counts = { readonly [What in 'stored' | 'unchanged' | 'kept' | 'unmatched' | 'refused']: number }

function toReport(counts: Counts, notes: readonly string[], batch: number | null, isDryRun: boolean): string {
  const { stored, unchanged, kept, unmatched, refused } = counts
  const rest = `${unchanged} unchanged, ${kept} kept, ${unmatched} without a record, ${refused} refused`
  const end = isDryRun ? ' (dry run: nothing was stored)' : batch === null ? '' : ` (batch ${batch})`
  return [...notes.map(toPrintable), `${toCounted(stored, 'transcript')} stored, ${rest}${end}`, ''].join('\n')
}

type FoundFile = TranscriptFile & { readonly path: string; readonly type: TranscriptType }

/** Files whose names end with a language, as `talk.en.vtt` and `talk-en.vtt` do. Links are not followed. */
function listFiles(folder: string): readonly FoundFile[] {
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  } catch {
    throw new CommandFailure(exitCodes.noInput, `${folder} is not a folder that can be read.`)
  }
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  return paths.sort().flatMap((path) => toFound(relative(folder, path).split(sep).join('/')) ?? [])
}

const captionPath = /^(.{1,1000})[.-]([A-Za-z]{2,3}(?:[-_][\w-]{1,30})?)\.(vtt|srt)$/
/** Other JSON files have names with hyphens, such as those of talks. */
const jsonPath = /^(.{1,1000})\.([A-Za-z]{2,3}(?:[-_][\w-]{1,30})?)\.(json3?)$/

function toFound(path: string): FoundFile | null {
  const [, stem = '', word = '', extension = ''] = captionPath.exec(path) ?? jsonPath.exec(path) ?? []
  const [known, type] = [toLongest(stem, word), types[extension]]
  return known === null || type === undefined ? null : { path, type, ...known }
}

/** `talk-pt-BR`: the longest tag that is a language. */
function toLongest(stem: string, word: string): TranscriptFile | null {
  const [, rest, before] = /^(.{1,1000})[.-]([A-Za-z]{2,3})$/.exec(stem) ?? []
  const longer = before === undefined || !/^[A-Z\d]{2,4}$/i.test(word) ? null : parseLanguageTag(`${before}-${word}`)
  if (rest !== undefined && longer !== null && /^[A-Z]{2}$|^[A-Z][a-z]{3}$/.test(word))
    return { stem: rest, language: longer }
  const language = parseLanguageTag(word)
  return language === null ? null : { stem, language }
}

/** A problem as a sentence. */
function readOne(path: string, type: TranscriptType, { origin, tool }: Options): Transcript | string {
  if (statSync(path).size > maxFileBytes) return 'It has more than 16 MiB.'
  const read = readTranscript(type, readFileSync(path))
  if (!read.ok) return read.problems.join(' ')
  return { origin: origin ?? read.origin, ...(tool === null ? {} : { tool }), cues: read.cues }
}

export function toTranscriptsHelp(): string {
  return `Usage: rostrum transcripts import FOLDER [--origin human|machine|reviewed|translated] [--tool TEXT] [--dry-run]
       rostrum transcripts wanted

"import" reads the .vtt, .srt and .json files in FOLDER whose names end with a language, "12.en.vtt" or "talk-en.vtt", as one
batch. The record is found by its number, the video's id in brackets, its slug, or the file's place in a pyvideo folder.
What people have changed here stays. "wanted" prints each live talk without a transcript as a line of JSON.

Exit codes: 0 all are here; 65 some were refused or have no record; 66 FOLDER cannot be read.
`
}
