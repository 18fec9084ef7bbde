import type { Child } from '#jsx/jsx-runtime'
import { toEditedNames } from '../../record/companion/related.ts'
import { fields } from '../../record/fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import { toShort } from '../../record/text/printable.ts'
import { toSharedLabel } from '../changes/batch-sentence.tsx'
import { toReadableValue } from '../diff.tsx'
import { toFullLabel, toWritable, type WritableIn } from '../form/field-hints.ts'

/** A bulk change in words: one line for each operation. */
export function OperationList({ patch }: { readonly patch: JsonObject }) {
  const lines = [
    ...toWritable(fields).flatMap(([name, field]) => {
      const label = toSharedLabel(name, patch)
      return label === null ? [] : toLines(name, field, patch[name]).map((line) => ({ label, line }))
    }),
    ...toLinkLines(patch.related).map((line) => ({ label: toFullLabel('related'), line })),
    ...(isJsonObject(patch.transcripts)
      ? [{ label: toFullLabel('transcripts'), line: toSaidLine(patch.transcripts) }]
      : []),
  ]
  return (
    <section class="bulk-operations" aria-label="Changes">
      <ul>
        {lines.map(({ label, line }, i) => (
          <li key={i}>
            <strong>{label}</strong>: {line}
          </li>
        ))}
      </ul>
    </section>
  )
}

function toLines(name: string, { kind }: WritableIn, value: JsonValue | undefined): readonly Child[] {
  const show = (operand: JsonValue) => <bdi>{toShort(toReadableValue(name, kind, operand), maxShown)}</bdi>
  if (value === undefined) return []
  if (isJsonObject(value)) return kind.type === 'list' ? toListLines(value, show) : [toEditLine(value)]
  if (value === null || value === '' || isSameJson(value, [])) return ['clear']
  return [
    <>
      {Array.isArray(value) ? 'replace with' : 'set to'} {show(value)}
    </>,
  ]
}

function toListLines(value: JsonObject, show: (operand: JsonValue) => Child): readonly Child[] {
  const split = value.split === undefined ? [] : ['split an entry that names several people into one for each']
  const named = (['add', 'remove'] as const).flatMap((operation) => {
    const names = value[operation]
    return names === undefined
      ? []
      : [
          <>
            {operation} {show(names)}
          </>,
        ]
  })
  return [...split, ...named]
}

function toLinkLines(request: JsonValue | undefined): readonly Child[] {
  const { added, removed } = toEditedNames(request)
  return [...added.map((name) => <>add {toQuoted(name)}</>), ...removed.map((url) => <>remove {toQuoted(url)}</>)]
}

const toSaidLine = ({ find = '', replace, language }: JsonObject) =>
  toReplacement(find, replace, language === undefined ? '' : ` (${language})`)

/** An edit of a text, a length or a thumbnail. */
function toEditLine(edit: JsonObject): Child {
  const [cutStart, prefix, cutEnd, suffix] = [edit.cut_start, edit.prefix, edit.cut_end, edit.suffix]
  if (edit.find !== undefined) return toReplacement(edit.find, edit.replace, '')
  if (cutStart !== undefined) return toReplacement(cutStart, prefix, ' at the start')
  if (cutEnd !== undefined) return toReplacement(cutEnd, suffix, ' at the end')
  if (prefix !== undefined) return <>add {toQuoted(prefix)} at the start</>
  if (suffix !== undefined) return <>add {toQuoted(suffix)} at the end</>
  const where = edit.if_plausible === true ? ', unless the result is under a minute, or over eight hours' : ''
  if (edit.divide !== undefined) return `divide by ${edit.divide}${where}`
  if (edit.multiply !== undefined) return `multiply by ${edit.multiply}${where}`
  return 'fill in from the video, where there is none'
}

function toReplacement(from: JsonValue, to: JsonValue | undefined, where: string): Child {
  if (to === undefined || to === '')
    return (
      <>
        remove {toQuoted(from)}
        {where}
      </>
    )
  return (
    <>
      replace {toQuoted(from)}
      {where} with {toQuoted(to)}
    </>
  )
}

/** In quotes, because spaces at the ends count. */
const toQuoted = (text: JsonValue) => <bdi class="exact">“{toShort(String(text), maxShown)}”</bdi>

/** The differences show the whole text. */
const maxShown = 200
