import { fields } from '../../record/fields.ts'
import { isSameJson, type JsonObject } from '../../record/json.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { StepBudget } from '../../record/text/sequence-diff.ts'
import { type FieldTable, toFullLabel, toValue, toWritable } from '../form/field-hints.ts'
import { formTexts } from '../form/form-texts.ts'
import { FieldDiff } from './value-diff.tsx'

interface RecordDiffProps {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly table?: FieldTable
  readonly isWhole?: boolean
  /** What all diffs of a page may take together. */
  readonly budget: StepBudget
}

/** All fields in which two versions of a record differ, in the order of the form. */
export function RecordDiff({ before, after, table = fields, isWhole = false, budget }: RecordDiffProps) {
  const names = toDifferingNames(before, after, table)
  if (names.length === 0) return <p class="muted">{formTexts.diff.none}</p>
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

/** The fields in which two records differ, in the order of the form. */
export function toDifferingNames(before: JsonObject, after: JsonObject, table: FieldTable = fields): string[] {
  return toWritable(table)
    .map(([name]) => name)
    .filter((name) => !isSameJson(toValue(before, name), toValue(after, name)))
}

/** The code of the talk's language, for texts in it. */
export function toLang(record: JsonObject): string | undefined {
  const language = toValue(record, 'language')
  return typeof language === 'string' ? (toLanguageCode(language) ?? undefined) : undefined
}
