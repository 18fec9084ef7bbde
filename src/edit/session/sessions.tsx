import { execute } from '../../http/execute.ts'
import { Refused, requireRead } from '../../http/problem.ts'
import { type Call, type Caller, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import { isSessionOver, maxAgeMs, maxIdleMs, toSessionTimes } from '../../record/credentials.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { SessionLine } from '../../store/access.ts'
import {
  DateTime,
  PostForm,
  renderEditPage,
  requireCaller,
  requireForm,
  respondEditPage,
  seeOther,
} from '../edit-page.tsx'
import { signOut } from './sign-in.tsx'

/** `/edit/sessions`: the sessions of the caller. */
export async function showSessions(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const own = caller.session?.hash ?? null
  const lines = own === null ? [] : await listSessions(deps, caller.name, own)
  const body = (
    <div class="edit-page">
      <h1>Your sessions</h1>
      <p>
        You are <bdi>{caller.name}</bdi>, {caller.role}.
      </p>
      <p>
        {own === null
          ? 'Local mode needs no sign-in, so there are no sessions.'
          : `You have one session per browser. It ends after ${maxIdleMs / 3_600_000} hours without use, after ${maxAgeMs / 86_400_000} days, or when your access token expires.`}
      </p>
      {own !== null && <SessionTable {...{ site, caller, lines, own }} />}
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller }, 'Your sessions', body))
}

/** Ends one session, or all but that of the caller. */
export async function endSessions(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const caller = requireCaller(call)
  const form = requireForm(call)
  const { urls } = await openSite(call, deps)
  const own = caller.session?.hash ?? null
  const isAll = form.has('others')
  const named = isAll ? own : form.get('session')
  if (named === null || !/^[A-Za-z0-9_-]{43}$/.test(named)) throw new Refused({ code: 'bad_form' })
  if (!isAll && named === own) return signOut(call, deps)
  const kind = isAll ? 'end other sessions' : 'end session'
  await execute(deps, call, { kind, author: toAuthor(caller), hash: Buffer.from(named, 'base64url') })
  return seeOther(call, urls.sessions)
}

/** By a part of the User-Agent. Some contain the names of others, so the order matters. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox on Linux`, so that people recognise their session. */
export function toBrowserName(agent: string): string {
  const [, browser] = browsers.find(([part]) => agent.includes(part)) ?? []
  const [, system] = systems.find(([part]) => agent.includes(part)) ?? []
  // Other programs begin with their own name.
  const name = browser ?? agent.split(/[ /]/)[0]?.slice(0, 40) ?? ''
  if (name === '') return 'Unknown browser'
  return system === undefined ? name : `${name} on ${system}`
}

async function listSessions({ store }: SiteDeps, name: string, own: string): Promise<readonly SessionLine[]> {
  const nowMs = Date.now()
  const lines = requireRead(await store.listSessions({ name, own, at: toTimestamp(nowMs) }))
  return lines.filter((line) => !isSessionOver(toSessionTimes(line), nowMs))
}

interface TableProps {
  readonly site: Site
  readonly caller: Caller
  readonly lines: readonly SessionLine[]
  /** The session of the caller. */
  readonly own: string
}

function SessionTable({ site, caller, lines, own }: TableProps) {
  return (
    <>
      <div class="edit-table">
        <table>
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <SessionRow key={line.hash} {...{ site, caller, line }} isOwn={line.hash === own} />
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > 1 && (
        <PostForm caller={caller} action={site.urls.sessions}>
          <button type="submit" name="others" value="1">
            End all others
          </button>
        </PostForm>
      )}
    </>
  )
}

interface RowProps extends Pick<TableProps, 'site' | 'caller'> {
  readonly line: SessionLine
  readonly isOwn: boolean
}

function SessionRow({ site, caller, line, isOwn }: RowProps) {
  const browser = toBrowserName(line.agent)
  return (
    <tr>
      <th scope="row" title={line.agent}>
        {browser} {isOwn && <span class="muted">(this one)</span>}
      </th>
      <td>
        <DateTime at={line.created} />
      </td>
      <td>
        <DateTime at={line.lastUsed} />
      </td>
      <td>
        <PostForm caller={caller} action={site.urls.sessions} attributes={{ 'data-sign-out': isOwn }}>
          <button type="submit" name="session" value={line.hash} aria-label={`End the session of ${browser}`}>
            End
          </button>
        </PostForm>
      </td>
    </tr>
  )
}
