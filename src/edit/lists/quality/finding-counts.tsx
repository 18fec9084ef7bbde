import type { FindingTotal } from '../../../record/query/findings.ts'
import { toNumber } from '../../../record/text/counted.ts'
import type { Site } from '../../../site/site.ts'
import { toFindingList } from '../known-lists.ts'
import { listTexts } from '../lists-texts.ts'

interface CountsProps {
  readonly site: Site
  /** Of the event. */
  readonly slug: string
  readonly findings: readonly FindingTotal[]
}

/** What there is to do in an event, the most frequent first; each links to its list. */
export function FindingCounts({ site: { urls }, slug, findings }: CountsProps) {
  return (
    <ul class="badges">
      {findings.map(({ code, count }) => (
        <li key={code}>
          <a class="badge" href={urls.workList({ category: slug, ...toFindingList(code) })}>
            {listTexts.findings[code].badge} {toNumber(count)}
          </a>
        </li>
      ))}
    </ul>
  )
}
