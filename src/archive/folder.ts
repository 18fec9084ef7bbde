import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { categoryFields } from '../record/category.ts'
import { isJsonObject, type JsonObject } from '../record/json-value.ts'
import { parseJson } from '../record/strict-json.ts'
import type { Incoming, IncomingProblem, Source } from './incoming.ts'
import { hasOwnId } from './own-id.ts'
import { parseFile } from './pyvideo.ts'

/** A talk's file is a few kilobytes. */
const maxFileBytes = 16 * 1024 * 1024

/** So much of what has to wait is held in memory; the rest is read again. */
const maxHeldBytes = 8 * 1024 * 1024

/** A folder with a folder for each event, which has `category.json` and `videos/*.json`. */
export function openFolder(path: string): Source {
  const root = resolve(path)
  const events = listEvents(root)
  const listed = events.map((event) => listVideos(root, event))
  const files = new Set(listed.flatMap((each) => ('reason' in each ? [] : each.paths)))
  return {
    name: basename(root),
    total: files.size,
    has: (file) => files.has(file),
    async *read() {
      const titles = new Map<string, string>()
      for (const event of events) {
        const category = readCategory(root, event)
        titles.set(event, category.is === 'category' ? category.title : event)
        yield category
      }
      for (const each of listed) if ('reason' in each) yield each
      yield* readTalks(root, files, titles)
    },
  }
}

/** Whether a folder looks like one of these. */
export function isTalkFolder(path: string): boolean {
  return listEvents(resolve(path)).length > 0
}

function listEvents(root: string): string[] {
  const isEvent = (name: string) => ['videos', 'category.json'].some((part) => existsSync(join(root, name, part)))
  return readdirSync(root).filter(isEvent).sort()
}

/** An event may have no talks yet. */
function listVideos(root: string, event: string): { readonly paths: readonly string[] } | IncomingProblem {
  const path = `${event}/videos`
  if (!existsSync(join(root, path))) return { paths: [] }
  try {
    const names = readdirSync(join(root, path)).filter((name) => name.endsWith('.json'))
    return { paths: names.sort().map((name) => `${path}/${name}`) }
  } catch (error) {
    return toUnreadable(path, error)
  }
}

/** Those with an id of their own come first, so that no other talk of the same source is given it. */
function* readTalks(root: string, files: ReadonlySet<string>, titles: ReadonlyMap<string, string>): Iterable<Incoming> {
  const later = new Map<string, Buffer | null>()
  const toTitle = (path: string) => titles.get(path.slice(0, path.indexOf('/'))) ?? ''
  let heldBytes = 0
  for (const path of files) {
    const bytes = readBytes(root, path)
    if ('reason' in bytes) yield bytes
    else if (hasOwnId(bytes)) yield* toTalk(bytes, path, toTitle(path))
    else {
      const isHeld = heldBytes + bytes.length <= maxHeldBytes
      later.set(path, isHeld ? bytes : null)
      if (isHeld) heldBytes += bytes.length
    }
  }
  for (const [path, held] of later) {
    const bytes = held ?? readBytes(root, path)
    later.set(path, null)
    if ('reason' in bytes) yield bytes
    else yield* toTalk(bytes, path, toTitle(path))
  }
}

function readCategory(root: string, event: string): Incoming {
  const path = `${event}/category.json`
  const bytes = readBytes(root, path)
  const file = 'reason' in bytes ? bytes : toObject(bytes, path)
  if ('reason' in file) return file
  const title = categoryFields.title.parse(file.value.title ?? '')
  if (!title.ok) return toProblem(path, 'title', title.problems.join(' '))
  const { description } = file.value
  const text = typeof description === 'string' ? description : ''
  return { is: 'category', path, title: title.value, description: text, original: file.value }
}

function* toTalk(bytes: Buffer, path: string, category: string): Iterable<Incoming> {
  const file = toObject(bytes, path)
  if ('reason' in file) return yield file
  const { id, slug } = file.value
  const parsed = parseFile(file.value, category)
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

function toObject(bytes: Buffer, path: string): { readonly value: JsonObject } | IncomingProblem {
  const parsed = parseJson(bytes)
  if (!parsed.ok) return toProblem(path, null, `Not JSON: ${parsed.problem}`)
  return isJsonObject(parsed.value) ? { value: parsed.value } : toProblem(path, null, 'Not one JSON object.')
}

function readBytes(root: string, path: string): Buffer | IncomingProblem {
  try {
    const place = join(root, path)
    const stats = statSync(place)
    if (!stats.isFile()) return toProblem(path, null, 'Not an ordinary file.')
    if (stats.size > maxFileBytes) return toProblem(path, null, 'The file is too large for a talk.')
    return readFileSync(place)
  } catch (error) {
    return toUnreadable(path, error)
  }
}

function toUnreadable(path: string, error: unknown): IncomingProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
  return toProblem(path, null, `Cannot be read (${code}).`)
}

function toProblem(path: string, field: string | null, reason: string): IncomingProblem {
  return { is: 'problem', path, field, reason }
}
