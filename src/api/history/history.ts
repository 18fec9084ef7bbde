import type { Answer, Call, Route } from '../../http/call.ts'
import { toPrecondition } from '../../http/conditional.ts'
import type { Logger } from '../../http/logger.ts'
import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import { fromBody, toAsciiJson, toBodyText } from '../../record/json/body-bytes.ts'
import { toChanges, type VideoRecord } from '../../record/record.ts'
import type { StoredVersion } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { parseRecordId } from '../item/item.ts'
import { toStaleProblem } from '../item/stale.ts'
import { toListResponse } from '../list/envelope.ts'
import { answerPage, readLines } from '../list/page-answer.ts'
import { toMissing } from '../missing.ts'
import { actionHeaders, readHeaders } from '../path-headers.ts'
import { toDescribe, toDescribedRoute } from '../read-route.ts'
import { execute, parseWriteOptions, toAuthor, toStoredResponse } from '../write.ts'

export interface HistoryNeeds {
  readonly store: Store
  readonly log: Logger
  readonly baseUrl: BaseUrl
}

const base = '/api/v2/video'
const listPath = `${base}/:id/history`
const shape = { name: 'other', negotiates: true } as const

/** `/api/v2/video/<id>/history`: every version that a record ever had, and the way back to each. */
export function createHistoryRoutes(needs: HistoryNeeds): Route[] {
  const { store, baseUrl } = needs

  async function list(call: Call): Promise<Answer> {
    const id = Number(call.parameter)
    if ((await store.read(id)) === null) return toMissing(store, id)
    const place = { baseUrl, path: `${base}/${id}/history`, sight: 'all' } as const
    return answerPage(call, place, (paging) => readLines(store.listHistory({ id, ...paging }, call.request.signal)))
  }

  function get(call: Call): MaybePromise<Answer> {
    const [id, number] = toPlace(call.parameter)
    return andThen(store.readVersion(id, number), (version): MaybePromise<Answer> => {
      if (version === null) return toNoVersion(store, id)
      return andThen(number === 1 ? null : store.readVersion(id, number - 1), (before) =>
        toListResponse(call, toVersionBody(id, version, before), 'all', readHeaders),
      )
    })
  }

  return [
    toDescribedRoute(
      { ...shape, path: listPath, headers: readHeaders, acceptsParameter: (value) => parseRecordId(value) !== null },
      { role: 'reader', run: list },
    ),
    toDescribedRoute(
      { ...shape, path: `${listPath}/:version`, headers: readHeaders, acceptsParameter: isPlace },
      { role: 'reader', run: get },
    ),
    createRestoreRoute(needs),
  ]
}

/** `POST …/history/<n>/restore`: the version becomes the current record again, as a new version. */
function createRestoreRoute(needs: HistoryNeeds): Route {
  const { store, baseUrl } = needs
  const path = `${listPath}/:version/restore`

  async function restore(call: Call): Promise<Answer> {
    const [id, number] = toPlace(call.parameter)
    const wish = parseWriteOptions(call)
    if ('code' in wish) return wish
    const precondition = toPrecondition(call.head)
    const command = { kind: 'restore', id, number, author: toAuthor(call), precondition, ...wish } as const
    const answer = await execute(needs, call, command, (stored) =>
      toStoredResponse(stored, actionHeaders, `${baseUrl(call)}${base}/${id}`),
    )
    if (!('code' in answer && answer.code === 'stale')) return answer
    const wanted = await store.readVersion(id, number)
    const change = wanted === null ? null : ({ kind: 'replace', changes: toChanges(fromBody(wanted.body)) } as const)
    return toStaleProblem(store, { id, precondition, change, representation: 'json' })
  }

  return {
    ...shape,
    path,
    acceptsParameter: isPlace,
    allow: actionHeaders.get('Allow') ?? '',
    headers: actionHeaders,
    methods: { POST: { role: 'editor', run: restore }, OPTIONS: toDescribe(path, actionHeaders) },
  }
}

/** Where there is no such version there may be no such record. */
function toNoVersion(store: Store, id: number): MaybePromise<Answer> {
  return andThen(store.read(id), (stored) =>
    stored === null ? toMissing(store, id) : { code: 'no_such_record_version' },
  )
}

/** `<id>/<number>`, both written like an id. */
function isPlace(value: string): boolean {
  const parts = value.split('/')
  return parts.length === 2 && parts.every((part) => parseRecordId(part) !== null)
}

function toPlace(value: string): readonly [number, number] {
  const [id, number] = value.split('/').map(Number)
  return [id ?? 0, number ?? 0]
}

/** The record as it was stored, with what is known of the version before it; in pieces. */
function toVersionBody(
  id: number,
  { versionTag: _, body, ...version }: StoredVersion,
  before: StoredVersion | null,
): readonly string[] {
  const record = fromBody(body)
  const earlier = before === null ? null : fromBody(before.body)
  const changed = Object.fromEntries(version.changed.map((name) => [name, toStep(name, record, earlier)]))
  const head = toAsciiJson({ id, ...version, changed })
  return [`${head.slice(0, -1)},"record":`, toBodyText(body), '}']
}

/** From what to what; a new record's fields come from nothing. */
function toStep(name: keyof VideoRecord, record: VideoRecord, earlier: VideoRecord | null) {
  return earlier === null ? { to: record[name] } : { from: earlier[name], to: record[name] }
}
