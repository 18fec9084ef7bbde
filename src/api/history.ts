import { toPrecondition } from '../http/conditional.ts'
import type { Logger } from '../http/logger.ts'
import { type Problem, Refused, refuseMissing, requireRead, toParameterProblem } from '../http/problem.ts'
import type { Answer, Call, HttpCall, TextAnswer } from '../http/route.ts'
import { andThen, type MaybePromise } from '../promises.ts'
import type { Precondition, Refusal } from '../record/command.ts'
import { type CompanionName, companionNames, isCompanionName } from '../record/companion/kinds.ts'
import { isWritableName } from '../record/fields.ts'
import { type JsonObject, toAsciiJson } from '../record/json.ts'
import { noSuchName } from '../record/name.ts'
import { fromBody, toBodyText, toChanges, type VideoRecord } from '../record/record.ts'
import type { CategoryVersion, ProfileVersion, StoredVersion } from '../store/change-log.ts'
import type { Store } from '../store/store.ts'
import { restoreCompanion } from './companions.ts'
import { findConflict } from './conflict.ts'
import { answerPage, type ReadDeps, toLogPage, toSingleAnswer, withZone } from './envelope.ts'
import { executeOnRecord, readWriteOptions, requireAuthor, toStoredAnswer } from './write.ts'

export interface HistoryDeps extends ReadDeps {
  readonly store: Store
  readonly log: Logger
}

/** Every version that a record ever had (decision 9). */
export async function listRecordVersions(call: Call<'id'>, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const id = Number(call.params.id)
  if ((await store.read(id)) === null) return refuseMissing(store, id)
  const companion = readCompanionName(call)
  return answerPage(call, baseUrl, 'all', async (paging) =>
    toLogPage(requireRead(await store.listHistory({ id, ...companion, ...paging }, call.signal))),
  )
}

/** `companion=related` narrows the history to the versions of one companion. */
function readCompanionName(call: Call): { readonly companion?: CompanionName } {
  const name = call.query().get('companion') ?? ''
  if (name === '') return {}
  if (isCompanionName(name)) return { companion: name }
  const problem = `companion must be one of ${companionNames.join(', ')} or transcripts/ with a language.`
  throw new Refused(toParameterProblem(new Map([['companion', [problem]]])))
}

export function readVersion(
  call: Call<'id' | 'version'>,
  { store }: Pick<ReadDeps, 'store'>,
): MaybePromise<TextAnswer> {
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  return andThen(store.readVersion(id, number), (version): MaybePromise<TextAnswer> => {
    if (version === null) return refuseNoVersion(store, id)
    const [companion] = version.changed.filter(isCompanionName)
    if (companion !== undefined) return readCompanionVersion(call, store, id, version, companion)
    return andThen(number === 1 ? null : store.readVersion(id, number - 1), (before) =>
      toSingleAnswer(call, toVersionBody(id, version, before)),
    )
  })
}

/** The record is as it was; the companion has its contents before and after. */
async function readCompanionVersion(
  call: Call,
  store: Pick<Store, 'readCompanion'>,
  id: number,
  { versionTag: _, body, ...version }: StoredVersion,
  kind: CompanionName,
): Promise<TextAnswer> {
  const before = (await store.readCompanion(id, kind, version.version - 1)).content
  const after = (await store.readCompanion(id, kind, version.version)).content
  const changed = { [kind]: { from: before, to: after } }
  const head = toAsciiJson({ id, ...withZone(version), changed, companion: { kind, before, after } })
  return toSingleAnswer(call, [`${head.slice(0, -1)},"record":`, toBodyText(body), '}'])
}

/** Stores the version as the current record again, as a new version. */
export async function restoreRecordVersion(call: HttpCall<'id' | 'version'>, deps: HistoryDeps): Promise<Answer> {
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const options = readWriteOptions(call)
  const version = await deps.store.readVersion(id, number)
  const [name] = version?.changed.filter(isCompanionName) ?? []
  if (name !== undefined) return restoreCompanion(call, deps, { id, number, name })
  const precondition = toPrecondition(call.head)
  const command = { kind: 'restore', id, number, author: requireAuthor(call), precondition, ...options } as const
  return executeOnRecord(
    deps,
    call,
    command,
    (stored) => toStoredAnswer(call, stored, `${deps.baseUrl(call)}/api/v2/video/${id}`),
    (refusal) => explainRefusal(deps.store, id, number, precondition, refusal),
  )
}

