import type { ChangeCommand, Precondition, RefusalCode } from '../../src/record/command.ts'
import { toEmbed } from '../../src/record/embed.ts'
import { type WritableName, writableNames } from '../../src/record/fields.ts'
import type { PatchOperation } from '../../src/record/json-patch.ts'
import type { Changes, VideoRecord } from '../../src/record/record.ts'
import { hasRole } from '../../src/record/role.ts'
import type { StoredVersion } from '../../src/store/change-log.ts'

/** A version with the record that it made. */
export interface ModelVersion extends StoredVersion {
  readonly record: VideoRecord
}

export type Fields = Pick<VideoRecord, WritableName>

const media = { length: null, url: null, download_only: false } as const

/** What a body that leaves everything out but the required fields says, by the contract's table. */
const absent: Omit<Fields, 'title' | 'category' | 'state' | 'embed'> = {
  language: '',
  speakers: [],
  tags: [],
  summary: '',
  description: '',
  quality_notes: '',
  copyright_text: '',
  thumbnail_url: '',
  duration: null,
  video_ogv_length: media.length,
  video_ogv_url: media.url,
  video_ogv_download_only: media.download_only,
  video_mp4_length: media.length,
  video_mp4_url: media.url,
  video_mp4_download_only: media.download_only,
  video_webm_length: media.length,
  video_webm_url: media.url,
  video_webm_download_only: media.download_only,
  video_flv_length: media.length,
  video_flv_url: media.url,
  video_flv_download_only: media.download_only,
  source_url: '',
  whiteboard: '',
  recorded: null,
}

export function toWholeFields(changes: Changes, state: VideoRecord['state']): Fields {
  const { title, category } = changes
  if (title === undefined || category === undefined) throw new Error('a required field is missing')
  return { ...absent, embed: toEmbed(changes.source_url ?? ''), state, ...changes, title, category }
}

/** The fields after a change, or why there may be none. */
export function judge(versions: readonly ModelVersion[], command: ChangeCommand): Fields | RefusalCode {
  const current = versions.at(-1)
  if (current === undefined) return 'not_found'
  const isPublisher = hasRole(command.author.role, 'publisher')
  if (current.record.state === 1 && !isPublisher) return 'publisher_required'
  if (isTooLate(current, command.precondition) || isContested(versions, command)) return 'stale'
  const next = toNextFields(current.record, command)
  return typeof next !== 'string' && next.state === 1 && !isPublisher ? 'publisher_required' : next
}

function isTooLate({ versionTag: mark, record }: ModelVersion, precondition: Precondition): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSinceMs } = precondition
  const names = (marks: '*' | readonly string[]) => marks === '*' || marks.includes(mark)
  if (ifNoneMatch !== undefined && names(ifNoneMatch)) return true
  // Like HTTP: the date counts only without tags, and has no milliseconds.
  if (ifMatch !== undefined) return !names(ifMatch)
  const second = `${record.updated.slice(0, 19)}Z`
  return ifUnmodifiedSinceMs !== undefined && Date.parse(second) > ifUnmodifiedSinceMs
}

/** Whether versions after the base touched a field that the command is about. */
function isContested(versions: readonly ModelVersion[], command: ChangeCommand): boolean {
  const { mergeBase } = command.precondition
  if (mergeBase === undefined) return false
  const base = versions.findIndex((version) => version.versionTag === mergeBase)
  if (base === -1) return true
  return versions.slice(base + 1).some((later, i) => {
    const before = versions[base + i]
    return writableNames.some((name) => !isSame(before?.record[name], later.record[name]) && isAbout(command, name))
  })
}

function isAbout(command: ChangeCommand, name: WritableName): boolean {
  switch (command.kind) {
    case 'replace':
      return true
    case 'merge':
      return Object.hasOwn(command.changes, name)
    case 'patch':
      return command.operations.some((operation) => operation.path[0] === name)
  }
}

function toNextFields(record: VideoRecord, command: ChangeCommand): Fields | RefusalCode {
  switch (command.kind) {
    case 'replace':
      return toWholeFields(command.changes, record.state)
    case 'merge':
      return merge(record, command.changes)
    case 'patch':
      return patch(record, command.operations)
  }
}

/** A new address brings its own player, unless somebody has chosen one. */
function merge(record: VideoRecord, changes: Changes): Fields {
  const isOurs = record.embed === toEmbed(record.source_url)
  const { source_url: address } = changes
  return { ...record, ...(address !== undefined && isOurs ? { embed: toEmbed(address) } : {}), ...changes }
}

/** Only what the tests' patches do: single fields by name, and a tag at the end. */
function patch(record: VideoRecord, operations: readonly PatchOperation[]): Fields | RefusalCode {
  const patched = new Map<string, unknown>(Object.entries(record))
  for (const operation of operations) {
    const [name = '', place] = operation.path
    if (operation.op === 'test' && !isSame(patched.get(name), operation.value)) return 'patch_test_failed'
    if (operation.op !== 'add' && operation.op !== 'test' && !patched.has(name)) return 'patch_impossible'
    if (operation.op === 'remove') patched.delete(name)
    if (operation.op === 'replace') patched.set(name, operation.value)
    if (operation.op !== 'add') continue
    const tags = patched.get(name)
    if (place !== '-' || !Array.isArray(tags)) return 'patch_impossible'
    patched.set(name, [...tags, operation.value])
  }
  return toPatchedFields(record, patched)
}

function toPatchedFields(record: VideoRecord, patched: ReadonlyMap<string, unknown>): Fields | RefusalCode {
  const different = writableNames.filter((name) => !isSame(record[name], patched.get(name)))
  if (different.some((name) => name === 'title' && !patched.get(name))) return 'bad_fields'
  const changes = different.map((name) => {
    const value = patched.get(name) ?? null
    return [name, Array.isArray(value) ? [...new Set(value)] : value]
  })
  // The tests' patches put nothing else in place of a value but what its field may hold.
  return merge(record, Object.fromEntries(changes) as Changes)
}

export const isSame = (one: unknown, other: unknown) => Bun.deepEquals(one, other)

export function toFields(record: VideoRecord): Fields {
  // The same fields with the same types, only fewer.
  return Object.fromEntries(writableNames.map((name) => [name, record[name]])) as Fields
}
