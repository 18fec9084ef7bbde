import type { Call, HttpCall, TextAnswer, Unrendered } from '../http/route.ts'
import { createPath, type Path, type PathKind } from '../http/route-table.ts'
import { companionNames } from '../record/companion/kinds.ts'
import type { Role } from '../record/role.ts'
import { createPageKinds } from '../site/page-kinds.ts'
import type { SiteDeps, SiteHttpDeps } from '../site/site.ts'
import { changeMany, renderBulkPreview, showBulk } from './bulk/change-many.tsx'
import { changeBatch, showBatch } from './changes/batch.tsx'
import { showBatches } from './changes/batches.tsx'
import { showChanges } from './changes/changes.tsx'
import { toEditErrorAnswer } from './edit-error.tsx'
import { showKeys } from './edit-page.tsx'
import { showCompare } from './history/compare.tsx'
import { showHistory } from './history/history.tsx'
import { renderRestore, restoreVersion, showRestore } from './history/restore.tsx'
import { changeDuplicates } from './lists/change-duplicates.tsx'
import { decideFindings, hideList } from './lists/decide-findings.tsx'
import { showDuplicates } from './lists/duplicates.tsx'
import { showEventFindings } from './lists/event-findings.tsx'
import { changeLinks, showLinks } from './lists/links.tsx'
import { showListCsv } from './lists/list-csv.ts'
import { showOverview } from './lists/overview.tsx'
import { parkDrafts } from './lists/park.tsx'
import { changeSchedule } from './lists/publish-later.tsx'
import { showWorkList } from './lists/work-list.tsx'
import { saveNewCategory, showNewCategory } from './names/category/new-category.tsx'
import { renderCategory } from './names/category/save-category.tsx'
import { submitCategoryForm, submitSpeakerForm, submitTagForm } from './names/change-name.tsx'
import { mergeTicked } from './names/merge-ticked.tsx'
import { showNameList, showNamesCsv } from './names/name-list.tsx'
import { showCategory, showNamed } from './names/name-page.tsx'
import { pickNames } from './names/pick-names.ts'
import { renderProfile } from './names/save-profile.tsx'
import { changeVariants } from './names/variants/change-variants.ts'
import { showVariants } from './names/variants/variants.tsx'
import { createTalk } from './new/create-talk.tsx'
import { showNewTalk } from './new/new-talk.tsx'
import { endSessions, showSessions } from './session/sessions.tsx'
import { showSignIn, signIn, signOut } from './session/sign-in.tsx'
import { renderTable, showTable, uploadTable } from './table/upload-table.tsx'
import { saveCompanion, showCompanion } from './talk/companion.ts'
import { showEditor } from './talk/editor.tsx'
import { previewForm, previewNew, showPreview } from './talk/preview.tsx'
import { renderSave, saveTalk } from './talk/save.tsx'
import { changeTranscripts, showTranscripts } from './talk/transcripts.tsx'

const path = createPath<SiteDeps, SiteHttpDeps>()

/** Rendered on a query thread. */
const page = <Handler>(handler: Handler, role: Role = 'reader') => ({ handler, role, runsOn: 'query' }) as const
/** Handled on an HTTP thread, which sends commands to the writer. */
const form = <Handler>(handler: Handler, role: Role) => ({ handler, role, runsOn: 'http' }) as const
/** The same, with pages that a query thread renders, since they compare texts. */
const comparingForm = <Name extends string, Shown>(
  handler: (call: HttpCall<Name>, deps: SiteHttpDeps) => Promise<TextAnswer | Unrendered<Shown>>,
  role: Role,
  render: (call: Call<Name>, deps: SiteDeps, shown: Shown) => Promise<TextAnswer>,
) => ({ ...form(handler, role), render }) as const

/**
 * Every page for curators. A row without a role needs no session; all other forms need the token of a session (decision
 * 57).
 */
