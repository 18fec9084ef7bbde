import type { Child, FormAttributes } from '#jsx/jsx-runtime'
import { Refused } from '../http/problem.ts'
import { type Caching, contentTypes, type HeaderValues, redirect, toHeaders, toUtf8Body } from '../http/respond.ts'
import type { Call, Caller, Form, TextAnswer } from '../http/route.ts'
import type { Timestamp } from '../record/timestamp.ts'
import { Brand, renderPage } from '../site/part/layout.tsx'
import { openSite, type Site, type SiteDeps } from '../site/site.ts'
import { toMoment } from '../site/text/format.ts'
import type { Urls } from '../site/urls.ts'
import { shortcutGroups } from './shortcuts.ts'

const menuTitles = {
  lists: 'Work lists',
  newTalk: 'New talk',
  names: 'Names',
  changes: 'Changes',
  batches: 'Bulk changes',
} as const

export interface FrameProps {
  readonly site: Site
  /** Null before sign-in. */
  readonly caller: Caller | null
  readonly section?: keyof typeof menuTitles
}

/** A page for curators as HTML. */
export function renderEditPage(frame: FrameProps, title: string, body: Child): string {
  const { urls, assets } = frame.site
  const more = (
    <>
      <link rel="stylesheet" href={urls.asset(assets.editCss)} />
      <script type="module" src={urls.asset(assets.editScript)} />
    </>
  )
  const head = { title, canonical: null, isIndexed: false, more }
  const whole = (
    <>
      {body}
      {frame.caller !== null && <KeysHelp urls={urls} />}
    </>
  )
  return renderPage(frame.site, head, whole, <EditHeader {...frame} />)
}

const caching: Caching = 'private'

/** A page for curators, never compressed: it has secrets together with text that others typed (BREACH). */
export function respondEditPage(call: Call, html: string, more: HeaderValues = {}): TextAnswer {
  const headers = toHeaders(call.route.headers, contentTypes.html, caching)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return { status: 200, headers, ...toUtf8Body(html) }
}

/** Redirects after a form, so that a reload does not send the form again. */
export function seeOther(call: Call, location: string, more: HeaderValues = {}): TextAnswer {
  return redirect(call, location, { status: 303, caching, headers: more })
}

/** The caller of a page that needs a role, which the pipeline has checked. */
export function requireCaller(call: Call): Caller {
  const caller = call.caller()
  if (caller === null) throw new Refused({ code: 'session_needed' })
  return caller
}

/** The form of a POST, which the pipeline has read. */
export function requireForm({ form }: Call): Form {
  if (form === null) throw new Refused({ code: 'bad_form' })
  return form
}

/** Entries that a form sends with what was typed, without those that are null. */
export type HiddenValues = { readonly [name: string]: string | null | undefined }

export interface PostFormProps {
  readonly caller: Pick<Caller, 'session'>
  readonly action: string
  readonly class?: string
  /** Further attributes of the form. */
  readonly attributes?: FormAttributes
  readonly hidden?: HiddenValues
  readonly children: Child
}

/** Every form of a page for curators. The server refuses a form without this token (decision 57). */
export function PostForm({ caller, action, children, attributes, class: kind, hidden = {} }: PostFormProps) {
  return (
    <form method="post" action={action} enctype="multipart/form-data" class={kind} {...attributes}>
      <input type="hidden" name="csrf" value={caller.session?.formToken} />
      <Hidden fields={Object.entries(hidden)} />
      {children}
    </form>
  )
}

/** Further entries, whose names may repeat. */
export function Hidden({ fields }: { readonly fields: Iterable<readonly [string, string | null | undefined]> }) {
  return (
    <>
      {Array.from(fields, ([name, value], i) =>
        value === null || value === undefined ? null : <input key={i} type="hidden" name={name} value={value} />,
      )}
    </>
  )
}

export function DateTime({ at }: { readonly at: Timestamp }) {
  return <time datetime={`${at}Z`}>{toMoment(at)}</time>
}

function EditHeader({ site, caller, section }: FrameProps) {
  return (
    <header class="top edit-top">
      <Brand site={site} />
      {caller !== null && <Menu site={site} section={section} />}
      {caller !== null && <Account site={site} caller={caller} />}
    </header>
  )
}

