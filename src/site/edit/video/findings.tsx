import type { Finding } from '../../../record/quality/finding-codes.ts'
import { toControlId } from '../form/field-control.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { videoTexts } from './video-texts.ts'

const details: { readonly [C in Finding['code']]?: string } = videoTexts.findingDetails

interface FindingsProps {
  readonly findings: readonly Finding[]
  /** Whether the page has the controls. */
  readonly isLinked: boolean
}

/** What needs work in a talk, each with a link to its field. */
export function Findings({ findings, isLinked }: FindingsProps) {
  if (findings.length === 0) return null
  return (
    <section class="findings" aria-labelledby="findings">
      <h2 id="findings">{videoTexts.findings}</h2>
      <ul>
        {findings.map(({ code, field, detail }) => (
          <li key={`${code} ${field}`}>
            {isLinked ? <a href={`#${toControlId(field)}`}>{toFullLabel(field)}</a> : <b>{toFullLabel(field)}</b>}
            <span class="detail"> {details[code] ?? detail}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
