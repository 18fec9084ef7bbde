import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type ArchivedFields,
  archivedNames,
  categoryFields,
  findDateErrors,
  toArchivedFields,
} from '../record/category.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../record/json.ts'
import { parseProfile, profileNames } from '../record/profile.ts'
import { type ConfinedFolder, openConfinedFolder } from './confined-folder.ts'
import { toGivenSlug, toOwnId, type Unfit } from './fit.ts'
import type { ArchiveSource, Incoming, IncomingProblem, IncomingTalk } from './incoming.ts'
import { parseFile, toFileText } from './pyvideo.ts'
import { hasOwnId } from './records.ts'

/** Files without an id are held in memory up to this size; the rest is read again. */
const maxHeldBytes = 8 * 1024 * 1024

/** One event: its name in paths, and the path of its folder with a slash at its end. */
interface Event {
  readonly name: string
  readonly at: string
}

/** A folder with one folder per event, each with `category.json` and `videos/*.json`; or the folder of one event. */
export function openFolder(path: string): ArchiveSource {
  const root = resolve(path)
  const folder = openConfinedFolder(root)
  const listed = listEvents(root, folder).map((event) => ({ event, videos: listVideos(folder, event) }))
  const files = new Map(listed.flatMap(({ event, videos }) => videos.flatMap((each) => toFiles(event, each))))
  return {
    name: basename(root),
    total: files.size,
    has: (file) => files.has(file),
    async *read() {
      const takedowns = readTakedowns(folder)
      if ('reason' in takedowns) return yield toProblem(takedownFile, null, takedowns.reason)
      const titles = new Map<string, string>()
      for (const { event, videos } of listed) {
        const category = readCategory(folder, event)
        titles.set(event.name, category?.is === 'category' ? category.title : event.name)
        if (category !== null) yield category
        for (const each of videos) if (typeof each !== 'string') yield each
      }
      const toTitle = (file: string) => titles.get(file.slice(0, file.indexOf('/'))) ?? ''
      const unseen = new Set(takedowns.ids)
      for (const each of readTalks(folder, files, (bytes, file) => toTalk(bytes, file, toTitle(file), takedowns.ids))) {
        if (each.is === 'talk' && each.isTakenDown) unseen.delete(each.id ?? 0)
        yield each
      }
      yield* readSpeakers(folder)
      if (unseen.size > 0) yield { is: 'takedowns', ids: [...unseen] }
    },
    *captions() {
      for (const { event } of listed) {
        const names = folder.list(`${event.at}videos`)
        for (const file of 'reason' in names ? [] : names.filter((name) => name.endsWith('.vtt')))
          yield { path: `${event.name}/videos/${file}`, read: () => readTalk(folder, `${event.at}videos/${file}`) }
      }
    },
  }
}

/** Whether a folder has at least one event. */
export function isTalkFolder(path: string): boolean {
  const root = resolve(path)
  return listEvents(root, openConfinedFolder(root)).length > 0
}

/** The folder itself may be an event. A folder called `videos` in it may be the event's talks, or another event. */
function listEvents(root: string, folder: ConfinedFolder): Event[] {
  const isEvent = (at: string) => ['videos', 'category.json'].some((part) => folder.has(`${at}${part}`))
  const names = folder.list('')
  const below = 'reason' in names ? [] : names.filter((name) => isEvent(`${name}/`))
  const isItself = folder.has('category.json') || (folder.has('videos') && !below.includes('videos'))
  const events = below.map((name) => ({ name, at: `${name}/` }))
  return isItself ? [{ name: basename(root), at: '' }, ...events] : events
}

/** Names of files, or why they cannot be listed. An event may have no talks yet. */
function listVideos(folder: ConfinedFolder, { name, at }: Event): readonly (string | IncomingProblem)[] {
  const event = folder.list(at)
  const names = 'reason' in event ? event : folder.list(`${at}videos`)
  if ('reason' in names) return [toProblem('reason' in event ? name : `${name}/videos`, null, names.reason)]
  return names.filter((file) => file.endsWith('.json'))
}

/** The path of a talk in reports, which names its event, and the path of its file. */
function toFiles({ name, at }: Event, file: string | IncomingProblem): [path: string, file: string][] {
  return typeof file === 'string' ? [[`${name}/videos/${file}`, `${at}videos/${file}`]] : []
}

