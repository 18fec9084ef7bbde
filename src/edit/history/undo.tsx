import { execute, logWrite } from '../../http/execute.ts'
import { Refused } from '../../http/problem.ts'
import { type Call, type Caller, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import type { ChangeCommand } from '../../record/command.ts'
import type { CompanionName } from '../../record/companion/kinds.ts'
import { toCompanionTag } from '../../record/companion/version.ts'
import { isSameJson } from '../../record/json.ts'
import { parseRecordId, toChangedFields, type VideoRecord } from '../../record/record.ts'
import { type FieldUndo, keepPlayer, toFieldUndo } from '../../record/three-way-merge.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import { requireCaller, requireForm, seeOther } from '../edit-page.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { readList, readTalkPages } from '../lists/list-place.ts'
import { listOtherChanges, type OtherChange, toWho } from '../save/notices.tsx'
import { setCompanion } from '../talk/companion.ts'
import { listVersionsBetween, toSavedFlag } from '../talk/talk-version.ts'
import { findCompanionName, findTalkVersion, requireTalk, requireVersion } from './read-versions.ts'

type VersionCall = HttpCall<'id' | 'version'>

/**
 * `POST /edit/video/<id>/history/<n>` with `do=undo`: reverts each field that this version changed and that nobody has
 * changed since. The next page names the others.
 */
export async function undoVersion(call: VersionCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const [id, undone] = [Number(call.params.id), Number(call.params.version)]
  const made = await sendUndo(call, deps, attempts)
  const { urls } = await openSite(call, deps)
  if (requireForm(call).get('back') !== 'talk')
    return seeOther(call, readTalkPages(call, urls).history({ undone, made }))
  const done = made === null ? { unchanged: id } : { saved: toSavedFlag({ id, base: made - 1, version: made }) }
  return seeOther(call, urls.edit(id, { list: readList(call), ...done, undone }))
}

/** A save between the read and the write changes what can be undone. */
const attempts = 3

/** The number of the version that it made; null if there was nothing to undo. */
async function sendUndo(call: VersionCall, deps: SiteHttpDeps, left: number): Promise<number | null> {
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const name = findCompanionName((await requireVersion(deps.store, id, number)).line)
  if (name !== null) return undoCompanion(call, deps, name)
  const { stored, record } = await requireTalk(deps.store, id)
  const { changes } = (await findUndo(deps.store, id, number, record)) ?? refuseFirst()
  if (Object.keys(changes).length === 0) return null
  const command: ChangeCommand = {
    ...{ kind: 'merge', id, author: toAuthor(requireCaller(call)) },
    changes: keepPlayer(record, changes),
    precondition: { mergeBase: stored.versionTag },
  }
  try {
    const outcome = await execute(deps, call, command)
    if (outcome.is !== 'stored') return null
    logWrite(deps.log, call, command, outcome)
    return outcome.stored.version
  } catch (error) {
    const isStale = error instanceof Refused && error.problem.code === 'stale'
    if (!isStale || left === 1) throw error
    return sendUndo(call, deps, left - 1)
  }
}

/** A companion goes back if it still has what the version gave it. */
async function undoCompanion(call: VersionCall, { store, ...deps }: SiteHttpDeps, name: CompanionName) {
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const [before, after, now] = [
    await store.readCompanion(id, name, number - 1),
    await store.readCompanion(id, name, number),
    await store.readCompanion(id, name),
  ]
  if (!isSameJson(after.content, now.content)) return null
  const change = { id, name, base: toCompanionTag(name, now), body: before.content, reason: null }
  const sent = await setCompanion(call, { store, ...deps }, change)
  if (sent.is === 'refused') throw new Refused(sent.problem)
  return sent.is === 'saved' ? sent.version : null
}

/** The first version has nothing before it. */
function refuseFirst(): never {
  throw new Refused({ code: 'no_such_record_version' })
}

/** What undoing a version of a talk would do to the talk as it is in `current`; null if there is none before it. */
async function findUndo(
  store: Pick<ReadStore, 'read' | 'isErased' | 'readVersion' | 'readCompanion' | 'listTranscripts'>,
  id: number,
  number: number,
  current: VideoRecord,
): Promise<FieldUndo | null> {
  const before = await findTalkVersion(store, id, number - 1)
  if (before === null) return null
  const after = await requireVersion(store, id, number)
  const changed = toChangedFields(before.record, after.record)
  const given = new Map(changed.map((name) => [name, { before: before.record[name], after: after.record[name] }]))
  return toFieldUndo(given, current)
}

/** The version whose undo led to a page; null if none did. */
export const parseUndone = (call: Call) => parseRecordId(call.query().get('undone') ?? '')

interface Undone {
  readonly id: number
  /** The version that was undone. */
  readonly number: number
  /** The talk after the undo. */
  readonly now: { readonly version: number; readonly record: VideoRecord }
}

/** The fields that an undo kept, and who changed each of them last. */
export async function listKeptChanges(
  store: Pick<ReadStore, 'read' | 'isErased' | 'readVersion' | 'readCompanion' | 'listTranscripts'>,
  { id, number, now }: Undone,
): Promise<readonly OtherChange[]> {
  const undo = await findUndo(store, id, number, now.record)
  const kept = new Set<string>(undo?.since)
  if (kept.size === 0) return []
  const between = await listVersionsBetween(store, { id, after: number, before: now.version + 1 })
  return listOtherChanges(between).filter(({ name }) => kept.has(name))
}

/** After an undo that changed nothing. */
export const toNothingText = (kept: readonly OtherChange[]) =>
  kept.length === 0 ? 'There was nothing left to undo.' : 'Nothing was undone.'

interface KeptProps {
  readonly caller: Caller
  readonly kept: readonly OtherChange[]
}

/** `Not undone, because it was changed since: Title (by ben, …).` */
export function KeptNotice({ caller, kept }: KeptProps) {
  if (kept.length === 0) return null
  const fields = kept.map((change) => `${toFullLabel(change.name)} (by ${toWho(change, caller)})`)
  return (
    <p>
      Not undone, because {kept.length === 1 ? 'it was' : 'they were'} changed since: {fields.join('; ')}.
    </p>
  )
}
