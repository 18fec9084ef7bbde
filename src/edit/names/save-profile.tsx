import type { RefusedCommand } from '../../http/execute.ts'
import { requireRead } from '../../http/problem.ts'
import { type Call, type Form, type HttpCall, type TextAnswer, toAuthor, type Unrendered } from '../../http/route.ts'
import { findVersionNumber } from '../../record/command.ts'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import { renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { ConflictForm } from '../save/conflict.tsx'
import { listOtherChanges, RefusedSave } from '../save/notices.tsx'
import {
  type EditedVersion,
  type ShownConflict,
  type ShownForm,
  type Subject,
  saveFields,
} from '../save/save-fields.ts'
import { type CuratedName, findCurated, type NameFrame } from './curated-name.ts'
import { attemptCommand } from './name-command.ts'
import { respondLostForm, respondName } from './name-page.tsx'
import { NameTabs } from './names-layout.tsx'
import { noVersion, profileTable, toEdited, toUnsavedProfileKey } from './profile-form.tsx'

/** A page that compares texts: the form again, or a conflict. */
export type ProfilePage = { readonly name: CuratedName } & (ShownForm<EditedVersion> | ShownConflict<EditedVersion>)

/** The form, or the choices of its conflict page. */
export async function saveProfile(
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  form: Form,
): Promise<TextAnswer | Unrendered<ProfilePage>> {
  const { key } = frame.name
  const saved = await saveFields(createProfileSubject(deps, call, key), form)
  if (saved.is === 'done') {
    const code = saved.done.is === 'unchanged' ? 'same' : saved.isMerged ? 'merged' : 'yes'
    const since = saved.isMerged ? findVersionNumber(saved.base.etag) : null
    return seeOther(call, frame.site.urls.editName('speaker', key, { saved: code, since }))
  }
  const current = await findCurated(deps, 'speaker', key)
  if (saved.is === 'gone' || current?.key !== key) return respondLostProfile(call, deps, key, current)
  return { unrendered: { ...saved, name: current } }
}

/** The speaker was merged, or does not exist: the page shows what was typed, to be copied. */
export const respondLostProfile = (call: HttpCall, deps: SiteHttpDeps, key: string, current: CuratedName | null) =>
  respondLostForm(call, deps, {
    ...{ kind: 'speaker', key, current, table: profileTable, unsavedKey: toUnsavedProfileKey(key) },
  })

/** The profile of a speaker, as `saveFields` changes it. */
function createProfileSubject(
  deps: SiteHttpDeps,
  call: HttpCall,
  key: string,
): Subject<EditedVersion, { readonly is: 'stored' | 'unchanged' }> {
  return {
    table: profileTable,
    async findCurrent() {
      const found = await findCurated(deps, 'speaker', key)
      return found === null || found.key !== key ? null : toEdited(found)
    },
    async findVersion(etag) {
      if (etag === noVersion) return toEdited({ profile: null })
      const number = findVersionNumber(etag ?? '')
      const query = { id: Number(key), number: number ?? 0 }
      const found = number === null ? null : requireRead(await deps.store.readProfileVersion(query))
      return found === null || found.versionTag !== etag ? null : { etag: found.versionTag, record: found.fields }
    },
    async send(base, given, reason) {
      if (Object.keys(given).length === 0) return { is: 'unchanged' }
      const found = await findCurated(deps, 'speaker', key)
      // A rename in the meantime is not a conflict: the ETag has the current name and the profile that the form was made from.
      const isNewer = found === null || toEdited(found).etag !== base.etag
      if (isNewer) return { is: 'refused', problem: { code: 'stale' } } satisfies RefusedCommand
      const attempt = await attemptCommand(deps, call, {
        ...{ kind: 'rename name', of: 'speaker', nameId: Number(key), author: toAuthor(requireCaller(call)) },
        // Each value was parsed by the table of these fields, or is one of a stored version.
        profile: given,
        ...(reason !== null && { reason }),
        precondition: { ifMatch: [found.versionTag] },
      })
      return attempt.ok ? { is: 'stored' } : ({ is: 'refused', problem: attempt.problem } satisfies RefusedCommand)
    },
  }
}

/** Runs on a query thread (decision 70). */
export async function renderProfile(call: Call, deps: SiteDeps, page: ProfilePage): Promise<TextAnswer> {
  const frame: NameFrame = { site: await openSite(call, deps), caller: requireCaller(call), name: page.name }
  const reason = call.form?.get('reason') ?? ''
  if (page.is === 'conflict') return respondConflict(call, deps, frame, page, reason)
  const { base, typed, errors, problem } = page
  const answer = await respondName(call, deps, frame, {
    profile: { base, typed, reason, ...(errors && { errors }) },
    ...(problem && { problem: RefusedSave(problem) }),
  })
  return { ...answer, status: page.status }
}

async function respondConflict(
  call: Call,
  { store }: SiteDeps,
  { site, caller, name }: NameFrame,
  conflict: ShownConflict<EditedVersion>,
  reason: string,
): Promise<TextAnswer> {
  const own = site.urls.editName('speaker', name.key)
  const [began, newest] = [findVersionNumber(conflict.base.etag) ?? 0, findVersionNumber(conflict.theirs.etag) ?? 0]
  const log = requireRead(await store.listProfileHistory({ id: Number(name.key), page: 1, pageSize: 20 }))
  const versions = (log?.lines ?? []).filter(({ version }) => version > began && version <= newest).toReversed()
  const body = (
    <div class="editor">
      <NameTabs site={site} kind="speaker" />
      <h1 dir="auto">{name.name}</h1>
      <ConflictForm
        {...{ caller, reason }}
        shown={conflict}
        table={profileTable}
        changes={listOtherChanges(versions)}
        what="speaker"
        action={own}
        back={own}
        unsavedKey={toUnsavedProfileKey(name.key)}
        buttons={[{ action: 'save', label: 'Save' }]}
      />
    </div>
  )
  const html = renderEditPage({ site, caller, section: 'names' }, `Conflict: ${name.name}`, body)
  return { ...respondEditPage(call, html), status: conflict.status }
}
