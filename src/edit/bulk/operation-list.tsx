import { fields } from '../../record/fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import { toReadableValue } from '../diff.tsx'
import { toFullLabel, toWritable, type WritableIn } from '../form/field-hints.ts'
import { bulkTexts } from './bulk-texts.ts'

/** A bulk change in words: one line for each operation. */
export function OperationList({ patch }: { readonly patch: JsonObject }) {
  const lines = toWritable(fields).flatMap(([name, field]) => toLines(name, field, patch[name]))
  return (
    <section class="bulk-operations" aria-label={bulkTexts.does}>
      <ul>
        {lines.map(({ label, operation, value }, i) => (
          <li key={i}>
            <strong>{label}</strong>: {bulkTexts.operation[operation]} {value !== null && <bdi>{value}</bdi>}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Line {
  readonly label: string
  readonly operation: keyof typeof bulkTexts.operation
  readonly value: string | null
}

function toLines(name: string, { kind }: WritableIn, value: JsonValue | undefined): readonly Line[] {
  const label = toFullLabel(name)
  const toText = (each: JsonValue) => toShort(toReadableValue(name, kind, each))
  if (value === undefined) return []
  if (isJsonObject(value)) {
    return (['add', 'remove'] as const).flatMap((operation) => {
      const names = value[operation]
      return names === undefined ? [] : [{ label, operation, value: toText(names) }]
    })
  }
  if (value === null || value === '' || isSameJson(value, [])) return [{ label, operation: 'clear', value: null }]
  return [{ label, operation: Array.isArray(value) ? 'replace' : 'set', value: toText(value) }]
}

const maxShown = 200

/** The differences show the whole text. */
function toShort(text: string): string {
  const characters = [...text]
  return characters.length <= maxShown ? text : `${characters.slice(0, maxShown).join('')}…`
}
