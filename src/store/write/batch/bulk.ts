import { type BulkPatch, type BulkRequest, maxSelected } from '../../../record/bulk.ts'
import type { BulkCommand } from '../../../record/command.ts'
import { type CompanionChange, companionNames, toKind } from '../../../record/companion/kinds.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../record/json.ts'
import { toMovedChanges } from '../../../record/link/moved.ts'
import { toPatchedFields, toRecordChanges } from '../../../record/parse-bulk.ts'
import { type Changes, type FieldErrors, fromBody, type VideoRecord } from '../../../record/record.ts'
import { type Replacement, replaceInTranscript } from '../../../record/transcript/replace-text.ts'
import type { Transcript } from '../../../record/transcript/transcript.ts'
import { toTranscriptLanguage } from '../../../record/transcript/transcript-kind.ts'
import type { Outcome } from '../../store.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchNote } from './batch-rows.ts'
import { type Judge, judgeChanges, type Plan, refuseCommand, refuseRecord } from './plan.ts'
import { findRestore, planNamesRestore } from './restore.ts'
import type { SelectionRows } from './selection-rows.ts'
import { toIdsHash } from './selection-rows.ts'

/** A bulk change: a patch, or a restore, which reverts the changes of an author (decisions 51 and 72). */
export async function planBulk(
  rows: RecordRows,
  selections: SelectionRows,
  command: BulkCommand,
  isRepeat: boolean,
): Promise<Outcome | Plan> {
  const { select, work, isPartial } = command.request
  const found = await findSelected(rows, selections, command.request, isRepeat)
  if (found.is === 'refused') return found
  const { ids } = found
  const plan = {
    is: 'plan',
    kind: work.is === 'restore' ? 'restore' : 'bulk',
    command,
    undoes: null,
    ids,
    judge: await createBulkJudge(rows, selections, command, ids),
    isAllOrNothing: !isPartial && !isRepeat,
    maySlice: false,
    isRepeat,
  } as const
  if (isRepeat) return plan
  if (work.is === 'patch') {
    const part = { kind: 'patch', patch: toShortPatch(work.said) } as const
    return { ...plan, finish: async () => ({ parts: [part] }) }
  }
  if (work.is === 'moved') return plan
  if (select.is !== 'by') throw new Error('a restore needs an author')
  // Names belong to all events, so that a limited author restores none, like an editor.
  const { author } = command
  const restorer = author.events === undefined ? author : ({ ...author, role: 'editor' } as const)
  const names = await planNamesRestore(rows, selections, restorer, select)
  return 'refusal' in names ? refuseCommand(names.refusal) : { ...plan, ...names }
}

/** Enough for a sentence; the differences are in the versions. */
const [maxText, maxEntries] = [200, 20] as const

const toShortPatch = (patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, toShortValue(value)]))

function toShortValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return [...value.slice(0, 2 * maxText)].slice(0, maxText).join('')
  if (Array.isArray(value)) return value.slice(0, maxEntries).map(toShortValue)
  return isJsonObject(value) ? toShortPatch(value) : value
}

type Found = { readonly is: 'found'; readonly ids: readonly number[] }

/** The ids of the selected records; a refusal if they are too many or not the expected ones. */
export async function findSelected(
  rows: RecordRows,
  selections: SelectionRows,
  { select, expect, expectHash, asOf }: Pick<BulkRequest, 'select' | 'expect' | 'expectHash' | 'asOf'>,
  isRepeat: boolean,
): Promise<Extract<Outcome, { is: 'refused' }> | Found> {
  const { ids, count } = await selections.select(select)
  const more = { count }
  if (isRepeat) return { is: 'found', ids }
  if (count > maxSelected) return refuseCommand({ code: 'too_many_records', detail: toTooMany(count), more })
  if (expect !== null && expect !== count) {
    const detail = `The selection has ${count} records, not ${expect}. Nothing was changed. Look at them, then repeat.`
    return refuseCommand({ code: 'unexpected_count', detail, more })
  }
  if (expectHash !== undefined && expectHash !== toIdsHash(ids)) {
    const detail = 'The selection has different records than expected. Nothing was changed. Look at them, then repeat.'
    return refuseCommand({ code: 'unexpected_count', detail, more })
  }
  return (await refuseUnknownSeq(rows, asOf)) ?? { is: 'found', ids }
}

/** Refuses `as_of` if it comes from no dry run. */
export async function refuseUnknownSeq(rows: RecordRows, asOf: number | null) {
  if (asOf === null || asOf <= (await rows.readLastSeq())) return null
  const errors = new Map([['as_of', ['This is not a number that a dry run has returned.']]])
  return refuseCommand({ code: 'bad_fields', errors })
}

