import { basename, resolve } from 'node:path'
import { categoryFields } from '../record/category.ts'
import { isJsonObject, type JsonObject } from '../record/json/json-value.ts'
import { parseJson } from '../record/json/strict-json.ts'
import { type ConfinedFolder, openConfinedFolder } from './confined-folder.ts'
import { toGivenSlug, toOwnId } from './fit.ts'
import type { ArchiveSource, Incoming, IncomingProblem, IncomingTalk } from './incoming.ts'
import { parseFile } from './pyvideo.ts'
import { findListedId, readTakedowns, takedownFile } from './takedowns.ts'
import { hasOwnId } from './texts.ts'

/** So much of what has to wait is held in memory; the rest is read again. */
const maxHeldBytes = 8 * 1024 * 1024

/** One event: its name in paths, and where it lies, with a slash behind it. */
interface Event {
  readonly name: string
  readonly at: string
}

/** A folder with a folder for each event, which has `category.json` and `videos/*.json`; or the folder of one event. */
export function openFolder(path: string): ArchiveSource {
  const root = resolve(path)
  const inside = openConfinedFolder(root)
  const listed = listEvents(root, inside).map((event) => ({ event, videos: listVideos(inside, event) }))
  const files = new Map(listed.flatMap(({ event, videos }) => videos.flatMap((each) => toFiles(event, each))))
  return {
    name: basename(root),
    total: files.size,
    has: (file) => files.has(file),
    async *read() {
      const takedowns = readTakedowns(inside)
      if ('reason' in takedowns) return yield toProblem(takedownFile, null, takedowns.reason)
      const titles = new Map<string, string>()
      for (const { event, videos } of listed) {
        const category = readCategory(inside, event)
        titles.set(event.name, category?.is === 'category' ? category.title : event.name)
        if (category !== null) yield category
        for (const each of videos) if (typeof each !== 'string') yield each
      }
      const toTitle = (file: string) => titles.get(file.slice(0, file.indexOf('/'))) ?? ''
      const unmet = new Set(takedowns.ids)
      for (const each of readTalks(inside, files, (bytes, file) => toTalk(bytes, file, toTitle(file), takedowns.ids))) {
        if (each.is === 'talk' && each.isTakenDown) unmet.delete(each.id ?? 0)
        yield each
      }
      if (unmet.size > 0) yield { is: 'takedowns', ids: [...unmet] }
    },
  }
}

/** Whether a folder looks like one of these. */
export function isTalkFolder(path: string): boolean {
  const root = resolve(path)
  return listEvents(root, openConfinedFolder(root)).length > 0
}

/** The folder itself is an event where it has what events have; but a folder called `videos` may be an event of its own. */
function listEvents(root: string, inside: ConfinedFolder): Event[] {
  const isEvent = (at: string) => ['videos', 'category.json'].some((part) => inside.has(`${at}${part}`))
  const names = inside.list('')
  const below = 'reason' in names ? [] : names.filter((name) => isEvent(`${name}/`))
  const isItself = inside.has('category.json') || (inside.has('videos') && !below.includes('videos'))
  const events = below.map((name) => ({ name, at: `${name}/` }))
  return isItself ? [{ name: basename(root), at: '' }, ...events] : events
}

/** Names of files, or why there are none. An event may have no talks yet. */
function listVideos(inside: ConfinedFolder, { name, at }: Event): readonly (string | IncomingProblem)[] {
  const event = inside.list(at)
  const names = 'reason' in event ? event : inside.list(`${at}videos`)
  if ('reason' in names) return [toProblem('reason' in event ? name : `${name}/videos`, null, names.reason)]
  return names.filter((file) => file.endsWith('.json'))
}

/** The path of a talk, which names its event, and where its file lies. */
function toFiles({ name, at }: Event, file: string | IncomingProblem): [path: string, place: string][] {
  return typeof file === 'string' ? [[`${name}/videos/${file}`, `${at}videos/${file}`]] : []
}

/** Those with an id of their own come first, so that no other talk of the same source is given it. */
function* readTalks(
  inside: ConfinedFolder,
  files: ReadonlyMap<string, string>,
  take: (bytes: Buffer, path: string) => Iterable<Incoming>,
): Iterable<Incoming> {
  const later = new Map<string, Buffer | null>()
  let heldBytes = 0
  for (const [path, place] of files) {
    const bytes = readTalk(inside, place)
    if ('reason' in bytes) yield toProblem(path, null, bytes.reason)
    else if (hasOwnId(bytes)) yield* take(bytes, path)
    else {
      const isHeld = heldBytes + bytes.length <= maxHeldBytes
      later.set(path, isHeld ? bytes : null)
      if (isHeld) heldBytes += bytes.length
    }
  }
  for (const [path, held] of later) {
    const bytes = held ?? readTalk(inside, files.get(path) ?? path)
    later.set(path, null)
    if ('reason' in bytes) yield toProblem(path, null, bytes.reason)
    else yield* take(bytes, path)
  }
}

function readTalk(inside: ConfinedFolder, place: string): Buffer | { readonly reason: string } {
  return inside.read(place) ?? { reason: 'Cannot be read (ENOENT).' }
}

/** Null for an event without a file of its own, which is called as its folder. */
function readCategory(inside: ConfinedFolder, { name, at }: Event): Incoming | null {
  const path = `${name}/category.json`
  const bytes = inside.read(`${at}category.json`)
  if (bytes === null) return null
  const file = 'reason' in bytes ? toProblem(path, null, bytes.reason) : toObject(bytes, path)
  if ('reason' in file) return file
  const title = categoryFields.title.parse(file.value.title ?? '')
  if (!title.ok) return toProblem(path, 'title', title.problems.join(' '))
  const description = categoryFields.description.parse(file.value.description ?? '')
  return {
    is: 'category',
    path,
    title: title.value,
    description: description.ok ? description.value : '',
    unfit: description.ok ? [] : [{ field: 'description', reason: description.problems.join(' ') }],
    original: file.value,
  }
}

function* toTalk(bytes: Buffer, path: string, category: string, listed: ReadonlySet<number>): Iterable<Incoming> {
  const file = toObject(bytes, path)
  if ('reason' in file) return yield file
  const { id, slug } = file.value
  const talk: Omit<IncomingTalk, 'changes' | 'unfit' | 'isTakenDown'> = {
    is: 'talk',
    path,
    id: toOwnId(id),
    slug: toGivenSlug(slug),
    added: null,
    updated: null,
    original: { is: 'file', values: file.value },
  }
  const listedId = findListedId(listed, file.value)
  if (listedId !== null) {
    // Nothing of it comes in, but its record is found by what it says, even if that is no talk any more.
    const known = parseFile({ ...file.value, title: 'Taken down' }, category)
    const changes = known.ok ? known.changes : { title: '', category }
    return yield { ...talk, id: listedId, changes, unfit: [], isTakenDown: true }
  }
  const fitted = parseFile(file.value, category)
  if (fitted.ok) yield { ...talk, changes: fitted.changes, unfit: fitted.unfit, isTakenDown: false }
  else for (const [field, reasons] of fitted.errors) yield toProblem(path, field, reasons.join(' '))
}

function toObject(bytes: Buffer, path: string): { readonly value: JsonObject } | IncomingProblem {
  const parsed = parseJson(bytes)
  if (!parsed.ok) return toProblem(path, null, `Not JSON: ${parsed.problem}`)
  return isJsonObject(parsed.value) ? { value: parsed.value } : toProblem(path, null, 'Not one JSON object.')
}

function toProblem(path: string, field: string | null, reason: string): IncomingProblem {
  return { is: 'problem', path, field, reason }
}
