import type { YearStatistics } from '../../store/site-reads.ts'
import { texts } from '../texts.ts'

const columns = [
  'withLanguage',
  'withDuration',
  'withSpeakers',
  'withTags',
  'withThumbnail',
  'withMedia',
] as const satisfies readonly (keyof YearStatistics)[]

/** How complete the records of each year are: a table whose cells are the darker, the more records have a value. */
export function Completeness({ years }: { readonly years: readonly YearStatistics[] }) {
  return (
    <figure class="figure">
      <figcaption>{texts.stats.completeness.title}</figcaption>
      <section class="scrolled" tabindex="0" aria-label={texts.stats.completeness.title}>
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">{texts.stats.year}</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {texts.stats.completeness[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.toReversed().map((year) => (
              <tr key={year.year ?? 'unknown'}>
                <th scope="row">{year.year ?? texts.stats.unknown}</th>
                {columns.map((name) => {
                  const share = year[name] / Math.max(1, year.talks)
                  return (
                    <td key={name} class={`share-${Math.floor(share * 10)}`}>
                      {toPercent(share)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </figure>
  )
}

/** 99.9 % is not 100 %. */
function toPercent(share: number): string {
  const percent = Math.round(share * 100)
  return `${percent === 100 && share < 1 ? 99 : percent} %`
}
