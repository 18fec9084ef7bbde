import type { Refusal } from '../record/command.ts'
import { isJsonObject, type JsonValue } from '../record/json.ts'
import { toCounted } from '../record/text/counted.ts'
import type { BatchOther, BatchReport, BulkPreview, Difference } from '../store/change-log.ts'
import type { Outcome } from '../store/store.ts'

export interface BulkText {
  readonly text: string
  /** Whether a record or the whole change was refused. */
  readonly isRefused: boolean
}

/** What became of a bulk change, for people. */
export function toBulkText(outcome: Outcome): BulkText {
  if (outcome.is === 'refused') return { text: toRefusalText(outcome.refusal), isRefused: true }
  if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`a bulk change had the outcome ${outcome.is}`)
  const { batch, preview } = outcome
  const lines = preview === undefined ? toDoneLines(batch) : toPreviewLines(batch, preview)
  return { text: toText([...lines, ...toNoteLines(batch)]), isRefused: batch.refused_count > 0 }
}

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

const toRecords = (count: number) => toCounted(count, 'record')

function toDoneLines(batch: BatchReport): string[] {
  const { id, total, changed, unchanged } = batch
  if (id === null) return [`Nothing to change in ${toRecords(total)}.`]
  return [
    `Changed ${changed} of ${toRecords(total)}, ${unchanged} unchanged${toOthersText(batch)}: batch ${id}.`,
    `To undo it, send POST /api/v2/batches/${id}/undo with an admin's token.`,
  ]
}

/** What a restore does besides fields of records: `; 2 categories restored, links of 1 record restored`. */
function toOthersText({ others }: BatchReport): string {
  const done = others.filter(({ left }) => left === null)
  const isHidden = ({ fields }: BatchOther) => fields.includes('listed')
  const count = (test: (other: BatchOther) => boolean) => new Set(done.filter(test).map(toName)).size
  const hidden = count(isHidden)
  const categories = count((other) => other.kind === 'category' && !isHidden(other))
  const names = count(({ kind }) => kind === 'speaker' || kind === 'tag')
  const linked = count(({ kind }) => kind === 'related')
  const parts = [
    ...(categories === 0 ? [] : [`${toCategories(categories)} restored`]),
    ...(hidden === 0 ? [] : [`${toCategories(hidden)} hidden`]),
    ...(names === 0 ? [] : [`${toCounted(names, 'name')} restored`]),
    ...(linked === 0 ? [] : [`links of ${toRecords(linked)} restored`]),
  ]
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`
}

const toCategories = (count: number) => toCounted(count, 'category', 'categories')

const toName = ({ kind, id }: BatchOther) => `${kind} ${id}`

function toPreviewLines(batch: BatchReport, preview: BulkPreview): string[] {
  const { total, changed, unchanged } = batch
  const { differences, as_of } = preview
  const more = changed - differences.length
  return [
    `Dry run: would change ${changed} of ${toRecords(total)}, ${unchanged} unchanged${toOthersText(batch)}. Nothing was stored.`,
    ...differences.flatMap(toDifferenceLines),
    ...(more > 0 ? [`… and ${toRecords(more)} more`] : []),
    `To change them, repeat without --dry-run, with: --expect ${total} --as-of ${as_of}`,
  ]
}

function toDifferenceLines({ id, fields }: Difference): string[] {
  const values = Object.entries(fields).map(
    ([name, { before, after }]) => `  ${name}: ${show(before)} -> ${show(after)}`,
  )
  return [`record ${id}`, ...values]
}

const maxShown = 200

function show(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function toNoteLines({ refused, refused_count, left, left_count, others }: BatchReport): string[] {
  return [
    ...refused.map(({ id, problem }) => `refused ${id}: ${problem}`),
    ...toMore(refused_count - refused.length),
    ...left.map(({ id, fields, why }) => `left ${id}: ${fields.join(', ')} (${toWords(why)})`),
    ...toMore(left_count - left.length),
    ...others.flatMap((other) => (other.left === null ? [] : [toLeftLine(other)])),
  ]
}

const toLeftLine = (other: BatchOther) =>
  `left ${toName(other)}: ${other.fields.join(', ')} (${toWords(other.left ?? '')}${other.by === null ? '' : ` by ${other.by}`})`

/** A reason of the API as people read it. */
const toWords = (reason: string) => reason.replaceAll('_', ' ')

const toMore = (count: number) => (count > 0 ? [`… and ${toRecords(count)} more`] : [])

function toRefusalText(refusal: Refusal): string {
  const { code } = refusal
  const detail = 'detail' in refusal && refusal.detail !== undefined ? refusal.detail : (texts[code] ?? code)
  const more: JsonValue = 'more' in refusal ? (refusal.more?.refused ?? null) : null
  const refused: readonly JsonValue[] = Array.isArray(more) ? more : []
  const errors =
    refusal.code === 'bad_fields' ? [...refusal.errors].map(([name, all]) => `${name}: ${all.join(' ')}`) : []
  const lines = refused.flatMap((each) => (isJsonObject(each) ? [`refused ${each.id}: ${each.problem}`] : []))
  return toText([detail, ...errors, ...lines])
}

const texts: { readonly [code: string]: string } = {
  records_refused: 'Some records refuse the change. Nothing was changed. Leave them out, or add --partial.',
  bad_fields: 'Nothing was changed.',
}