/** Talks with an id come first, so that no other talk of the same source gets that id. */
function* readTalks(
  folder: ConfinedFolder,
  files: ReadonlyMap<string, string>,
  take: (bytes: Buffer, path: string) => Iterable<Incoming>,
): Iterable<Incoming> {
  const later = new Map<string, Buffer | null>()
  let heldBytes = 0
  for (const [path, file] of files) {
    const bytes = readTalk(folder, file)
    if ('reason' in bytes) yield toProblem(path, null, bytes.reason)
    else if (hasOwnId(bytes)) yield* take(bytes, path)
    else {
      const isHeld = heldBytes + bytes.length <= maxHeldBytes
      later.set(path, isHeld ? bytes : null)
      if (isHeld) heldBytes += bytes.length
    }
  }
  for (const [path, held] of later) {
    const bytes = held ?? readTalk(folder, files.get(path) ?? path)
    later.set(path, null)
    if ('reason' in bytes) yield toProblem(path, null, bytes.reason)
    else yield* take(bytes, path)
  }
}

function readTalk(folder: ConfinedFolder, file: string): Buffer | { readonly reason: string } {
  return folder.read(file) ?? { reason: 'Cannot read the file (ENOENT).' }
}

/** Null for an event without a file, which is named after its folder. */
function readCategory(folder: ConfinedFolder, { name, at }: Event): Incoming | null {
  const path = `${name}/category.json`
  const bytes = folder.read(`${at}category.json`)
  if (bytes === null) return null
  const file = 'reason' in bytes ? toProblem(path, null, bytes.reason) : toObject(bytes, path)
  if ('reason' in file) return file
  const title = categoryFields.title.parse(file.value.title ?? '')
  if (!title.ok) return toProblem(path, 'title', title.problems.join(' '))
  return { is: 'category', path, title: title.value, ...fitCategory(file.value), original: file.value }
}

function fitCategory(file: JsonObject): { readonly fields: Partial<ArchivedFields>; readonly unfit: readonly Unfit[] } {
  const parsed = archivedNames.map((name) => [name, categoryFields[name].parse(toGiven(file, name))] as const)
  const fields: Partial<ArchivedFields> = Object.fromEntries(
    parsed.flatMap(([name, each]) => (each.ok ? [[name, each.value]] : [])),
  )
  const unfit = parsed.flatMap(([field, each]) => (each.ok ? [] : [{ field, reason: each.problems.join(' ') }]))
  const wrong = [...findDateErrors(toArchivedFields(fields))].map(([field, reasons]) => ({
    field,
    reason: reasons.join(' '),
  }))
  const { end_date: end, ...others } = fields
  return { fields: wrong.length > 0 || end === undefined ? others : fields, unfit: [...unfit, ...wrong] }
}

/** Null counts as absent. */
const toGiven = (file: JsonObject, name: (typeof archivedNames)[number]) => file[name] ?? toArchivedFields({})[name]

/** Profiles of speakers, in the root of an archive: `{"speakers": [{"name", "note", "links"}]}`. */
export const speakersFile = 'speakers.json'

/** A file of another shape is not ours. */
function* readSpeakers(folder: ConfinedFolder): Iterable<Incoming> {
  const bytes = folder.read(speakersFile)
  if (bytes === null) return
  const file = 'reason' in bytes ? toProblem(speakersFile, null, bytes.reason) : toObject(bytes, speakersFile)
  if ('reason' in file) return yield file
  const { speakers } = file.value
  for (const [i, each] of (Array.isArray(speakers) ? speakers : []).entries()) yield toSpeaker(each, i + 1)
}

function toSpeaker(value: JsonValue, number: number): Incoming {
  const path = `${speakersFile}, entry ${number}`
  if (!isJsonObject(value) || typeof value.name !== 'string') return toProblem(path, 'name', 'This field is required.')
  const unknown = Object.keys(value).find((key) => key !== 'name' && !profileNames.some((name) => name === key))
  if (unknown !== undefined) return toProblem(path, unknown, 'Unknown field.')
  const { changes, errors } = parseProfile(value)
  const [wrong] = errors
  return wrong === undefined
    ? { is: 'speaker', name: value.name.trim(), profile: changes }
    : toProblem(path, wrong[0], wrong[1].join(' '))
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
    // It is not imported, but the file still identifies its record, even if it is no longer a valid talk.
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
  return isJsonObject(parsed.value) ? { value: parsed.value } : toProblem(path, null, 'Not a JSON object.')
}

