import type { ChangeCommand, CreateCommand, RefusalCode, RestoreCommand } from '../../src/record/command.ts'
import { isWritableName, writableNames } from '../../src/record/fields.ts'
import { toBody, type VideoRecord } from '../../src/record/record.ts'
import { hasRole } from '../../src/record/role.ts'
import type { RefusedRecord, UnchangedFields } from '../../src/store/batch-reads.ts'
import type { Outcome } from '../../src/store/store.ts'
import { type Fields, isSame, judge, type ModelVersion, toFields, toWholeFields } from './model-change.ts'
import { addNames, type Merge, type Names } from './model-names.ts'

/** All there is: each record's versions (record 1 first), categories, batches, and the order of commits. */
export interface State {
  readonly records: ModelVersion[][]
  readonly categories: { title: string; readonly slug: string }[]
  readonly names: Names
  readonly batches: Batch[]
  readonly log: { readonly id: number; readonly version: ModelVersion }[]
}

export interface Batch {
  readonly kind: 'rename category' | 'merge speaker' | 'merge tag' | 'bulk' | 'restore' | 'undo'
  readonly at: string
  readonly by: string
  readonly reason: string | null
  readonly records: number
  readonly undoes: number | null
  readonly total: number
  readonly left: readonly UnchangedFields[]
  readonly refused: readonly RefusedRecord[]
  /** Which category (by its place) got which title instead of which; null where records moved, but no title changed. */
  readonly rename: { readonly place: number; readonly from: string; readonly to: string } | null
  readonly merge: Merge | null
}

/** A refusal's other parts are words for people. */
export const refuse = (code: RefusalCode) => ({ is: 'refused', refusal: { code } }) as Outcome

export function create(state: State, command: CreateCommand, at: string): Outcome {
  const { changes, author, isDryRun = false } = command
  if (changes.state === 1 && !hasRole(author.role, 'publisher')) return refuse('publisher_required')
  const fields = toWholeFields(changes, 2)
  const slugs = state.records.map((versions) => versions[0]?.record.slug)
  const versions: ModelVersion[] = []
  state.records.push(versions)
  const id = isDryRun ? 0 : state.records.length
  const record = { ...fields, id, slug: toFreeSlug(fields.title, slugs), added: at, updated: at }
  return save(state, versions, record, command, null)
}

export function restore(state: State, { kind: _, number, ...command }: RestoreCommand, at: string): Outcome {
  const earlier = state.records[command.id - 1]?.[number - 1]
  if (earlier === undefined) return refuse('no_such_record_version')
  return change(state, { ...command, kind: 'replace', changes: toFields(earlier.record) }, at, null)
}

export function change(state: State, command: ChangeCommand, at: string, batch: number | null): Outcome {
  const versions = state.records[command.id - 1] ?? []
  const current = versions.at(-1)
  const judged = judge(versions, command)
  if (current === undefined || typeof judged === 'string') return refuse(judged as RefusalCode)
  const next = toNextRecord(current.record, judged, at)
  if (isSame(toFields(current.record), toFields(next))) return { is: 'unchanged', stored: toStored(current) }
  return save(state, versions, next, command, batch)
}

function toNextRecord({ id, slug, added, updated }: VideoRecord, fields: Fields, at: string): VideoRecord {
  const soonest = new Date(Date.parse(`${updated}Z`) + 1).toISOString().slice(0, 23)
  return { ...fields, id, slug, added, updated: at > updated ? at : soonest }
}

function save(
  state: State,
  versions: ModelVersion[],
  record: VideoRecord,
  { author, reason }: CreateCommand | ChangeCommand,
  batch: number | null,
): Outcome {
  const before = versions.at(-1)?.record ?? null
  const body = toBody(record)
  const number = versions.length + 1
  const version: ModelVersion = {
    version: number,
    at: record.updated,
    by: author.name,
    kind: toKind(before, record),
    reason: reason ?? null,
    batch,
    changed: writableNames.filter((name) => before === null || !isSame(before[name], record[name])),
    versionTag: `${number}-${new Bun.CryptoHasher('sha256').update(body).digest('hex').slice(0, 8)}`,
    body,
    record,
  }
  addCategory(state, record.category)
  addNames(state.names, record)
  versions.push(version)
  state.log.push({ id: record.id, version })
  return { is: 'stored', stored: toStored(version), changed: version.changed.filter(isWritableName) }
}

function toKind(before: VideoRecord | null, after: VideoRecord) {
  if (before === null || (before.state === 2 && after.state === 1)) return 'created'
  return before.state === 1 && after.state === 2 ? 'withdrawn' : 'updated'
}

function addCategory(state: State, title: string): void {
  if (state.categories.some((category) => category.title === title)) return
  const slugs = state.categories.map((category) => category.slug)
  state.categories.push({ title, slug: toFreeSlug(title, slugs) })
}

/** Enough for the titles that the tests use, which are plain English. */
function toFreeSlug(title: string, taken: readonly (string | undefined)[]): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const slug = words.join('-')
  if (!taken.includes(slug)) return slug
  let number = 2
  while (taken.includes(`${slug}-${number}`)) number++
  return `${slug}-${number}`
}

export function toStored({ version, versionTag, body, record: { id, state, updated } }: ModelVersion) {
  return { id, version, versionTag, state, updated, body }
}
