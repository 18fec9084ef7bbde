import { toEditedNames } from '../../record/companion/related.ts'
import { fields } from '../../record/fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import { live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toShort } from '../../record/text/printable.ts'
import type { BatchContent, BatchKind, BatchLine, CreatedRecords } from '../../store/batch-reads.ts'
import { toReadableValue } from '../diff.tsx'
import { toFullLabel, toWritable, type WritableIn } from '../form/field-hints.ts'
import type { UndoneTalks } from './batch-view.ts'

/** A part of a sentence: our own words, or a text of the archive, which may be in any script. */
type Phrase = string | { readonly text: string }

interface SaidBatch {
  readonly content: BatchContent
  /** How many talks it changed. */
  readonly talks: number
}

/** What a batch did, in words: `Language set to English in 62 talks`. */
export function BatchSentence(batch: SaidBatch) {
  return (
    <>
      {toBatchSentence(batch).map((part, i) =>
        typeof part === 'string' ? part : <bdi key={i}>{toShort(part.text, maxShown)}</bdi>,
      )}
    </>
  )
}

/** The same as plain text, for the title of a page. */
export const toBatchText = (batch: SaidBatch) =>
  toBatchSentence(batch)
    .map((part) => (typeof part === 'string' ? part : toShort(part.text, maxShown)))
    .join('')

/** `talks` is left out where the sentence is about one talk, or about none. */
function toBatchSentence({ content, talks }: SaidBatch): readonly Phrase[] {
  const { undone } = content
  const counted = toCounted(talks, 'talk')
  const inTalks = talks === 0 ? '' : ` in ${counted}`
  if (undone !== null) {
    const state = toStateDeed(undone, counted)
    if (state !== null) return [`Undone: ${state}`]
    if (undone.kind === 'table') return ['Undone: ', ...toTableDeed(undone.created, undone.talks)]
    if (undone.kind === 'import') return [`Undone: import of ${toCounted(undone.talks, 'talk')}`]
    const did = undone.undoes === null ? toDeed(undone) : [`Undo of bulk change ${undone.undoes}`]
    return ['Undone: ', ...did, inTalks]
  }
  const state = toStateDeed(content, counted)
  if (state !== null) return [state]
  switch (content.kind) {
    case 'import':
      return [`${counted} imported`]
    case 'table':
      // One of them is the talk whose chapters they are.
      if (content.patch !== null) return [`${toCounted(Math.max(0, talks - 1), 'draft')} made of chapters`]
      return toTableDeed(content.created, talks)
    case 'merge video':
      return toDeed(content)
    case 'bulk':
      // What it would do is known once it has changed a talk.
      if (talks === 0 && content.patch === null && content.fields.length === 0) return ['Change of many talks']
      return [...toDeed(content), inTalks]
    default:
      return [...toDeed(content), inTalks]
  }
}

/** `29 drafts created in PyCon X and 3 talks changed from a table`. */
function toTableDeed(created: CreatedRecords | null, talks: number): readonly Phrase[] {
  const drafts = created?.count ?? 0
  const changed = drafts > 0 && talks <= drafts ? [] : [`${toCounted(talks - drafts, 'talk')} changed`]
  const where: readonly Phrase[] = created?.category == null ? [] : [' in ', { text: created.category }]
  const made: readonly Phrase[] = drafts === 0 ? [] : [`${toCounted(drafts, 'draft')} created`, ...where]
  return [...made, ...(made.length > 0 && changed.length > 0 ? [' and '] : []), ...changed, ' from a table']
}

/** A change of the state alone reads better the other way round. */
function toStateDeed({ patch }: Pick<BatchContent, 'patch'>, counted: string): string | null {
  if (patch === null || patch.state === undefined || Object.keys(patch).length > 1) return null
  return `${counted} ${patch.state === live ? 'published' : 'withdrawn'}`
}

const deeds: { readonly [kind in BatchKind]: string } = {
  import: 'Import',
  table: 'Table',
  'rename category': 'Event ',
  'rename speaker': 'Speaker ',
  'rename tag': 'Tag ',
  'merge category': 'Event ',
  'merge speaker': 'Speaker ',
  'merge tag': 'Tag ',
  'merge video': 'Talk ',
  undo: 'Undo',
  bulk: 'Fields changed',
  restore: 'Changes by one author reverted',
}

