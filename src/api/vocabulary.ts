import { judgeBodyType, parseObjectBody, readBody } from '../http/body.ts'
import type { Action, Answer, Call, Route } from '../http/call.ts'
import type { Log } from '../http/log.ts'
import type { Problem } from '../http/problem.ts'
import { parseCategory } from '../record/category.ts'
import { toFolded } from '../record/fold.ts'
import { toAsciiJson } from '../record/json-body.ts'
import type { Store } from '../store/store.ts'
import type { BaseUrl } from './base-url.ts'
import { toListResponse, toSight } from './envelope.ts'
import { toFailed, toUnread } from './failed.ts'
import { answerPage } from './page-answer.ts'
import { categoryHeaders, readHeaders } from './path-headers.ts'
import { toDescribedRoute } from './read-route.ts'
import { parseWish, toAuthor } from './write.ts'

export interface VocabularyNeeds {
  readonly store: Store
  readonly log: Log
  readonly maxBodyBytes: number
  readonly baseUrl: BaseUrl
}

const patchTypes = ['application/json', 'application/merge-patch+json'] as const
const kinds = ['category', 'speaker', 'tag', 'language'] as const
type Kind = (typeof kinds)[number]
const shape = { name: 'other', negotiates: true } as const

/** `/api/v2/category`, `speaker`, `tag`, `language`: what records have, with counts; `q` is a name's beginning. */
export function createVocabularyRoutes(needs: VocabularyNeeds): Route[] {
  return [...kinds.map((kind) => createListRoute(needs, kind)), createCategoryRoute(needs)]
}

function createListRoute({ store, baseUrl }: VocabularyNeeds, kind: Kind): Route {
  const path = `/api/v2/${kind}`
  function list(call: Call): Promise<Answer> {
    const sight = toSight(call)
    const prefix = toFolded((call.query().get('q') ?? '').trim().slice(0, 200))
    const query = { kind, drafts: sight === 'all', prefix, slug: null, recordsAt: toRecordsAt(call, baseUrl) }
    return answerPage(call, { baseUrl, path, sight }, (paging) => store.listVocabulary({ ...query, ...paging }))
  }
  return toDescribedRoute({ ...shape, path, headers: readHeaders }, { role: null, run: list })
}

/** `/api/v2/category/<slug>`: one of them; renaming it rewrites its records and keeps its slug. */
function createCategoryRoute({ store, baseUrl, maxBodyBytes, log }: VocabularyNeeds): Route {
  async function find(call: Call): Promise<string | Problem> {
    const [drafts, recordsAt] = [toSight(call) === 'all', toRecordsAt(call, baseUrl)]
    const which = { kind: 'category', drafts, prefix: '', slug: call.parameter, recordsAt } as const
    const page = await store.listVocabulary({ ...which, page: 1, pageSize: 1 })
    if (typeof page === 'string') return toUnread(page)
    return page.size === 0 ? { code: 'no_such_category' } : page.text
  }

  function show(call: Call, text: string): Response {
    return toListResponse(call, [text], toSight(call), categoryHeaders)
  }

  async function get(call: Call): Promise<Answer> {
    const found = await find(call)
    return typeof found === 'string' ? show(call, found) : found
  }

  async function patch(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const found = await find(call)
    if (typeof found !== 'string') return found
    if (isOtherVersion(call, show(call, found)))
      return { code: 'stale', detail: 'The category has changed. Read it again.' }
    const changes = await readChanges(call, maxBodyBytes)
    if ('code' in changes) return changes
    const wish = parseWish(call)
    if ('code' in wish) return wish
    const command = { kind: 'category', slug: call.parameter, author, changes: changes.value, ...wish } as const
    const outcome = await store.execute(command)
    if (outcome.is === 'refused') return outcome.refusal
    if (outcome.is === 'failed') return toFailed(outcome.failure)
    if (wish.isRehearsal) return show(call, toAsciiJson({ ...JSON.parse(found), ...changes.value }))
    const records = outcome.is === 'batch' ? outcome.ids.length : 0
    log.info('write', { kind: 'category', by: author.name, records, requestId: call.requestId() })
    return get(call)
  }

  const read: Action = { role: null, run: get }
  const route = toDescribedRoute({ ...shape, path: '/api/v2/category/:slug', headers: categoryHeaders }, read)
  return { ...route, methods: { ...route.methods, PATCH: { role: 'publisher', run: patch } } }
}

/** `If-Match` names another version than the one that was just read. */
function isOtherVersion({ head }: Call, current: Response): boolean {
  const tags = head.ifMatch?.split(',').map((tag) => tag.trim())
  return tags !== undefined && !tags.includes('*') && !tags.includes(current.headers.get('ETag') ?? '')
}

async function readChanges(call: Call, maxBodyBytes: number) {
  const type = judgeBodyType(call.head, patchTypes)
  if (typeof type !== 'string') return { ...type, headers: { 'Accept-Patch': patchTypes.join(', ') } }
  const bytes = await readBody(call.request, call.head, maxBodyBytes)
  if ('code' in bytes) return bytes
  const body = parseObjectBody(bytes)
  if ('code' in body) return body
  const parsed = parseCategory(body.value)
  if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors } satisfies Problem
  return { value: parsed.changes }
}

const toRecordsAt = (call: Call, baseUrl: BaseUrl) => `${baseUrl(call)}/api/v2/video/`
