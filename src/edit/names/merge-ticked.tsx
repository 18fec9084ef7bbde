import { Refused, requireRead } from '../../http/problem.ts'
import type { HttpCall, TextAnswer } from '../../http/route.ts'
import type { NameKind } from '../../record/name.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { toCounted } from '../../record/text/counted.ts'
import { findKeptName } from '../../record/variants/kept-name.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { Example } from '../../store/name-reads.ts'
import { PostForm, requireCaller, requireForm, StepButtons } from '../edit-page.tsx'
import { findCurated } from './curated-name.ts'
import {
  applyMerges,
  type MergeRequest,
  nothingTicked,
  previewMerges,
  readGroups,
  respondMergeStep,
  undoMerges,
} from './merge-many.tsx'
import { readNamesView, respondNameList, toViewHref } from './name-list.tsx'
import { VariantTable } from './variants/variants.tsx'

/** The form of a list of names: choose the one to keep, see what would change, merge, undo. */
export function mergeTicked(kind: NameKind) {
  return async (call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const view = readNamesView(call, kind)
    const request: MergeRequest = {
      ...{ call, deps, kind, form: requireForm(call) },
      action: toViewHref(site, view, { page: view.page }),
      toDone: (done) => toViewHref(site, view, { page: view.page }, done),
      again: (problem) => respondNameList(call, deps, kind, { problem }),
    }
    switch (request.form.get('do')) {
      case 'choose':
        return chooseKept(request)
      case 'preview':
        return previewMerges(request, readGroups(request.form))
      case 'merge all':
        return applyMerges(request, readGroups(request.form))
      case 'undo':
        return undoMerges(request)
      default:
        throw new Refused({ code: 'bad_form' })
    }
  }
}

/** More names than this are hardly spellings of one, and could not be compared. */
const maxTicked = 50
const maxExamples = 2

async function chooseKept(request: MergeRequest): Promise<TextAnswer> {
  const { call, deps, kind, form } = request
  // Ticks on other pages of the list come as one field.
  const ids = [...new Set(form.getAll('id').flatMap((field) => field.split(',')))].filter(isIdText)
  if (ids.length > maxTicked) return request.again(`Tick at most ${maxTicked} names.`)
  const found = await Promise.all(ids.map((id) => findCurated(deps, kind, id)))
  // A name that was merged since stands for the other.
  const names = [...new Map(found.flatMap((name) => (name === null ? [] : [[name.key, name] as const]))).values()]
  if (names.length < 2) return request.again(ids.length < 2 ? 'Tick at least two names.' : nothingTicked)
  const listed = await deps.store.listExamples({ kind, ids: names.map(({ key }) => Number(key)), limit: maxExamples })
  const examples = listed === 'late' ? new Map<number, readonly Example[]>() : requireRead(listed)
  const site = await openSite(call, deps)
  const shown = names.map(({ key, name, count }) => ({ id: Number(key), name, count }))
  const keep = Number(findKeptName(kind, names)?.key ?? 0)
  return respondMergeStep(
    request,
    `Merge ${toCounted(names.length, 'name')}`,
    <PostForm class="apply-form" caller={requireCaller(call)} action={request.action}>
      <p>Choose the name to keep, and untick names that do not belong to it. The others become its aliases.</p>
      <div class="variant-group">
        <VariantTable {...{ site, kind, shown, keep, examples }} number={1} mayChange />
      </div>
      <StepButtons action="preview" label="Preview" cancel={request.toDone({})} />
    </PostForm>,
  )
}
