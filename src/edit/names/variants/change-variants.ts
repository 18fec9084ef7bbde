import { executeAs, logChange } from '../../../http/execute.ts'
import { Refused } from '../../../http/problem.ts'
import { type HttpCall, type TextAnswer, toAuthor } from '../../../http/route.ts'
import { parseDismissal } from '../../../record/variants/variant.ts'
import { openSite, type SiteHttpDeps } from '../../../site/site.ts'
import { requireCaller, requireForm, seeOther } from '../../edit-page.tsx'
import { applyMerges, type MergeRequest, previewMerges, readGroups, undoMerges } from '../merge-many.tsx'
import { readKey } from '../name-command.ts'
import { respondVariants, toVariantsView, type VariantKind } from './variants.tsx'

/** The form of possible duplicates. A single group needs no preview; the next page offers an undo. */
export function changeVariants(kind: VariantKind) {
  return async (call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> => {
    const [, action = '', group = null] =
      /^([a-z]+(?: all)?)(?: (\d{1,3}))?$/.exec(requireForm(call).get('do') ?? '') ?? []
    const request = await openRequest(call, deps, kind, group)
    const { form } = request
    switch (action) {
      case 'merge':
        return applyMerges(request, readGroups(form, group ?? '0'))
      case 'preview':
        return previewMerges(request, readGroups(form))
      case 'merge all':
        return applyMerges(request, readGroups(form))
      case 'dismiss':
        return dismiss(request, (form.get(`group.${group}`) ?? '').split(','), true)
      case 'show':
        return dismiss(request, form.getAll('id'), false)
      case 'undo':
        return undoMerges(request)
      default:
        throw new Refused({ code: 'bad_form' })
    }
  }
}

/** Back to the page of the form, at the same position: the next group is there now. */
async function openRequest(
  call: HttpCall,
  deps: SiteHttpDeps,
  kind: VariantKind,
  group: string | null,
): Promise<MergeRequest> {
  const { urls } = await openSite(call, deps)
  const view = toVariantsView(call)
  const anchor = group === null ? '' : `#group-${group}`
  return {
    ...{ call, deps, kind, form: requireForm(call) },
    action: urls.variants(kind, view),
    toDone: (done) => urls.variants(kind, { ...view, ...done }) + anchor,
    again: (problem) => respondVariants(call, deps, kind, { problem }),
  }
}

/** Hides a group, or shows it again. */
async function dismiss(
  { call, deps, form, kind: of, toDone }: MergeRequest,
  group: readonly string[],
  isDismissed: boolean,
): Promise<TextAnswer> {
  const key = readKey(form)
  const parsed = parseDismissal({ ids: group.map(Number), dismissed: isDismissed })
  if (!parsed.ok) throw new Refused({ code: 'bad_form' })
  const kind = 'dismiss variants'
  const author = toAuthor(requireCaller(call))
  // The groups of a page share the key of its form.
  const idempotencyKey = `${key}-${parsed.value.ids.join('-')}`
  const command = { kind, of, author, ...parsed.value, idempotencyKey } as const
  const { dismissal, wasWritten } = await executeAs('dismissal', deps, call, command)
  const { ids } = dismissal
  if (wasWritten) logChange(deps, call, author.name, { kind, of, ids: ids.map(String) })
  return seeOther(call, toDone(isDismissed ? { hidden: ids.join() } : { shown: '1' }))
}
