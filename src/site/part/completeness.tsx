import type { YearStatistics } from '../../store/site-reads.ts'

const columns = [
  ['withLanguage', 'Language'],
  ['withDuration', 'Length'],
  ['withSpeakers', 'Speakers'],
  ['withTags', 'Tags'],
  ['withThumbnail', 'Picture'],
  ['withMedia', 'Video'],
] as const satisfies readonly (readonly [keyof YearStatistics, string])[]

/** How complete the records of each year are: a table whose cells are the darker, the more records have a value. */
export function Completeness({ years }: { readonly years: readonly YearStatistics[] }) {
  return (
    <figure class="figure">
      <figcaption>How complete the records are</figcaption>
      <section class="scrolled" tabindex="0" aria-label="How complete the records are">
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">Year</th>
              {columns.map(([name, title]) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.toReversed().map((year) => (
              <tr key={year.year ?? 'unknown'}>
                <th scope="row">{year.year ?? 'Unknown'}</th>
                {columns.map(([name]) => {
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
