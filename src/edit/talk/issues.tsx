import type { Caller } from '../../http/route.ts'
import { type Finding, isFindingCode, type RecordFindings } from '../../record/quality/finding-codes.ts'
import { toNumber } from '../../record/text/counted.ts'
import type { Site } from '../../site/site.ts'
import { DateTime } from '../edit-page.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { toControlId } from '../form/form-values.ts'
import { DecideButton } from '../lists/decide-findings.tsx'
import { findingTexts } from '../lists/known-lists.ts'

interface IssuesProps {
  readonly site: Site
  readonly caller: Caller
  readonly found: RecordFindings
  readonly id: number
  readonly list: string
  /** Whether the caller can change the talk: the page has the controls, and issues can be decided. */
  readonly canChange: boolean
}

/** What needs work in a talk, each with a link to its field, then what is fine as it is. */
export function Issues(props: IssuesProps) {
  const { found, canChange, ...button } = props
  const { findings, accepted, asOf } = found
  if (findings.length + accepted.length === 0) return null
  return (
    <section class="findings" aria-labelledby="findings">
      {findings.length > 0 && <h2 id="findings">What needs work</h2>}
      <ul>
        {findings.map((finding, i) => (
          <li key={`${finding.code} ${finding.field}`}>
            <FindingText finding={finding} isLinked={canChange} />
            {/* A finding of several fields is one decision. */}
            {canChange && findings[i + 1]?.code !== finding.code && (
              <DecideButton {...button} code={finding.code} asOf={asOf} isAccepted={false} />
            )}
          </li>
        ))}
      </ul>
      {accepted.length > 0 && (
        <details class="accepted">
          <summary id={findings.length === 0 ? 'findings' : undefined}>
            Fine as it is: {toNumber(accepted.length)}
          </summary>
          <ul>
            {accepted.map((finding, i) => (
              <li key={`${finding.code} ${finding.field}`}>
                <FindingText finding={finding} isLinked={canChange} />
                <span class="muted">
                  {' '}
                  Accepted by <bdi>{finding.by}</bdi>, <DateTime at={finding.at} />
                </span>
                {canChange && accepted[i + 1]?.code !== finding.code && (
                  <DecideButton {...button} code={finding.code} asOf={asOf} isAccepted />
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** Replace the details of findings that are written for programs. */
const details: { readonly [C in Finding['code']]?: string } = {
  missing_embed: 'This talk has no player. Add the address of the video; for known sites the player is built from it.',
  missing_media: 'No download. Add a link to a video file if there is one.',
  missing_duration: 'The length is not known. Type it as minutes and seconds, such as 39:07.',
}

function FindingText({ finding, isLinked }: { readonly finding: Finding; readonly isLinked: boolean }) {
  const { code, field, detail } = finding
  return (
    <>
      {isLinked ? <a href={`#${toControlId(field)}`}>{toFullLabel(field)}</a> : <b>{toFullLabel(field)}</b>}
      <span class="detail"> {details[code] ?? detail}</span>
    </>
  )
}

interface NoticeProps extends Omit<IssuesProps, 'found'> {
  readonly found: RecordFindings | null
  readonly parameters: URLSearchParams
}

/** What a decision about an issue has done, with its undo while it stands. */
export function DecideNotice({ parameters, found, canChange, ...button }: NoticeProps) {
  const [done, code] = [parameters.get('done'), parameters.get('code') ?? '']
  if ((done !== 'fine' && done !== 'again') || !isFindingCode(code)) return null
  const { title } = findingTexts[code]
  const said = done === 'fine' ? 'fine as it is, until the field changes' : 'shown again'
  if (parameters.has('left')) {
    return (
      <p class="notice" role="status">
        {title}: nothing was changed. Somebody may have changed the talk since.
      </p>
    )
  }
  const stands = done === 'fine' && found?.accepted.some((finding) => finding.code === code) === true
  return (
    <div class="notice is-good done-line" role="status">
      <p>
        {title}: {said}.
      </p>
      {stands && canChange && <DecideButton {...button} {...{ code }} asOf={found.asOf} isAccepted isUndo />}
    </div>
  )
}
