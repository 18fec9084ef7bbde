import type { Child } from '#jsx/jsx-runtime'
import type { Caller } from '../http/route.ts'
import { Brand, renderPage } from '../site/part/layout.tsx'
import type { Site } from '../site/site.ts'
import { KeysHelp } from './keys/key-tables.tsx'
import { PostForm } from './post-form.tsx'

const menuTitles = {
  lists: 'Work lists',
  newTalk: 'New talk',
  names: 'Names',
  changes: 'Changes',
  batches: 'Batches',
} as const

interface FrameProps {
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

function EditHeader({ site, caller, section }: FrameProps) {
  return (
    <header class="top edit-top">
      <Brand site={site} />
      {caller !== null && <Menu site={site} section={section} />}
      {caller !== null && <Account site={site} caller={caller} />}
    </header>
  )
}

function Menu({ site: { urls }, section }: { readonly site: Site; readonly section: FrameProps['section'] | undefined }) {
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
        <bdi>{isLocal ? 'Local mode' : caller.name}</bdi> ({caller.role})
      </a>
      {!isLocal && (
        <PostForm caller={caller} action={site.urls.signOut} attributes={{ 'data-sign-out': true }}>
          <button type="submit">Sign out</button>
        </PostForm>
      )}
    </section>
  )
}

/** Whose unsaved text a browser keeps, without the name. */
const toOwner = ({ name }: Caller) =>
  new Bun.CryptoHasher('sha256').update(`unsaved ${name}`).digest('hex').slice(0, 16)
