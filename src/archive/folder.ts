import { existsSync, opendirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '../record/json-value.ts'
import { parseFields } from '../record/record.ts'
import { parseJson } from '../record/strict-json.ts'
import type { Incoming, IncomingProblem, Source } from './incoming.ts'
import { toRecordFields } from './pyvideo.ts'

/** A talk's file is a few kilobytes. */
const maxFileBytes = 16 * 1024 * 1024

/** A folder with a folder for each event, which has `category.json` and `videos/*.json`. */
export function openFolder(path: string): Source {
  const root = resolve(path)
  const events = listEvents(root)
  const files = new Set(events.flatMap((event) => listVideos(root, event)))
  return {
    name: basename(root),
    total: files.size,
    has: (file) => files.has(file),
    async *read() {
      for (const event of events) yield* readEvent(root, event, files)
    },
  }
}

/** Whether a folder looks like one of these. */
export function isTalkFolder(path: string): boolean {
  return statSync(path).isDirectory() && listEvents(resolve(path)).length > 0
}

function listEvents(root: string): string[] {
  return listNames(root).filter((name) => existsSync(join(root, name, 'videos')))
}

function listVideos(root: string, event: string): string[] {
  const names = listNames(join(root, event, 'videos')).filter((name) => name.endsWith('.json'))
  return names.map((name) => `${event}/videos/${name}`)
}

/** In order. Links are followed once: an event is one level deep, so no loop can be long. */
function listNames(folder: string): string[] {
  const names: string[] = []
  const handle = opendirSync(folder)
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) names.push(entry.name)
  } finally {
    handle.closeSync()
  }
  return names.sort()
}

async function* readEvent(root: string, event: string, files: ReadonlySet<string>): AsyncIterable<Incoming> {
  const category = readCategory(root, event)
  yield category
  const title = category.is === 'category' ? category.title : event
  for (const path of files) {
    if (path.startsWith(`${event}/`)) yield* readTalk(root, path, title)
  }
}

function readCategory(root: string, event: string): Incoming {
  const path = `${event}/category.json`
  const file = readObject(root, path)
  if ('reason' in file) return file
  const { title, description } = file.value
  if (typeof title !== 'string' || title.trim() === '') return toProblem(path, 'title', 'There is no title.')
  const text = typeof description === 'string' ? description : ''
  return { is: 'category', path, title: title.trim(), description: text, original: file.value }
}

function* readTalk(root: string, path: string, category: string): Iterable<Incoming> {
  const file = readObject(root, path)
  if ('reason' in file) return yield file
  const { id, slug } = file.value
  const parsed = parseFields(toRecordFields(file.value, category), 'whole', null)
  if (!parsed.ok) {
    for (const [field, reasons] of parsed.errors) yield toProblem(path, field, reasons.join(' '))
    return
  }
  yield {
    is: 'talk',
    path,
    id: typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null,
    slug: typeof slug === 'string' ? slug : null,
    added: null,
    changes: parsed.changes,
    original: file.value,
  }
}

type ReadObject = { readonly value: JsonObject } | IncomingProblem

function readObject(root: string, path: string): ReadObject {
  try {
    const place = join(root, path)
    if (statSync(place).size > maxFileBytes) return toProblem(path, null, 'The file is too large for a talk.')
    const parsed = parseJson(readFileSync(place))
    if (!parsed.ok) return toProblem(path, null, `Not JSON: ${parsed.problem}`)
    const value: JsonValue = parsed.value
    return isJsonObject(value) ? { value } : toProblem(path, null, 'Not one JSON object.')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
    return toProblem(path, null, `Cannot be read (${code}).`)
  }
}

function toProblem(path: string, field: string | null, reason: string): IncomingProblem {
  return { is: 'problem', path, field, reason }
}
