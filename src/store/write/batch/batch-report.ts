import { type BatchCommand, outsideEvent, type Refusal } from '../../../record/command.ts'
import type { JsonObject } from '../../../record/json.ts'
import { type Author, hasRole } from '../../../record/role.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Cue, Transcript } from '../../../record/transcript/transcript.ts'
import { isTranscriptName } from '../../../record/transcript/transcript-kind.ts'
import type { BatchKind, BatchReport, BatchState, Difference } from '../../batch-reads.ts'
import { maxNamed } from '../../read/batch-lines.ts'
import { type BatchPart, toOthers } from '../names/name-change.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchNote, BatchProgress } from './batch-rows.ts'
import type { Judgement } from './plan.ts'

export interface ReportedBatch {
  readonly id: number | null
  readonly at: Timestamp
  readonly command: Pick<BatchCommand, 'author' | 'reason'>
  readonly kind: BatchKind
  readonly state: BatchState
  readonly undoes: number | null
  readonly total: number
  readonly progress: BatchProgress
  readonly notes: readonly BatchNote[]
  readonly parts?: readonly BatchPart[]
}

/** The report of a batch that has no row, or whose row is not committed. `max`: how many notes of each kind it has. */
export function toReport(batch: ReportedBatch, max = maxNamed.alone): BatchReport {
  const { id, at, command, kind, state, undoes, total, notes, parts = [] } = batch
  const { done, changed, unchanged } = batch.progress
  const refused = notes.filter((note) => note.kind === 'refused').map(({ id, why }) => ({ id, problem: why }))
  const left = notes.filter((note) => note.kind === 'left').map(({ id, fields, why }) => ({ id, fields, why }))
  return {
    id,
    at,
    by: command.author.name,
    reason: command.reason ?? null,
    kind,
    state,
    total: Math.max(total, done),
    done,
    changed,
    unchanged,
    refused: refused.slice(0, max),
    refused_count: refused.length,
    // Notes of kind `left` have no other reasons.
    left: left.slice(0, max) as BatchReport['left'],
    left_count: left.length,
    others: toOthers(parts).slice(0, max),
    records: changed,
    undoes,
    undone_by: null,
  }
}

const notForEditors = 'Only publishers may change some of these records; see "refused". Nothing was changed.'

/** Why nothing was changed, with every record that refuses: 403 if a higher role could change one of them. */
export function recordsRefused(author: Author, notes: readonly BatchNote[]): Refusal {
  const refused = notes.filter(({ kind }) => kind === 'refused').map(({ id, why }) => ({ id, problem: why }))
  if (refused.some(({ problem }) => problem === outsideEvent.code)) return { ...outsideEvent, more: { refused } }
  const isRole = !hasRole(author.role, 'publisher') && refused.some(({ problem }) => problem === 'publisher_required')
  return isRole
    ? { code: 'publisher_required', detail: notForEditors, more: { refused } }
    : { code: 'records_refused', more: { refused } }
}

export async function toRecordDifference(
  rows: RecordRows,
  id: number,
  { before, after, changed, companions }: Extract<Judgement, { is: 'accepted' }>,
): Promise<Difference> {
  const fields = changed.map((name) => [name, { before: before[name], after: after[name] }] as const)
  const others: [string, Difference['fields'][string]][] = []
  for (const { name, content } of companions) {
    const before = (await rows.companions.find(id, name)).content
    others.push([name, isTranscriptName(name) ? toOwnCues(before, content) : { before, after: content }])
  }
  return { id, fields: Object.fromEntries([...fields, ...others]) }
}

/** Whole transcripts of fifty talks would be tens of megabytes. */
function toOwnCues(before: JsonObject, after: JsonObject) {
  const [old, now] = [toCueMap(before), toCueMap(after)]
  const without = (all: CueMap, others: CueMap) => [...all].flatMap(([key, cue]) => (others.has(key) ? [] : [cue]))
  return { before: { ...before, cues: without(old, now) }, after: { ...after, cues: without(now, old) } }
}

type CueMap = ReadonlyMap<string, Cue>

/** A transcript has the shape that its kind gives it. */
const toCueMap = (content: JsonObject): CueMap =>
  new Map((content as Transcript).cues.map((cue) => [JSON.stringify(cue), cue]))