export function createEditTable(deps: SiteDeps): readonly Path<SiteDeps, SiteHttpDeps>[] {
  const kind = createEditKind(deps)
  return [
    path('/edit', kind, { GET: page(showOverview) }),
    path('/edit/list', kind, { GET: page(showWorkList) }),
    // A stream, which only the thread of the connection can send.
    path('/edit/list.csv', kind, { GET: { handler: showListCsv, role: 'reader', runsOn: 'http' } }),
    path('/edit/duplicates', kind, {
      GET: page(showDuplicates),
      POST: form(changeDuplicates, 'publisher'),
    }),
    path('/edit/findings', kind, { GET: page(showEventFindings), POST: form(decideFindings, 'editor') }),
    path('/edit/findings/hidden', kind, { POST: form(hideList, 'publisher') }),
    path('/edit/links', kind, { GET: page(showLinks), POST: form(changeLinks, 'publisher') }),
    path('/edit/park', kind, { POST: form(parkDrafts, 'editor') }),
    path('/edit/new', kind, { GET: page(showNewTalk), POST: form(createTalk, 'editor') }),
    path('/edit/video/:id', kind, { GET: page(showEditor), POST: comparingForm(saveTalk, 'editor', renderSave) }),
    ...companionNames.map((name) =>
      path(`/edit/video/:id/${name}`, kind, {
        GET: page(showCompanion(name)),
        POST: form(saveCompanion(name), 'editor'),
      }),
    ),
    path('/edit/video/:id/transcripts', kind, {
      GET: page(showTranscripts),
      POST: { ...form(changeTranscripts, 'editor'), takesUploads: true },
    }),
    path('/edit/video/:id/publish-at', kind, { POST: form(changeSchedule, 'publisher') }),
    path('/edit/pick/:kind', kind, { GET: page(pickNames) }),
    path('/edit/video/:id/preview', kind, { GET: page(showPreview) }),
    path('/edit/preview', kind, { POST: page(previewNew) }),
    path('/edit/preview/:id', kind, { POST: page(previewForm) }),
    path('/edit/keys', kind, { GET: page(showKeys) }),
    path('/edit/video/:id/history', kind, { GET: page(showHistory) }),
    path('/edit/video/:id/history/:version', kind, {
      GET: page(showRestore),
      POST: comparingForm(restoreVersion, 'editor', renderRestore),
    }),
    path('/edit/video/:id/compare', kind, { GET: page(showCompare) }),
    path('/edit/changes', kind, { GET: page(showChanges) }),
    path('/edit/batches', kind, { GET: page(showBatches) }),
    path('/edit/batches/:id', kind, { GET: page(showBatch), POST: form(changeBatch, 'editor') }),
    path('/edit/bulk', kind, {
      GET: page(showBulk, 'editor'),
      POST: comparingForm(changeMany, 'editor', renderBulkPreview),
    }),
    path('/edit/table', kind, {
      GET: page(showTable, 'editor'),
      POST: { ...comparingForm(uploadTable, 'editor', renderTable), takesUploads: true },
    }),
    path('/edit/names/speaker', kind, {
      GET: page(showNameList('speaker')),
      POST: form(mergeTicked('speaker'), 'publisher'),
    }),
    path('/edit/names/tag', kind, { GET: page(showNameList('tag')), POST: form(mergeTicked('tag'), 'publisher') }),
    path('/edit/names/category', kind, { GET: page(showNameList('category')) }),
    path('/edit/names/speaker.csv', kind, { GET: page(showNamesCsv('speaker')) }),
    path('/edit/names/tag.csv', kind, { GET: page(showNamesCsv('tag')) }),
    path('/edit/names/category.csv', kind, { GET: page(showNamesCsv('category')) }),
    path('/edit/names/speaker/:id', kind, {
      GET: page(showNamed('speaker')),
      POST: comparingForm(submitSpeakerForm, 'publisher', renderProfile),
    }),
    path('/edit/names/tag/:id', kind, { GET: page(showNamed('tag')), POST: form(submitTagForm, 'publisher') }),
    path('/edit/names/category/:slug', kind, {
      GET: page(showCategory),
      POST: comparingForm(submitCategoryForm, 'publisher', renderCategory),
    }),
    path('/edit/new-category', kind, {
      GET: page(showNewCategory, 'publisher'),
      POST: form(saveNewCategory, 'publisher'),
    }),
    path('/edit/variants/speaker', kind, {
      GET: page(showVariants('speaker')),
      POST: form(changeVariants('speaker'), 'publisher'),
    }),
    path('/edit/variants/tag', kind, {
      GET: page(showVariants('tag')),
      POST: form(changeVariants('tag'), 'publisher'),
    }),
    path('/edit/sessions', kind, { GET: page(showSessions), POST: form(endSessions, 'reader') }),
    path('/edit/sign-in', kind, {
      GET: { handler: showSignIn, role: null, runsOn: 'query' },
      POST: { handler: signIn, role: null, runsOn: 'http' },
    }),
    path('/edit/sign-out', kind, { POST: form(signOut, 'reader') }),
  ]
}

/** Browsers send Origin only if the policy lets them send a Referer to the same site. */
export function createEditKind(deps: SiteDeps): PathKind {
  // A malformed id below /edit is the curators' 404: no old address begins there.
  const { fallsThrough: _, ...page } = createPageKinds(deps).page
  return {
    ...page,
    headers: { ...page.headers, 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex' },
    caching: 'private',
    identifies: 'session',
    toErrorAnswer: toEditErrorAnswer(deps),
  }
}
