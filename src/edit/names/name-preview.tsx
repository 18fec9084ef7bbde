import type { Child } from '#jsx/jsx-runtime'
import type { Call, TextAnswer } from '../../http/route.ts'
import { PostForm, renderEditPage, respondEditPage } from '../edit-page.tsx'
import type { CuratedName } from './curated-name.ts'
import type { Targets } from './merge/find-target.ts'
import type { NameFrame } from './name-frame.ts'
import { NameTabs } from './name-tabs.tsx'
import { namesTexts } from './names-texts.ts'

const { rename, merge } = namesTexts

/** A step between a form of a name and the change. */
export function respondStep(call: Call, { site, caller, name }: NameFrame, title: string, children: Child): TextAnswer {
  const body = (
    <div class="edit-page name-page">
      <NameTabs site={site} kind={name.kind} />
      <h1>{title}</h1>
      {children}
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, `${title} ${name.name}`, body))
}

interface ApplyFormProps extends NameFrame {
  readonly action: string
  readonly label: string
  readonly reason: string
  /** What the change is, besides its kind. */
  readonly hidden: { readonly [name: string]: string }
  readonly children?: Child
}

/** Its key makes a second click harmless. */
export function ApplyForm({ site, caller, name, action, label, reason, hidden, children }: ApplyFormProps) {
  const own = site.urls.editName(name.kind, name.key)
  const entries = { key: crypto.randomUUID(), tag: name.versionTag, reason, ...hidden }
  return (
    <PostForm class="apply-form" caller={caller} action={own}>
      {Object.entries(entries).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {children}
      <p class="buttons">
        <button class="button" type="submit" name="do" value={action}>
          {label}
        </button>
        <a class="button quiet" href={own}>
          {namesTexts.cancel}
        </a>
      </p>
    </PostForm>
  )
}

export function RenamePreview({ to, reason, ...frame }: NameFrame & { readonly to: string; readonly reason: string }) {
  const { name } = frame
  return (
    <>
      <p class="name-change">
        <del dir="auto">{name.name}</del> <span aria-hidden="true">→</span> <ins dir="auto">{to}</ins>
      </p>
      <p>{rename.preview(name.count)}</p>
      <ApplyForm
        {...frame}
        action="rename now"
        label={rename.apply(name.count)}
        reason={reason}
        hidden={{ name: to }}
      />
    </>
  )
}

interface ChooseProps extends NameFrame {
  readonly text: string
  readonly targets: Targets
  readonly reason: string
}

/** Several names match what was typed. */
export function ChooseTarget({ text, targets, reason, ...frame }: ChooseProps) {
  const { site, caller, name } = frame
  const own = site.urls.editName(name.kind, name.key)
  return (
    <PostForm class="choose-form" caller={caller} action={own}>
      <input type="hidden" name="tag" value={name.versionTag} />
      <input type="hidden" name="reason" value={reason} />
      <input type="hidden" name="into" value={text} />
      <fieldset>
        <legend>{merge.chooseText(text)}</legend>
        {targets.found.map((target) => (
          <TargetChoice key={target.key} target={target} isFirst={target === targets.found[0]} />
        ))}
      </fieldset>
      {targets.isCut && <p class="muted">{merge.tooMany}</p>}
      <p class="buttons">
        <button class="button" type="submit" name="do" value="merge">
          {merge.submit}
        </button>
        <a class="button quiet" href={own}>
          {namesTexts.cancel}
        </a>
      </p>
    </PostForm>
  )
}

function TargetChoice({ target, isFirst }: { readonly target: CuratedName; readonly isFirst: boolean }) {
  return (
    <label class="choice">
      <input type="radio" name="into_key" value={target.key} checked={isFirst} />
      <span>
        <bdi>{target.name}</bdi>{' '}
        <span class="muted">
          {namesTexts.talks(target.count)} · {target.key}
        </span>
      </span>
    </label>
  )
}