function toTooMany(count: number): string {
  const [found, max] = [count, maxSelected].map((each) => each.toLocaleString('en'))
  return `The selection has ${found} records; at most ${max} can change at once. Narrow it, and send several requests.`
}

type Wanted =
  | {
      readonly ok: true
      readonly changes: Changes
      readonly companions?: readonly CompanionChange[]
      readonly notes?: readonly BatchNote[]
    }
  | { readonly ok: false; readonly errors: FieldErrors }

async function createBulkJudge(
  rows: RecordRows,
  selections: SelectionRows,
  { request, author }: BulkCommand,
  ids: readonly number[],
): Promise<Judge> {
  const { select, work, asOf } = request
  const later = asOf === null ? null : await findLater(selections, asOf, new Set(ids))
  const moved = select.is === 'moved' ? await selections.listMoved(select.urls) : null
  const patched = work.is === 'patch' ? toPatchedFields(work.patch) : null

  async function findChanges(record: VideoRecord): Promise<Wanted> {
    if (work.is === 'patch') return toPatched(rows, record, work.patch)
    if (moved !== null) {
      const { recordings, related } = await rows.companions.findAll(record.id)
      return { ok: true, ...toMovedChanges(record, { recordings, related }, moved.get(record.id) ?? []) }
    }
    if (select.is !== 'by') throw new Error('a restore needs an author')
    const { changes, companions, left } = await findRestore(rows, selections, record, select)
    return { ok: true, changes, companions, notes: left.map((each) => ({ id: record.id, kind: 'left', ...each })) }
  }

  const isLater = (id: number, { changes, companions = [] }: Extract<Wanted, { ok: true }>) =>
    [...(patched ?? Object.keys(changes)), ...companions.map(({ name }) => name)].some((name) =>
      later?.get(id)?.has(name),
    )

  return async (id, stored, at) => {
    if (stored === null) return refuseRecord(id, (await rows.isErased(id)) ? 'gone' : 'not_found')
    const wanted = await findChanges(fromBody(stored.body))
    if (!wanted.ok) return refuseRecord(id, 'bad_fields', [...wanted.errors.keys()])
    const judged = judgeChanges(stored, { author, ...wanted }, at)
    return judged.is !== 'refused' && isLater(id, wanted) ? refuseRecord(id, 'changed_since') : judged
  }
}

/** The changes of a patch in one record and its companions. */
async function toPatched(rows: RecordRows, record: VideoRecord, patch: BulkPatch): Promise<Wanted> {
  const wanted = toRecordChanges(record, patch)
  const edits = companionNames.flatMap((name) => {
    const request = patch.companions?.[name]
    return request === undefined ? [] : [{ name, request }]
  })
  if (!wanted.ok || (edits.length === 0 && patch.transcripts === undefined)) return wanted
  const companions: CompanionChange[] = []
  for (const { name, request } of edits) {
    const { content } = await rows.companions.find(record.id, name)
    const edited = toKind(name).edit?.apply(content, request, record) ?? null
    if (edited === null) return { ok: false, errors: new Map([[name, ['It would have too many entries.']]]) }
    if (!isSameJson(edited, content)) companions.push({ name, content: edited })
  }
  if (patch.transcripts === undefined) return { ...wanted, companions }
  const replaced = await findReplaced(rows, record.id, patch.transcripts)
  if (replaced !== null) return { ...wanted, companions: [...companions, ...replaced] }
  return { ok: false, errors: new Map([['transcripts', ['A cue would be too long.']]]) }
}

/** The transcripts of a record in which a text is replaced; null if one cannot be. */
async function findReplaced(rows: RecordRows, id: number, wanted: Replacement): Promise<CompanionChange[] | null> {
  const changes: CompanionChange[] = []
  for (const name of await rows.companions.listTranscripts(id)) {
    if (wanted.language !== undefined && toTranscriptLanguage(name) !== wanted.language) continue
    // Only parsed transcripts are stored under such a name.
    const content = (await rows.companions.find(id, name)).content as Transcript
    const replaced = replaceInTranscript(content, wanted)
    if (replaced === null) return null
    if (!isSameJson(replaced, content)) changes.push({ name, content: replaced })
  }
  return changes
}

export type Later = ReadonlyMap<number, ReadonlySet<string>>

/** The fields of these records that were changed after a seq, in one pass over the later changes. */
export async function findLater(selections: SelectionRows, asOf: number, among: ReadonlySet<number>): Promise<Later> {
  const later = new Map<number, Set<string>>()
  for await (const { id, changed } of selections.listLater(asOf)) {
    if (!among.has(id)) continue
    const known = later.get(id) ?? new Set()
    for (const name of changed) known.add(name)
    later.set(id, known)
  }
  return later
}
