import type { Child } from '#jsx/jsx-runtime'
import type { Problem } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { SiteDeps } from '../../site/site.ts'
import { PostForm, renderEditPage, respondEditPage, StepButtons } from '../edit-page.tsx'
import { findCurated, type NameFrame } from './curated-name.ts'
import { respondName, type TypedName } from './name-page.tsx'
import { NameTabs } from './names-layout.tsx'

/** A page between a form of a name and the change: a preview, a choice, or a refusal. */
export function respondStep(call: Call, { site, caller, name }: NameFrame, title: string, children: Child): TextAnswer {
  const body = (
    <div class="edit-page name-page">
      <NameTabs site={site} kind={name.kind} />
      <h1>{title}</h1>
      {children}
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, title, body))
}

interface ApplyFormProps extends NameFrame {
  readonly action: string
  readonly label: string
  readonly reason: string
  /** Further fields of the change. */
  readonly hidden: { readonly [name: string]: string }
  readonly children?: Child
}

/** Its idempotency key makes a double click one change. */
export function ApplyForm({ site, caller, name, action, label, reason, hidden, children }: ApplyFormProps) {
  const own = site.urls.editName(name.kind, name.key)
  const entries = { key: crypto.randomUUID(), tag: name.versionTag, reason, ...hidden }
  return (
    <PostForm class="apply-form" caller={caller} action={own} hidden={entries}>
      {children}
      <StepButtons action={action} label={label} cancel={own} />
    </PostForm>
  )
}

export const sameName = 'This is the same name. Type another.'
const mergedMeanwhile = 'It has been merged into another; nothing was changed.'

/** The name was merged while its form was open. Nothing is changed. */
export function respondMerged(call: Call, frame: NameFrame, key: string): TextAnswer {
  const { site, name } = frame
  const body = (
    <div class="edit-problem" role="alert">
      <p>
        {mergedMeanwhile} <bdi>{key}</bdi> →{' '}
        <a href={site.urls.editName(name.kind, name.key, { from: key })} dir="auto">
          {name.name}
        </a>
      </p>
    </div>
  )
  return respondStep(call, frame, 'This name was merged', body)
}

interface Refusal {
  readonly typed: TypedName
  readonly fallback: string
}

/** The page with the current name, what was typed, and the reason of the refusal. */
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
  const target = more?.id ?? more?.slug
  switch (code) {
    case 'stale':
      return 'Somebody has renamed it. This is its current name; check your change again.'
    case 'same_entry':
      return sameName
    case 'merged':
      return (
        <>
          {mergedMeanwhile} <TargetLink {...frame} target={target} />
        </>
      )
    default:
      return fallback
  }
}

function TargetLink({ site, name, target }: NameFrame & { readonly target: unknown }) {
  if (typeof target !== 'number' && typeof target !== 'string') return null
  return <a href={site.urls.editName(name.kind, target)}>Open the other one</a>
}
