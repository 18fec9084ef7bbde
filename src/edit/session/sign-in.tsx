import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { editTexts } from '../edit-texts.ts'
import { PostForm } from '../post-form.tsx'
import { respondEditPage } from '../respond-edit.ts'
import { type KeptRequest, type TypedFields, toKeptName } from './kept-form.ts'
import { toNextPath } from './next-path.ts'

const { signIn: texts } = editTexts

/** `/edit/sign-in`. */
export async function showSignIn(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const next = toNextPath(call.query().get('next'), site.urls.editHome)
  return respondEditPage(call, renderSignIn(site, call.caller(), { next, typed: null }))
}

/** `problem` is why the form is shown again, or in place of another page. */
export function renderSignIn(site: Site, caller: Caller | null, kept: KeptRequest, problem?: string): string {
  const { next, typed } = kept
  const body = (
    <div class="edit-narrow">
      <h1>{texts.title}</h1>
      {problem !== undefined && (
        <p class="edit-problem" role="alert">
          {problem}
        </p>
      )}
      {typed !== null && <p>{texts.kept}</p>}
      {caller !== null && <p>{texts.current(caller.name, caller.role)}</p>}
      <p class="muted">{texts.text}</p>
      <form method="post" action={site.urls.signIn()} enctype="multipart/form-data" class="edit-fields">
        <input type="hidden" name="next" value={next} />
        {typed !== null && <input type="hidden" name="repeats" value="1" />}
        {typed !== null && <HiddenFields fields={typed.map(([name, value]) => [toKeptName(name), value])} />}
        <label for="key">{texts.key}</label>
        <input id="key" type="password" name="key" autocomplete="current-password" required autofocus />
        <button type="submit">{texts.submit}</button>
      </form>
    </div>
  )
  return renderEditPage({ site, caller }, texts.title, body)
}

/**
 * The form that was refused, to be sent once more. After signing in again, the script sends it by itself; if its token
 * was another session's, a person has to.
 */
export function renderRepeat(
  site: Site,
  caller: Caller,
  { next, typed }: KeptRequest,
  why: 'signed in' | 'wrong token',
): string {
  const { repeat } = editTexts
  const { title, text } = repeat[why]
  const body = (
    <div class="edit-narrow">
      <h1>{title}</h1>
      <p>{text(caller.name)}</p>
      <PostForm caller={caller} action={next} {...(why === 'signed in' ? { class: 'edit-repeat' } : {})}>
        <HiddenFields fields={typed ?? []} />
        <button type="submit">{repeat.submit}</button>
      </PostForm>
      <p>
        <a href={site.urls.editHome}>{repeat.discard}</a>
      </p>
    </div>
  )
  return renderEditPage({ site, caller }, title, body)
}

export function HiddenFields({ fields }: { readonly fields: TypedFields }) {
  return (
    <>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
