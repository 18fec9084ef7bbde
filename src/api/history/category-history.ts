import type { Answer, Call, Route } from '../../http/call.ts'
import type { CategoryName } from '../../record/category.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { CategoryVersion } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { toReadFailure } from '../failed.ts'
import { parseRecordId } from '../item/item.ts'
import { toListResponse } from '../list/envelope.ts'
import { answerPage, readLines } from '../list/page-answer.ts'
import { readHeaders } from '../path-headers.ts'
import { toDescribedRoute } from '../read-route.ts'

export interface CategoryHistoryNeeds {
  readonly store: Store
  readonly baseUrl: BaseUrl
}

const base = '/api/v2/category'
const listPath = `${base}/:slug/history`
const shape = { name: 'other', negotiates: true, headers: readHeaders } as const

/** `/api/v2/category/<slug>/history`: every version that a category's own fields ever had. */
export function createCategoryHistoryRoutes({ store, baseUrl }: CategoryHistoryNeeds): Route[] {
  async function list(call: Call): Promise<Answer> {
    const slug = call.parameter
    const place = { baseUrl, path: `${base}/${slug}/history`, sight: 'all' } as const
    let isMissing = false
    const page = await answerPage(call, place, async (paging) => {
      const read = await store.listCategoryHistory({ slug, ...paging }, call.request.signal)
      isMissing = read === null
      return readLines(Promise.resolve(read ?? { count: 0, page: 1, lines: [] }))
    })
    return isMissing ? { code: 'no_such_category' } : page
  }

  async function get(call: Call): Promise<Answer> {
    const [slug = '', number = ''] = call.parameter.split('/')
    const version = await store.readCategoryVersion({ slug, number: Number(number) }, call.request.signal)
    if (typeof version === 'string') return toReadFailure(version)
    if (version === null) return { code: 'no_such_category_version' }
    return toListResponse(call, [toVersionText(slug, version)], 'all', readHeaders)
  }

  return [
    toDescribedRoute({ ...shape, path: listPath }, { role: 'reader', run: list }),
    toDescribedRoute(
      {
        ...shape,
        path: `${listPath}/:version`,
        acceptsParameter: (value) => parseRecordId(value.split('/')[1] ?? '') !== null,
      },
      { role: 'reader', run: get },
    ),
  ]
}

/** The category as it was, with what is known of the version before it. */
function toVersionText(slug: string, { fields, before, changed, ...line }: CategoryVersion): string {
  const toStep = (name: CategoryName) =>
    before === null ? { to: fields[name] } : { from: before[name], to: fields[name] }
  const steps = Object.fromEntries(changed.map((name) => [name, toStep(name)]))
  const { title, ...rest } = fields
  return toAsciiJson({ ...line, changed: steps, category: { title, slug, ...rest } })
}