function Menu({
  site: { urls },
  section,
}: {
  readonly site: Site
  readonly section: FrameProps['section'] | undefined
}) {
  const entries = [
    ['lists', urls.editHome, 'g l'],
    ['newTalk', urls.newTalk(), 'g t'],
    ['names', urls.editNames('speaker'), 'g n'],
    ['changes', urls.changes(), 'g c'],
    ['batches', urls.batches(), 'g b'],
  ] as const
  return (
    <nav class="menu" aria-label="Curators">
      <ul>
        {entries.map(([name, href, keys]) => (
          <li key={name}>
            <a href={href} data-key={keys} aria-current={section === name ? 'true' : undefined}>
              {menuTitles[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account({ site, caller }: { readonly site: Site; readonly caller: Caller }) {
  const isLocal = (caller.session?.hash ?? null) === null
  return (
    <section class="account" aria-label="You" data-owner={toOwner(caller)}>
      <a href={site.urls.sessions}>
        <bdi>{isLocal ? 'Local mode' : caller.name}</bdi> <span class="role">({caller.role})</span>
      </a>
      {!isLocal && (
        <PostForm caller={caller} action={site.urls.signOut} attributes={{ 'data-sign-out': true }}>
          <button type="submit">Sign out</button>
        </PostForm>
      )}
    </section>
  )
}

/** Identifies the owner of unsaved text in a browser without storing the name. */
const toOwner = ({ name }: Caller) =>
  new Bun.CryptoHasher('sha256').update(`unsaved ${name}`).digest('hex').slice(0, 16)

/** All shortcuts. The switch appears with the script that handles them. */
function KeyTables({ level: Heading = 'h2' }: { readonly level?: 'h2' | 'h3' }) {
  return (
    <div class="key-tables">
      <p>For two keys, press one, then the other. On a Mac, use Command instead of Ctrl.</p>
      <label data-keys-switch hidden>
        <input type="checkbox" /> Use single-key shortcuts
      </label>
      <div class="key-groups">
        {shortcutGroups.map(({ title, shortcuts }) => (
          <section key={title}>
            <Heading>{title}</Heading>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </div>
  )
}

const keysTitle = 'Keyboard shortcuts'

/** `/edit/keys`: what the help overlay shows, as a page. */
export async function showKeys(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const body = (
    <div class="edit-page keys-page">
      <h1>{keysTitle}</h1>
      <KeyTables />
      <noscript>
        <p class="muted">Shortcuts need JavaScript. Everything works without them, too.</p>
      </noscript>
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller: requireCaller(call) }, keysTitle, body))
}

/** The link to the shortcuts on every page for curators, and the overlay that the script shows instead. */
function KeysHelp({ urls }: { readonly urls: Urls }) {
  return (
    <>
      <p class="keys-link">
        <a href={urls.keys} data-key="?">
          Keyboard shortcuts <kbd>?</kbd>
        </a>
      </p>
      <dialog id="keys-help" aria-labelledby="keys-help-title">
        <div class="keys-head">
          <h2 id="keys-help-title">Keyboard shortcuts</h2>
          <button type="button" class="button quiet small" data-close>
            Close
          </button>
        </div>
        <KeyTables level="h3" />
      </dialog>
    </>
  )
}

/** `Ctrl+S` and `g l` as two keys each. */
function Keys({ keys }: { readonly keys: string }) {
  return <>{keys.split(/[ +]/).flatMap((key, i) => [...(i === 0 ? [] : [' ']), <kbd key={key}>{key}</kbd>])}</>
}

interface StepButtonsProps {
  /** The value of `do`. */
  readonly action: string
  readonly label: string
  readonly cancel: string
}

/** The end of a form that leads to the next step, or back. */
export function StepButtons({ action, label, cancel }: StepButtonsProps) {
  return (
    <p class="buttons">
      <button class="button" type="submit" name="do" value={action}>
        {label}
      </button>
      <a class="button quiet" href={cancel}>
        Cancel
      </a>
    </p>
  )
}
