import type { Child } from '#jsx/jsx-runtime'
import { companionNames, isCompanionName } from '../record/companion/kinds.ts'
import type { FieldKind } from '../record/field-kind.ts'
import { fields } from '../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../record/json.ts'
import { toClock } from '../record/text/clock.ts'
import { toCounted, toNumber } from '../record/text/counted.ts'
import { type DiffPart, diffLists, diffWords, type ListEntry } from '../record/text/diff.ts'
import { toLanguageCode } from '../record/text/language.ts'
import { markUnseen } from '../record/text/printable.ts'
import type { StepBudget } from '../record/text/sequence-diff.ts'
import { toLf } from '../record/text/typed-text.ts'
import { isTranscriptName } from '../record/transcript/transcript-kind.ts'
import { toSize } from '../site/text/format.ts'
import { type FieldTable, toFullLabel, toHint, toValue, toWritable } from './form/field-hints.ts'

interface RecordDiffProps {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly table?: FieldTable
  readonly isWhole?: boolean
  /** Shared by all diffs of the page. */
  readonly budget: StepBudget
}

/** All fields in which two versions of a record differ, in the order of the form. */
export function RecordDiff({ before, after, table = fields, isWhole = false, budget }: RecordDiffProps) {
  const names = toDifferingNames(before, after, table)
  if (names.length === 0) return <p class="muted">Nothing has changed.</p>
  const lang = toLang(after)
  return (
    <dl class="record-diff">
      {names.map((name) => (
        <div key={name}>
          <dt>{toFullLabel(name)}</dt>
          <dd>
            <FieldDiff
              {...{ name, table, lang, isWhole, budget }}
              before={toValue(before, name)}
              after={toValue(after, name)}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The fields in which two records differ, in the order of the form; then the companions, where both have their lines. */
export function toDifferingNames(before: JsonObject, after: JsonObject, table: FieldTable = fields): string[] {
  const transcripts = Object.keys(after).filter((name) => isTranscriptName(name) && Object.hasOwn(before, name))
  const names = [...toWritable(table).map(([name]) => name), ...companionNames, ...transcripts]
  return names.filter((name) => !isSameJson(toValue(before, name), toValue(after, name)))
}

/** The code of the talk's language, for texts in it. */
export function toLang(record: JsonObject): string | undefined {
  const language = toValue(record, 'language')
  return typeof language === 'string' ? (toLanguageCode(language) ?? undefined) : undefined
}

interface FieldDiffProps {
  readonly name: string
  readonly table: FieldTable
  readonly before: JsonValue
  readonly after: JsonValue
  /** BCP 47 code of the talk's language. */
  readonly lang?: string | undefined
  readonly isWhole?: boolean
  /** Shared by all diffs of the page. */
  readonly budget: StepBudget
}

/** The difference in one field: by word in texts and addresses, by entry in lists, old and new value in everything else. */
export function FieldDiff({ name, table, before, after, lang, isWhole = false, budget }: FieldDiffProps) {
  const field = table[name]
  const kind = field?.access === 'write' ? field.kind : null
  if (Array.isArray(before) && Array.isArray(after)) {
    return <ListDiff before={before.map(String)} after={after.map(String)} hasLines={isCompanionName(name)} />
  }
  const isText = (kind?.type === 'string' || kind?.type === 'url') && before !== '' && after !== ''
  if (isText && typeof before === 'string' && typeof after === 'string') {
    const own = toHint(name).isProse === true ? lang : undefined
    return <TextDiff before={before} after={after} lang={own} isWhole={isWhole} budget={budget} />
  }
  const [old, now] = [toReadableValue(name, kind, before), toReadableValue(name, kind, after)]
  return (
    <div class="value-diff">
      <Changed is="removed" text={old} />
      <span aria-hidden="true"> → </span>
      <Changed is="added" text={now} />
    </div>
  )
}

/** The two values of a field beside each other. What only one of them has is marked; neither is the newer one. */
export function toSides({ name, table, before, after, lang, budget }: FieldDiffProps): readonly [Child, Child] {
  const field = table[name]
  const kind = field?.access === 'write' ? field.kind : null
  if (Array.isArray(before) && Array.isArray(after))
    return [<SideList own={before} other={after} />, <SideList own={after} other={before} />]
  const isText = kind?.type === 'string' && before !== '' && after !== ''
  const own = toHint(name).isProse === true ? lang : undefined
  if (!isText || typeof before !== 'string' || typeof after !== 'string') {
    const shared = { name, kind, lang: own }
    return [<SideValue {...shared} value={before} />, <SideValue {...shared} value={after} />]
  }
  const parts = diffWords(before, after, budget)
  return [
    <SideText text={before} parts={parts.filter(({ is }) => is !== 'added')} lang={own} />,
    <SideText text={after} parts={parts.filter(({ is }) => is !== 'removed')} lang={own} />,
  ]
}

/** A longer text can be scrolled, also with the keyboard. */
export const maxShortText = 1_200

interface SideTextProps {
  readonly text: string
  readonly parts?: readonly DiffPart[]
  readonly lang: string | undefined
}

/** A text that has little in common with the other is not marked: all of it differs. */
function SideText({ text, parts = [], lang }: SideTextProps) {
  const same = parts.reduce((sum, part) => sum + (part.is === 'same' ? part.text.length : 0), 0)
  const isMarked = same * 2 > text.length
  const isLong = text.length > maxShortText
  return (
    <div class={isLong ? 'side-text is-long' : 'side-text'} dir="auto" lang={lang} tabindex={isLong ? 0 : undefined}>
      {isMarked
        ? parts.map((part, i) => (part.is === 'same' ? toLf(part.text) : <mark key={i}>{toLf(part.text)}</mark>))
        : toLf(text)}
    </div>
  )
}

interface SideValueProps {
  readonly name: string
  readonly kind: FieldKind<JsonValue> | null
  readonly value: JsonValue
  readonly lang: string | undefined
}

function SideValue({ name, kind, value, lang }: SideValueProps) {
  const text = toReadableValue(name, kind, value)
  return value === null || value === '' ? <p class="muted">{text}</p> : <SideText text={text} lang={lang} />
}

function SideList({ own, other }: { readonly own: readonly JsonValue[]; readonly other: readonly JsonValue[] }) {
  if (own.length === 0) return <p class="muted">empty</p>
  return (
    <ul class="side-list">
      {own.map((entry, i) => (
        <li key={i} dir="auto">
          {other.includes(entry) ? String(entry) : <mark>{String(entry)}</mark>}
        </li>
      ))}
    </ul>
  )
}

interface ShortDiffProps {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly table?: FieldTable
  /** Shared by all diffs of the page. */
  readonly budget: DiffBudget
  /** The page with the whole difference; null if there is none. */
  readonly href: string | null
}

/** One of many diffs on a page. If its texts are too long, names the fields and links to the whole difference. */
export function ShortDiff({ budget, href, before, after, table = fields }: ShortDiffProps) {
  if (takeDiff(budget, before, after, table)) return <RecordDiff {...{ before, after, table, budget }} />
  return (
    <p class="muted">
      {toDifferingNames(before, after, table).map(toFullLabel).join(', ')}: too long to show here.{' '}
      {href !== null && <a href={href}>Show what changed</a>}
    </p>
  )
}

/** A part of a diff, or a number of characters (code points) that are unchanged and left out. */
type ExcerptPart = DiffPart | { readonly is: 'skipped'; readonly characters: number }

/** Characters kept around a change, to show where it is. */
const context = 160

/** The changes of a long text with some context. */
export function cutExcerpt(parts: readonly DiffPart[]): ExcerptPart[] {
  return parts.flatMap((part, i): ExcerptPart[] => {
    if (part.is !== 'same' || parts.length === 1) return [part]
    const isFirst = i === 0
    const isLast = i === parts.length - 1
    return cutOut(part.text, isFirst ? 0 : context, isLast ? 0 : context)
  })
}

/** A value as a person reads it: `39:07`, `413 MB (412,630,117)`, `live`, `Yes`. */
export function toReadableValue(name: string, kind: FieldKind<JsonValue> | null, value: JsonValue): string {
  if (value === null) return 'not set'
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(String).join(', ')
  const choice = kind?.choices?.find((known) => known.value === value)
  if (choice !== undefined) return choice.display_name
  return typeof value === 'number' ? toReadableNumber(name, value) : String(value)
}

/** Limits all diffs of a page together, so that long texts do not make it slow: about 30 ms. */
export interface DiffBudget extends StepBudget {
  /** Characters that may still be compared. */
  characters: number
}

export function createDiffBudget(): DiffBudget {
  return { left: 500_000, characters: 200_000 }
}

/** For a page that compares two records, or the sides of a conflict: about 60 ms. */
export const createSingleBudget = (): StepBudget => ({ left: 1_000_000 })

/** Whether the page may still show how two records differ; if so, deducts the size of their texts from the budget. */
export function takeDiff(budget: DiffBudget, before: JsonObject, after: JsonObject, table?: FieldTable): boolean {
  const names = toDifferingNames(before, after, table)
  const size = names.reduce((sum, name) => sum + countDiffering(toValue(before, name), toValue(after, name)), 0)
  if (size > budget.characters) return false
  budget.characters -= size
  return true
}

/** For screen readers: few of them announce inserted and deleted text. */
const changeWords = { moved: 'moved:', added: 'added:', removed: 'removed:' } as const

const signs = { same: '', moved: '↕', added: '+', removed: '−' } as const

interface ListDiffProps {
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Whether each entry is a line of its own. */
  readonly hasLines?: boolean
}

export function ListDiff({ before, after, hasLines = false }: ListDiffProps) {
  return (
    <ul class={hasLines ? 'list-diff has-lines' : 'list-diff'}>
      {cutLines(diffLists(before, after)).map((entry, i) => (
        <li key={i} class={typeof entry === 'number' ? 'muted' : `is-${entry.is}`}>
          {typeof entry === 'number' ? `… ${toCounted(entry, 'more line')}` : <Entry {...entry} />}
        </li>
      ))}
    </ul>
  )
}

/** Lists of up to this many lines are shown whole. */
const maxWholeLines = 60
const maxShownLines = 400
const linesAround = 2

/** The changes of a long list, with a few lines around each; a number is a count of omitted lines. */
function cutLines(entries: readonly ListEntry[]): readonly (ListEntry | number)[] {
  if (entries.length <= maxWholeLines) return entries
  const shown: (ListEntry | number)[] = []
  let lastChange = Number.NEGATIVE_INFINITY
  let left = 0
  for (const [i, entry] of entries.entries()) {
    if (entry.is !== 'same') lastChange = i
    const isNear =
      i - lastChange <= linesAround || entries.slice(i, i + linesAround + 1).some(({ is }) => is !== 'same')
    if (!isNear || shown.length > maxShownLines) left++
    else {
      if (left > 0) shown.push(left)
      shown.push(entry)
      left = 0
    }
  }
  return left > 0 ? [...shown, left] : shown
}

function Entry({ is, text }: ListEntry) {
  if (is === 'same') return <span dir="auto">{text}</span>
  const Tag = is === 'added' ? 'ins' : is === 'removed' ? 'del' : 'span'
  return (
    <>
      <span class="diff-sign" aria-hidden="true">
        {signs[is]}
      </span>
      <span class="hidden-text">{changeWords[is]} </span>
      <Tag dir="auto">{markUnseen(text)}</Tag>
    </>
  )
}

interface TextDiffProps {
  readonly before: string
  readonly after: string
  /** BCP 47 code of the talk's language. */
  readonly lang?: string | undefined
  /** Shows unchanged parts in full, however long they are. */
  readonly isWhole?: boolean
  /** Shared by all diffs of the page. */
  readonly budget: StepBudget
}

/** One text with its removed and added parts. */
function TextDiff({ before, after, lang, isWhole = false, budget }: TextDiffProps) {
  if (before !== after && toLf(before) === toLf(after)) return <p class="muted">Only the line endings differ.</p>
  const parts = diffWords(before, after, budget)
  return (
    <div class="text-diff" dir="auto" lang={lang}>
      {(isWhole ? parts : cutExcerpt(parts)).map((part, i) => (
        <Part key={i} part={part} />
      ))}
    </div>
  )
}

function Part({ part }: { readonly part: ExcerptPart }) {
  switch (part.is) {
    case 'same':
      return <span>{toLf(part.text)}</span>
    case 'skipped':
      return <span class="skipped">{`… ${toNumber(part.characters)} unchanged characters …`}</span>
    default:
      return <Changed is={part.is} text={toVisible(part)} />
  }
}

function Changed({ is, text }: { readonly is: 'added' | 'removed'; readonly text: string }) {
  const Tag = is === 'added' ? 'ins' : 'del'
  return (
    <Tag>
      <span class="hidden-text"> {changeWords[is]} </span>
      {markUnseen(text)}
      <span class="hidden-text"> (end of change) </span>
    </Tag>
  )
}

/** Shows line breaks as symbols, and spaces too where nothing else has changed. */
function toVisible({ text }: DiffPart): string {
  const withBreaks = toLf(text).replaceAll('\n', '↵\n')
  return text.trim() === '' ? withBreaks.replaceAll(' ', '·').replaceAll('\t', '→') : withBreaks
}

/** Shorter unchanged parts are shown. */
const minSkipped = 120

function cutOut(text: string, before: number, after: number): ExcerptPart[] {
  if (text.length < before + after + minSkipped) return [{ is: 'same', text }]
  const start = before === 0 ? 0 : findCut(text, before, 1)
  const end = after === 0 ? text.length : findCut(text, text.length - after, -1)
  const characters = [...text.slice(start, end)].length
  const kept = (end: string): ExcerptPart[] => (end === '' ? [] : [{ is: 'same', text: end }])
  return [...kept(text.slice(0, start)), { is: 'skipped', characters }, ...kept(text.slice(end))]
}

/** How far to look for a space. */
const maxWord = 40

/** The next space in this direction, or a position that splits no surrogate pair. */
function findCut(text: string, from: number, step: 1 | -1): number {
  for (let i = 0; i < maxWord; i++) {
    if (/\s/.test(text.charAt(from + i * step))) return from + i * step
  }
  return isLowSurrogate(text.charCodeAt(from)) ? from - 1 : from
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff

function toReadableNumber(name: string, value: number): string {
  switch (toHint(name).unit) {
    case 'seconds':
      return toClock(value)
    case 'bytes':
      return `${toSize(value)} (${toNumber(value)})`
    default:
      return String(value)
  }
}

/** The length of two lists, or of two texts without their common start and end. */
function countDiffering(before: unknown, after: unknown): number {
  if (Array.isArray(before) && Array.isArray(after)) return before.join().length + after.join().length
  if (typeof before !== 'string' || typeof after !== 'string') return 0
  const most = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end++
  return before.length + after.length - 2 * (start + end)
}
