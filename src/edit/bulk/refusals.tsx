import type { Urls } from '../../site/urls.ts'
import type { RefusedRecord } from '../../store/change-log.ts'
import { bulkTexts } from './bulk-texts.ts'
import { TalkLink } from './chosen-list.tsx'
import type { ListedTalk } from './listed-talks.ts'

interface RefusalsProps {
  readonly urls: Urls
  readonly list: string
  readonly talks: ReadonlyMap<number, ListedTalk>
  readonly refused: readonly RefusedRecord[]
}

/** So many of each kind are shown by title. */
export const titledRefusals = 20

/** Every talk that refuses the change, by reason. */
export function Refusals({ refused, ...shared }: RefusalsProps) {
  if (refused.length === 0) return null
  const reasons = [...Map.groupBy(refused, ({ problem }) => problem)]
  return (
    <section class="bulk-refusals">
      <h2>{bulkTexts.refusals}</h2>
      {reasons.map(([problem, records]) => (
        <div key={problem}>
          <h3>{toReason(problem)}</h3>
          <p class="muted">{bulkTexts.refusedTalks(records.length)}</p>
          <ul>
            {records.slice(0, titledRefusals).map(({ id }) => (
              <li key={id}>
                <RefusedTalk id={id} {...shared} />
              </li>
            ))}
          </ul>
          <OtherIds ids={records.slice(titledRefusals).map(({ id }) => id)} {...shared} />
        </div>
      ))}
    </section>
  )
}

function toReason(problem: string): string {
  const { reasons } = bulkTexts
  // True: only a key of the table passes.
  return Object.hasOwn(reasons, problem) ? reasons[problem as keyof typeof reasons] : problem
}

/** What does not exist has no page. */
function RefusedTalk({ id, urls, list, talks }: Omit<RefusalsProps, 'refused'> & { readonly id: number }) {
  const talk = talks.get(id)
  return talk === undefined ? <span>{id}</span> : <TalkLink {...{ urls, list, talk }} />
}

interface OtherIdsProps extends Omit<RefusalsProps, 'refused'> {
  readonly ids: readonly number[]
}

/** The rest by number: ten thousand titles would take long to read from the store. */
function OtherIds({ ids, urls, list }: OtherIdsProps) {
  if (ids.length === 0) return null
  return (
    <details>
      <summary>{bulkTexts.otherRefusals(ids.length)}</summary>
      <p class="numbers">
        {ids.map((id) => (
          <>
            <a key={id} href={urls.edit(id, { list })}>
              {id}
            </a>{' '}
          </>
        ))}
      </p>
    </details>
  )
}