/** Every version of a category's own fields (decision 31). */
export function listCategoryVersions(call: Call<'slug'>, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const { slug } = call.params
  return answerPage(call, baseUrl, 'all', async (paging) => {
    const page = requireRead(await store.listCategoryHistory({ slug, ...paging }, call.signal))
    if (page === null) throw new Refused({ code: 'no_such_category' })
    return toLogPage(page)
  })
}

export async function readCategoryVersion(
  call: Call<'slug' | 'version'>,
  { store }: Pick<ReadDeps, 'store'>,
): Promise<TextAnswer> {
  const { slug, version: number } = call.params
  const version = requireRead(await store.readCategoryVersion({ slug, number: Number(number) }, call.signal))
  if (version === null) throw new Refused({ code: 'no_such_category_version' })
  return toSingleAnswer(call, [toVersionText(slug, version)])
}

async function explainRefusal(
  store: Store,
  id: number,
  number: number,
  precondition: Precondition,
  refusal: Refusal,
): Promise<Problem> {
  if (refusal.code !== 'stale') return refusal
  const version = await store.readVersion(id, number)
  const change = version === null ? null : ({ kind: 'replace', changes: toChanges(fromBody(version.body)) } as const)
  return findConflict(store, { id, precondition, change, representation: 'json' })
}

/** Checks whether the record itself is missing. */
function refuseNoVersion(store: Pick<Store, 'read' | 'isErased'>, id: number): MaybePromise<never> {
  return andThen(store.read(id), (stored) => {
    if (stored === null) return refuseMissing(store, id)
    throw new Refused({ code: 'no_such_record_version' })
  })
}

/** The stored record with the changes since the previous version, in pieces. */
function toVersionBody(
  id: number,
  { versionTag: _, body, ...version }: StoredVersion,
  before: StoredVersion | null,
): readonly string[] {
  const record = fromBody(body)
  const earlier = before === null ? null : fromBody(before.body)
  const names = version.changed.filter(isWritableName)
  const changed = Object.fromEntries(names.map((name) => [name, toStep(name, record, earlier)]))
  const head = toAsciiJson({ id, ...withZone(version), changed })
  return [`${head.slice(0, -1)},"record":`, toBodyText(body), '}']
}

/** The first version has no earlier values. */
function toStep(name: keyof VideoRecord, record: VideoRecord, earlier: VideoRecord | null) {
  return earlier === null ? { to: record[name] } : { from: earlier[name], to: record[name] }
}

/** The category at this version, with the changes since the previous one. */
function toVersionText(slug: string, version: CategoryVersion): string {
  const { title, ...rest } = version.fields
  return toAsciiJson({ ...toStepped(version), category: { title, slug, ...rest } })
}

/** Every version of the profile of a speaker. */
export function listProfileVersions(call: Call<'id'>, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const id = Number(call.params.id)
  return answerPage(call, baseUrl, 'all', async (paging) => {
    const page = requireRead(await store.listProfileHistory({ id, ...paging }, call.signal))
    if (page === null) throw new Refused(noSuchName('speaker'))
    return toLogPage(page)
  })
}

export async function readProfileVersion(
  call: Call<'id' | 'version'>,
  { store }: Pick<ReadDeps, 'store'>,
): Promise<TextAnswer> {
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const version = requireRead(await store.readProfileVersion({ id, number }, call.signal))
  if (version === null) throw new Refused({ code: 'no_such_name_version' })
  return toSingleAnswer(call, [toAsciiJson({ ...toStepped(version), speaker: { id, ...version.fields } })])
}

/** A version without its fields, but with the changes since the previous one. */
function toStepped({ versionTag: _, fields, before, changed, ...line }: CategoryVersion | ProfileVersion) {
  const [now, then]: readonly (JsonObject | null)[] = [fields, before]
  const toStep = (name: string) =>
    then === null ? { to: now?.[name] ?? null } : { from: then?.[name] ?? null, to: now?.[name] ?? null }
  return { ...withZone(line), changed: Object.fromEntries(changed.map((name) => [name, toStep(name)])) }
}
