import { Refused, requireRead } from '../../http/problem.ts'
import type { HttpCall, TextAnswer } from '../../http/route.ts'
import type { NameKind } from '../../record/name.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { findKeptName } from '../../record/variants/kept-name.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { Example } from '../../store/name-reads.ts'
import { PostForm, renderEditPage, requireCaller, requireForm, respondEditPage } from '../edit-page.tsx'
import { type CuratedName, findCurated, type NameFrame, toListText } from './curated-name.ts'
import { applyMerges, type MergeRequest, nothingTicked, previewMerges, readGroups, undoMerges } from './merge-many.tsx'
import { readNamesView, respondNameList, toViewHref } from './name-list.tsx'
import { ExampleList } from './name-talks.tsx'
import { NameTabs } from './names-layout.tsx'

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

/** More are hardly one name, and could not be compared. */
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
  const caller = requireCaller(call)
  const title = `Merge ${toCounted(names.length, 'name')}`
  const body = (
    <div class="edit-page names-page">
      <NameTabs site={site} kind={kind} />
      <h1>{title}</h1>
      <p>Choose the name to keep. The others become its aliases.</p>
      <PostForm class="apply-form" caller={caller} action={request.action}>
        <KeptTable {...{ site, names, examples }} keep={findKeptName(kind, names)?.key ?? ''} />
        <p class="buttons">
          <button class="button" type="submit" name="do" value="preview">
            Preview
          </button>
          <a class="button quiet" href={request.toDone({})}>
            Cancel
          </a>
        </p>
      </PostForm>
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, title, body))
}

interface KeptTableProps extends Pick<NameFrame, 'site'> {
  readonly names: readonly CuratedName[]
  readonly keep: string
  readonly examples: ReadonlyMap<number, readonly Example[]>
}

function KeptTable({ site, names, keep, examples }: KeptTableProps) {
  return (
    <div class="edit-table">
      <table class="name-table">
        <thead>
          <tr>
            <th scope="col" class="tick">
              Keep
            </th>
            <th scope="col">Name</th>
            <th scope="col" class="number">
              Talks
            </th>
            <th scope="col">Examples</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name.key}>
              <td class="tick">
                <input
                  type="radio"
                  name="keep.1"
                  value={name.key}
                  checked={name.key === keep}
                  aria-label={`Keep ${name.name}`}
                />
                <input type="hidden" name="merge.1" value={name.key} />
                <input type="hidden" name={`name.${name.key}`} value={name.name} />
              </td>
              <th scope="row">
                <a href={site.urls.editName(name.kind, name.key)} dir="auto">
                  {name.name}
                </a>
              </th>
              <td class="number">{toNumber(name.count)}</td>
              <td>
                <ExampleList site={site} examples={examples.get(Number(name.key)) ?? []} list={toListText(name)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
