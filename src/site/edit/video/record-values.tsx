import { fields } from '../../../record/fields.ts'
import type { JsonObject } from '../../../record/json/json-value.ts'
import { texts } from '../../texts.ts'
import { toReadable } from '../diff/readable-value.ts'
import { toLang } from '../diff/record-diff.tsx'
import { type FieldTable, toFullLabel, toGroups, toHint, toValue } from '../form/field-hints.ts'

const table: FieldTable = fields

/** A record that cannot be changed, as text. */
export function RecordValues({ record }: { readonly record: JsonObject }) {
  const lang = toLang(record)
  return (
    <div class="record-values">
      {toGroups(table).map(({ group, names }) => (
        <section key={group} class="field-group">
          <h2>{texts.form.groups[group]}</h2>
          <dl>
            {names.map((name) => {
              const field = table[name]
              const kind = field?.access === 'write' ? field.kind : null
              return (
                <div key={name}>
                  <dt>{toFullLabel(name)}</dt>
                  <dd dir="auto" lang={toHint(name).isProse === true ? lang : undefined}>
                    {toReadable(name, kind, toValue(record, name))}
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      ))}
    </div>
  )
}