/** What was done, without the number of talks. */
function toDeed(content: Pick<BatchContent, 'kind' | 'pairs' | 'morePairs' | 'patch' | 'fields'>): readonly Phrase[] {
  const { kind, patch } = content
  const verb = kind.startsWith('rename') ? ' renamed to ' : kind.startsWith('merge') ? ' merged into ' : null
  if (verb !== null) return toPairs(content, verb)
  if (kind === 'table' && patch !== null) return ['Drafts made of chapters']
  if (kind !== 'bulk') return [deeds[kind]]
  if (patch !== null) {
    const own = toWritable(fields).flatMap(([name, field]) => {
      const label = toSharedLabel(name, patch)
      return label === null ? [] : toClauses(label, name, field, patch[name])
    })
    return join([...own, ...toLinkClauses(patch.related), ...toTranscriptClauses(patch.transcripts)])
  }
  return content.fields.length === 0 ? [deeds.bulk] : [`${content.fields.map(toFullLabel).join(', ')} changed`]
}

function toPairs(
  { kind, pairs, morePairs }: Pick<BatchContent, 'kind' | 'pairs' | 'morePairs'>,
  verb: string,
): readonly Phrase[] {
  const [first] = pairs
  if (first === undefined) return [`${deeds[kind].trim()}${verb.trimEnd()} another`]
  if (kind === 'merge video' && first.from === first.to) return ['Duplicate of ', toName(first.to), ' merged into it']
  const named = join(pairs.map(({ from, to }) => [deeds[kind], toName(from), verb, toName(to)]))
  return morePairs === 0 ? named : [...named, ` and ${toNumber(morePairs)} more`]
}

const toName = (name: string | null): Phrase => (name === null ? 'a name that no longer exists' : { text: name })

const join = (clauses: readonly (readonly Phrase[])[]) =>
  clauses.flatMap((clause, i) => (i === 0 ? clause : ['; ', ...clause.map(toLower)]))

/** A label within a sentence; `MP4` stays. */
const toLower = (part: Phrase, i: number): Phrase => (i === 0 && typeof part === 'string' ? lowerFirst(part) : part)

const lowerFirst = (text: string) => text.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase())

const addresses = toWritable(fields).flatMap(([name, { kind }]) => (kind.type === 'url' ? [name] : []))

/** Fields whose labels together would be longer than the rest of the sentence. */
const addressGroups = [
  { label: 'All addresses', names: addresses },
  { label: 'Addresses of files', names: addresses.filter((name) => name.startsWith('video_')) },
]

/** The label of a field with those of all that have the same edit: `Title, summary`. Null for all but the first of them. */
export function toSharedLabel(name: string, patch: JsonObject): string | null {
  const edit = patch[name]
  if (!isJsonObject(edit)) return toFullLabel(name)
  const alike = toWritable(fields).flatMap(([each]) => (isSameJson(patch[each] ?? null, edit) ? [each] : []))
  if (alike[0] !== name) return null
  const group = addressGroups.find(({ names }) => isSameJson(names, alike))
  if (group !== undefined) return group.label
  return alike.map((each, i) => (i === 0 ? toFullLabel(each) : lowerFirst(toFullLabel(each)))).join(', ')
}

/** What a patch did to one field, or to several in the same way: a clause for each operation. */
function toClauses(
  label: string,
  name: string,
  { kind }: WritableIn,
  value: JsonValue | undefined,
): readonly (readonly Phrase[])[] {
  const show = (operand: JsonValue): Phrase => ({ text: toReadableValue(name, kind, operand) })
  if (value === undefined) return []
  if (isJsonObject(value)) return kind.type === 'list' ? toListClauses(label, value, show) : [toEdit(label, value)]
  if (value === null || value === '' || isSameJson(value, [])) return [[`${label} cleared`]]
  return [[`${label} ${Array.isArray(value) ? 'replaced with' : 'set to'} `, show(value)]]
}

