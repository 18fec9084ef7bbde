import type { Child } from '#jsx/jsx-runtime'
import type { Problem } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { SiteDeps } from '../../site/site.ts'
import { findCurated } from './curated-name.ts'
import type { TypedName } from './name-forms.tsx'
import type { NameFrame } from './name-frame.ts'
import { respondName } from './name-page.tsx'
import { respondStep } from './name-preview.tsx'
import { namesTexts } from './names-texts.ts'

/** The name of a form was merged while somebody filled it in. Nothing was changed. */
export function respondMerged(call: Call, frame: NameFrame, key: string): TextAnswer {
  const { site, name } = frame
  const body = (
    <div class="edit-problem" role="alert">
      <p>
        {namesTexts.merged.text} <bdi>{key}</bdi> →{' '}
        <a href={site.urls.editName(name.kind, name.key, { from: key })} dir="auto">
          {name.name}
        </a>
      </p>
    </div>
  )
  return respondStep(call, frame, namesTexts.merged.title, body)
}

interface Refusal {
  readonly typed: TypedName
  readonly fallback: string
}

/** The page again, as the name is now, with what was typed and why it was refused. */
export async function respondRefused(
  call: Call,
  deps: SiteDeps,
  frame: NameFrame,
  problem: Problem,
  { typed, fallback }: Refusal,
): Promise<TextAnswer> {
  const current = await findCurated(deps, frame.name.kind, frame.name.key)
  const now = current === null ? frame : { ...frame, name: current }
  if (now.name.key !== frame.name.key) return respondMerged(call, now, frame.name.key)
  return respondName(call, deps, now, { typed, problem: toReason(now, problem, fallback) })
}

function toReason(frame: NameFrame, { code, more }: Problem, fallback: string): Child {
  const { rename, merge, merged } = namesTexts
  const other = more?.id ?? more?.slug
  switch (code) {
    case 'stale':
      return rename.stale
    case 'same_entry':
      return merge.same
    case 'merged':
      return (
        <>
          {merged.text} <OtherLink {...frame} other={other} />
        </>
      )
    default:
      return fallback
  }
}

function OtherLink({ site, name, other }: NameFrame & { readonly other: unknown }) {
  if (typeof other !== 'number' && typeof other !== 'string') return null
  return <a href={site.urls.editName(name.kind, other)}>{namesTexts.merged.link}</a>
}