function toProblem(path: string, field: string | null, reason: string): IncomingProblem {
  return { is: 'problem', path, field, reason }
}

/** Lists talks that must not be published, in the root of an archive: an array of the ids in its files. */
const takedownFile = 'NO_PUBLISH.json'

type Takedowns = { readonly ids: ReadonlySet<number> } | { readonly reason: string }

/** No ids if there is no list. If the list cannot be read, nothing is imported. */
function readTakedowns(inside: ConfinedFolder): Takedowns {
  const bytes = inside.read(takedownFile)
  if (bytes === null) return { ids: new Set() }
  if ('reason' in bytes) return toReason(bytes.reason)
  const parsed = parseJson(bytes)
  if (!parsed.ok) return toReason(`Not JSON: ${parsed.problem}`)
  const ids = Array.isArray(parsed.value) ? parsed.value.map(toOwnId) : [null]
  const known = ids.filter((id) => id !== null)
  return known.length === ids.length ? { ids: new Set(known) } : toReason('Not an array of ids.')
}

const toReason = (reason: string) => ({
  reason: `${reason} It lists talks that must not be published, so nothing was imported.`,
})

/** The id by which a file is listed: its own, or the one in its former URL. Null if it is not listed. */
export function findListedId(ids: ReadonlySet<number>, file: JsonObject): number | null {
  if (ids.size === 0) return null
  return [toOwnId(file.id), toAliasId(file.alias)].find((id) => id !== null && ids.has(id)) ?? null
}

/** `video/2845/the-slug` -> 2845 */
function toAliasId(alias: JsonValue | undefined): number | null {
  return typeof alias === 'string' ? toOwnId(/^\/?video\/(\d{1,16})(?:\/|$)/.exec(alias)?.[1]) : null
}

/** Writes files into a folder, each path once. */
interface FolderWriter {
  /** Returns the path, which differs from the wanted one if that is taken. */
  write(path: string, file: JsonObject): string
  /** Writes a text beside a file: `talk.json` and `-en.vtt` give `talk-en.vtt`. */
  writeBeside(path: string, suffix: string, text: string): void
  has(path: string): boolean
  /** Every file and folder, each before its parent: the order in which to flush them to disk. */
  listWritten(): Iterable<string>
}

/** The path of a file in an archive: the folder of an event, and a file in it. */
const pathPattern = /^(?!\.\.?\/)[^/\0]+\/(?:videos\/)?(?!\.\.?$)[^/\0]+\.json$/

/** Bytes of a name, so that a number can still be added. */
const maxNameBytes = 240

export function isArchivePath(path: string): boolean {
  return pathPattern.test(path) && path.split('/').every((name) => Buffer.byteLength(name) <= maxNameBytes)
}

export function createFolderWriter(root: string): FolderWriter {
  const written = new Set<string>()
  const files: string[] = []
  const folders = new Set<string>()

  function toFree(path: string): string {
    for (let number = 2, free = path; ; number++) {
      if (!written.has(free.toLowerCase())) return free
      free = path.replace(/\.json$/, `-${number}.json`)
    }
  }

  return {
    has: (path) => written.has(path.toLowerCase()),
    write(path, file) {
      if (path !== speakersFile && !isArchivePath(path))
        throw new Error(`${JSON.stringify(path)} is not a path of an archive`)
      const free = toFree(path)
      // Some file systems ignore case.
      written.add(free.toLowerCase())
      const folder = join(root, dirname(free))
      if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
      for (let each = folder; each !== root && !folders.has(each); each = dirname(each)) folders.add(each)
      files.push(join(root, free))
      writeFileSync(join(root, free), toFileText(file), { flag: 'wx' })
      return free
    },
    writeBeside(path, suffix, text) {
      const beside = join(root, path.replace(/\.json$/, suffix))
      files.push(beside)
      writeFileSync(beside, text, { flag: 'wx' })
    },
    listWritten: () => [...files, ...[...folders].toSorted((a, b) => b.length - a.length), root],
  }
}
