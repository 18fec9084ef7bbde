import { fields } from '../../record/fields.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { Urls } from '../../site/urls.ts'
import type { Difference } from '../../store/change-log.ts'
import { createDiffBudget, type DiffBudget, FieldDiff, takeDiff } from '../diff.tsx'
import { toFullLabel, toValue, toWritable } from '../form/field-hints.ts'
import { bulkTexts } from './bulk-texts.ts'
import { TalkLink } from './chosen-list.tsx'
import type { ListedTalk } from './listed-talks.ts'

interface DifferencesProps {
  readonly urls: Urls
  readonly list: string
  readonly talks: ReadonlyMap<number, ListedTalk>
  readonly differences: readonly Difference[]
  /** How many talks will change; `differences` has the first of them. */
  readonly count: number
}

/** A table with a row for each talk. */
export function Differences({ differences, count, ...shared }: DifferencesProps) {
  if (count === 0) return null
  const budget = createDiffBudget()
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
            <Row key={difference.id} {...{ difference, budget }} {...shared} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps extends Omit<DifferencesProps, 'differences' | 'count'> {
  readonly difference: Difference
  /** Shared by all rows. */
  readonly budget: DiffBudget
}

function Row({ difference: { id, fields: changed }, urls, list, talks, budget }: RowProps) {
  const talk = talks.get(id) ?? { id, title: String(id), language: '', state: 2 }
  const lang = toLanguageCode(talk.language) ?? undefined
  const names = toWritable(fields).flatMap(([name]) => (Object.hasOwn(changed, name) ? [name] : []))
  const take = (side: 'before' | 'after') =>
    Object.fromEntries(names.map((name) => [name, changed[name]?.[side] ?? null]))
  const [before, after] = [take('before'), take('after')]
  return (
    <tr>
      <th scope="row">
        <TalkLink {...{ urls, list, talk }} />
      </th>
      <td>
        {takeDiff(budget, before, after) ? (
          <dl>
            {names.map((name) => (
              <div key={name}>
                <dt>{toFullLabel(name)}</dt>
                <dd>
                  <FieldDiff
                    {...{ name, lang, budget }}
                    table={fields}
                    before={toValue(before, name)}
                    after={toValue(after, name)}
                  />
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <p class="muted">{names.map(toFullLabel).join(', ')}: too long to be shown here.</p>
        )}
      </td>
    </tr>
  )
}
