import type { Call, Caller } from '../../http/route.ts'
import { fromBody } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import { toNumber } from '../../record/text/counted.ts'
import type { Site, SiteDeps } from '../../site/site.ts'
import { toTalkPages } from '../../site/urls.ts'
import type { StoredVersion } from '../../store/change-log.ts'
import { PostForm } from '../edit-page.tsx'
import { KeptNotice, listKeptChanges, parseUndone, toNothingText } from '../history/undo.tsx'
import { readList } from '../lists/list-place.ts'
import { findCreatedNames, type NewName, NewNameList } from '../names/new-names.tsx'
import { isOwnSave, listOtherChanges, type OtherChange, OthersChanges, toSavedKeys } from '../save/notices.tsx'
import { listVersionsBetween, parseSavedFlag, type SavedFlag, type TalkVersion, toUnsavedKey } from './talk-version.ts'

export const saveNoticeId = 'save-notice'

/** Whether the last form was that of another talk. */
export function isForAnotherTalk(call: Call, id: number): boolean {
  const other = call.query().get('unchanged') ?? parseSavedFlag(call.query().get('saved'))?.id ?? id
  return Number(other) !== id
}

/** Says what the last form did: to this talk, or to the one before it in a list. */
export async function findSaveNotice(
  call: Call,
  deps: SiteDeps,
  site: Site,
  caller: Caller,
  talk: Pick<TalkVersion, 'id'> | null,
) {
  const unchanged = Number(call.query().get('unchanged') ?? Number.NaN)
  const undone = parseUndone(call)
  if (Number.isSafeInteger(unchanged) && undone !== null) return findNothingUndone(deps, caller, unchanged, undone)
  if (Number.isSafeInteger(unchanged)) return <Unchanged site={site} id={unchanged} isHere={unchanged === talk?.id} />
  const flag = parseSavedFlag(call.query().get('saved'))
  const made = flag === null ? null : await deps.store.readVersion(flag.id, flag.version)
  if (flag === null || made === null || !isOwnSave(made, caller)) return null
  const between = { id: flag.id, after: flag.base, before: flag.version }
  const others = listOtherChanges(await listVersionsBetween(deps.store, between))
  const newNames = await findNamesOfSave(deps, flag, made)
  const now = { version: flag.version, record: fromBody(made.body) }
  const kept = undone === null ? null : await listKeptChanges(deps.store, { id: flag.id, number: undone, now })
  const shown = { site, caller, flag, made, others, newNames, list: readList(call), kept }
  return <Saved {...shown} isHere={flag.id === talk?.id} />
}

/** An undo that changed nothing: somebody has changed all of it since, or it was undone before. */
async function findNothingUndone({ store }: SiteDeps, caller: Caller, id: number, number: number) {
  const stored = await store.read(id)
  if (stored === null) return null
  const now = { version: stored.version, record: fromBody(stored.body) }
  const kept = await listKeptChanges(store, { id, number, now })
  return (
    <div id={saveNoticeId} class="notice" role="status">
      <p>{toNothingText(kept)}</p>
      <KeptNotice caller={caller} kept={kept} />
    </div>
  )
}

/** Lists new names right after the save, when the person can still recognise a typo. */
async function findNamesOfSave({ store }: SiteDeps, { id, version }: SavedFlag, made: StoredVersion) {
  const before = version === 1 ? null : await store.readVersion(id, version - 1)
  if (version > 1 && before === null) return []
  return findCreatedNames(store, before === null ? null : fromBody(before.body), fromBody(made.body))
}

interface SavedProps {
  readonly site: Site
  readonly caller: Caller
  readonly list: string | null
  readonly flag: SavedFlag
  readonly made: StoredVersion
  readonly isHere: boolean
  /** What an undo kept; null after any other save. */
  readonly kept: readonly OtherChange[] | null
  readonly others: readonly OtherChange[]
  readonly newNames: readonly NewName[]
}

/** The browser removes its copy of what is saved. */
function Saved({ site, caller, list, flag, made, isHere, kept, others, newNames }: SavedProps) {
  const { title, state, category } = fromBody(made.body)
  // A new draft is saved, not withdrawn.
  const isMoved = made.version === 1 ? state === live : made.changed.includes('state')
  const done = kept !== null ? 'Undone' : isMoved ? (state === live ? 'Published' : 'Withdrawn') : 'Saved'
  return (
    <div id={saveNoticeId} class="notice is-good" role="status" data-saved={toSavedKeys(toUnsavedKey(flag.id))}>
      {isHere ? (
        <p>{`${done} as version ${toNumber(flag.version)}.`}</p>
      ) : (
        <p>
          {done}:{' '}
          <a href={site.urls.edit(flag.id)}>
            <bdi>{title}</bdi>
          </a>
        </p>
      )}
      {kept !== null && <KeptNotice caller={caller} kept={kept} />}
      {made.version > 1 && <Undo {...{ site, caller, list, made }} id={flag.id} />}
      {made.version === 1 && isHere && (
        <p>
          <a href={site.urls.newTalk({ category })}>
            New talk in <bdi>{category}</bdi>
          </a>
        </p>
      )}
      <NewNameList site={site} names={newNames} />
      <OthersChanges what="talk" caller={caller} changes={others} />
    </div>
  )
}

interface UndoProps extends Pick<SavedProps, 'site' | 'caller' | 'list' | 'made'> {
  readonly id: number
}

/** Undoes a save in one click, whatever others have saved since. */
function Undo({ site: { urls }, caller, list, made, id }: UndoProps) {
  return (
    <PostForm caller={caller} action={toTalkPages(urls, id, list).version(made.version)} hidden={{ back: 'talk' }}>
      <button type="submit" name="do" value="undo" class="button quiet" data-key="u">
        Undo
      </button>
    </PostForm>
  )
}

/** The form had no changes. Browsers remove only the unsaved text of that form. */
function Unchanged({ site, id, isHere }: { readonly site: Site; readonly id: number; readonly isHere: boolean }) {
  return (
    <p id={saveNoticeId} class="notice" role="status" data-saved={toSavedKeys(toUnsavedKey(id))}>
      {isHere ? (
        'There were no changes to save.'
      ) : (
        <>
          There were no changes to save in <a href={site.urls.edit(id)}>talk {id}</a>.
        </>
      )}
    </p>
  )
}
