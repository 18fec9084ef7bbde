import { fields } from '../../../record/fields.ts'
import { toLanguageCode } from '../../../record/text/language.ts'
import type { Difference } from '../../../store/change-log.ts'
import type { Addresses } from '../../addresses.ts'
import { FieldDiff } from '../diff/value-diff.tsx'
import { toFullLabel, toWritable } from '../form/field-hints.ts'
import { bulkTexts } from './bulk-texts.ts'
import { TalkLink } from './chosen-list.tsx'
import type { ListedTalk } from './listed-talks.ts'

interface DifferencesProps {
  readonly at: Addresses
  readonly list: string
  readonly talks: ReadonlyMap<number, ListedTalk>
  readonly differences: readonly Difference[]
  /** How many talks will change; `differences` has the first of them. */
  readonly count: number
}

/** A table with a row for each talk. */
export function Differences({ differences, count, ...shared }: DifferencesProps) {
  if (count === 0) return null
  return (
    <section class="bulk-differences">
      <h2>{bulkTexts.differences}</h2>
      {differences.length < count && <p class="muted">{bulkTexts.firstOf(differences.length, count)}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">{bulkTexts.talk}</th>
            <th scope="col">{bulkTexts.change}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <Row key={difference.id} difference={difference} {...shared} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type RowProps = Omit<DifferencesProps, 'differences' | 'count'> & { readonly difference: Difference }

function Row({ difference: { id, fields: changed }, at, list, talks }: RowProps) {
  const talk = talks.get(id) ?? { id, title: String(id), language: '', state: 2 }
  const lang = toLanguageCode(talk.language) ?? undefined
  const names = toWritable(fields).flatMap(([name]) => (Object.hasOwn(changed, name) ? [name] : []))
  return (
    <tr>
      <th scope="row">
        <TalkLink {...{ at, list, talk }} />
      </th>
      <td>
        <dl>
          {names.map((name) => (
            <div key={name}>
              <dt>{toFullLabel(name)}</dt>
              <dd>
                <FieldDiff
                  {...{ name, lang }}
                  table={fields}
                  before={changed[name]?.before ?? null}
                  after={changed[name]?.after ?? null}
                />
              </dd>
            </div>
          ))}
        </dl>
      </td>
    </tr>
  )
}