function toListClauses(label: string, { add, remove, split }: JsonObject, show: (operand: JsonValue) => Phrase) {
  return [
    ...(split === undefined ? [] : [[`${label} split into one entry each`]]),
    ...(add === undefined ? [] : [[`${label} added: `, show(add)]]),
    ...(remove === undefined ? [] : [[`${label} removed: `, show(remove)]]),
  ]
}

function toTranscriptClauses(request: JsonValue | undefined): readonly (readonly Phrase[])[] {
  if (!isJsonObject(request)) return []
  const { find = '', replace, language } = request
  return [toReplaced('Transcripts', find, replace, language === undefined ? '' : ` (${language})`)]
}

function toLinkClauses(request: JsonValue | undefined): readonly (readonly Phrase[])[] {
  const { added, removed } = toEditedNames(request)
  const toClause = (names: readonly string[], verb: string) =>
    names.length === 0
      ? []
      : [[names.length === 1 ? 'Link ' : 'Links ', ...toQuotedList(names), ` ${verb}`] as readonly Phrase[]]
  return [...toClause(added, 'added'), ...toClause(removed, 'removed')]
}

const toQuotedList = (names: readonly string[]) =>
  names.flatMap((name, i): readonly Phrase[] => [i === 0 ? '' : ', ', toQuoted(name)])

/** An edit of the value that each record had. */
function toEdit(label: string, edit: JsonObject): readonly Phrase[] {
  const { find, replace, cut_start: cutStart, prefix, cut_end: cutEnd, suffix } = edit
  if (find !== undefined) return toReplaced(label, find, replace, '')
  if (cutStart !== undefined) return toReplaced(label, cutStart, prefix, ' at the start')
  if (cutEnd !== undefined) return toReplaced(label, cutEnd, suffix, ' at the end')
  if (prefix !== undefined) return [`${label}: `, toQuoted(prefix), ' added at the start']
  if (suffix !== undefined) return [`${label}: `, toQuoted(suffix), ' added at the end']
  if (edit.divide !== undefined) return [`${label} divided by ${edit.divide}`]
  if (edit.multiply !== undefined) return [`${label} multiplied by ${edit.multiply}`]
  return [`Missing ${lowerFirst(label)} added`]
}

function toReplaced(label: string, from: JsonValue, to: JsonValue | undefined, where: string): readonly Phrase[] {
  const start = [`${label}: `, toQuoted(from)]
  return to === undefined || to === ''
    ? [...start, ` removed${where}`]
    : [...start, `${where} replaced with `, toQuoted(to)]
}

const toQuoted = (text: JsonValue): Phrase => ({ text: `“${text}”` })

/** `Done: 29 drafts created, 1 row refused.` */
export function toDoneText(batch: BatchLine, { created }: BatchContent): string {
  const drafts = created?.count ?? 0
  const refused = countRefusedRows(batch)
  const changed = batch.changed - drafts
  return toResult('Done', [
    ...(drafts === 0 ? [] : [`${toCounted(drafts, 'draft')} created`]),
    ...(changed === 0 && drafts > 0 ? [] : [`${toCounted(changed, 'talk')} changed`]),
    ...(refused === 0 ? [] : [`${toCounted(refused, 'row')} refused`]),
  ])
}

/** `Undone: 29 new drafts set aside.` */
export function toUndoneText({ changed }: BatchLine, undone?: UndoneTalks): string {
  const { withdrawn, setAside } = undone ?? { withdrawn: 0, setAside: 0 }
  const restored = changed - withdrawn - setAside
  return toResult('Undone', [
    ...(setAside === 0 ? [] : [`${toCounted(setAside, 'new draft')} set aside`]),
    ...(withdrawn === 0 ? [] : [`${toCounted(withdrawn, 'talk')} withdrawn`]),
    ...(restored === 0 && changed > 0 ? [] : [`${toCounted(restored, 'talk')} restored`]),
  ])
}

const toResult = (what: string, parts: readonly string[]) => `${what}: ${parts.join(', ')}.`

/** Rows of a table that were left out: those that would have created a talk have no number to be listed by. */
export const countRefusedRows = ({ kind, total, changed, unchanged, refused_count }: BatchLine) =>
  kind === 'table' ? total - changed - unchanged + refused_count : 0

const maxShown = 80
