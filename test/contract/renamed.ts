import { type Fields, fail, parseFields, type Service } from './service.ts'
import { getBatches } from './versions.ts'

/** A category of two live records and a draft that a publisher has given a new title. */
type Renamed = {
  readonly batch: number
  readonly slug: string
  readonly ids: readonly number[]
  readonly from: string
  readonly to: string
}

/** What makes such categories, each with titles of its own. */
export function createRenames(service: Service) {
  let made = 0

  async function createRenamed(): Promise<Renamed> {
    made += 1
    const [from, to, slug] = [`Old ${made}`, `New ${made}`, `old-${made}`]
    const ids: number[] = []
    for (const state of [1, 1, 2]) ids.push(Number((await service.create({ category: from, state })).id))
    await rename(slug, to)
    return { batch: await findLastBatch(), slug, ids, from, to }
  }

  async function rename(slug: string, title: string): Promise<void> {
    const call = { method: 'PATCH', path: `/api/v2/category/${slug}`, as: 'publisher' as const, json: { title } }
    const answer = await service.call(call)
    if (answer.status !== 200) fail(`Renaming ${slug} got ${answer.status}: ${answer.body}`)
  }

  async function findLastBatch(): Promise<number> {
    const { results } = await getBatches(service, 'page_size=1')
    return Number(results[0]?.id ?? fail('There is no batch'))
  }

  async function getCategory(slug: string): Promise<Fields> {
    return parseFields(await service.call({ method: 'GET', path: `/api/v2/category/${slug}`, as: 'admin' }))
  }

  /** The categories that these records name. */
  const readAll = (ids: readonly number[]) =>
    Promise.all(ids.map(async (id) => parseFields(await service.read(id)).category))

  return { createRenamed, rename, findLastBatch, getCategory, readAll }
}
