import { requireRead } from '../../../http/problem.ts'
import { toFolded } from '../../../record/text/fold.ts'
import { isSlug } from '../../../record/text/slug.ts'
import type { SiteDeps } from '../../../site/site.ts'
import type { NameKind } from '../../../site/urls.ts'
import { type CuratedName, findCurated } from '../curated-name.ts'

/** What a typed text may stand for. */
export interface Targets {
  readonly found: readonly CuratedName[]
  /** Whether there are more that match. */
  readonly isCut: boolean
  /** Whether the text names the one that is to be merged. */
  readonly isSame: boolean
}

/** More are not offered at once. */
const maxOffered = 10

/**
 * The names that a text stands for: the one that is written so, the one with this number or address, or else those with
 * a word that begins so. Never the one that is to be merged.
 */
export async function findTargets(deps: SiteDeps, from: CuratedName, text: string): Promise<Targets> {
  const { kind } = from
  const exact = await findExact(deps, kind, text)
  const others = (names: readonly CuratedName[]) => names.filter(({ key }) => key !== from.key)
  if (exact.length > 0) return { found: others(exact), isCut: false, isSame: others(exact).length < exact.length }
  const query = {
    kind,
    prefix: toFolded(text),
    initial: null,
    order: 'use',
    page: 1,
    pageSize: maxOffered + 1,
  } as const
  const { lines } = requireRead(await deps.store.listNameLines(query))
  const keys = lines.map(({ id, slug }) => (kind === 'category' ? slug : String(id)))
  const found = await findAll(deps, kind, keys.filter((key) => key !== from.key).slice(0, maxOffered))
  return { found, isCut: lines.length > maxOffered, isSame: false }
}

/** By its name and by its key: a tag may be called 2014. */
async function findExact(deps: SiteDeps, kind: NameKind, text: string): Promise<readonly CuratedName[]> {
  const { store } = deps
  const named =
    kind === 'category'
      ? requireRead(await store.findCategorySlugs([text])).get(text)
      : requireRead(await store.findNameIds({ kind, names: [text] })).get(text)?.id
  const isKey = kind === 'category' ? isSlug(text) : /^[1-9]\d{0,14}$/.test(text)
  const keys = [...(named === undefined ? [] : [String(named)]), ...(isKey ? [text] : [])]
  return findAll(deps, kind, keys)
}

/** Each once: aliases lead to the same one. */
async function findAll(deps: SiteDeps, kind: NameKind, keys: readonly string[]): Promise<readonly CuratedName[]> {
  const found = new Map<string, CuratedName>()
  for (const key of keys) {
    const name = await findCurated(deps, kind, key)
    if (name !== null) found.set(name.key, name)
  }
  return [...found.values()]
}
