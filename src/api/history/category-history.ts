import { Refused } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { CategoryName } from '../../record/category.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { CategoryVersion } from '../../store/change-log.ts'
import { type ListNeeds, toListAnswer } from '../list/envelope.ts'
import { answerPage, toTextPage } from '../list/page-answer.ts'
import { requireRead } from '../problems.ts'

/** Every version of a category's own fields (ADR 31). */
export function listCategoryVersions(call: Call<'slug'>, { store, baseUrl }: ListNeeds): Promise<TextAnswer> {
  const { slug } = call.params
  return answerPage(call, baseUrl, 'all', async (paging) => {
    const page = requireRead(await store.listCategoryHistory({ slug, ...paging }, call.signal))
    if (page === null) throw new Refused({ code: 'no_such_category' })
    return toTextPage(page)
  })
}

export async function readCategoryVersion(
  call: Call<'slug' | 'version'>,
  { store }: Pick<ListNeeds, 'store'>,
): Promise<TextAnswer> {
  const { slug, version: number } = call.params
  const version = requireRead(await store.readCategoryVersion({ slug, number: Number(number) }, call.signal))
  if (version === null) throw new Refused({ code: 'no_such_category_version' })
  return toListAnswer(call, [toVersionText(slug, version)], 'all')
}

/** The category at this version, with what changed since the version before it. */
function toVersionText(slug: string, { fields, before, changed, ...line }: CategoryVersion): string {
  const toStep = (name: CategoryName) =>
    before === null ? { to: fields[name] } : { from: before[name], to: fields[name] }
  const steps = Object.fromEntries(changed.map((name) => [name, toStep(name)]))
  const { title, ...rest } = fields
  return toAsciiJson({ ...line, changed: steps, category: { title, slug, ...rest } })
}
